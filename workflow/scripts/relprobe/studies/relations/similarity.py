"""How near a response comes to the ranking of people (Cao et al., Eq. 20 to 23), where words of both may tie.

Half of the similarity is for the top word of people, half for the edit similarity of the two rankings. Words that equally
many people named tie, and so do words of equal weight in a response: each value is the expected one over all orders of tied
words, which are equally likely. People's lists tie; a model's hardly ever do.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
import polars as pl

from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.studies.relations.ranks import RESPONSE, find_wanted, map_unique
from relprobe.studies.relations.schemas import UNIT

ORDERS = 5040
"""Up to this number of orders (7!) all are counted; beyond it this module draws DRAWS of them."""
DRAWS = 1000
SEED = 1


def similarity(responses: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """Return ρ per probe of `gold` (Eq. 20 and 21) as `value`, from 0 to 1, beside the columns UNIT.

    Half of it is for the humans' top word, half for the edit similarity of the rankings. Both rankings are cut at k, the
    number of words in the human response. Insertion and deletion cost 1, substitution 2, so the similarity is the longest
    common subsequence over k. Words that equally many humans named tie, and so do words of equal weight in a response: ρ is
    its expected value over all orders of both. A word that a response has twice stands at its better rank. The words of both
    are Categorical, as in RESPONSES.

    >>> words = {"words": pl.List(pl.Categorical)}
    >>> unit = {"relation": "HYP", "target": "robin", "prompt_id": "p"}
    >>> gold = [{"probe_id": "p:robin", "words": ["bird", "animal"], "weights": [0.75, 0.25], **unit}]
    >>> responses = [{"probe_id": "p:robin", "words": ["animal", "bird", "x"], "weights": [0.5, 0.3, 0.2]}]
    >>> gold, responses = (pl.DataFrame(rows).cast(words) for rows in (gold, responses))
    >>> similarity(responses, gold)["value"].to_list()  # the wrong top word, and one of two words in common order
    [0.25]
    """
    return _rank_correlation(_word_positions(responses, [gold]), responses, gold)


def mean_similarity(responses: pl.DataFrame, human_responses: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return the mean of ρ over several gold standards, per probe: UNIT and value (`similarity`)."""
    positions = _word_positions(responses, human_responses)
    values = pl.concat([_rank_correlation(positions, responses, gold) for gold in human_responses])
    return values.group_by(UNIT, maintain_order=True).agg(ordered_mean("value"))


def _word_positions(responses: pl.DataFrame, human_responses: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return where the words of gold standards stand in the responses: probe_id, word, first, last (`find_wanted`)."""
    words = (
        pl.concat([gold.select(target="probe_id", word="words") for gold in human_responses]).explode("word").unique()
    )
    asked = responses.join(words, left_on="probe_id", right_on="target", how="semi", maintain_order="left")
    positions = find_wanted(asked, asked["probe_id"], words.cast({"word": pl.String}))
    probe_ids = asked.select("probe_id").with_row_index(RESPONSE)
    with_probes = positions.join(probe_ids, on=RESPONSE, maintain_order="left").select(
        "probe_id", "word", "first", "last"
    )
    return with_probes.unique(["probe_id", "word"], keep="first", maintain_order=True)


def _rank_correlation(positions: pl.DataFrame, responses: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """Return ρ of responses whose words stand at `positions` (`_word_positions`), as `similarity` does."""
    ranked = gold.select("probe_id", "weights", word="words", k=pl.col("words").list.len()).explode("weights", "word")
    ranked = ranked.with_columns(
        pl.col("word").cast(pl.String),
        group=pl.col("weights").rank("dense", descending=True).over("probe_id").cast(pl.Int64),
    )
    common = ranked.join(positions, on=["probe_id", "word"]).filter(pl.col("first") <= pl.col("k"))
    top = ranked.filter(group=1).group_by("probe_id").agg(pl.col("k").first(), tied=pl.len())
    scored = gold.join(responses.select("probe_id"), on="probe_id").join(top, on="probe_id", how="left")
    scored = scored.join(_expected(common), on="probe_id", how="left")
    share = pl.col("common").fill_null(0.0) / pl.col("k")
    return scored.select(*UNIT, value=(pl.col("top").fill_null(0.0) / pl.col("tied") + share) / 2)


def _expected(common: pl.DataFrame) -> pl.DataFrame:
    """Return per probe top, how likely a top word of the gold standard stands first, and common, the expected subsequence.

    `common`: probe_id, k, group (that of the gold standard, from 1), first and last of each word that both have.
    """
    names = ("group", "first", "last")
    first = (pl.col("group") == 1) & (pl.col("first") == 1)
    words = common.sort("probe_id", *(pl.col(name) for name in ("first", "last", "group")))
    lists = words.group_by("probe_id", maintain_order=True).agg(
        *names, k=pl.col("k").first(), top=ordered_sum(first / pl.col("last"))
    )
    values = map_unique(expected_common_within, *(pl.col(name) for name in (*names, "k")))
    return lists.select("probe_id", "top", common=values)


# The longest common subsequence of two lists with ties.


@lru_cache(maxsize=100_000)
def expected_common(groups: tuple[int, ...]) -> float:
    """Return the expected length of the longest common subsequence of a list and one with ties.

    `groups`: for each word that both lists have, in the order of the first one, the place of its group of tied words in the
    second, such as (0, 1, 1). The words of a group have all orders alike. Up to ORDERS orders are counted, else DRAWS drawn.

    The list is b a. In the other, a and b tie: two words are in common order if it is b a, and one if it is a b.

    >>> expected_common((0, 0)), expected_common((1, 0))
    (1.5, 1.0)
    """
    lengths = [_increasing(order) for order in _orders(groups)]
    return float(np.mean(lengths)) if lengths else 0.0


@lru_cache(maxsize=100_000)
def expected_common_within(groups: tuple[int, ...], low: tuple[int, ...], high: tuple[int, ...], k: int) -> float:
    """Return the expected length of the longest common subsequence of a list with ties, cut at k, and one with ties.

    `groups`: for each word that both lists have the place of its group of tied words in the second list. `low` and `high`:
    the ranks that it can take in the first one, as all orders of tied words are alike; of the words that tie across k some
    are cut off. The words may stand in any order. Up to ORDERS orders of both lists are counted, else DRAWS drawn.

    Two of three tied words are in the second list, where they tie, too. One or both of them are among the first two:

    >>> round(expected_common_within((0, 0), (1, 1), (3, 3), 2), 3)  # (2 · 1 + 1.5)/3
    1.167
    """
    words = sorted(zip(low, high, groups, strict=True))
    ties = [
        (ranks, [group for *_, group in tied]) for ranks, tied in itertools.groupby(words, key=lambda word: word[:2])
    ]
    number = math.prod(math.factorial(len(tied)) for _, tied in ties)
    if number * math.prod(math.factorial(count) for count in Counter(groups).values()) > ORDERS and number > 1:
        source = np.random.default_rng(SEED)
        return float(np.mean([_drawn(ties, k, source) for _ in range(DRAWS)]))
    orders: dict[tuple[int, ...], float] = {(): 1.0}
    for (first, last), tied in ties:
        cut = _cut(tuple(tied), first, last, k)
        orders = _sums(((*start, *more), a * b) for start, a in orders.items() for more, b in cut.items())
    return sum(chance * expected_common(order) for order, chance in orders.items())


def _cut(tied: tuple[int, ...], low: int, high: int, k: int) -> dict[tuple[int, ...], float]:
    """Return what can stand among the first k of some words that tie at the ranks low to high, and how likely each is."""
    ranks, inside = high - low + 1, min(max(k - low + 1, 0), high - low + 1)
    orders: list[tuple[tuple[int, ...], float]] = []
    for length in range(max(0, len(tied) - (ranks - inside)), min(len(tied), inside) + 1):
        cases = math.comb(inside, length) * math.comb(ranks - inside, len(tied) - length)
        chance = cases / (math.comb(ranks, len(tied)) * math.perm(len(tied), length))
        orders += [(order, chance) for order in itertools.permutations(tied, length)]
    return _sums(orders)


def _sums(chances: Iterable[tuple[tuple[int, ...], float]]) -> dict[tuple[int, ...], float]:
    """Return each order once, with the sum of its probabilities."""
    sums: dict[tuple[int, ...], float] = {}
    for order, chance in chances:
        sums[order] = sums.get(order, 0.0) + chance
    return sums


def _drawn(ties: Sequence[tuple[tuple[int, int], list[int]]], k: int, source: np.random.Generator) -> int:
    """Return the length of the longest common subsequence under one drawn order of both lists."""
    order: list[int] = []
    for (low, high), tied in ties:
        ranks = low + source.permutation(high - low + 1)[: len(tied)]
        order += [tied[index] for index in np.argsort(ranks) if ranks[index] <= k]
    return _increasing(np.lexsort((source.random(len(order)), np.array(order))).argsort().tolist())


def _orders(groups: tuple[int, ...]) -> Iterator[list[int]]:
    """Yield the ranks of the words in the second list, under one order of its ties after the other."""
    members = [[word for word, group in enumerate(groups) if group == number] for number in sorted(set(groups))]
    if math.prod(math.factorial(len(words)) for words in members) <= ORDERS:
        for orders in itertools.product(*(itertools.permutations(words) for words in members)):
            yield _ranks_under(orders)
    else:
        source = np.random.default_rng(SEED)
        for _ in range(DRAWS):
            yield _ranks_under([source.permutation(words).tolist() for words in members])


def _ranks_under(orders: Sequence[Sequence[int]]) -> list[int]:
    listed = list(itertools.chain.from_iterable(orders))
    return [rank for _, rank in sorted(zip(listed, range(len(listed)), strict=True))]


def _increasing(numbers: Sequence[int]) -> int:
    """Return the length of the longest increasing subsequence."""
    best: list[int] = []
    for i, value in enumerate(numbers):
        best.append(1 + max((best[j] for j in range(i) if numbers[j] < value), default=0))
    return max(best, default=0)
