"""Ratings without a language model: random numbers, the ratings that the authors supply, and static vectors."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from relprobe.core.manifest import fetched_folder
from relprobe.sources.semeval2012 import Subcategory
from relprobe.sources.semeval2012_ratings import baseline as supplied_ratings
from relprobe.sources.static_vectors import StaticVectors, Vectors, cosine
from relprobe.studies.degrees.data.subcategories import Relations
from relprobe.studies.degrees.schemas import RATINGS, Ratings

Rated = Mapping[str, Mapping[str, float | None]]
"""Subcategory -> pair -> rating"""


def baseline(
    relations: Relations,
    supplied: Path | None = None,
    vectors: Vectors | None = None,
    *,
    agent: Literal["random", "pmi", "static", "typical"],
    seed: int,
) -> Ratings:
    """Rate the pairs without a language model: by the authors' PMI ratings, by static vectors, or else at random.

    `supplied`: the manifest of the task's packages, for the PMI ratings. Vectors compare the pairs with the paradigms:
    static their offsets, and typical their words.
    """
    if supplied is not None:
        return table(agent, supplied_pmi(relations, fetched_folder(supplied)))
    if vectors is None:
        return table(agent, random(relations, seed))
    return table(agent, (typical_words if agent == "typical" else static_offsets)(relations, vectors))


def random(subcategories: Sequence[Subcategory], seed: int) -> Rated:
    """Rate every pair by a number between 0 and 100 drawn at random (section 4.2)."""
    draws = np.random.default_rng(seed)
    return {one.id: {pair: float(draws.uniform(0, 100)) for pair in one.pairs} for one in subcategories}


def supplied_pmi(subcategories: Sequence[Subcategory], folder: Path) -> Rated:
    """Return the authors' ratings by pointwise mutual information in a corpus of 50 billion tokens (section 4.2)."""
    return supplied_ratings(folder, "PMI", {one.id: one for one in subcategories})


def static_offsets(subcategories: Sequence[Subcategory], vectors: StaticVectors) -> Rated:
    """Rate a pair by the mean cosine of its offset v(y) - v(x) with those of the other paradigms.

    A pair that is a paradigm itself is not compared with itself. A pair has no rating if one of its words has no vector, if
    both words have the same vector, or if this holds for all other paradigms.
    """
    return {one.id: {pair: _similarity(pair, one.others(pair), vectors) for pair in one.pairs} for one in subcategories}


def typical_words(subcategories: Sequence[Subcategory], vectors: StaticVectors) -> Rated:
    """Rate a pair by how near its words are to those of the other paradigms: the mean of cos(x, x') + cos(y, y').

    This knows what the first and the second words of a relation look like, and nothing of what connects the two. A pair has
    no rating if one of its words has no vector, or if this holds for all other paradigms.
    """
    return {one.id: {pair: _nearness(pair, one.others(pair), vectors) for pair in one.pairs} for one in subcategories}


def _nearness(pair: str, paradigms: Sequence[str], vectors: StaticVectors) -> float | None:
    x, y = vectors.unit(pair.split(":"))
    sums = [float(x @ first + y @ second) for first, second in (vectors.unit(one.split(":")) for one in paradigms)]
    known = [value for value in sums if not np.isnan(value)]
    return float(np.mean(known)) if known else None


def _similarity(pair: str, paradigms: Sequence[str], vectors: StaticVectors) -> float | None:
    offset = _offset(pair, vectors)
    others = [other for other in (_offset(paradigm, vectors) for paradigm in paradigms) if other is not None]
    if offset is None:
        return None
    cosines = [value for value in (cosine(offset, other) for other in others) if value is not None]
    return float(np.mean(cosines)) if cosines else None


def _offset(pair: str, vectors: StaticVectors) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]] | None:
    x, y = (vectors.of(word) for word in pair.split(":"))
    return None if x is None or y is None else y - x


def table(agent: str, ratings: Rated) -> Ratings:
    """Return ratings as the table of one agent.

    >>> table("random", {"1b": {"tool:hammer": 40.0}}).rows()
    [('random', '1b', 'tool:hammer', 40.0)]
    """
    rows = [(agent, name, pair, value) for name, of_pair in ratings.items() for pair, value in of_pair.items()]
    return pl.DataFrame(rows, schema=RATINGS, orient="row")
