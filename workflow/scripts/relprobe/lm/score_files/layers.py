"""Score files of the states after several layers: what the studies that read vectors of layers have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from relprobe.lm.primitives.embeddings import embeddings_of_layers
from relprobe.lm.primitives.layers import asked_layers
from relprobe.lm.requests import SpanResponse, SpanText
from relprobe.lm.score_files.parts import PART, Scoring
from relprobe.lm.words.unknown import require_known

if TYPE_CHECKING:  # settings load a network, and networks know nothing of score files
    from relprobe.lm.settings import ModelSettings

Table = Callable[[Sequence[SpanResponse]], pa.Table]


def states_of_layers(
    model: ModelSettings,
    texts: Sequence[SpanText] | Iterator[SpanText],
    layers: Any,
    table_of: Callable[[list[int]], Table],
    what: str,
    part: int = PART,
    where: str = "",
    **more: Any,
) -> Scoring:
    """Embed the spans of texts with a model after each asked layer, from one forward pass, as the result of a step.

    `layers`: the choice of the agent; layer 0 and the last one are always asked. `table_of` makes, of the layers that are
    asked, the function from responses to rows. `what`, `part` and `more` are those of `Scoring`. `where`: whose texts these
    are, if none of their words may be one that the tokenizer cannot write. ModelError: the network has no such layer, or a
    text has such a word.
    """
    network = model.load_network()
    if where:
        checked = require_known(network.encoder.tokenizer, texts, where)
        texts = checked if isinstance(texts, Iterator) else list(checked)
    asked = asked_layers(network, layers)
    answer = partial(embeddings_of_layers, network, layers=asked)
    return Scoring(network, model, texts, answer, table_of(asked), what, part, **more)
