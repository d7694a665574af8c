"""A network that is given as causal is refused if it reads later tokens, and no causal network is."""

from copy import deepcopy

import pytest
import torch
import transformers as hf
from relprobe.core.errors import ModelError
from relprobe.lm.loading.load import fastest_model, load, max_length
from relprobe.lm.network.causality import change_of_small, require_causality
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.network.self_check import PROOF_TOLERANCE, Proof
from relprobe.lm.network.small import small_network
from relprobe.lm.words.encode import Encoder
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING

from tests.lm.architectures import ALL, GEMMA, ROPE, model, network
from tests.lm.loading.test_load import save
from tests.lm.tokenizers_for_tests import byte_level, sentence_piece, word_piece

CAUSAL = [name for name, (masked, *_) in ALL.items() if not masked]
AS_MASKED = r'it is a masked model: say `type: masked` \(kind="masked"\)'
NEITHER = "it reads on both sides, but is no masked model: use another model"
# name: (tokenizer, config class, model class, config, what the error says)
READS_ON = {
    "xlm": (
        word_piece,
        hf.XLMConfig,
        hf.XLMWithLMHeadModel,
        {"emb_dim": 32, "n_layers": 2, "n_heads": 4, "max_position_embeddings": 64},
        AS_MASKED,
    ),
    "bert": (word_piece, hf.BertConfig, hf.BertLMHeadModel, ROPE, AS_MASKED),
    "gemma3": (
        sentence_piece,
        hf.Gemma3TextConfig,
        hf.Gemma3ForCausalLM,
        {**GEMMA, "use_bidirectional_attention": True},
        "its config sets `use_bidirectional_attention`",
    ),
    "cpm_ant": (
        sentence_piece,
        hf.CpmAntConfig,
        hf.CpmAntForCausalLM,
        {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "dim_head": 8, "dim_ff": 64}
        | {"prompt_length": 4, "prompt_types": 4},
        NEITHER,
    ),
    "prophetnet": (
        sentence_piece,
        hf.ProphetNetConfig,
        hf.ProphetNetForCausalLM,
        {"hidden_size": 32, "num_decoder_layers": 2, "num_decoder_attention_heads": 4, "decoder_ffn_dim": 64},
        NEITHER,
    ),
    "xlnet": (
        sentence_piece,
        hf.XLNetConfig,
        hf.XLNetLMHeadModel,
        {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 64},
        NEITHER,
    ),
}
READING_ON = {
    "BertLMHeadModel", "BertGenerationDecoder", "BigBirdForCausalLM", "CamembertForCausalLM", "CpmAntForCausalLM",
    "Data2VecTextForCausalLM", "ElectraForCausalLM", "ErnieForCausalLM", "MegatronBertForCausalLM", "RemBertForCausalLM",
    "RobertaForCausalLM", "RobertaPreLayerNormForCausalLM", "RoCBertForCausalLM", "RoFormerForCausalLM",
    "XLMWithLMHeadModel", "XLMRobertaForCausalLM", "XLMRobertaXLForCausalLM", "XLNetLMHeadModel",
}  # fmt: skip
"""The classes of transformers that count as causal there, and read on both sides by their default config."""


def both_sides(name):
    """Return a network that reads later tokens, and its tokenizer."""
    tokenizer, config, architecture, sizes, _ = READS_ON[name]
    torch.manual_seed(1)
    net = architecture(config(vocab_size=len(tokenizer()), **sizes)).eval()
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.25 if weights.dim() > 1 else 0.4)
    return net, tokenizer()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", READS_ON)
def test_a_network_that_reads_later_tokens_is_refused_with_what_fits(name, dtype):
    if (name, dtype) == ("prophetnet", torch.bfloat16):
        pytest.skip("it computes in float32 alone")
    net, tokenizer = both_sides(name)
    encoder = Encoder.of(tokenizer, masked=False, max_length=max_length(net, tokenizer))
    with pytest.raises(ModelError, match=rf"{type(net).__name__} is no causal network: .*: {READS_ON[name][-1]}"):
        fastest_model(net.to(dtype), encoder, 1024)


def test_a_folder_of_a_masked_model_that_is_given_as_causal_is_refused(tmp_path):
    """XLM and BERT load as causal networks."""
    manifest = save(*both_sides("xlm"), tmp_path / "m")
    with pytest.raises(ModelError, match=rf"XLMWithLMHeadModel .*m is no causal network.*{AS_MASKED}"):
        load(manifest, masked=False)
    assert load(manifest, masked=True).encoder.masked


def test_a_network_that_is_small_already_needs_no_proof():
    net, tokenizer = both_sides("bert")
    encoder = Encoder.of(tokenizer, masked=False, max_length=64)
    with pytest.raises(ModelError, match="is no causal network"):
        require_causality(LanguageModel(net, encoder, "plain", 1), None)


def test_a_decoder_of_berts_kind_is_causal():
    torch.manual_seed(1)
    net = hf.BertLMHeadModel(hf.BertConfig(vocab_size=len(word_piece()), is_decoder=True, **ROPE)).eval()
    assert fastest_model(net, Encoder.of(word_piece(), masked=False, max_length=64), 1024).path == "packed"


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("name", CAUSAL)
def test_no_causal_network_is_refused(name, dtype):
    net, encoder = network(name), model(name).encoder
    require_causality(LanguageModel(net, encoder, "plain", 1), None)
    proof = Proof.of(net, encoder)
    assert proof is not None
    require_causality(LanguageModel(deepcopy(net).to(dtype), encoder, "plain", 1), proof)


@pytest.mark.slow("it makes a small network of each of 138 classes")
def test_of_the_causal_classes_of_transformers_those_alone_are_refused_that_read_on_both_sides():
    """Small networks of the default configs, as far as there are such networks: 138 of 189 classes."""
    encoder = Encoder.of(byte_level(), masked=False, max_length=400)
    tried, refused = set(), set()
    for config, architecture in MODEL_FOR_CAUSAL_LM_MAPPING.items():
        if architecture.__name__ == "BltForCausalLM":  # its small network takes minutes
            continue
        try:
            with torch.device("meta"):
                net = architecture(config())
            small = small_network(net)
            small(torch.tensor([[5, 6, 7]]))
        except Exception:  # other classes need other widths, or packages that are not installed
            continue
        tried.add(architecture.__name__)
        if change_of_small(Proof(small, encoder)) > PROOF_TOLERANCE:
            refused.add(architecture.__name__)
    assert len(tried) > 120
    assert refused == READING_ON
