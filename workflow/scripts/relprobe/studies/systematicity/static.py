"""The baseline of static vectors, which have one vector per word whatever its context (sections 3.2 and 4)."""

import numpy as np
import polars as pl
import wordfreq
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.systematicity.requests import OPEN
from relprobe.studies.systematicity.schemas import EMBEDDINGS, RESPONSES

VOCABULARY = 30_000
"""Words that static vectors choose from where the vocabulary is open: about as many as BERT's vocabulary holds, the paper's
list of candidates, but independent of the models of a study."""


def static_responses(vectors: StaticVectors, probes: pl.DataFrame, top_k: int) -> pl.DataFrame:
    """Return what static vectors answer (RESPONSES): words by their cosine with the hyponym, most similar first if open.

    Only the singular and plural probes have an answer, which is that of the hyponym in its number; where the vocabulary is
    open it is that of the most frequent English words (`wordfreq`) that have a vector, the hyponym itself among them. A
    hyponym without a vector has no answer, and none is made up.
    """
    words, matrix = _vocabulary(vectors)
    known = set(words)
    asked = probes.filter(pl.col("kind").is_in(["singular", "plural"]))
    lists = {tuple(candidates) for candidates in asked["candidates"]}
    categories = {candidates: vectors.unit(candidates) for candidates in lists}
    rows: list[tuple[str, str, list[str], list[float], list[int], list[str]]] = []
    about = asked.select("probe_id", "kind", "candidates").iter_rows()
    for (probe_id, kind, candidates), own in zip(about, vectors.unit(asked["word"]), strict=True):
        if np.isnan(own[0]):
            continue
        scores = categories[tuple(candidates)] @ own
        if not np.isnan(scores).any():
            rows.append((probe_id, "slot", candidates, scores.tolist(), [], []))
        if kind in OPEN:
            cosines = matrix @ own
            best = np.argsort(-cosines, kind="stable")[:top_k]
            unknown = [word for word in candidates if word not in known]
            rows.append((probe_id, "open", [words[i] for i in best], cosines[best].tolist(), [], unknown))
    return pl.DataFrame(rows, schema=RESPONSES, orient="row")


def _vocabulary(vectors: StaticVectors) -> tuple[list[str], NDArray[np.float32]]:
    """Return the frequent words that have a vector, and their vectors at length 1, shape (words, width)."""
    words = wordfreq.top_n_list("en", VOCABULARY)
    matrix = vectors.unit(words)
    known = ~np.isnan(matrix[:, 0])
    return [word for word, has_vector in zip(words, known, strict=True) if has_vector], matrix[known]


def static_embeddings(vectors: StaticVectors, contexts: pl.DataFrame) -> pl.DataFrame:
    """Return the words' vectors, whatever their context (EMBEDDINGS); contexts of a word without one have no row."""
    rows = [
        (number, vector.tolist())
        for number, word in contexts.select("context", "word").iter_rows()
        for vector in [vectors.of(word)]
        if vector is not None
    ]
    return pl.DataFrame(rows, schema=EMBEDDINGS, orient="row")
