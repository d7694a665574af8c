"""A user's own judged pairs of words, from a CSV file: whether they are related, or how much, perhaps rater by rater."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from relprobe.core.csv_schema import CsvSchema, Once, Row, Spellings, folded_name, real_number
from relprobe.core.errors import DataError
from relprobe.sources.exported import Layout, further_cells
from relprobe.sources.written import checked_word

SCHEMA = CsvSchema(("relation", "target", "candidate"), ("label", "rating", "kind", "rater"), other_columns=True)
ANSWERS = CsvSchema(SCHEMA.columns, ("label", "rating", "choice", "kind", "rater"), other_columns=True)
"""The table of people's answers, who may also have chosen a word."""
YES, NO = ("yes", "true", "1"), ("no", "false", "0")
"""How a label or a choice is written, in any case."""


class JudgedPair(NamedTuple):
    """A judgment of a pair: a label, a rating or both, by a rater, or by all of them where there are no raters.

    `chosen`: whether the rater chose the candidate among words that were shown with the target; None: was not asked to.
    """

    relation: str
    target: str
    candidate: str
    label: bool | None
    rating: float | None
    kind: str
    rater: str
    chosen: bool | None = None


def read(path: Path, scale: tuple[float, float] | None = None) -> list[JudgedPair]:
    r"""Return the rows of a CSV file with the columns relation, target and candidate, and label, rating, kind and rater.

    The rows are in the order of their relations and words, whatever that of the file.
    A file has labels (yes or no), ratings (numbers of any scale), or both, and then in every row. `kind` names what a pair
    without the relation is, such as a foil; `rater` whose judgment it is. A word may be a phrase. `scale`: the lowest and
    the highest rating that there can be; None: any can.
    DataError, which names the line: another form, an empty field, a label that is neither yes nor no, a rating that is no
    number or lies outside the scale, a pair that is judged twice, or one of several kinds.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("relation,target,candidate,label\nHYP,robin,bird,yes\n")
    ...     read(path)
    [JudgedPair(relation='HYP', target='robin', candidate='bird', label=True, rating=None, kind='', rater='', chosen=None)]
    """
    return _read(path, SCHEMA, scale)


def read_answers(path: Path, scale: tuple[float, float] | None = None) -> list[JudgedPair]:
    r"""Return the rows of a CSV file of people's answers: as `read`, and with the column choice.

    choice says yes of the candidate that the rater chose among words that were shown with the target; the others may have
    rows with no. DataError as of `read`, or if a rater chose two words, or none, for one target.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("relation,target,candidate,choice,rater\nHYP,robin,bird,yes,ann\n")
    ...     read_answers(path)[0].chosen
    True
    """
    answers = _read(path, ANSWERS, scale)
    chosen: dict[tuple[str, str, str], int] = {}
    for answer in answers:
        if answer.chosen is not None:
            asked = answer.relation, answer.target, answer.rater
            chosen[asked] = chosen.get(asked, 0) + answer.chosen
    for (relation, target, rater), number in chosen.items():
        if number != 1:
            by = f" by {rater!r}" if rater else ""
            remedy = "" if rater else ", or name the raters in a column rater"
            raise DataError(
                f"{path}: of {relation} and {target!r}, {number} words are chosen{by}: give one of them the choice yes"
                f"{remedy}."
            )
    return answers


def read_further(
    path: Path, resource: str, layout: Layout, *, answers: bool
) -> Iterator[tuple[JudgedPair, dict[str, str]]]:
    """Yield each row of a file that `read` or, of `answers`, `read_answers` reads, with what its further columns say.

    `resource`: the entry of `resources` that names the file and the columns (`layout`). DataError: as for the cells of
    `exported.further_cells`.
    """
    schema = ANSWERS if answers else SCHEMA
    for row in schema.read(path).rows:
        yield _pair(row, schema), further_cells(row, resource, layout)


def _read(path: Path, schema: CsvSchema, scale: tuple[float, float] | None) -> list[JudgedPair]:
    table = schema.read(path)
    rows = table.rows
    if schema is SCHEMA and "choice" in map(folded_name, table.names):
        raise DataError(
            f"{path}: the first line has the column 'choice', too: name the file as resources.pair_answers, whose people "
            "may have chosen words, or delete the column."
        )
    once, names, kinds = Once(), (Spellings("the relation"), Spellings("the rater")), dict[tuple[str, str, str], str]()
    pairs = []
    for row in rows:
        pair = _pair(row, schema)
        if scale is not None and pair.rating is not None and not scale[0] <= pair.rating <= scale[1]:
            raise DataError(
                f"{row.where}: the rating {row.cells['rating']} lies outside the scale of pairs.scale, {scale[0]} to "
                f"{scale[1]}: correct the rating, or the scale."
            )
        by = f" by {pair.rater!r}" if pair.rater else ""
        shown = f"{pair.target!r} with {pair.candidate!r} is judged{by}"
        remedy = "remove one of them" if pair.rater else "remove one of them, or name the raters in a column rater"
        once.add((pair.relation, pair.target, pair.candidate, pair.rater), row, shown, remedy)
        for spellings, name in zip(names, (pair.relation, pair.rater), strict=True):
            spellings.add(name, row)
        if kinds.setdefault((pair.relation, pair.target, pair.candidate), pair.kind) != pair.kind:
            raise DataError(
                f"{row.where}: {pair.target!r} with {pair.candidate!r} has another kind before: write one of them."
            )
        pairs.append(pair)
    if not pairs:
        raise DataError(f"{path} holds no pairs: add a line such as HYP,robin,bird,yes.")
    _check_whole(path, pairs)
    return sorted(pairs, key=lambda pair: (pair.relation, pair.target, pair.candidate, pair.rater))


def _pair(row: Row, schema: CsvSchema) -> JudgedPair:
    relation, target, candidate, label, rating, kind, rater = (
        row.cells[name] for name in (*SCHEMA.columns, *SCHEMA.optional)
    )
    choice = row.cells.get("choice", "")
    if not relation or not target or not candidate:
        raise DataError(f"{row.where}: relation, target and candidate must not be empty.")
    words = [checked_word(word, row.where) for word in (target, candidate)]
    if words[0] == words[1]:
        raise DataError(f"{row.where}: {words[0]!r} is paired with itself: remove the line.")
    answer, chosen = (_yes_or_no(row, name, text) for name, text in (("label", label), ("choice", choice)))
    number = real_number(rating) if rating else None
    if rating and number is None:
        raise DataError(
            f"{row.where}: the rating {rating!r} is not a number: correct it, with a point before decimals."
        )
    if answer is None and number is None and chosen is None:
        more = ", nor a choice" if schema is ANSWERS else ""
        raise DataError(f"{row.where}: the pair has neither a label nor a rating{more}: give one, or remove the line.")
    return JudgedPair(relation, words[0], words[1], answer, number, kind, rater, chosen)


def _yes_or_no(row: Row, name: str, text: str) -> bool | None:
    """Return what a cell says, None if it is empty. DataError: it is neither yes nor no."""
    answer = text.casefold()
    if answer and answer not in (*YES, *NO):
        raise DataError(f"{row.where}: the {name} {text!r} is neither yes nor no: correct it.")
    return answer in YES if answer else None


def _check_whole(path: Path, pairs: list[JudgedPair]) -> None:
    """Check that all rows of a relation have what some have. DataError: one lacks its label, rating or rater.

    A row with a choice needs neither a label nor a rating, as people may be asked about other pairs then.
    """
    for name in ("label", "rating", "rater"):
        for relation in dict.fromkeys(pair.relation for pair in pairs):
            rows = [pair for pair in pairs if pair.relation == relation and (name == "rater" or pair.chosen is None)]
            values = [getattr(pair, name) not in (None, "") for pair in rows]
            if any(values) and not all(values):
                raise DataError(
                    f"{path}: of {relation}, some pairs have a {name} and others have none: give it to all."
                )
