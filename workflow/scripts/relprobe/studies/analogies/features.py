"""What an agent knows of tuples, as vectors: of words in a sentence (section 2.4), or of pairs of words (section 3.1)."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.analogies.schemas import ANALOGY
from relprobe.studies.analogies.template import Template

Matrix = NDArray[np.floating[Any]]
"""Numbers of 32 bits, or of 16 as embeddings are stored."""


class Features(Protocol):
    """What an agent knows of the tuples of one relation."""

    def of(self, words: pl.DataFrame) -> Matrix:
        """Return the features (rows, width) of each row's query and tuple (columns ANALOGY); NaN: a vector is missing."""


class SentenceFeatures:
    """The vectors of the four words in their sentence, concatenated (section 2.4)."""

    def __init__(self, embeddings: ScoreFile, template: Template, **where: str | int) -> None:
        """Read the vectors of one relation, or of one of its layers; memory then does not grow with the study.

        `embeddings`: requests.EMBEDDINGS, or with a column layer (layers.LAYER_EMBEDDINGS). `where`: see
        `ScoreFile.where`.
        """
        rows = embeddings.where(["text", *ANALOGY], **where)
        self._rows = {text: row for row, text in enumerate(rows["text"])}
        self._matrix: Matrix = np.hstack([_matrix(rows[term]) for term in ANALOGY])
        self._template = template

    def of(self, words: pl.DataFrame) -> Matrix:
        """See Features. DataError: the file lacks a sentence."""
        texts = words.select(self._template.expression({term: term for term in ANALOGY})).to_series()
        missing = [text for text in texts if text not in self._rows]
        if missing:
            raise DataError(f"the embeddings lack {missing[0]!r}: delete them and run again.")
        return self._matrix[[self._rows[text] for text in texts]]


class PairFeatures:
    """The embeddings of the query and of the tuple, concatenated (section 3.1)."""

    def __init__(self, rows: pl.DataFrame) -> None:
        """Take the vectors of one relation (head, tail and vector of pair_vectors.VECTORS), none of them null."""
        self._rows = {pair: row for row, pair in enumerate(rows.select("head", "tail").iter_rows())}
        matrix = _matrix(rows["vector"])
        self._matrix: Matrix = np.vstack([matrix, np.full((1, matrix.shape[1]), np.nan, np.float32)])

    @classmethod
    def read(cls, vectors: ScoreFile, relation: str) -> "PairFeatures":
        """Read the vectors of one relation from a file (pair_vectors.VECTORS)."""
        return cls(vectors.where(["head", "tail", "vector"], relation=relation).drop_nulls("vector"))

    def of(self, words: pl.DataFrame) -> Matrix:
        """See Features."""
        return np.hstack(
            [self.pair_embeddings(words.select(head, tail)) for head, tail in (("h1", "t1"), ("h2", "t2"))]
        )

    def pair_embeddings(self, pairs: pl.DataFrame) -> Matrix:
        """Return the embeddings (rows, width) of pairs of words (two columns); NaN where a pair has none."""
        return self._matrix[[self._rows.get(pair, -1) for pair in pairs.iter_rows()]]


def features_in(vectors: ScoreFile, template: Template | None, layer: int | None = None) -> Callable[[str], Features]:
    """Return the function that reads the features of a relation from a file.

    With a template the file holds the vectors of words in sentences, without one those of pairs of words. `layer`: the one
    to read of a file of several.
    """
    if template is None:
        return lambda relation: PairFeatures.read(vectors, relation)
    layer_option = {} if layer is None else {"layer": layer}
    return lambda relation: SentenceFeatures(vectors, template, relation=relation, **layer_option)


def _matrix(vectors: pl.Series) -> Matrix:
    """Return a series of lists of one length as a matrix (rows, width); an empty series gives (0, 1)."""
    width = 1 if vectors.is_empty() else len(vectors[0])
    return vectors.explode().to_numpy().reshape(len(vectors), width)
