"""`snakemake export`: the forms of others, of all studies of the toy."""

import json

import polars as pl
import yaml


def test_every_study_is_exported(study):
    done = study.finish("export")
    folder = done.results / "export"
    records = [json.loads(path.read_text()) for path in folder.glob("every_eval_ever/*/data/*/*/*/*.json")]
    names = {(record["evaluation_id"].split("/")[0], record["model_info"]["name"]) for record in records}
    assert {("relprobe-relations", "tiny-causal"), ("relprobe-degrees", "tiny-masked")} <= names
    counted = {record["model_info"]["name"] for record in records if "detailed_evaluation_results" in record}
    assert counted == {"tiny-masked", "tiny-causal", "tiny-few", "tiny-list"}
    values = done.table("relations/averages.parquet").filter(agent="tiny-causal", metric="soundness", relation="HYP")
    (record,) = [one for one in records if one["evaluation_id"].startswith("relprobe-relations/local/tiny-causal/")]
    scores = {one["evaluation_result_id"]: one["score_details"]["score"] for one in record["evaluation_results"]}
    assert scores["relations/soundness/relation=HYP"] == values["value"].item()
    head = yaml.safe_load((folder / "dataset/relations/README.md").read_text().split("---")[1])
    assert "metrics" in {entry["config_name"] for entry in head["configs"]}
    assert "tiny-causal" in set(pl.read_parquet(folder / "dataset/relations/data/metrics/*.parquet")["agent"])
    assert pl.read_csv(folder / "lm_eval/candidates.csv")["right"].sum() > 0
    assert done.scheduled("export") == {}
