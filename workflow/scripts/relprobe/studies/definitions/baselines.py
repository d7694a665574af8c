"""Agents that are no language models: a guess, and static word vectors (section 2.3)."""

import logging

import numpy as np
import polars as pl
from nltk.tokenize import NLTKWordTokenizer
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.definitions.responses import Scores

logger = logging.getLogger("relprobe")


def guess(probes: pl.DataFrame) -> Scores:
    """Return equal scores for all pairs, so that the ranks are drawn."""
    equal = np.zeros(int(probes["words"].list.len().sum()))
    return {"w2d": equal, "d2w": equal}


def similarity(probes: pl.DataFrame, vectors: StaticVectors) -> Scores:
    """Return the cosine of word and definition for every pair, each text the average of its tokens' vectors.

    A text of whose tokens none has a vector is like nothing (-inf): it comes last, and where it is what was asked for, the
    answer is a guess. The log says how many there are.
    """
    tokenizer = NLTKWordTokenizer()
    words = probes["words"].explode().unique(maintain_order=True)
    word_vectors = _averages(words, vectors, tokenizer, "words")
    definitions = _averages(probes["definition"], vectors, tokenizer, "definitions")
    row = {word: i for i, word in enumerate(words)}
    cosines = [
        word_vectors[[row[word] for word in of_probe]] @ definition
        for of_probe, definition in zip(probes["words"], definitions, strict=True)
    ]
    values = np.concatenate(cosines).astype(np.float64)
    values[np.isnan(values)] = -np.inf
    return {"w2d": values, "d2w": values}


def _averages(texts: pl.Series, vectors: StaticVectors, tokenizer: NLTKWordTokenizer, what: str) -> NDArray[np.float32]:
    """Return the average vector of each text, scaled to length 1, shape (texts, width); NaN where there is none."""
    found = vectors.unit([" ".join(tokenizer.tokenize(text)) for text in texts])
    missing = int(np.isnan(found[:, 0]).sum())
    logger.info("%s of %s %s have no static vector", f"{missing:,}", f"{len(texts):,}", what)
    return found
