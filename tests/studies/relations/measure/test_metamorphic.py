"""What must not change the values of an agent: the order of rows, the size of weights, other targets, which unknown word."""

from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from relprobe.studies.relations.method import Choices, judge
from relprobe.studies.relations.values import all_metrics

from tests.studies.relations.measure.test_metrics import GOLD, responses

GIVEN = responses(
    hyp1_robin="x bird animal pet",
    hyp2_robin="bird=x pet",
    mer1_robin="wing y feather beak",
    hol1_wall="building=house x",
    ant1_night="day x dusk",
    ant1_day="x night",
    syn1_day="date=x y",
    syn1_date="day",
    hpo1_bird="robin hawk x",
    hpo1_animal="x y",
)
ALONE = ["soundness", "completeness", "unrelated", "first_related"]
"""The metrics of which a value needs one response alone."""


def values(given=GIVEN, gold=GOLD):
    return all_metrics(judge(given, gold), Choices())


def mixed(table, seed):
    return table.sample(fraction=1, shuffle=True, seed=seed)


def test_the_example_has_values_of_all_of_them():
    found = values()
    assert {*ALONE} <= {*found["metric"]}
    assert found["value"].n_unique() > 5


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_changes_no_value(seed):
    parts = {name: mixed(getattr(GOLD, name), seed) for name in ("probes", "relata", "tuples", "shared_lexicon")}
    assert_frame_equal(values(mixed(GIVEN, seed), replace(GOLD, **parts)), values(), check_exact=True)


def test_weights_matter_by_their_order_alone():
    halved = GIVEN.with_columns(pl.col("weights").list.eval(pl.element() / 4))
    assert_frame_equal(values(halved), values(), check_exact=True)


def test_what_another_target_got_changes_no_value():
    robin_responses = GIVEN.filter(pl.col("probe_id").str.ends_with(":robin"))
    rows = pl.col("metric").is_in(ALONE) & (pl.col("target") == "robin")
    assert_frame_equal(values(robin_responses).filter(rows), values().filter(rows), check_exact=True)


def test_one_word_of_no_set_stands_for_another_one():
    swapped = GIVEN.with_columns(
        pl.col("words").cast(pl.List(pl.String)).list.eval(pl.element().replace({"x": "z"})).cast(GIVEN["words"].dtype)
    )
    assert_frame_equal(values(swapped), values(), check_exact=True)


def test_a_response_with_a_right_word_in_front_is_no_less_sound():
    better = responses(hyp1_robin="bird x animal pet")
    worse = responses(hyp1_robin="x bird animal pet")
    sound = [values(one).filter(metric="soundness", target="robin")["value"].item() for one in (worse, better)]
    assert sound == [0.0, 1.0]
