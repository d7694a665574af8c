"""Benchmarks that copy the workflow, or need what is not here, keep running when the code changes."""

import json
import re
import subprocess
import sys
from functools import partial

import pytest
import torch

from benchmarks.__main__ import BENCHMARKS
from benchmarks.__main__ import main as benchmarks_main
from tests.paths import ROOT, SCRIPTS
from tests.workflow.toy_models import causal_model

run = partial(subprocess.run, cwd=ROOT, capture_output=True, text=True, check=False)


NOT_MEASUREMENTS_OF_THIS_MACHINE = {
    "categories": "needs a study with two agents that the caller names",
    "chat": "needs an endpoint",
    "compare_results": "compares two finished studies",
    "definitions_stages": "measures all groups of WordNet, for docs/scale.md",
    "memory": "is a part of engine",
    "mutants": "is `make mutants`",
}


def test_make_bench_runs_all_that_can_run_anywhere():
    programs = {file.stem for file in (ROOT / "benchmarks").glob("[!_]*.py") if "__main__" in file.read_text("utf-8")}
    programs |= {file.parent.name for file in (ROOT / "benchmarks").glob("*/__main__.py")}
    assert programs - set(BENCHMARKS) == set(NOT_MEASUREMENTS_OF_THIS_MACHINE)
    assert set(BENCHMARKS) <= programs


def test_a_benchmark_that_fails_is_named_and_the_next_one_runs(monkeypatch, capfd):
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--quick", "inference", "linked"])
    broken = BENCHMARKS["inference"]._replace(quick="--studies many")
    monkeypatch.setitem(BENCHMARKS, "inference", broken)
    monkeypatch.setitem(BENCHMARKS, "linked", BENCHMARKS["linked"]._replace(quick="--help"))
    assert benchmarks_main() == 1
    out, err = capfd.readouterr()
    assert "these benchmarks failed: inference\n" in err
    assert "exit status 0" in out.splitlines()[-1]


@pytest.mark.slow("it runs a benchmark")
def test_the_benchmark_of_planning_runs():
    command = [sys.executable, "-m", "benchmarks.scale", "--models", "0"]
    done = run(command)
    assert done.returncode == 0, done.stderr
    assert "0 models:" in done.stdout


@pytest.mark.slow("it runs a benchmark")
def test_the_benchmark_of_gpus_runs():
    command = [sys.executable, "-m", "benchmarks.gpu", "--probes", "100"]
    toy = run([*command, "--device", "cpu", "--small", "--no-tests"])
    assert toy.returncode == 0, toy.stderr
    assert toy.stdout.count("| relprobe, packed | ") == 4
    assert toy.stdout.count("| relprobe, grouped | ") == 2
    if not torch.cuda.is_available():
        done = run(command)
        assert "No GPU: torch sees none, so nothing was measured on one." in done.stdout


@pytest.mark.slow("mypy reads all of relprobe for it")
def test_the_benchmarks_call_what_there_is():
    """mypy knows what each module of relprobe and of benchmarks has. The libraries of single benchmarks need not be here."""
    command = [sys.executable, "-m", "mypy", "benchmarks"]
    done = run(command)
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"(Found .*|Success: .*)\(?.*\d+ source files\)?", lines[-1]), done.stdout + done.stderr
    module_messages = [
        f'module named "{file.stem}' for file in [*(ROOT / "benchmarks").glob("*.py"), SCRIPTS / "relprobe"]
    ]
    absent = ("[attr-defined]", "[name-defined]", 'module named "benchmarks', *module_messages)
    assert [line for line in lines if any(text in line for text in absent)] == []


@pytest.mark.slow("it runs a benchmark")
def test_the_benchmark_of_what_a_probe_costs_runs(tmp_path):
    causal_model(tmp_path / "model", seed=1)
    manifest = {"files": {path.name: "" for path in (tmp_path / "model").iterdir()}}
    (tmp_path / "model.json").write_text(json.dumps(manifest))
    command = [sys.executable, "-m", "benchmarks.host", "--probes", "64", "--rounds", "1", "--threads", "1"]
    done = run([*command, "--model", str(tmp_path / "model.json")])
    assert done.returncode == 0, done.stderr
    assert "alone: batches and states, without network" in done.stdout
