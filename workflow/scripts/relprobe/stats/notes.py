"""The notes of tables: why a number is missing, or what bounds it. What writes them and what looks one up both stand here.

A note is a sentence for readers, and begins with what is missing where that is one of the kinds below. A cell with several
notes has them one after the other.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

import polars as pl

SEPARATOR = "; "
Kind = Literal["no p", "not testable"]
NO_P: Kind = "no p"
"""Our test has no p, as too little is independent."""
UNTESTABLE: Kind = "not testable"
"""The published method's test has none."""


def no_p(reason: str) -> str:
    """Return the note on a test of ours without a p."""
    return f"{NO_P}: {reason}"


def untestable(reason: str) -> str:
    """Return the note on a published method's test without a p."""
    return f"{UNTESTABLE}: {reason}"


def join_notes(notes: Iterable[str | None]) -> str | None:
    """Return some notes as the text of a cell; those that are missing or empty are left out.

    >>> join_notes(["no p: 2 clusters are there", None, "", "one prompt"]), join_notes([None])
    ('no p: 2 clusters are there; one prompt', None)
    """
    return SEPARATOR.join(filter(None, notes)) or None


def join_note_columns(*columns: pl.Expr | str) -> pl.Expr:
    """Return columns of notes as one, as `join_notes` does with the notes of a row."""
    text = pl.concat_str(*columns, separator=SEPARATOR, ignore_nulls=True)
    return pl.when(text != "").then(text)


def notes_in(text: str | None) -> list[str]:
    """Return the notes of a cell.

    >>> notes_in("no p: 2 clusters are there; one prompt"), notes_in(None)
    (['no p: 2 clusters are there', 'one prompt'], [])
    """
    return text.split(SEPARATOR) if text else []


def has_note(text: str | None, note: str) -> bool:
    """Return whether a cell has a note, word by word."""
    return note in notes_in(text)


def note_on_p(text: str | None) -> str:
    """Return why a test has no p: the note of that kind, or else the first one, "" if there is none.

    >>> note_on_p("no interval: too few; no p: 2 clusters are there"), note_on_p("no unit in common"), note_on_p(None)
    ('no p: 2 clusters are there', 'no unit in common', '')
    """
    notes = notes_in(text)
    return next(_notes_of_kind(notes, NO_P), notes[0] if notes else "")


def reason_in(note: str) -> str:
    """Return the reason that a note gives: what stands behind its kind; all of it if it has none.

    >>> reason_in(untestable("all pairs are equal")), reason_in("no unit in common")
    ('all pairs are equal', 'no unit in common')
    """
    kind, colon, reason = note.partition(": ")
    return reason if colon and kind in (NO_P, UNTESTABLE) else note


def without_notes(column: pl.Expr, notes: Collection[str]) -> pl.Expr:
    """Return a column of notes without some of them; missing where no other is left."""
    remaining = column.str.split(SEPARATOR).list.eval(pl.element().filter(~pl.element().is_in(list(notes))))
    return pl.when(remaining.list.len() > 0).then(remaining.list.join(SEPARATOR))


def _notes_of_kind(notes: Iterable[str], kind: Kind) -> Iterator[str]:
    return (note for note in notes if note.startswith(f"{kind}: "))
