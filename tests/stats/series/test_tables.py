import itertools
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats import holm, linked_items
from relprobe.stats.families import detectable
from relprobe.stats.schemas import AGAINST_LAST, TRENDS
from relprobe.stats.series.tables import Items, against_last, trends
from scipy.stats import t

RIGHT = Metric("right")
SERIES = {"m": {"m-1": 1, "m-10": 10, "m-100": 100}}


def agent(*values, condition="noun"):
    rows = [("right", condition, f"u{place}", value) for place, value in enumerate(values) if value is not None]
    return pl.DataFrame(rows, schema=UNITS, orient="row")


def checkpoints(*rows):
    """Return the agents of SERIES with these values."""
    return dict(zip(SERIES["m"], [agent(*values) for values in rows], strict=True))


def test_a_slope_is_the_change_from_one_member_to_the_next():
    table = trends(checkpoints([0, 0, 1], [0, 0, 0], [1, 1, 0]), SERIES, [RIGHT])
    assert table.schema == TRENDS
    row = table.row(0, named=True)
    # the slopes of the units are (last - first) / 2: 1/2, 1/2 and -1/2; their mean is 1/6
    assert row["slope"] == pytest.approx(1 / 6)
    assert (row["value_first"], row["value_last"]) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert (row["units"], row["clusters"], row["members"], row["first"], row["last"]) == (3, 3, 3, 1, 100)
    note = "no p: 3 clusters are there, and below 6 signs cannot tell"
    assert (row["series"], row["p"], row["p_holm"], row["note"]) == ("m", None, None, note)


def test_units_that_a_member_lacks_do_not_count():
    table = trends(checkpoints([0, 0, None], [None, 1, 1], [1, 1, 0]), SERIES, [RIGHT])
    assert table.select("slope", "units", "value_first").row(0) == (0.5, 1, 0.0)


def test_the_prompts_of_an_item_are_averaged_and_items_of_a_cluster_are_one_observation():
    schema = {"metric": pl.String, "relation": pl.String, "cluster": pl.String, "unit": pl.String, "prompt": pl.String}
    metric = Metric("right", unit=("unit", "prompt"), item=("unit",), cluster=("cluster",), clusters="families")

    def table(*values):
        units = [("f", "a", "p"), ("f", "a", "q"), ("f", "b", "p"), ("g", "c", "p")]
        rows = [("right", "HYP", *unit, value) for unit, value in zip(units, values, strict=True)]
        return pl.DataFrame(rows, schema={**schema, "value": pl.Float64}, orient="row")

    agents = {"one": table(0, 0, 0, 0), "two": table(1, 0, 1, 1)}
    row = trends(agents, {"s": {"one": 0, "two": 1}}, [metric], ["relation"], over="relation").row(0, named=True)
    assert row["slope"] == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert (row["units"], row["clusters"], row["p"]) == (4, 2, None)


def test_p_rests_on_the_sums_of_six_clusters_or_more():
    for clusters in (5, 6):
        agents = checkpoints([0] * clusters, [0] * (clusters - 1) + [1], [1] * clusters)
        row, against = trends(agents, SERIES, [RIGHT]).row(0, named=True), against_last(agents, SERIES, [RIGHT])
        assert row["p"] == (2 / 2**6 if clusters == 6 else None)
        assert against["p_max_t"].null_count() == against["p"].null_count() == (0 if clusters == 6 else 2)
        assert ("no p" in (row["note"] or "")) == (clusters == 5)


def test_p_is_adjusted_for_the_number_of_relations_that_can_be_tested():
    def table(rising):
        rows = [
            ("right", relation, f"u{place}", float(rising and place < right))
            for relation, units, right in (("HYP", 6, 6), ("ANT", 6, 5), ("SYN", 3, 3))
            for place in range(units)
        ]
        schema = {"metric": pl.String, "relation": pl.String, "unit": pl.String, "value": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    values = {"a": table(False), "b": table(True), "c": table(False), "d": table(True)}
    series = {"m": {"a": 1, "b": 2}, "n": {"c": 1, "d": 2}}
    found = trends(values, series, [RIGHT], ["relation"], over="relation").filter(series="m")
    numbers = {row["relation"]: (row["p"], row["p_holm"]) for row in found.iter_rows(named=True)}
    # two relations have six clusters: the third and the other series do not count
    assert numbers == {"HYP": (2 / 2**6, 4 / 2**6), "ANT": (2 / 2**5, 4 / 2**6), "SYN": (None, None)}
    with pytest.raises(ValueError, match="no group"):
        trends(values, series, [RIGHT], ["relation"])


def test_members_are_compared_with_the_last_and_p_knows_how_alike_they_are():
    values = checkpoints([0] * 6, [0] * 6, [1] * 6)
    table = against_last(values, SERIES, [RIGHT])
    assert table.schema == AGAINST_LAST
    assert table.select("agent", "place", "last", "value", "value_last", "difference").rows() == [
        ("m-1", 1.0, "m-100", 0.0, 1.0, -1.0),
        ("m-10", 10.0, "m-100", 0.0, 1.0, -1.0),
    ]
    assert table["p"].to_list() == table["p_max_t"].to_list() == [2 / 2**6] * 2
    other = against_last(checkpoints([0] * 6, [1, 0, 1, 0, 1, 0], [1, 1, 1, 1, 1, 0]), SERIES, [RIGHT])
    # -1 in five units; 0, -1, 0, -1, 0, 0. T is √5 and √2; one pattern in 16 has √5; half of the patterns have √2
    assert other["p_max_t"].to_list() == [2 / 2**5, 1 / 2]


def test_a_member_without_values_is_named():
    values = checkpoints([0, 1], [None, None], [1, 1])
    for table in (trends(values, SERIES, [RIGHT]), against_last(values, SERIES, [RIGHT])):
        assert set(table["note"]) == {"m-10 has no value"}
        assert table.select(pl.col("p", "low", "value_last").is_null().all()).row(0) == (True, True, True)
    values = checkpoints([0, None], [None, 1], [1, 1])
    assert trends(values, SERIES, [RIGHT])["note"].item() == "no unit in common to all members of the series"


def test_a_metric_without_a_test_has_no_trend():
    assert trends(checkpoints([0], [1], [1]), SERIES, [Metric("right", test=None)]).schema == TRENDS
    assert trends(checkpoints([0], [1], [1]), SERIES, [Metric("right", test=None)]).is_empty()


def test_the_order_of_members_turned_round_turns_the_slope():
    rows = [[0, 0.2, 1], [0.5, 0.1, 0], [1, 0.9, 0.4]]
    slopes = {}
    for order in itertools.permutations(rows):
        slopes[tuple(map(tuple, order))] = trends(checkpoints(*order), SERIES, [RIGHT])["slope"].item()
    for order, slope in slopes.items():
        assert slopes[order[::-1]] == pytest.approx(-slope)


def test_a_trend_knows_which_items_are_linked():
    generator = np.random.default_rng(2)
    values = {
        f"m-{step}": pl.DataFrame(
            [("right", "noun", f"u{i}", v) for i, v in enumerate(generator.random(12).repeat(4))],
            schema=UNITS,
            orient="row",
        ).with_columns(pl.col("value") + step / 5)
        for step in (1, 2, 3)
    }
    links = {"families": pl.DataFrame({"unit": [f"u{i}" for i in range(48)], "link": [str(i // 4) for i in range(48)]})}
    linked = replace(RIGHT, links=("families",))
    series = {"m": {"m-1": 1, "m-2": 2, "m-3": 3}}
    for function in (trends, against_last):
        plain, others = (function(values, series, [metric], links=links) for metric in (RIGHT, linked))
        assert (set(plain["effective_n"]), set(others["effective_n"])) == ({48}, {12})
        assert (others["p"] > 2 * plain["p"]).all()
    table = against_last(values, series, [linked], links=links)
    assert table["p_max_t"].to_list() == holm(table["p"].to_list())


def test_what_a_series_leaves_open_has_a_size():
    """It is that of the tests between agents: the error times t of the level, adjusted for the members, and of the power."""
    generator = np.random.default_rng(3)
    values = checkpoints(*generator.random((3, 40)).tolist())
    earlier, middle, last = (values[name]["value"].to_numpy() for name in values)
    for table, differences, tests in (
        (against_last(values, SERIES, [RIGHT]), [earlier - last, middle - last], 2),
        (trends(values, SERIES, [RIGHT]), [(last - earlier) / 2], 1),
    ):
        expected = [detectable(one.std(ddof=1) / np.sqrt(40), 40, tests) for one in differences]
        assert table["detectable"].to_list() == pytest.approx(expected, rel=1e-6)
    few = checkpoints(*generator.random((3, 4)).tolist())
    assert against_last(few, SERIES, [RIGHT])["detectable"].to_list() == [None, None]  # no p, and so no difference


def test_an_interval_over_linked_items_rests_on_those_that_are_there_and_their_links():
    """Three pairs of items, and one that a member lacks. The last member is 0, 2 and 4 ahead: V = 4² + 0 + 4², n_eff = 3."""
    values = np.array([[1, 1], [1, 1], [np.nan, np.nan], [1, 3], [1, 3], [2, 6], [2, 6]])
    there = values[~np.isnan(values[:, 0])]
    pairs = linked_items(np.arange(6), np.repeat(np.arange(3), 2), 6)
    items = Items(values, there, np.ones((6, 1)), there.mean(axis=0), pairs, 6, "")
    ahead, behind = items.intervals(np.array([[-1.0, 1.0], [1.0, -1.0]]))
    half = t.ppf(0.975, 2) * np.sqrt(32 * 3 / 2) / 6
    assert (ahead.n, ahead.low, ahead.high) == (6, pytest.approx(2 - half), pytest.approx(2 + half))
    assert (behind.low, behind.high) == (pytest.approx(-2 - half), pytest.approx(-2 + half))
    assert (items.clusters, items.effective_n, items.independent) == (6, 3.0, 3.0)
    assert replace(items, links=None).independent == 6.0
