"""Agents behind an endpoint: served models, and models that only chat."""

import pytest
from relprobe.studies.config import validate

from tests.paths import ROOT
from tests.studies.config.configs import PYPI, SERVED, fault, put

CHATTY = {"endpoint": "https://api.example.org/v1", "name": "chatty-2026", "task": "list"}


def test_an_agent_that_only_chats_needs_no_files_and_no_type():
    configuration = put({**CHATTY, "samples": 4, "thoughts": 500, "limits": {"requests": 9}}, "models", "chatty")
    configuration["models"]["one"] = {"model": "chatty", "task": "people"}
    configuration["degrees"] = {"raters": ["hidden"]}  # which need no hidden states of an agent with another task
    validate(configuration, ROOT)
    assert configuration["models"]["chatty"]["type"] == "causal"
    assert configuration["models"]["one"]["endpoint"] == CHATTY["endpoint"]
    assert "limits" not in configuration["models"]["one"]


def test_a_served_model_with_a_task_shares_the_server_and_not_what_is_said_of_its_network():
    configuration = put({**PYPI, **CHATTY, "size": 1e9, "compare": True}, "models", "big")
    del configuration["models"]["big"]["task"]
    configuration["models"]["few"] = {"model": "big", "task": "list", "studies": ["relations"]}
    configuration["relations"]["answers"] = "tokens"
    validate(configuration, ROOT)
    assert configuration["models"]["few"] == {
        **{"model": "big", "task": "list", "studies": ["relations"], "type": "causal"},
        **{key: CHATTY[key] for key in ("endpoint", "name")},
    }


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"type": "masked"}, "models.few is masked, but servers of completions have causal models only"),
        ({"name": None}, "models.few has an endpoint without 'name': add the server's name of the model."),
        ({"chat": True}, "it is asked in words as people were, and 'chat' says nothing there: leave it out."),
        ({"shots": 3}, "and 'shots' says nothing there"),
        ({"size": 1e9}, "and 'size' says nothing there"),
        ({"path": "README.md"}, "and 'path' says nothing there"),
        ({"key_env": "NO_SUCH_KEY"}, "names the environment variable NO_SUCH_KEY, which is not set: export it."),
        (
            {"task": None, "type": "causal", "path": ".", "thoughts": 9},
            "few has `thoughts` without `task`: add it",
        ),
        (
            {"endpoint": None, "name": None, "model": "smol", "limits": {}},
            "few has 'limits', which is for served models: add `endpoint`",
        ),
        (
            {"request": {"temperature": 1}},
            "models.few.request holds 'temperature', where only a key that relprobe does not set itself, as it does model,",
        ),
        ({"limits": {"requests": 0}}, "models.few.limits.requests: 0 is less than the minimum of 1: correct it."),
        (
            {"studies": ["systematicity"]},
            "models.few has `task: list`, which is of the study relations alone: add it to",
        ),
        (
            {"task": "continue", "studies": ["relations"]},
            "models.few has `task: continue`, which is of the study analogies alone: add it to models.few.studies.",
        ),
        (
            {"task": "carry on"},
            "models.few.task is 'carry on', but must be one of list, choose, complete, continue, maxdiff, judge, people.",
        ),
    ],
)
def test_an_agent_that_only_chats_and_is_configured_wrongly_is_named(change, sentence):
    entry = {key: value for key, value in {**CHATTY, **change}.items() if value is not None}
    assert sentence in fault(put(entry, "models", "few"))


def test_an_agent_of_a_model_that_only_chats_needs_a_task():
    configuration = put(CHATTY, "models", "chatty")
    configuration["models"]["few"] = {"model": "chatty"}
    assert "models.few shares the model 'chatty', which only chats, and so needs a `task`" in fault(configuration)


def test_a_served_model_is_valid(monkeypatch):
    monkeypatch.setenv("BIG_KEY", "sesame")
    more = {"key_env": "BIG_KEY", "concurrency": 32, "timeout": 60, "bos": True, "context": "a robin sings."}
    validate(put({**SERVED, **more}, "models", "big"), ROOT)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": None}, "models.big has an endpoint without 'name': add the server's name of the model."),
        ({"type": "masked"}, "models.big is masked, but servers of completions have causal models only"),
        ({"dtype": "bfloat16"}, "models.big has 'dtype', which the server decides: delete it."),
        ({"key_env": "NO_SUCH_KEY"}, "names the environment variable NO_SUCH_KEY, which is not set: export it."),
        ({"key_env": "sk-123"}, "models.big.key_env holds 'sk-123', where only the name of the environment variable"),
        ({"endpoint": "http://me:secret@gpu07/v1"}, "where only an http or https address of a server"),
        ({"endpoint": None}, "models.big has 'name', which is for served models: add `endpoint` or delete it."),
        ({"huggingface": None, "revision": None}, "models.big has no source"),
        ({"concurrency": 0}, "models.big.concurrency"),
    ],
    ids=str,
)
def test_a_wrong_entry_of_a_served_model_ends_in_a_sentence(change, sentence):
    entry = {key: value for key, value in {**SERVED, **change}.items() if value is not None}
    assert sentence in fault(put(entry, "models", "big"))


def test_a_study_that_needs_hidden_states_takes_no_served_model(tmp_path):
    configuration = put(SERVED, "models", "big")
    configuration["resources"]["bats"] = {"path": str(tmp_path)}
    configuration["analogies"] = {}
    assert fault(configuration).startswith(
        "config: models.big is served, and a server gives no hidden states, which analogies needs: leave one of them out"
    )
    configuration = put(SERVED, "models", "big")
    configuration["resources"]["semeval2012"] = {"path": str(tmp_path)}
    configuration["degrees"] = {"raters": ["schema", "pmi"]}
    validate(configuration, ROOT)
    configuration["degrees"]["raters"].append("hidden")
    assert "which degrees needs" in fault(configuration)
