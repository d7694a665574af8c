"""The baselines' embeddings of pairs of words: differences of static vectors, and relation embeddings (section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.studies.analogies.ask.probes import NEGATIVE, POSITIVE

if TYPE_CHECKING:
    from relprobe.sources.static_vectors import StaticVectors

VECTORS = pa.schema(
    [
        ("relation", pa.string()),
        ("head", pa.string()),
        ("tail", pa.string()),
        ("vector", pa.list_(pa.float32())),  # null: a word has no static vector
    ]
)


@dataclass(frozen=True)
class Pair:
    """A pair of words of a relation of BATS, or a negative pair of this relation."""

    relation: str
    head: str
    tail: str


@dataclass(frozen=True)
class PairVector:
    """The embedding of a pair, shape (width,); None if a word has no vector."""

    pair: Pair
    vector: NDArray[np.float32] | None


def pairs(instances: pl.DataFrame) -> Iterator[Pair]:
    """Yield every different pair of words of a relation that is a query, a positive or a negative in INSTANCES."""
    columns = [("query_head", "query_tail")] + [(side["h2"], side["t2"]) for side in (POSITIVE, NEGATIVE)]
    parts = [instances.select("relation", head=head, tail=tail) for head, tail in columns]
    for row in pl.concat(parts).unique().sort("relation", "head", "tail").iter_rows():
        yield Pair(*row)


def differences(word_pairs: Iterable[Pair], vectors: StaticVectors) -> Iterator[PairVector]:
    """Yield for each pair the head's vector minus the tail's; the vector of several words is their mean.

    >>> from relprobe.sources.static_vectors import StaticVectors
    >>> vectors = StaticVectors({"a": 0, "b": 1}, np.array([[1, 0], [0, 2]], np.float32))
    >>> [pair.vector for pair in differences([Pair("E01", "a", "b"), Pair("E01", "a", "unknown")], vectors)]
    [array([ 1., -2.], dtype=float32), None]
    """
    for pair in word_pairs:
        head, tail = vectors.of(pair.head), vectors.of(pair.tail)
        yield PairVector(pair, None if head is None or tail is None else head - tail)


def vector_table(responses: Sequence[PairVector]) -> pa.Table:
    """Return the embeddings as a table (VECTORS)."""
    columns: list[list[Any]] = [
        [response.pair.relation for response in responses],
        [response.pair.head for response in responses],
        [response.pair.tail for response in responses],
        [response.vector for response in responses],
    ]
    return pa.table(
        [pa.array(column, field.type) for column, field in zip(columns, VECTORS, strict=True)], schema=VECTORS
    )
