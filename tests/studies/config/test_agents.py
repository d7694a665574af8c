"""Agents that are asked in another way: with examples, in a chat template, with an adapter, layer by layer."""

import copy

import pytest
from relprobe.core.errors import ConfigError
from relprobe.core.study import Study, Task
from relprobe.studies import STUDIES, asking, studies_with
from relprobe.studies.asking import check_asking
from relprobe.studies.config import validate

from tests.paths import ROOT
from tests.studies.config.configs import HUB, PYPI, SERVED, SHARED, config, fault, put


def test_shots_need_examples_of_every_relation():
    configuration = put(SHARED, "models", "few")
    configuration["relations"] |= {
        "relations": "resources/relations/english-verbs-adjectives.yaml",
        "prompts": "resources/prompts/verbs-adjectives.yaml",
        "wordnet_sample": {"words": 100, "seed": 1, "tuples": {"CAU": 1}},
    }
    sentence = fault(configuration)
    assert sentence.startswith("config: models.few has `shots`, but ")
    assert "has no examples of AAN or of its inverse: add pairs of target and relatum." in sentence


def test_an_agent_shares_the_keys_of_its_model_but_not_how_it_is_asked():
    configuration = put(
        {**PYPI, "dtype": "bfloat16", "size": 1e8, "context": "a cat. ", "chat": True}, "models", "smol"
    )
    configuration["models"]["few"] = {**SHARED, "chat": "answer", "studies": ["relations"]}
    validate(configuration, ROOT)
    entry = configuration["models"]["few"]
    own = {**SHARED, "chat": "answer", "studies": ["relations"]}
    assert entry == {**own, "type": "causal", "dtype": "bfloat16", "size": 1e8}


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"shots": 3}, "models.few has no 'type': add it."),
        ({**SHARED, "model": "smal"}, "models.few.model names 'smal', which is no entry of models"),
        ({**SHARED, "model": "few"}, "models.few.model names 'few', which shares another entry's model itself"),
        ({**SHARED, "type": "masked"}, "models.few has 'type' beside `model`, which decides it: leave it out."),
        ({**SHARED, "path": "x"}, "models.few has 'path' beside `model`, which decides it: leave it out."),
        ({**SHARED, "shots": 0}, "models.few.shots: 0 is less than the minimum of 1: correct it."),
        ({**SHARED, "shots": 15}, "models.few.shots is 15, but resources/prompts/examples.yaml has "),
        ({"model": "smol", "chat": False}, "models.few.chat is False, but must be one of True, answer."),
        ({"model": "electra", "chat": True}, "models.few has `chat`, but a masked model writes no answers"),
        ({"model": "electra", "task": "list"}, "models.few has `task`, but a masked model writes no answers"),
        (
            {**HUB, "type": "encoder-decoder", "chat": True},
            "models.few has `chat`, but an encoder-decoder model writes no",
        ),
        ({**SHARED, "task": "list"}, "models.few has `task: list` and `shots`: people saw no examples"),
        ({"model": "smol", "samples": 4}, "models.few has `samples` without `task`: add it"),
        ({"model": "smol", "chat": True, "thoughts": 9}, "models.few has `thoughts` without `task`: add it"),
        (
            {"model": "smol", "task": "list", "thoughts": 9},
            "models.few has `thoughts`, which a model on this machine has in its chat template alone: add `chat: true`",
        ),
        (
            {"model": "smol", "task": "list", "limits": {"requests": 9}},
            "models.few has 'limits', which is for served models: add `endpoint` or delete it",
        ),
        (
            {"model": "smol", "task": "list", "studies": ["degrees"]},
            "models.few has `task: list`, which is of the study",
        ),
    ],
)
def test_an_agent_that_is_asked_wrongly_is_named(entry, sentence):
    assert f"config: {sentence}" in fault(put(entry, "models", "few"))


def test_a_model_here_may_think_before_it_takes_a_task():
    validate(put({"model": "smol", "task": "list", "chat": True, "thoughts": 900}, "models", "few"), ROOT)


def test_an_answer_in_words_is_no_whole_sentence():
    configuration = put({"model": "smol", "chat": "answer"}, "models", "few")
    configuration["analogies"] = {}
    assert (
        "the study analogies scores or embeds whole sentences: use `chat: true`, or name other studies in models.few.studies"
        in (fault(configuration))
    )
    configuration["models"]["few"]["studies"] = ["relations"]
    configuration["resources"]["bats"] = {"path": "data/bats"}
    validate(configuration, ROOT)


def test_files_of_examples_and_of_lines_are_read_before_any_work(tmp_path):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("relations: {HYP: [[rose, '[V]']]}")
    configuration = put(SHARED, "models", "few") | {"prompting": {"examples": str(wrong)}}
    assert "the example ['rose', '[V]'] of relations.HYP holds a slot [V]: write its answer there" in fault(
        configuration
    )
    configuration = put({"model": "smol", "chat": True}, "models", "few") | {"prompting": {"chat": str(wrong)}}
    assert "relations must have the lines `system` and `instruction`" in fault(configuration)
    wrong.write_text("relations: {system: You know words., instruction: Complete it.}")
    configuration["models"]["few"] = {"model": "smol", "chat": "answer"}
    assert "relations has no line `question`, which an agent is asked with: add it." in fault(configuration)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"model": "smol", "peft": {}}, "models.few.peft has no source: give exactly one of"),
        (
            {"model": "smol", "peft": {"huggingface": "org/lora"}},
            "models.few.peft has 'huggingface' without 'revision'",
        ),
        ({"model": "smol", "peft": {"path": "no/lora"}}, "models.few.peft.path names no/lora, which does not exist"),
        ({"model": "smol", "peft": {"r": 8}}, "unknown key 'r' in models.few.peft"),
        (
            {**SERVED, "peft": {"path": "README.md"}},
            "models.few has `peft` and an endpoint, but a server adds adapters itself",
        ),
    ],
)
def test_an_adapter_without_a_source_of_its_own_is_named(entry, sentence):
    assert sentence in fault(put(entry, "models", "few"))


def test_an_adapter_is_an_agent_of_its_model():
    entry = {"model": "smol", "peft": {"huggingface": "org/lora", "revision": "c0ffee"}}
    configuration = put(entry, "models", "few")
    validate(configuration, ROOT)
    assert configuration["models"]["few"]["type"] == "causal"


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            {"endpoint": "http://a/v1", "name": "a"},
            "it has an endpoint, and a server gives no answers of single layers",
        ),
        ({"task": "list"}, "it has `task`, and lists are written with the whole model"),
        ({"chat": "answer"}, "it has `chat: answer`, and an answer in words is written with the whole model"),
        ({"type": "encoder-decoder"}, "it is an encoder-decoder model"),
    ],
)
def test_agents_without_answers_of_single_layers(entry, sentence):
    configuration = put({**PYPI, **entry, "layers": "all", "studies": ["relations"]}, "models", "smol")
    assert fault(configuration) == f"config: models.smol has `layers`, but {sentence}: leave one of them out."


def test_layers_are_of_some_studies_alone():
    configuration = put({**PYPI, "layers": "all", "studies": ["relations", "definitions"]}, "models", "smol")
    studies = ", ".join(studies_with(lambda study: study.layers))
    sentence = f"`layers`, which is of the studies {studies} alone: name only these in models.smol.studies."
    assert sentence in fault(configuration)


def test_an_agent_with_layers_needs_examples_and_lines_of_the_studies_that_ask_it_layer_by_layer(tmp_path):
    """A study that asks no layers does not ask it at all."""
    files = {"examples": tmp_path / "examples.yaml", "chat": tmp_path / "chat.yaml"}
    files["examples"].write_text("relations: [[rose, flower], [oak, tree]]")
    files["chat"].write_text("relations: {system: You know words., instruction: Complete it.}")
    given = {"prompting": {name: str(file) for name, file in files.items()}}
    entry = {"type": "causal", "shots": 2, "chat": True}
    check_asking(given | {"models": {"m": {**entry, "layers": "all"}}}, ["relations", "definitions"])
    for key in ("shots", "chat"):
        plain = {name: value for name, value in entry.items() if name in ("type", key)}
        with pytest.raises(ConfigError, match="definitions"):
            check_asking(given | {"models": {"m": plain}}, ["relations", "definitions"])


def test_a_task_that_models_take_behind_an_endpoint_alone_needs_one(monkeypatch):
    """The other task of its name is one that models on this machine take, too."""
    tasks = {study: Study(validate, study, task=Task("spell", here=False)) for study in STUDIES}
    monkeypatch.setattr(asking, "study_of", lambda study: tasks[study])
    configuration = {"models": {"m": {"type": "causal", "task": "spell"}}, "prompting": {"chat": "none"}}
    with pytest.raises(
        ConfigError, match=r"has `task: spell`, which models take behind an `endpoint` alone: add it\.$"
    ):
        check_asking(configuration, [])
    check_asking({**configuration, "models": {"m": {"type": "causal", "task": "spell", "endpoint": "http://a"}}}, [])
    tasks["pairs"] = Study(validate, "pairs", task=Task("spell"))
    check_asking(configuration, [])
    elsewhere = {"models": {"m": {**configuration["models"]["m"], "studies": ["degrees"]}}}
    with pytest.raises(ConfigError, match="has `task: spell`, which is of the study pairs alone"):
        check_asking(configuration | elsewhere, [])


@pytest.mark.parametrize("layers", [[], "some", {"every": 0}, {"each": 3}, [0.5]])
def test_a_choice_of_layers_has_one_of_three_forms(layers):
    assert fault(put(layers, "models", "smol", "layers")).startswith("config: models.smol.layers")


def test_layers_need_answers_that_are_tokens_and_text_for_their_maps():
    layered = put({**PYPI, "layers": [0, -1]}, "models", "smol")
    validate(copy.deepcopy(layered), ROOT)
    words = copy.deepcopy(layered)
    words["relations"]["answers"] = "words"
    assert "words of any length are not asked layer by layer" in fault(words)
    without = copy.deepcopy(layered)
    without["relations"] |= {"tuples": ["own_tuples"], "expansion": "none"}
    without["resources"] = {"own_tuples": {"url": "https://example.org/own.csv", "sha256": "0" * 64}}
    assert "whose maps are fitted on the glosses of resources.wordnet, which is missing" in fault(without)
    validate(copy.deepcopy(without) | {"models": config()["models"]}, ROOT)
    words = copy.deepcopy(layered)
    words["relations"]["layers"] = {"map": "no/such.txt"}
    assert (
        fault(words) == "config: relations.layers.map names no/such.txt, which is no file: correct it, or write none."
    )
