import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats import Interval, mean_intervals
from relprobe.stats.schemas import AVERAGES, HALVES, TESTS
from relprobe.stats.series.half import Controls, Half, half_depths, half_of

RIGHT = Metric("right")
LAYERS = {"m": {"m-0": 0, "m-1": 1, "m-2": 2}}


def known(means, half_width):
    """Return the function that knows each weighted sum of the means up to this half-width."""
    return lambda weights: [Interval(9, float(s) - half_width, float(s) + half_width) for s in means @ weights]


def test_half_is_reached_between_two_members_and_the_interval_holds_the_whole_gap():
    means, places = np.array([0.0, 1.0, 4.0]), np.array([0.0, 10.0, 20.0])
    half = half_of(means, places, known(means, 0.5))
    # half is 2, a third of the way on the line from 1 to 4; what the curve does between the members is not known
    assert (half.after, half.by, half.low, half.high) == (10.0, 20.0, 10.0, 20.0)
    assert half.position == pytest.approx(10 + 10 / 3)
    wide = half_of(means, places, known(means, 1.0))
    assert (wide.after, wide.by, wide.low, wide.high) == (10.0, 20.0, 0.0, 20.0)  # the second member may have half


def test_the_first_crossing_counts_and_the_interval_holds_all_places_that_may_be_it():
    means, places = np.array([0.0, 3.0, 1.0, 4.0]), np.arange(4.0)
    half = half_of(means, places, known(means, 0.1))
    # half is 2: reached before the second member; the third lacks it, and after the last rise it is sure
    assert (half.after, half.by, half.low, half.high) == (0.0, 1.0, 0.0, 3.0)
    assert half.position == pytest.approx(2 / 3)


def test_a_first_member_that_has_half_already_is_the_place():
    means, places = np.array([3.0, 3.0, 4.0]), np.arange(5.0, 8.0)
    assert half_of(means, places, known(means, 0.2)) == Half(5.0, None, 5.0, 5.0, 5.0)


@given(
    means=st.lists(st.floats(0, 1), min_size=2, max_size=9), steps=st.lists(st.floats(0.1, 5), min_size=9, max_size=9)
)
def test_the_interval_reaches_at_least_from_the_member_before_to_the_one_that_has_half(means, steps):
    means, places = np.array(means), np.cumsum(steps)[: len(means)]
    for width in (0.0, 0.01, 0.3):
        half = half_of(means, places, known(means, width))
        if half.note is not None:
            assert means[-1] - means[0] <= width
            continue
        asked = {*places.tolist()}
        assert {half.by, half.low, half.high} <= asked
        assert half.low <= (half.by if half.after is None else half.after) <= half.position <= half.by <= half.high
        assert means[places == half.by][0] >= means[-1] / 2
        assert all(means[places < half.by] < means[-1] / 2)
        wider = half_of(means, places, known(means, width * 1.5))
        assert wider.note is not None or (wider.low <= half.low and wider.high >= half.high)


def test_without_a_rise_there_is_no_half():
    means, places = np.array([1.0, 1.0, 1.3]), np.arange(3.0)
    half = half_of(means, places, known(means, 0.5))
    assert half.position is half.low is half.high is None
    assert half.note == "no half: the last mean, 1.300, is not shown to be above the first, 1.000"


def test_a_rise_that_is_the_same_in_all_clusters_is_one():
    means, places = np.array([0.0, 1.0]), np.arange(2.0)
    same = half_of(means, places, lambda weights: [Interval(9, None, None, "all alike") for _ in weights.T])
    assert (same.position, same.low, same.high) == (
        pytest.approx(0.5),
        0.0,
        1.0,
    )  # the line alone says where in the gap
    assert half_of(np.array([1.0, 0.5]), places, lambda weights: [Interval(9, None, None, "") for _ in weights.T]).note


def test_values_of_0_up_to_the_last_member_leave_the_gap_before_it():
    row = half_depths(agents([0] * 8, [0] * 8, [0.9, 0.8] * 4), LAYERS, [RIGHT]).row(0, named=True)
    assert (row["half"], row["half_at"], row["low"], row["high"]) == (
        "between layers 1 and 2",
        pytest.approx(1.5),
        1.0,
        2.0,
    )


def test_the_interval_is_that_of_resampled_clusters():
    values = np.random.default_rng(1).normal([0.0, 1.8, 1.9, 4.0], 1.0, (40, 4))

    def intervals(weights):
        columns = values @ weights
        return mean_intervals(columns, np.ones_like(columns), 1, differences=True)

    half = half_of(values.mean(axis=0), np.arange(4.0), intervals)
    less_half = np.eye(4)
    less_half[-1] -= 0.5
    member_intervals = intervals(less_half)
    may_have = [member for member, one in enumerate(member_intervals) if one.high >= 0]
    may_lack = [member for member, one in enumerate(member_intervals) if one.low <= 0]
    assert (half.low, half.high) == (may_have[0] - 1, may_lack[-1] + 1)


def agents(*columns):
    rows = [[("right", "noun", f"u{place}", value) for place, value in enumerate(column)] for column in columns]
    return dict(zip(LAYERS["m"], [pl.DataFrame(one, schema=UNITS, orient="row") for one in rows], strict=True))


RISING = agents([0, 0.1] * 4, [0.2, 0.3] * 4, [0.9, 0.8] * 4)


def met(p_holm=0.01, difference=1.0, value=0.1, name="frequency"):
    """Return what the last member must be above: one test, and the control's mean over all items."""
    about = {"metric": "right", "condition": "noun"}
    row = {**about, "agent_a": name, "agent_b": "m-2", "units": 8, "difference": -difference, "p_holm": p_holm}
    tests = pl.DataFrame([row | {"value_a": 0.0}], schema=TESTS)
    averages = pl.DataFrame([{**about, "agent": name, "value": value}], schema=AVERAGES)
    return Controls(tests, averages, [name])


def test_the_table_has_a_place_where_the_last_member_exceeds_its_controls():
    table = half_depths(RISING, LAYERS, [RIGHT], readers={"m": "a map"}, controls=met())
    assert table.schema == HALVES
    row = table.row(0, named=True)
    # the means are 0.05, 0.25 and 0.85: 0.425 lies 0.175 / 0.6 of the way from layer 1 to layer 2
    assert (row["half_at"], row["control"], row["units"]) == (pytest.approx(1 + 0.175 / 0.6), "frequency", 8)
    assert (row["half"], row["low"], row["high"], row["reader"]) == ("between layers 1 and 2", 1.0, 2.0, "a map")
    assert (row["value_last"], row["value_highest"], row["highest_at"]) == (
        pytest.approx(0.85),
        pytest.approx(0.85),
        2.0,
    )


@pytest.mark.parametrize("test", [{"p_holm": 0.06}, {"p_holm": None}, {"difference": -1.0}, {"difference": 0.0}])
def test_without_an_adjusted_p_below_005_there_is_no_half(test):
    row = half_depths(RISING, LAYERS, [RIGHT], controls=met(**test)).row(0, named=True)
    assert (row["half"], row["half_at"], row["low"], row["high"]) == (None, None, None, None)
    assert row["note"] == "no half: the last member is not shown to be above the control frequency"


def test_a_control_that_is_better_on_the_items_that_were_not_asked_is_met_there():
    row = half_depths(RISING, LAYERS, [RIGHT], controls=met(value=0.84)).row(0, named=True)
    assert row["half"] is None
    assert row["note"].startswith(
        "no half: the last member is not shown to be above the control frequency, which has 0.840 on all items; the lower "
        "bound is 0.8"
    )
    both = met(), met(value=0.5, name="majority", p_holm=0.2)
    every = Controls(
        pl.concat(one.tests for one in both), pl.concat(one.averages for one in both), ["frequency", "majority"]
    )
    assert "above the control majority" in half_depths(RISING, LAYERS, [RIGHT], controls=every)["note"].item()


def test_a_member_above_the_last_is_named_and_the_half_is_that_of_the_last():
    bent = agents([0, 0.1] * 4, [0.9, 0.8] * 4, [0.6, 0.5] * 4)
    row = half_depths(bent, LAYERS, [RIGHT]).row(0, named=True)
    assert (row["value_last"], row["value_highest"], row["highest_at"]) == (
        pytest.approx(0.55),
        pytest.approx(0.85),
        1.0,
    )
    assert row["half_at"] == pytest.approx((0.275 - 0.05) / 0.8)


def test_the_steps_of_a_training_are_interpolated_by_their_logarithm():
    steps = {"m": {"m-0": 0, "m-1": 9, "m-2": 99}}
    row = half_depths(RISING, steps, [RIGHT], axis="step").row(0, named=True)
    assert 1 + row["half_at"] == pytest.approx(10 ** (1 + 0.175 / 0.6))
    assert (row["half"], row["low"], row["high"]) == ("between training steps 9 and 99", 9.0, 99.0)


def test_few_clusters_and_absent_members_have_no_half_but_a_reason():
    few = {agent: table.head(5) for agent, table in RISING.items()}
    note = "no half: the values count as 5.0 independent ones, and below 6 the data cannot tell"
    assert half_depths(few, LAYERS, [RIGHT])["note"].to_list() == [note]
    absent = RISING | {"m-1": RISING["m-1"].head(0)}
    assert half_depths(absent, LAYERS, [RIGHT]).row(0, named=True)["note"] == "m-1 has no value"
