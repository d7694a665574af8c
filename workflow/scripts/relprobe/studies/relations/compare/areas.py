"""AuDC (Eq. 28) with intervals, and tests of its differences between agents, over target words.

The paper knows no test for AuDC. Ours takes all gaps of a word (distances.py) as one observation: those to other relations,
and those under several prompted relations. If two agents are equal, they might as well exchange all their gaps of a word.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl

from relprobe.stats import Interval, Values, sign_flip, statistic_interval
from relprobe.stats.averages import SEED
from relprobe.stats.comparisons import adjusted, family_of
from relprobe.stats.controls import comparable
from relprobe.stats.schemas import Kind
from relprobe.studies.relations.measure.measures import AUDC
from relprobe.studies.relations.measure.relation_pairs import only_counted

NO_PAPER_TEST = "no test is known for AuDC (section 7.3)"
Gaps = Mapping[str, pl.DataFrame]
"""Agent -> what distances.gaps returns."""


@dataclass(frozen=True)
class Grid:
    """The gaps of all agents, averaged over prompts: `values` of shape (agents, words, pairs), NaN where there is none.

    A pair is an ordered pair of different relations, the prompted one and another.
    """

    agents: list[str]
    values: Values


def grid(gaps: Gaps) -> Grid:
    """Put the gaps of the agents that have any into a grid."""
    tables = {agent: table for agent, table in gaps.items() if table.height}
    means = [
        table.group_by("relation", "versus", "target").agg(pl.col("value").mean()).with_columns(agent=pl.lit(agent))
        for agent, table in tables.items()
    ]
    if not means:
        return Grid([], np.empty((0, 0, 0)))
    rows = pl.concat(means)
    agents = rows["agent"].cast(pl.Enum(list(tables))).to_physical().to_numpy()
    words = rows["target"].rank("dense").to_numpy() - 1
    pairs = rows.select(pl.struct("relation", "versus").rank("dense")).to_series().to_numpy() - 1
    values = np.full((len(tables), int(words.max()) + 1, int(pairs.max()) + 1), np.nan)
    values[agents, words, pairs] = rows["value"].to_numpy()
    return Grid(list(tables), values)


def area_averages(
    gaps: Gaps,
    targets: Literal["common", "own"] = "common",
    asked: pl.DataFrame | None = None,
    pairs: pl.DataFrame | None = None,
) -> list[dict[str, Any]]:
    """Return AuDC with its 95 % interval per agent, with the columns of AVERAGES that it has; units are relation pairs.

    `targets` is that of `core.averages.averages`, for each pair of relations. `asked`: relation, versus and target of the
    study's gaps; without it they are all that any agent has. `pairs`: which pairs count (PAIRS); all without it.
    """
    asked = None if asked is None else only_counted(asked, pairs)
    own = _counted(gaps, pairs)
    table = grid(own if asked is None or targets == "own" else _among(own, asked))
    present = ~np.isnan(table.values)
    everything = int(present.any(axis=0).sum()) if asked is None else asked.height
    rows = []
    for place, agent in enumerate(table.agents):
        values = table.values[place]
        filled = ~np.isnan(values).all(axis=0)
        interval = _interval(values[:, filled])
        rows.append(
            {
                "agent": agent,
                "metric": AUDC.name,
                "value": float(np.nanmean(values[:, filled], axis=0).sum()),
                "low": interval.low,
                "high": interval.high,
                "units": int(filled.sum()),
                "least_targets": int((~np.isnan(values)).sum(axis=0)[filled].min(initial=len(values))),
                "clusters": int((~np.isnan(values)).any(axis=1).sum()),
                "answered": int(present[place].any(axis=0).sum()),
                "own_units": int(present[place].sum()) != everything,
                "note": interval.note,
            }
        )
    return rows


def _among(gaps: Gaps, asked: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the gaps that the study asks for."""
    key = ["relation", "versus", "target"]
    return {agent: table.join(asked, on=key, how="semi", maintain_order="left") for agent, table in gaps.items()}


def _counted(gaps: Gaps, pairs: pl.DataFrame | None) -> dict[str, pl.DataFrame]:
    return {agent: only_counted(table, pairs) for agent, table in gaps.items()}


def area_tests(gaps: Gaps, kinds: Mapping[str, Kind], counted: pl.DataFrame | None = None) -> list[dict[str, Any]]:
    """Compare the AuDC of every pair of agents on the gaps that both have, with the columns of TESTS that it has.

    `counted`: which pairs of relations count (PAIRS); all without it.
    Units are the gaps, a target under a prompted relation beside another one; clusters are the words. The statistic is a sum
    over the words, so the exchange test (`stats.exchange_test`) is a sign-flip test of the words' shares in the difference.
    """
    table = grid(_counted(gaps, counted))
    every = itertools.combinations(range(len(table.agents)), 2)
    pairs = [(a, b) for a, b in every if comparable(table.agents[a], table.agents[b], kinds)]
    if not pairs:
        return []
    rows = [_compare(table.values[a], table.values[b]) for a, b in pairs]
    names = [(table.agents[a], table.agents[b]) for a, b in pairs]
    tested = adjusted(rows, [family_of(a, b, kinds) for a, b in names])
    return [{"metric": AUDC.name, "agent_a": a, "agent_b": b, **row} for (a, b), row in zip(names, tested, strict=True)]


def _compare(a: Values, b: Values) -> dict[str, Any]:
    """Return the columns of a row. The words that one of the two lacks change nothing."""
    words = (~np.isnan(a - b)).any(axis=1)
    a, b = a[words], b[words]
    difference = a - b
    both = ~np.isnan(difference)
    counts = both.sum(axis=0)
    shares = np.divide(np.nan_to_num(difference), counts, out=np.zeros_like(difference), where=counts > 0).sum(axis=1)
    filled = counts > 0
    interval = _interval(difference[:, filled])
    means = [np.nanmean(np.where(both, one, np.nan)[:, filled], axis=0).sum() if both.any() else None for one in (a, b)]
    p = float(sign_flip(shares[:, None], SEED)[0]) if both.any() else None
    return {
        "units": int(both.sum()),
        "clusters": int(both.any(axis=1).sum()),
        "discordant": int((np.abs(np.nan_to_num(difference)) > 1e-9).sum()),
        "discordant_clusters": int((np.abs(shares) > 1e-9).sum()),
        "value_a": means[0],
        "value_b": means[1],
        "difference": float(shares.sum()) if both.any() else None,
        "low": interval.low,
        "high": interval.high,
        "p": p,
        "cluster_p": p,
        "note": interval.note if both.any() else "no unit in common",
        "paper_p": None,
        "paper_note": NO_PAPER_TEST,
    }


def _interval(gaps: Values) -> Interval:
    """Return the 95 % interval of the sum of the means of columns, (words, pairs); the words are resampled.

    A resample without any word of a pair of relations has no such mean, and is left out. If all pairs have ten words of 100,
    this happens to fewer than one in 30,000 per pair; of a pair with one word, to 37 in 100.
    """
    words = gaps[(~np.isnan(gaps)).any(axis=1)]
    filled, present = np.nan_to_num(words), (~np.isnan(words)).astype(float)

    def area(weights: Values) -> Values:
        counts = weights @ present
        means = np.divide(weights @ filled, counts, out=np.full_like(counts, np.nan), where=counts > 0)
        total: Values = means.sum(axis=1)
        return total

    return statistic_interval(area, len(words), SEED, differences=True)
