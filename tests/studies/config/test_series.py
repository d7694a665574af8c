"""Checkpoints of one training are agents of one series."""

import pytest
from relprobe.studies.config import validate

from tests.paths import ROOT
from tests.studies.config.configs import HUB, fault, put


@pytest.mark.parametrize(
    ("revisions", "more", "name"),
    [(["step1"], {"m-step1": dict(HUB)}, "m-step1"), (["a/step1", "a-step1"], {}, "m-a-step1")],
)
def test_a_checkpoint_with_the_name_of_another_agent_is_named(revisions, more, name):
    configuration = put({"type": "causal", "huggingface": "org/m", "revisions": revisions}, "models", "m")
    configuration["models"] |= more
    assert fault(configuration).startswith(f"config: two agents have the name '{name}', as a checkpoint is named ")


def test_revisions_are_agents_of_one_series():
    entry = {"type": "causal", "huggingface": "org/m", "revisions": ["step0", "a/step2000"]}
    configuration = put(entry, "models", "m") | {"relations": put(1, "x")["relations"]}
    configuration["models"]["few"] = {"model": "m-step0", "shots": 3}
    validate(configuration, ROOT)
    models = configuration["models"]
    assert list(models) == ["electra", "smol", "m-step0", "m-a-step2000", "few"]
    assert models["m-a-step2000"] == {
        **{"type": "causal", "huggingface": "org/m", "revision": "a/step2000", "series": "m", "step": 2000},
    }
    assert (models["few"]["series"], models["few"]["step"]) == ("m", 0)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"type": "causal", "path": "README.md", "revisions": ["step1"]}, "models.m has `revisions`, which belong to"),
        ({**HUB, "revisions": ["step1"]}, "models.m has `revisions`, which belong to `huggingface` and stand for"),
        (
            {"type": "causal", "huggingface": "org/m", "revisions": ["main"]},
            "models.m.revisions holds 'main', which has no number of a training step",
        ),
    ],
)
def test_revisions_that_are_no_steps_are_named(entry, sentence):
    assert sentence in fault(put(entry, "models", "m"))


OLMO = ["step0-tokens0B", "step100-tokens0B", "stage1-step101000-tokens424B"]


@pytest.mark.parametrize(
    ("revisions", "steps"),
    [
        (OLMO, [0, 100, 101000]),
        ({"main": 143000, "step1000": 1000}, [143000, 1000]),
        (["ckpt-7", "global_step20k", "step-1M", "step900k"], [7, 20000, 1000000, 900000]),
    ],
)
def test_the_step_of_a_revision_is_the_number_after_step(revisions, steps):
    configuration = put({"type": "causal", "huggingface": "org/m", "revisions": revisions}, "models", "m")
    validate(configuration, ROOT)
    members = [entry for entry in configuration["models"].values() if "series" in entry]
    assert [entry["step"] for entry in members] == steps
    assert [entry.get("tokens") for entry in members] == (
        [0, 0, 424 * 10**9] if revisions == OLMO else [None] * len(steps)
    )


@pytest.mark.parametrize("asked", [{}, {"shots": 3}])
def test_two_members_of_a_series_have_different_steps(asked):
    configuration = put({**HUB, "series": "m", "step": 5}, "models", "one")
    configuration["models"]["other"] = {"model": "one", **asked}
    if asked:  # another series, of agents that are asked in this way
        validate(configuration, ROOT)
    else:
        assert fault(configuration).startswith(
            "config: one and other are both step 5 of the series m: correct `step`, "
        )


def test_steps_of_revisions_are_numbers():
    entry = {"type": "causal", "huggingface": "org/m", "revisions": {"main": "last"}}
    assert fault(put(entry, "models", "m")).startswith(
        "config: models.m.revisions.main: 'last' is not of type 'number'"
    )
