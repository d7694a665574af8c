"""Loading: errors for files that do not fit, and the fallback of a path that disagrees with the plain forward."""

import json
from dataclasses import replace

import accelerate
import numpy as np
import pytest
import torch
import transformers as hf
from relprobe.core.errors import ModelError
from relprobe.core.manifest import write_manifest
from relprobe.lm.network import load as loading
from relprobe.lm.network.blocks import attention_mask
from relprobe.lm.network.load import fastest_model, load
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Query, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.words.encode import Encoder

from tests.lm import naive
from tests.lm.architectures import GQA, LENGTH, ROPE, model, network
from tests.lm.tokenizers_for_tests import ROOT, byte_level, sentence_piece, word_piece

PROBES = [SlotProbe(text, (Variant(text),)) for text in ("a robin is a [V]", "a robin is an [V]", "car [V]")]


def save(net, tokenizer, folder):
    net.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return write_manifest(folder)


@pytest.mark.parametrize(("name", "masked"), [("distilbert", True), ("gemma3", False)])
def test_a_model_from_disk_loads_and_scores(name, masked, tmp_path):
    manifest = save(network(name), model(name).encoder.tokenizer, tmp_path / "m")
    scorer = load(manifest, masked=masked)
    assert (scorer.path, scorer.net.dtype) == (model(name).path, torch.float32)
    naive.assert_slots_equal(scorer, scorer.net, PROBES)


def test_bfloat16_passes_the_check_and_gives_float32(tmp_path):
    net = hf.LlamaForCausalLM(hf.LlamaConfig(vocab_size=len(byte_level()), **GQA))
    scorer = load(save(net, byte_level(), tmp_path / "m"), masked=False, dtype=torch.bfloat16)
    assert (scorer.path, scorer.net.dtype) == ("blocks", torch.bfloat16)
    total = np.exp(next(slot_top_k(scorer, PROBES, len(byte_level()))).logprobs.astype(np.float64)).sum()
    assert abs(total - 1) < 1e-5  # a log-softmax in bfloat16 is off by about 1e-2


def test_a_wrong_tree_mask_falls_back(monkeypatch, caplog):
    def not_a_tree(keys, ends, depths, dtype, window=None):
        return attention_mask(keys, torch.full_like(ends, len(ends)), depths, dtype, window)

    monkeypatch.setattr("relprobe.lm.network.batching.attention_mask", not_a_tree)
    scorer = fastest_model(network("llama"), model("llama").encoder, 1024)
    assert scorer.path == "grouped"
    assert "blocks path" in caplog.text
    assert "falling back" in caplog.text
    naive.assert_slots_equal(scorer, scorer.net, PROBES)


def test_a_mask_without_the_sliding_window_falls_back(monkeypatch):
    def unbounded(keys, ends, depths, dtype, window=None):
        return attention_mask(keys, ends, depths, dtype)

    monkeypatch.setattr("relprobe.lm.network.batching.attention_mask", unbounded)
    assert fastest_model(network("gemma3"), model("gemma3").encoder, 1024).path == "grouped"


def test_a_wrong_head_falls_back_to_the_plain_forward(monkeypatch, caplog):
    monkeypatch.setattr("relprobe.lm.network.model.head_of", lambda net: lambda **_: None)
    assert fastest_model(network("bert"), model("bert").encoder, 1024).path == "plain"
    assert "the grouped path fails" in caplog.text


@pytest.mark.parametrize(
    ("architecture", "config"),
    [
        (hf.BloomForCausalLM, hf.BloomConfig(hidden_size=32, n_layer=2, n_head=4, vocab_size=420)),
        (
            hf.MambaForCausalLM,
            hf.MambaConfig(hidden_size=32, num_hidden_layers=2, vocab_size=420, use_mambapy=False),
        ),
        (
            hf.GPTNeoForCausalLM,
            hf.GPTNeoConfig(
                **{**ROPE, "num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]]},
                window_size=8,
                vocab_size=420,
            ),
        ),
    ],
)
def test_architectures_without_tries_fall_back_and_are_right(architecture, config, caplog):
    torch.manual_seed(0)
    net = architecture(config).eval()
    for weights in net.parameters():
        if weights.dim() > 1:
            torch.nn.init.normal_(weights, std=0.25)
    scorer = fastest_model(net, Encoder.of(byte_level(), masked=False, max_length=LENGTH), 1024)
    assert scorer.path in ("grouped", "plain")
    assert "falling back" in caplog.text
    naive.assert_slots_equal(scorer, scorer.net, PROBES)


def test_the_plain_path_gives_the_same():
    for name in ("bert", "llama"):
        naive.assert_slots_equal(replace(model(name), path="plain"), network(name), PROBES)


def test_nan_and_infinite_values_are_an_error_that_names_the_network():
    net = hf.BertForMaskedLM(hf.BertConfig(vocab_size=len(word_piece()), **ROPE)).eval()
    net.bert.encoder.layer[1].output.dense.weight.data.fill_(torch.nan)
    encoder = Encoder.of(word_piece(), masked=True, max_length=LENGTH)
    with pytest.raises(ModelError, match=r"BertForMaskedLM .*computes NaN or infinite values.*torch.float32"):
        fastest_model(net, encoder, 1024)
    scorer = loading.LanguageModel(net, encoder, "grouped", 1024)
    with pytest.raises(ModelError, match=r"in its BertModel in torch.float32: its weights are broken"):
        list(slot_top_k(scorer, PROBES, 5))
    with pytest.raises(ModelError, match="in its BertModel"):
        list(embeddings(scorer, [SpanText("x", "a bird", ((0, 1),))], -1))
    net = hf.BertForMaskedLM(hf.BertConfig(vocab_size=len(word_piece()), **ROPE)).eval()
    net.cls.predictions.bias.data[7] = torch.inf
    with pytest.raises(ModelError, match=r"in its head in torch.float32: its weights are broken"):
        list(slot_top_k(loading.LanguageModel(net, encoder, "grouped", 1024), PROBES, 5))


def test_a_tokenizer_without_a_mask_is_no_masked_model():
    with pytest.raises(ModelError, match=r"has no mask token.*is this a causal model"):
        Encoder.of(byte_level(), masked=True, max_length=LENGTH)


def test_weights_that_do_not_fit_their_config(tmp_path):
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    config = json.loads((tmp_path / "m" / "config.json").read_text())
    (tmp_path / "m" / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))
    with pytest.raises(ModelError, match="weights do not fit its config as a causal model"):
        load(manifest, masked=False)


@pytest.mark.parametrize("keep", [0, 4, 100, 2000, -1])
def test_a_truncated_weights_file_is_damaged(keep, tmp_path):
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    weights = tmp_path / "m" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:keep])
    with pytest.raises(ModelError, match=r"m: its \*\.safetensors are damaged \(.*\): get them anew\."):
        load(manifest, masked=False)


def test_a_truncated_tokenizer_is_damaged(tmp_path):
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    file = tmp_path / "m" / "tokenizer.json"
    file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(ModelError, match=r"m: its tokenizer cannot be loaded"):
        load(manifest, masked=False)


def test_a_causal_model_is_not_loaded_as_a_masked_one(tmp_path):
    with pytest.raises(ModelError, match=r"cannot be loaded as a masked model.*check `type`"):
        load(save(network("llama"), sentence_piece(), tmp_path / "m"), masked=True)


def test_a_model_spread_by_accelerate(tmp_path):
    net = hf.LlamaForCausalLM(hf.LlamaConfig(vocab_size=len(sentence_piece()), **GQA)).eval()
    net.load_state_dict(network("llama").state_dict())
    places = {"model.embed_tokens": "disk", "model.rotary_emb": "cpu", "model.layers.0": "disk"}
    places |= {"model.layers.1": "cpu", "model.norm": "cpu", "lm_head": "disk"}
    spread = accelerate.dispatch_model(net, places, offload_dir=tmp_path)
    scorer = fastest_model(spread, model("llama").encoder, 1024)
    assert scorer.path == "blocks"
    sentence = Sentence("x", "a robin is a kind of bird")
    logprobs, expected = (next(pseudo_logprob(each, [sentence])).logprobs for each in (scorer, model("llama")))
    np.testing.assert_allclose(logprobs, expected, rtol=0, atol=1e-4)


def test_a_model_loads_with_a_device_map(tmp_path):
    manifest = save(network("llama"), sentence_piece(), tmp_path / "m")
    scorer = load(manifest, masked=False, device_map="auto", device="cuda:7")
    naive.assert_slots_equal(scorer, scorer.net, PROBES)


@pytest.mark.parametrize("name", ["smollm2-135m", "splade-tiny"])
def test_the_models_of_the_default_study(name):
    manifest = ROOT / "resources" / "fetched" / "models" / f"{name}.json"
    if not manifest.is_file():
        pytest.skip("the default study has not been run here")
    masked = name == "splade-tiny"
    scorer = load(manifest, masked=masked)
    assert scorer.path == ("grouped" if masked else "blocks")
    naive.assert_slots_equal(scorer, scorer.net, PROBES)
    ids = tuple(scorer.encoder.tokenizer("a robin is a kind of bird").input_ids)
    states = scorer.states([Query(ids, tuple(range(len(ids))))])
    expected = naive.logprobs(scorer.net, ids)
    torch.testing.assert_close(scorer.log_probs(states), expected, rtol=0, atol=1e-3)
