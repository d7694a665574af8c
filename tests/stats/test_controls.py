"""Agents beside their controls: which pairs are compared, and what an agent has beyond the best of them."""

from itertools import combinations

import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import AHEAD, BEHIND, beyond_controls, both_ways, comparable
from relprobe.stats.schemas import TESTS

KINDS = {
    "m": "model",
    "n": "model",
    "one": "person",
    "all": "pooled",
    "frequency": "control",
    "majority": "control",
    "m+without-target": "control",
}


def values(*numbers):
    rows = [("right", "noun", f"u{place}", number) for place, number in enumerate(numbers)]
    return pl.DataFrame(rows, schema=UNITS, orient="row")


def agent_values():
    return {agent: values(*[float(place >= number) for place in range(8)]) for number, agent in enumerate(KINDS)}


def test_controls_meet_models_and_people_and_no_other_control():
    table = paired_tests(agent_values(), [Metric("right", test="McNemar")], kinds=KINDS)
    pairs = set(table.select("agent_a", "agent_b").iter_rows())
    shared = {(agent, control) for agent in ("m", "n", "one", "all") for control in ("frequency", "majority")}
    others = {("m", "n"), ("m", "one"), ("n", "one"), ("m", "all"), ("n", "all"), ("one", "all")}
    assert pairs == shared | others | {("m", "m+without-target")}


def test_pooled_people_and_controls_are_families_apart():
    table = paired_tests(agent_values(), [Metric("right", test="McNemar")], kinds=KINDS)
    families = {(a, b): family for a, b, family in table.select("agent_a", "agent_b", "family").iter_rows()}
    named = [families[pair] for pair in (("m", "n"), ("m", "one"), ("m", "all"), ("one", "majority"))]
    assert named == ["models", "people", "pooled people", "controls"]
    assert families["all", "frequency"] == "controls"


def rows_of_tests(*rows):
    names = ["metric", "condition", "agent_a", "agent_b", "value_a", "value_b", "difference", "low", "high"]
    return pl.DataFrame(rows, schema={name: TESTS[name] for name in names}, orient="row").select(
        *(pl.col(name) if name in names else pl.lit(None, kind).alias(name) for name, kind in TESTS.items())
    )


def test_the_best_control_is_that_which_the_agent_exceeds_least_whichever_comes_first():
    tests = rows_of_tests(
        ("right", "noun", "m", "frequency", 0.5, 0.25, 0.25, 0.125, 0.375),
        ("right", "noun", "majority", "m", 0.375, 0.5, -0.125, -0.25, 0.0),
        ("right", "verb", "m", "frequency", 0.5, 0.625, -0.125, -0.25, 0.0),
        ("right", "verb", "m", "majority", 0.5, 0.5, 0.0, None, None),
    )
    table = beyond_controls(tests, ["frequency", "majority"])
    assert table.select(
        "agent", "condition", "value", "control", "control_value", "difference", "low", "high"
    ).rows() == [
        ("m", "noun", 0.5, "majority", 0.375, 0.125, 0.0, 0.25),
        ("m", "verb", 0.5, "frequency", 0.625, -0.125, -0.25, 0.0),
    ]


def test_of_equal_controls_the_first_counts_and_an_agent_without_common_units_has_no_row():
    tests = rows_of_tests(
        ("right", "noun", "m", "majority", 0.5, 0.25, 0.25, None, None),
        ("right", "noun", "m", "frequency", 0.5, 0.25, 0.25, None, None),
        ("right", "noun", "n", "frequency", None, None, None, None, None),
        ("right", "noun", "m", "n", 0.5, 0.75, -0.25, None, None),
    )
    assert beyond_controls(tests, ["frequency", "majority"]).select("agent", "control").rows() == [("m", "frequency")]


def test_an_agent_that_is_as_good_as_a_control_is_not_ahead_of_it():
    """p is then that of being behind some control, twice that beside the control that it exceeds least, and 1 at most."""
    tests = rows_of_tests(
        ("right", "noun", "m", "frequency", 0.5, 0.5, 0.0, None, None),
        ("right", "noun", "m", "majority", 0.5, 0.25, 0.25, None, None),
        ("right", "verb", "m", "frequency", 0.5, 0.25, 0.25, None, None),
        ("right", "verb", "m", "majority", 0.5, 0.375, 0.125, None, None),
        ("right", "adjective", "m", "frequency", 0.5, 0.75, -0.25, None, None),
        ("right", "adjective", "m", "majority", 0.5, 0.5, 0.0, None, None),
    ).with_columns(p=pl.Series([0.75, 0.01, 0.03, 0.02, 0.125, 1.0]))
    table = beyond_controls(tests, ["frequency", "majority"])
    assert table.select("condition", "control", "claim", "p").rows() == [
        ("noun", "frequency", BEHIND, 1.0),
        ("verb", "majority", AHEAD, 0.03),
        ("adjective", "frequency", BEHIND, 0.25),
    ]


def test_controls_without_a_value_are_named_in_their_order_whichever_order_the_tests_have():
    rows = [
        ("right", condition, "m", control, None if condition == "verb" and control != "typical" else 0.5, 0.25, 0.25)
        for condition in ("noun", "verb", "adverb")
        for control in ("majority", "typical", "frequency")
    ]
    rows = [(*row[:5], row[5], None if row[4] is None else row[6], None, None) for row in rows]
    for order in (rows, rows[::-1]):
        table = beyond_controls(rows_of_tests(*order), ["frequency", "typical", "majority"])
        notes = dict(table.select("condition", "note").rows())
        assert notes["verb"] == (
            "not beside frequency, majority, which have no value here: such a claim is of the other controls alone"
        )
        assert (notes["noun"], notes["adverb"]) == (None, None)


def test_a_study_without_controls_has_an_empty_table():
    assert beyond_controls(rows_of_tests(("right", "noun", "m", "n", 0.5, 0.25, 0.25, None, None)), []).is_empty()


def test_columns_of_other_conditions_stand_in_the_table():
    tests = rows_of_tests(("right", "HYP", "m", "majority", 0.5, 0.25, 0.25, None, None)).rename(
        {"condition": "relation"}
    )
    tests = tests.insert_column(2, pl.lit(5, pl.UInt16).alias("k"))
    assert beyond_controls(tests, ["majority"]).columns[:4] == ["agent", "metric", "relation", "k"]


def test_rows_stand_in_the_order_in_which_the_tests_first_name_a_condition_and_an_agent():
    tests = rows_of_tests(
        ("right", "noun", "n", "majority", 0.5, 0.25, 0.25, None, None),
        ("right", "verb", "n", "majority", 0.5, 0.25, 0.25, None, None),
        ("right", "verb", "m", "majority", 0.5, 0.25, 0.25, None, None),
        ("right", "noun", "m", "majority", 0.5, 0.25, 0.25, None, None),
    )
    rows = beyond_controls(tests, ["majority"]).select("condition", "agent").rows()
    assert rows == [("noun", "n"), ("noun", "m"), ("verb", "n"), ("verb", "m")]


def test_agents_that_are_exchanged_have_all_that_has_a_sign_turned():
    tests = rows_of_tests(("right", "noun", "m", "n", 0.5, 0.25, 0.25, -0.5, 1.0))
    tests = tests.with_columns(paper_effect=0.75, p=0.125, error=0.5)
    _, turned = both_ways(tests).select("agent_a", "paper_effect", "p", "error", "low", "high").rows()
    assert turned == ("n", -0.75, 0.125, 0.5, -1.0, 0.5)


def test_members_of_a_series_meet_controls_alone():
    kinds = {"m": "model", "step1": "member", "step2": "member", "one": "person", "frequency": "control"}
    met = {(a, b) for a, b in combinations(kinds, 2) if comparable(a, b, kinds)}
    assert met == {("m", "one"), *((agent, "frequency") for agent in ("m", "step1", "step2", "one"))}
    assert all(comparable(b, a, kinds) == comparable(a, b, kinds) for a, b in combinations(kinds, 2))


@pytest.mark.parametrize(("name", "adjusted"), [("k", [0.01, 0.02]), ("relation", [0.02, 0.02])])
def test_p_is_adjusted_over_the_conditions_of_a_metric_but_not_over_its_cut_offs(name, adjusted):
    row = {
        "metric": "right",
        "agent_a": "m",
        "agent_b": "frequency",
        "value_a": 0.5,
        "value_b": 0.25,
        "difference": 0.25,
    }
    rows = pl.DataFrame([row | {"p": p} for p in (0.01, 0.02)], schema=TESTS).drop("condition")
    rows = rows.insert_column(1, pl.Series(name, [1, 5]))
    table = beyond_controls(rows, ["frequency"])
    assert table.columns[:3] == ["agent", "metric", name]
    assert table["p_holm_all"].to_list() == adjusted
