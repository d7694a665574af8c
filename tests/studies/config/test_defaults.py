"""The shipped configurations are valid, and defaults are filled in where a key is missing."""

import copy

import pytest
import yaml
from relprobe.studies import entries, sections
from relprobe.studies.config import validate

from tests.paths import ROOT
from tests.studies.config.configs import config, put


def test_a_good_config_is_valid():
    validate(config(), ROOT)


SHIPPED = [ROOT / "config.yaml", *sorted((ROOT / "resources/studies").glob("*.yaml"))]


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_the_shipped_configs_are_valid(file, tmp_path, monkeypatch):
    configuration = yaml.safe_load(file.read_text(encoding="utf-8"))
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    for entry in (one for part in ("models", "resources", "vectors") for one in configuration.get(part, {}).values()):
        if "path" in entry:  # data that a user must get
            (tmp_path / entry["path"]).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / entry["path"]).touch()
    monkeypatch.chdir(tmp_path)
    validate(configuration, ROOT)
    complete = copy.deepcopy(configuration)
    entries.check(configuration, sections.resources_of_users())
    sections.check(configuration)
    assert configuration == complete  # what is checked is what runs: no check fills in what an earlier one has not seen


def test_a_study_without_its_data_has_those_that_stand_in_before_anything_is_checked(tmp_path, monkeypatch):
    """So the entry of the demonstration is checked as all others are."""
    configuration = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(entries, "check", lambda config, _: seen.update(copy.deepcopy(config["resources"])))
    seen = {}
    validate(configuration, ROOT)
    assert "demonstration_analogies" in seen


def test_defaults_are_filled_in():
    configuration = config()
    validate(configuration, ROOT)
    assert configuration["scoring"] == {"device": "auto", "batch_tokens": 0, "reuse": True}
    assert configuration["relations"]["top_k"] == 1000
    assert configuration["relations"]["special_tokens"] == "keep"
    assert configuration["relations"]["choices"] == {
        "ties": "expected",
        "gold": "rest",
        "frequency": "raw",
        "recall": "cutoff",
        "symmetry_k": [1, 5, 10],
        "rank": "best",
        "minimum_targets": 10,
        "k": 0,
    }


def test_defaults_do_not_replace_values():
    configuration = put("mean", "relations", "choices", "rank")
    configuration["scoring"] = {"device": "cuda:1"}
    validate(configuration, ROOT)
    assert configuration["relations"]["choices"]["rank"] == "mean"
    assert configuration["relations"]["choices"]["ties"] == "expected"
    assert configuration["scoring"] == {"device": "cuda:1", "batch_tokens": 0, "reuse": True}


def test_two_configs_do_not_share_their_defaults():
    one, other = config(), config()
    validate(one, ROOT)
    one["relations"]["choices"]["symmetry_k"].append(99)
    validate(other, ROOT)
    assert other["relations"]["choices"]["symmetry_k"] == [1, 5, 10]


def test_the_defaults_are_those_of_the_metrics():
    from relprobe.studies.relations.method import Choices

    configuration = config()
    validate(configuration, ROOT)
    choices = configuration["relations"]["choices"]
    assert choices.pop("frequency") == "raw"  # of the comparisons, not of the metrics
    assert choices.pop("minimum_targets") == 10  # of AuDC, not of the metrics
    assert Choices(**{**choices, "symmetry_k": (1, 5, 10)}) == Choices()


def test_the_defaults_of_the_analogies_study_are_the_papers():
    configuration = put({}, "analogies")
    validate(configuration, ROOT)
    study = configuration["analogies"]
    assert study["template"] == "What {h1} is to {t1}, {h2} is to {t2}."
    assert (study["sample"], study["split"]["train_share"]) == ({"swapped": 24}, 0.5)  # the control is ours
    assert study["unsupervised"] == {"partitions": ["train", "test"], "perplexity": "sentence"}
