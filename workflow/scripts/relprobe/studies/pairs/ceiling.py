"""How well people agree on the ratings of pairs: the noise ceiling of the agents' agreement with them.

Raters with names are compared with each other. Other sources, such as HyperLex, print the single ratings of a pair
without saying whose they are, so that those of each pair are split by themselves.
"""

import itertools

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.stats import Values
from relprobe.stats.ceiling import Mask, correlations, one_with_rest, single_answers, split_half
from relprobe.studies.pairs.method import pair_name
from relprobe.studies.pairs.schemas import CEILING, Ceilings, Raters

DRAWS = 100
"""Random halves, or draws of single ratings: their mean correlation moves by a few thousandths between seeds."""


def ceiling(raters: Raters, *, seed: int) -> Ceilings:
    """Measure how well people agree under every condition with ratings. `seed` is of the draws."""
    rows = [
        (str(condition), *_agreement(part, seed))
        for (condition,), part in raters.group_by("condition", maintain_order=True)
    ]
    return pl.DataFrame(rows, schema=CEILING, orient="row")


def _agreement(raters: Raters, seed: int) -> tuple[object, ...]:
    """Return the columns pairs to note of CEILING."""
    ordered = raters.with_columns(pair=pair_name()).sort("pair", maintain_order=True)
    groups = ordered["pair"].rank("dense").to_numpy().astype(np.int64) - 1
    numbers = ordered["rating"].to_numpy()
    starts = np.flatnonzero(np.diff(groups, prepend=-1))

    def means(mask: Mask) -> Values:
        counts = np.add.reduceat(mask.astype(float), starts, axis=1)
        sums = np.add.reduceat(mask * numbers, starts, axis=1)
        rating: Values = np.divide(sums, counts, out=np.full(counts.shape, np.nan), where=counts > 0)
        return rating

    halves = split_half(means, groups, seed, draws=DRAWS, ranks=True)
    single = one_with_rest(means, groups, seed, draws=DRAWS, ranks=True)
    named = ordered["rater"].null_count() == 0
    pairwise = rater_correlation(ordered) if named else single_rating_correlation(numbers, groups, seed)
    return (
        *(len(starts), float(len(numbers) / len(starts)), pairwise, single.split_half),
        *(halves.split_half, halves.reliability, halves.limit, halves.note),
    )


def rater_correlation(raters: pl.DataFrame) -> float | None:
    """Return the mean Spearman's rho of two raters, over the pairs of raters who rate three pairs or more in common.

    Two raters agree, and a third one has turned their order round: (1 - 1 - 1) / 3.

    >>> rows = {"pair": ["a", "b", "c"] * 3, "rater": ["x"] * 3 + ["y"] * 3 + ["z"] * 3}
    >>> table = pl.DataFrame({**rows, "rating": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 3.0, 2.0, 1.0]})
    >>> round(rater_correlation(table), 4)
    -0.3333
    """
    wide = raters.pivot("rater", index="pair", values="rating", maintain_order=True).drop("pair")
    columns = [column.to_numpy().astype(float) for column in wide]
    rhos = [float(correlations(a[None], b[None], ranks=True)[0]) for a, b in itertools.combinations(columns, 2)]
    numbers = [value for value in rhos if not np.isnan(value)]
    return float(np.mean(numbers)) if numbers else None


def single_rating_correlation(numbers: Values, groups: NDArray[np.int64], seed: int) -> float | None:
    """Return the mean Spearman's rho of two single ratings of each pair, drawn at random; None if no pair has two.

    `groups`: the pair of each rating, in order, (ratings,).
    """
    _, group_numbers, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    several = sizes[group_numbers] > 1
    numbers, groups = numbers[several], groups[several]
    if not len(groups):
        return None
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    rhos = []
    for first in single_answers(groups, seed, DRAWS):
        others_left = ~first  # of those that are left, another one is drawn
        order = np.random.default_rng(seed).random(first.shape)
        second = _one_of(np.where(others_left, order, -1.0), starts)
        first_ratings, second_ratings = (np.add.reduceat(mask * numbers, starts, axis=1) for mask in (first, second))
        rhos.append(correlations(first_ratings, second_ratings, ranks=True))
    all_rhos = np.concatenate(rhos)
    return None if np.isnan(all_rhos).all() else float(np.nanmean(all_rhos))


def _one_of(draws: Values, starts: NDArray[np.int64]) -> Mask:
    """Return masks (rows, ratings) of the rating with the greatest draw of each group."""
    greatest = np.maximum.reduceat(draws, starts, axis=1)
    mask: Mask = draws == np.repeat(greatest, np.diff([*starts, draws.shape[1]]), axis=1)
    return mask
