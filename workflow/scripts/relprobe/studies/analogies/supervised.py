"""The supervised setting: is a tuple in the query's relation? A classifier per relation and probe (sections 2.1 and 2.4)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.core.errors import DataError
from relprobe.core.files import read_rows_where
from relprobe.studies.analogies.classifier import Settings, accuracies
from relprobe.studies.analogies.requests import NEGATIVE, POSITIVE
from relprobe.studies.analogies.schemas import DECISIONS, PROBES
from relprobe.studies.analogies.template import ANALOGY, Template

Matrix = NDArray[np.float32]


class Features(Protocol):
    """What an agent knows of the tuples of one relation."""

    def of(self, words: pl.DataFrame) -> Matrix:
        """Return the features (rows, width) of each row's query and tuple (columns ANALOGY), NaN where there are none."""


class InSentence:
    """The vectors of the four words in the template, one after the other (section 2.4)."""

    def __init__(self, embeddings: Path, template: Template, relation: str) -> None:
        """Read those of one relation (EMBEDDINGS) and no more, so that memory does not grow with the study."""
        rows = read_rows_where(embeddings, "relation", relation, ["text", *ANALOGY])
        self._rows = {text: row for row, text in enumerate(rows["text"])}
        self._matrix: Matrix = np.hstack([_matrix(rows[place]) for place in ANALOGY])
        self._template = template

    def of(self, words: pl.DataFrame) -> Matrix:
        """See Features. DataError: a sentence has not been embedded."""
        texts = words.select(self._template.expression({place: place for place in ANALOGY})).to_series()
        missing = [text for text in texts if text not in self._rows]
        if missing:
            raise DataError(f"the embeddings lack {missing[0]!r}: delete them and run again.")
        return self._matrix[[self._rows[text] for text in texts]]


class OfPairs:
    """The embeddings of the query and of the tuple, one after the other (section 3.1)."""

    def __init__(self, vectors: Path, relation: str) -> None:
        """Read those of one relation (pairs.VECTORS)."""
        rows = read_rows_where(vectors, "relation", relation, ["head", "tail", "vector"])
        known = rows.drop_nulls("vector")
        self._rows = {pair: row for row, pair in enumerate(known.select("head", "tail").iter_rows())}
        found = _matrix(known["vector"])
        self._matrix: Matrix = np.vstack([found, np.full((1, found.shape[1]), np.nan, np.float32)])

    def of(self, words: pl.DataFrame) -> Matrix:
        """See Features."""
        return np.hstack([self.one(words.select(head, tail)) for head, tail in (("h1", "t1"), ("h2", "t2"))])

    def one(self, pairs: pl.DataFrame) -> Matrix:
        """Return the embeddings (rows, width) of pairs of words (two columns), NaN where there is none."""
        return self._matrix[[self._rows.get(pair, -1) for pair in pairs.iter_rows()]]


def features_in(vectors: Path, template: Template | None) -> Callable[[str], Features]:
    """Return what reads a relation's features: those of words in the sentences of `template`, of pairs if it is None."""
    if template is None:
        return lambda relation: OfPairs(vectors, relation)
    return lambda relation: InSentence(vectors, template, relation)


def _matrix(vectors: pl.Series) -> Matrix:
    """Return a series of lists of one length as a matrix (rows, width); without any list it is (0, 1)."""
    width = 1 if vectors.is_empty() else len(vectors[0])
    return vectors.explode().to_numpy().reshape(len(vectors), width)


def decisions(
    instances: pl.DataFrame, features: Callable[[str], Features], settings: Settings
) -> Iterator[pl.DataFrame]:
    """Yield the decisions (DECISIONS) on the test tuples of every relation and probe; `features` are asked once for each.

    An example without features, in training or test, is left out of both; in the test its value is null. The value of a
    probe whose training has not got both labels left is null too.
    """
    for relation in instances["relation"].unique(maintain_order=True):
        known = features(relation)
        for probe in PROBES:
            rows = instances.filter(relation=relation, probe=probe)
            train, test = (_examples(rows.filter(partition=partition)) for partition in ("train", "test"))
            values = _values(known.of(train), train["label"], known.of(test), test["label"], settings)
            yield test.select(
                setting=pl.lit("supervised"),
                relation=pl.lit(relation),
                probe=pl.lit(probe),
                query=pl.format("{} : {}", "h1", "t1"),
                head="h2",
                tail="t2",
                label="label",
                value=pl.Series(values, dtype=pl.Float64, nan_to_null=True),
            ).select(list(DECISIONS))


def _examples(rows: pl.DataFrame) -> pl.DataFrame:
    """Return two examples per instance: its positive and its negative tuple, each with the query (ANALOGY, label)."""
    parts = [
        rows.select(**{place: pl.col(column) for place, column in columns.items()}, label=pl.lit(label))
        for columns, label in ((POSITIVE, True), (NEGATIVE, False))
    ]
    return pl.concat(parts)


def _values(
    seen: Matrix, labels: pl.Series, unseen: Matrix, truth: pl.Series, settings: Settings
) -> NDArray[np.float64]:
    known, judged = ~np.isnan(seen).any(axis=1), ~np.isnan(unseen).any(axis=1)
    values = np.full(len(unseen), np.nan)
    if len(np.unique(labels.to_numpy()[known])) == 2 and judged.any():
        found = accuracies(
            _tensors(seen[known], labels.to_numpy()[known]),
            _tensors(unseen[judged], truth.to_numpy()[judged]),
            settings,
        )
        values[judged] = found.numpy()
    return values


def _tensors(features: Matrix, labels: NDArray[np.bool_]) -> tuple[Tensor, Tensor]:
    return torch.from_numpy(features), torch.from_numpy(labels.copy())
