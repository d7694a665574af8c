"""Ratings without a language model (section 4.2): random numbers, those that the authors supply, and static vectors."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from relprobe.core.manifest import fetched_folder
from relprobe.sources.semeval2012 import Subcategory
from relprobe.sources.semeval2012_ratings import baseline as supplied_ratings
from relprobe.sources.static_vectors import StaticVectors, Vectors, cosine
from relprobe.studies.degrees.method import PairRatings, rating_table
from relprobe.studies.degrees.relations import Relations
from relprobe.studies.degrees.schemas import Ratings

Control = Literal["random", "pmi", "static", "typical"]
"""An agent that is no language model."""


def baseline(
    relations: Relations,
    supplied: Path | None = None,
    vectors: Vectors | None = None,
    *,
    agent: Control,
    seed: int,
) -> Ratings:
    """Rate the pairs without a language model: by the authors' PMI ratings, by static vectors, or else at random.

    `supplied`: the manifest of the task's packages, for the PMI ratings. Vectors compare the pairs with the paradigms:
    static their offsets, and typical their words.
    """
    if supplied is not None:
        return rating_table(agent, pmi_ratings(relations, fetched_folder(supplied)))
    if vectors is None:
        return rating_table(agent, random_ratings(relations, seed))
    rate = typical_words if agent == "typical" else static_offsets
    return rating_table(agent, rate(relations, vectors))


def random_ratings(subcategories: Sequence[Subcategory], seed: int) -> PairRatings:
    """Rate every pair by a number between 0 and 100 drawn at random."""
    draws = np.random.default_rng(seed)
    return _rate(subcategories, lambda _pair, _paradigms: float(draws.uniform(0, 100)))


def pmi_ratings(subcategories: Sequence[Subcategory], folder: Path) -> PairRatings:
    """Return the authors' ratings by log₂ p(x, y) / (p(x) p(y)) in a corpus of 50 billion tokens."""
    supplied = supplied_ratings(folder, "PMI", {subcategory.id: subcategory for subcategory in subcategories})
    return {
        (name, pair): rating for name, rating_by_pair in supplied.items() for pair, rating in rating_by_pair.items()
    }


def static_offsets(subcategories: Sequence[Subcategory], vectors: StaticVectors) -> PairRatings:
    """Rate a pair by the mean cosine of its offset v(y) - v(x) with those of the other paradigms.

    A pair that is a paradigm itself is not compared with itself. A pair has no rating if one of its words has no vector, if
    both words have the same vector, or if this holds for all other paradigms.
    """

    def offset(pair: str) -> NDArray[np.float32] | None:
        x, y = (vectors.of(word) for word in pair.split(":"))
        return None if x is None or y is None else y - x

    def similarity(pair: str, paradigms: Sequence[str]) -> float | None:
        pair_offset, paradigm_offsets = offset(pair), map(offset, paradigms)
        if pair_offset is None:
            return None
        cosines = [
            cosine(pair_offset, paradigm_offset) for paradigm_offset in paradigm_offsets if paradigm_offset is not None
        ]
        present = [value for value in cosines if value is not None]
        return float(np.mean(present)) if present else None

    return _rate(subcategories, similarity)


def typical_words(subcategories: Sequence[Subcategory], vectors: StaticVectors) -> PairRatings:
    """Rate a pair by how near its words are to those of the other paradigms: the mean of cos(x, x') + cos(y, y').

    This knows what the first and the second words of a relation look like, and nothing of what connects the two. A pair has
    no rating if one of its words has no vector, or if this holds for all other paradigms.
    """

    def nearness(pair: str, paradigms: Sequence[str]) -> float | None:
        x, y = vectors.unit(pair.split(":"))
        paradigm_vectors = [vectors.unit(paradigm.split(":")) for paradigm in paradigms]
        sums = [float(x @ first + y @ second) for first, second in paradigm_vectors]
        present = [value for value in sums if not np.isnan(value)]
        return float(np.mean(present)) if present else None

    return _rate(subcategories, nearness)


def _rate(subcategories: Sequence[Subcategory], rating: Callable[[str, Sequence[str]], float | None]) -> PairRatings:
    """Rate all pairs. `rating`: from a pair and the other paradigms of its subcategory to the rating."""
    return {
        (subcategory.id, pair): rating(pair, subcategory.other_paradigms(pair))
        for subcategory in subcategories
        for pair in subcategory.pairs
    }
