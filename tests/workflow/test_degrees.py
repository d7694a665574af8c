"""The degrees study as a user runs it: to the end, again, with one more model, with an edited metric, without its data."""

import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
import yaml
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.sources import tiny_semeval
from tests.sources.tiny_semeval import Spec
from tests.workflow import toy

PROMPTS = {
    "1a": "[Y] is a kind of [X]",
    "2a": "[Y] is a part of [X]",
    "3a": "[X] is also called [Y]",
    "4a": "[X] is the opposite of [Y]",
    "5a": "[X] has [Y]",
}
PAIRS = ["bird:robin", "animal:bird", "building:wall", "night:day", "robin:bird"]
WORDS = ["to", "as"]
AGGREGATES = {
    "degrees_summary": 1,
    "degrees_tests": 1,
    "degrees_tables": 1,
    "degrees_figures": 1,
    "degrees_published": 1,
    "degrees_report": 1,
    "report": 1,
}
RATERS = ["schema", "schema-mean", "analogy", "analogy-mean", "pmi", "hidden"]


def spec(name: str, relation_class: str, *, training: bool) -> Spec:
    first, second = PAIRS[:4], PAIRS[1:]
    answers = [
        (first, "night:day", "bird:robin"),
        (first, "night:day", "animal:bird"),
        (second, "robin:bird", "night:day"),
    ]
    schema = PROMPTS[name].replace("[", "").replace("]", "")
    reversals = {"robin:bird": "bird:robin"}
    return Spec(name, relation_class, schema, ["house:home", "bird:wing"], PAIRS, answers, training, reversals)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The miniature study, run to its end once."""
    study = toy.make(tmp_path_factory.mktemp("degrees") / "study")
    data = study.folder / "data"
    toy.masked_model(data / "masked", seed=1, more=WORDS)
    specs = [spec(name, "SIMILAR", training=True) for name in ("1a", "2a", "3a")]
    specs += [spec("4a", "CONTRAST", training=False), spec("5a", "ATTRIBUTE", training=False)]
    tiny_semeval.write(data / "semeval", specs)
    for one in specs:
        folder = data / "semeval/SemEval-2012-Baselines/PMI"
        tiny_semeval.rate(folder / f"PMI-Ratings-{one.id}.txt", {pair: i for i, pair in enumerate(PAIRS)})
    words = sorted({word for pair in PAIRS for word in pair.split(":")} | {"house", "home", "wing"})
    (data / "vectors").mkdir()
    lines = [f"{word} {i % 3} {i % 5} {(i * i) % 7}" for i, word in enumerate(words)]
    (data / "vectors/vectors.txt").write_text("\n".join(lines) + "\n")
    (data / "degrees.yaml").write_text(yaml.safe_dump(PROMPTS))
    config = study.config
    del config["relations"], config["lexicon"]
    config["resources"] = {"semeval2012": {"path": "data/semeval"}, "static_vectors": {"path": "data/vectors"}}
    config["degrees"] = {"prompts": "data/degrees.yaml"}
    return study.finish(config)


def test_a_run_leaves_the_report_and_everything_it_stands_on(finished):
    results = finished.folder / "results"
    assert 'href="degrees/report.html"' in (results / "report.html").read_text()
    assert "UTD" not in (results / "published.html").read_text()
    assert "utd-nb" in (results / "published.html").read_text()
    page = (results / "degrees/report.html").read_text()
    assert page.count("<svg") == 3
    table = pl.read_csv(results / "degrees/tables/overview.csv")
    agents = [f"{model} {rater}" for model in ("tiny-masked", "tiny-causal") for rater in RATERS]
    assert table.filter(pl.col("from") == "this run")["agent"].to_list() == [*agents, "random", "pmi", "static"]
    choice = pl.read_csv(results / "degrees/tables/choice.csv")
    assert set(choice["among"]) == {"tiny-masked", "tiny-causal", "all models"}
    assert not list(results.rglob("*.partial"))


def test_the_supplied_ratings_get_the_score_that_follows_from_them(finished):
    # They rise along PAIRS. Question 1: least bird:robin (wrong), most night:day (wrong); question 2: least animal:bird
    # (wrong), most robin:bird (wrong).
    metrics = pl.read_parquet(finished.folder / "results/degrees/metrics/pmi.parquet")
    assert metrics.filter(metric="maxdiff")["value"].to_list() == [0.0] * 5


def test_a_schema_rating_is_the_log_probability_that_transformers_gives(finished):
    folder = finished.folder / "data/causal"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    net = AutoModelForCausalLM.from_pretrained(folder).eval()
    ratings = pl.read_parquet(finished.folder / "results/degrees/ratings/tiny-causal.parquet")
    ids = tokenizer("wall is a part of building", return_tensors="pt").input_ids
    with torch.no_grad():
        logprobs = net(input_ids=ids).logits.log_softmax(-1)[0, :-1].gather(1, ids[0, 1:, None])
    (rating,) = ratings.filter(agent="tiny-causal schema", subcategory="2a", pair="building:wall")["rating"]
    assert rating == pytest.approx(float(logprobs.sum()), abs=1e-4)


def test_scores_say_what_they_are_made_of(finished):
    path = finished.folder / "results/degrees/scores/hidden/tiny-masked.parquet"
    assert b'"kind": "hidden", "layer": -1' in pq.read_schema(path).metadata[b"relprobe"]


def test_a_second_run_does_nothing(finished):
    assert finished.scheduled() == {}


def test_one_more_model_runs_its_own_chain_and_the_aggregates(study):
    study.add_model()
    chain = {"snapshot": 1, "degrees_scores": 4, "degrees_ratings": 1, "degrees_metrics": 1}
    assert study.scheduled() == chain | AGGREGATES


def test_an_edited_metric_scores_nothing(study):
    path = study.folder / "workflow/scripts/relprobe/degrees/metrics.py"
    path.write_text(path.read_text() + "\n# edited\n")
    assert study.scheduled() == {"degrees_metrics": 5} | AGGREGATES


def test_another_layer_scores_hidden_states_alone(study):
    study.configure(degrees={**study.config["degrees"], "layer": 1})
    scored = {"degrees_scores": 2, "degrees_ratings": 2, "degrees_metrics": 2}
    assert study.scheduled() == scored | AGGREGATES


def test_answers_of_more_people_score_nothing(study):
    file = study.folder / f"data/semeval/{tiny_semeval.PACKAGE}/Testing/Phase2Answers/Phase2Answers-4a.txt"
    file.write_text(file.read_text() + file.read_text().splitlines()[1] + "\n")
    made = ["results/degrees/gold.parquet", "results/degrees/probes.parquet"]
    assert study.snakemake(*made, "--quiet", "all").returncode == 0
    assert study.scheduled() == {"degrees_metrics": 5, "degrees_baseline": 3} | AGGREGATES


def test_without_static_vectors_the_page_says_that_the_baseline_is_left_out(study):
    resources = study.config["resources"]
    del resources["static_vectors"]
    study.configure(resources=resources)
    assert study.snakemake("--quiet", "all").returncode == 0
    assert "The baseline of static vectors is left out" in (study.folder / "results/degrees/report.html").read_text()


def test_without_its_data_the_study_is_left_out_in_one_sentence(study):
    study.configure(resources={"semeval2012": {"path": "data/nowhere"}})
    done = study.snakemake()
    assert done.returncode == 1
    assert "The study degrees is left out, as resources.semeval2012.path names data/nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_prompt_that_is_missing_is_named_before_any_model_is_asked(study):
    (study.folder / "data/degrees.yaml").write_text(yaml.safe_dump({**PROMPTS, "4a": "[X] opposes something"}))
    done = study.snakemake()
    assert done.returncode == 1
    assert "Error: data/degrees.yaml: 4a must be a sentence with one [X] and one [Y]" in done.stderr
    assert "Traceback" not in done.stderr
