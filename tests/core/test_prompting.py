"""How an agent is asked, and which models are asked in several ways."""

import pytest
from relprobe.core.prompting import network_of, prompting_by_model, prompting_of


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({}, []),
        ({"shots": 0}, ["0 examples"]),
        ({"shots": 1}, ["1 example"]),
        ({"shots": 2}, ["2 examples"]),
        ({"task": None}, ["people's task"]),
        ({"chat": True}, ["chat"]),
        ({"chat": "answer"}, ["chat, one word"]),
        ({"chat": False}, []),
        ({"samples": 1}, []),
        ({"samples": 2}, ["2 samples"]),
        ({"thoughts": 0}, []),
        ({"thoughts": 1}, ["thoughts"]),
        ({"context": ""}, ["context"]),
        ({"peft": {}}, ["adapter"]),
        ({"layers": "all"}, ["layers"]),
        ({"model": "m", "type": "causal", "size": 3}, []),
        (
            {
                "layers": [1],
                "peft": {},
                "context": "c",
                "thoughts": 9,
                "samples": 3,
                "chat": True,
                "task": "x",
                "shots": 4,
            },
            ["4 examples", "people's task", "chat", "3 samples", "thoughts", "context", "adapter", "layers"],
        ),
    ],
)
def test_every_way_of_asking_is_said_in_its_place(entry, said):
    assert prompting_of(entry) == said


def test_a_network_has_the_name_of_its_files_or_of_its_server_and_with_an_adapter_its_own():
    served = {"endpoint": "http://x", "name": "big", "model": "other"}
    assert network_of("a", {}) == "a"
    assert network_of("a", {"model": "m"}) == "m"
    assert network_of("a", {"name": "n"}) == "a"  # no server knows it by that name
    assert network_of("a", served) == "big"
    assert network_of("a", served | {"peft": {}}) == "a"


def test_models_that_are_asked_in_several_ways_stand_with_what_each_agent_gives():
    served = {"endpoint": "http://x", "name": "m"}
    models = {
        "m": {},
        "chatty": served | {"chat": "answer"},
        "again": {"model": "m"},
        "tuned": {"model": "m", "peft": {}, "shots": 3},
        "people": {"model": "m", "task": "list", "chat": "answer"},
        "n": {"shots": 1},
        "n-shots": {"model": "n", "shots": 1},
    }
    bare, one_word = {"way": "bare", "answer": "log-probabilities"}, {"way": "chat, one word", "answer": "one word"}
    found = prompting_by_model(models, list(models))
    assert found == {
        "m": {
            "m": bare,
            "chatty": one_word,
            "again": bare,
            "people": {"way": "people's task, chat, one word", "answer": "list"},
        }
    }
    assert list(found["m"]) == ["m", "chatty", "again", "people"]
    assert prompting_by_model(models, ["m", "again", "tuned"]) == {}  # in one way, and another model
    assert prompting_by_model(models, ["n", "n-shots"]) == {}
