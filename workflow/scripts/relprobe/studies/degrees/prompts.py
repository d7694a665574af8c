"""Relation schemas as sentences: the file that holds them, and the pairs put into them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from relprobe.core.errors import DataError
from relprobe.core.files import read_yaml
from relprobe.lm.requests import SLOT

X, Y = "[X]", "[Y]"


@dataclass(frozen=True)
class Filled:
    """A sentence with a pair in it, and the (start, stop) of its two words in characters."""

    text: str
    x: tuple[int, int]
    y: tuple[int, int]


def read(path: Path, subcategories: Collection[str]) -> dict[str, str]:
    """Read a prompt file: subcategory -> sentence with one [X] and one [Y].

    DataError: the file holds no mapping, lacks a subcategory, or a sentence has not exactly one [X] and one [Y].

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     print("1b: '[Y] functions as [X]'", file=file, flush=True)
    ...     read(Path(file.name), ["1b"])
    {'1b': '[Y] functions as [X]'}
    """
    content = read_yaml(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: expected a sentence per subcategory, such as 1b: '[Y] functions as [X]'.")
    for name in subcategories:
        text = content.get(name)
        if not isinstance(text, str) or text.count(X) != 1 or text.count(Y) != 1:
            raise DataError(f"{path}: {name} must be a sentence with one {X} and one {Y}, not {text!r}.")
    return {name: content[name] for name in subcategories}


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
