"""A tiny network of every architecture that is tested; its weights are so large that a mistake changes the results."""

from functools import cache

import torch
import transformers as hf
from relprobe.lm.loading.load import fastest_model, max_length
from relprobe.lm.loading.text_part import text_part
from relprobe.lm.words.encode import Encoder

from tests.lm.tokenizers_for_tests import byte_level, published, sentence_piece, word_piece
from tests.logs import warnings_of_relprobe
from tests.patched import made_once

LENGTH = 64
SIZE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
ROPE = {**SIZE, "max_position_embeddings": LENGTH}
GQA = {**ROPE, "num_key_value_heads": 2}
ALTERNATING = ["sliding_attention", "full_attention"]
OFFSET = {**SIZE, "max_position_embeddings": LENGTH + 2, "pad_token_id": 1}  # positions begin at pad_token_id + 1
GEMMA = {**GQA, "head_dim": 8, "query_pre_attn_scalar": 8, "sliding_window": 8, "layer_types": ALTERNATING}
EXPERTS = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
STATE_SPACE = {"mamba_d_state": 8, "mamba_d_conv": 4, "mamba_expand": 2}
VISION = {**SIZE, "image_size": 16, "patch_size": 8}


QWEN_VISION = {"depth": 2, "hidden_size": 32, "num_heads": 4, "intermediate_size": 64, "out_hidden_size": 32}


def qwen2_5_vl_config(**sizes):
    """Return a config of Qwen2.5-VL that says how positions are shared, as those of the published models do."""
    published = {"rope_parameters": {"rope_type": "default", "mrope_section": [16, 24, 24]}}
    return hf.Qwen2_5_VLConfig(**{"text_config": published, **sizes})


def masked_byte_level():
    return byte_level(masked=True)


# name: (masked, tokenizer, config class, model class, config)
ARCHITECTURES = {
    "bert": (True, lambda: published("bert-base-cased") or word_piece(), hf.BertConfig, hf.BertForMaskedLM, ROPE),
    "roberta": (
        True,
        lambda: published("roberta-base") or masked_byte_level(),
        hf.RobertaConfig,
        hf.RobertaForMaskedLM,
        OFFSET,
    ),
    "albert": (
        True,
        lambda: published("albert-base-v2") or word_piece(),
        hf.AlbertConfig,
        hf.AlbertForMaskedLM,
        {**ROPE, "embedding_size": 16},
    ),
    "distilbert": (
        True,
        word_piece,
        hf.DistilBertConfig,
        hf.DistilBertForMaskedLM,
        {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64, "max_position_embeddings": LENGTH},
    ),
    "electra": (True, word_piece, hf.ElectraConfig, hf.ElectraForMaskedLM, {**ROPE, "embedding_size": 16}),
    "modernbert": (
        True,
        masked_byte_level,
        hf.ModernBertConfig,
        hf.ModernBertForMaskedLM,
        {**ROPE, "local_attention": 8, "global_attn_every_n_layers": 2, "pad_token_id": 1},
    ),
    "gpt2": (
        False,
        byte_level,
        hf.GPT2Config,
        hf.GPT2LMHeadModel,
        {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": LENGTH},
    ),
    "opt": (
        False,
        lambda: published("opt") or byte_level(),
        hf.OPTConfig,
        hf.OPTForCausalLM,
        {**ROPE, "ffn_dim": 64, "word_embed_proj_dim": 32},
    ),
    "gpt_neox": (False, byte_level, hf.GPTNeoXConfig, hf.GPTNeoXForCausalLM, ROPE),
    "llama": (False, sentence_piece, hf.LlamaConfig, hf.LlamaForCausalLM, GQA),
    "smollm2": (False, byte_level, hf.LlamaConfig, hf.LlamaForCausalLM, {**GQA, "tie_word_embeddings": True}),
    "mistral": (False, sentence_piece, hf.MistralConfig, hf.MistralForCausalLM, {**GQA, "sliding_window": 8}),
    "qwen2": (False, byte_level, hf.Qwen2Config, hf.Qwen2ForCausalLM, GQA),
    "qwen3": (False, byte_level, hf.Qwen3Config, hf.Qwen3ForCausalLM, {**GQA, "head_dim": 8}),
    "gemma3": (False, sentence_piece, hf.Gemma3TextConfig, hf.Gemma3ForCausalLM, GEMMA),
}
"""These are tested with every primitive."""
MORE = {
    "xlm_roberta": (True, masked_byte_level, hf.XLMRobertaConfig, hf.XLMRobertaForMaskedLM, OFFSET),
    "camembert": (True, masked_byte_level, hf.CamembertConfig, hf.CamembertForMaskedLM, OFFSET),
    "mpnet": (True, masked_byte_level, hf.MPNetConfig, hf.MPNetForMaskedLM, OFFSET),
    "deberta_v3": (
        True,
        word_piece,
        hf.DebertaV2Config,
        hf.DebertaV2ForMaskedLM,
        {
            **ROPE,
            "relative_attention": True,
            "position_buckets": 8,
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
            "pos_att_type": ["p2c", "c2p"],
            "position_biased_input": False,
            "type_vocab_size": 0,
        },
    ),
    "esm": (
        True,
        word_piece,
        hf.EsmConfig,
        hf.EsmForMaskedLM,
        {**OFFSET, "position_embedding_type": "rotary", "mask_token_id": 4, "token_dropout": True},
    ),
    "gpt_neo": (
        False,
        byte_level,
        hf.GPTNeoConfig,
        hf.GPTNeoForCausalLM,
        {
            "hidden_size": 32,
            "num_layers": 2,
            "num_heads": 4,
            "attention_types": [[["global", "local"], 1]],
            "window_size": 8,
            "max_position_embeddings": LENGTH,
        },
    ),
    "mistral3": (
        False,
        sentence_piece,
        hf.Mistral3Config,
        text_part(hf.Mistral3ForConditionalGeneration),
        {
            "text_config": {"model_type": "mistral", **GQA, "head_dim": 8},
            "vision_config": {"model_type": "pixtral", **VISION, "head_dim": 8},
        },
    ),
    "llava": (
        False,
        sentence_piece,
        hf.LlavaConfig,
        text_part(hf.LlavaForConditionalGeneration),
        {
            "text_config": {"model_type": "llama", **GQA},
            "vision_config": {"model_type": "clip_vision_model", **VISION},
        },
    ),
    "qwen2_5_vl": (
        False,
        byte_level,
        qwen2_5_vl_config,
        text_part(hf.Qwen2_5_VLForConditionalGeneration),
        {
            "text_config": {**GQA, "rope_parameters": {"rope_type": "default", "mrope_section": [1, 1, 2]}},
            "vision_config": {**QWEN_VISION, "fullatt_block_indexes": [1]},
        },
    ),
    "qwen3_vl": (
        False,
        byte_level,
        hf.Qwen3VLConfig,
        text_part(hf.Qwen3VLForConditionalGeneration),
        {
            "text_config": {
                **GQA,
                "head_dim": 8,
                "rope_parameters": {"rope_type": "default", "mrope_section": [2, 1, 1]},
            },
            "vision_config": {**QWEN_VISION, "num_position_embeddings": 16, "deepstack_visual_indexes": [0]},
        },
    ),
    "smolvlm": (
        False,
        byte_level,
        hf.SmolVLMConfig,
        text_part(hf.SmolVLMForConditionalGeneration),
        {"text_config": {"model_type": "llama", **GQA, "pad_token_id": 1}, "vision_config": VISION, "pad_token_id": 1},
    ),
    "mixtral": (
        False,
        sentence_piece,
        hf.MixtralConfig,
        hf.MixtralForCausalLM,
        {**GQA, "num_local_experts": 4, "sliding_window": 8},
    ),
    "qwen3_moe": (
        False,
        byte_level,
        hf.Qwen3MoeConfig,
        hf.Qwen3MoeForCausalLM,
        {**GQA, **EXPERTS, "head_dim": 8},
    ),
    "olmo2": (False, byte_level, hf.Olmo2Config, hf.Olmo2ForCausalLM, {**GQA, "pad_token_id": 1}),
    "olmoe": (
        False,
        byte_level,
        hf.OlmoeConfig,
        hf.OlmoeForCausalLM,
        {**GQA, "num_experts": 4, "num_experts_per_tok": 2, "pad_token_id": 1},
    ),
    "phi3": (False, byte_level, hf.Phi3Config, hf.Phi3ForCausalLM, {**GQA, "pad_token_id": 1, "sliding_window": 8}),
    "deepseek_v3": (
        False,
        byte_level,
        hf.DeepseekV3Config,
        hf.DeepseekV3ForCausalLM,
        {
            **ROPE,
            "num_key_value_heads": 4,
            "q_lora_rank": 16,
            "kv_lora_rank": 16,
            "qk_rope_head_dim": 8,
            "qk_nope_head_dim": 8,
            "v_head_dim": 8,
            "n_routed_experts": 4,
            "num_experts_per_tok": 2,
            "n_group": 1,
            "topk_group": 1,
            "first_k_dense_replace": 1,
            "moe_intermediate_size": 32,
        },
    ),
    "gpt_oss": (
        False,
        byte_level,
        hf.GptOssConfig,
        hf.GptOssForCausalLM,
        {**GQA, "head_dim": 8, "sliding_window": 8, "num_local_experts": 4, "num_experts_per_tok": 2}
        | {"layer_types": ALTERNATING, "pad_token_id": 1},
    ),
    "llama4": (
        False,
        byte_level,
        hf.Llama4TextConfig,
        hf.Llama4ForCausalLM,
        {**GQA, "head_dim": 8, "num_local_experts": 4, "intermediate_size_mlp": 64, "attention_chunk_size": 16}
        | {"no_rope_layers": [1, 0], "floor_scale": 8, "pad_token_id": 1},
    ),
    "gemma2": (
        False,
        sentence_piece,
        hf.Gemma2Config,
        hf.Gemma2ForCausalLM,
        {**GEMMA, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0},
    ),
    "gemma3_multimodal": (
        False,
        sentence_piece,
        hf.Gemma3Config,
        text_part(hf.Gemma3ForConditionalGeneration),
        {"text_config": GEMMA, "vision_config": VISION, "mm_tokens_per_image": 4},
    ),
    "falcon": (
        False,
        byte_level,
        hf.FalconConfig,
        hf.FalconForCausalLM,
        {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "max_position_embeddings": LENGTH},
    ),
    "falcon_h1": (
        False,
        byte_level,
        hf.FalconH1Config,
        hf.FalconH1ForCausalLM,
        {**GQA, **STATE_SPACE, "mamba_d_ssm": 32, "mamba_n_heads": 4, "mamba_d_head": 8, "mamba_chunk_size": 8}
        | {"lm_head_multiplier": 0.5, "pad_token_id": 1},
    ),
    "bloom": (False, byte_level, hf.BloomConfig, hf.BloomForCausalLM, {"hidden_size": 32, "n_layer": 2, "n_head": 4}),
    "mpt": (
        False,
        byte_level,
        hf.MptConfig,
        hf.MptForCausalLM,
        {"d_model": 32, "n_layers": 2, "n_heads": 4, "max_seq_len": LENGTH},
    ),
    "stablelm": (False, byte_level, hf.StableLmConfig, hf.StableLmForCausalLM, GQA),
    "jamba": (
        False,
        byte_level,
        hf.JambaConfig,
        hf.JambaForCausalLM,
        {**GQA, **STATE_SPACE, "mamba_dt_rank": 4, "num_experts": 4, "use_mamba_kernels": False}
        | {"attn_layer_period": 2, "attn_layer_offset": 1, "expert_layer_period": 2, "expert_layer_offset": 1},
    ),
    "mamba": (
        False,
        byte_level,
        hf.MambaConfig,
        hf.MambaForCausalLM,
        {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8, "use_mambapy": False},
    ),
    "mamba2": (
        False,
        byte_level,
        hf.Mamba2Config,
        hf.Mamba2ForCausalLM,
        {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 8, "num_heads": 8, "head_dim": 8, "n_groups": 1}
        | {"chunk_size": 8},
    ),
    "cohere2": (
        False,
        byte_level,
        hf.Cohere2Config,
        hf.Cohere2ForCausalLM,
        {**GQA, "sliding_window": 8, "layer_types": ALTERNATING},
    ),
}
"""These are tested with slots alone."""
ALL = ARCHITECTURES | MORE
MASKED = [name for name, (masked, *_) in ARCHITECTURES.items() if masked]
CAUSAL = [name for name, (masked, *_) in ARCHITECTURES.items() if not masked]


def build(name, **changes):
    """Return a new network of an architecture, with these `changes` of its config."""
    _, tokenizer, config, architecture, sizes = ALL[name]
    torch.manual_seed(1)
    sizes = {"vocab_size": len(tokenizer()), **sizes, **changes}
    if "text_config" in sizes:
        sizes["text_config"] = {"vocab_size": sizes.pop("vocab_size"), **sizes["text_config"]}
    net = architecture(config(**sizes)).eval()
    for weights in net.parameters():
        # Biases are far from zero, too: the results must change if a position or a bias is left out.
        torch.nn.init.normal_(weights, std=0.25 if weights.dim() > 1 else 0.4)
    return net


@cache
def network(name):
    return build(name)


def encoder(name):
    """Return how the texts of a model are encoded, which needs no model."""
    masked, tokenizer, *_ = ALL[name]
    return Encoder.of(tokenizer(), masked=masked, max_length=max_length(network(name), tokenizer()))


@made_once
def made(name):
    """Return the model as `relprobe.lm.loading.load.load` does, but without files, and of what relprobe warned meanwhile."""
    with warnings_of_relprobe() as said:
        return fastest_model(network(name), encoder(name), budget=1024), said


def model(name):
    return made(name)[0]
