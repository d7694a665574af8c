"""The shares of items in a mean over items and prompts, worked out by hand."""

import numpy as np
import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats import linked_items
from relprobe.stats.averages import averages, crossed_of, crossed_shares, effective_number, wider
from relprobe.stats.crossed import CrossedMean
from relprobe.stats.results import Interval
from relprobe.stats.samples import Sample, samples
from relprobe.stats.schemas import with_groups

NO_VALUE = np.nan


def sample(item_starts, crossed, links=None):
    """A sample of one agent whose items are its clusters; `crossed`: the number of each row's prompt."""
    starts, prompts = np.array(item_starts), np.array(crossed)
    clusters = np.arange(len(starts))
    common = np.ones(len(starts), dtype=bool)
    return Sample({}, ["m"], np.zeros((len(prompts), 1)), starts, clusters, prompts, links, common, len(starts))


THREE = sample([0, 2, 4], [0, 1, 0, 1, 0])
"""Two items that were asked with both prompts, and one that was asked with the first alone."""


def test_an_item_has_the_part_of_its_mean_that_a_prompt_gives_it():
    shares, strata, items = crossed_shares(THREE, np.array([1.0, 0.0, 0.5, 0.3, 0.8]))
    np.testing.assert_allclose(shares, [[0.5, 0.0], [0.25, 0.15], [0.8, NO_VALUE]])
    assert (strata.tolist(), items.tolist()) == ([0, 0], [0, 1, 2])


def test_an_item_without_values_is_left_out_and_a_prompt_that_some_items_lack_stays():
    shares, strata, items = crossed_shares(THREE, np.array([1.0, 0.0, NO_VALUE, NO_VALUE, 0.8]))
    np.testing.assert_allclose(shares, [[0.5, 0.0], [0.8, NO_VALUE]])
    assert (strata.tolist(), items.tolist()) == ([0, 0], [0, 2])


def test_a_prompt_without_any_value_is_no_column():
    shares, strata, _ = crossed_shares(THREE, np.array([1.0, NO_VALUE, 0.4, NO_VALUE, 0.8]))
    np.testing.assert_allclose(shares, [[1.0], [0.4], [0.8]])
    assert strata.tolist() == [0]


def test_groups_without_a_cut_off_have_their_values():
    rows = {"k": [None, None, 5], "unit": ["a", "b", "a"]}
    first, second = (
        pl.DataFrame({**rows, "value": values}, schema_overrides={"k": pl.UInt16})
        for values in ([0.0, 1.0, 0.5], [0.25, 0.75, 1.0])
    )
    found = samples({"m": first, "n": second}, Metric("symmetry"), ["k"], by_unit=False)
    assert [(one.names, one.values.tolist()) for one in found] == [
        ({"k": None}, [[0.0, 0.25], [1.0, 0.75]]),
        ({"k": 5}, [[0.5, 1.0]]),
    ]


def test_rows_are_units_or_items_with_the_mean_of_their_units():
    """The item a has two units, of which another agent has one."""
    metric = Metric("right", unit=("target", "prompt"), item=("target",))
    rows = {"target": ["a", "a", "b"], "prompt": ["p", "q", "p"]}
    tables = {
        "m": pl.DataFrame({**rows, "value": [1.0, 0.0, 1.0]}),
        "n": pl.DataFrame({**rows, "value": [0.5, None, 0.25]}).drop_nulls(),
    }
    (items,), (units,) = (list(samples(tables, metric, [], by_unit=by_unit)) for by_unit in (False, True))
    assert items.values.tolist() == [[0.5, 0.5], [1.0, 0.25]]
    assert (items.item_starts.tolist(), units.item_starts.tolist()) == ([0, 1], [0, 2])
    np.testing.assert_array_equal(units.values, [[1.0, 0.5], [0.0, np.nan], [1.0, 0.25]])


def test_two_agents_with_common_units_are_compared_unit_by_unit():
    first, second = np.array([1.0, 0.0, 0.5, 0.3, 0.8]), np.array([0.0, 0.4, 0.5, NO_VALUE, 0.2])
    shares, strata, _ = crossed_shares(THREE, first, second)
    np.testing.assert_allclose(shares, [[0.5, -0.2], [0.0, NO_VALUE], [0.6, NO_VALUE]])
    assert strata.tolist() == [0, 0]


def test_of_two_that_share_no_unit_the_second_is_subtracted_and_has_prompts_of_its_own():
    # Items with a value of each: the first has 1 for prompt 0 and 0.4 for prompt 1, the second 0.5 and 0.1.
    two = sample([0, 2], [0, 1, 0, 1])
    first, second = np.array([1.0, NO_VALUE, 0.5, NO_VALUE]), np.array([NO_VALUE, 0.4, NO_VALUE, 0.1])
    shares, strata, items = crossed_shares(two, first, second)
    np.testing.assert_allclose(shares, [[1.0, -0.4], [0.5, -0.1]])
    assert (strata.tolist(), items.tolist()) == ([0, 1], [0, 1])
    mean = crossed_of(two, first, second)
    assert mean is not None
    assert mean.value == pytest.approx((1.0 - 0.4 + 0.5 - 0.1) / 2)


def test_items_that_count_as_one_have_no_such_mean_and_two_have_one():
    values = np.array([1.0, 0.0, 0.5, 0.3])
    alike = linked_items(np.array([0, 1]), np.array([7, 7]), 2)
    assert crossed_of(sample([0, 2], [0, 1, 0, 1], alike), values) is None
    apart = crossed_of(sample([0, 2], [0, 1, 0, 1]), values)
    assert apart is not None
    assert apart.value == pytest.approx((0.5 + 0.4) / 2)
    assert crossed_of(sample([0, 2], [0, 1, 0, 1]), np.full(4, NO_VALUE)) is None


@pytest.mark.parametrize(("sizes", "number"), [([1.0], 1.0), ([3.0, 1.0], 1.6), ([0.0, 0.0], 0.0), ([2.0, 2.0], 2.0)])
def test_items_in_clusters_count_as_kish_says(sizes, number):
    assert effective_number(None, np.array(sizes)) == pytest.approx(number)


@pytest.mark.parametrize("times", [1, 2])
def test_the_items_of_a_study_count_once_whoever_answers_and_however_often_they_are_asked(times):
    rows = [("right", "noun", unit, value) for unit, value in (("robin", 1.0), ("wall", 0.0), ("car", 1.0))]
    some = pl.DataFrame(rows, schema=UNITS, orient="row")
    asked = pl.DataFrame({"unit": ["robin", "wall", "oak", "owl"] * times})
    agents = {"some": some, "all": some.with_columns(value=0.5), "none": some.filter(unit="car")}
    table = averages(agents, [Metric("right")], asked={"right": asked})
    columns = ["agent", "value", "units", "answered", "coverage", "own_units"]
    # two of the four items of the study; the car is none of them
    assert table.select(columns).rows() == [("some", 0.5, 2, 3, 0.5, True), ("all", 0.5, 2, 3, 0.5, True)]
    own = averages(agents, [Metric("right")], asked={"right": asked}, targets="own").select(columns)
    assert own.row(0) == ("some", pytest.approx(2 / 3), 3, 3, 0.5, True)
    assert own.row(2) == ("none", 1.0, 1, 1, 0.0, True)


@pytest.mark.parametrize("share", [False, True])
def test_an_interval_that_is_missing_or_a_mean_that_does_not_vary_changes_nothing(share):
    varied, constant = CrossedMean(0.5, 0.1, 9.0), CrossedMean(0.5, 0.0, 9.0)
    missing, narrow = Interval(1, None, None, "one item"), Interval(10, 0.4, 0.6, None)
    assert wider(missing, varied, share=share) == missing
    assert wider(narrow, constant, share=share) == narrow


def test_an_interval_is_widened_on_the_side_that_the_crossed_mean_goes_beyond():
    mean = CrossedMean(0.5, 0.1, np.inf)  # 0.5 ± 1.96 · 0.1
    around = wider(Interval(10, 0.45, 0.9, "a note"), mean, share=False)
    assert (around.n, around.low, around.high, around.note) == (10, pytest.approx(0.304, abs=1e-4), 0.9, "a note")
    # As a share it has 0.25 / 0.01 = 25 trials, half of them right, and Wilson's interval 0.5 ± 1.96 / 2 / √(25 + 1.96²).
    wilson = wider(Interval(10, 0.45, 0.55, None), mean, share=True)
    half = 1.959964 / 2 / (25 + 1.959964**2) ** 0.5
    assert (wilson.low, wilson.high) == (pytest.approx(0.5 - half, abs=1e-6), pytest.approx(0.5 + half, abs=1e-6))


def test_groups_take_the_place_of_the_condition_or_stand_after_the_metric():
    columns = pl.Schema({"relation": pl.String(), "k": pl.UInt16()})
    own = pl.Schema({"agent": pl.String(), "metric": pl.String(), "condition": pl.String(), "value": pl.Float64()})
    added = ["relation", "k"]
    with_both = with_groups(own, columns, added)
    assert list(with_both.items()) == [
        ("agent", pl.String()),
        ("metric", pl.String()),
        ("relation", pl.String()),
        ("k", pl.UInt16()),
        ("value", pl.Float64()),
    ]
    apart = pl.Schema({"metric": pl.String(), "condition": pl.String(), "note": pl.String()})
    late = pl.Schema({"metric": pl.String(), "value": pl.Float64(), "condition": pl.String()})
    assert list(with_groups(apart, columns, added)) == ["metric", *added, "note"]
    assert list(with_groups(late, columns, added)) == ["metric", "value", *added]
    without = pl.Schema({"agent": pl.String(), "metric": pl.String(), "a": pl.String()})
    assert list(with_groups(without, columns, added)) == ["agent", "metric", *added, "a"]
