"""The relations study as a user runs it: to the end, again, with one more model, with an edited metric, with mistakes."""

import os
import shutil
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer

from tests.workflow import toy

OF_METRICS = {
    "relations_summary": 1,
    "relations_tests": 1,
    "relations_comparisons": 1,
    "relations_tables": 1,
    "relations_sensitivity": 1,
    "relations_top_words": 1,
    "relations_figures": 1,
    "relations_comparison_figures": 1,
    "relations_published": 1,
    "relations_report": 1,
    "report": 1,
}
AGGREGATES = OF_METRICS | {"relations_coverage": 1}
CHAIN = {"snapshot": 1, "lexicon": 1, "relations_scores": 1, "relations_metrics": 1}


def test_a_run_leaves_the_report_and_everything_it_stands_on(finished):
    results = finished.folder / "results"
    index = (results / "report.html").read_text()
    assert 'href="relations/report.html"' in index
    assert 'href="published.html"' in index
    assert "Table F4" in (results / "published.html").read_text()
    page = (results / "relations/report.html").read_text()
    assert page.count("<svg") == 19
    assert "tiny-causal" in page
    assert "http://" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )
    summary = pl.read_parquet(results / "relations/summary.parquet")
    assert set(summary["agent"]) == {"humans", "tiny-masked", "tiny-causal"}
    assert set(summary["metric"]) == {
        *("soundness", "completeness", "symmetry", "asymmetry", "prototypicality", "distinguishability", "audc"),
        *("first_related", "unrelated"),
    }
    assert not list(results.rglob("*.partial"))


def test_the_humans_get_what_their_answers_say(finished):
    summary = pl.read_parquet(finished.folder / "results/relations/summary.parquet").filter(agent="humans")
    value = {
        (metric, relation, k): v for metric, relation, k, v in summary.select("metric", "relation", "k", "value").rows()
    }
    assert value["soundness", "ANT", None] == 1
    assert value["soundness", "HYP", None] == 1
    assert value["symmetry", "ANT", 1] == 1
    assert value["prototypicality", "ANT", None] == 1
    assert not any(metric == "asymmetry" for metric, _, _ in value)


@pytest.mark.parametrize("name", ["tiny-masked", "tiny-causal"])
def test_stored_scores_equal_a_plain_forward_of_transformers(finished, name):
    folder = finished.folder / "data" / name.removeprefix("tiny-")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    masked = name == "tiny-masked"
    net = (AutoModelForMaskedLM if masked else AutoModelForCausalLM).from_pretrained(folder).eval()
    probes = pl.read_parquet(finished.folder / "results/relations/probes.parquet")
    scores = pq.read_table(finished.folder / f"results/relations/scores/{name}.parquet").to_pylist()
    texts = dict(probes.select("probe_id", "variants").iter_rows())
    assert len(scores) == probes.height
    for row in scores:
        p = torch.zeros(net.config.vocab_size)
        for variant in texts[row["probe_id"]]:
            text = variant["text"].replace("[V]", "[MASK]") if masked else variant["text"].removesuffix(" [V]")
            ids = tokenizer(text, return_tensors="pt").input_ids
            place = int((ids[0] == tokenizer.mask_token_id).nonzero()) if masked else -1
            with torch.no_grad():
                p += variant["weight"] * net(input_ids=ids).logits[0, place].softmax(-1)
        best = p.log().topk(5)
        assert torch.allclose(best.values, torch.tensor(row["logprobs"][:5]), atol=1e-4)
        assert row["token_ids"][:5] == best.indices.tolist()
        assert row["tokens"][:5] == tokenizer.convert_ids_to_tokens(best.indices.tolist())


def test_a_second_run_does_nothing(finished):
    assert finished.scheduled() == {}


def test_touched_and_checked_out_files_run_nothing(study):
    for path in [*study.folder.glob("workflow/**/*"), study.folder / "config.yaml", *study.folder.glob("data/**/*")]:
        os.utime(path)
    assert study.scheduled() == {}


def test_one_more_model_runs_its_own_chain_and_the_aggregates(study):
    study.add_model()
    assert study.scheduled() == CHAIN | AGGREGATES


def test_a_smaller_panel_scores_nothing(study):
    study.configure(lexicon={"panel": ["tiny-masked"]})
    shared = {"shared_lexicon": 1, "relations_relata": 1, "relations_metrics": 3}
    assert study.scheduled() == shared | AGGREGATES


def test_an_edited_metric_scores_nothing(study):
    study.edit("relprobe/relations/metrics.py")
    assert study.scheduled() == {"relations_metrics": 3} | OF_METRICS


def test_an_edited_scoring_engine_scores_every_model(study):
    study.edit("relprobe/lm/scoring.py")
    jobs = study.scheduled()
    assert jobs["relations_scores"] == 2
    assert "snapshot" not in jobs
    assert "relations_human_responses" not in jobs


def test_an_edited_figure_draws_and_reports(study):
    study.edit("relprobe/relations/figures.py")
    drawn = {"relations_entropy": 1, "relations_figures": 1, "relations_published": 1}  # Table 3 is made with Figure 2
    assert study.scheduled() == drawn | {"relations_report": 1, "report": 1}


def test_a_changed_model_runs_its_chain(study):
    toy.causal_model(study.folder / "data/causal", seed=9)
    assert (
        study.scheduled() == CHAIN | {"shared_lexicon": 1, "relations_relata": 1, "relations_metrics": 3} | AGGREGATES
    )


def test_a_changed_revision_runs_that_models_chain(study):
    """The revision is a parameter of the snapshot alone; a model outside the panel touches nobody else."""
    models = study.config["models"]
    study.configure(lexicon={"panel": ["tiny-masked"]})
    assert study.snakemake("--quiet", "all").returncode == 0
    study.configure(models={**models, "tiny-causal": {"type": "causal", "path": str(study.folder / "data/causal")}})
    assert study.scheduled() == CHAIN | AGGREGATES


def test_a_model_can_be_an_agent_twice_with_and_without_examples(study):
    models = study.config["models"]
    examples = "- a wall is a part of a building; a day isn't a night"
    study.configure(models={**models, "few-shot": {**models["tiny-causal"], "context": examples}})
    assert study.snakemake("results/relations/scores/few-shot.parquet", "--quiet", "all").returncode == 0
    zero, few = (
        pq.read_table(study.folder / f"results/relations/scores/{name}.parquet") for name in ("tiny-causal", "few-shot")
    )
    assert zero["probe_id"] == few["probe_id"]
    assert zero["logprobs"] != few["logprobs"]


def test_how_to_compute_is_not_what_to_compute(study):
    study.configure(scoring={"device": "cpu", "batch_tokens": 64, "compile": True})
    assert study.scheduled() == {}


@pytest.mark.parametrize("how", [{"batch_tokens": 7}, {"compile": True}], ids=str)
def test_results_do_not_depend_on_how_they_are_computed(how, study, finished):
    study.configure(scoring=how)
    scores = "results/relations/scores/tiny-causal.parquet"
    assert study.snakemake("--force", scores).returncode == 0
    before, after = (pq.read_table(s.folder / scores).to_pylist() for s in (finished, study))
    for a, b in zip(before, after, strict=True):
        assert a["probe_id"] == b["probe_id"]
        assert a["logprobs"] == pytest.approx(b["logprobs"], abs=1e-4)


def test_fifty_models_are_planned_in_seconds(study):
    models = study.config["models"]
    many = {f"model-{i}": {"type": "causal", "path": "data/causal"} for i in range(50)}
    study.configure(models={**models, **many})
    jobs = study.scheduled()
    assert jobs["relations_scores"] == 50
    assert jobs["relations_tests"] == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"modles": {}}, "unknown key 'modles' in the configuration: did you mean 'models'?"),
        ({"models": {"a": {"type": "causal"}}}, "models.a has no source"),
        ({"models": {"a; rm -rf": {"type": "causal", "path": "data/causal"}}}, "'a; rm -rf'"),
        ({"models": {"a": {"type": "causal", "path": "data/nowhere"}}}, "models.a.path names data/nowhere"),
        ({"lexicon": {"panel": ["gpt5"]}}, "lexicon.panel names 'gpt5'"),
    ],
)
def test_a_wrong_config_ends_in_one_sentence_before_any_job(study, change, sentence):
    study.configure(**change)
    done = study.snakemake()
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert "Job stats" not in done.stderr


def test_a_wrong_hash_ends_in_one_sentence_and_leaves_nothing(study):
    resources = study.config["resources"]
    resources["own_tuples"]["sha256"] = "0" * 64
    study.configure(resources=resources)
    done = study.snakemake()
    assert done.returncode == 1
    assert "Error: resources.own_tuples: data/tuples.csv has the sha256" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (study.folder / "resources/fetched/own_tuples.json").exists()


def test_a_machine_without_network_says_what_to_do(study):
    models = study.config["models"]
    far = {"type": "causal", "huggingface": "org/model", "revision": "main"}
    study.configure(models={**models, "far": far})
    done = study.snakemake("results/lexicons/far.parquet")
    assert done.returncode == 1
    assert "models.far: org/model cannot be fetched from Hugging Face" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_copy_is_independent(study, finished):
    """The fixtures above rely on it."""
    assert Path(study.folder) != finished.folder
    shutil.rmtree(study.folder / "results")
    assert (finished.folder / "results").exists()
