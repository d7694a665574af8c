"""Pairs of words, and the file of a baseline's embeddings of them (section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.lm.score_files.pace import first_size
from relprobe.lm.score_files.parts import PART, made_of, write_in_parts
from relprobe.studies.analogies.ask.prompts import NEGATIVE, POSITIVE

if TYPE_CHECKING:
    from relprobe.core.step import Call

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


@dataclass(frozen=True)
class PairVectors:
    """Embeddings of pairs as the result of a step (VECTORS): they are computed while they are written."""

    pairs: Iterable[Pair]
    embed: Callable[[Iterable[Pair]], Iterable[PairVector]]
    settings: dict[str, Any]  # what the embeddings depend on beside the step's files and code
    part: int = PART
    reuse: bool = False  # whether pairs that are stored are not embedded again
    former: Sequence[str] = ()  # encoders that the configuration does not have any more

    def write(self, path: Path, call: Call) -> None:
        """Write the embeddings in parts, and in the file's metadata what they depend on."""
        about = made_of(call.files, call.code, **self.settings)
        write_in_parts(
            self.pairs,
            self.embed,
            vector_table,
            about,
            path,
            self.part,
            first=first_size(self.part),
            apart=("instances",),
            reuse=self.reuse,
            former=self.former,
        )
