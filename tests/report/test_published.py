import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.report.published import (
    OURS,
    PUBLISHED,
    average_values,
    compare_published,
    decimals,
    figures,
    page_table,
    read,
    shares_in_percent,
)

from tests.paths import ROOT

HEADER = ",".join(PUBLISHED)
SHIPPED = sorted((ROOT / "resources/published").glob("*.csv"))


def of(tmp_path, *lines):
    path = tmp_path / "p.csv"
    path.write_text("\n".join([HEADER, *lines]) + "\n")
    return read(path)


def ours(*rows):
    """Return OURS from (quantity, condition, agent, ours) and, if there are some, further columns."""
    table = pl.DataFrame(rows, schema=list(OURS)[: len(rows[0])] if rows else OURS, orient="row")
    return figures(table)


def test_reproduced_figures_stand_beside_published_ones_with_the_difference(tmp_path):
    table = compare_published(
        of(tmp_path, "Table 1,3,P@1,noun,bert,0.5,,,other corpus"), ours(("P@1", "noun", "bert", 0.75))
    )
    row = table.row(0, named=True)
    assert (row["value"], row["ours"], row["difference"], row["note"]) == (0.5, 0.75, 0.25, "other corpus")


def test_our_figure_has_its_interval_and_the_number_of_its_units(tmp_path):
    mine = ours(("P@1", "noun", "bert", 0.75, 0.625, 0.875, 97, "targets"))
    row = compare_published(of(tmp_path, "Table 1,3,P@1,noun,bert,0.5,,,other corpus"), mine).row(0, named=True)
    assert (row["ours_low"], row["ours_high"], row["n"], row["units"]) == (0.625, 0.875, 97, "targets")


def test_averages_keep_their_units_and_their_intervals_in_the_papers_scale():
    rows = [("right", "noun", "a", 0.5, 0.25, 0.75, 8), ("area", None, "a", 2.0, None, None, 30)]
    names = ["metric", "condition", "agent", "value", "low", "high", "units"]
    table = average_values(
        pl.DataFrame(rows, schema=names, orient="row"), {"right": "groups"}, "metric", "condition", 100
    )
    assert table.schema == OURS
    assert table.rows() == [
        ("right", "noun", "a", 50.0, 25.0, 75.0, 8, "groups"),
        ("area", None, "a", 200.0, None, None, 30, None),
    ]


@pytest.mark.parametrize(("value", "difference"), [(0.3, -0.1), (0.45, 0.0), (0.75, 0.25)])
def test_the_difference_from_a_range_is_that_from_its_nearer_end(tmp_path, value, difference):
    table = compare_published(
        of(tmp_path, "Section 2,,P@1,noun,humans,,0.4,0.5,"), ours(("P@1", "noun", "humans", value))
    )
    assert table["difference"].to_list() == pytest.approx([difference])


def test_a_figure_that_was_not_reproduced_is_missing_with_a_note(tmp_path):
    table = compare_published(of(tmp_path, "Table 1,,P@1,,bert,0.5,,,"), ours(("P@1", None, "opt", 0.75)))
    assert table.select("ours", "difference", "note").row(0) == (None, None, "not in this run")


def test_agents_of_this_run_alone_stand_below_where_the_paper_prints_those_of_others(tmp_path):
    published = of(tmp_path, "Table 1,,P@1,noun,bert,0.5,,,", "Table 1,,groups,noun,,9,,,")
    rows = [
        ("P@1", "noun", "new", 0.75),
        ("P@1", "verb", "new", 0.1),
        ("groups", "noun", "new", 3.0),
        ("P@1", "noun", "bert", 0.4),
    ]
    table = compare_published(published, ours(*rows))
    assert table.select("where", "agent", "ours", "note").rows() == [
        ("Table 1", "bert", 0.4, None),
        ("Table 1", None, None, "not in this run"),
        (None, "new", 0.75, "in this run alone"),
    ]


def test_agents_of_this_run_alone_are_found_where_a_figure_has_no_condition(tmp_path):
    table = compare_published(
        of(tmp_path, "Table 1,,P@1,,bert,0.5,,,"), ours(("P@1", None, "new", 0.75), ("P@1", None, "bert", 0.4))
    )
    assert table.select("agent", "ours", "note").rows() == [("bert", 0.4, None), ("new", 0.75, "in this run alone")]


def test_a_missing_figure_keeps_the_note_of_the_published_one(tmp_path):
    table = compare_published(of(tmp_path, "Section 3,,frequency,,bert,5098,,,counted in Wikipedia"), ours())
    assert table["note"].to_list() == ["not in this run; counted in Wikipedia"]


def test_rows_without_agent_and_condition_are_joined(tmp_path):
    table = compare_published(of(tmp_path, "Table 1,,targets,,,692,,,"), ours(("targets", None, None, 700.0)))
    assert table["difference"].to_list() == [8.0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("a,b\n1,2\n", "has the columns"), (HEADER + "\nT,1,q,c,a,much,,,\n", "holds no published figures")],
)
def test_a_file_of_another_form_is_named(tmp_path, text, sentence):
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(DataError, match=sentence):
        read(tmp_path / "p.csv")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_shipped_figures_have_a_place_and_one_value_or_range_each(path):
    table = read(path)
    assert table["where"].null_count() == 0
    single = table["value"].is_not_null()
    ranged = table["low"].is_not_null() | table["high"].is_not_null()  # a bound alone is a range without an end
    assert (single != ranged).all()
    assert not table.select("where", "quantity", "condition", "agent").is_duplicated().any()
    assert table["source"].null_count() == 0


def test_the_relations_study_follows_the_first_version_of_its_paper():
    """Later versions have other models, metrics and claims (docs/studies/relations.md)."""
    assert set(read(ROOT / "resources/published/relations.csv")["source"]) == {"arXiv 2412.01131v1"}


def test_a_note_marks_the_groups_of_table_1_that_differ_from_table_2():
    """If a group's mean in Table 1 is over a point off that of its relations in Table 2, a note gives the latter."""
    published = read(next(path for path in SHIPPED if path.stem == "analogies"))
    groups = {"ES": "E", "LS": "L", "DM": "D", "IM": "I"}
    noted = {}
    for row in published.filter(
        pl.col("condition").is_in(list(groups)), where="Table 1", agent="roberta-large"
    ).to_dicts():
        relations = published.filter(
            pl.col("condition").str.starts_with(groups[row["condition"]]),
            where="Table 2",
            agent="roberta-large",
            quantity=row["quantity"],
        )
        mean = relations["value"].mean()
        if mean is not None and abs(mean - row["value"]) > 1:
            noted[row["condition"], row["quantity"]] = f"{mean:.2f}"
            assert row["note"] == f"the mean of the relations in Table 2 is {mean:.2f}"
    assert noted == {
        (group, "supervised random (%)"): mean for group, mean in (("LS", "63.91"), ("DM", "94.71"), ("IM", "94.83"))
    }


def test_a_file_that_begins_as_a_packed_one_and_is_none_is_refused(tmp_path):
    (tmp_path / "p.csv").write_bytes(b"\x1f\x8b\x00\x00")
    with pytest.raises(DataError, match=r"p\.csv holds no published figures"):
        read(tmp_path / "p.csv")


def test_shares_stand_in_per_cent_with_their_interval_and_a_whole_number():
    row = {"set": "extended", "agent": "m", "both": 0.25, "from": 0.125, "to": 0.5, "hyponyms": 92.8}
    found = shares_in_percent(
        pl.DataFrame([row]), pl.lit("both (%)"), "set", "both", n="hyponyms", units="words", bounds=("from", "to")
    )
    assert found.rows() == [("both (%)", "extended", "m", 25.0, 12.5, 50.0, 93, "words")]


def test_rows_without_a_printed_number_have_the_decimals_of_their_quantity_or_none():
    rows = [
        ("T1", "a", 0.25, None, None),
        (None, "a", None, None, None),
        (None, "b", None, None, None),
        ("T1", "c", 3.0, None, 0.5),
    ]
    table = pl.DataFrame(rows, schema=["where", "quantity", "value", "low", "high"], orient="row")
    assert decimals(table) == [2, 2, 0, 1]


def test_a_page_shows_no_column_without_a_value_and_bounds_in_one():
    rows = [("a", None, None, 0.5, None, None, None), ("b", 0.25, None, 0.75, 0.5, 1.0, None)]
    names = ["quantity", "low", "high", "ours", "ours_low", "ours_high", "note"]
    shown = page_table(pl.DataFrame(rows, schema=names, orient="row"), [2, 1])
    assert shown.columns == ["quantity", "range", "ours", "interval"]
    assert shown["range"].to_list()[0] is None
    assert shown["range"].to_list()[1].startswith("at least 0.")
    assert shown["interval"].to_list() == [None, "0.5 to 1.0"]
