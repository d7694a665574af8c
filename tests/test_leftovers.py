"""A test that leaves something running is named at the end of its file."""

import os
import subprocess
import sys

import pytest

from tests.paths import ROOT

CONFIGURED = """
from tests import leftovers
leftovers.PATIENCE_S = 0.1
def pytest_configure(config):
    config.pluginmanager.register(leftovers.Leftovers())
"""
LEAVING = {
    "the thread 'sleeper'": "threading.Thread(target=time.sleep, args=(30,), name='sleeper', daemon=True).start()",
    "the process": "KEPT.append(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(30)']))",
    "the socket": "KEPT.append(socket.socket())",
}
FILE = """
import socket, subprocess, sys, threading, time
KEPT = []
def test_before():
    with socket.socket():
        pass
def test_leaves():
    {statement}
def test_after():
    threading.Thread(target=time.sleep, args=(0.3,)).start() if {ends} else None
def teardown_module():
    time.sleep(0.3)
"""


def outcome(folder, statement, *words, ends=False):
    (folder / "conftest.py").write_text(CONFIGURED)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_it.py").write_text(FILE.format(statement=statement, ends=ends))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("workers", ["0", "1"])
@pytest.mark.parametrize("left", LEAVING)
def test_what_is_left_is_an_error_that_names_the_test(tmp_path, left, workers):
    done = outcome(tmp_path, LEAVING[left], "--numprocesses", workers)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"test_it.py::test_leaves has left {left}" in done.stdout
    assert "3 passed, 1 error" in done.stdout


def test_what_ends_in_time_is_none(tmp_path):
    done = outcome(tmp_path, "pass", ends=True)
    assert done.returncode == 0, done.stdout
