"""The environments hold the same versions, whichever way they are installed."""

import re

import pytest
import yaml

from tests.paths import ROOT

PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def pins(name):
    return dict(PINNED.findall((ROOT / "envs" / name).read_text()))


REQUIRED = pins("requirements.txt")


@pytest.mark.parametrize("name", ["analysis.yaml", "models.yaml", "chat-models.yaml"])
def test_a_conda_environment_has_the_versions_of_the_requirements_and_names_no_other_file(name):
    parts = yaml.safe_load((ROOT / "envs" / name).read_text())["dependencies"]
    (pip,) = (part["pip"] for part in parts if isinstance(part, dict))
    versions = dict(line.split("==") for line in pip)
    assert {name: REQUIRED.get(name) for name in versions} == versions


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_the_constraints_have_every_requirement_in_its_version(name):
    constraints = {key.lower().replace("_", "-"): version for key, version in pins("constraints.txt").items()}
    assert {key: constraints[key.lower()] for key in pins(name)} == pins(name)
