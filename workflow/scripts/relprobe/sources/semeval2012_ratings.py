"""Files of SemEval-2012 Task 2 that a user or a baseline makes: ratings of pairs, and answers to the MaxDiff questions.

A line of a rating file holds a number and a pair in quotes. A line of an answer file holds six or seven quoted fields: the
four pairs of a question, the least and the most illustrative of them and, in the files of people, the relation. A file
holds one subcategory.
"""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from relprobe.core.csv_schema import real_number
from relprobe.core.errors import DataError
from relprobe.core.files import read_own_text
from relprobe.core.words import enumeration
from relprobe.sources.semeval2012 import QUOTED, Subcategory, lines, reverse

logger = logging.getLogger("relprobe")

FileKind = Literal["ratings", "answers"]
LINE = re.compile(r'\s*(\S+)\s+"([^"]*)"\s*')
ANSWER = re.compile(r'\s*("[^"]*"\s*){6,7}')
NAME = re.compile(r".*-(\d+[a-z])\.txt")
"""A name that ends with a subcategory, such as GoldRatings-1b.txt. A file of another name is known by its pairs."""


@dataclass(frozen=True)
class File:
    """A file of a subcategory, with ratings or with answers."""

    path: Path
    kind: FileKind
    subcategory: str


@dataclass(frozen=True)
class Choice:
    """An answer to a MaxDiff question: its pairs as the package orders them, and two of them, or "" for no choice."""

    question: tuple[str, ...]
    least: str
    most: str


def find(path: Path, subcategories: Mapping[str, Subcategory]) -> list[File]:
    """Return the rating and answer files at `path`: one file, or a folder with files in it and below it.

    The name of a file, such as MyRatings-1b.txt, says its subcategory. A file of any other name is of the subcategory that
    has all of its pairs. In a folder, files that hold neither ratings nor answers are passed over, and the log names them.

    DataError: there is no such file, the package has no subcategory of a file's name or pairs, the pairs of a file are those
    of several subcategories, or two files of one kind have the same subcategory.
    """
    paths = [path] if path.is_file() else sorted(table for table in path.rglob("[!.]*") if table.is_file())
    files: dict[tuple[FileKind, str], File] = {}
    for table in paths:
        kind = _kind(table)
        if kind is None and (table == path or NAME.fullmatch(table.name)):
            raise DataError(
                f'{table}: no line has the form 3.5 "tool:hammer" of a rating, nor that of an answer (four pairs, the least '
                "and the most illustrative of them, each in quotes): correct it."
            )
        if kind is None:
            logger.warning("%s holds neither ratings nor answers and is passed over", table)
            continue
        file = File(table, kind, _subcategory(table, subcategories))
        if (earlier := files.get((kind, file.subcategory))) is not None:
            raise DataError(
                f"{table} and {earlier.path} are both {kind} of subcategory {file.subcategory}: remove one."
            )
        files[kind, file.subcategory] = file
    if not files:
        raise DataError(f"{path} is no file of ratings or answers, nor a folder of them: give one of these.")
    return list(files.values())


def _kind(path: Path) -> FileKind | None:
    """Return what the first line of a file that has one of the two forms says; None if no line has."""
    for line in read_own_text(path).splitlines():
        if not line.startswith("#") and LINE.fullmatch(line):
            return "ratings"
        if not line.startswith("#") and ANSWER.fullmatch(line):
            return "answers"
    return None


def _subcategory(path: Path, subcategories: Mapping[str, Subcategory]) -> str:
    """Return the subcategory that the name or else the pairs of a file say; DataError as in `find`."""
    if match := NAME.fullmatch(path.name):
        if match[1] not in subcategories:
            raise DataError(f"{path}: there is no subcategory {match[1]}: rename the file.")
        return match[1]
    pairs = {pair: number for number, line in lines(path) for pair in QUOTED.findall(line)[:4]}
    shared = {name: len(pairs.keys() & subcategory.pairs.keys()) for name, subcategory in subcategories.items()}
    best = [name for name, count in shared.items() if count == max(shared.values())]
    unknown = [pair for pair in pairs if pair not in subcategories[best[0]].pairs]
    if unknown:
        raise DataError(
            f"{path}, line {pairs[unknown[0]]}: no subcategory has {unknown[0]!r} and the other pairs of the file; "
            f"{best[0]} has {shared[best[0]]} of {len(pairs)}: correct the pair, or write one subcategory into a file."
        )
    if len(best) > 1:
        raise DataError(
            f"{path}: its pairs are those of the subcategories {enumeration(best)}: name the file as Mine-{best[0]}.txt."
        )
    return best[0]


def baseline(folder: Path, name: str, subcategories: Mapping[str, Subcategory]) -> dict[str, dict[str, float]]:
    """Read the ratings of a baseline in SemEval-2012-Baselines, subcategory -> pair -> rating, for every subcategory.

    DataError: the baseline is not in `folder`, lacks a subcategory, or does not rate a pair.
    """
    folders = [path for path in folder.rglob(name) if path.is_dir()]
    if len(folders) != 1:
        raise DataError(
            f"{folder} holds no SemEval-2012-Baselines/{name}: put that package beside the other, "
            f"or take {name.lower()!r} out of degrees.baselines."
        )
    files = {file.subcategory: file.path for file in find(folders[0], subcategories) if file.kind == "ratings"}
    missing = [name for name in subcategories if name not in files]
    if missing:
        raise DataError(f"{folders[0]} has no ratings of subcategory {missing[0]}: get the package anew, whole.")
    return {name: read(files[name], subcategory) for name, subcategory in subcategories.items()}


def read(path: Path, subcategory: Subcategory, *, complete: bool = True) -> dict[str, float]:
    """Read the ratings of the pairs of a subcategory, pair -> rating, in the order of the subcategory's pairs.

    `complete`: whether every pair must have a rating. DataError, which names the line: a line has another form, a number is
    not finite, or a pair is reversed, unknown, rated twice or, if `complete`, missing.
    """
    ratings: dict[str, float] = {}
    for number, line in lines(path):
        where = f"{path}, line {number}"
        match = LINE.fullmatch(line)
        if not match:
            raise DataError(
                f'{where}: expected a number and a pair in quotes, such as 3.5 "tool:hammer", not {line!r}.'
            )
        pair = match[2]
        _check_pair(where, pair, subcategory)
        if pair in ratings:
            raise DataError(f"{where}: the pair {pair!r} was rated before: remove one of the two lines.")
        ratings[pair] = _number(where, match[1])
    for pair, line_number in subcategory.pairs.items():
        if complete and pair not in ratings:
            raise DataError(
                f"{path} does not rate the pair {pair!r} (line {line_number} of Phase1Answers-{subcategory.id}.txt): add it."
            )
    return {pair: ratings[pair] for pair in subcategory.pairs if pair in ratings}


def read_answers(path: Path, subcategory: Subcategory) -> Iterator[Choice]:
    """Read the answers to some or all MaxDiff questions of a subcategory; the pairs of a question may stand in any order.

    DataError, which names the line: a line has another form, its pairs are no question of the subcategory, a choice is none
    of its pairs, or a question is answered twice.
    """
    numbers: dict[tuple[str, ...], int] = {}
    for number, line in lines(path):
        where = f"{path}, line {number}"
        fields = QUOTED.findall(line)
        if not ANSWER.fullmatch(line) or not set(fields[4:6]) <= {*fields[:4], ""}:
            raise DataError(
                f"{where}: expected four pairs, and the least and the most illustrative of them, each in quotes, "
                f"not {line!r}."
            )
        question = _question(where, tuple(fields[:4]), subcategory)
        if question in numbers:
            raise DataError(f"{where}: line {numbers[question]} answers the same question: remove one of them.")
        numbers[question] = number
        yield Choice(question, fields[4], fields[5])


def _question(where: str, pairs: Sequence[str], subcategory: Subcategory) -> tuple[str, ...]:
    """Return the question with these pairs, in their order or else in any other."""
    same = [question for question in subcategory.questions if question == tuple(pairs)]
    same += [question for question in subcategory.questions if sorted(question) == sorted(pairs)]
    if not same:
        raise DataError(f"{where}: {subcategory.id} has no question about {', '.join(pairs)}: correct it.")
    return same[0]


def _check_pair(where: str, pair: str, subcategory: Subcategory) -> None:
    if pair in subcategory.pairs:
        return
    if reverse(pair) in subcategory.pairs:
        raise DataError(
            f"{where}: the pair {pair!r} is in the wrong order: subcategory {subcategory.id} has {reverse(pair)!r}."
        )
    raise DataError(f"{where}: {pair!r} is no pair of subcategory {subcategory.id}: correct it.")


def _number(where: str, text: str) -> float:
    value = real_number(text)
    if value is None:
        raise DataError(f"{where}: the rating {text!r} is not a number: correct it.")
    return value
