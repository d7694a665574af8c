"""Rating files of SemEval-2012 Task 2: a subcategory is a file, and a line holds a number and a pair in quotes."""

import math
import re
from collections.abc import Mapping
from pathlib import Path

from relprobe.core.errors import DataError
from relprobe.sources.semeval2012 import Subcategory, lines, reverse

LINE = re.compile(r'\s*(\S+)\s+"([^"]*)"\s*')
NAME = re.compile(r".*-(\d+[a-z])\.txt")
"""The name of a file ends with its subcategory, such as GoldRatings-1b.txt."""


def find(path: Path, subcategories: Mapping[str, Subcategory]) -> dict[str, Path]:
    """Return the rating files, subcategory -> file. `path` is one such file, or a folder with files in it and below it.

    DataError: there is no rating file, the package has no subcategory of a file's name, or a subcategory has two files.
    """
    files = [path] if path.is_file() else sorted(path.rglob("*.txt"))
    pairs = [(match[1], file) for file in files if (match := NAME.fullmatch(file.name))]
    if not pairs:
        raise DataError(
            f"{path} is no rating file, nor a folder of them: give files whose names end as MyRatings-1b.txt does."
        )
    of_subcategory: dict[str, Path] = {}
    for name, file in pairs:
        if name not in subcategories:
            raise DataError(f"{file}: there is no subcategory {name}: rename the file.")
        if name in of_subcategory:
            raise DataError(f"{file} and {of_subcategory[name]} are both of subcategory {name}: remove one.")
        of_subcategory[name] = file
    return of_subcategory


def baseline(folder: Path, name: str, subcategories: Mapping[str, Subcategory]) -> dict[str, dict[str, float]]:
    """Read the ratings of a baseline in SemEval-2012-Baselines, subcategory -> pair -> rating, for every subcategory.

    DataError: the baseline is not in `folder`, or lacks a subcategory.
    """
    places = [path for path in folder.rglob(name) if path.is_dir()]
    if len(places) != 1:
        raise DataError(
            f"{folder} holds no SemEval-2012-Baselines/{name}: put that package beside the other, "
            f"or take {name.lower()!r} out of degrees.baselines."
        )
    files = find(places[0], subcategories)
    missing = [name for name in subcategories if name not in files]
    if missing:
        raise DataError(f"{places[0]} has no ratings of subcategory {missing[0]}: get the package anew, whole.")
    return {name: read(files[name], subcategory) for name, subcategory in subcategories.items()}


def read(path: Path, subcategory: Subcategory) -> dict[str, float]:
    """Read the rating of every pair of a subcategory, pair -> rating, in the order of the subcategory's pairs.

    DataError, which names the line: a line has another form, a number is not finite, or a pair is reversed, unknown, rated
    twice or missing.
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
        if pair not in ratings:
            raise DataError(
                f"{path} does not rate the pair {pair!r} (line {line_number} of Phase1Answers-{subcategory.id}.txt): add it."
            )
    return {pair: ratings[pair] for pair in subcategory.pairs}


def _check_pair(where: str, pair: str, subcategory: Subcategory) -> None:
    if pair in subcategory.pairs:
        return
    if reverse(pair) in subcategory.pairs:
        raise DataError(
            f"{where}: the pair {pair!r} is in the wrong order: subcategory {subcategory.id} has {reverse(pair)!r}."
        )
    raise DataError(f"{where}: {pair!r} is no pair of subcategory {subcategory.id}: correct it.")


def _number(where: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{where}: the rating {text!r} is not a number: correct it.")
    return value
