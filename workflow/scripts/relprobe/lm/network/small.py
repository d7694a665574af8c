"""A small random network of the same architecture as a large one, to prove in float32 that a way of computing is right."""

import copy
from typing import Any

import torch

from relprobe.lm.network.blocks import parts_of

VOCABULARY = 128
"""The ids of a small network."""
WIDTHS = {
    "hidden_size": 64,
    "num_attention_heads": 4,
    "head_dim": 16,
    "intermediate_size": 64,
    "ffn_dim": 64,
    "word_embed_proj_dim": 64,
    "n_inner": 64,
    "moe_intermediate_size": 32,
    "shared_expert_intermediate_size": 32,
    "intermediate_size_mlp": 64,
    "n_routed_experts": 4,
    "num_experts": 4,
    "num_local_experts": 4,
    "num_experts_per_tok": 2,
    "n_group": 1,
    "topk_group": 1,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_rope_head_dim": 16,
    "qk_nope_head_dim": 16,
    "qk_head_dim": 32,
    "v_head_dim": 16,
    "query_pre_attn_scalar": 16,
    "mamba_n_heads": 8,
    "mamba_d_head": 16,
    "mamba_d_ssm": 128,
    "mamba_d_state": 16,
    "mamba_chunk_size": 16,
    "num_heads": 8,
    "state_size": 16,
    "chunk_size": 16,
    "n_groups": 1,
    "sliding_window": 20,
    "hidden_size_per_layer_input": 16,
    "rotary_dim": 16,
}
"""What a small network has, where its config has such a number. The window is short, so that short inputs pass over it."""
LAYERS = 2
"""The fewest layers: the states of the second depend on what the first has mixed."""
SHARED = "num_kv_shared_layers"
"""How many of the last layers take the keys and values of earlier ones (Gemma 3n, Gemma 4)."""
VOCABULARIES = ("vocab_size_per_layer_input", "decoder_vocab_size")
"""The ids that each layer has vectors of its own for (Gemma 3n, Gemma 4), and those that a decoder answers with (Marian)."""
SPREAD = 0.2
"""The standard deviation of the weights: a mistake of a mask then changes the log-probabilities by far more than 1e-4."""


def small_network(net: Any) -> Any:
    """Return a random network in float32 of the class and config of `net`, with a few narrow layers.

    It has as many layers as it needs to have one of each kind (`_layers_of_each_kind`). Its positions are those of `net`.
    It raises one of several errors if the config does not allow for these widths.
    """
    return small_network_of(type(net), net.config)


def small_network_of(architecture: Any, config: Any, vocabulary: int = VOCABULARY) -> Any:
    """Return a small random network of a class and config, with so many ids; `config` itself stays as it is."""
    config = copy.deepcopy(config)
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    for part in parts_of(config):
        _shrink(part, vocabulary)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        small = architecture(config).float().eval()
        for weights in small.parameters():
            torch.nn.init.normal_(weights, std=SPREAD)
    return small


def _shrink(config: Any, vocabulary: int) -> None:
    layers = getattr(config, "num_hidden_layers", None)
    if layers is None:
        return
    chosen, shared = _layers_of_each_kind(config, layers), getattr(config, SHARED, None) or 0
    layer_values = _values_of_layers(config, chosen)
    for name, value in list(vars(config).items()):
        if isinstance(value, list) and len(value) == layers:  # one entry for each layer
            setattr(config, name, [_narrow(name, value[layer]) for layer in chosen])
    config.num_hidden_layers = len(chosen)
    if shared:
        setattr(config, SHARED, sum(layer >= layers - shared for layer in chosen))
    _narrow_all(config)
    config.vocab_size = vocabulary
    for name in VOCABULARIES:
        if hasattr(config, name):
            setattr(config, name, vocabulary)
    if layer_values:
        config.per_layer_config = dict(enumerate(layer_values))


def _layers_of_each_kind(config: Any, layers: int) -> list[int]:
    """Return the layers that a small network has: the first of each kind, with all before it, and LAYERS at least.

    Where later layers take the keys and values of earlier ones, or layers have values of their own, a kind is the type of a
    layer with that, and what lies between the first layers of two kinds is left out.
    """
    types = list(getattr(config, "layer_types", None) or [])
    shared, attributes = getattr(config, SHARED, None) or 0, sorted(getattr(config, "per_layer_attributes", None) or ())
    if not shared and not attributes:
        return list(range(min(max([LAYERS, *(types.index(kind) + 1 for kind in types)]), layers)))
    configs = config.per_layer_config if attributes else [config] * layers
    kinds = [
        (
            types[layer : layer + 1],
            layer >= layers - shared,
            [getattr(configs[layer], name, None) for name in attributes],
        )
        for layer in range(layers)
    ]
    return sorted({*range(min(LAYERS, layers)), *(kinds.index(kind) for kind in kinds)})


def _values_of_layers(config: Any, chosen: list[int]) -> list[dict[str, Any]]:
    """Take the values that single layers have for themselves out of a config, and return those of some layers, narrowed."""
    names = getattr(config, "per_layer_attributes", None)
    if not names:
        return []
    layers = [config.per_layer_config[layer] for layer in chosen]
    values: list[dict[str, Any]] = [{name: getattr(layer, name, None) for name in {*names, "skip"}} for layer in layers]
    config.per_layer_config = None
    least = {name: min((row[name] for row in values if _is_size(row[name])), default=1) for name in names}
    for row in values:
        row["skip"] = row["skip"] or []
        for name in names:
            if _is_size(row[name]) and name in WIDTHS:  # wide layers stay wider than the others
                row[name] = row[name] * min(least[name], WIDTHS[name]) // least[name]
        if row.get("num_key_value_heads"):
            row["num_key_value_heads"] = _key_heads(config, row["num_key_value_heads"], WIDTHS["num_attention_heads"])
    return values


def _narrow(name: str, value: Any) -> Any:
    return min(value, WIDTHS[name]) if _is_size(value) and name in WIDTHS else value


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _key_heads(config: Any, count: int, heads: int) -> int:
    """Return the key heads of a small network with so many heads: as many, or half of them if the network has fewer."""
    return heads // (1 if count == config.num_attention_heads else 2)


def _narrow_all(config: Any) -> None:
    heads, key_heads = (getattr(config, name, None) for name in ("num_attention_heads", "num_key_value_heads"))
    for name in WIDTHS:
        size = getattr(config, name, None)
        if _is_size(size) and not isinstance(getattr(type(config), name, None), property):
            setattr(config, name, _narrow(name, size))
    if key_heads is not None:
        config.num_key_value_heads = config.num_attention_heads // (1 if key_heads == heads else 2)
    for name in ("pad_token_id", "bos_token_id", "eos_token_id"):
        if getattr(config, name, None) is not None:
            setattr(config, name, 0)
    rope = getattr(config, "rope_parameters", None) or {}
    if "mrope_section" in rope:
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        rope["mrope_section"] = _sections(rope["mrope_section"], int(size * rope.get("partial_rotary_factor", 1)) // 2)


def _sections(sizes: list[int], total: int) -> list[int]:
    """Return the shares of time, height and width in rotary positions (Qwen2-VL's) in the same proportion, but of `total`.

    >>> _sections([16, 24, 24], 8)
    [2, 3, 3]
    """
    shares = [size * total // sum(sizes) for size in sizes]
    return [*shares[:-1], total - sum(shares[:-1])]
