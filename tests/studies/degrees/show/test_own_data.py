"""Ratings of one's own pass through all steps of the study."""

import polars as pl
from relprobe.studies.degrees.compare import averages, ceiling, comparisons, published_figures
from relprobe.studies.degrees.data import own, people, template
from relprobe.studies.degrees.figures import figures
from relprobe.studies.degrees.measure import baseline
from relprobe.studies.degrees.sensitivity import agent_metrics
from relprobe.studies.degrees.tables import tables

from tests.studies.degrees.data.test_own_data import files

TABLES = (
    *("overview", "choice", "classes", "reversals", "difficulty", "spread"),
    *("ceiling", "tests", "controls", "data", "subcategories", "differences", "sensitivity"),
)


def test_own_ratings_pass_through_all_steps(tmp_path):
    """From the files to tables without the paper's figures; the gold ratings are the means of the raters."""
    relations = own(*files(tmp_path, *template()))
    gold, questions = people(relations)
    assert dict(gold.select("pair", "rating").iter_rows()) == {
        "tool:hammer": 6.5,
        "seat:chair": 5.5,
        "food:apple": 2.5,
        "hammer:tool": 1.0,
    }
    assert questions.is_empty()
    agreement = ceiling(relations, seed=1)
    ratings = baseline(relations, agent="random", seed=1)
    ratings = pl.concat([ratings.with_columns(agent=pl.lit("one schema")), ratings])
    _, metrics, sensitivity = agent_metrics(ratings, gold, questions, seed=1)
    means = averages([metrics])
    results = tables([metrics], means, comparisons([metrics]), gold, questions, agreement, [sensitivity])
    assert set(results) == set(TABLES)
    assert results["overview"]["from"].to_list() == ["this run", "this run", "people", "people", "people"]
    rho = results["overview"].filter(agent="random")["rho"].item()
    assert rho == metrics.filter(metric="rho", agent="random")["value"].item()
    assert [name for name, _ in figures(means, gold, agreement, kinds={"one": "causal"})] == ["rho", "classes"]
    assert published_figures(
        *(means, results["data"], results["difficulty"], results["spread"]), inference="clusters"
    ).is_empty()
