"""AuDC (Eq. 28) with intervals, and tests of its differences between agents, over target words.

The paper knows no test for AuDC. Ours takes all rank gaps of a word (`method.rank_gaps`) as one observation: those to other
relations, and those under several prompted relations. Words that share a relatum of one relation are linked
(stats/linked.py): an agent that likes *body* tells the relations of all its parts apart. AuDC is a sum of means over
different words, so its variance is that of what each word adds to it (`word_shares`). The variance of a difference is that
of the words' shares in it, which also holds where a pair of relations has few words. Where no word shares a relatum, words
are resampled, and the test flips signs: if two agents are equal, they might as well exchange all their gaps of a word.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.sums import ordered_mean
from relprobe.stats import Interval, Values, cluster_errors, sign_flip, statistic_interval
from relprobe.stats.averages import SEED
from relprobe.stats.comparisons import Declared, family_of, owner_of
from relprobe.stats.controls import comparable
from relprobe.stats.item_tests import NOISE, linked_error_of, linked_test
from relprobe.stats.linked import Links, linked_interval, linked_items
from relprobe.stats.samples import LINK
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.distances import only_counted
from relprobe.studies.relations.measures import AUDC

NO_PAPER_TEST = "no test is known for AuDC (section 7.3)"
Gaps = Mapping[str, pl.DataFrame]
"""Agent -> what method.rank_gaps returns."""


@dataclass(frozen=True)
class Grid:
    """The gaps of all agents, averaged over prompts: `values` of shape (agents, words, pairs), NaN where there is none.

    A pair is an ordered pair of different relations, the prompted one and another. `words`: in their order.
    """

    agents: list[str]
    words: list[str]
    values: Values

    def links(self, relata: pl.DataFrame | None) -> Links | None:
        """Return which words share a relatum of one relation; None if none do.

        `relata`: the columns target, relation and link, which is the relatum.
        """
        if relata is None or not self.words:
            return None
        numbers = pl.DataFrame({"target": self.words}).with_row_index("number")
        shared = relata.join(numbers, on="target").select("number", link=pl.struct("relation", LINK).rank("dense"))
        items, links = (shared[name].to_numpy().astype(np.int64) for name in ("number", "link"))
        word_links = linked_items(items, links, len(self.words))
        return word_links if word_links.any else None


def grid(gaps: Gaps) -> Grid:
    """Put the gaps of the agents that have any into a grid."""
    tables = {agent: table for agent, table in gaps.items() if table.height}
    means = [
        table.group_by("relation", "versus", "target").agg(ordered_mean("value")).with_columns(agent=pl.lit(agent))
        for agent, table in tables.items()
    ]
    if not means:
        return Grid([], [], np.empty((0, 0, 0)))
    rows = pl.concat(means)
    agents = rows["agent"].cast(pl.Enum(list(tables))).to_physical().to_numpy()
    names = rows["target"].unique().sort().to_list()
    words = rows["target"].cast(pl.Enum(names)).to_physical().to_numpy()
    pairs = rows.select(pl.struct("relation", "versus").rank("dense")).to_series().to_numpy() - 1
    values = np.full((len(tables), len(names), int(pairs.max()) + 1), np.nan)
    values[agents, words, pairs] = rows["value"].to_numpy()
    return Grid(list(tables), names, values)


def word_shares(gaps: Values) -> Values:
    """Return what each word adds to AuDC, (words, pairs) -> (words,): values whose mean is AuDC.

    AuDC is the sum of the mean gaps of the pairs. A word adds, for each of its pairs, its gap's difference from the mean,
    over the number of words with this pair; this times the number of words, plus AuDC. It linearises a sum of ratios.

    Of the first pair, the mean of 0.5 and 0.1 is 0.3; the second has one word with 0.4. AuDC is 0.7:

    >>> word_shares(np.array([[0.5, 0.4], [0.1, np.nan]])).round(2).tolist()
    [0.9, 0.5]
    """
    present = ~np.isnan(gaps)
    means = np.nanmean(gaps, axis=0)
    off = np.where(present, gaps - means, 0.0) / present.sum(axis=0)
    total: Values = len(gaps) * off.sum(axis=1) + means.sum()
    return total


def area_averages(
    gaps: Gaps,
    targets: Literal["common", "own"] = "common",
    asked: pl.DataFrame | None = None,
    pairs: pl.DataFrame | None = None,
    relata: pl.DataFrame | None = None,
) -> list[dict[str, Any]]:
    """Return AuDC with its 95 % interval per agent, with the columns of AVERAGES that it has; units are relation pairs.

    `targets` is that of `stats.averages.averages`, for each pair of relations. `asked`: relation, versus and target of the
    study's gaps; without it they are all that any agent has. `pairs`: which pairs count (PAIRS); all without it. `relata`:
    what links words (`Grid.links`); nothing without it.
    """
    asked = None if asked is None else only_counted(asked, pairs)
    counted_gaps = _counted(gaps, pairs)
    table = grid(counted_gaps if asked is None or targets == "own" else _asked_gaps(counted_gaps, asked))
    present, links = ~np.isnan(table.values), table.links(relata)
    everything = int(present.any(axis=0).sum()) if asked is None else asked.height
    rows = []
    for index, agent in enumerate(table.agents):
        values = table.values[index]
        filled = ~np.isnan(values).all(axis=0)
        interval, effective = _interval(values[:, filled], links)
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
                "effective_n": effective,
                "answered": int(present[index].any(axis=0).sum()),
                "own_units": int(present[index].sum()) != everything,
                "note": interval.note,
            }
        )
    return rows


def _asked_gaps(gaps: Gaps, asked: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the gaps that the study asks for."""
    key = ["relation", "versus", "target"]
    return {agent: table.join(asked, on=key, how="semi", maintain_order="left") for agent, table in gaps.items()}


def _counted(gaps: Gaps, pairs: pl.DataFrame | None) -> dict[str, pl.DataFrame]:
    return {agent: only_counted(table, pairs) for agent, table in gaps.items()}


def area_tests(
    gaps: Gaps,
    kinds: Mapping[str, AgentKind],
    counted: pl.DataFrame | None = None,
    relata: pl.DataFrame | None = None,
    declared: Declared = (),
) -> list[dict[str, Any]]:
    """Compare the AuDC of every pair of agents on the gaps that both have: the columns of TESTS but the adjusted p-values.

    `counted`: which pairs of relations count (PAIRS); all without it. `relata`: what links words (`Grid.links`).
    `declared`: as for `comparisons.paired_tests`.

    Units are the gaps, a target under a prompted relation beside another one; clusters are the words. p is that of the
    linked words, and cluster_p that of sign flips: the statistic is a sum over the words, so the exchange test
    (`stats.exchange_test`) flips the signs of the words' shares in the difference.
    """
    table = grid(_counted(gaps, counted))
    links = table.links(relata)
    index_pairs = itertools.combinations(range(len(table.agents)), 2)
    pairs = [(a, b) for a, b in index_pairs if comparable(table.agents[a], table.agents[b], kinds)]
    rows = []
    for a, b in pairs:
        first, second = table.agents[a], table.agents[b]
        names = {"metric": AUDC.name, "agent_a": first, "agent_b": second, "family": family_of(first, second, kinds)}
        names["family_of"] = owner_of(first, second, kinds, declared)
        rows.append(names | _compare(table.values[a], table.values[b], links))
    return rows


def _compare(a: Values, b: Values, links: Links | None) -> dict[str, Any]:
    """Return the columns of a row. The words that one of the two lacks change nothing."""
    words = _with_gaps(a - b)
    a, b, links = a[words], b[words], links.among(words) if links and words.any() else None
    difference = a - b
    in_common = ~np.isnan(difference)
    counts = in_common.sum(axis=0)
    shares = np.divide(np.nan_to_num(difference), counts, out=np.zeros_like(difference), where=counts > 0).sum(axis=1)
    filled = counts > 0
    means = [
        np.nanmean(np.where(in_common, values, np.nan)[:, filled], axis=0).sum() if in_common.any() else None
        for values in (a, b)
    ]
    tested: dict[str, Any] = {"p": None, "cluster_p": None, "low": None, "high": None, "note": "no unit in common"}
    if in_common.any():
        tested = _tested(shares, difference[:, filled], links)
    return {
        "units": int(in_common.sum()),
        "clusters": int(in_common.any(axis=1).sum()),
        "discordant": int((np.abs(np.nan_to_num(difference)) > NOISE).sum()),
        "discordant_clusters": int((np.abs(shares) > NOISE).sum()),
        "effective_n": None if links is None else links.effective,
        "value_a": means[0],
        "value_b": means[1],
        "difference": float(shares.sum()) if in_common.any() else None,
        **tested,
        "paper_p": None,
        "paper_note": NO_PAPER_TEST,
    }


def _tested(shares: Values, difference: Values, links: Links | None) -> dict[str, Any]:
    """Return p, cluster_p, the interval and the note of the words' shares in a difference, (words,).

    Without links, words are resampled: the rows of `difference`, (words, pairs).
    """
    cluster_p = float(sign_flip(shares[:, None], SEED)[0])
    p: float | None = cluster_p
    if links is None:
        interval, _ = _interval(difference, None)
        note = interval.note
    else:
        differing = int((np.abs(shares) > NOISE).sum())
        p, interval, note = linked_test(len(shares) * shares, links, cluster_p, differing)
    error = _error(shares, links)
    return {"error": error, "p": p, "cluster_p": cluster_p, "low": interval.low, "high": interval.high, "note": note}


def _error(shares: Values, links: Links | None) -> float | None:
    """Return the standard error of the sum of words' shares, (words,)."""
    if links is not None:
        return linked_error_of(len(shares) * shares, links)
    word_values = len(shares) * shares[:, None]
    return cluster_errors(word_values, np.ones_like(word_values))[0]


def _interval(gaps: Values, links: Links | None) -> tuple[Interval, float | None]:
    """Return the 95 % interval of the sum of the means of columns, (words, pairs), and the effective number of words.

    Linked words have the interval of what they add, and an effective number; others are resampled, and have none. A resample
    without any word of a pair of relations has no such mean, and is left out. If all pairs have ten words of 100, this
    happens to fewer than one in 30,000 per pair; of a pair with one word, to 37 in 100.
    """
    some = _with_gaps(gaps)
    words = gaps[some]
    if links is not None and len(words):
        word_links = links.among(some)
        return linked_interval(word_shares(words), word_links), word_links.effective
    filled, present = np.nan_to_num(words), (~np.isnan(words)).astype(float)

    def area(weights: Values) -> Values:
        counts = weights @ present
        means = np.divide(weights @ filled, counts, out=np.full_like(counts, np.nan), where=counts > 0)
        total: Values = means.sum(axis=1)
        return total

    return statistic_interval(area, len(words), SEED, differences=True), None


def _with_gaps(gaps: Values) -> NDArray[np.bool_]:
    """Return which words have a gap, (words, pairs) -> (words,)."""
    return np.asarray((~np.isnan(gaps)).any(axis=1), bool)
