"""The profile for clusters knows every rule: none is submitted alone that takes seconds, none scores without a GPU."""

import re

import pytest
import yaml

from tests.paths import ROOT
from tests.workflow import toy

RULES = "\n".join(path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk")))
BODIES = dict(re.findall(r"^rule (\w+):\n((?:(?:    .*)?\n)+)", RULES, re.MULTILINE))
LOCAL = set(
    re.findall(r"^    (\w+),$", "".join(re.findall(r"^localrules:\n((?:    \w+,\n)+)", RULES, re.MULTILINE)), re.M)
)
SCORING = {name for name, body in BODIES.items() if "threads: 8" in body}
PROFILE, WORKSTATION = (
    yaml.safe_load((ROOT / f"workflow/profiles/{name}/config.yaml").read_text()) for name in ("slurm", "workstation")
)


@pytest.mark.parametrize("name", sorted(BODIES))
def test_every_rule_has_its_place(name):
    assert [name in LOCAL, name in SCORING, name in PROFILE["groups"]].count(True) == 1


@pytest.mark.parametrize("name", sorted(SCORING))
def test_scoring_asks_for_a_gpu_and_for_what_the_model_needs(name):
    assert PROFILE["set-resources"][name] == {"slurm_partition": "gpu", "gpu": 1}
    assert WORKSTATION["set-resources"][name] == {"gpu": 1}
    assert "mem_mb=model_memory" in BODIES[name]
    assert "runtime=model_minutes" in BODIES[name]
    assert "HF_HUB_OFFLINE=1" in BODIES[name]


def test_the_profile_names_rules_that_there_are():
    assert set(PROFILE["groups"]) <= set(BODIES)
    assert set(PROFILE["set-resources"]) == set(WORKSTATION["set-resources"]) == SCORING
    assert set(PROFILE["group-components"]) == set(PROFILE["groups"].values())


def test_what_needs_the_network_runs_where_snakemake_does():
    assert {"fetch", "snapshot", "analogies_snapshot"} <= LOCAL


@pytest.mark.parametrize("name", sorted(name for name, body in BODIES.items() if "fetched/models/" in body))
def test_what_reads_a_model_is_told_to_stay_offline(name):
    assert "HF_HUB_OFFLINE=1" in BODIES[name] or name in LOCAL


def test_one_scoring_job_at_a_time_is_on_the_gpu_of_a_workstation():
    assert WORKSTATION["resources"] == {"gpu": 1}


@pytest.mark.parametrize("name", sorted(name for name, body in BODIES.items() if re.search("mem_mb=|runtime=", body)))
def test_what_a_rule_asks_for_grows_with_the_attempt(name):
    asked = re.findall(r"(?:mem_mb|runtime)=(.*),\n", BODIES[name])
    assert asked
    assert [value for value in asked if value.isdigit()] == []


@pytest.mark.parametrize("key", ["mem_mb", "runtime"])
def test_what_the_other_rules_ask_for_grows_with_the_attempt(key):
    assert PROFILE["default-resources"][key].endswith(" * attempt")


@pytest.fixture(scope="module")
def sixteen(tmp_path_factory):
    """What a dry run on the cluster says of a study of 16 models of two sizes."""
    study = toy.make(tmp_path_factory.mktemp("sixteen") / "study")
    sizes = {f"model{n}": 7e9 if n else 1e8 for n in range(16)}
    models = {name: {"type": "masked", "path": "data/masked", "size": size} for name, size in sizes.items()}
    study.configure(models=models, lexicon={"panel": ["model0"]})
    done = study.snakemake("--dry-run", "--workflow-profile", "workflow/profiles/slurm")
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_study_of_16_models_is_some_20_submissions(sixteen):
    # Words, two of eight models' and one of the humans' metrics, the report; and a job of scores for each model.
    assert sorted(re.findall(r"Group job (\w+)", sixteen)) == [*["relations_metrics"] * 3, "relations_report", "words"]
    single = [name for name in re.findall(r"^rule (\w+):", sixteen, re.MULTILINE) if name not in {*LOCAL, "all"}]
    assert single == ["relations_scores"] * 16


def test_a_scoring_job_asks_for_what_its_model_needs(sixteen):
    asked = dict(
        re.findall(r"rule relations_scores:\n(?:.*\n)*?.*model=(\w+)\n.*\n?.*resources: .*mem_mb=(\d+)", sixteen)
    )
    # 3,000 MB and 8 bytes a parameter.
    assert asked["model0"] == "3800"
    assert asked["model1"] == "59000"
