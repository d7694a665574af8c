"""Adapters of peft give what peft's own forward gives, merged or beside quantised weights; others end in a sentence."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import peft
import pytest
import torch
import transformers as hf
from relprobe.core.errors import ModelError
from relprobe.core.files import read_json
from relprobe.core.manifest import adapter_folder, model_folder, write_manifest
from relprobe.lm.loading.adapter import apply_adapter
from relprobe.lm.loading.load import load
from relprobe.lm.loading.snapshot import adapter_snapshot
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import SlotProbe, Variant
from safetensors.torch import load_file, save_file

from tests.lm.architectures import build, model

pytestmark = pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")
PROBES = [SlotProbe(text, (Variant(text),)) for text in ("a robin is a [V]", "a robin is an [V]", "car [V]")]


def trained(net, folder, **settings):
    """Save an adapter of a network with random weights, and return the adapted network."""
    settings = {"target_modules": "all-linear", "r": 4, "lora_alpha": 8} | settings
    adapted = peft.get_peft_model(net, peft.LoraConfig(**settings)).eval()
    torch.manual_seed(1)
    with torch.no_grad():
        for name, weights in adapted.named_parameters():
            if "lora_" in name:
                torch.nn.init.normal_(weights, std=0.3)  # as initialised, LoRA's product is 0
    adapted.save_pretrained(folder)
    return adapted


@pytest.fixture
def base(tmp_path):
    """The manifest of a small causal model."""
    build("llama").save_pretrained(tmp_path / "models/base")
    model("llama").encoder.tokenizer.save_pretrained(tmp_path / "models/base")
    return write_manifest(tmp_path / "models/base")


@pytest.fixture
def manifest(base, tmp_path):
    """The manifest of an adapter of that model."""
    trained(build("llama"), tmp_path / "own")
    (tmp_path / "adapters").mkdir()
    return adapter_snapshot("models.lora.peft", {"path": str(tmp_path / "own")}, base, tmp_path / "adapters/lora")


@pytest.mark.parametrize(
    "about",
    [
        {"target_modules": "(((a|[a-z.0-9_]+)+)+)+!"},
        {"target_modules": "(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*!"},
        {"exclude_modules": "(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*!"},
        {"rank_pattern": {"(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*!": 4}},
        {"target_modules": "(["},
        {"r": 10**12},
        {"r": "x"},
        {"target_modules": {"a": [1]}},
        {"peft_type": "NEW"},
    ],
    ids=str,
)
def test_a_hostile_config_of_an_adapter_ends_in_a_sentence(about, tmp_path, impatient):
    trained(build("llama"), tmp_path / "own")
    file = tmp_path / "own" / "adapter_config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **about}))
    with pytest.raises(ModelError) as caught:
        apply_adapter(build("llama"), tmp_path / "own")
    assert "\n" not in str(caught.value)


@pytest.mark.filterwarnings("ignore:.*tie_word_embeddings")  # peft says that the matrices of the adapter are apart
@pytest.mark.parametrize(("tied", "whole"), [(False, ["embed_tokens", "lm_head"]), (True, ["lm_head"])])
def test_an_adapter_with_tokens_of_its_own_is_named_as_such(tied, whole, tmp_path):
    """One matrix may be the first and the last of a network: each of its names is known."""
    net = build("llama", tie_word_embeddings=tied)
    net.resize_token_embeddings(net.config.vocab_size + 2, mean_resizing=False)
    trained(net, tmp_path / "own", target_modules=["q_proj"], modules_to_save=whole)
    with pytest.raises(
        ModelError, match=r"holds a .* rows, and the network has .*: tokens were added .*merge_and_unload"
    ):
        apply_adapter(build("llama", tie_word_embeddings=tied), tmp_path / "own")


@pytest.mark.filterwarnings("ignore:fan_in_fan_out")  # of GPT-2, whose weight matrices are stored turned
@pytest.mark.parametrize(("name", "masked"), [("llama", False), ("bert", True), ("gpt2", False)])
def test_a_merged_adapter_gives_what_peft_gives(name, masked, tmp_path):
    torch.manual_seed(0)
    net = build(name)
    ids = torch.tensor([[5, 6, 7, 8]])
    before = net(input_ids=ids).logits
    net.save_pretrained(tmp_path / "base")
    model(name).encoder.tokenizer.save_pretrained(tmp_path / "base")
    adapted = trained(net, tmp_path / "lora", use_rslora=True)
    scorer = load(tmp_path / "base", masked=masked, adapter=tmp_path / "lora")
    expected, merged = adapted(input_ids=ids).logits, scorer.net(input_ids=ids).logits
    assert type(scorer.net) is type(build(name))
    assert scorer.path == model(name).path  # as fast as without the adapter
    assert torch.allclose(merged, expected, atol=1e-4)
    assert (merged - before).abs().max() > 0.1


@pytest.fixture
def quantised(tmp_path):
    """The folder of a small causal model in the 4 bits of bitsandbytes."""
    pytest.importorskip("bitsandbytes", reason="pip install bitsandbytes==0.50.2 to test its weights")
    torch.manual_seed(0)
    build("llama", hidden_size=64, intermediate_size=128).save_pretrained(tmp_path / "whole")
    four_bits = hf.BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.float32
    )
    net = hf.AutoModelForCausalLM.from_pretrained(tmp_path / "whole", quantization_config=four_bits)
    net.save_pretrained(tmp_path / "base")
    model("llama").encoder.tokenizer.save_pretrained(tmp_path / "base")
    return tmp_path / "base"


def test_an_adapter_stays_beside_quantised_weights(quantised, tmp_path):
    ids = torch.tensor([[5, 6, 7, 8]])
    adapted = trained(hf.AutoModelForCausalLM.from_pretrained(quantised), tmp_path / "lora")
    merged = peft.PeftModel.from_pretrained(hf.AutoModelForCausalLM.from_pretrained(quantised), tmp_path / "lora")
    with pytest.warns(UserWarning, match="due to rounding errors"):
        merged = merged.merge_and_unload()
    scorer = load(quantised, masked=False, adapter=tmp_path / "lora", device="cpu")
    with torch.inference_mode():  # in training, the products of a processor with bfloat16 are rounded otherwise
        ours, expected, other = (net(input_ids=ids).logits for net in (scorer.net, adapted, merged))
    assert torch.allclose(ours, expected, atol=1e-4)
    assert (other - expected).abs().max() > 1e-2  # rounded to 4 bits once more
    assert type(scorer.net) is type(build("llama"))


def test_weights_beside_quantised_ones_that_are_nan_are_an_error(quantised, tmp_path):
    adapted = trained(hf.AutoModelForCausalLM.from_pretrained(quantised), tmp_path / "lora")
    with torch.no_grad():
        next(weights for name, weights in adapted.named_parameters() if "lora_B" in name)[0] = float("nan")
    adapted.save_pretrained(tmp_path / "lora")
    with pytest.raises(ModelError, match="NaN or infinite numbers in"):
        load(quantised, masked=False, adapter=tmp_path / "lora", device="cpu")


def test_an_adapters_manifest_leads_to_its_model(base, manifest, tmp_path):
    assert model_folder(manifest) == tmp_path / "adapters/../models/base"
    assert adapter_folder(manifest) == tmp_path / "adapters/lora"
    assert adapter_folder(base) is None
    assert read_json(manifest)["base"]["files"] == read_json(base)["files"]
    bare, adapted = load(base, masked=False), load(manifest, masked=False)
    first = [[next(slot_top_k(scorer, [probe], 5)).logprobs for probe in PROBES] for scorer in (bare, adapted)]
    assert np.abs(np.array(first[0]) - np.array(first[1])).max() > 1e-2


def test_other_files_beside_an_adapter_are_left(manifest, tmp_path):
    (tmp_path / "own/optimizer.pt").write_text("large")
    (tmp_path / "adapters2").mkdir()
    again = adapter_snapshot(
        "x", {"path": str(tmp_path / "own")}, tmp_path / "models/base.json", tmp_path / "adapters2/x"
    )
    assert sorted(path.name for path in adapter_folder(again).iterdir()) == [
        "adapter_config.json",
        "adapter_model.safetensors",
    ]


@pytest.mark.parametrize("file", ["adapter_config.json", "adapter_model.safetensors"])
def test_a_source_without_an_adapter_is_named(file, manifest, base, tmp_path):
    (tmp_path / "own" / file).unlink()
    with pytest.raises(ModelError, match=rf"models.lora.peft: its source holds no {file}: "):
        adapter_snapshot("models.lora.peft", {"path": str(tmp_path / "own")}, base, tmp_path / "adapters/other")
    assert not (tmp_path / "adapters/other").exists()


def rename(folder, old, new):
    path = folder / "adapter_model.safetensors"
    save_file({name.replace(old, new): weights for name, weights in load_file(path).items()}, path)


def damage(folder):
    path = folder / "adapter_model.safetensors"
    path.write_bytes(path.read_bytes()[:-40])


def soft_prompt(folder):
    shutil.rmtree(folder)
    config = peft.PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3)
    peft.get_peft_model(build("llama"), config).save_pretrained(folder)


def edit(folder, **keys):
    path: Path = folder / "adapter_config.json"
    path.write_text(json.dumps(read_json(path) | keys))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda folder: rename(folder, "layers.0.", "layers.9."),
            "of its weights do not fit a LlamaForCausalLM, such as",
        ),
        (lambda folder: edit(folder, r=8), "cannot be added to a LlamaForCausalLM"),
        (lambda folder: edit(folder, target_modules=["query_key_value"]), "cannot be added to a LlamaForCausalLM"),
        (lambda folder: edit(folder, peft_type="NOVEL"), "cannot be added to a LlamaForCausalLM"),
        (damage, "adapter_model.safetensors is damaged"),
        (soft_prompt, "puts trained vectors before the input"),
    ],
)
def test_an_adapter_that_does_not_fit_is_an_error(change, sentence, tmp_path):
    trained(build("llama"), tmp_path / "lora")
    change(tmp_path / "lora")
    with pytest.raises(ModelError, match=sentence):
        apply_adapter(build("llama"), tmp_path / "lora")


def test_weights_that_are_nan_are_an_error(tmp_path):
    adapted = trained(build("llama"), tmp_path / "lora")
    with torch.no_grad():
        next(weights for name, weights in adapted.named_parameters() if "lora_B" in name)[0] = float("nan")
    adapted.save_pretrained(tmp_path / "lora")
    with pytest.raises(ModelError, match="NaN"):
        apply_adapter(build("llama"), tmp_path / "lora")


def test_peft_that_is_not_installed_ends_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(ModelError, match="pip install peft"):
        apply_adapter(hf.LlamaForCausalLM(hf.LlamaConfig(num_hidden_layers=1, hidden_size=64, vocab_size=9)), tmp_path)
