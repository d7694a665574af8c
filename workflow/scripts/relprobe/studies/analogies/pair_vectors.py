"""The vectors of pairs of words that baselines have (section 3.1): the file of them, and those of static vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.manifest import model_files
from relprobe.lm.score_files.check import Check
from relprobe.lm.score_files.comparison import Comparison
from relprobe.lm.score_files.pace import first_size
from relprobe.lm.score_files.parts import PART, made_of, write_in_parts
from relprobe.lm.score_files.store import dependencies, facts_in, guard_of
from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.studies.analogies.schemas import Instances
from relprobe.studies.analogies.template import NEGATIVE, POSITIVE

if TYPE_CHECKING:
    from relprobe.core.step import Call

# Pairs of words, and the file of a baseline's embeddings of them (section 3.1).


VECTORS = pa.schema(
    [
        ("relation", pa.string()),
        ("head", pa.string()),
        ("tail", pa.string()),
        ("vector", pa.list_(pa.float32())),  # null: a word has no static vector
    ]
)


@dataclass(frozen=True)
class RelationPair:
    """A pair of words of a relation of BATS, or a negative pair of this relation."""

    relation: str
    head: str
    tail: str


@dataclass(frozen=True)
class PairVector:
    """The embedding of a pair, shape (width,); None if a word has no vector."""

    pair: RelationPair
    vector: NDArray[np.float32] | None


def pairs(instances: pl.DataFrame) -> Iterator[RelationPair]:
    """Yield every different pair of words of a relation that is a query, a positive or a negative in INSTANCES."""
    columns = [("query_head", "query_tail")] + [(side["h2"], side["t2"]) for side in (POSITIVE, NEGATIVE)]
    parts = [instances.select("relation", head=head, tail=tail) for head, tail in columns]
    for row in pl.concat(parts).unique().sort("relation", "head", "tail").iter_rows():
        yield RelationPair(*row)


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

    pairs: Callable[[], Iterable[RelationPair]]
    embed: Callable[[Iterable[RelationPair]], Iterable[PairVector]]
    settings: dict[str, Any]  # what the embeddings depend on beside the step's files and code
    part: Callable[[], int] = lambda: PART  # the size of a part, which is asked for where a network must be loaded
    reuse: bool = False  # whether pairs that are stored are not embedded again
    results: Path | None = None  # the folder of all results, in which other stores may hold the same embeddings
    encoder: Path | None = None  # the manifest of the network

    def write(self, path: Path, call: Call) -> None:
        """Write the embeddings in parts, and in the file's metadata what they depend on."""
        read = [
            file for file in call.files if file not in (self.encoder, self.results)
        ]  # results is a folder to look in
        metadata = made_of(read, call.code, **self.settings)
        if self.encoder is not None:
            metadata |= {"kind": "analogies pairs", "model_files": model_files(self.encoder)}
        apart = ("instances",)
        facts = facts_in(path, dependencies(metadata), guard_of(metadata, apart)) if self.reuse else None
        facts = facts or {"size": self.part()}
        write_in_parts(
            self.pairs,
            self.embed,
            vector_table,
            metadata,
            path,
            facts["size"],
            first=first_size(facts["size"]),
            apart=apart,
            reuse=self.reuse,
            results=self.results,
            check=Check(Comparison(self.settings.get("dtype", "float32"))),
            facts=facts,
        )


# Embeddings of pairs by static vectors: the difference of the two words' vectors (section 3.1).


def static(vectors: Vectors, instances: Instances) -> PairVectors:
    """Embed every pair of words by the difference of its static vectors.

    They are made anew each time: reading the vectors takes seconds, and all the rest a moment.
    """
    return PairVectors(partial(pairs, instances), lambda part: differences(part, vectors), {})


def differences(word_pairs: Iterable[RelationPair], vectors: StaticVectors) -> Iterator[PairVector]:
    """Yield for each pair the head's vector minus the tail's; the vector of several words is their mean.

    >>> import numpy as np
    >>> vectors = StaticVectors({"a": 0, "b": 1}, np.array([[1, 0], [0, 2]], np.float32))
    >>> [pair.vector for pair in differences([RelationPair("E01", "a", "b"), RelationPair("E01", "a", "x")], vectors)]
    [array([ 1., -2.], dtype=float32), None]
    """
    for pair in word_pairs:
        head, tail = vectors.of(pair.head), vectors.of(pair.tail)
        yield PairVector(pair, None if head is None or tail is None else head - tail)
