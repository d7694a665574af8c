"""Embeddings of pairs by static vectors: the difference of the two words' vectors (section 3.1)."""

from collections.abc import Iterable, Iterator

from relprobe.sources.static_vectors import StaticVectors, Vectors
from relprobe.studies.analogies.ask.pair_embeddings import Pair, PairVector, PairVectors, pairs
from relprobe.studies.analogies.schemas import Instances


def static(vectors: Vectors, instances: Instances) -> PairVectors:
    """Embed every pair of words by the difference of its static vectors.

    They are made anew each time: reading the vectors takes seconds, and all the rest a moment.
    """
    return PairVectors(pairs(instances), lambda part: differences(part, vectors), {})


def differences(word_pairs: Iterable[Pair], vectors: StaticVectors) -> Iterator[PairVector]:
    """Yield for each pair the head's vector minus the tail's; the vector of several words is their mean.

    >>> import numpy as np
    >>> vectors = StaticVectors({"a": 0, "b": 1}, np.array([[1, 0], [0, 2]], np.float32))
    >>> [pair.vector for pair in differences([Pair("E01", "a", "b"), Pair("E01", "a", "unknown")], vectors)]
    [array([ 1., -2.], dtype=float32), None]
    """
    for pair in word_pairs:
        head, tail = vectors.of(pair.head), vectors.of(pair.tail)
        yield PairVector(pair, None if head is None or tail is None else head - tail)
