"""The systematicity study as a user runs it: with the authors' data and without, with one more model, with other metrics."""

import polars as pl
import pytest

from tests.sources import systematicity_data as data
from tests.sources import tiny_wordnet
from tests.sources.tiny_wordnet import Synset
from tests.workflow import toy

CATEGORIES = [category for categories in data.CATEGORIES.values() for category in categories]
WORDS = sorted(
    {"is", "are", "A", "An", "Number", "The"}
    | {
        f"{word}{end}"
        for words in ([*CATEGORIES, "robin", "ant", "saw", "wren", "car", "barn"],)
        for word in words
        for end in ("", "s")
    }
)
CHAIN = {
    **{"snapshot": 1, "lexicon": 1, "systematicity_responses": 1, "systematicity_embeddings": 1},
    **{"systematicity_detections": 1, "systematicity_metrics": 1, "systematicity_control": 1},
}
AGGREGATES = {
    **{"systematicity_tables": 1, "systematicity_answers": 1, "systematicity_figures": 1},
    **{"systematicity_published": 1, "systematicity_report": 1, "report": 1},
}


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The study with the authors' data in miniature, run to its end once."""
    study = toy.make(tmp_path_factory.mktemp("systematicity") / "study")
    folder = study.folder / "data"
    toy.masked_model(folder / "masked", 1, WORDS)
    toy.causal_model(folder / "causal", 2, WORDS)
    data.write(folder / "systematicity")
    numbers = enumerate(sorted({*WORDS, *(word for words in data.HYPONYMS.values() for word in words)}), start=1)
    (folder / "vectors.txt").write_text("".join(f"{word} {i % 7} {i % 5} 1\n" for i, word in numbers))
    config = {
        "models": study.config["models"],
        "resources": {
            "wordnet": {"path": "data/wordnet"},
            "systematicity": {"path": "data/systematicity"},
            "static_vectors": {"path": "data/vectors.txt"},
        },
        "systematicity": {"categories": data.CATEGORIES, "top_k": 20, "training": {"hidden": 4, "epochs": 2}},
    }
    return study.finish(config)


def test_a_run_leaves_the_report_and_everything_it_stands_on(finished):
    results = finished.folder / "results"
    assert 'href="systematicity/report.html"' in (results / "report.html").read_text()
    assert "Table 4" in (results / "published.html").read_text()
    page = (results / "systematicity/report.html").read_text()
    assert page.count("<svg") == 5
    for said in ("LM Diagnostic Extended", "tiny-causal+control", "static", "majority", "Kinds of errors", "Wikipedia"):
        assert said in page
    assert not list(results.rglob("*.partial"))


def test_every_agent_has_the_metrics_that_it_can_have(finished):
    metrics = pl.read_csv(finished.folder / "results/systematicity/tables/metrics.csv", infer_schema_length=None)
    of = {agent: set(rows["metric"]) for (agent,), rows in metrics.group_by("agent")}
    paired = {"singular", "plural", "singular_plural"}
    opened, classified = {"open@1", "open@5"}, {"detection", "detection_partial"}
    slots = {"singular_slot", "plural_slot", "singular_plural_slot"}
    assert of == {
        "majority": {*paired, "contextual", "aggregate", "detection"},
        "static": paired | opened | classified,
        "tiny-masked": {*paired, *opened, *classified, "contextual", "aggregate"},
        "tiny-masked+control": paired | opened,
        "tiny-causal": {*paired, *opened, *classified, *slots, "contextual", "aggregate"},
        "tiny-causal+control": paired | opened,
    }
    assert set(metrics["condition"]) == {"diagnostic", "extended", "seen", "unseen"}


def test_tables_hold_what_the_miniature_says(finished):
    tables = finished.folder / "results/systematicity/tables"
    overview = pl.read_csv(tables / "overview.csv")
    majority = overview.row(by_predicate=(pl.col("agent") == "majority") & (pl.col("set") == "diagnostic"), named=True)
    assert majority["singular"] == pytest.approx(1 / 3)
    overlap = pl.read_csv(tables / "overlap.csv").row(0, named=True)
    assert overlap["released"] == 3
    parts = pl.read_csv(tables / "parts.csv").filter(setting="unseen", fold=1).row(0, named=True)
    assert [parts[name] for name in ("train", "dev", "test")] == [8 * 3 * 2, 4 * 2, 4 * 2]
    detection = pl.read_csv(tables / "detection.csv")
    assert set(detection["agent"]) == {"majority", "static", "tiny-masked", "tiny-causal"}


def test_a_second_run_does_nothing(finished):
    assert finished.scheduled() == {}


def test_one_more_model_runs_its_own_chain_and_the_aggregates(study):
    study.add_model()
    assert study.scheduled() == CHAIN | AGGREGATES


def test_an_edited_metric_asks_no_model_and_trains_nothing(study):
    study.edit("relprobe/systematicity/metrics.py")
    assert study.scheduled() == {"systematicity_metrics": 3, "systematicity_control": 2} | AGGREGATES


def test_another_classifier_is_trained_on_the_embeddings_that_are_there(study):
    section = study.config["systematicity"]
    study.configure(systematicity={**section, "training": {"hidden": 5, "epochs": 2}})
    after = {name: 1 for name in AGGREGATES if name != "systematicity_answers"}
    assert study.scheduled() == {"systematicity_detections": 3, "systematicity_metrics": 3} | after


def test_other_gold_categories_ask_no_model(study):
    """The items change and the probes do not."""
    for number, end in (("singular", ""), ("plural", "s")):
        path = next((study.folder / "data").rglob(f"LM-Diagnostic-Extended/{number}.tsv"))
        path.write_text(path.read_text().replace(f"\tvehicle{end}", f"\tbuilding{end}"))
    assert "systematicity_items" in study.scheduled()
    assert study.snakemake("results/systematicity/pairs.parquet", "--quiet", "all").returncode == 0
    jobs = study.scheduled()
    assert jobs["systematicity_metrics"] == 3
    assert not {"systematicity_responses", "systematicity_embeddings", "systematicity_detections"} & set(jobs)


def test_without_the_authors_data_the_items_come_from_wordnet(study):
    synsets = {category: Synset(category) for category in data.HYPONYMS} | {
        word: Synset(word, hypernyms=category) for category, words in data.HYPONYMS.items() for word in words
    }
    tiny_wordnet.write(study.folder / "data/wordnet", {**synsets, "fly": Synset("fly", hypernyms="bird insect")})
    categories = {"animals": ["bird", "insect"], "objects": ["vehicle", "building"]}
    resources = {name: entry for name, entry in study.config["resources"].items() if name == "wordnet"}
    models = {"tiny-causal": study.config["models"]["tiny-causal"]}
    section = {**study.config["systematicity"], "categories": categories}
    study.configure(models=models, resources=resources, systematicity=section)
    jobs = study.scheduled()
    assert "systematicity_static" not in jobs
    assert "systematicity_overlap" not in jobs
    done = study.snakemake("results/systematicity/report.html")
    assert done.returncode == 0, done.stderr
    results = study.folder / "results/systematicity"
    items = pl.read_parquet(results / "items.parquet").select("set", "category", "hyponym").rows()
    # A fly would have two answers.
    assert items == [
        ("wordnet", category, word) for category in data.HYPONYMS for word in sorted(data.HYPONYMS[category])
    ]
    assert "resources.systematicity" in (results / "report.html").read_text()


@pytest.mark.parametrize(
    ("section", "sentence"),
    [
        ({"top_k": 3}, "systematicity.top_k is below 5"),
        ({"categories": {"a": ["bird", "fish"], "b": ["fish", "tree"]}}, "systematicity.categories names 'fish' twice"),
        ({"categories": {"a": ["bird"], "b": ["fish", "tree"]}}, "systematicity.categories.a"),
        ({"carriers": ["We saw it."]}, "systematicity.carriers holds 'We saw it.', which must have one [W]"),
        ({"trainning": {}}, "did you mean 'training'?"),
    ],
)
def test_a_wrong_config_ends_in_one_sentence_before_any_job(study, section, sentence):
    study.configure(systematicity=section)
    done = study.snakemake()
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_sentence_without_its_hyponym_ends_in_one_sentence(study):
    path = next((study.folder / "data").rglob("LM-Diagnostic-Extended/contextual.tsv"))
    path.write_text("car\tThe cart has four wheels .\tvehicle\n")
    done = study.snakemake()
    assert done.returncode == 1
    assert "contextual.tsv, line 1: the sentence lacks 'car'" in done.stderr
    assert "Traceback" not in done.stderr
