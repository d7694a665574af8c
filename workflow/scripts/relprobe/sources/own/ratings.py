"""A user's own graded ratings of word pairs, from a CSV file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from relprobe.core.csv_schema import CsvSchema, Once, Spellings, real_number
from relprobe.core.errors import DataError
from relprobe.sources.exported import Layout, further_cells
from relprobe.sources.written import checked_word

SCHEMA = CsvSchema(("relation", "pair", "rating"), ("rater",), other_columns=True)


@dataclass(frozen=True)
class Rating:
    """One rating of a pair "x:y", by a rater or, if the file names none, by all of them."""

    relation: str
    pair: str
    rating: float
    rater: str


def read(path: Path) -> list[Rating]:
    r"""Return the rows of a CSV file with the columns relation, pair and rating, and optionally rater, by the alphabet.

    A word of a pair may have blanks inside it. DataError, which names the line: another form, a field is missing, a
    relation has a blank in its name, a pair is not two words with a colon between them, a rating is no number, or a rater
    rates a pair twice (without raters: the pair comes twice).

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "own.csv")
    ...     _ = path.write_text("relation,pair,rating\ntool,tool:hammer,6.5\n")
    ...     read(path)
    [Rating(relation='tool', pair='tool:hammer', rating=6.5, rater='')]
    """
    once, ratings, names = Once(), [], (Spellings("the relation"), Spellings("the rater"))
    for row in SCHEMA.read(path).rows:
        rating = _rating(row.where, *(row.cells[name] for name in (*SCHEMA.columns, *SCHEMA.optional)))
        by, remedy = (f" by {rating.rater!r}", "") if rating.rater else ("", ", or name the raters in a column rater")
        once.add(
            (rating.relation, rating.pair, rating.rater),
            row,
            f"{rating.pair!r} is rated{by}",
            f"remove one of them{remedy}",
        )
        for spellings, name in zip(names, (rating.relation, rating.rater), strict=True):
            spellings.add(name, row)
        ratings.append(rating)
    if not ratings:
        raise DataError(f"{path} holds no ratings: add a line such as tool,tool:hammer,6.5.")
    return sorted(ratings, key=lambda rating: (rating.relation, rating.pair, rating.rater))


def read_further(path: Path, resource: str, layout: Layout) -> Iterator[tuple[Rating, dict[str, str]]]:
    """Yield each rating of a file with what its further columns say (`exported.further_cells`)."""
    for row in SCHEMA.read(path).rows:
        rating = _rating(row.where, *(row.cells[name] for name in (*SCHEMA.columns, *SCHEMA.optional)))
        yield rating, further_cells(row, resource, layout)


def _rating(where: str, relation: str, pair: str, rating: str, rater: str) -> Rating:
    words = [checked_word(word, where) if word.strip() else "" for word in pair.split(":")]
    if not relation or len(relation.split()) > 1:
        raise DataError(f"{where}: the relation {relation!r} must be a name without blanks.")
    if len(words) != 2 or not all(words):
        raise DataError(f"{where}: expected two words with a colon between them, such as tool:hammer, not {pair!r}.")
    value = real_number(rating)
    if value is None:
        raise DataError(f"{where}: the rating {rating!r} is not a number: correct it, with a point before decimals.")
    return Rating(relation, ":".join(words), value, rater)
