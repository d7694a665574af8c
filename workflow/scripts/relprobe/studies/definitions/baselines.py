"""Agents that are no language models: a guess, and static word vectors (section 2.3)."""

import logging

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.definitions.responses import Scores

logger = logging.getLogger("relprobe")


def guess(probes: pl.DataFrame) -> Scores:
    """Return equal scores for all pairs of PROBES, so that `ranked` draws the ranks.

    >>> probes = pl.DataFrame({"words": [["goose", "owl"], ["owl"]]})
    >>> guess(probes)["w2d"].tolist()
    [0.0, 0.0, 0.0]
    """
    equal = np.zeros(int(probes["words"].list.len().sum()))
    return {"w2d": equal, "d2w": equal}


def similarity(probes: pl.DataFrame, vectors: StaticVectors) -> Scores:
    """Return the cosine of word and definition for every pair of PROBES; a text is the mean of its tokens' vectors.

    A pair scores -inf if no token of one of its texts has a vector. It then comes last, unless all candidates of a task
    score -inf: these are ranked as a guess ranks them. The log says how many texts have no vector.
    """
    words = probes["words"].explode().unique(maintain_order=True)
    word_vectors = _vectors_of(words, vectors, "words")
    definition_vectors = _vectors_of(probes["definition"], vectors, "definitions")
    row = {word: i for i, word in enumerate(words)}
    cosines = [
        word_vectors[[row[word] for word in of_probe]] @ definition
        for of_probe, definition in zip(probes["words"], definition_vectors, strict=True)
    ]
    values = np.concatenate(cosines).astype(np.float64)
    values[np.isnan(values)] = -np.inf
    return {"w2d": values, "d2w": values}


def _vectors_of(texts: pl.Series, vectors: StaticVectors, what: str) -> NDArray[np.float32]:
    """Return the mean vector of each text, scaled to length 1, shape (texts, width); NaN where no token has a vector."""
    from nltk.tokenize import NLTKWordTokenizer

    tokenize = NLTKWordTokenizer().tokenize
    matrix = vectors.unit([" ".join(tokenize(text)) for text in texts])
    missing = int(np.isnan(matrix[:, 0]).sum())
    logger.info("%s of %s %s have no static vector", f"{missing:,}", f"{len(texts):,}", what)
    return matrix
