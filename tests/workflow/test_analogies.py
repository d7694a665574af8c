"""The analogies study as a user runs it: to the end, with one more model, with an edited metric, without its data."""

import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from tests.workflow import toy

HEADS = ["paris", "rome", "oslo", "bern", "cairo", "delhi", "tokyo", "lima"]
TAILS = ["france", "italy", "norway", "swiss", "egypt", "india", "japan", "peru"]
SYNONYMS = [(word, f"{word}s") for word in (*HEADS, *TAILS)]
WORDS = ["what", "What", "to", ",", *HEADS, *TAILS, *(word for _, word in SYNONYMS)]
AGENTS = ["tiny-masked", "tiny-causal", "tiny-encoder", "static"]
AGGREGATES = {
    "analogies_tables": 1,
    "analogies_frequency": 1,
    "analogies_figures": 1,
    "analogies_published": 1,
    "analogies_report": 1,
    "report": 1,
}
CHAIN = {
    "snapshot": 1,
    "analogies_scores": 1,
    "analogies_embeddings": 1,
    "analogies_supervised": 1,
    "analogies_unsupervised": 1,
    "analogies_metrics": 1,
}


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The miniature study, run to its end once."""
    study = toy.make(tmp_path_factory.mktemp("toy") / "study")
    data = study.folder / "data"
    toy.masked_model(data / "masked", seed=1, more=WORDS)
    for code, pairs in (
        ("E01 [country - capital]", zip(HEADS, TAILS, strict=True)),
        ("L08 [synonyms - exact]", SYNONYMS),
    ):
        (data / "bats/nested").mkdir(parents=True, exist_ok=True)
        (data / f"bats/nested/{code}.txt").write_text("".join(f"{head}\t{tail}/another\n" for head, tail in pairs))
    vectors = [f"{word} {len(word)} {number % 5} 1" for number, word in enumerate([*HEADS, *TAILS])]
    (data / "vectors.txt").write_text("\n".join(vectors))
    config = {
        "models": {
            "tiny-masked": {"type": "masked", "path": "data/masked"},
            "tiny-causal": {"type": "causal", "path": "data/causal"},
        },
        "encoders": {"tiny-encoder": {"path": "data/masked", "pooling": "mask"}},
        "resources": {"bats": {"path": "data/bats"}, "static_vectors": {"path": "data/vectors.txt"}},
        "analogies": {"supervised": {"seeds": [1], "epochs": 3, "hidden": [4]}, "sample": {"instances": 9}},
    }
    return study.finish(config)


def test_a_run_leaves_the_report_and_everything_it_stands_on(finished):
    results = finished.folder / "results"
    assert 'href="analogies/report.html"' in (results / "report.html").read_text()
    assert "Table 2" in (results / "published.html").read_text()
    page = (results / "analogies/report.html").read_text()
    assert page.count("<svg") == 4
    assert all(agent in page for agent in AGENTS)
    overview = pl.read_csv(results / "analogies/tables/overview.csv")
    assert overview.filter(group="All")["agent"].to_list() == AGENTS
    assert overview.filter(group="All").drop("group", "agent").null_count().sum_horizontal().item() == 0
    assert not list(results.rglob("*.partial"))
    log = (results / "logs/analogies/sentences.log").read_text()
    assert "need not be scored again" in log


def test_words_without_a_static_vector_are_counted_not_guessed(finished):
    table = pl.read_csv(finished.folder / "results/analogies/tables/unjudged.csv")
    counts = {(agent, setting): missing for agent, setting, _, missing in table.iter_rows()}
    assert counts["static", "unsupervised"] > 0  # the synonyms have none
    assert counts["tiny-masked", "unsupervised"] == counts["tiny-encoder", "unsupervised"] == 0


@pytest.mark.parametrize("name", ["tiny-masked", "tiny-causal"])
def test_stored_scores_equal_a_plain_forward_of_transformers(finished, name):
    folder = finished.folder / "data" / name.removeprefix("tiny-")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    masked = name == "tiny-masked"
    net = (AutoModelForMaskedLM if masked else AutoModelForCausalLM).from_pretrained(folder).eval()
    for row in pq.read_table(finished.folder / f"results/analogies/scores/{name}.parquet").slice(0, 20).to_pylist():
        ids = tokenizer(row["text"], return_tensors="pt").input_ids[0]
        places = range(1, len(ids) - 1 if masked else len(ids))  # not the special tokens; nothing predicts a first one
        total = 0.0
        for place in places:
            asked = ids.clone() if masked else ids[:place]
            if masked:
                asked[place] = tokenizer.mask_token_id
            with torch.no_grad():
                logits = net(input_ids=asked[None]).logits[0]
            total += float(logits[place if masked else -1].log_softmax(-1)[ids[place]])
        assert row["logprob"] == pytest.approx(total, abs=1e-3)
        assert row["tokens"] == len(places)


def test_a_second_run_does_nothing(finished):
    assert finished.scheduled() == {}


def test_one_more_model_runs_its_own_chain_and_the_aggregates(study):
    study.add_model()
    assert study.scheduled() == CHAIN | AGGREGATES


def test_an_edited_metric_scores_and_trains_nothing(study):
    study.edit("relprobe/analogies/metrics.py")
    # figures, pages and frequencies: the figures and tables read the metrics' module too
    jobs = study.scheduled()
    assert jobs["analogies_metrics"] == len(AGENTS)
    assert not {"analogies_scores", "analogies_embeddings", "analogies_supervised", "analogies_encoder"} & set(jobs)


def test_other_classifiers_score_nothing(study):
    study.configure(analogies={**study.config["analogies"], "supervised": {"seeds": [2], "epochs": 3, "hidden": [4]}})
    trained = {"analogies_supervised": 4, "analogies_metrics": 4}
    assert study.scheduled() == trained | AGGREGATES


def test_another_template_embeds_and_scores_every_model_but_no_baseline(study):
    study.configure(analogies={**study.config["analogies"], "template": "{h1} is to {t1} what {h2} is to {t2}"})
    jobs = study.scheduled()
    assert (jobs["analogies_scores"], jobs["analogies_embeddings"], jobs["analogies_supervised"]) == (2, 2, 2)
    assert not {"analogies_instances", "analogies_static", "analogies_encoder", "analogies_cosines"} & set(jobs)


def test_a_changed_file_of_bats_is_noticed(study):
    file = study.folder / "data/bats/nested/E01 [country - capital].txt"
    file.write_text(file.read_text().replace("peru", "france"))
    assert study.scheduled()["analogies_instances"] == 1


def test_without_bats_one_sentence_says_so_and_the_other_studies_go_on(study):
    relations = toy.make(study.folder.with_name("relations"))
    relations.configure(analogies={}, resources={**relations.config["resources"], "bats": {"path": "data/bats"}})
    done = relations.snakemake("results/report.html")
    assert done.returncode == 0, done.stderr
    sentence = (
        "The study analogies is left out, as resources.bats.path names data/bats, which does not exist: get BATS 3.0"
    )
    assert sentence in done.stderr
    assert sentence in (relations.folder / "results/report.html").read_text()
    assert not (relations.folder / "results/analogies").exists()


def test_without_bats_and_any_other_study_nothing_runs(study):
    study.configure(resources={})
    done = study.snakemake()
    assert done.returncode == 1
    assert (
        "there is no study to run. The study analogies is left out, as the config has no resources.bats" in done.stderr
    )
    assert "Traceback" not in done.stderr
