"""Resamples of clusters with replacement, as matrices: their product with sums over clusters gives resampled sums."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from relprobe.stats.results import Values

CELLS = 4_000_000
"""The largest number of cells of a matrix of resamples or signs; it then takes 32 MB."""


def resamples(clusters: int, seed: int, draws: int) -> Iterator[Values]:
    """Yield matrices of shape (some draws, clusters) with `draws` rows in all: how often each resample holds each cluster.

    Each row sums to `clusters`. The same arguments give the same resamples, so that all agents and pairs share them.

    >>> [matrix.sum(axis=1).tolist() for matrix in resamples(4, seed=1, draws=3)]
    [[4.0, 4.0, 4.0]]
    """
    rows = max(CELLS // clusters, 1)
    for start in range(0, draws, rows):
        yield _counts(clusters, seed, start, min(rows, draws - start))


@lru_cache(maxsize=4)
def _counts(clusters: int, seed: int, start: int, draws: int) -> Values:
    cells = np.random.default_rng([seed, start]).integers(clusters, size=(draws, clusters))
    cells += clusters * np.arange(draws)[:, None]
    counts = np.bincount(cells.ravel(), minlength=draws * clusters).reshape(draws, clusters).astype(float)
    counts.flags.writeable = False  # all callers get the same array
    return counts
