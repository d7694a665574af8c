"""A tiny causal model whose probabilities are set by hand, to try requests without a download and to check examples."""

from collections.abc import Mapping

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from relprobe.lm.loading.load import fastest_model
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.words.encode import Encoder

LENGTH = 64
"""The most tokens of an input."""
LEAST_PROBABILITY = 1e-9
"""The probability of a word that does not follow: its logarithm is finite, as a network's must be."""


def bigram_model(followers: Mapping[str, Mapping[str, float]]) -> LanguageModel:
    """Return a Llama network in which the next word depends on the last word alone.

    `followers` maps a word to the probabilities of the words after it, which sum to 1. Its words, in their order of first
    mention, are the vocabulary, so their ids are 0, 1, …. After a word without followers, all words are equally likely.
    The state of a word is a one-hot vector times the square root of the width; the width is the size of the vocabulary.

    >>> model = bigram_model({"a": {"bird": 0.75, "robin": 0.25}})
    >>> query = model.encoder.slot("x", "a robin a [V]")
    >>> query
    Query(ids=(0, 2, 0), positions=(2,))
    >>> model.log_probs(model.states([query])).exp().round(decimals=2)
    tensor([[0.0000, 0.7500, 0.2500]])
    """
    words = list(dict.fromkeys(word for first, following in followers.items() for word in (first, *following)))
    rows = [followers.get(word) or dict.fromkeys(words, 1 / len(words)) for word in words]
    table = torch.tensor([[max(row.get(word, 0), LEAST_PROBABILITY) for word in words] for row in rows])
    network = _bigram_network(table)
    backend = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token=words[0]))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend)
    return fastest_model(network, Encoder.of(tokenizer, masked=False, max_length=LENGTH), budget=1024)


def _bigram_network(table: torch.Tensor) -> LlamaForCausalLM:
    """Return the network of a table of probabilities (last word, next word).

    Its layer adds nothing to the one-hot embeddings. The final norm multiplies them with the root of the width, which the
    head divides by.
    """
    size = len(table)
    config = LlamaConfig(
        vocab_size=size,
        hidden_size=size,
        intermediate_size=size,
        num_hidden_layers=1,
        num_attention_heads=1,
        head_dim=2,
        max_position_embeddings=LENGTH,
        rms_norm_eps=1e-12,
    )
    network = LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for weights in network.model.layers.parameters():
            weights.zero_()
        network.model.embed_tokens.weight.copy_(torch.eye(size))
        network.lm_head.weight.copy_(table.log().T / size**0.5)
    return network
