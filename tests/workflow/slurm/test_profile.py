"""The profile for clusters knows every rule: none is submitted alone that takes seconds, none scores without a GPU."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
RULES = "\n".join(path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk")))
BODIES = dict(re.findall(r"^rule (\w+):\n((?:(?:    .*)?\n)+)", RULES, re.MULTILINE))
LOCAL = set(
    re.findall(r"^    (\w+),$", "".join(re.findall(r"^localrules:\n((?:    \w+,\n)+)", RULES, re.MULTILINE)), re.M)
)
SCORING = {name for name, body in BODIES.items() if "threads: 8" in body}
PROFILE = yaml.safe_load((ROOT / "workflow/profiles/slurm/config.yaml").read_text())


@pytest.mark.parametrize("name", sorted(BODIES))
def test_every_rule_has_its_place(name):
    assert [name in LOCAL, name in SCORING, name in PROFILE["groups"]].count(True) == 1


@pytest.mark.parametrize("name", sorted(SCORING))
def test_scoring_asks_for_a_gpu_and_for_what_the_model_needs(name):
    assert PROFILE["set-resources"][name] == {"slurm_partition": "gpu", "gpu": 1}
    assert "mem_mb=model_memory" in BODIES[name]
    assert "runtime=model_minutes" in BODIES[name]
    assert "HF_HUB_OFFLINE=1" in BODIES[name]


def test_the_profile_names_rules_that_there_are():
    assert set(PROFILE["groups"]) | set(PROFILE["set-resources"]) <= set(BODIES)
    assert set(PROFILE["group-components"]) == set(PROFILE["groups"].values())


def test_what_needs_the_network_runs_where_snakemake_does():
    assert {"fetch", "snapshot"} <= LOCAL
