"""Checkpoints of networks for texts and images load as language models, without the weights of what reads the images."""

import copy
from functools import cache

import numpy as np
import pytest
import torch
import transformers as hf
from relprobe import load as load_from_library
from relprobe.core.errors import ModelError
from relprobe.core.manifest import model_folder, write_manifest
from relprobe.lm.loading.load import load
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant

from tests.lm import naive
from tests.lm.architectures import ALL, SIZE, VISION
from tests.lm.loading.test_adapter import trained

torch.set_num_threads(1)
PROBES = [SlotProbe(text, (Variant(text),)) for text in ("a robin is a [V]", "a robin is an [V]", "car [V]")]
TEXT = "the word hippopotamus has a more specific meaning than the word [V]"
WHOLE = {
    "mistral3": hf.Mistral3ForConditionalGeneration,
    "gemma3_multimodal": hf.Gemma3ForConditionalGeneration,
    "llava": hf.LlavaForConditionalGeneration,
    "qwen2_5_vl": hf.Qwen2_5_VLForConditionalGeneration,
    "qwen3_vl": hf.Qwen3VLForConditionalGeneration,
    "smolvlm": hf.SmolVLMForConditionalGeneration,
    "llama4": hf.Llama4ForConditionalGeneration,
}
TOWERS = ("vision", "visual", "projector", "connector")


def whole_network(name):
    """Return a random network with all its parts, and its tokenizer."""
    if name == "llama4" and hf.__version__ == "5.24.0":
        pytest.skip("transformers 5.24.0 asks a whole Llama 4 for outputs of images that there are none of")
    _, tokenizer, config, _, sizes = ALL[name]
    if name == "llama4":  # ALL has its text alone
        vision = {**VISION, "vision_output_dim": 32, "projector_input_dim": 32, "projector_output_dim": 32}
        config, sizes = hf.Llama4Config, {"text_config": sizes, "vision_config": vision}
    text = {"vocab_size": len(tokenizer()), **sizes["text_config"]}
    torch.manual_seed(1)
    net = WHOLE[name](config(**{**sizes, "text_config": text})).eval()
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.25 if weights.dim() > 1 else 0.4)
    return net, tokenizer()


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A function that returns the whole network of a name and its manifest, both to read: each is made once."""

    @cache
    def save(name):
        net, tokenizer = whole_network(name)
        folder = tmp_path_factory.mktemp("whole") / "m"
        net.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        return net, write_manifest(folder)

    return save


@pytest.fixture(scope="module")
def loaded(saved):
    """A function that returns the language model of a whole network, to read: each is loaded once."""
    return cache(lambda name: load(saved(name)[1], masked=False))


@pytest.mark.parametrize("name", WHOLE)
def test_the_text_part_gives_what_the_whole_network_gives(name, saved, caplog):
    caplog.set_level("INFO")
    net, manifest = saved(name)
    scorer = load(manifest, masked=False)
    assert scorer.path == ("grouped" if name == "llama4" else "packed")
    said = [record.getMessage() for record in caplog.records]
    assert not [line for line in said if "falling back" in line or "no small network" in line]
    if name != "llama4":  # whose own class for texts has transformers list the tower's weights
        assert not [line for line in said if "UNEXPECTED" in line]
    naive.assert_slots_equal(scorer, net, PROBES)
    tokenizer = scorer.encoder.tokenizer
    candidates = ("bird", "steering wheel")
    response = next(continuation_logprob(scorer, [Continuation("x", TEXT, candidates)]))
    for candidate, logprobs in zip(candidates, response.logprobs, strict=True):
        np.testing.assert_allclose(logprobs, naive.chain(net, tokenizer, TEXT, candidate), rtol=0, atol=1e-4)
    sentence = next(pseudo_logprob(scorer, [Sentence("x", "a robin is a kind of bird.")]))
    ids = tokenizer("a robin is a kind of bird.").input_ids
    expected = [naive.logprobs(net, ids)[i - 1, ids[i]].item() for i in range(1, len(ids))]
    np.testing.assert_allclose(sentence.logprobs[-len(expected) :], expected, rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ["mistral3", "qwen3_vl", "llama4"])
@pytest.mark.parametrize("layer", [0, 1, -1])
def test_embeddings_are_the_states_of_the_whole_network(name, layer, saved, loaded):
    net, scorer = saved(name)[0], loaded(name)
    ids = scorer.encoder.tokenizer("a robin sings").input_ids
    vector = next(embeddings(scorer, [SpanText("x", "a robin sings", ((8, 13),))], layer)).vectors
    states = naive.hidden_states(net, ids, layer)
    count = len(ids) - len(scorer.encoder.tokenizer("a robin").input_ids)
    np.testing.assert_allclose(vector[0], states[-count:].mean(0), rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", WHOLE)
def test_no_weight_of_a_tower_is_read(name, saved, monkeypatch):
    net, manifest = saved(name)
    read = recorded(monkeypatch)
    scorer = load(manifest, masked=False)
    here, everything = (sum(part.numel() for part in one.parameters()) for one in (scorer.net, net))
    assert not [key for key in read if any(tower in key for tower in TOWERS)]
    assert any("q_proj" in key for key in read)
    tower = sum(p.numel() for key, p in net.named_parameters() if any(part in key for part in TOWERS))
    assert tower > 0
    assert here == everything - tower


def recorded(monkeypatch):
    """Return the list of the tensors whose numbers transformers reads from files from now on."""
    read, opened = [], hf.modeling_utils.safe_open

    class Slice:
        def __init__(self, key, inner):
            self.key, self.inner = key, inner

        def __getitem__(self, index):
            read.append(self.key)
            return self.inner[index]

        def __getattr__(self, name):
            return getattr(self.inner, name)

    class File:
        def __init__(self, *arguments, **settings):
            self.inner = opened(*arguments, **settings)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def get_slice(self, key):
            return Slice(key, self.inner.get_slice(key))

        def __getattr__(self, name):
            return getattr(self.inner, name)

    monkeypatch.setattr(hf.modeling_utils, "safe_open", File)
    return read


@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")
def test_an_adapter_of_the_whole_network_is_added_to_its_text_part(saved, tmp_path):
    net, manifest = copy.deepcopy(saved("mistral3")[0]), saved("mistral3")[1]  # the adapter changes it
    adapted = trained(net, tmp_path / "lora")  # of the tower's products, too
    assert any("vision_tower" in name and "lora_" in name for name, _ in adapted.named_parameters())
    scorer = load(manifest, masked=False, adapter=tmp_path / "lora")
    naive.assert_slots_equal(scorer, adapted, PROBES)


def test_a_network_that_needs_an_image_is_refused(tmp_path):
    vision = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}
    config = hf.Blip2Config(
        vision_config={**vision, "image_size": 16, "patch_size": 8},
        qformer_config={**SIZE, "encoder_hidden_size": 32, "vocab_size": 40},
        text_config={"model_type": "opt", **SIZE, "ffn_dim": 64, "word_embed_proj_dim": 32, "vocab_size": 440},
    )
    hf.Blip2ForConditionalGeneration(config).save_pretrained(tmp_path / "m")
    ALL["mistral3"][1]().save_pretrained(tmp_path / "m")
    message = "a Blip2ForConditionalGeneration cannot read a text without an image or a sound .*: choose another model"
    with pytest.raises(ModelError, match=message):
        load(tmp_path / "m", masked=False)


def test_the_library_knows_that_it_is_causal(saved):
    net, manifest = saved("qwen2_5_vl")
    model = load_from_library(model_folder(manifest), progress=False)
    assert repr(model) == "Model(Qwen2_5_VLForConditionalGeneration, causal, float32, packed)"
    in_memory = load_from_library(net, tokenizer=model.engine.encoder.tokenizer, progress=False)
    assert in_memory.kind == "causal"
    text, words = "a robin is a", ["bird", "ice cream"]
    scores = [one.score(text, words)["logprob"].to_list() for one in (model, in_memory)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-4)
