"""`relprobe doctor`: one screen on the installation, the machine, the network and the study."""

import importlib.metadata
import json
import re
import subprocess
import urllib.request
from types import SimpleNamespace

import httpx2
import polars as pl
import pytest
import yaml
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError
from relprobe.command import costs, doctor, init
from relprobe.core import records

from tests.paths import ROOT

ANSWERS = {"software": "relprobe 9.9", "machine": "2 cores", "network": "PyPI answers"}


@pytest.fixture
def study(tmp_path, monkeypatch):
    """The toy study, as the working directory; the machine and the network are not asked."""
    init.main([str(tmp_path), "--study", "toy"])
    monkeypatch.chdir(tmp_path)
    for name, text in ANSWERS.items():
        monkeypatch.setattr(doctor, name, lambda text=text: iter([(True, text)]))
    return tmp_path


def test_a_study_costs_what_its_own_probes_do(tmp_path):
    models = {"small": {"type": "causal", "size": 1e8}}
    plan = {"relations_scores": 1, "degrees_scores": 1}
    both = costs.seconds(plan, models, cores=1)
    (tmp_path / "degrees").mkdir()
    pl.DataFrame({"probe_id": ["a", "b"]}).write_parquet(tmp_path / "degrees/probes.parquet")
    known = costs.known_sizes(["relations", "degrees"], tmp_path, {"relations": (12, 12)})
    assert known == {"degrees": (2, 2), "relations": (12, 12)}
    own = costs.seconds(plan, models, 1, known)
    assert own == pytest.approx(both * 14 / (2 * costs.PROBES))
    listed = costs.seconds(plan, models, 1, {**known, "relations": (12, 12_000)})
    assert listed > 100 * own  # each candidate is a token more
    assert costs.disk(plan, models, tmp_path, known) < costs.disk(plan, models, tmp_path)


def test_a_valid_study_is_planned(study, capsys):
    assert doctor.main([]) == 0
    screen = capsys.readouterr().out.splitlines()
    lines = screen[-4:]
    assert lines[0].strip().endswith("config.yaml is valid: 1 agent in relations")
    assert lines[1].strip() == "the next run would do 18 jobs, of which 1 runs a model"
    assert "on" in lines[2]
    assert "GB of disk" in lines[3]
    assert len(screen) <= 24


def test_the_power_of_a_sample_whose_targets_share_no_relatum_is_known_from_the_plan(study, monkeypatch, capsys):
    config = yaml.safe_load((study / "config.yaml").read_text())
    config["relations"]["wordnet_sample"] |= {"shared_relata": False, "tuples": {"HYP": 90, "ANT": 22}}
    (study / "config.yaml").write_text(yaml.safe_dump(config))
    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({}, {}))
    assert doctor.main([]) == 0
    out = capsys.readouterr().out
    assert "ANT has the fewest units, 44, which count as 22.0: two agents are" in out
    rows = {
        line.split()[0]: line.split()[1:]
        for line in out.splitlines()
        if line.split()[:1] in (["HPO"], ["ANT"], ["all"])
    }
    assert rows["HPO"][:3] == ["90", "90.0", "0.13"]
    assert rows["all"][:2] == ["224", "202.0"]
    assert float(rows["ANT"][3]) < float(rows["HPO"][3]) < float(rows["all"][3]) < 1
    config["relations"]["wordnet_sample"]["shared_relata"] = (
        True  # what a random sample counts as is known after it alone
    )
    (study / "config.yaml").write_text(yaml.safe_dump(config))
    assert doctor.main([]) == 0
    assert "count as" not in capsys.readouterr().out.partition("definitions:")[0]


def test_how_small_a_difference_her_own_tuples_can_show_is_said_before_a_run(study, monkeypatch, capsys):
    pairs = "".join(f"word{number},HYP,thing\n" for number in range(20)) + "robin,MER,wing\nhouse,MER,door\n"
    (study / "mine.csv").write_text("target,relation,relatum\n" + pairs)
    config = yaml.safe_load((study / "config.yaml").read_text())
    config["resources"]["own_tuples"] = {"path": "mine.csv"}
    config["relations"] |= {"tuples": ["own_tuples"], "shown_probes": []}
    (study / "config.yaml").write_text(yaml.safe_dump(config))
    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({}, {}))
    assert doctor.main([]) == 0
    out = capsys.readouterr().out
    assert "relations: HYP has the fewest units, 20, which count as 1.0: too few to tell two agents apart" in out
    rows = {
        line.split()[0]: line.split()[1:]
        for line in out.splitlines()
        if line.split()[:1] and line.split()[0] in ("HYP", "MER", "all")
    }
    assert rows["HYP"] == ["20", "1.0", "too", "few", "0.00"]
    assert rows["MER"][:2] == ["2", "2.0"]
    assert rows["all"][:2] == ["25", "6.0"]  # 20 + 1, and 2 + 2 of the parts
    (study / "mine.csv").write_text("target,relation,relatum\n" + "".join(f"word{n},ANT,other{n}\n" for n in range(6)))
    assert doctor.main([]) == 0  # an antonym pair holds in both directions, so that there are 12 targets
    assert (
        "ANT has the fewest units, 12: two agents are told apart from a difference of 0.44" in capsys.readouterr().out
    )
    pairs = "".join(f"word{number},HYP,thing{number % 4}\n" for number in range(20))
    (study / "mine.csv").write_text(f"target,relation,relatum\n{pairs}")
    assert doctor.main([]) == 0  # the signs of four groups of words are alike in 2 of 2⁴ cases, whatever their sizes
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["HYP", "20", "4.0", "too", "few"] in [line[:5] for line in lines]


def test_a_fault_of_the_configuration_is_said_and_gives_status_1(study, capsys):
    config = yaml.safe_load((study / "config.yaml").read_text())
    config["lexicon"]["panel"] = ["gpt2"]
    (study / "config.yaml").write_text(yaml.safe_dump(config))
    assert doctor.main([]) == 1
    assert " !!  config: lexicon.panel names 'gpt2'" in capsys.readouterr().out


def test_a_study_that_is_finished_has_nothing_to_do(study, monkeypatch):
    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({}, {}))
    assert [good for good, text in doctor.takes({}) if "nothing to do" in text] == [True]


def test_models_that_hugging_face_does_not_give_are_named_before_a_run(study, monkeypatch, capsys):
    """Each that is wrong has its sentence; a fetched one and one with another source are not asked for."""
    config = yaml.safe_load((study / "config.yaml").read_text())
    names = ("good", "wrong", "gated", "fetched")
    hub = {name: {"type": "causal", "huggingface": f"lab/{name}", "revision": "main"} for name in names}
    config["models"] |= hub
    (study / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    manifest = study / "resources/fetched/models/fetched.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{}")
    asked, answer = [], httpx2.Response(401, request=httpx2.Request("GET", "https://huggingface.co"))

    def about(repository, **_):
        asked.append(repository)
        if repository == "lab/wrong":
            raise RepositoryNotFoundError("none", response=answer)

    def download(repository, **_):  # a gated repository says what it has, and gives no file
        if repository == "lab/gated":
            raise GatedRepoError("gated", response=answer)
        return []

    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({}, {}))
    monkeypatch.setattr("huggingface_hub.model_info", about)
    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    monkeypatch.setattr(doctor, "silence_of_hub", lambda: "")
    assert doctor.main([]) == 1
    faults = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" !! ")]
    assert [line.split()[1] for line in faults] == ["models.wrong:", "models.gated:"]
    assert sorted(asked) == ["lab/gated", "lab/good", "lab/wrong"]
    asked.clear()
    monkeypatch.setattr(doctor, "silence_of_hub", lambda: "no route")  # nothing is known, and nothing is waited for
    assert doctor.main([]) == 0
    assert asked == []


def test_results_of_other_versions_are_named(tmp_path, monkeypatch):
    words = tmp_path / "results/words.csv"
    words.parent.mkdir()
    words.write_text("robin")
    file = records.record_file(words, tmp_path / "results")
    records.write_record(file, step="relprobe.words", settings="ab", code="cd", inputs=[], outputs=[words])
    assert list(doctor.other_versions(tmp_path / "results")) == []
    about = json.loads(file.read_text())
    file.write_text(json.dumps({**about, "versions": {**about["versions"], "polars": "0.1", "gone": "1"}}))
    ((good, text),) = doctor.other_versions(tmp_path / "results")
    assert good is None
    assert text.startswith("1 result was computed with polars 0.1, and ")
    file.write_text("{")
    ((good, text),) = doctor.other_versions(tmp_path / "results")
    assert good is False
    assert "is damaged: delete it and the result" in text
    assert list(doctor.other_versions(tmp_path / "nowhere")) == []


def test_why_results_are_computed_anew_is_said(study, monkeypatch):
    reasons = {"have other settings or code": ["relations_scores", "relations_gold"]}
    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({"relations_scores": 2}, reasons))
    said = [text for _, text in doctor.takes({"models": {}})]
    assert (
        "results that have other settings or code: those of relations_scores, relations_gold, and what follows" in said
    )


def test_too_little_disk_is_a_fault(study, monkeypatch):
    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({"relations_scores": 1}, {}))
    config = {"models": {"huge": {"type": "causal", "size": 1e15, "huggingface": "org/huge"}}}
    assert [good for good, text in doctor.takes(config) if "of disk" in text] == [False]


def test_the_disk_that_is_needed_and_free_is_said_in_gb(study, monkeypatch):
    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({"relations_scores": 1}, {}))
    monkeypatch.setattr(costs, "disk", lambda *_: 1.26e9)
    monkeypatch.setattr(doctor, "shutil", SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=3e9)))
    lines = [line for line in doctor.takes({"models": {}}) if "of disk" in line[1]]
    assert lines == [(True, "at most about 1.3 GB of disk, and 3 GB are free")]


def test_packages_with_the_versions_of_the_tests_are_no_fault(monkeypatch):
    tested = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "envs/requirements.txt").read_text(), re.MULTILINE))
    monkeypatch.setattr(importlib.metadata, "version", lambda name: tested[name])
    (line,) = [line for line in doctor.software() if "versions of the tests" in line[1]]
    assert line[0] is True
    assert re.fullmatch(r"all \d+ packages have the versions of the tests", line[1])


def test_each_model_without_room_in_memory_is_a_fault(monkeypatch):
    monkeypatch.setattr(doctor, "memory", lambda: 25e9)
    models = yaml.safe_load((ROOT / "resources/studies/paper.yaml").read_text())["models"]
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    lines = list(doctor.room({"models": models}))
    assert [good for good, _ in lines] == [False] * 4
    assert lines[0][1].startswith("opt-66b takes about 267 GB of memory, and 25 GB are there: leave it out")
    assert [text.partition(" ")[0] for _, text in lines[1:]] == ["opt-30b", "opt-13b", "opt-6.7b"]


def test_an_environment_without_pip_is_a_fault_with_its_remedy(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    good, sentence = doctor.index()
    assert good is False
    assert "pip, which fetches files of PyPI, is not installed in" in sentence
    assert "uv pip install pip" in sentence


def test_a_hub_and_an_index_that_do_not_answer_are_named(monkeypatch):
    def down(*_, **__):
        raise OSError("no route")

    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(urllib.request, "urlopen", down)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    (pypi, index), (hub, sentence) = doctor.network()
    assert (pypi, hub) == (False, None)
    assert index.endswith("does not answer")
    assert "does not answer (no route)" in sentence


def test_a_package_that_is_missing_is_a_fault(monkeypatch):
    def version(name):
        if name == "wn":
            raise importlib.metadata.PackageNotFoundError
        return "0.1"

    monkeypatch.setattr(importlib.metadata, "version", version)
    lines = list(doctor.software())
    assert (False, "not installed: wn. pip install relprobe") in lines
    assert any(good is None and "torch 0.1 (tested: 2.13.0)" in text for good, text in lines)


def test_the_operations_of_a_run_are_those_of_its_models():
    models = {"a": {"type": "causal", "size": 1e9}, "b": {"type": "causal", "size": 2e9}, "c": {"endpoint": "http://"}}
    models["c"]["type"] = "causal"
    one = costs.seconds({"relations_scores": 1}, models, cores=1)  # the larger one
    assert one == pytest.approx(2 * 2e9 * 18_339 * 4.8 / 125e9)
    assert costs.seconds({"relations_scores": 2}, models, cores=1) == pytest.approx(1.5 * one)
    assert costs.seconds({"relations_scores": 3, "relations_metrics": 4}, models, cores=2) == pytest.approx(
        0.75 * one + 6
    )


def test_models_that_are_there_need_no_disk(tmp_path):
    models = {"a": {"type": "causal", "size": 1e9}, "b": {"type": "causal", "size": 5e9}, "c": {"model": "a"}}
    assert costs.disk({}, models, tmp_path) == 4e9 + 1e10  # 4 bytes a parameter, and 2 from 3 billion on
    (tmp_path / "b.json").touch()
    assert costs.disk({}, models, tmp_path) == 4e9


def test_the_estimate_has_the_figures_of_the_documentation():
    text = (ROOT / "docs/scale.md").read_text()
    assert f"{costs.PROBES:,} probes in each study, {costs.TOKENS} tokens a probe" in text
    assert f"{costs.WHOLE} times as many" in text
    assert f"{2 * costs.CORE_FLOPS / 1e9:.0f} Gflop/s of two cores, and {costs.JOB_S} seconds of a core" in text
