"""The baselines' embeddings of pairs of words: differences of static vectors, and relation embeddings (section 3.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.analogies.requests import NEGATIVE, POSITIVE

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
    """A pair of words of a relation of BATS, or of a negative of it."""

    relation: str
    head: str
    tail: str


@dataclass(frozen=True)
class PairVector:
    """The embedding of a pair, shape (width,); None: it has none."""

    pair: Pair
    vector: NDArray[np.float32] | None


def pairs(instances: pl.DataFrame) -> Iterator[Pair]:
    """Yield every different pair of words of a relation that is a query, a positive or a negative."""
    columns = [("query_head", "query_tail")] + [(side["h2"], side["t2"]) for side in (POSITIVE, NEGATIVE)]
    parts = [instances.select("relation", head=head, tail=tail) for head, tail in columns]
    for row in pl.concat(parts).unique().sort("relation", "head", "tail").iter_rows():
        yield Pair(*row)


def differences(asked: Iterator[Pair], vectors: StaticVectors) -> Iterator[PairVector]:
    """Yield for each pair the head's vector minus the tail's; that of several words is their mean."""
    for pair in asked:
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
