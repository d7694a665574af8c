"""Which answers are right, where answers tie, and which pairs of words are linked."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.sums import ordered_sum
from relprobe.studies.relations.schemas import UNIT

# Where in the responses the relata stand: the frame that the metrics read, columnar, without a loop over probes.
# A word of a response that is in no relatum set leaves no row, but it takes up its rank.


Values = NDArray[np.float32]
Indices = NDArray[np.int64]
RESPONSE = "response"
"""The column of a hit that says which response it stands in; a probe may have several, as those of single annotators."""
PROMPTED = pl.col("versus") == pl.col("relation")
"""Whether a hit stands in the relation that was prompted for."""


def hits(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, tuples: pl.DataFrame) -> pl.DataFrame:
    """Return the words of each response that are relata of its target, in its relatum sets or its tuples.

    Columns: UNIT and kind of the probe; response, the row of the response among all; word; versus, the relation whose
    relatum set holds the word, which is null for a word that was dropped as ambiguous; and position, first and last: the
    word's rank, and the ranks that it could take among the words of equal weight. Rank 1 is the best.
    """
    sets = relata.select("target", word="relatum", versus="relation")
    ambiguous = tuples.select("target", word="relatum").unique().join(sets, on=["target", "word"], how="anti")
    words = pl.concat([sets, ambiguous.with_columns(versus=pl.lit(None, pl.String))])
    probe_rows = responses.select("probe_id").join(
        probes.select("probe_id", "kind", *UNIT), on="probe_id", how="left", maintain_order="left", validate="m:1"
    )
    ranked = find_wanted(responses, probe_rows["target"], words)
    related = ranked.join(probe_rows.drop("probe_id").with_row_index(RESPONSE), on=RESPONSE, maintain_order="left")
    related = related.join(words, on=["target", "word"], maintain_order="left")
    return related.unique([RESPONSE, "word", "versus"], keep="first", maintain_order=True)  # two tokens can be one word


def find_wanted(responses: pl.DataFrame, targets: pl.Series, wanted: pl.DataFrame) -> pl.DataFrame:
    """Return where wanted words stand in the responses: response, word, position, first and last (see `hits`).

    `targets`: that of each response, null for none. `wanted`: target and word; a target may be any name of what a response
    is about. A model's responses have 1,000 words each, of
    which few are wanted. So words are looked up by their numbers, first whether any target wants them.
    """
    listed = responses["words"].list.explode(keep_nulls=False, empty_as_null=False)
    weights = responses["weights"].list.explode(keep_nulls=False, empty_as_null=False).to_numpy()
    ends = responses["words"].list.len().cum_sum().to_numpy().astype(np.int64)
    numbers, wanted_words, owners, wanted_targets = map(_numbers, (listed, wanted["word"], targets, wanted["target"]))
    is_wanted = np.zeros(max(numbers.max(initial=0), wanted_words.max(initial=0)) + 1, dtype=bool)
    is_wanted[wanted_words] = True
    indices = np.flatnonzero(is_wanted[numbers])
    rows = np.searchsorted(ends, indices, side="right")
    pairs, wanted_pairs = (
        pl.Series(target.astype(np.uint64) << 32 | word)
        for target, word in ((owners[rows], numbers[indices]), (wanted_targets, wanted_words))
    )
    is_pair = pairs.is_in(wanted_pairs.implode()).to_numpy()
    indices, rows = indices[is_pair], rows[is_pair]
    starts = np.concatenate([[0], ends])[rows]
    first, last = _ties(weights, indices, starts, ends[rows] - 1)
    ranks = {"position": indices, "first": first, "last": last}
    columns = {name: pl.Series(column - starts + 1, dtype=pl.UInt32) for name, column in ranks.items()}
    word = listed.gather(indices).cast(pl.String)
    return pl.DataFrame({RESPONSE: pl.Series(rows, dtype=pl.UInt32), "word": word, **columns})


def _numbers(words: pl.Series) -> NDArray[np.uint32]:
    """Return the number of each word, the same in all series; a null gets one that no word has."""
    numbers: NDArray[np.uint32] = words.cast(pl.Categorical).to_physical().fill_null(2**32 - 1).to_numpy()
    return numbers


def _ties(weights: Values, indices: Indices, starts: Indices, ends: Indices) -> tuple[Indices, Indices]:
    """Return the first and the last index of equal weight around each index, within its list from `starts` to `ends`.

    >>> weights = np.array([0.5, 0.25, 0.25, 0.25, 0.25])  # two lists, the first of three words
    >>> [ends.tolist() for ends in _ties(weights, np.array([2, 3]), np.array([0, 3]), np.array([2, 4]))]
    [[1, 3], [2, 4]]
    """
    first, last = indices.copy(), indices.copy()
    for edges, bounds, step in ((first, starts, -1), (last, ends, 1)):
        moving = np.flatnonzero(edges != bounds)
        while len(moving):
            moving = moving[weights[edges[moving] + step] == weights[indices[moving]]]
            edges[moving] += step
            moving = moving[edges[moving] != bounds[moving]]
    return first, last


def rank_bounds(ties: str, group: Sequence[str], first: pl.Expr) -> list[pl.Expr]:
    """Return the columns low and high: the ranks that a hit can take, all of them equally likely.

    `ties`: "expected" takes all orders of the words of equal weight as equally likely, so that low and high are the first
    and the last rank of these words. The others fix one order, so that low and high are the same: "favourable" puts the
    words for which `first` is true before the words of equal weight, "unfavourable" after them, and "listed" keeps the order
    of the response. The other words keep their order. Words are ranked within their response, and for each value of the
    columns `group` as if the other hits were no relata.
    """
    if ties == "expected":
        return [pl.col("first").cast(pl.Float64).alias("low"), pl.col("last").cast(pl.Float64).alias("high")]
    fixed = _fixed_rank(ties, group, first).cast(pl.Float64)
    return [fixed.alias("low"), fixed.alias("high")]


def _fixed_rank(ties: str, group: Sequence[str], first: pl.Expr) -> pl.Expr:
    within = [RESPONSE, *group, "first"]
    so_far = first.cast(pl.UInt32).cum_sum().over(within, order_by="position")
    first_before, first_after = so_far - first, first.sum().over(within) - so_far
    if ties == "favourable":
        return pl.when(first).then(pl.col("first") + first_before).otherwise(pl.col("position") + first_after)
    if ties == "unfavourable":
        return pl.when(first).then(pl.col("last") - first_after).otherwise(pl.col("position") - first_before)
    return pl.col("position")


def within(k: pl.Expr) -> pl.Expr:
    """Return the probability that a hit is among the first k words, from its columns low and high (`rank_bounds`).

    Of the ranks 2 and 3, one is among the first two:

    >>> pl.DataFrame({"low": [2.0], "high": [3.0]}).select(within(pl.lit(2))).item()
    0.5
    """
    return ((k - pl.col("low") + 1) / (pl.col("high") - pl.col("low") + 1)).clip(0.0, 1.0)


# Expected values over all orders of tied words, which are equally likely. People's lists tie; a model's hardly ever do.


def map_unique(function: Callable[..., float], *columns: pl.Expr) -> pl.Expr:
    """Return the values of a function of several columns; it is called once for each different row. A list comes as a tuple.

    >>> pl.DataFrame({"a": [1, 2, 1]}).select(map_unique(lambda a: a / 2, pl.col("a")))["a"].to_list()
    [0.5, 1.0, 0.5]
    """

    def values(parts: Sequence[pl.Series]) -> pl.Series:
        rows = list(zip(*(map(_hashable, part.to_list()) for part in parts), strict=True))
        table = {row: function(*row) for row in dict.fromkeys(rows)}
        return pl.Series(parts[0].name, [table[row] for row in rows], pl.Float64)

    return pl.map_batches(list(columns), values, return_dtype=pl.Float64)


def _hashable(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def relative_rank(low: float, high: float, tied: int, k: float) -> float:
    """Return the expected relative rank of the best of `tied` relata among the words at the ranks low to high.

    A word at rank i of the first k has (i - 1)/k, one beyond them 1. Of n words, of which m are relata, the first is one of
    them with the chance m/n, the second, if the first is none, with m/(n - 1), and so on.

    One of two words is a relatum. It comes first or second:

    >>> relative_rank(1, 2, 1, k=4)  # (0 + 1/4)/2
    0.125
    """
    n, first = int(high - low) + 1, int(low)
    expected, none = 0.0, 1.0  # so far: the sum, and the chance that no relatum has come
    for misses in range(min(n - tied + 1, max(int(k) - first + 1, 0))):
        next_chance = none * tied / (n - misses)
        expected += next_chance * (first + misses - 1) / k
        none -= next_chance
    return expected + none


def none_within(low: float, high: float, tied: int, k: int) -> float:
    """Return the probability that none of `tied` words among those at the ranks low to high is among the first k.

    Of the four words at the ranks 1 to 4, one is a relatum. It is not among the first three in 1 of 4 cases:

    >>> none_within(1, 4, 1, k=3)
    0.25
    """
    n = int(high - low) + 1
    seen = min(max(k - int(low) + 1, 0), n)
    return math.comb(n - tied, seen) / math.comb(n, seen)


def best_ranks(near: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the expected relative rank of the best relatum of each `key`: the key and relative.

    `near`: the key, low and high of relata (`rank_bounds`), with a low rank up to k, the number of words that count.
    """
    first = near.filter(pl.col("low") == pl.col("low").min().over(key))
    ranks = first.group_by(key).agg(pl.col("low", "high", "k").first(), tied=pl.len())
    value = map_unique(relative_rank, *(pl.col(name) for name in ("low", "high", "tied", "k")))
    return ranks.select(*key, relative=value)


def mean_ranks(near: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the sum of the expected relative ranks of the relata of each `key`, and their number: relative and seen.

    `near`: as for `best_ranks`.
    """
    words = pl.col("high") - pl.col("low") + 1
    inside = (pl.col("k") - pl.col("low") + 1).clip(0, words)  # the ranks among the first k that the word can take
    rank_sum = inside * (pl.col("low") - 1) + inside * (inside - 1) / 2  # the sum of (i - 1) over these
    relative = (rank_sum / pl.col("k") + words - inside) / words
    return near.group_by(key).agg(relative=ordered_sum(relative), seen=pl.len())


# Pairs of the symmetric relations: which of them depend on each other.


def linked_pairs(tuples: pl.DataFrame, symmetric: Sequence[str]) -> pl.DataFrame:
    """Return relation, target, relatum and cluster of the tuples of the `symmetric` relations.

    Pairs with a common word share probes, so their values depend on each other. The cluster of a pair is the first word, in
    the alphabet, of all pairs that are linked to it by common words. `tuples`: target, relation and relatum of all tuples of
    the study, so that a pair has the same cluster for every agent.

    >>> rows = [("day", "ANT", "night"), ("day", "ANT", "dark"), ("dark", "ANT", "light"), ("up", "ANT", "down")]
    >>> table = linked_pairs(pl.DataFrame(rows, schema=["target", "relation", "relatum"], orient="row"), ["ANT"])
    >>> dict(table.select("relatum", "cluster").sort("relatum").iter_rows())
    {'dark': 'dark', 'down': 'down', 'light': 'dark', 'night': 'dark'}
    """
    pairs = tuples.filter(pl.col("relation").is_in(symmetric)).select("relation", "target", "relatum").unique()
    parts = [
        relation_pairs.with_columns(cluster=_first_words(relation_pairs))
        for (_,), relation_pairs in pairs.sort(pl.all()).group_by("relation", maintain_order=True)
    ]
    return pl.concat(parts) if parts else pairs.with_columns(cluster=pl.lit(None, pl.String))


def _first_words(pairs: pl.DataFrame) -> pl.Series:
    """Return the first word of the words that each pair is linked to."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    words = pl.concat([pairs["target"], pairs["relatum"]]).unique().sort()
    number = pl.Enum(words)
    ends = [pairs[name].cast(number).to_physical().to_numpy() for name in ("target", "relatum")]
    links = coo_array(([1] * len(pairs), ends), shape=(len(words), len(words)))
    group = pl.Series(connected_components(links, directed=False)[1])
    first = pl.DataFrame({"word": words, "group": group}).with_columns(pl.col("word").first().over("group"))["word"]
    return first.gather(ends[0])
