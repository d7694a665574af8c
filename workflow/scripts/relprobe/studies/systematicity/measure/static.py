"""The baseline of static vectors, which have one vector per word whatever its context (sections 3.2 and 4)."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.sources.word_frequency import most_frequent
from relprobe.studies.systematicity.ask.requests import OPEN
from relprobe.studies.systematicity.schemas import EMBEDDINGS, SCORES, Contexts, Embeddings, Probes, Scores

VOCABULARY = 30_000
"""Words that static vectors choose from where the vocabulary is open. BERT's vocabulary, the paper's list of candidates, has
about as many; these do not depend on the models of a study."""


class Static(NamedTuple):
    """What static vectors answer, and the vectors of the contexts' words."""

    scores: Scores
    embeddings: Embeddings


def static(vectors: Vectors, probes: Probes, contexts: Contexts, *, top_k: int) -> Static:
    """Score the probes and embed the words with static vectors, the baseline that knows no context (section 3.2)."""
    return Static(static_scores(vectors, probes, top_k), static_embeddings(vectors, contexts))


def static_scores(vectors: StaticVectors, probes: Probes, top_k: int) -> Scores:
    """Return the scores of static vectors: the cosine of a word with the hyponym, in the number of the probe.

    The vectors have scores of the main singular and plural probes alone, as a prompt changes nothing for them. Where the
    vocabulary is open, they choose among the most frequent English words (`wordfreq`) that have a vector, and the hyponym
    itself is one of these. A hyponym without a vector has no rows.
    """
    words, matrix = _vocabulary(vectors)
    in_vocabulary = set(words)
    of_numbers = probes.filter(pl.col("kind").is_in(["singular", "plural"]) & pl.col("main"))
    lists = {tuple(candidates) for candidates in of_numbers["candidates"]}
    categories = {candidates: vectors.unit(candidates) for candidates in lists}
    rows: list[tuple[str, str, list[str], list[float], list[int], list[str]]] = []
    about = of_numbers.select("probe_id", "kind", "candidates").iter_rows()
    for (probe_id, kind, candidates), own in zip(about, vectors.unit(of_numbers["word"]), strict=True):
        if np.isnan(own[0]):
            continue
        scores = categories[tuple(candidates)] @ own
        if not np.isnan(scores).any():
            rows.append((probe_id, "slot", candidates, scores.tolist(), [], []))
        if kind in OPEN:
            cosines = matrix @ own
            best = np.argsort(-cosines, kind="stable")[:top_k]
            unknown = [word for word in candidates if word not in in_vocabulary]
            rows.append((probe_id, "open", [words[i] for i in best], cosines[best].tolist(), [], unknown))
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def _vocabulary(vectors: StaticVectors) -> tuple[list[str], NDArray[np.float32]]:
    """Return the frequent words that have a vector, and their vectors at length 1, shape (words, width)."""
    words = most_frequent(VOCABULARY, language="en")
    matrix = vectors.unit(words)
    has_vector = ~np.isnan(matrix[:, 0])
    return [word for word, there in zip(words, has_vector, strict=True) if there], matrix[has_vector]


def static_embeddings(vectors: StaticVectors, contexts: Contexts) -> Embeddings:
    """Return the vectors of the contexts' words; the context of a word without a vector has no row."""
    rows = [
        (number, vector.tolist())
        for number, word in contexts.select("context", "word").iter_rows()
        for vector in [vectors.of(word)]
        if vector is not None
    ]
    return pl.DataFrame(rows, schema=EMBEDDINGS, orient="row")
