"""The conditions that values are averaged under: part of speech, and the subsets of groups that analyses look at."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import polars as pl

from relprobe.core.analyses import take
from relprobe.studies.definitions.method import Ties, values
from relprobe.studies.definitions.schemas import POS, Metrics, Properties, Responses

BAND_LIMITS = (10, 100)
"""The uses from which a word is medium, and frequent. The paper counts in a Wikipedia corpus of a billion words."""


def _none(_pos: str) -> Sequence[str]:
    return ()


class Subsets(NamedTuple):
    """Subsets of the groups that an analysis looks at, each a condition.

    `select`: from the groups and the limits of frequency to the columns group and condition. `of_pos`: returns the names of
    the conditions within a part of speech; `across`: the names of those across all of them.
    """

    select: Callable[[Properties, Sequence[float]], pl.DataFrame]
    of_pos: Callable[[str], Sequence[str]] = _none
    across: Sequence[str] = ()


def _subsets() -> list[Subsets]:
    """Return the subsets of all analyses, those within parts of speech first."""
    of_analyses: list[Subsets] = [*take("definitions", "SUBSETS").values()]
    return sorted(of_analyses, key=lambda subsets: bool(subsets.across))


def names() -> list[str]:
    """Return every condition, in the order of the tables."""
    of_analyses = _subsets()
    within = [name for pos in POS for name in (pos, *(name for subset in of_analyses for name in subset.of_pos(pos)))]
    return [*within, *(name for subset in of_analyses for name in subset.across)]


def conditions(groups: Properties, limits: Sequence[float] = BAND_LIMITS) -> pl.DataFrame:
    """Return the conditions of each group: the columns group and condition, one row for each pair of both.

    `limits`: the uses from which a word is medium, and frequent. A group has its part of speech as a condition, and those of
    the analyses that are there.

    >>> properties = {"group": "goose.n.01", "pos": "noun", "uses": 2400.0, "tokens": 1, "leak": None, "depth": 11}
    >>> conditions(pl.DataFrame([properties | {"w2d": 40, "d2w": 38}]))["condition"].to_list()[0]
    'noun'
    """
    subsets = [subset.select(groups, limits) for subset in _subsets()]
    return pl.concat([groups.select("group", condition="pos"), *subsets])


def metrics(
    responses: Responses, groups: Properties, ties: Ties = "expected", limits: Sequence[float] = BAND_LIMITS
) -> Metrics:
    """Return the values of an agent's responses (`method.values`) for the drawn groups, under each of their conditions."""
    drawn = groups.filter("drawn")
    families = drawn.select("group", "family")
    return values(responses, conditions(drawn, limits).join(families, on="group", maintain_order="left"), ties)
