"""What models are asked layer by layer: the best tokens after each layer, as they are and through maps to the last layer."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from relprobe.lm.maps.file import MAPPED, UNTRAINED, VARIANTS, LayerMaps
from relprobe.lm.requests import LayersResponse
from relprobe.lm.score_files.parts import Scoring
from relprobe.lm.settings import ModelSettings
from relprobe.lm.words.lexicon import Lexicon
from relprobe.stats.schemas import RAW
from relprobe.studies.relations.ask.requests import Befores, answerable, in_prompts, readable, requests
from relprobe.studies.relations.ask.requests import sample as sampled
from relprobe.studies.relations.schemas import Probes

Special = Literal["keep", "drop"]
LAYER_SCORES = pa.schema(
    [
        ("probe_id", pa.string()),
        ("variant", pa.string()),  # raw, or the map between the layer and the head: mapped, shuffled or untrained
        ("layer", pa.uint16()),  # 0: the embeddings
        ("token_ids", pa.list_(pa.int32())),  # best first
        ("logprobs", pa.list_(pa.float32())),  # natural log
    ]
)
PART = 1024
"""The probes of a part; each is answered after many layers."""


def layer_scores(
    model: ModelSettings,
    probes: Probes,
    lexicon: Lexicon,
    examples: Befores | None = None,
    maps: LayerMaps | None = None,
    *,
    layers: Any,
    top_k: int,
    special_tokens: Special,
    sample: int | None = None,
) -> Scoring:
    """Score the main probes after every asked layer: the model's `top_k` best tokens at every slot.

    `maps`: those of the model's layers; without them answers are raw alone. `examples`: what stands before a probe, of which
    there are `shots`. `sample`: only the probes about so many targets of each relation. Trick probes are not asked.
    """
    from relprobe.lm.maps.untrained import untrained_model
    from relprobe.lm.primitives.layers import View, asked_layers, slot_top_k_of_layers

    table = answerable(probes, lexicon, model.type).filter(kind="main")
    table = table if sample is None else sampled(table, sample)
    table = table if examples is None else in_prompts(table)
    network = model.load_network()
    table = readable(table, network, examples)
    asked = asked_layers(network, layers)
    views = {(RAW, layer): View(layer) for layer in asked}
    if maps is not None:
        mapped = [
            (variant, layer)
            for variant in VARIANTS
            for layer in asked
            if (variant, layer) in maps.tensors and (variant, layer) != (MAPPED, asked[-1])
        ]
        views |= {
            (variant, layer): View(layer, *maps.tensors[variant, layer], untrained=variant == UNTRAINED)
            for variant, layer in mapped
        }
    other = untrained_model(network) if any(view.untrained for view in views.values()) else None
    excluded = network.encoder.tokenizer.all_special_ids if special_tokens == "drop" else ()

    def answer(part: Any) -> Any:
        return slot_top_k_of_layers(network, part, top_k, list(views.values()), excluded, other)

    def rows(responses: Sequence[LayersResponse]) -> pa.Table:
        return layer_table(responses, list(views))

    return Scoring(network, model, requests(table, examples), answer, rows, "probes", PART, table.height)


def layer_table(responses: Sequence[LayersResponse], views: Sequence[tuple[str, int]]) -> pa.Table:
    """Return the responses as a table (LAYER_SCORES), a row for each view: its variant and its layer.

    >>> response = LayersResponse("p", np.array([[2], [0]], np.int32), np.array([[-1], [-2]], np.float32))
    >>> layer_table([response], [("raw", 0), ("raw", 1)]).to_pylist()[1]
    {'probe_id': 'p', 'variant': 'raw', 'layer': 1, 'token_ids': [0], 'logprobs': [-2.0]}
    """
    if not responses:
        return LAYER_SCORES.empty_table()
    ids = np.concatenate([response.token_ids for response in responses])
    logprobs = np.concatenate([response.logprobs for response in responses])
    offsets = pa.array(np.arange(len(ids) + 1, dtype=np.int32) * ids.shape[1])
    lists = [pa.ListArray.from_arrays(offsets, pa.array(values.ravel())) for values in (ids, logprobs)]
    names = list(itertools.chain.from_iterable([response.id] * len(views) for response in responses))
    variants, layers = ([view[i] for view in views] * len(responses) for i in range(2))
    return pa.table([names, variants, pa.array(layers, pa.uint16()), *lists], schema=LAYER_SCORES)
