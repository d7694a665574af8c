"""The relations of the study, their groups, and the marks of those in which a negative tuple may well be right (Table 2)."""

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

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


def of_bats(pairs: pl.DataFrame) -> pl.DataFrame:
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
    every = [Relation(*row) for row in rows]
    groups = group_order(one.group for one in every)
    return sorted(every, key=lambda one: (groups.index(one.group), one.code))
