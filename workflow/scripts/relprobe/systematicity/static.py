"""The baseline of static vectors, which have one vector per word whatever its context (sections 3.2 and 4)."""

import numpy as np
import polars as pl
import wordfreq
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors
from relprobe.systematicity.requests import OPEN
from relprobe.systematicity.schemas import EMBEDDINGS, RESPONSES

VOCABULARY = 30_000
"""Words that static vectors choose from where the vocabulary is open: about as many as BERT's vocabulary holds, the paper's
list of candidates, but independent of the models of a study."""


def static_responses(vectors: StaticVectors, probes: pl.DataFrame, top_k: int) -> pl.DataFrame:
    """Return what static vectors answer (RESPONSES): words by their cosine with the hyponym, most similar first if open.

    Only the singular and plural probes have an answer, which is that of the hyponym in its number; where the vocabulary is
    open it is that of the most frequent English words (`wordfreq`) that have a vector, the hyponym itself among them. A
    hyponym without a vector has no answer, and none is made up.
    """
    words, matrix = _unit_vectors(vectors, wordfreq.top_n_list("en", VOCABULARY))
    rows: list[tuple[str, str, list[str], list[float], list[int], list[str]]] = []
    asked = probes.filter(pl.col("kind").is_in(["singular", "plural"]))
    for probe_id, kind, hyponym, candidates in asked.select("probe_id", "kind", "word", "candidates").iter_rows():
        own = vectors.of(hyponym)
        if own is None or not own.any():
            continue
        own = own / np.linalg.norm(own)
        known, of_known = _unit_vectors(vectors, candidates)
        if len(known) == len(candidates):
            rows.append((probe_id, "slot", candidates, (of_known @ own).tolist(), [], []))
        if kind in OPEN:
            cosines = matrix @ own
            best = np.argsort(-cosines, kind="stable")[:top_k]
            unknown = [word for word in candidates if word not in set(words)]
            rows.append((probe_id, "open", [words[i] for i in best], cosines[best].tolist(), [], unknown))
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def _unit_vectors(vectors: StaticVectors, words: list[str]) -> tuple[list[str], NDArray[np.float32]]:
    """Return the words that have a vector, and the vectors at length 1, shape (words, width)."""
    found = [(word, vector) for word in words for vector in [vectors.of(word)] if vector is not None and vector.any()]
    if not found:
        return [], np.empty((0, vectors.matrix.shape[1]), np.float32)
    matrix = np.stack([vector for _, vector in found])
    return [word for word, _ in found], matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def static_embeddings(vectors: StaticVectors, contexts: pl.DataFrame) -> pl.DataFrame:
    """Return the words' vectors, whatever their context (EMBEDDINGS); contexts of a word without one have no row."""
    rows = [
        (number, vector.tolist())
        for number, word in contexts.select("context", "word").iter_rows()
        for vector in [vectors.of(word)]
        if vector is not None
    ]
    return pl.DataFrame(rows, schema=EMBEDDINGS, orient="row")
