"""Agents that are no language models: a guess, static word vectors (section 2.3), and two that know no meaning."""

import logging
from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.studies.definitions.method import PairScores, rank_candidates
from relprobe.studies.definitions.properties import mean_log
from relprobe.studies.definitions.schemas import Groups, Probes, Responses, Words

logger = logging.getLogger("relprobe")


def baseline(
    groups: Groups, probes: Probes, vectors: Vectors | None = None, words: Words | None = None, *, agent: str
) -> Responses:
    """Rank the candidates without a language model (section 2.3).

    `agent`: random guesses, length takes the shortest candidate, and frequency the most frequent one by `words`; with static
    `vectors`, an agent takes the most similar candidate.
    """
    if vectors is not None:
        scores = similarity(probes, vectors)
    elif words is not None:
        scores = commonness(probes, dict(words.iter_rows()))
    else:
        scores = shortness(probes) if agent == "length" else guess(probes)
    return rank_candidates(scores, groups, probes)


def guess(probes: Probes) -> PairScores:
    """Return equal scores for all pairs of the probes, so that all orders are as likely.

    >>> probes = pl.DataFrame({"words": [["goose", "owl"], ["owl"]]})
    >>> guess(probes)["w2d"].tolist()
    [0.0, 0.0, 0.0]
    """
    equal = np.zeros(int(probes["words"].list.len().sum()))
    return {"w2d": equal, "d2w": equal}


def shortness(probes: Probes) -> PairScores:
    """Return scores by length alone: the shorter candidate is better, in characters, for every pair of the probes.

    >>> probes = pl.DataFrame({"definition": ["a bird"], "words": [["goose", "owl"]]})
    >>> {task: values.tolist() for task, values in shortness(probes).items()}
    {'w2d': [-6.0, -6.0], 'd2w': [-5.0, -3.0]}
    """
    definitions = -probes["definition"].str.len_chars().cast(pl.Float64).to_numpy()
    words = -probes["words"].explode().str.len_chars().cast(pl.Float64).to_numpy()
    return {"w2d": _definition_values(definitions, probes), "d2w": words}


def commonness(probes: Probes, uses: Mapping[str, float | None]) -> PairScores:
    """Return scores by frequency alone, for every pair of the probes: D2W takes the most frequent word.

    W2D takes the definition whose words are the most frequent, by the mean of their logs. `uses`: word -> uses in a corpus,
    None if they are unknown; a candidate without any known frequency comes last.

    >>> probes = pl.DataFrame({"definition": ["a bird"], "words": [["goose", "barn owl"]]})
    >>> scores = commonness(probes, {"goose": 9.0, "barn owl": None, "a": 999.0, "bird": 9.0})
    >>> {task: values.tolist() for task, values in scores.items()}
    {'w2d': [2.0, 2.0], 'd2w': [1.0, -inf]}
    """
    definitions = np.array([mean_log(definition, uses) for definition in probes["definition"]])
    numbers = np.array([uses.get(word) for word in probes["words"].explode()], np.float64)  # None becomes NaN
    words = np.where(np.isnan(numbers), -np.inf, np.log10(1 + numbers))
    return {"w2d": _definition_values(definitions, probes), "d2w": words}


def _definition_values(values: NDArray[np.float64], probes: Probes) -> NDArray[np.float64]:
    """Give every pair the value of its definition."""
    return np.repeat(values, probes["words"].list.len().to_numpy())


def similarity(probes: Probes, vectors: StaticVectors) -> PairScores:
    """Return the cosine of word and definition for every pair of PROBES; a text is the mean of its tokens' vectors.

    A pair scores -inf if no token of one of its texts has a vector. It then comes last, unless all candidates of a task
    score -inf: these are ranked as a guess ranks them. The log says how many texts have no vector.
    """
    words = probes["words"].explode().unique(maintain_order=True)
    word_vectors = _vectors_of(words, vectors, "words")
    definition_vectors = _vectors_of(probes["definition"], vectors, "definitions")
    row = {word: i for i, word in enumerate(words)}
    cosines = [
        word_vectors[[row[word] for word in probe_words]] @ definition
        for probe_words, definition in zip(probes["words"], definition_vectors, strict=True)
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
