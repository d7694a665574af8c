"""Relation schemas as sentences: the file that holds them, and the pairs put into them."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml
from relprobe.lm.requests import SLOT

X, Y = "[X]", "[Y]"
KEYS = ("description", "paradigms", "class", "training", "reversed")
PAIR = re.compile(r"[^:\s][^:]*:[^:\s][^:]*")


@dataclass(frozen=True)
class Filled:
    """A sentence with a pair in it, and the (start, stop) of its two words in characters."""

    text: str
    x: tuple[int, int]
    y: tuple[int, int]


@dataclass(frozen=True)
class Relation:
    """What a prompt file says about a relation: its sentence, and for own data also the rest."""

    description: str  # a sentence with one [X] and one [Y]
    paradigms: tuple[str, ...] = ()
    relation_class: str = ""
    training: bool = False
    reversed: tuple[str, ...] = ()  # pairs that reverse another pair


def read(path: Path, subcategories: Collection[str]) -> dict[str, str]:
    """Read the sentences of a prompt file: subcategory -> sentence with one [X] and one [Y]. DataError: see `relations`.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     print("1b: '[Y] functions as [X]'", file=file, flush=True)
    ...     read(Path(file.name), ["1b"])
    {'1b': '[Y] functions as [X]'}
    """
    return {name: relation.description for name, relation in relations(path, subcategories).items()}


def relations(path: Path, names: Collection[str]) -> dict[str, Relation]:
    """Read what a prompt file says about some relations. A relation is a sentence, or a mapping with its description.

    DataError: the file holds no mapping, lacks a relation, a sentence has not exactly one [X] and one [Y], a key is unknown,
    or a paradigm is not two words with a colon between them.
    """
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected a sentence per subcategory, such as 1b: '[Y] functions as [X]'.")
    return {name: _relation(path, name, content.get(name)) for name in names}


def _relation(path: Path, name: str, value: object) -> Relation:
    entry = value if isinstance(value, dict) else {"description": value}
    text = entry.get("description")
    if not isinstance(text, str) or text.count(X) != 1 or text.count(Y) != 1:
        raise DataError(f"{path}: {name} must be a sentence with one {X} and one {Y}, not {text!r}.")
    if unknown := [key for key in entry if key not in KEYS]:
        raise DataError(f"{path}: {name} has the unknown key {unknown[0]!r}; known are {', '.join(KEYS)}.")
    pairs: dict[str, Any] = {key: entry.get(key, []) for key in ("paradigms", "reversed")}
    for key, of_key in pairs.items():
        if not isinstance(of_key, list) or not all(isinstance(pair, str) and PAIR.fullmatch(pair) for pair in of_key):
            raise DataError(f"{path}: {key} of {name} must be a list of pairs such as 'weapon:knife', not {of_key!r}.")
    training, relation_class = entry.get("training", False), entry.get("class", "")
    if not isinstance(training, bool) or not isinstance(relation_class, str):
        raise DataError(f"{path}: of {name}, training must be true or false, and class a word.")
    return Relation(text, tuple(pairs["paradigms"]), relation_class, training, tuple(pairs["reversed"]))


def fill(template: str, x: str, y: str) -> Filled:
    """Put a pair into a template.

    >>> fill("[Y] functions as [X]", "tool", "hammer")
    Filled(text='hammer functions as tool', x=(20, 24), y=(0, 6))
    """
    first, second = sorted([(template.index(X), X, x), (template.index(Y), Y, y)])
    start = first[0]
    shift = len(first[2]) - len(first[1])
    spans = {
        first[1]: (start, start + len(first[2])),
        second[1]: (second[0] + shift, second[0] + shift + len(second[2])),
    }
    return Filled(template.replace(X, x).replace(Y, y), spans[X], spans[Y])


def analogy(paradigms: Sequence[str]) -> str:
    """Return the analogy of a subcategory's paradigms, which ends in a slot for another pair.

    >>> analogy(["a:b", "c:d"])
    'a is to b as c is to d as [V]'
    """
    return " as ".join([*map(clause, paradigms), SLOT])


def clause(pair: str) -> str:
    """Return a pair as a clause of an analogy.

    >>> clause("x:y")
    'x is to y'
    """
    return " is to ".join(pair.split(":"))
