"""`snakemake export`: the forms of others, of all studies of the toy."""

import json

import polars as pl
import yaml


def test_norms_of_people_are_agents(study):
    """Whoever names the relatum of every target first is sound."""
    relata = study.table("relations/relata.parquet").filter(relation="HYP")
    rows = [f"{target},{relatum},NA,NA" for target, relatum in relata.select("target", "relatum").iter_rows()]
    (study.folder / "data/swow.csv").write_text("\n".join(["cue,R1,R2,R3", *rows]) + "\n")
    features = [f"{target}\ta_{relatum}\t9" for target, relatum in relata.select("target", "relatum").iter_rows()]
    (study.folder / "data/mcrae.txt").write_text("\n".join(["Concept\tFeature\tProd_Freq", *features]) + "\n")
    norms = {"associations": {"path": "data/swow.csv"}, "feature_norms": {"path": "data/mcrae.txt"}}
    study.configure(resources={**study.config["resources"], **norms})
    averages = study.finish("results/relations/averages.parquet").table("relations/averages.parquet")
    sound = averages.filter(pl.col("agent").is_in(list(norms)), metric="soundness", relation="HYP")
    assert sound["value"].to_list() == [1.0, 1.0]
    other = averages.filter(agent="feature_norms", metric="soundness")
    assert set(other.filter(pl.col("units") > 0)["relation"].drop_nulls()) == {"HYP"}


def agent_of(record):
    return record["evaluation_results"][0]["generation_config"]["additional_details"]["agent"]


def test_every_study_is_exported(study):
    done = study.finish("export")
    folder = done.results / "export"
    records = [json.loads(path.read_text()) for path in folder.glob("every_eval_ever/*/data/*/*/*/*.json")]
    names = {(record["evaluation_id"].split("/")[0], agent_of(record)) for record in records}
    assert {("relprobe-relations", "tiny-causal"), ("relprobe-degrees", "tiny-masked schema")} <= names
    assert {record["model_info"]["name"] for record in records} >= {"tiny-masked", "tiny-causal"}
    counted = {agent_of(record) for record in records if "detailed_evaluation_results" in record}
    assert counted == {"tiny-masked", "tiny-causal", "tiny-few"}  # the lists of tiny-list cannot be read
    values = done.table("relations/averages.parquet").filter(agent="tiny-causal", metric="soundness", relation="HYP")
    own = [one for one in records if one["evaluation_id"].startswith("relprobe-relations/local/tiny-causal/")]
    (record,) = [one for one in own if agent_of(one) == "tiny-causal"]
    scores = {one["evaluation_result_id"]: one["score_details"]["score"] for one in record["evaluation_results"]}
    assert scores["relations/soundness/relation=HYP"] == values["value"].item()
    head = yaml.safe_load((folder / "dataset/relations/README.md").read_text().split("---")[1])
    assert "metrics" in {entry["config_name"] for entry in head["configs"]}
    assert "tiny-causal" in set(pl.read_parquet(folder / "dataset/relations/data/metrics/*.parquet")["agent"])
    assert pl.read_csv(folder / "lm_eval/candidates.csv")["right"].sum() > 0
    assert done.scheduled("export") == {}
