"""Relation embeddings of an encoder, against one plain forward per pair."""

import json
import shutil
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from relprobe.core.errors import ConfigError, ModelError
from relprobe.studies.analogies import encoder as step
from relprobe.studies.analogies.encoder import TEMPLATE, Encoder, load
from relprobe.studies.analogies.pair_vectors import RelationPair
from transformers import (
    AutoModel,
    AutoTokenizer,
    BartConfig,
    BartModel,
    BertConfig,
    BertForMaskedLM,
    BertModel,
    T5EncoderModel,
)

from tests.lm.pretended_gpu import pretended_gpu
from tests.workflow.toy_models import encoder_decoder_model, masked_model

DTYPES = (torch.float32, torch.bfloat16)
PAIRS = [
    RelationPair("E01", "robin", "bird"),
    RelationPair("E01", "the night", "day"),
    RelationPair("E01", "house", "home"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder")
    masked_model(folder, seed=1)
    return folder


def plain(folder, text, take):
    """Return the mean of the last hidden states of the tokens that `take` picks, from one plain forward."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    net = BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    inputs = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        states = net(**inputs).last_hidden_state[0]
    rows = [i for i, token in enumerate(inputs.input_ids[0].tolist()) if take(token == tokenizer.mask_token_id)]
    return states[rows].mean(dim=0).numpy()


@pytest.mark.parametrize(
    ("pooling", "take"),
    [("average_no_mask", lambda mask: not mask), ("average", lambda mask: True), ("mask", lambda mask: mask)],
)
def test_a_relation_embedding_is_the_mean_of_the_tokens_states(folder, pooling, take):
    encoder = load(folder, TEMPLATE, pooling, "cpu")
    embeddings = list(encoder.embed(iter(PAIRS)))
    assert [one.pair for one in embeddings] == PAIRS
    for one in embeddings:
        text = TEMPLATE.format(h=one.pair.head, t=one.pair.tail, mask="[MASK]")
        assert np.allclose(one.vector, plain(folder, text, take), atol=1e-5)


def test_an_encoder_may_come_without_any_head(folder, tmp_path):
    BertModel.from_pretrained(folder, add_pooling_layer=False).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    with_head, without = (load(path, TEMPLATE, "average", "cpu") for path in (folder, tmp_path))
    first, second = (next(iter(encoder.embed(PAIRS))).vector for encoder in (with_head, without))
    assert np.allclose(first, second, atol=1e-6)


@pytest.mark.parametrize("name", ["t5", "bart"])
def test_of_an_encoder_decoder_network_the_encoder_is_taken(folder, tmp_path, name):
    if name == "t5":
        encoder_decoder_model(tmp_path, seed=1)
        net = T5EncoderModel.from_pretrained(tmp_path).eval()
        tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    else:
        tokenizer = AutoTokenizer.from_pretrained(folder)
        tokenizer.save_pretrained(tmp_path)
        sizes = {f"{part}_{size}": 2 for part in ("encoder", "decoder") for size in ("layers", "attention_heads")}
        sizes |= {"d_model": 16, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32}
        whole = BartModel(BartConfig(vocab_size=len(tokenizer), **sizes)).eval()
        whole.save_pretrained(tmp_path)
        net = whole.encoder
    encoder = load(tmp_path, TEMPLATE, "average", "cpu")
    for one in encoder.embed(PAIRS):
        text = TEMPLATE.format(h=one.pair.head, t=one.pair.tail, mask=tokenizer.mask_token or "")
        with torch.no_grad():
            states = net(input_ids=torch.tensor([tokenizer(text).input_ids])).last_hidden_state[0]
        assert np.allclose(one.vector, states.mean(dim=0).numpy(), atol=1e-5)


def test_a_relbert_uses_its_own_template_and_pooling_unless_the_config_names_others(folder, tmp_path):
    BertForMaskedLM.from_pretrained(folder).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    config["relbert_config"] = {"mode": "average", "template": "<obj> is <subj>'s <mask>", "template_mode": "manual"}
    (tmp_path / "config.json").write_text(json.dumps(config))
    own = load(tmp_path, None, None, "cpu")
    assert (own.template, own.pooling) == ("{t} is {h}'s {mask}", "average")
    other = load(tmp_path, "{h} {t}", "average_no_mask", "cpu")
    assert (other.template, other.pooling) == ("{h} {t}", "average_no_mask")
    plain_encoder = load(folder, None, None, "cpu")
    assert (plain_encoder.template, plain_encoder.pooling) == (TEMPLATE, "average_no_mask")
    config["relbert_config"]["mode"] = "max"
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="its pooling 'max' is unknown"):
        load(tmp_path, None, None, "cpu")


def test_weights_of_another_form_are_refused(folder, tmp_path):
    BertForMaskedLM.from_pretrained(folder).save_pretrained(tmp_path)
    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    config = BertConfig.from_pretrained(folder)
    config.num_hidden_layers = 3
    config.save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="its weights do not fit its config as an encoder"):
        load(tmp_path, TEMPLATE, "average", "cpu")


def copy_with(folder, tmp_path, **config):
    """Return a copy of the encoder with other entries in its config.json."""
    shutil.copytree(folder, tmp_path / "changed")
    file = tmp_path / "changed" / "config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **config}))
    return tmp_path / "changed"


@pytest.mark.parametrize(
    ("relbert_config", "message"),
    [
        ({"template": "<subj> {and <obj>"}, r"the template of .*changed is '\{h\} \{and \{t\}'"),
        ({"template": "<subj> and {word}"}, r"must hold \{h\}, \{t\}"),
        ({"template": "<subj> and <obj>", "mode": "mask"}, r"must hold \{h\}, \{mask\}, \{t\}"),
        ({"template": 5}, "the template of"),
    ],
)
def test_a_checkpoints_own_template_is_checked(folder, tmp_path, relbert_config, message):
    with pytest.raises(ConfigError, match=message):
        load(copy_with(folder, tmp_path, relbert_config=relbert_config), None, None, "cpu")


def test_a_mask_is_not_pooled_from_a_template_without_one(folder):
    with pytest.raises(ConfigError, match=r"is '\{h\} and \{t\}', but must hold \{h\}, \{mask\}, \{t\}"):
        load(folder, "{h} and {t}", "mask", "cpu")


def test_a_config_that_names_no_relbert_is_one_of_any_encoder(folder, tmp_path):
    assert load(copy_with(folder, tmp_path, relbert_config="none"), None, None, "cpu").template == TEMPLATE


@pytest.mark.parametrize("number", [torch.nan, torch.inf])
@pytest.mark.parametrize("place", [..., 0])
def test_embeddings_with_nan_are_refused(folder, number, place):
    """Even if one number of a state is such a one."""
    encoder = load(folder, TEMPLATE, "average", "cpu")
    with torch.no_grad():
        encoder.net.encoder.layer[-1].output.LayerNorm.bias[place] = number
    with pytest.raises(ModelError, match=r"computes NaN or infinite states: its weights are broken\."):
        list(encoder.embed(PAIRS))


def test_a_truncated_weights_file_is_damaged(folder, tmp_path):
    weights = copy_with(folder, tmp_path) / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(ModelError, match=r"its \*\.safetensors are damaged .* get them anew\."):
        load(weights.parent, TEMPLATE, "average", "cpu")


def test_a_folder_without_a_model_is_refused(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelError, match="cannot be loaded as an encoder"):
        load(tmp_path, TEMPLATE, "average", "cpu")


@pytest.mark.parametrize(("pooling", "place"), [("cls", 0), ("last", -1)])
def test_the_first_or_the_last_token_may_be_the_embedding(folder, pooling, place):
    text = "robin bird"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    net = BertModel.from_pretrained(folder, add_pooling_layer=False).eval()
    with torch.no_grad():
        states = net(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
    (one,) = load(folder, "{h} {t}", pooling, "cpu").embed(PAIRS[:1])
    assert np.allclose(one.vector, states[place].numpy(), atol=1e-5)


def test_an_encoder_may_have_weights_of_16_bits(folder):
    exact, half = (next(iter(load(folder, TEMPLATE, "average", "cpu", dtype).embed(PAIRS))) for dtype in DTYPES)
    assert half.vector.dtype == np.float32
    assert not np.array_equal(exact.vector, half.vector)
    assert np.allclose(exact.vector, half.vector, atol=0.05)


@pytest.mark.parametrize("pooling", ["average", "average_no_mask", "mask", "cls", "last"])
def test_on_a_gpu_an_encoder_makes_the_same_embeddings(folder, pooling):
    """Without a GPU it does so on a pretended one: no tensor is on the wrong device."""
    encoder = load(folder, TEMPLATE, pooling, "cpu")
    expected = [one.vector for one in encoder.embed(PAIRS)]
    with nullcontext(torch.device("cuda")) if torch.cuda.is_available() else pretended_gpu() as gpu:
        encoder.net.to(gpu)
        assert encoder.net.device.type == "cuda"
        assert np.allclose([one.vector for one in encoder.embed(PAIRS)], expected, atol=1e-5)


@pytest.mark.parametrize("room", [2, 1])
def test_batches_are_halved_where_memory_runs_out(folder, monkeypatch, caplog, room):
    pairs = [
        RelationPair("E01", head, tail) for head in ("robin", "bird") for tail in ("house", "home", "night", "day")
    ]
    encoder = load(folder, TEMPLATE, "average", "cpu")
    expected = [one.vector for one in encoder.embed(pairs)]
    whole = Encoder._vectors

    def small(self, ids):
        if len(ids) > room:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return whole(self, ids)

    monkeypatch.setattr(Encoder, "_vectors", small)
    with caplog.at_level("INFO"):
        assert np.allclose([one.vector for one in encoder.embed(pairs)], expected, atol=1e-6)
    assert "out of memory with 8 inputs: batches are halved" in caplog.text


def test_memory_that_is_too_small_for_one_input_is_named(folder, monkeypatch):
    def never(self, ids):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(Encoder, "_vectors", never)
    with pytest.raises(ModelError, match="runs out of memory on one input: set `dtype: bfloat16`"):
        list(load(folder, TEMPLATE, "average", "cpu").embed(PAIRS))


@pytest.mark.parametrize(("device_map", "spread"), [("none", False), ("auto", True)])
def test_an_encoder_is_loaded_once_and_as_the_step_says(tmp_path, monkeypatch, device_map, spread):
    loaded, threads = [], torch.get_num_threads()
    network = SimpleNamespace(net="net", embed=lambda part: ("vectors", part))
    monkeypatch.setattr(step, "fetched_folder", lambda manifest, weights=True: (manifest, weights))
    monkeypatch.setattr(step, "form_of", lambda folder, template, pooling: ("a form", pooling))
    monkeypatch.setattr(step, "load", lambda *given, **named: loaded.append((given, named)) or network)
    monkeypatch.setattr(step, "part_size", lambda net: (net, 7))
    monkeypatch.setattr(step, "pairs", lambda instances: ("pairs", instances))
    asked = {"template": "t", "pooling": "mask", "dtype": "bfloat16", "device": "cpu", "device_map": device_map}
    results = tmp_path / "results"
    vectors = step.encoder(tmp_path, "rows", threads=threads, reuse=False, results=results, **asked)
    assert vectors.pairs() == ("pairs", "rows")
    assert vectors.settings == {"template": "a form", "pooling": "mask", "dtype": "bfloat16"}
    assert (vectors.reuse, vectors.results, vectors.encoder) == (False, results, tmp_path)
    assert loaded == []  # as long as nothing is embedded
    assert (vectors.part(), vectors.embed("part")) == (("net", 7), ("vectors", "part"))
    assert loaded == [(((tmp_path, True), "t", "mask", "cpu", torch.bfloat16), {"spread": spread})]


@pytest.mark.parametrize(
    ("where", "spread", "device_map"),
    [("cpu", False, None), ("cuda:1", False, {"": "cuda:1"}), ("cpu", True, "auto")],
    ids=["the processor", "one GPU", "all GPUs"],
)
def test_weights_go_where_the_device_says(folder, monkeypatch, where, spread, device_map):
    asked = []
    monkeypatch.setattr(step, "claim", lambda device: (where, []))
    monkeypatch.setattr(step, "claim_all", list)
    monkeypatch.setattr(
        step,
        "load_weights",
        lambda *given, **named: asked.append(named["device_map"]) or AutoModel.from_pretrained(folder),
    )
    load(folder, TEMPLATE, "average", "any", spread=spread)
    assert asked == [device_map]
