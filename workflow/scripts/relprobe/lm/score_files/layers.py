"""Score files of the states after several layers: what the studies that read vectors of layers have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from relprobe.lm.primitives.embeddings import embeddings_of_layers
from relprobe.lm.primitives.layers import layers_of_choice
from relprobe.lm.requests import SpanResponse, SpanText
from relprobe.lm.score_files.parts import PART, Scoring
from relprobe.lm.words.unknown import require_known

if TYPE_CHECKING:  # settings load a network, and networks know nothing of score files
    from relprobe.lm.network.model import LanguageModel
    from relprobe.lm.settings import ModelSettings

Table = Callable[[Sequence[SpanResponse]], pa.Table]
LAYER_SCORES = pa.schema(
    [
        ("probe_id", pa.string()),
        ("layer", pa.uint16()),  # 0: the embeddings
        ("values", pa.list_(pa.float32())),  # those of all spans, one after the other
    ]
)


def states_of_layers(
    kind: str,
    model: ModelSettings,
    texts: Sequence[SpanText] | Callable[[], Iterator[SpanText]],
    layers: Any,
    table_of: Callable[[list[int]], Table],
    what: str,
    part: int = PART,
    where: str = "",
    **more: Any,
) -> Scoring:
    """Embed the spans of texts with a model after each asked layer, from one forward pass, as the result of a step.

    `layers`: the choice of the agent; layer 0 and the last one are always asked. `table_of` makes, of the layers that are
    asked, the function from responses to rows. `kind`, `what`, `part` and `more` are those of `Scoring`. `where`: whose
    texts these are, if none of their words may be one that the tokenizer cannot write. ModelError: the network has no such
    layer, or a text has such a word.
    """

    def texts_with_known_words() -> Iterator[SpanText]:
        asked = texts() if callable(texts) else iter(texts)
        return require_known(model.encoder.tokenizer, asked, where) if where else asked

    asked = layers_of_choice(model.config, layers)

    def answer(network: LanguageModel, part: Iterable[SpanText]) -> Iterable[SpanResponse]:
        return embeddings_of_layers(network, part, layers=asked)

    count = more.pop("count", 0) if callable(texts) else len(texts)
    return Scoring(kind, model, texts_with_known_words, answer, table_of(asked), what, part, count=count, **more)


def layer_table(responses: Sequence[SpanResponse], layers: Sequence[int]) -> pa.Table:
    """Return the responses as a table (LAYER_SCORES), a row for each layer.

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
