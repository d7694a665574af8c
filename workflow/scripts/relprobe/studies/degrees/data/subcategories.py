"""The relations of the study: those of the task's package, or a user's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from relprobe.core.errors import DataError
from relprobe.core.files import Format
from relprobe.core.manifest import fetched_folder, only_file
from relprobe.sources import semeval2012
from relprobe.sources.own import ratings as own_ratings
from relprobe.sources.semeval2012 import Subcategory, reverse
from relprobe.studies.degrees.data.descriptions import Relation, relations

OWN = "own_ratings"
"""The resource with own ratings; it takes the place of the package."""


def read(
    manifest: Path, prompts: Path | None = None, *, paradigms: Literal["mended", "printed"] = "mended"
) -> list[Subcategory]:
    """Read the relations of a fetched resource: own ratings with their prompt file, or the task's package.

    `manifest`: that of resources.own_ratings or resources.semeval2012. `paradigms`: whether the package's typing error in a
    paradigm of 2b is mended, or kept as it is printed. DataError: see semeval2012.read and `own`.
    """
    if manifest.stem == OWN and prompts is not None:
        return own(only_file(manifest), prompts)
    return semeval2012.read(fetched_folder(manifest), mended=paradigms == "mended")


Relations = Annotated[list[Subcategory], Format(read)]


def own(ratings: Path, prompts: Path) -> list[Subcategory]:
    """Read own ratings (CSV) and the relations that they are about (YAML); the order is that of the alphabet.

    DataError: a line or a relation is wrong, a relation has fewer than three pairs or no paradigm but a pair that is rated
    itself, or a pair that `reversed` names is no pair, or reverses none.
    """
    rows = own_ratings.read(ratings)
    values: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        values.setdefault(row.relation, {}).setdefault(row.pair, []).append(row.rating)
    described = relations(prompts, list(values))
    for name, of_pairs in values.items():
        if len(of_pairs) < 3:
            raise DataError(f"{ratings}: {name} has {len(of_pairs)} pairs, but a correlation needs three: add some.")
        if not described[name].paradigms:
            raise DataError(f"{prompts}: {name} has no paradigms: add one, such as paradigms: ['weapon:knife'].")
        if len(set(described[name].paradigms)) == 1 and described[name].paradigms[0] in of_pairs:
            raise DataError(
                f"{prompts}: the only paradigm of {name}, {described[name].paradigms[0]}, is among its rated pairs, and a "
                "pair is not compared with itself: add another paradigm."
            )
        wrong = [pair for pair in described[name].reversed if not {pair, reverse(pair)} <= of_pairs.keys()]
        if wrong:
            raise DataError(
                f"{prompts}: {name} has no ratings of both {wrong[0]} and {reverse(wrong[0])}: correct `reversed`."
            )
    return [_subcategory(name, described[name], of_pairs) for name, of_pairs in values.items()]


def _subcategory(name: str, about: Relation, ratings: Mapping[str, Sequence[float]]) -> Subcategory:
    """Return a relation of own data in the form of the task's relations; it has no MaxDiff questions."""
    return Subcategory(
        id=name,
        relation_class=about.relation_class or name,
        name=name,
        schema=about.description,
        training=about.training,
        paradigms=about.paradigms,
        options=(),
        answer="",
        pairs={pair: number for number, pair in enumerate(ratings, start=1)},
        reversals={pair: reverse(pair) for pair in about.reversed},
        questions=(),
        answers=(),
        ratings={pair: tuple(values) for pair, values in ratings.items()},
    )
