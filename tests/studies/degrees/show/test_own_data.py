"""Ratings of one's own pass through all steps of the study."""

import polars as pl
from relprobe.core.analyses import take
from relprobe.report.agent_styles import FigureSettings
from relprobe.studies.degrees.agents import agent_metrics
from relprobe.studies.degrees.baselines import baseline
from relprobe.studies.degrees.ceiling import ceiling
from relprobe.studies.degrees.probes import items
from relprobe.studies.degrees.relations import read_own, template
from relprobe.studies.degrees.results import Results
from relprobe.studies.degrees.show import show
from relprobe.studies.degrees.tables import TABLES

from tests.studies.degrees.ask.test_own_data import files
from tests.studies.degrees.compare.test_analyses import agent_tests, averages

TASK_TABLES = {"maxdiff_answers", "orders", "sent"}
"""The tables of agents that answer MaxDiff questions, which own ratings do not have."""


def test_own_ratings_pass_through_all_steps(tmp_path):
    """From the files to tables without the paper's figures; the gold ratings are the means of the raters."""
    relations = read_own(*files(tmp_path, *template()))
    gold, questions = items(relations)
    assert dict(gold.select("pair", "rating").iter_rows()) == {
        "tool:hammer": 6.5,
        "seat:chair": 5.5,
        "food:apple": 2.5,
        "hammer:tool": 1.0,
    }
    assert questions.is_empty()
    ratings = baseline(relations, agent="random", seed=1)
    ratings = pl.concat([ratings.with_columns(agent=pl.lit("one schema")), ratings])
    _, metrics, by_agent = agent_metrics(ratings, gold, questions, seed=1)
    (tmp_path / "sensitivity").mkdir()
    by_agent["sensitivity"].write_parquet(tmp_path / "sensitivity/one.parquet")
    run = Results(
        averages=averages([metrics]),
        gold=gold,
        ceiling=ceiling(relations, seed=1),
        questions=questions,
        ratings=[ratings],
        metrics=[metrics],
        tests=agent_tests([metrics]),
        by_agent=[tmp_path / "sensitivity/one.parquet"],
    )
    names = {*TABLES, *(name for tables in take("degrees", "TABLES").values() for name in tables)} - TASK_TABLES
    shown, drawn = show(run, FigureSettings(["rho", "classes"], {"one": "causal"}), table_names=sorted(names))
    assert shown.keys() == names
    assert shown["overview"]["from"].to_list() == ["this run", "this run", "people", "people", "people"]
    rho = shown["overview"].filter(agent="random")["rho"].item()
    assert rho == metrics.filter(metric="rho", agent="random")["value"].item()
    assert [name for name, _ in drawn] == ["rho", "classes"]
    assert shown["published"].is_empty()
