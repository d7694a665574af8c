"""The definitions study as a user runs it: on a hand-made WordNet, again, with one more model, with an edited metric."""

import numpy as np
import polars as pl
import pytest
import torch
import yaml
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from tests.sources import tiny_wordnet
from tests.sources.tiny_sisters import SISTERS
from tests.workflow import toy

PATTERNS = {
    "masked": {
        "noun": {"is": "[V] is [DEF]", "means": "[V] means [DEF]"},
        "verb": {"to-is": "to [DEF] is the definition of [V]"},
    },
    "causal": {
        "noun": {"definition": "[DEF] is the definition of [V]"},
        "verb": {"definition": "to [DEF] is the definition of [V]"},
    },
}
# "warm up", "stretch" and the like are words of their own; "goose" is two tokens for the masked model, "owl" unknown to it.
TEXTS = [text.lower() for synset in SISTERS.values() for text in (synset.lemmas, synset.gloss)]
WORDS = sorted(
    ({word for text in TEXTS for word in text.replace("_", " ").split()} - {"goose", "owl"})
    | {"is", "means", "to", "the", "definition", "of", "goo", "##se"}
)
AGGREGATES = {f"definitions_{step}": 1 for step in ("summary", "tables", "figures", "published", "report")} | {
    "report": 1
}
CHAIN = {"snapshot": 1, "definitions_scores": 1, "definitions_responses": 1, "definitions_metrics": 1}
VERBS = 7


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The miniature study, run to its end once."""
    study = toy.make(tmp_path_factory.mktemp("definitions") / "study")
    data = study.folder / "data"
    tiny_wordnet.write(data / "wordnet", SISTERS, exceptions=())
    toy.masked_model(data / "masked", seed=1, more=WORDS)
    (data / "patterns.yaml").write_text(yaml.safe_dump(PATTERNS))
    rng = np.random.default_rng(1)
    vectors = "".join(f"{word} {' '.join(map(str, rng.random(4)))}\n" for word in ("signal", "beckon", "nod", "head"))
    (data / "vectors.txt").write_text(vectors)
    config = {
        "models": study.config["models"],
        "resources": {"wordnet": {"path": "data/wordnet"}, "static_vectors": {"path": "data/vectors.txt"}},
        "definitions": {"prompts": "data/patterns.yaml", "capitals": ["tiny-causal"]},
    }
    return study.finish(config)


def results(study, name):
    return pl.read_parquet(study.folder / "results/definitions" / name)


def test_a_run_leaves_the_report_and_everything_it_stands_on(finished):
    folder = finished.folder / "results"
    assert 'href="definitions/report.html"' in (folder / "report.html").read_text()
    assert "Table 10" in (folder / "published.html").read_text()
    page = (folder / "definitions/report.html").read_text()
    assert page.count("<svg") == 4
    assert "no static baseline" not in page
    overview = pl.read_csv(folder / "definitions/tables/overview.csv")
    agents = ["random", "static", "tiny-masked", "tiny-causal"]
    assert overview.filter(part_of_speech="verb")["agent"].to_list() == agents
    assert overview["groups"].to_list() == [1] * 4 + [VERBS] * 4
    tests = pl.read_csv(folder / "definitions/tables/tests.csv")
    assert set(tests.select("metric", "test").rows()) == {
        *(("W2D P@1", "McNemar"), ("D2W P@1", "McNemar")),
        *(("W2D RS", "Wilcoxon"), ("D2W RS", "Wilcoxon")),
    }
    confused = pl.read_csv(folder / "definitions/tables/confusions.csv")
    assert set(confused["agent"]) == set(agents) - {"random"}
    assert (confused["rank"] > 1).all()
    assert not list(folder.rglob("*.partial"))


@pytest.mark.parametrize("name", ["tiny-masked", "tiny-causal"])
def test_stored_scores_equal_a_plain_forward_of_transformers(finished, name):
    folder = finished.folder / "data" / name.removeprefix("tiny-")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    masked = name == "tiny-masked"
    net = (AutoModelForMaskedLM if masked else AutoModelForCausalLM).from_pretrained(folder).eval()
    probes = {row["probe_id"]: row for row in results(finished, "probes.parquet").iter_rows(named=True)}
    unknown = 0
    for row in results(finished, f"scores/{name}.parquet").iter_rows(named=True):
        probe = probes[row["probe_id"]]
        pattern = PATTERNS["masked" if masked else "causal"][probe["pos"]][row["pattern"]]
        text = pattern.replace("[DEF]", probe["definition"])
        for i, word in enumerate(probe["words"]):
            expected = (of_masked if masked else of_causal)(net, tokenizer, text, word)
            if expected is None:
                unknown += 1
                assert row["logprobs"][i] is row["first"][i] is row["tokens"][i] is None
                continue
            assert row["tokens"][i] == len(expected)
            assert row["logprobs"][i] == pytest.approx(sum(expected), abs=1e-3)
            assert row["first"][i] == pytest.approx(expected[0], abs=1e-3)
    assert (unknown > 0) == masked  # "owl"


def of_masked(net, tokenizer, text, word):
    """The log-probability of each token of a word, with as many masks as it has tokens; None if it has none."""
    ids = tokenizer(word, add_special_tokens=False).input_ids
    if tokenizer.unk_token_id in ids:
        return None
    given = tokenizer(text.replace("[V]", " ".join(["[MASK]"] * len(ids))), return_tensors="pt").input_ids
    places = (given[0] == tokenizer.mask_token_id).nonzero()[:, 0]
    assert len(places) == len(ids)
    with torch.no_grad():
        logprobs = net(input_ids=given).logits[0].log_softmax(-1)
    return [float(logprobs[place, token]) for place, token in zip(places, ids, strict=True)]


def of_causal(net, tokenizer, text, word):
    """The same by the chain rule."""
    start = tokenizer(text.removesuffix(" [V]")).input_ids
    ids = tokenizer(f" {word}", add_special_tokens=False).input_ids
    with torch.no_grad():
        logprobs = net(input_ids=torch.tensor([start + ids])).logits[0].log_softmax(-1)
    return [float(logprobs[len(start) - 1 + i, token]) for i, token in enumerate(ids)]


def test_the_log_says_how_many_inputs_were_saved(finished):
    log = (finished.folder / "results/logs/definitions/scores/tiny-masked.log").read_text()
    # Verbs, one pattern: W2D and D2W have 40 candidates each. The goose, two patterns: 6 and 6.
    # Six verb definitions, each with words of one and of two tokens (warm up); six noun definitions in two patterns: with
    # those of other birds and pets goes the goose (two tokens), with its own all six words.
    assert "model inputs answered 104 questions" in log
    assert f"{12 + 2 * (5 + 2)} model inputs" in log
    assert "'owl'" in log


def test_a_second_run_does_nothing(finished):
    assert finished.scheduled() == {}


def test_one_more_model_runs_its_own_chain_and_the_aggregates(study):
    study.add_model()
    assert study.scheduled() == CHAIN | AGGREGATES


def test_an_edited_metric_scores_nothing(study):
    study.edit("relprobe/definitions/metrics.py")
    assert study.scheduled() == {"definitions_metrics": 4} | AGGREGATES


def test_an_edited_ranking_scores_nothing(study):
    study.edit("relprobe/definitions/responses.py")
    assert study.scheduled() == {
        **{"definitions_responses": 2, "definitions_baseline": 2, "definitions_metrics": 4},
        **AGGREGATES,
    }


def test_an_edited_engine_scores_the_models_alone(study):
    study.edit("relprobe/lm/continuation.py")
    jobs = study.scheduled()
    assert jobs["definitions_scores"] == 2
    assert not {"snapshot", "definitions_groups", "definitions_baseline"} & set(jobs)


def test_a_capital_for_one_model_scores_it_alone(study):
    study.configure(definitions={**study.config["definitions"], "capitals": ["tiny-masked", "tiny-causal"]})
    assert study.scheduled()["definitions_scores"] == 1


def test_a_sample_is_one_value_away_and_static_vectors_are_optional(study):
    sample = {"noun": 1, "verb": 3, "seed": 1}
    study.configure(
        definitions={**study.config["definitions"], "sample": sample}, resources={"wordnet": {"path": "data/wordnet"}}
    )
    done = study.snakemake("--quiet", "all")
    assert done.returncode == 0, done.stderr
    overview = pl.read_csv(study.folder / "results/definitions/tables/overview.csv")
    assert overview["groups"].to_list() == [1] * 3 + [3] * 3
    assert "There is no static baseline" in (study.folder / "results/definitions/report.html").read_text()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"sample": {"noun": 1, "verb": 1}}, "definitions.sample has no 'seed'"),
        ({"capitals": ["gpt5"]}, "definitions.capitals names 'gpt5'"),
        ({"prompts": "nowhere.yaml"}, "definitions.prompts names nowhere.yaml"),
    ],
)
def test_a_wrong_config_ends_in_one_sentence_before_any_job(study, change, sentence):
    study.configure(definitions={**study.config["definitions"], **change})
    done = study.snakemake()
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
