"""The file that describes the relations: a sentence about a pair for each, and for own data also its paradigms."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml

X, Y = "[X]", "[Y]"
KEYS = ("description", "paradigms", "class", "training", "reversed")
PAIR = re.compile(r"[^:\s][^:]*:[^:\s][^:]*")


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
