"""The degrees study of the toy: what a run leaves, and what its ratings are."""

import numpy as np
import peft
import polars as pl
import pyarrow.parquet as pq
import pytest
import torch
import yaml
from relprobe.studies.analogies.relations import TEMPLATE as ANALOGIES_TEMPLATE
from relprobe.studies.degrees.relations import template
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.workflow.toy_data import SCHEMAS

RATERS = ["schema", "schema-mean", "analogy", "analogy-mean", "pmi", "hidden"]


def test_a_run_leaves_a_page_with_all_agents_and_figures(finished):
    assert (finished.results / "degrees/report.html").read_text().count("<svg") == 3
    table = finished.table("degrees/tables/overview.csv")
    agents = [f"{model} {rater}" for model in ("tiny-masked", "tiny-causal") for rater in RATERS]
    assert table.filter(pl.col("from") == "this run")["agent"].to_list() == [
        *agents,
        "random",
        "pmi",
        "static",
        "typical",
    ]
    assert table.filter(pl.col("from") == "people")["agent"].to_list() == [
        *("noise ceiling", "half of the people", "one person")
    ]
    assert set(finished.table("degrees/tables/choice.csv")["among"]) == {"tiny-masked", "tiny-causal", "all models"}


def test_the_supplied_ratings_get_the_score_that_follows_from_them(finished):
    # They rise along toy_data.PAIRS. Question 1: least bird:robin (wrong), most night:day (wrong); question 2: least
    # animal:bird (wrong), most robin:bird (wrong).
    metrics = finished.table("degrees/metrics/pmi.parquet")
    assert metrics.filter(metric="maxdiff")["value"].to_list() == [0.0] * 5


def test_a_schema_rating_is_the_log_probability_that_transformers_gives(finished):
    folder = finished.folder / "data/causal"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    net = AutoModelForCausalLM.from_pretrained(folder).eval()
    ratings = finished.table("degrees/ratings/tiny-causal.parquet")
    ids = tokenizer("wall is a part of building", return_tensors="pt").input_ids
    with torch.no_grad():
        logprobs = net(input_ids=ids).logits.log_softmax(-1)[0, :-1].gather(1, ids[0, 1:, None])
    (rating,) = ratings.filter(agent="tiny-causal schema", subcategory="2a", pair="building:wall")["rating"]
    assert rating == pytest.approx(float(logprobs.sum()), abs=1e-4)


def test_a_score_file_says_how_it_was_computed(finished):
    path = finished.results / "degrees/scores/hidden/tiny-masked.parquet"
    assert b'"settings": {"layer": -1}' in pq.read_schema(path).metadata[b"relprobe"]


@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")
def test_an_adapter_is_an_agent_beside_its_model(study):
    """Both share the model's files; other agents keep their scores, and the origins name the adapter."""
    lora = study.folder / "data/lora"
    adapted = peft.get_peft_model(
        AutoModelForCausalLM.from_pretrained(study.folder / "data/causal"),
        peft.LoraConfig(target_modules="all-linear", init_lora_weights=False),
    )
    adapted.save_pretrained(lora)
    study.only("degrees")
    entry = {"model": "tiny-causal", "peft": {"path": "data/lora"}, "studies": ["degrees"]}
    study.configure(models={**study.config["models"], "tiny-lora": entry})
    planned = study.planned()
    assert planned["models_adapter", "model=tiny-lora"] == 1
    assert sorted(name for name in planned if name[0] in ("models_snapshot", "degrees_scores")) == [
        ("degrees_scores", "model=tiny-lora")
    ]
    study.finish("results/degrees/ratings/tiny-lora.parquet")
    ratings = {
        agent: study.table(f"degrees/ratings/{agent}.parquet")["rating"].to_numpy()
        for agent in ("tiny-causal", "tiny-lora")
    }
    assert np.abs(ratings["tiny-causal"] - ratings["tiny-lora"]).max() > 1e-3
    planned = study.snakemake("--dry-run", "--printshellcmds")
    origins = "--adapters resources/fetched/adapters/tiny-lora.json"  # of the step that writes the table of origins
    assert origins in planned.stdout + planned.stderr
    (lora / "adapter_config.json").write_text((lora / "adapter_config.json").read_text() + "\n")
    assert study.scheduled()["models_adapter"] == 1


def test_a_prompt_that_is_missing_is_named_before_any_model_is_asked(study):
    (study.folder / "data/degrees.yaml").write_text(yaml.safe_dump({**SCHEMAS, "4a": "[X] opposes something"}))
    error = study.error("results/degrees/probes.parquet")
    assert "Error: data/degrees.yaml: 4a must be a sentence with one [X] and one [Y]" in error


def test_own_ratings_and_analogies_take_the_place_of_the_published_data(study):
    data = study.folder / "data"
    files = {
        "ratings.csv": template().ratings,
        "own_relations.yaml": template().relations,
        "analogies.csv": ANALOGIES_TEMPLATE,
    }
    for name, text in files.items():
        (data / name).write_text(text)
    kept = {name: entry for name, entry in study.config["resources"].items() if name not in ("semeval2012", "bats")}
    own = {"own_ratings": {"path": "data/ratings.csv"}, "own_analogies": {"path": "data/analogies.csv"}}
    study.configure(resources={**kept, **own})
    study.set("degrees", prompts="data/own_relations.yaml")
    study.finish("results/degrees/gold.parquet", "results/analogies/tuples.parquet")
    gold = study.table("degrees/gold.parquet")
    assert dict(gold.select("pair", "rating").iter_rows())["tool:hammer"] == 6.5  # the mean of 7 and 6
    assert set(study.table("analogies/tuples.parquet")["group"]) == {"countries", "adjectives"}
    scheduled = study.scheduled("results/degrees/report.html", "results/analogies/report.html")
    assert (
        scheduled["degrees_control_metrics"] == 3
    )  # random, static and typical; the authors' PMI ratings are of their package
