"""Benchmarks that copy the workflow, or need what is not here, keep running when the code changes."""

import os
import subprocess
import sys
from functools import partial

import pytest
import torch

from tests.paths import ROOT, SCRIPTS


@pytest.mark.slow
def test_the_benchmark_of_planning_runs():
    command = [sys.executable, str(ROOT / "benchmarks/scale.py"), "--models", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "0 models:" in done.stdout


@pytest.mark.slow
def test_the_benchmark_of_gpus_runs():
    command = [sys.executable, str(ROOT / "benchmarks/gpu.py"), "--probes", "100"]
    run = partial(subprocess.run, env={**os.environ, "PYTHONPATH": str(SCRIPTS)}, capture_output=True, text=True)
    toy = run([*command, "--device", "cpu", "--small", "--no-tests"])
    assert toy.returncode == 0, toy.stderr
    assert toy.stdout.count("| relprobe, packed | ") == 4
    assert toy.stdout.count("| relprobe, grouped | ") == 2
    if not torch.cuda.is_available():
        done = run(command)
        assert "No GPU: torch sees none, so nothing was measured on one." in done.stdout
