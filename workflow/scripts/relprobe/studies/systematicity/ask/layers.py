"""What models are asked layer by layer: the states of the classifier's words after each layer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from relprobe.lm.requests import SpanResponse, SpanText
from relprobe.lm.score_files.layers import states_of_layers
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.studies.systematicity.ask.requests import context_requests, place
from relprobe.studies.systematicity.schemas import Contexts

LAYER_EMBEDDINGS = pa.schema(
    [
        ("context", pa.uint32()),
        ("layer", pa.uint16()),  # 0: the embeddings
        ("vector", pa.large_list(pa.float32())),
    ]
)
VECTORS = pa.schema([LAYER_EMBEDDINGS.field("layer"), LAYER_EMBEDDINGS.field("vector")])
"""What is stored of an answer: a context's number changes when a word is added before it."""


def layer_embeddings(model: ModelSettings, contexts: Contexts, *, layers: Any) -> Scoring:
    """Embed the words of the classifier's pairs in their contexts with a model, after each asked layer.

    All layers come from one forward pass. `layers`: the choice of the agent; layer 0 and the last one are always asked.
    """
    texts, rows = list(context_requests(contexts)), lambda asked: partial(vectors_table, layers=asked)
    where = "the contexts of the classifiers' pairs"
    return states_of_layers(model, texts, layers, rows, "contexts", where=where, key=place, join=with_contexts)


def vectors_table(responses: Sequence[SpanResponse], layers: Sequence[int]) -> pa.Table:
    """Return the vectors of the contexts' words as a table (VECTORS), a row for each layer.

    >>> response = SpanResponse("7", np.array([[[1, 2]], [[3, 4]]], np.float32))
    >>> vectors_table([response], [0, 30]).to_pylist()
    [{'layer': 0, 'vector': [1.0, 2.0]}, {'layer': 30, 'vector': [3.0, 4.0]}]
    """
    if not responses:
        return VECTORS.empty_table()
    vectors = np.concatenate([response.vectors[:, 0] for response in responses])  # (contexts × layers, width)
    offsets = np.arange(len(vectors) + 1, dtype=np.int64) * vectors.shape[1]
    numbers = pa.array(list(layers) * len(responses), pa.uint16())
    return pa.table([numbers, pa.LargeListArray.from_arrays(offsets, vectors.ravel())], VECTORS)


def with_contexts(vectors: pa.Table, requests: Sequence[SpanText]) -> pa.Table:
    """Return the vectors (VECTORS) of some requests with the numbers of their contexts (LAYER_EMBEDDINGS)."""
    layers = vectors.num_rows // max(1, len(requests))
    numbers = np.repeat([int(request.id) for request in requests], layers)
    return pa.table([pa.array(numbers, pa.uint32()), *vectors.columns], LAYER_EMBEDDINGS)
