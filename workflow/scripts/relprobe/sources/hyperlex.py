"""HyperLex (Vulić et al. 2017): pairs of words, each with its relation and with people's ratings."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.csv_schema import real_number
from relprobe.core.errors import DataError
from relprobe.core.files import read_own_text
from relprobe.core.relation import TUPLES, Relation

COLUMNS = ["WORD1", "WORD2", "POS", "TYPE"]
LETTERS = {"noun": "N", "verb": "V"}
STEPS = re.compile(r"-\d+$")


def read(path: Path, relations: Iterable[Relation]) -> pl.DataFrame:
    r"""Return the tuples of `hyperlex-nouns.txt`, `hyperlex-verbs.txt` or `hyperlex-all.txt`, as TUPLES.

    A relation takes the pairs of its part of speech whose type is its name in HyperLex, whatever number of steps follows: of
    `hyp` the types hyp-1 to hyp-4 (X is a Y), of `r-hyp` their reverse, `mero` pairs are (part, whole). Pairs of other types
    are left out. DataError: the header or a line has another form.

    >>> from tempfile import TemporaryDirectory
    >>> hyp = Relation("HYP", "hypernymy", "HPO", sources={"hyperlex": "hyp"})
    >>> hol = Relation("HOL", "holonymy", "MER", sources={"hyperlex": "mero"})
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "hyperlex-nouns.txt")
    ...     _ = path.write_text("WORD1 WORD2 POS TYPE AVG_SCORE\nrobin bird N hyp-1 5.0\nwall house N mero 4.2\n")
    ...     read(path, [hyp, hol]).select("target", "relation", "relatum").rows()
    [('robin', 'HYP', 'bird'), ('wall', 'HOL', 'house')]
    """
    named = [relation for relation in relations if "hyperlex" in relation.sources]
    codes = {(LETTERS.get(relation.part_of_speech), relation.sources["hyperlex"]): relation.code for relation in named}
    rows = []
    for _, fields in _lines(path, COLUMNS):
        word1, word2, pos, kind = fields[:4]
        code = codes.get((pos, STEPS.sub("", kind)))
        if code is not None:
            rows.append((word1, code, word2, ["hyperlex"]))
    return pl.DataFrame(rows, schema=TUPLES, orient="row").unique(maintain_order=True)


def _lines(path: Path, columns: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield where each line is, and its fields, as many as columns or more. DataError: the first line is another one."""
    lines = read_own_text(path).splitlines()
    if not lines or lines[0].split()[: len(columns)] != columns:
        raise DataError(f"{path}: the first line does not start with {' '.join(columns)}: is this a HyperLex file?")
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split()
        if len(fields) < len(columns):
            raise DataError(f"{path}, line {number}: {len(fields)} fields where at least {len(columns)} are expected.")
        yield f"{path}, line {number}", fields


# The ratings, as the release has them: a file of all pairs, and those of two splits into three parts each.


RATED = [*COLUMNS, "AVG_SCORE", "AVG_SCORE_0_10", "STD"]
MOST = 6.0
"""The greatest rating: the second word is what the first one is a kind of."""
WHOLE = "hyperlex-all.txt"
"""The file of all pairs in the folder of the release."""
Split = Literal["none", "random", "lexical"]
PARTS = {"training": "training", "dev": "dev", "test": "test"}
"""The parts of a split, as the names of their files have them."""


class RatedPair(NamedTuple):
    """A pair with people's ratings of how much its first word is a type of the second one, from 0 to MOST.

    `kind`: its relation in WordNet, such as hyp, r-hyp (turned round), syn, ant, cohyp, mero and no-rel, without the
    number of steps. `spread`: the standard deviation of its ratings, as the file prints it. `ratings`: those of single
    people, which have no names; the file prints the mean of them with two decimals (`mean`).
    """

    first: str
    second: str
    part_of_speech: str  # N or V
    kind: str
    mean: float
    spread: float
    ratings: tuple[float, ...]


def read_ratings(path: Path) -> list[RatedPair]:
    r"""Return the pairs of a file of the release with their ratings.

    DataError, which names the line: another form, a rating is no number from 0 to MOST, a pair has none, or stands
    twice.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "hyperlex-all.txt")
    ...     _ = path.write_text(f"{' '.join(RATED)} SCORES..\nveal meat N hyp-1 5.5 9.17 0.5 6 5\n")
    ...     read_ratings(path)[0].kind
    'hyp'
    """
    pairs: dict[tuple[str, str, str], RatedPair] = {}
    for where, fields in _lines(path, RATED):
        first, second, pos, kind = fields[:4]
        numbers = [real_number(field) for field in (fields[4], fields[6], *fields[7:])]
        mean, spread, *ratings = (-1.0 if number is None else number for number in numbers)
        if not ratings or min(mean, spread, *ratings) < 0 or max(mean, *ratings) > MOST:
            raise DataError(f"{where}: the ratings are no numbers from 0 to {MOST:.0f}: is this a file of the release?")
        if (first, second, pos) in pairs:
            raise DataError(f"{where}: {first} {second} has ratings in an earlier line already: remove one of them.")
        named = (first, second, pos, STEPS.sub("", kind))
        pairs[first, second, pos] = RatedPair(*named, mean, spread, tuple(ratings))
    if not pairs:
        raise DataError(f"{path} holds no pairs: get the file again.")
    return list(pairs.values())


def parts_of(folder: Path, split: Split) -> dict[tuple[str, str, str], str]:
    """Return which part of a published split each pair is in: training, dev or test; none without a split.

    DataError: the folder has no file of a part.
    """
    parts: dict[tuple[str, str, str], str] = {}
    for part, name in PARTS.items() if split != "none" else ():
        files = sorted(folder.rglob(f"hyperlex_{name}_all_{split}.txt"))
        if not files:
            raise DataError(
                f"{folder} has no file hyperlex_{name}_all_{split}.txt: give the whole release, or take no split."
            )
        parts |= {(pair.first, pair.second, pair.part_of_speech): part for pair in read_ratings(files[0])}
    return parts
