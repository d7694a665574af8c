"""`relprobe doctor`: one screen on the installation, the machine, the network and the study."""

import contextlib
import importlib.metadata
import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import httpx2
import polars as pl
import pytest
import torch
import yaml
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError
from relprobe.command import costs, doctor, init
from relprobe.core import records
from relprobe.core.study import Targets

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
    config["relations"]["word_list"] = {"lemmas": False}
    text = yaml.safe_dump(config, sort_keys=False).replace("lemmas: false", "lemmas: no")  # as a user may write it
    (study / "config.yaml").write_text(text)
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
    monkeypatch.setattr(importlib.metadata, "version", lambda name: tested[name] + "+cpu" * (name == "torch"))
    _, *lines = doctor.software()
    assert lines == [(True, f"all {len(tested)} packages have the versions of the tests")]


def test_of_the_packages_that_are_there_the_others_than_tested_are_named_and_those_that_lack_are_not(monkeypatch):
    tested = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "envs/requirements.txt").read_text(), re.MULTILINE))
    there = {**tested, "wn": None}

    def version(name):
        if there[name] is None:
            raise importlib.metadata.PackageNotFoundError
        return there[name]

    monkeypatch.setattr(importlib.metadata, "version", version)
    first, *lines = doctor.software()
    assert first[0] is True
    assert first[1].startswith("relprobe ")
    assert lines == [
        (False, "not installed: wn. pip install relprobe"),
        (True, f"all {len(tested) - 1} packages have the versions of the tests"),
    ]
    there |= {"scipy": "0.1"}
    *_, other = doctor.software()
    assert other == (
        None,
        f"other versions than tested: scipy 0.1 (tested: {tested['scipy']}). "
        f"pip install -c {ROOT / 'envs/constraints.txt'} relprobe",
    )


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


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """The programs of a machine without a GPU and a cluster: none, unless a test adds some."""
    programs = set()
    shutil = SimpleNamespace(
        disk_usage=lambda _: SimpleNamespace(free=3.4e9), which=lambda name: name if name in programs else None
    )
    monkeypatch.setattr(doctor, "shutil", shutil)
    monkeypatch.setattr(doctor, "memory", lambda: 7.6e9)
    monkeypatch.setattr(doctor, "cores", lambda: 2)
    monkeypatch.setattr(doctor, "products", lambda: "quick")
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    monkeypatch.setenv("RELPROBE_CACHE", str(tmp_path))
    return programs


def test_a_machine_says_what_it_has(bare, monkeypatch, tmp_path):
    monkeypatch.setattr(torch, "__version__", "9.8")
    (tmp_path / "downloads").mkdir()
    for name, size in (("a", 160e6), ("b", 70e6)):
        with (tmp_path / f"downloads/{name}").open("wb") as file:
            file.truncate(int(size))  # which takes no room
    first = (None, "2 cores, 8 GB of memory, 3 GB free on this disk")
    shared = (None, f"downloads that all studies share: 0.2 GB in {tmp_path / 'downloads'}")
    assert list(doctor.machine()) == [first, (None, "GPUs: none (torch 9.8)"), (None, "quick"), shared]
    bare |= {"nvidia-smi", "sbatch"}
    *_, gpu, quick, _, cluster = doctor.machine()
    assert gpu == (False, "there is a GPU, but torch 9.8 does not see it: install torch for your CUDA")
    assert quick == (None, "quick")
    assert cluster == (None, "SLURM: relprobe init FOLDER --profile slurm, then relprobe run --profile slurm")
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    gpu = SimpleNamespace(name="H9", total_memory=80.3e9)
    monkeypatch.setattr("torch.cuda.get_device_properties", lambda number: gpu)
    assert (None, "GPUs: H9 (80 GB), H9 (80 GB) (torch 9.8)") in doctor.machine()
    bare.clear()  # as with a GPU of AMD
    assert (None, "GPUs: H9 (80 GB), H9 (80 GB) (torch 9.8)") in doctor.machine()


def test_torch_that_does_not_load_is_a_fault(bare, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    _, (good, sentence) = doctor.machine()
    assert good is False
    assert sentence.startswith("torch does not load: ")


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        (
            {"torch": 106.6e9, "oneDNN": 245e9},
            ", a core: 107 Gflop/s by torch itself, 245 Gflop/s by oneDNN; oneDNN computes the models",
        ),
        ({"torch": 100e9}, ", a core: 100 Gflop/s by torch itself; torch itself computes the models"),
        ({}, ": torch is set to round them here, and no model will be loaded"),
    ],
)
def test_the_products_of_a_core_are_said(monkeypatch, rates, said):
    shapes = []
    monkeypatch.setattr("relprobe.lm.network.products.rates", lambda *shape: shapes.append(shape) or rates)
    assert doctor.products() == f"products in float32{said}"
    assert shapes == [(576, 1536)]  # inner and columns of SmolLM2


def test_a_hub_of_a_users_own_is_asked_and_named_without_its_password(monkeypatch):
    asked = []
    monkeypatch.setenv("HF_ENDPOINT", "https://me:secret@hub.example")
    monkeypatch.setattr(doctor, "index", lambda: (True, "PyPI answers"))
    monkeypatch.setattr(
        urllib.request, "urlopen", lambda url, timeout: asked.append((url, timeout)) or contextlib.nullcontext()
    )
    assert list(doctor.network()) == [(True, "PyPI answers"), (True, "https://hub.example answers")]
    assert asked == [("https://me:secret@hub.example/api/models?limit=1", doctor.WAIT_S)]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("unknown url type"), "unknown url type"),
        (urllib.error.URLError("no route"), "no route"),
        (urllib.error.HTTPError("x", 503, "busy", None, None), "busy"),
    ],
)
def test_why_a_hub_does_not_answer_is_said(monkeypatch, error, reason):
    def urlopen(*_, **__):
        raise error

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    assert doctor.silence_of_hub() == reason


def test_an_index_that_answers_is_good_and_one_that_does_not_says_the_last_word_of_pip(monkeypatch):
    asked, answers = (
        [],
        [
            subprocess.CompletedProcess([], 0),
            subprocess.CompletedProcess([], 1, stderr="WARNING: a\n ERROR: no route\x1b \n\n"),
            subprocess.CompletedProcess([], 1, stderr=" \n"),
        ],
    )
    monkeypatch.setattr(
        subprocess, "run", lambda words, **options: asked.append((words, options)) or answers[len(asked) - 1]
    )
    name = "PyPI, or the index that pip is set to,"
    assert doctor.index() == (True, f"{name} answers")
    assert doctor.index() == (False, f"{name} does not answer: pip says 'ERROR: no route\\\\u001b'")
    assert doctor.index() == (False, f"{name} does not answer")
    words, options = asked[0]
    assert words[:3] == [sys.executable, "-m", "pip"]
    assert words[-4:] == ["--retries", "0", "--timeout", str(doctor.WAIT_S)]
    assert options["timeout"] == 3 * doctor.WAIT_S

    def waits(words, *, timeout, **_):
        raise subprocess.TimeoutExpired(words, timeout)

    monkeypatch.setattr(subprocess, "run", waits)
    assert doctor.index() == (False, f"{name} does not answer within 24 s")


def test_a_line_has_a_mark_and_one_fault_makes_the_status(study, monkeypatch, capsys):
    monkeypatch.chdir(study.parent)
    monkeypatch.setattr(doctor, "software", lambda: iter([(False, "a"), (True, "b"), (None, "c")]))
    monkeypatch.setattr(doctor, "study", lambda: iter([(True, "d")]))
    assert doctor.main([]) == 1
    assert capsys.readouterr().out.splitlines() == [
        *(" !!  a", " ok  b", "     c", " ok  2 cores", " ok  PyPI answers", " ok  d")
    ]
    monkeypatch.setattr(doctor, "software", lambda: iter([(None, "c")]))
    assert doctor.main([]) == 0


def test_a_folder_without_a_study_says_how_to_make_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert list(doctor.study()) == [(None, "no study in this folder: relprobe init FOLDER")]
    assert list(doctor.at_hub()) == []
    (tmp_path / "config.yaml").write_text("models: [\n")
    assert list(doctor.at_hub()) == []  # the study says it
    monkeypatch.setitem(sys.modules, "relprobe.studies.sections", None)
    ((good, sentence),) = doctor.study()
    assert good is False
    assert sentence.startswith("config.yaml cannot be checked: ")


def test_a_study_without_its_data_is_left_out_of_the_studies_of_the_configuration(study, monkeypatch):
    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({}, {}))
    config = yaml.safe_load((study / "config.yaml").read_text())
    config |= {"analogies": {}, "pathvars": {"results": "elsewhere"}}
    (study / "config.yaml").write_text(yaml.safe_dump(config))
    places = []
    monkeypatch.setattr(doctor, "other_versions", lambda results: places.append(results) or iter(()))
    valid, left_out, *_ = doctor.study()
    assert valid == (True, "config.yaml is valid: 1 agent in relations")
    assert left_out[0] is None
    assert left_out[1].startswith("The study analogies is left out, as ")
    assert places == [Path("elsewhere")]


def test_the_weights_of_a_model_that_a_server_has_are_not_asked_for_at_the_hub_unless_they_are_compared(
    study, monkeypatch
):
    config = yaml.safe_load((study / "config.yaml").read_text())
    entry = {"type": "causal", "huggingface": "lab/m", "revision": "main"}
    served = {**entry, "endpoint": "http://127.0.0.1:9/v1", "name": "m"}
    config["models"] |= {"here": entry, "served": served, "compared": {**served, "compare": True}}
    (study / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    asked = {}
    monkeypatch.setattr(doctor, "silence_of_hub", lambda: "")
    monkeypatch.setattr(
        "relprobe.lm.loading.snapshot.check_at_hub", lambda name, entry, *, weights: asked.update({name: weights})
    )
    assert list(doctor.at_hub()) == []
    assert asked == {"models.here": True, "models.served": False, "models.compared": True}


def test_several_results_of_other_versions_stay_as_they_are(monkeypatch, tmp_path):
    counts = {("torch", "2.0", "2.13"): 1200, ("polars", "1.0", "2.1"): 2}
    monkeypatch.setattr(records, "other_versions", lambda results: counts)
    (_, polars), (_, last) = doctor.other_versions(tmp_path)
    assert polars == (
        "2 results were computed with polars 1.0, and 2.1 is installed: they stay as they are; "
        "`relprobe run --forceall` computes all anew"
    )
    assert last.startswith("1,200 results were computed with torch 2.0, and 2.13 is installed: ")


def test_the_detectable_differences_of_a_study_are_those_of_its_parts_and_of_their_sum(monkeypatch):
    """Of 90 units the standard error is √(0.2 / 90) = 0.047, and t of 0.1 / 0.047 - 1.99 has 0.55 below it."""
    parts = {"HYP": Targets(1200, 90.0), "ANT": Targets(22, 22.0), "SYN": Targets(9, 5.0)}
    known = {"degrees": {}, "relations": parts, "pairs": parts}
    monkeypatch.setattr("relprobe.studies.sections.targets", lambda config: known)
    (note, fewest), *lines = doctor.detectable_differences({}, ["relations", "degrees"])
    assert note is None
    assert fewest == ("relations: SYN has the fewest units, 9, which count as 5.0: too few to tell two agents apart")
    assert [line[0] for line in lines] == [None] * 5
    head, *rows, total = [line[1].split() for line in lines]
    assert head == ["units", "count", "as", "detectable", "power", "at", "0.1"]
    assert rows == [
        ["HYP", "1,200", "90.0", "0.13", "0.55"],
        ["ANT", "22", "22.0", "0.28", "0.16"],
        ["SYN", "9", "5.0", "too", "few", "0.04"],
    ]
    assert total[:3] == ["all", "1,231", "117.0"]
    assert len({len(text) for _, text in lines}) == 1  # the columns stand below each other


def test_what_a_run_takes_is_reckoned_in_the_folders_of_the_configuration(monkeypatch):
    asked = []

    def sizes(studies, results, configured):
        asked.append((studies, results, configured))
        return {"relations": (1, 12_000)}

    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({"relations_scores": 1}, {}))
    monkeypatch.setattr(costs, "known_sizes", sizes)
    monkeypatch.setattr(costs, "seconds", lambda plan, models, cores, sizes: 720 * cores * len(sizes))
    monkeypatch.setattr(costs, "disk", lambda plan, models, fetched, sizes: asked.append((fetched, sizes)) or 3e9)
    monkeypatch.setattr("relprobe.studies.sections.sizes", lambda config: {"relations": (2, 3)})
    monkeypatch.setattr(doctor, "shutil", SimpleNamespace(disk_usage=lambda _: SimpleNamespace(free=3e9)))
    monkeypatch.setattr(doctor, "room", lambda config: iter([(False, "no room")]))
    monkeypatch.setattr(doctor, "cores", lambda: 2)
    paths = {"pathvars": {"results": "r", "resources": "s"}}
    _, time, room, disk = doctor.takes({"models": {}, "relations": {}, "degrees": {}} | paths)
    assert time == (
        None,
        "at most about 24 min on 2 cores, if a model gets 1 probe with 12,000 answers in relations, and 18,339 probes in "
        "another study, as in the paper on relations, and a core computes 125 Gflop/s; GPUs were not measured",
    )
    assert room == (False, "no room")
    assert disk == (False, "at most about 3.0 GB of disk, and 3 GB are free")
    questions_of_paths = [
        (["relations", "degrees"], Path("r"), {"relations": (2, 3)}),
        (Path("s/fetched/models"), {"relations": (1, 12_000)}),
    ]
    assert asked == questions_of_paths
    asked.clear()
    _, time, *_ = doctor.takes({"models": {}, "relations": {}})
    assert "if a model gets 1 probe with 12,000 answers in relations, and a core" in time[1]
    assert (asked[0][1], asked[1][0]) == (Path("results"), Path("resources/fetched/models"))
    monkeypatch.setattr(costs, "known_sizes", lambda *_: {})
    monkeypatch.setattr(costs, "seconds", lambda *_: 1)
    _, time, *_ = doctor.takes({"models": {}, "relations": {}})
    assert "if a model gets 18,339 probes in a study, as in the paper" in time[1]


def test_a_run_that_cannot_be_planned_is_a_fault_and_one_without_jobs_takes_nothing(monkeypatch):
    monkeypatch.setattr(costs, "plan_here", lambda variables: "WorkflowError: x")
    assert list(doctor.takes({})) == [(False, "the run cannot be planned: WorkflowError: x")]
    monkeypatch.setattr(costs, "plan_here", lambda variables: costs.Plan({}, {}))
    assert list(doctor.takes({})) == [(True, "the next run has nothing to do: all results are there and up to date")]


def test_where_the_device_is_the_processor_no_gpu_has_room(monkeypatch):
    monkeypatch.setattr(doctor, "memory", lambda: 25e9)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    monkeypatch.setattr("torch.cuda.get_device_properties", lambda _: SimpleNamespace(total_memory=80e9))
    models = {"m": {"type": "causal", "size": 10e9}}
    assert list(doctor.room({"models": models})) == []
    ((good, sentence),) = doctor.room({"models": models, "scoring": {"device": "cpu"}})
    assert good is False
    assert sentence.startswith("m takes about ")
    assert sentence.endswith(
        " and 25 GB are there: leave it out, or run it on a machine that has them, such as a node of a cluster"
    )


def test_the_cores_are_those_that_this_process_may_use(monkeypatch):
    monkeypatch.setattr(doctor, "os", SimpleNamespace(sched_getaffinity=lambda process: {3, 5, 7}, cpu_count=lambda: 9))
    assert doctor.cores() == 3
    monkeypatch.setattr(doctor, "os", SimpleNamespace(cpu_count=lambda: 9))
    assert doctor.cores() == 9
    monkeypatch.setattr(doctor, "os", SimpleNamespace(cpu_count=lambda: None))
    assert doctor.cores() == 1


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
