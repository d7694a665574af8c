"""Our values of what the paper prints, from sizes written by hand."""

import polars as pl
import pytest
from relprobe.report.published import read
from relprobe.stats.schemas import AVERAGES
from relprobe.studies.definitions.analyses import people, published
from relprobe.studies.definitions.analyses.published import ours
from relprobe.studies.definitions.schemas import METRICS, SIZES, SMALL, enough

from tests.paths import ROOT

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


class RunResults:
    """Results of a run with these values."""

    averaged_units = "common"

    def __init__(self, **values):
        self.rows_by_agent = values

    def values(self):
        rows = {agent: [("W2D P@1", *row) for row in rows] for agent, rows in self.rows_by_agent.items()}
        return {agent: pl.DataFrame(table, schema=METRICS, orient="row") for agent, table in rows.items()}


def test_table_8_has_the_small_groups_that_people_answered():
    """A model's values of other groups, and people's of parts of speech, are not in it; P@1 is in percent, as printed."""
    people_rows = [(SMALL, "a", "f", 1.0), (SMALL, "b", "g", 0.5), ("noun", "a", "f", 1.0)]
    model_rows = [(SMALL, "a", "f", 0.0), (SMALL, "b", "g", 1.0), (SMALL, "c", "h", 1.0), ("noun", "a", "f", 1.0)]
    (table,) = people.published(RunResults(humans=people_rows, m=model_rows))
    columns = table.select("quantity", "condition", "agent", "ours", "n").rows()
    assert columns == [("W2D P@1", people.TABLE_8, "humans", 75.0, 2), ("W2D P@1", people.TABLE_8, "m", 50.0, 2)]
    assert people.published(RunResults(m=model_rows)) == []


def test_the_table_has_the_averages_the_sizes_and_the_values_of_analyses_beside_the_printed_ones():
    """Two groups of people's are answered, one rightly: 50 % beside the printed 62.5 %."""
    run = RunResults(humans=[(SMALL, "a", "f", 1.0), (SMALL, "b", "g", 0.0)])
    run.averages = averages(("gpt2-xl", "W2D RS", "verb", 0.75))
    run.sizes = sizes({"groups_of": "the benchmark", "condition": "noun", **WHOLE})
    run.published = read(ROOT / "resources/published/definitions.csv")
    table = published.TABLES["published"](run).drop_nulls(["where", "ours"])
    rows = table.select("where", "quantity", "condition", "agent", "ours").rows()
    assert {("Table 4", "W2D RS", "verb", "gpt2-xl", 0.75), ("Table 2", "groups", "noun", None, 8.0)} <= set(rows)
    (people_row,) = table.filter(where="Table 8", agent="humans").select("quantity", "value", "ours").rows()
    assert people_row == ("W2D P@1", 62.5, 50.0)
