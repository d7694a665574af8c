"""A tiny model of every supported architecture; its weights are so large that a mistake changes the results."""

from functools import cache

import torch
import transformers as hf
from relprobe.lm.network.load import fastest_model, max_length
from relprobe.lm.words.encode import Encoder

from tests.lm.tokenizers_for_tests import byte_level, published, sentence_piece, word_piece

LENGTH = 64
SIZE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
ROPE = {**SIZE, "max_position_embeddings": LENGTH}
GQA = {**ROPE, "num_key_value_heads": 2}
ALTERNATING = ["sliding_attention", "full_attention"]

# name: (masked, tokenizer, config class, model class, config)
ARCHITECTURES = {
    "bert": (True, lambda: published("bert-base-cased") or word_piece(), hf.BertConfig, hf.BertForMaskedLM, ROPE),
    "roberta": (
        True,
        lambda: published("roberta-base") or byte_level(masked=True),
        hf.RobertaConfig,
        hf.RobertaForMaskedLM,
        {**SIZE, "max_position_embeddings": LENGTH + 2, "pad_token_id": 1},
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
        lambda: byte_level(masked=True),
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
    "gemma3": (
        False,
        sentence_piece,
        hf.Gemma3TextConfig,
        hf.Gemma3ForCausalLM,
        {**GQA, "head_dim": 8, "query_pre_attn_scalar": 8, "sliding_window": 8, "layer_types": ALTERNATING},
    ),
}
MASKED = [name for name, (masked, *_) in ARCHITECTURES.items() if masked]
CAUSAL = [name for name, (masked, *_) in ARCHITECTURES.items() if not masked]


@cache
def network(name):
    _, tokenizer, config, architecture, sizes = ARCHITECTURES[name]
    torch.manual_seed(1)
    net = architecture(config(vocab_size=len(tokenizer()), **sizes)).eval()
    for weights in net.parameters():
        # Biases are far from zero, too: the results must change if a position or a bias is left out.
        torch.nn.init.normal_(weights, std=0.25 if weights.dim() > 1 else 0.4)
    return net


@cache
def model(name):
    """Return the model as `relprobe.lm.network.load.load` does, but without files."""
    masked, tokenizer, *_ = ARCHITECTURES[name]
    net = network(name)
    encoder = Encoder.of(tokenizer(), masked=masked, max_length=max_length(net, tokenizer()))
    return fastest_model(net, encoder, budget=1024)
