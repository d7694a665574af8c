"""The settings of a model: what they pass on to its files or its server, and what a server says of itself."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.lm import connect as connecting
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.served import validation
from relprobe.lm.settings import CLIENT, ModelSettings
from relprobe.lm.witness import COMPARED, difference, same_model

ENCODING = {"context": "before", "chat": "answer", "conversation": {"system": "x"}}


@pytest.mark.parametrize(
    ("settings", "passed"),
    [
        (
            {"type": "masked"},
            {
                "masked": True,
                "encoder_decoder": False,
                "dtype": None,
                "device": "auto",
                "budget": None,
                "device_map": None,
            }
            | {"bos": None, "context": "", "chat": "none", "conversation": None},
        ),
        (
            {"type": "encoder-decoder", "dtype": "float16", "device": "cuda:1", "batch_tokens": 7, "device_map": "auto"}
            | {"bos": "true", **ENCODING},
            {"masked": False, "encoder_decoder": True, "dtype": torch.float16, "device": "cuda:1", "budget": 7}
            | {"device_map": "auto", "bos": True, **ENCODING},
        ),
        (
            {"type": "causal", "bos": "false"},
            {"masked": False, "encoder_decoder": False, "dtype": None, "device": "auto", "budget": None}
            | {"device_map": None, "bos": False, "context": "", "chat": "none", "conversation": None},
        ),
    ],
)
def test_a_model_here_is_loaded_with_its_settings(monkeypatch, settings, passed):
    seen = []
    monkeypatch.setattr("relprobe.lm.loading.load.load", lambda *given, **named: seen.append((given, named)) or "model")
    model = ModelSettings(Path("m.json"), **settings)
    assert model.is_loaded is False
    assert (model.load(), model.load()) == ("model", "model")
    assert seen == [((Path("m.json"),), passed)]
    assert model.is_loaded is True
    assert model.by_name == ()


def test_a_model_behind_a_server_is_connected_with_its_settings(monkeypatch):
    seen = []
    monkeypatch.setattr(connecting, "connect", lambda *given, **named: seen.append((given, named)) or "served")
    server = {"endpoint": "http://h/v1"}
    model = ModelSettings(Path("m.json"), "causal", served_name="big", server=server, **ENCODING)
    assert model.load() == "served"
    assert seen == [((Path("m.json"), "big", server), {"bos": None, **ENCODING})]
    assert model.by_name == (CLIENT,)


def test_threads_are_set_where_they_are_said(monkeypatch):
    counts = []
    monkeypatch.setattr("relprobe.lm.loading.load.load", lambda *given, **named: "model")
    monkeypatch.setattr("torch.set_num_threads", counts.append)
    for threads in (0, 3):
        ModelSettings(Path("m.json"), "causal", threads=threads).load()
    assert counts == [3]


def client_of(models=None, root=None):
    """A client of a server that lists these models, and has these pages."""
    pages = root or {}
    return SimpleNamespace(endpoint="http://h/v1", get=lambda path, first: {"data": models}, get_from_root=pages.get)


@pytest.mark.parametrize(
    ("entry", "length"),
    [
        *(({"max_model_len": 512}, 512), ({"meta": {"n_ctx_train": 64}}, 64), ({"meta": None}, 10**9), ({}, 10**9)),
        *(({"max_model_len": 0, "meta": {"n_ctx_train": 64}}, 64), ({"max_model_len": -1}, 10**9)),
        *(({"max_model_len": "512"}, 10**9), ({"max_model_len": 1}, 1)),
    ],
)
def test_the_facts_of_a_served_model(entry, length, monkeypatch):
    monkeypatch.setattr(connecting, "digest", lambda function: f"digest of {function}")
    models = [{"id": "other"}, {"id": "big", "owned_by": "vllm", **entry}]
    facts = connecting._served_facts(client_of(models, {"/version": {"version": "0.9"}}), "big")
    assert facts.pop("client") == "digest of relprobe.lm.connect.connect"
    assert facts == {"name": "big", "server": "vllm 0.9", "length": length, "others": {"other"}}


@pytest.mark.parametrize(
    ("models", "sentence"),
    [
        ([{"id": "a"}, {"id": "b"}], "has no model 'big': it has 'a', 'b'; correct `name`"),
        ([], "has no model 'big': it has none; correct `name`"),
        ([{"name": "big"}], "lists no models at /models"),
        (7, "lists no models at /models"),
    ],
)
def test_a_model_that_a_server_does_not_list(models, sentence):
    with pytest.raises(ModelError, match=sentence):
        connecting._served_facts(client_of(models), "big")


@pytest.mark.parametrize(
    ("pages", "version"),
    [
        ({"/version": {"version": "0.9"}, "/props": {"build_info": "b1"}}, "0.9"),
        ({"/version": {"build_info": "x"}, "/props": {"build_info": "b1"}}, "b1"),
        ({"/openapi.json": {"info": {"title": "llama-cpp", "version": "0.3"}}}, "llama-cpp 0.3"),
        ({"/openapi.json": {"info": {"title": "llama-cpp"}}}, "llama-cpp"),
        ({"/get_server_info": {"version": 7}}, "7"),
        ({"/version": "0.9"}, "of unknown version"),
        ({}, "of unknown version"),
    ],
)
def test_where_a_server_says_its_version(pages, version):
    assert connecting._version(client_of(root=pages)) == version


def test_the_positions_are_those_of_the_config_or_of_its_part_for_texts(tmp_path):
    for content, positions in (
        (None, 10**9),
        ("{}", 10**9),
        ('{"max_position_embeddings": 64}', 64),
        ('{"max_position_embeddings": 64, "text_config": {"max_position_embeddings": 32}}', 32),
        ('{"max_position_embeddings": null}', 10**9),
    ):
        if content is not None:
            (tmp_path / "config.json").write_text(content)
        assert connecting._positions(tmp_path) == positions


@pytest.mark.parametrize(
    ("facts", "positions", "tokenizer", "longest"), [(9, 20, 30, 8), (20, 9, 30, 8), (30, 20, 9, 8), (9, 9, 9, 8)]
)
def test_an_input_leaves_room_for_the_token_that_is_written(
    monkeypatch, tmp_path, facts, positions, tokenizer, longest
):
    seen, made = {}, []
    answers = {"length": facts, "others": {"b"}, "server": "s"}
    monkeypatch.setattr(connecting, "Client", lambda *given: made.append(given) or SimpleNamespace())
    monkeypatch.setattr(connecting, "key_of", lambda server: "key")
    monkeypatch.setattr(connecting, "_served_facts", lambda client, name: dict(answers))
    monkeypatch.setattr(connecting, "model_folder", lambda manifest: tmp_path)
    monkeypatch.setattr(connecting, "tokenizer_of", lambda folder: SimpleNamespace(model_max_length=tokenizer))
    monkeypatch.setattr(connecting, "_positions", lambda folder: positions)
    monkeypatch.setattr(connecting, "frame", lambda *given: given[1:])
    monkeypatch.setattr(connecting.Encoder, "of", lambda tokenizer, **given: seen.update(given) or "encoder")
    monkeypatch.setattr(connecting.TokenNames, "of", lambda tokenizer: "names")
    monkeypatch.setattr(connecting, "_takes_ids", lambda model: False)
    monkeypatch.setattr(connecting.validation, "check_tokens", lambda model: None)
    monkeypatch.setattr(connecting.validation, "check_lists", lambda model: ["witness"])
    compared = []
    monkeypatch.setattr(connecting.validation, "check_against", lambda model, local: compared.append(local))
    monkeypatch.setattr(connecting, "_local_witness", lambda manifest, encoding: (manifest, encoding))
    server = {"endpoint": "http://h/v1"}
    model = connecting.connect(tmp_path, "big", server, bos=True, **ENCODING)
    assert seen == {
        "masked": False,
        "max_length": longest,
        "bos": True,
        "context": "before",
        "frame": ({"system": "x"}, "answer"),
    }
    assert made == [("http://h/v1", "key", 8, 120.0)]
    assert (model.takes_ids, model.witness, model.other_models) == (False, ["witness"], {"b"})
    assert model.facts == {"server": "s"}
    assert compared == []
    (tmp_path / "model.safetensors").touch()
    connecting.connect(tmp_path, "big", {**server, "concurrency": 3, "timeout": 7})
    assert made[1] == ("http://h/v1", "key", 3, 7)
    plain = {"bos": None, "context": "", "chat": "none", "conversation": None}
    assert compared == [(tmp_path, plain)]
    assert seen["frame"] is None


def test_the_difference_of_two_lists_by_hand():
    first = {number: -float(number) for number in range(1, COMPARED + 3)}
    assert COMPARED == 10
    assert difference(first, {**first, 11: 99.0, 12: 99.0}) == 0.0  # beyond those that are compared
    assert difference({1: -1.0, 2: -3.0}, {1: -1.5}) == pytest.approx(
        (0.5 + 1.5) / 2
    )  # 2 stands at the end of the list
    assert difference({1: -1.0, 2: -2.0}, {1: -1.0, 3: -1.9}) == 0.5  # but as one nat at least
    assert difference({1: -1.0, 2: -9.0}, {1: -1.0, 3: -2.0, 4: -5.0}) == 2.0  # the end of the list is its least value
    assert difference({1: -2.0, 2: -1.0}, {1: -1.0, 2: -2.0}) == 1.0  # in either direction
    assert difference({}, first) == 0.0
    assert difference({1: -2.0}, {}) == 2.0
    near, far = ([{"token_ids": [1], "logprobs": [-1.0 - gap]}] for gap in (0.09, 0.11))
    one = [{"token_ids": [1], "logprobs": [-1.0]}]
    assert [same_model(one, other) for other in (one, near, far, one * 2)] == [True, True, False, False]
    assert same_model(one * 2, [*one, *far]) is False


def test_the_local_engine_is_asked_for_the_texts_of_the_check(monkeypatch, tmp_path):
    tiny, seen = bigram_model({word: {"a": 1.0} for text in validation.TEXTS for word in text.split()}), {}
    monkeypatch.setattr("relprobe.lm.loading.load.load", lambda *given, **named: seen.update(named, at=given) or tiny)
    witness = connecting._local_witness(tmp_path, {"bos": True})
    assert seen == {"at": (tmp_path,), "masked": False, "device": "cpu", "bos": True}
    assert len(witness) == len(validation.TEXTS)
    assert all(len(answer["token_ids"]) == min(validation.LIST, tiny.tokens_end) for answer in witness)
    (first,) = tiny.encoder.tokenizer.convert_tokens_to_ids(["a"])
    assert {answer["token_ids"][0] for answer in witness} == {first}


def test_a_server_is_looked_for_once_before_anything_is_asked(monkeypatch):
    monkeypatch.setattr(connecting, "digest", lambda function: "")
    asked = []
    client = client_of([{"id": "big"}])
    client.get = lambda path, first: asked.append((path, first)) or {"data": [{"id": "big"}]}
    connecting._served_facts(client, "big")
    assert asked == [("/models", True)]
