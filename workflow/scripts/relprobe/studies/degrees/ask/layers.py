"""What models are asked layer by layer: the hidden states of each pair's words after each layer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from relprobe.lm.requests import SpanResponse
from relprobe.lm.score_files.layers import states_of_layers
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.studies.degrees.ask.requests import Probes, spans
from relprobe.studies.degrees.ask.scoring import PART

LAYER_SCORES = pa.schema(
    [
        ("probe_id", pa.string()),
        ("layer", pa.uint16()),  # 0: the embeddings
        ("values", pa.list_(pa.float32())),  # as those of the kind hidden
    ]
)


def layer_scores(model: ModelSettings, probes: Probes, *, layers: Any) -> Scoring:
    """Score the probes with a model after each asked layer: the states of a pair's two words, as of the kind `hidden`.

    All layers come from one forward pass. `layers`: the choice of the agent; layer 0 and the last one are always asked.
    """
    texts = list(spans(probes))
    return states_of_layers(model, texts, layers, lambda asked: partial(layer_table, layers=asked), "requests", PART)


def layer_table(responses: Sequence[SpanResponse], layers: Sequence[int]) -> pa.Table:
    """Return the responses as a table (LAYER_SCORES), a row for each layer.

    >>> import numpy as np
    >>> vectors = np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], np.float32)
    >>> layer_table([SpanResponse("1b tool:hammer", vectors)], [0, 30]).to_pylist()[1]
    {'probe_id': '1b tool:hammer', 'layer': 30, 'values': [5.0, 6.0, 7.0, 8.0]}
    """
    if not responses:
        return LAYER_SCORES.empty_table()
    values = np.concatenate([response.vectors.reshape(len(layers), -1) for response in responses])
    offsets = pa.array(np.arange(len(values) + 1, dtype=np.int32) * values.shape[1])
    ids = [response.id for response in responses for _ in layers]
    numbers = pa.array(list(layers) * len(responses), pa.uint16())
    return pa.table([ids, numbers, pa.ListArray.from_arrays(offsets, pa.array(values.ravel()))], schema=LAYER_SCORES)
