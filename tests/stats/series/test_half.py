import numpy as np
import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats import Interval, mean_intervals
from relprobe.stats.schemas import CONTROLS, HALVES
from relprobe.stats.series.half import Half, half_depths, half_of

RIGHT = Metric("right")
LAYERS = {"m": {"m-0": 0, "m-1": 1, "m-2": 2}}


def known(means, half_width):
    """Return the function that knows each weighted sum of the means up to this half-width."""
    return lambda weights: [Interval(9, float(s) - half_width, float(s) + half_width) for s in means @ weights]


def test_half_is_reached_where_the_line_through_the_means_crosses_half_of_the_last():
    means, places = np.array([0.0, 1.0, 4.0]), np.array([0.0, 10.0, 20.0])
    half = half_of(means, places, known(means, 0.5))
    # 2 lies a third of the way from 1 to 4; 1.5 and 2.5 a sixth and a half of that way
    assert (half.place, half.low, half.high) == (
        pytest.approx(10 + 10 / 3),
        pytest.approx(10 + 10 / 6),
        pytest.approx(15),
    )


def test_the_first_crossing_counts_and_the_interval_holds_all_places_that_may_be_it():
    means, places = np.array([0.0, 3.0, 1.0, 4.0]), np.arange(4.0)
    half = half_of(means, places, known(means, 0.1))
    # half is 2: reached at 2/3 on the way up, and 1.9 at 0.633; after the last rise has passed 2.1 at 2 + 1.1 / 3 it is sure
    assert (half.place, half.low, half.high) == (
        pytest.approx(2 / 3),
        pytest.approx(1.9 / 3),
        pytest.approx(2 + 1.1 / 3),
    )


def test_a_first_member_that_has_half_already_is_the_place():
    means, places = np.array([3.0, 3.0, 4.0]), np.arange(5.0, 8.0)
    assert half_of(means, places, known(means, 0.2)) == Half(5.0, 5.0, 5.0)


def test_without_a_rise_there_is_no_half():
    means, places = np.array([1.0, 1.0, 1.3]), np.arange(3.0)
    half = half_of(means, places, known(means, 0.5))
    assert half.place is half.low is half.high is None
    assert half.note == "no half: the last mean, 1.300, is not shown to be above the first, 1.000"


def test_a_rise_that_is_the_same_in_all_clusters_is_one():
    means, places = np.array([0.0, 1.0]), np.arange(2.0)
    same = half_of(means, places, lambda weights: [Interval(9, None, None, "all alike") for _ in weights.T])
    assert (same.place, same.low, same.high) == (pytest.approx(0.5), 0.0, 1.0)  # the line alone says where in the gap
    assert half_of(np.array([1.0, 0.5]), places, lambda weights: [Interval(9, None, None, "") for _ in weights.T]).note


def test_values_of_0_up_to_the_last_member_leave_the_gap_before_it():
    row = half_depths(agents([0] * 8, [0] * 8, [0.9, 0.8] * 4), LAYERS, [RIGHT]).row(0, named=True)
    assert (row["half_at"], row["low"], row["high"]) == (pytest.approx(1.5), 1.0, 2.0)


def test_the_interval_is_that_of_resampled_clusters():
    values = np.random.default_rng(1).normal([0.0, 1.0, 4.0], 0.3, (40, 3))

    def intervals(weights):
        columns = values @ weights
        return mean_intervals(columns, np.ones_like(columns), 1, differences=True)

    half = half_of(values.mean(axis=0), np.arange(3.0), intervals)
    at = np.array([[0.0], [1 - (half.low - 1)], [half.low - 1]]) - np.array([[0.0], [0.0], [0.5]])
    assert intervals(at)[0].high == pytest.approx(0, abs=0.01)  # at the lower end, the upper bound touches half
    at = np.array([[0.0], [1 - (half.high - 1)], [half.high - 1]]) - np.array([[0.0], [0.0], [0.5]])
    assert intervals(at)[0].low == pytest.approx(0, abs=0.01)


def agents(*columns):
    rows = [[("right", "noun", f"u{place}", value) for place, value in enumerate(column)] for column in columns]
    return dict(zip(LAYERS["m"], [pl.DataFrame(one, schema=UNITS, orient="row") for one in rows], strict=True))


RISING = agents([0, 0.1] * 4, [0.2, 0.3] * 4, [0.9, 0.8] * 4)


def beyond(low, p=None):
    row = {"agent": "m-2", "metric": "right", "condition": "noun", "control": "frequency", "difference": 1.0}
    row |= {"low": low, "p": p}
    return pl.DataFrame([row], schema=CONTROLS)


def test_the_table_has_a_place_where_the_last_member_exceeds_its_best_control():
    table = half_depths(RISING, LAYERS, [RIGHT], beyond=beyond(0.1))
    assert table.schema == HALVES
    row = table.row(0, named=True)
    # the means are 0.05, 0.25 and 0.85: 0.425 lies 0.175 / 0.6 of the way from layer 1 to layer 2
    assert (row["half_at"], row["control"], row["units"]) == (pytest.approx(1 + 0.175 / 0.6), "frequency", 8)
    assert 1 < row["low"] < row["half_at"] < row["high"] < 2
    same = half_depths(RISING, LAYERS, [RIGHT], beyond=beyond(None, p=2 / 2**8))  # all clusters differ alike
    assert same["half_at"].item() == row["half_at"]
    for low, p in ((0.0, 0.04), (None, None), (None, 0.06)):
        missing = half_depths(RISING, LAYERS, [RIGHT], beyond=beyond(low, p)).row(0, named=True)
        assert (missing["half_at"], missing["low"], missing["high"]) == (None, None, None)
        assert missing["note"] == "no half: the last member is not shown to be above the control frequency"


def test_the_steps_of_a_training_are_interpolated_by_their_logarithm():
    steps = {"m": {"m-0": 0, "m-1": 9, "m-2": 99}}
    row = half_depths(RISING, steps, [RIGHT], logarithmic=["m"]).row(0, named=True)
    assert 1 + row["half_at"] == pytest.approx(10 ** (1 + 0.175 / 0.6))
    assert 9 < row["low"] < row["half_at"] < row["high"] < 99


def test_few_clusters_and_absent_members_have_no_half_but_a_reason():
    few = {agent: table.head(5) for agent, table in RISING.items()}
    note = "no half: the values count as 5.0 independent ones, and below 6 the data cannot tell"
    assert half_depths(few, LAYERS, [RIGHT])["note"].to_list() == [note]
    absent = RISING | {"m-1": RISING["m-1"].head(0)}
    assert half_depths(absent, LAYERS, [RIGHT]).row(0, named=True)["note"] == "m-1 has no value"
