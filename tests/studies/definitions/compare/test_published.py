"""Our values of what the paper prints, from sizes written by hand."""

from dataclasses import replace

import polars as pl
import pytest
from relprobe.report.published import read
from relprobe.stats.schemas import AVERAGES
from relprobe.studies.definitions.analyses import people, published
from relprobe.studies.definitions.analyses.published import ours
from relprobe.studies.definitions.schemas import RESPONSES, SIZES, enough

from tests.paths import ROOT
from tests.studies.definitions.about import properties, results

WHOLE = {"groups": 8, "candidates": 6.5, "smallest": 5, "largest": 12, "w2d_random": 0.25, "d2w_random": 0.125}


def sizes(*rows):
    return pl.DataFrame([{name: row.get(name) for name in SIZES} for row in rows], schema=SIZES)


def averages(*rows):
    table = [
        {"agent": agent, "metric": metric, "condition": condition, "value": value}
        for agent, metric, condition, value in rows
    ]
    return pl.DataFrame([{name: row.get(name) for name in AVERAGES} for row in table], schema=AVERAGES)


TABLE = ours(
    averages(("m", "W2D P@1", "noun", 0.5), ("m", "W2D RS", "noun", 0.75), ("random", "W2D P@1", "noun", 0.9)),
    sizes(
        {"groups_of": "the benchmark", "condition": "noun", **WHOLE},
        {"groups_of": "the benchmark", "condition": "noun, depth 3–5", **WHOLE, "groups": 2, "candidates": 7.5},
        {"groups_of": enough(5), "condition": "noun", "groups": 9, "candidates": 5.5},
        {"groups_of": "this run's sample", "condition": "noun", **WHOLE, "groups": 3},
    ),
)


def values(quantity):
    rows = TABLE.filter(quantity=quantity).select("condition", "agent", pl.col("ours").round(6), "n", "units").rows()
    return sorted(rows, key=repr)


def test_agents_have_their_averages_and_a_guess_its_expected_value_over_the_benchmark():
    assert [row[:3] for row in values("W2D P@1")] == [
        ("noun", "m", 50.0),
        ("noun", "random", 25.0),
        ("noun, depth 3–5", "random", 25.0),
    ]
    assert values("D2W P@1") == [
        ("noun", "random", 12.5, 8, "groups"),
        ("noun, depth 3–5", "random", 12.5, 2, "groups"),
    ]
    assert [row[:3] for row in values("W2D RS")] == [
        ("noun", "m", 0.75),
        ("noun", "random", 0.5),
        ("noun, depth 3–5", "random", 0.5),
    ]


@pytest.mark.parametrize(
    ("quantity", "noun_size", "deep_size"),
    [("groups", 8, 2), ("candidates (min)", 5, 5), ("candidates (max)", 12, 12)],
)
def test_sizes_are_those_of_the_benchmark(quantity, noun_size, deep_size):
    assert values(quantity) == [
        ("noun", None, noun_size, None, None),
        ("noun, depth 3–5", None, deep_size, None, None),
    ]


def test_the_mean_size_is_over_all_groups_of_five_and_of_depths_over_the_benchmark():
    assert values("candidates (mean)") == [
        ("noun", None, 5.5, 9, "groups"),
        ("noun, depth 3–5", None, 7.5, 2, "groups"),
    ]


GROUPS = properties(*({"group": name, "family": name, "w2d": 9, "d2w": 9} for name in "abc"))


def run_results(**ranks):
    """Results of a run: agent -> group -> the rank of the right one of five candidates in w2d."""
    rows = {
        agent: [("w2d", group, 5, rank - 1, 0, rank, "x") for group, rank in of.items()] for agent, of in ranks.items()
    }
    responses = {agent: pl.DataFrame(table, schema=RESPONSES, orient="row") for agent, table in rows.items()}
    return results(responses=responses, properties=GROUPS, averaged_units="common", ties="expected")


def test_table_8_has_the_small_groups_that_people_answered():
    """A model's values of other groups, and people's of parts of speech, are not in it; P@1 is in percent, as printed."""
    (table,) = people.published(run_results(humans={"a": 1, "b": 1}, m={"a": 2, "b": 1, "c": 1}))
    columns = table.filter(quantity="W2D P@1").select("condition", "agent", "ours", "n").rows()
    assert columns == [(people.TABLE_8, "humans", 100.0, 2), (people.TABLE_8, "m", 50.0, 2)]
    assert people.published(run_results(m={"a": 1})) == []


def test_the_table_has_the_averages_the_sizes_and_the_values_of_analyses_beside_the_printed_ones():
    """Two groups of people's are answered, one rightly: 50 % beside the printed 62.5 %."""
    run = replace(
        run_results(humans={"a": 1, "b": 2}),
        averages=averages(("gpt2-xl", "W2D RS", "verb", 0.75)),
        sizes=sizes({"groups_of": "the benchmark", "condition": "noun", **WHOLE}),
        published=read(ROOT / "resources/published/definitions.csv"),
    )
    table = published.TABLES["published"](run).drop_nulls(["where", "ours"])
    rows = table.select("where", "quantity", "condition", "agent", "ours").rows()
    assert {("Table 4", "W2D RS", "verb", "gpt2-xl", 0.75), ("Table 2", "groups", "noun", None, 8.0)} <= set(rows)
    people_rows = table.filter(where="Table 8", agent="humans", quantity="W2D P@1")
    (people_row,) = people_rows.select("quantity", "value", "ours").rows()
    assert people_row == ("W2D P@1", 62.5, 50.0)
