"""The relations of the study: those of the task's package, or a user's own, and the sentences that describe them."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from relprobe.core.errors import DataError
from relprobe.core.files import Format, Text, read_yaml
from relprobe.core.manifest import fetched_folder, only_file
from relprobe.core.words import amount
from relprobe.sources import semeval2012
from relprobe.sources.own import ratings as own_ratings
from relprobe.sources.semeval2012 import Subcategory, reverse
from relprobe.studies.degrees.requests import X, Y

# A template of own data, which `own` reads.


RATINGS = """relation,pair,rating,rater
function,tool:hammer,7,ann
function,tool:hammer,6,bob
function,seat:chair,5,ann
function,seat:chair,6,bob
function,food:apple,2,ann
function,food:apple,3,bob
function,hammer:tool,1,ann
function,hammer:tool,1,bob
"""
RELATIONS = """# A relation of the ratings has a description, a sentence about one pair, [X] and [Y], and paradigms.
function:
  description: "[Y] functions as [X]"
  paradigms: ["weapon:knife", "vehicle:car"]
  class: inclusion # optional: averages stand per class; without it, the relation is its own class
  training: false # optional: true keeps the relation for the choice of a rater
  reversed: ["hammer:tool"] # optional: pairs that turn another pair of the ratings round
"""


class Template(NamedTuple):
    """A CSV file of ratings, and a YAML file of the relations that they are about."""

    ratings: Text
    relations: Text


def template() -> Template:
    """Write a template of own data: a CSV file of ratings, and a YAML file of the relations that they are about."""
    return Template(RATINGS, RELATIONS)


# The file that describes the relations: a sentence about a pair for each, and for own data also its paradigms.


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


def read_descriptions(path: Path, subcategories: Collection[str]) -> dict[str, str]:
    """Read the sentences of a prompt file: subcategory -> sentence with one [X] and one [Y]. DataError: see `relations`.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
    ...     print("1b: '[Y] functions as [X]'", file=file, flush=True)
    ...     read_descriptions(Path(file.name), ["1b"])
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
    for key, key_pairs in pairs.items():
        if not isinstance(key_pairs, list) or not all(
            isinstance(pair, str) and PAIR.fullmatch(pair) for pair in key_pairs
        ):
            raise DataError(
                f"{path}: {key} of {name} must be a list of pairs such as 'weapon:knife', not {key_pairs!r}."
            )
    training, relation_class = entry.get("training", False), entry.get("class", "")
    if not isinstance(training, bool) or not isinstance(relation_class, str):
        raise DataError(f"{path}: of {name}, training must be true or false, and class a word.")
    return Relation(text, tuple(pairs["paradigms"]), relation_class, training, tuple(pairs["reversed"]))


# The relations of the study: those of the task's package, or a user's own.


OWN = "own_ratings"
"""The resource with own ratings; it takes the place of the package."""


def read_relations(
    manifest: Path, prompts: Path | None = None, *, paradigms: Literal["mended", "printed"] = "mended"
) -> list[Subcategory]:
    """Read the relations of a fetched resource: own ratings with their prompt file, or the task's package.

    `manifest`: that of resources.own_ratings or resources.semeval2012. `paradigms`: whether the package's typing error in a
    paradigm of 2b is mended, or kept as it is printed. DataError: see semeval2012.read and `own`.
    """
    if manifest.stem == OWN and prompts is not None:
        return read_own(only_file(manifest), prompts)
    return semeval2012.read(fetched_folder(manifest), mended=paradigms == "mended")


def read_printed(manifest: Path) -> list[Subcategory]:
    """Read the relations of the task's package with its paradigms as they are printed (`read_relations`)."""
    return read_relations(manifest, paradigms="printed")


Relations = Annotated[list[Subcategory], Format(read_relations)]
PrintedRelations = Annotated[list[Subcategory], Format(read_printed)]
"""Those of the task's package, with a paradigm's typing error."""


def read_own(ratings: Path, prompts: Path) -> list[Subcategory]:
    """Read own ratings (CSV) and the relations that they are about (YAML); the order is that of the alphabet.

    DataError: a line or a relation is wrong, a relation has fewer than three pairs or no paradigm but a pair that is rated
    itself, or a pair that `reversed` names is no pair, or reverses none.
    """
    rows = own_ratings.read(ratings)
    values: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        values.setdefault(row.relation, {}).setdefault(row.pair, []).append(row.rating)
    described = relations(prompts, list(values))
    for name, rated_pairs in values.items():
        if len(rated_pairs) < 3:
            raise DataError(
                f"{ratings}: {name} has {amount(len(rated_pairs), 'pair')}, but a correlation needs three: add some."
            )
        if not described[name].paradigms:
            raise DataError(f"{prompts}: {name} has no paradigms: add one, such as paradigms: ['weapon:knife'].")
        if len(set(described[name].paradigms)) == 1 and described[name].paradigms[0] in rated_pairs:
            raise DataError(
                f"{prompts}: the only paradigm of {name}, {described[name].paradigms[0]}, is among its rated pairs, and a "
                "pair is not compared with itself: add another paradigm."
            )
        wrong = [pair for pair in described[name].reversed if not {pair, reverse(pair)} <= rated_pairs.keys()]
        if wrong:
            raise DataError(
                f"{prompts}: {name} has no ratings of both {wrong[0]} and {reverse(wrong[0])}: correct `reversed`."
            )
    return [_subcategory(name, described[name], rated_pairs) for name, rated_pairs in values.items()]


def _subcategory(name: str, relation: Relation, ratings: Mapping[str, Sequence[float]]) -> Subcategory:
    """Return a relation of own data in the form of the task's relations; it has no MaxDiff questions."""
    return Subcategory(
        id=name,
        relation_class=relation.relation_class or name,
        name=name,
        schema=relation.description,
        training=relation.training,
        paradigms=relation.paradigms,
        options=(),
        answer="",
        pairs={pair: number for number, pair in enumerate(ratings, start=1)},
        reversals={pair: reverse(pair) for pair in relation.reversed},
        questions=(),
        answers=(),
        ratings={pair: tuple(values) for pair, values in ratings.items()},
    )
