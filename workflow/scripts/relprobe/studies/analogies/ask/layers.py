"""What models are asked layer by layer: the vectors of the four words of every sentence after each layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import pyarrow as pa

from relprobe.lm.requests import SpanResponse
from relprobe.lm.score_files.layers import Table, states_of_layers
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.studies.analogies.ask.precision import in_half_precision
from relprobe.studies.analogies.ask.prompts import Template
from relprobe.studies.analogies.ask.requests import EMBEDDINGS, Probes, embedding_table, span_requests

LAYER_EMBEDDINGS = EMBEDDINGS.append(pa.field("layer", pa.uint16()))
"""EMBEDDINGS with the layer; 0 is the embeddings."""
PART = 512
"""The sentences of a part; each has vectors of many layers."""


def layer_embeddings(
    model: ModelSettings,
    probes: Probes,
    *,
    template: str,
    layers: Any,
    precision: Literal["half", "single"] = "half",
) -> Scoring:
    """Embed the four words of every sentence with a model, after each asked layer, from one forward pass (section 2.4).

    `layers`: the choice of the agent; layer 0 and the last one are always asked. `precision`: whether the vectors are stored
    in 16 or 32 bits.
    """

    def rows(asked: list[int]) -> Table:
        table = partial(layer_table, layers=asked)
        return in_half_precision(table) if precision == "half" else table

    count = probes.select("relation", "text").n_unique()
    texts = span_requests(probes, Template.of(template))
    return states_of_layers(model, texts, layers, rows, "sentences", PART, "the analogies", count=count)


def layer_table(responses: Sequence[SpanResponse], layers: Sequence[int]) -> pa.Table:
    r"""Return the vectors of the four words of each sentence after each layer (LAYER_EMBEDDINGS), sentence by sentence.

    >>> import numpy as np
    >>> vectors = np.zeros((2, 4, 1), np.float32) + np.array([5, 7], np.float32)[:, None, None]
    >>> table = layer_table([SpanResponse("E01\tparis …", vectors)], [0, 30])
    >>> table.select(["text", "h1", "layer"]).to_pylist()
    [{'text': 'paris …', 'h1': [5.0], 'layer': 0}, {'text': 'paris …', 'h1': [7.0], 'layer': 30}]
    """
    single = [replace(response, vectors=vectors) for response in responses for vectors in response.vectors]
    numbers = pa.array(list(layers) * len(responses), pa.uint16())
    return embedding_table(single).append_column(LAYER_EMBEDDINGS.field("layer"), numbers)
