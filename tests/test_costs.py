"""What tests cost is added up over all processes, and too much of it is an error."""

import os
import sys

import pytest

from tests import costs
from tests.paths import ROOT

pytest_plugins = ["pytester"]
WORK = "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
TESTS = f"""
import subprocess, sys
import pytest
def test_in_this_process():
    exec({WORK!r})
def test_in_a_process_of_its_own():
    subprocess.run([sys.executable, "-c", {WORK!r}], check=True)
@pytest.mark.slow("it waits for a reason")
def test_slow():
    pytest.skip("there is  no\\nSLURM")
"""


@pytest.fixture
def run(pytester, monkeypatch, tmp_path):
    """Run tests under the hooks of this project, and return what pytest printed and what the tests cost."""
    monkeypatch.setenv(costs.COSTS, str(tmp_path / "costs"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "workflow/scripts")]))
    pytester.makeconftest("from tests.conftest import *")

    def run(text, *words):
        pytester.makepyfile(test_some=text)
        result = pytester.run(sys.executable, "-m", "pytest", *words)
        return result, costs.totals(tmp_path / "costs") if (tmp_path / "costs").exists() else None

    return run


@pytest.mark.parametrize("words", [[], ["-n", "2", "--dist", "worksteal"]])
def test_the_seconds_of_a_file_are_those_of_its_tests_and_of_what_they_start(run, words):
    result, seconds = run(TESTS, *words)
    result.assert_outcomes(passed=2, skipped=1)
    assert 0.6 <= seconds["test_some.py"] < 5
    assert seconds[costs.ELSEWHERE] > 0
    assert "not tested (1): there is no SLURM" in result.outlines


def test_a_slow_test_without_a_reason_is_an_error_also_where_it_would_not_run(run):
    result, _ = run(TESTS.replace('slow("it waits for a reason")', "slow"), "-m", "not slow", "-n", "1")
    assert result.ret
    result.assert_outcomes(errors=1)
    assert 'say in @pytest.mark.slow("it …") why these tests are slow: test_slow' in result.outlines


def test_more_than_two_cores_do_in_the_minutes_is_an_error(tmp_path, capsys):
    file = tmp_path / "costs"
    for seconds in ({"tests/a.py": 100}, {"tests/a.py": 20, "tests/b.py": 1}):
        costs.note(seconds, {costs.COSTS: str(file)})
    costs.note({"tests/a.py": 1000}, {})
    assert costs.main([str(file), "--minutes", "1.01"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "   120.0  tests/a.py"
    assert costs.main([str(file), "--minutes", "1"]) == 1
    assert "make them cheaper" in capsys.readouterr().out
    assert costs.main([str(file)]) == 0
