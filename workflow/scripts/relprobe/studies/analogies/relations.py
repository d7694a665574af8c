"""The relations of the study and their pairs of words: BATS, a user's own analogies, or the project's demonstration."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.files import Format, Text
from relprobe.core.manifest import fetched_folder, only_file
from relprobe.sources import bats
from relprobe.sources.own import analogies as own_analogies

# A template of own analogies, which `own` reads.


TEMPLATE = """relation,group,head,tails,marks
capital,countries,paris,france,
capital,countries,rome,italy,
capital,countries,oslo,norway,
capital,countries,cairo,egypt,
capital,countries,lima,peru,
capital,countries,tokyo,japan,
opposite,adjectives,hot,cold,many bidirectional
opposite,adjectives,big,small/little,many bidirectional
opposite,adjectives,wet,dry,many bidirectional
opposite,adjectives,old,young/new,many bidirectional
opposite,adjectives,fast,slow,many bidirectional
opposite,adjectives,rich,poor,many bidirectional
"""
"""Two relations of six pairs: the least that can be divided into training and test."""


def template() -> Text:
    """Write a template of own analogies, a CSV file with two relations."""
    return TEMPLATE


# The relations of the study, their groups, and the marks of those in which a negative tuple may well be right (Table 2).


GROUPS = {"E": "ES", "L": "LS", "D": "DM", "I": "IM"}
"""First letter of a relation's code in BATS -> its group."""
GROUP_NAMES = {
    "ES": "encyclopedic semantics",
    "LS": "lexicographic semantics",
    "DM": "derivational morphology",
    "IM": "inflectional morphology",
}
MANY, BOTH_WAYS = "∗", "†"
"""The marks of Table 2. ∗ stands for a one-to-many or many-to-many relation, whose random probe cannot be fair, and † for a
relation that holds in both directions, whose reverse probe cannot be fair."""
MANY_TO_MANY = ("E06", "E07", "E08", "E09", *(f"L{number:02}" for number in range(1, 11)))
"""BATS' one-to-many and many-to-many relations."""
BIDIRECTIONAL = ("L08", "L10")
"""BATS' relations that hold in both directions."""


@dataclass(frozen=True)
class Relation:
    """A relation: its code, its name, its group and its marks."""

    code: str
    name: str
    group: str
    marks: str

    @property
    def label(self) -> str:
        """Code and name; a relation of own data has its name alone.

        >>> Relation("E01", "country - capital", "ES", "").label, Relation("size", "size", "own", "").label
        ('E01 country - capital', 'size')
        """
        return self.code if self.code == self.name else f"{self.code} {self.name}"


def mark(relation: str) -> str:
    """Return the marks of a relation of BATS in Table 2: "∗", "†", both or none.

    >>> [mark(relation) for relation in ("E01", "E06", "L08")]
    ['', '∗', '∗†']
    """
    return (MANY if relation in MANY_TO_MANY else "") + (BOTH_WAYS if relation in BIDIRECTIONAL else "")


def bats_analogies(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return BATS' pairs (`sources.bats.PAIRS`) with the group and marks of their relations (ANALOGIES)."""
    code = pl.col("relation")
    return pairs.with_columns(
        group=code.str.head(1).replace_strict(GROUPS, return_dtype=pl.String),
        marks=code.map_elements(mark, return_dtype=pl.String),
    )


def group_order(groups: Iterable[str]) -> list[str]:
    """Return the different groups: those of BATS in the order of Table 1, then others in theirs.

    >>> group_order(["birds", "LS", "ES", "LS"])
    ['ES', 'LS', 'birds']
    """
    different = list(dict.fromkeys(groups))
    return [group for group in GROUP_NAMES if group in different] + [
        group for group in different if group not in GROUP_NAMES
    ]


def relation_names(tuples: pl.DataFrame) -> dict[str, str]:
    """Return relation -> its name, of TUPLES."""
    return dict(tuples.select("relation", "name").iter_rows())


def relations_of(tuples: pl.DataFrame) -> list[Relation]:
    """Return the relations of TUPLES, by group and then by code."""
    rows = tuples.select("relation", "name", "group", "marks").unique(maintain_order=True).iter_rows()
    relations = [Relation(*row) for row in rows]
    groups = group_order(relation.group for relation in relations)
    return sorted(relations, key=lambda relation: (groups.index(relation.group), relation.code))


# The pairs of words of the study: BATS, a user's own analogies, or the project's demonstration.


OWN = "own_analogies"
"""The resource with own analogies; it takes the place of BATS."""
DEMONSTRATION = "demonstration_analogies"
"""The resource with this project's own ten relations, in the form of own analogies; a run that lacks BATS may have it."""


def read(manifest: Path) -> pl.DataFrame:
    """Read the pairs of a fetched resource (ANALOGIES).

    `manifest`: that of resources.own_analogies, whose order does not matter, of the demonstration, or of resources.bats.

    DataError: see own_analogies.read and bats.read.
    """
    if manifest.stem == OWN:
        return read_own(only_file(manifest)).sort("group", "relation", "head")  # draws are of places
    return (
        read_own(only_file(manifest))
        if manifest.stem == DEMONSTRATION
        else bats_analogies(bats.read(fetched_folder(manifest)))
    )


Analogies = Annotated[pl.DataFrame, Format(read)]


def read_own(path: Path) -> pl.DataFrame:
    """Read own analogies, their marks as Table 2 writes them (ANALOGIES)."""
    table = own_analogies.read(path)
    marks = pl.concat_str(
        *(
            pl.when(pl.col("marks").list.contains(word)).then(pl.lit(sign)).otherwise(pl.lit(""))
            for word, sign in zip(own_analogies.MARKS, (MANY, BOTH_WAYS), strict=True)
        )
    )
    return table.with_columns(marks=marks)
