"""Notes: what one function writes, another one finds again, alone or among others."""

import re

import polars as pl
import pytest
from relprobe.stats import ALL_VALUES
from relprobe.stats.notes import (
    has_note,
    join_note_columns,
    join_notes,
    no_p,
    note_on_p,
    notes_in,
    reason_in,
    untestable,
    without_notes,
)
from relprobe.studies.relations.analyses.published import NOTES_ON_NORMS

from tests.paths import ROOT

OTHERS = (None, "no interval: fewer than two clusters", "no phi: all answers are right", ALL_VALUES)


@pytest.mark.parametrize("before", OTHERS)
@pytest.mark.parametrize("behind", OTHERS)
def test_the_note_on_p_is_found_among_others(before, behind):
    text = join_notes([before, no_p("2 clusters are there"), behind])
    assert note_on_p(text) == "no p: 2 clusters are there"
    assert reason_in(note_on_p(text)) == "2 clusters are there"


def test_without_a_note_on_p_it_is_the_first_one():
    assert note_on_p(join_notes(["no unit in common", "one prompt"])) == "no unit in common"
    assert note_on_p("no phi: all answers are right") == "no phi: all answers are right"
    assert note_on_p(None) == note_on_p("") == ""


@pytest.mark.parametrize("note", ["no unit in common", "a: b", ""])
def test_a_note_without_a_kind_is_its_reason(note):
    assert reason_in(note) == note
    assert reason_in(untestable(note)) == reason_in(no_p(note)) == note


def test_a_note_is_found_word_by_word():
    text = join_notes(["1 cluster differs", ALL_VALUES])
    assert has_note(text, ALL_VALUES)
    assert not has_note(text, ALL_VALUES[:-1])
    assert not has_note(None, ALL_VALUES)
    assert notes_in(text) == ["1 cluster differs", ALL_VALUES]


def test_columns_are_joined_and_reduced_as_single_notes_are():
    rows = [("a", "b"), (None, "b"), ("", None), (None, None), ("a; c", "a")]
    table = pl.DataFrame(rows, schema=["x", "y"], orient="row").with_columns(z=join_note_columns("x", "y"))
    assert table["z"].to_list() == [join_notes(row) for row in rows] == ["a; b", "b", None, None, "a; c; a"]
    assert table.select(without_notes(pl.col("z"), ["a", "b"]))["z"].to_list() == [None, None, None, None, "c"]


def test_what_the_file_of_the_paper_notes_of_norms_is_known_word_by_word():
    text = (ROOT / "resources/published/relations.csv").read_text("utf-8")
    notes = pl.read_csv(text.encode(), comment_prefix="#")["note"].drop_nulls().unique()
    assert {note for text in notes for note in notes_in(text) if "category norms" in note} == {*NOTES_ON_NORMS}


LOOKING = re.compile(
    r"""note.*\.(startswith|starts_with|removeprefix|contains)\(|split\("; "\)|\bin .*(\.get\(|\[)"(paper_)?note\""""
)
"""Lines that read a note by its words."""


@pytest.mark.parametrize(
    "line",
    [
        'notes = str(row.get("note") or "").split("; ")',
        'reason = next((note for note in notes if note.startswith("no p")), "")',
        'if row["low"] is None or ALL_VALUES in (row.get("note") or ""):',
        'return str(row["note"]).removeprefix("not testable: ")',
        'few = pl.col("note").str.contains("clusters")',
    ],
)
def test_a_line_that_reads_a_note_is_seen(line):
    assert LOOKING.search(line)


def test_no_other_module_reads_a_note_by_its_words():
    package = ROOT / "workflow/scripts/relprobe"
    modules = [path for path in package.rglob("*.py") if path != package / "stats/notes.py"]
    lines = [(path.name, line) for path in modules for line in path.read_text("utf-8").splitlines()]
    assert len(modules) > 300
    assert [found for found in lines if LOOKING.search(found[1])] == []
