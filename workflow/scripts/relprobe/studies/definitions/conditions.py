"""The conditions that values are averaged under: those of the paper's tables, and the subsets that analyses look at."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import polars as pl

from relprobe.core.analyses import take
from relprobe.stats.sensitivity import Setting
from relprobe.studies.definitions.choices import Ties
from relprobe.studies.definitions.method import values
from relprobe.studies.definitions.results import AgentOptions
from relprobe.studies.definitions.schemas import FEW, POS, SMALL, Metrics, Properties, Responses

BAND_LIMITS = (10, 100)
"""The uses from which a word is medium, and frequent. The paper counts in a Wikipedia corpus of a billion words."""


Select = Callable[[Properties, Sequence[float]], pl.DataFrame]
"""From the groups and the limits of frequency to the groups of some conditions: the columns group and condition."""


def _none(_pos: str) -> Sequence[str]:
    return ()


class Alternative(NamedTuple):
    """Another choice of the groups of some conditions, whose effect the table of the study's choices shows.

    `setting`: the choice in words. `names`: the conditions. `select`: returns their groups under the other choice.
    `applies`: returns whether the study has not made that choice already.
    """

    setting: Setting
    names: Sequence[str]
    select: Select
    applies: Callable[[AgentOptions], bool] = lambda _: True


class Subsets(NamedTuple):
    """Subsets of the groups that an analysis looks at, each a condition.

    `select`: returns their groups. `pos_conditions`: returns the names of the conditions within a part of speech;
    `across`: the names of those across all of them. `alternative`: another choice that they decide.
    """

    select: Select
    pos_conditions: Callable[[str], Sequence[str]] = _none
    across: Sequence[str] = ()
    alternative: Alternative | None = None


def _subsets() -> list[Subsets]:
    """Return the subsets of all analyses, those within parts of speech first."""
    all_subsets: list[Subsets] = [*take("definitions", "SUBSETS").values()]
    return sorted(all_subsets, key=lambda subsets: bool(subsets.across))


def names() -> list[str]:
    """Return every condition, in the order of the tables."""
    all_subsets = _subsets()
    within = [
        name for pos in POS for name in (pos, *(name for subset in all_subsets for name in subset.pos_conditions(pos)))
    ]
    return [*within, *(name for subset in all_subsets for name in subset.across), SMALL]


def alternatives() -> list[Alternative]:
    """Return the other choices that conditions of analyses decide, in the order of the page."""
    all_subsets: list[Subsets] = [*take("definitions", "SUBSETS").values()]
    return [subsets.alternative for subsets in all_subsets if subsets.alternative is not None]


def conditions(groups: Properties, limits: Sequence[float] = BAND_LIMITS) -> pl.DataFrame:
    """Return the conditions of each group: the columns group and condition, one row for each pair of both.

    `limits`: the uses from which a word is medium, and frequent. A group has its part of speech as a condition, those of
    the analyses that are there, and, with up to FEW candidates in either task, SMALL (Table 8).

    >>> properties = {"group": "goose.n.01", "pos": "noun", "uses": 2400.0, "tokens": 1, "leak": None, "depth": 11}
    >>> conditions(pl.DataFrame([properties | {"w2d": 40, "d2w": 38}]))["condition"].to_list()[0]
    'noun'
    """
    subsets = [subset.select(groups, limits) for subset in _subsets()]
    small = groups.filter(pl.max_horizontal("w2d", "d2w") <= FEW).select("group", condition=pl.lit(SMALL))
    return pl.concat([groups.select("group", condition="pos"), *subsets, small])


def metrics(
    responses: Responses, groups: Properties, ties: Ties = "expected", limits: Sequence[float] = BAND_LIMITS
) -> Metrics:
    """Return the values of an agent's responses (`method.values`) for the drawn groups, under each of their conditions."""
    drawn = groups.filter("drawn")
    return metrics_under(conditions(drawn, limits), responses, drawn, ties)


def metrics_under(
    group_conditions: pl.DataFrame, responses: Responses, groups: Properties, ties: Ties = "expected"
) -> Metrics:
    """Return the values of an agent's responses under some conditions: `group_conditions`, columns group and condition."""
    return values(
        responses, group_conditions.join(groups.select("group", "family"), on="group", maintain_order="left"), ties
    )
