"""A small random network of the same architecture as a large one, to prove in float32 that a way of computing is right."""

import copy
from typing import Any

import torch

from relprobe.lm.network.blocks import parts_of

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
}
"""What a small network has, where its config has such a number. The window is short, so that short inputs pass over it."""
VOCABULARY = 128
"""The ids of a small network."""
LAYERS = 2
"""The fewest layers: the states of the second depend on what the first has mixed."""
SPREAD = 0.2
"""The standard deviation of the weights: a mistake of a mask then changes the log-probabilities by far more than 1e-4."""


def small_network(net: Any) -> Any:
    """Return a random network in float32 of the class and config of `net`, with a few narrow layers.

    It has as many layers as it needs to have one of each kind. Its positions and its device are those of `net`.
    It raises one of several errors if the config does not allow for these widths.
    """
    config = copy.deepcopy(net.config)
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    for part in parts_of(config):
        _shrink(part)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        small = type(net)(config).float().eval()
        for weights in small.parameters():
            torch.nn.init.normal_(weights, std=SPREAD)
    return small


def _shrink(config: Any) -> None:
    layers = getattr(config, "num_hidden_layers", None)
    if layers is None:
        return
    kinds = list(getattr(config, "layer_types", None) or [])
    fewest = max([LAYERS, *(kinds.index(kind) + 1 for kind in kinds)])
    for name, value in list(vars(config).items()):
        if isinstance(value, list) and len(value) == layers:  # one entry for each layer
            setattr(config, name, value[:fewest])
    config.num_hidden_layers = min(fewest, layers)
    heads, key_heads = (getattr(config, name, None) for name in ("num_attention_heads", "num_key_value_heads"))
    for name, width in WIDTHS.items():
        size = getattr(config, name, None)
        computed = isinstance(getattr(type(config), name, None), property)
        if isinstance(size, int) and not isinstance(size, bool) and size > 0 and not computed:
            setattr(config, name, min(size, width))
    config.vocab_size = VOCABULARY
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
