"""A study of relations in another language, from outside the package: YAML files, two CSV files and a lexical resource."""

import csv

import polars as pl
import pytest
import yaml

from tests.sources.lexical import tiny_lmf
from tests.workflow import toy
from tests.workflow.toy_models import causal_model, masked_model

pytest.importorskip("wn", reason="the library wn is missing: pip install --requirement envs/requirements.txt")
pytestmark = pytest.mark.slow("it runs a study in another language to its page")

LANGUAGE = {
    "name": "Deutsch",
    "wordfreq": "de",
    "letters": "[a-zäöüß]+",
    "articles": {"before_slot": ["ein", "eine"], "before_word": {"table": "artikel.csv", "default": "ein"}},
    "answers": {"articles": ["ein", "eine"]},
}
RELATIONS = {
    "OBER": {
        "name": "Oberbegriff",
        "inverse": "UNTER",
        "wordnet": {"pointers": ["hypernym"], "depth": 2},
        "prototypical": True,
    },
    "UNTER": {"name": "Unterbegriff", "inverse": "OBER", "wordnet": {"pointers": ["hyponym"], "depth": 2}},
    "SYN": {"name": "Synonym", "symmetric": True, "wordnet": {"pointers": ["co_lemma"]}},
    "GEGEN": {
        "name": "Gegenteil",
        "symmetric": True,
        "part_of_speech": "adjective",
        "wordnet": {"pointers": ["antonym"]},
        "prototypical": True,
    },
}
PROMPTS = {
    "OBER": [
        {"id": "ober-art", "text": "[DET] [W] ist [DET] [V]"},
        {"id": "ober-innen", "text": "[DET] [V] wie [DET] [W]."},  # for the masked model alone
    ],
    "UNTER": [{"id": "unter-zum-beispiel", "text": "[DET] [W] zum Beispiel ist [DET] [V]"}],
    "SYN": [{"id": "syn-auch", "text": "[DET] [W] ist auch [DET] [V]"}],
    "GEGEN": [{"id": "gegen-nicht", "text": "es ist [W] und nicht [V]"}],
}
TUPLES = [("Amsel", "OBER", "Vogel"), ("Rabe", "OBER", "Vogel"), ("Rabe", "SYN", "Kolkrabe"), ("warm", "GEGEN", "kalt")]
ANSWERS = [
    ("Amsel", "OBER", "ober-art", "anna", 1, "ein Vogel"),
    ("Amsel", "OBER", "ober-art", "anna", 2, "Tier"),
    ("Amsel", "OBER", "ober-art", "ben", 1, "Vogel"),
    ("warm", "GEGEN", "gegen-nicht", "anna", 1, "kalt"),
    ("warm", "GEGEN", "gegen-nicht", "ben", 1, "kalt"),
    ("lau", "GEGEN", "gegen-nicht", "ben", 1, "heiß"),
]
EXAMPLES = {
    "OBER": [["Rose", "Blume"], ["Eiche", "Baum"], ["Lachs", "Fisch"], ["Hammer", "Werkzeug"]],
    "SYN": [["Samstag", "Sonnabend"], ["Orange", "Apfelsine"], ["Möhre", "Karotte"]],
    "GEGEN": [["groß", "klein"], ["hell", "dunkel"], ["nass", "trocken"]],
}
WORDS = [
    "Amsel",
    "Rabe",
    "Kolkrabe",
    "Vogel",
    "Tier",
    "warm",
    "kalt",
    "ein",
    "eine",
    "ist",
    "wie",
    "auch",
    "und",
    "nicht",
]


def write(study):
    """Write what a user brings, and models whose vocabulary has the words."""
    data = study.folder / "data"
    files = {"sprache": LANGUAGE, "relationen": RELATIONS, "fragen": PROMPTS, "beispiele": {"relations": EXAMPLES}}
    for name, content in files.items():
        (data / f"{name}.yaml").write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True))
    for name, rows in (
        ("artikel", [("word", "article"), ("Amsel", "eine")]),
        ("tupel", [("target", "relation", "relatum"), *TUPLES]),
        ("antworten", [("target", "relation", "prompt", "participant", "rank", "answer"), *ANSWERS]),
    ):
        with (data / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(rows)
    tiny_lmf.write(data / "lmf/tiny.xml")
    masked_model(data / "masked", seed=1, more=WORDS)
    causal_model(data / "causal", seed=2, more=WORDS)


@pytest.fixture(scope="module")
def german(server, once):
    place = once("german", lambda folder: run(toy.make(folder / "study", ["relations"], server.environment)))
    return toy.Study(place / "study", server.environment)


def run(study):
    """Turn a study into one in German, and finish it."""
    write(study)
    study.configure(
        prompting={"examples": "data/beispiele.yaml"},
        resources={
            "wn_lmf": {"path": "data/lmf"},
            "own_tuples": {"path": "data/tupel.csv"},
            "human_responses": {"path": "data/antworten.csv"},
        },
        relations={
            "relations": "data/relationen.yaml",
            "language": "data/sprache.yaml",
            "prompts": "data/fragen.yaml",
            "tuples": ["own_tuples"],
            "expansion": "wn_lmf",
            "top_k": 30,
            "word_sample": {"targets": 2, "models": ["tiny-causal"]},
            "word_list": {"frequent": 40},
            "top_words": 10,
            "choices": {"minimum_targets": 1},
        },
    )
    study.finish()


def test_examples_are_of_the_language(german):
    texts = german.table("relations/examples.parquet").filter(probe_id="ober-art:Amsel")["texts"].explode().to_list()
    assert "eine Rose ist eine Blume" in " ".join(texts) or "ein Lachs ist ein Fisch" in " ".join(texts)


def test_all_relations_have_averages_of_all_agents(german):
    averages = german.table("relations/averages.parquet")
    models = set(german.config["models"])
    own = {f"{model}+without-target" for model in models if "task" not in german.config["models"][model]}
    assert set(averages["agent"]) == {*models, *own, "majority", "frequency", "humans", "annotator"}
    assert set(averages["relation"].drop_nulls()) == {"OBER", "UNTER", "SYN", "GEGEN"}
    sound = averages.filter(metric="soundness", agent="humans")
    assert dict(sound.select("relation", "value").iter_rows()) == {"OBER": 1.0, "GEGEN": 1.0}


def test_the_resource_gives_relata_and_the_table_gives_articles(german):
    sets = german.table("relations/relata.parquet").filter(target="Amsel", relation="OBER")
    assert sets["relatum"].to_list() == ["Tier", "Vogel"]  # Tier comes from the resource
    probes = german.table("relations/probes.parquet")
    row = probes.row(by_predicate=pl.col("probe_id") == "ober-art:Amsel", named=True)
    assert [variant["text"] for variant in row["variants"]] == ["eine Amsel ist ein [V]", "eine Amsel ist eine [V]"]


def test_a_slot_inside_is_asked_of_the_masked_model_alone(german):
    asked = {
        name: german.table(f"relations/scores/{name}.parquet")["probe_id"].str.starts_with("ober-innen").sum()
        for name in ("tiny-masked", "tiny-causal")
    }
    assert asked["tiny-masked"] > 0
    assert asked["tiny-causal"] == 0
    lost = german.table("relations/tables/attrition_counts.csv").filter(kind="prompt")
    assert lost.select("relation", "lost").rows() == [("OBER", 1)]


def test_an_answer_about_no_target_is_listed(german):
    table = german.table("relations/tables/unmatched_answers.csv")
    assert table.select("participant", "answer", "reason").rows() == [
        ("ben", "heiß", "lau is no target of GEGEN in this study")
    ]


def test_every_table_and_figure_is_there_with_the_users_names(german, finished):
    for part, end in (("tables", "csv"), ("figures", "svg")):
        files = {path.name for path in (german.results / "relations" / part).glob(f"*.{end}")}
        assert files == {path.name for path in (finished.results / "relations" / part).glob(f"*.{end}")}
    assert "Oberbegriff" in (german.results / "relations/figures/soundness.svg").read_text()
    assert "of 12 pairs" in (german.results / "relations/figures/distinguishability_curves.svg").read_text()
