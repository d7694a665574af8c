"""A user's own analogies, from a CSV file: pairs of words by relation."""

from pathlib import Path

import polars as pl

from relprobe.core.csv_schema import CsvSchema, Once, Spellings
from relprobe.core.errors import DataError
from relprobe.core.words import enumeration
from relprobe.sources.bats import PAIRS
from relprobe.sources.written import checked_word

SCHEMA = CsvSchema(("relation", "group", "head", "tails"), ("marks",))
MARKS = ("many", "bidirectional")
"""What a relation may be marked as: another tail, or the reversed pair, may be right as well."""
OWN = pl.Schema({**PAIRS, "group": pl.String(), "marks": pl.List(pl.String())})
LEAST = 6
"""Pairs of a relation: three for training and three for the test."""


def read(path: Path) -> pl.DataFrame:
    r"""Return the pairs of a CSV file with the columns relation, group, head and tails, and optionally marks (OWN).

    "/" stands between several tails of a head, the first choice first. The marks of a relation are those of all of its
    lines: many, bidirectional, or both with a blank between them. DataError, which names the line: another form, a
    field is empty, a mark is unknown, a head comes twice, or a relation is in two groups; or a relation has fewer than
    six pairs.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     lines = ["relation,group,head,tails", *(f"sound,animals,animal{n},bark/growl" for n in range(6))]
    ...     _ = path.write_text("\n".join(lines))
    ...     read(path).row(0)
    ('sound', 'sound', 'animal0', ['bark', 'growl'], 'animals', [])
    """
    once, names = Once(), (Spellings("the relation"), Spellings("the group"))
    group_of: dict[str, str] = {}
    marks_of: dict[str, set[str]] = {}
    tails_of: dict[str, dict[str, list[str]]] = {}
    for row in SCHEMA.read(path).rows:
        relation, group, head, tails, marks = (row.cells[name] for name in (*SCHEMA.columns, *SCHEMA.optional))
        answers = list(dict.fromkeys(checked_word(tail, row.where) for tail in tails.split("/") if tail.strip()))
        _check(row.where, relation, group, head, answers, marks.split())
        head = checked_word(head, row.where)
        for spellings, name in zip(names, (relation, group), strict=True):
            spellings.add(name, row)
        if group_of.setdefault(relation, group) != group:
            raise DataError(
                f"{row.where}: {relation} is in the group {group_of[relation]!r} above, not {group!r}: take one."
            )
        once.add((relation, head), row, f"the head {head!r} of {relation} is", 'unite its tails with "/"')
        tails_of.setdefault(relation, {})[head] = answers
        marks_of.setdefault(relation, set()).update(marks.split())
    few = [relation for relation, tails in tails_of.items() if len(tails) < LEAST]
    if few or not tails_of:
        fault = f"{few[0]} has {len(tails_of[few[0]])} pairs" if few else "there are no pairs"
        raise DataError(f"{path}: {fault}, but a relation needs {LEAST}, three for training and three for the test.")
    return pl.DataFrame(
        [
            (relation, relation, head, answers, group_of[relation], sorted(marks_of[relation]))
            for relation, tails in tails_of.items()
            for head, answers in tails.items()
        ],
        schema=OWN,
        orient="row",
    )


def _check(where: str, relation: str, group: str, head: str, answers: list[str], marks: list[str]) -> None:
    if not (relation and group and head and answers):
        raise DataError(f"{where}: relation, group, head and tails must not be empty.")
    if relation in ("All", "unmarked") or group in ("All", "unmarked") or relation == group:
        raise DataError(
            f"{where}: relation and group must differ, and none of them may be All or unmarked: rename one."
        )
    if unknown := [word for word in marks if word not in MARKS]:
        raise DataError(f"{where}: unknown mark {unknown[0]!r}; known are {enumeration(MARKS)}.")
