"""Benchmarks that copy the workflow keep running when it changes."""

import subprocess
import sys

import pytest

from tests.paths import ROOT


@pytest.mark.slow
def test_the_benchmark_of_planning_runs():
    command = [sys.executable, str(ROOT / "benchmarks/scale.py"), "--models", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "0 models:" in done.stdout
