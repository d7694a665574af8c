"""Tests and contrasts: what is one observation, and which tests there are."""

import numpy as np
import polars as pl
import pytest
from relprobe.sources.systematicity import ITEMS
from relprobe.stats.averages import averages
from relprobe.stats.schemas import TESTS
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.systematicity.compare import contrasts
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import detection_values
from relprobe.studies.systematicity.schemas import METRICS, OWN_CONTRASTS

from tests.studies.systematicity.measure.test_metrics import DETECTED, MASKED, measured, units


def test_every_metric_is_tested_and_the_paper_columns_have_the_simple_tests():
    metrics = pl.concat([measured(MASKED), detection_values(DETECTED)])
    found = AgentComparison([]).tests({"a": metrics, "b": metrics}, MEASURES)
    assert found.schema == TESTS
    assert set(found["metric"]) == set(metrics["metric"])
    is_detection = pl.col("metric").str.starts_with("detection")
    assert set(found.filter(~is_detection)["paper_test"]) == {"McNemar"}
    assert set(found.filter(is_detection)["paper_test"]) == {"Wilcoxon"}


NINE = ["bird", "fish", "tool", "tree", "insect", "vegetable", "vehicle", "flower", "building"]


def liked(items, categories):
    """The values in the singular of an agent that is right for all hyponyms of some categories (METRICS)."""
    right = pl.col("category").is_in(categories).cast(pl.Float64)
    about = {"condition": "set", "unit": "hyponym", "cluster": "category"}
    return items.select(metric=pl.lit("singular"), **about, value=right).cast(METRICS)


def pair_rows(metric, condition, **values_by_category):
    """The values of pairs, by category."""
    rows = [
        (metric, condition, f"1:{category}{i}:x", category, float(value))
        for category, pair_values in values_by_category.items()
        for i, value in enumerate(pair_values)
    ]
    return pl.DataFrame(rows, schema=METRICS, orient="row")


def test_a_category_is_one_observation_of_the_classifier():
    a = pair_rows("detection", "seen", bird=[1] * 8, fish=[1] * 4, tool=[0] * 2, tree=[1])
    row = AgentComparison(["b"]).tests({"a": a, "b": a.with_columns(value=0.5)}, MEASURES).row(0, named=True)
    assert (row["units"], row["clusters"], row["discordant"], row["family"]) == (15, 4, 15, "controls")
    assert row["difference"] == pytest.approx((8 + 4 - 2 + 1) / 2 / 15)
    # The sums are 8, 4, -2 and 1 halves: of the 16 patterns of signs 15, 13, 11 and their negatives are as far as 11 halves.
    assert row["p"] == pytest.approx(6 / 16)
    mean = averages({"a": a}, MEASURES).row(0, named=True)
    assert (mean["value"], mean["units"], mean["clusters"]) == (pytest.approx(13 / 15), 15, 4)


def test_the_hyponyms_of_a_category_are_one_observation():
    """One agent likes to say bird, fish, tool, tree and insect, and is right for all of these; the other never is."""
    rows = [("extended", f"{name}{i}", name, "", f"{name}s", None, None, None) for name in NINE for i in range(6)]
    items = pl.DataFrame(rows, schema=ITEMS, orient="row")
    table = liked(items, NINE[:5])
    nothing = table.with_columns(value=0.0)
    row = AgentComparison([]).tests({"a": table, "b": nothing}, MEASURES).row(0, named=True)
    assert (row["units"], row["clusters"], row["discordant"]) == (54, 9, 30)
    assert row["difference"] == pytest.approx(5 / 9)
    assert row["p"] == pytest.approx(2 / 2**5)  # five categories differ, all in one direction
    mean = averages({"a": table}, MEASURES).row(0, named=True)
    assert (mean["units"], mean["clusters"]) == (54, 9)


@pytest.mark.slow("it draws 200 studies")
def test_agents_that_like_other_categories_are_seldom_called_different():
    """Of 200 studies without a difference, 5 % reject; 8.7 % is 5 % and 2.4 standard errors. The sizes are real ones."""
    sizes = dict(zip(NINE, (57, 30, 30, 30, 30, 6, 73, 30, 54), strict=True))
    rows = [("extended", f"{name}{i}", name, "", "", None, None, None) for name, n in sizes.items() for i in range(n)]
    items = pl.DataFrame(rows, schema=ITEMS, orient="row")
    draw = np.random.default_rng(1)
    rejected = 0
    for _ in range(200):
        agents = {name: liked(items, [one for one in NINE if draw.random() < 0.5]) for name in ("a", "b")}
        p = AgentComparison([]).tests(agents, MEASURES)["p"].item()
        rejected += p <= 0.05
    assert rejected <= 17


def test_contrasts_are_those_of_the_paper_within_an_agent():
    kinds = {"m": "model", "majority": "control"}
    numbers = pl.concat([units("singular", a=1, b=1, c=1, d=0), units("plural", a=0, b=0, c=0, e=1)])
    seen = pair_rows("detection", "seen", bird=[1, 1, 1], fish=[1], tool=[1])
    unseen = pair_rows("detection", "unseen", bird=[0], fish=[0.5, 0.5], tool=[0.5])
    partial = pair_rows("detection_partial", "seen", bird=[0.5, 0.5, 0.5], fish=[0.5], tool=[0.5])
    found = contrasts({"m": pl.concat([numbers, seen, unseen, partial]), "majority": numbers}, kinds)
    assert found.schema == OWN_CONTRASTS
    rows = {(row["a"], row["b"]): row for row in found.iter_rows(named=True)}
    assert rows.keys() == {("singular", "plural"), ("detection", "detection_partial"), ("seen", "unseen")}
    assert set(found["agent"]) == {"m"}
    number = rows["singular", "plural"]
    assert [number[name] for name in ("metric", "condition", "units", "difference", "p")] == [
        "accuracy",
        "extended",
        3,
        1,
        1 / 4,
    ]
    setting = rows["seen", "unseen"]  # the means of the categories: 1 - 0, 1 - 1/2, 1 - 1/2
    assert [setting[name] for name in ("metric", "condition", "units", "clusters")] == ["detection", None, 3, 3]
    assert (setting["difference"], setting["p"]) == (pytest.approx(2 / 3), 1 / 4)
    given = rows["detection", "detection_partial"]
    assert (given["condition"], given["units"], given["clusters"], given["difference"]) == ("seen", 5, 3, 0.5)
