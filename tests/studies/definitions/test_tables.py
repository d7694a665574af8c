import polars as pl
import pytest
from relprobe.report.published import beside, read
from relprobe.studies.definitions.conditions import names
from relprobe.studies.definitions.metrics import METRICS
from relprobe.studies.definitions.published import ours
from relprobe.studies.definitions.schemas import AVERAGES, GROUPS, RESPONSES, SIZES
from relprobe.studies.definitions.tables import by_depth, by_frequency, confusions, overview

from tests.paths import ROOT

PUBLISHED = ROOT / "resources/published/definitions.csv"
NAMES = [metric.name for metric in METRICS]
COUNTS = ["groups", "families", "answered", "own_groups"]
AVERAGES_ = pl.DataFrame(
    [
        (agent, metric, condition, value, None, None, 2, 1, 3, True, None)
        for agent, value in (("random", 0.1), ("static", 0.2), ("gpt2-xl", 0.4))
        for metric in NAMES
        for condition in ("verb", "noun", "noun, rare", "verb, frequent", "noun, depth 3–5")
    ],
    schema=AVERAGES,
    orient="row",
)


def test_a_sample_without_any_group_of_the_conditions_has_a_table_without_rows():
    verbs = AVERAGES_.filter(condition="verb")
    for table in (by_depth(verbs), by_frequency(verbs)):
        assert table.columns == ["condition", "agent", *NAMES, *COUNTS]
        assert table.is_empty()


def test_a_table_has_its_own_conditions_in_their_order():
    assert overview(AVERAGES_).select("part_of_speech", "agent").rows() == [
        (pos, agent) for pos in ("noun", "verb") for agent in ("random", "static", "gpt2-xl")
    ]
    assert overview(AVERAGES_).columns == ["part_of_speech", "agent", *NAMES, *COUNTS]
    assert overview(AVERAGES_).select(COUNTS).unique().rows() == [(2, 1, 3, True)]
    assert by_frequency(AVERAGES_)["condition"].unique(maintain_order=True).to_list() == [
        "noun, rare",
        "verb, frequent",
    ]
    assert by_depth(AVERAGES_)["condition"].unique().to_list() == ["noun, depth 3–5"]


def test_confusions_are_of_the_most_frequent_missed_targets():
    groups = pl.DataFrame(
        [(f"g{i}", "noun", f"w{i}", f"d{i}", 3, float(i), "f", [], []) for i in range(8)], schema=GROUPS, orient="row"
    )
    responses = pl.DataFrame(
        [("w2d", f"g{i}", 5, 1 if i == 7 else 2, "another") for i in range(8)], schema=RESPONSES, orient="row"
    )
    table = confusions({"random": responses, "model": responses}, groups)
    assert table["word"].to_list() == ["w6", "w5", "w4", "w3", "w2"]
    assert table.row(0) == ("model", "W2D", "noun", "w6", "d6", "another", 2, 5)


def test_published_figures_find_ours():
    sizes = pl.DataFrame(
        [
            (of, condition, 10, 4, 2.5, 7.5, 5, 9, 7.0, 6.0, 0.25, 0.125)
            for of in ("at least five synsets", "the benchmark", "this run's sample")
            for condition in (("noun", "verb") if of == "at least five synsets" else names())
        ],
        schema=SIZES,
        orient="row",
    )
    sizes = sizes.with_columns(
        candidates=pl.when(pl.col("groups_of") == "the benchmark").then(8.5).otherwise("candidates")
    )
    table = beside(read(PUBLISHED), ours(AVERAGES_, sizes))
    assert table.height == 216  # no figure of the paper meets two of ours
    values = {
        (row["where"], row["quantity"], row["condition"], row["agent"]): row["ours"]
        for row in table.iter_rows(named=True)
        if row["ours"] is not None
    }
    assert values["Table 2", "groups", "noun", None] == 10
    assert values["Table 2", "candidates (mean)", "verb", None] == 7.5  # of the unfiltered groups
    assert values["Table 6", "candidates (mean)", "noun, depth 3–5", None] == 8.5
    # The expected value over the benchmark, not the 0.1 of this run's draws:
    assert values["Table 4", "W2D P@1", "noun", "random"] == 25
    assert values["Table 5", "D2W RS", "verb", "random"] == 0.5
    assert values["Table 5", "D2W P@1", "verb", "gpt2-xl"] == pytest.approx(40)  # in percent, as the paper prints it
    assert values["Table 4", "W2D RS", "noun", "static"] == pytest.approx(0.2)
    assert values["Table 7", "W2D P@1", "noun, rare", "gpt2-xl"] == pytest.approx(40)
    assert not any(where == "Table 8" for where, *_ in values)
