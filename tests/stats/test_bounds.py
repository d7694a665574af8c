"""No interval and no difference that a test finds is larger than what the metric can have, in any study."""

import numpy as np
import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.study import study_of
from relprobe.core.unit_schemas import UNITS
from relprobe.report.words.summary import adjusted_interval, with_span
from relprobe.stats import ALL_VALUES
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import beyond_controls
from relprobe.stats.families import detectable
from relprobe.stats.pooled import pooled_tests
from relprobe.stats.series.tables import against_last, trends
from relprobe.studies import studies_with

SPANS = {"ap": (0, 1), "rho": (-1, 1), "maxdiff": (0, 100)}
METRICS = [Metric(name, bounds=bounds, links=("links",)) for name, bounds in SPANS.items()]
ENDS = {metric.name: metric for metric in METRICS}
KINDS = {"m": "model", "n": "model", "frequency": "control"}


def agent(seed, units=4):
    """Values of four items a condition, so far apart that t of few degrees makes their intervals wide."""
    draws = np.random.default_rng(seed).random((len(METRICS), 2, units)).round() * 0.8 + 0.2 * np.random.default_rng(
        seed + 9
    ).random((len(METRICS), 2, units))
    rows = [
        (metric.name, condition, f"{condition}{number}", least + draw * (greatest - least))
        for metric, metric_draws in zip(METRICS, draws, strict=True)
        for least, greatest in [metric.ends]
        for condition, condition_draws in zip(("noun", "verb"), metric_draws, strict=True)
        for number, draw in enumerate(condition_draws)
    ]
    return pl.DataFrame(rows, schema=UNITS, orient="row")


def linked(names, units=4):
    """The first two items of a condition have a link in common."""
    rows = [(condition, f"{condition}{number}", str(max(number, 1))) for condition in names for number in range(units)]
    return {"links": pl.DataFrame(rows, schema=["condition", "unit", "link"], orient="row")}


VALUES = {name: agent(seed) for seed, name in enumerate(KINDS)}
LINKS = linked(("noun", "verb"))


def beyond(table, columns, factor=1.0):
    """The rows of a table with a number beyond what its metric can have."""
    span = pl.col("metric").replace_strict({name: metric.span * factor for name, metric in ENDS.items()})
    return table.filter(pl.any_horizontal(pl.col(name).abs() > span + 1e-9 for name in columns))


def test_no_interval_of_a_difference_goes_beyond_the_values_that_can_be():
    tests = paired_tests(VALUES, METRICS, kinds=KINDS, links=LINKS)
    pooled = pl.concat([pooled_tests(VALUES, metric, kinds=KINDS, links=LINKS) for metric in METRICS])
    for table in (tests, pooled):
        assert beyond(table, ["low", "high", "detectable", "detectable_all", "room"]).is_empty()
    covering = tests.filter(pl.col("note").str.contains(ALL_VALUES))
    spans = covering.select(pl.col("metric").replace_strict({name: one.span for name, one in ENDS.items()}))["metric"]
    assert covering.height > 0
    assert covering["low"].to_list() == [-span for span in spans]
    assert covering["high"].to_list() == spans.to_list()


def test_an_average_ends_where_the_metric_does_and_says_if_its_interval_says_nothing():
    table = averages(VALUES, METRICS, links=LINKS)
    for name, least, greatest in ((name, *metric.ends) for name, metric in ENDS.items()):
        rows = table.filter(metric=name).drop_nulls("low")
        assert rows.height > 0
        assert (rows["low"].min(), rows["high"].max()) == (least, greatest)
        whole = rows.filter(pl.col("low") == least, pl.col("high") == greatest)
        assert set(whole["note"]) <= {ALL_VALUES}


def test_a_slope_is_at_most_that_of_a_step_from_one_end_to_the_other():
    """The line through 0, 0, 1 and 1 rises by 0.4 a member, and no line through four values from 0 to 1 rises more."""
    values = {f"m-{number}": agent(number) for number in range(4)}
    series = {"m": {name: float(number) for number, name in enumerate(values, 1)}}
    table = trends(values, series, METRICS, links=LINKS)
    assert table.drop_nulls("low").height > 0
    assert beyond(table, ["low", "high", "detectable"], 0.4).is_empty()
    last = against_last(values, series, METRICS, links=LINKS)
    assert last.drop_nulls("low").height > 0
    assert beyond(last, ["low", "high", "detectable"]).is_empty()


def test_an_adjusted_interval_of_a_page_ends_there_too_or_is_none():
    row = {"metric": "ap", "difference": 0.5, "low": 0.1, "high": 0.9, "error": 0.3, "freedom": 1e6}
    row |= {"p": 0.01, "p_holm_all": 0.04}
    table = with_span(pl.DataFrame([row, {**row, "error": 3.0}]), METRICS)
    (low, high), none = map(adjusted_interval, table.to_dicts())
    assert low == pytest.approx(0.5 - 2.4977 * 0.3, abs=1e-3)
    assert (high, none) == (1, None)
    controls = with_span(
        beyond_controls(paired_tests(VALUES, METRICS, kinds=KINDS, links=LINKS), ["frequency"]), METRICS
    )
    intervals = [adjusted_interval(row) for row in controls.to_dicts()]
    assert all(
        interval is None or max(map(abs, interval)) <= row["span"]
        for interval, row in zip(intervals, controls.to_dicts(), strict=True)
    )


def test_a_difference_that_cannot_be_is_not_said_to_be_found():
    assert detectable(61.0, 1e6, 1, room=1.3) is None
    assert detectable(0.1, 1e6, 1, room=1.3) == detectable(0.1, 1e6, 1)


@pytest.mark.parametrize("name", list(studies_with(lambda _: True)))
def test_every_metric_with_a_test_declares_where_its_values_end(name):
    tested = [metric for metric in study_of(name).metrics() if metric.test]
    assert [metric.name for metric in tested if not np.isfinite(metric.span)] == []
