"""A test that leaves something running is named at the end of its file."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from relprobe.core.secrets import mask, note_secret

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
    "the handler of Ctrl-C": "signal.signal(signal.SIGINT, lambda *_: None)",
    "the hook sys.unraisablehook": "sys.unraisablehook = print",
}
FILE = """
import signal, socket, subprocess, sys, threading, time
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


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_is_left_is_an_error_that_names_the_test(tmp_path, workers):
    """Each file of tests leaves another thing, and the last one a thread that ends in time."""
    (tmp_path / "conftest.py").write_text(CONFIGURED)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for number, statement in enumerate([*LEAVING.values(), ""]):
        text = FILE.format(statement=statement or "pass", ends=not statement)
        (tmp_path / f"test_{number}.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--numprocesses", workers]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    for number, left in enumerate(LEAVING):
        assert f"test_{number}.py::test_leaves has left {left}" in done.stdout
    assert f"{3 * len(LEAVING) + 3} passed, {len(LEAVING)} errors" in done.stdout


SHARED = {
    "the clock or waiting of all threads": r"""setattr\([^\n]*\btime\b.*["'.](?:sleep|monotonic|time|perf_counter)["',]""",
    "sys.path": r"syspath_prepend|\bsys\.path\.(?:insert|append|extend)\(|\bsys\.path\[[^\]]*\] *\+?= ",
    "the environment": r"\bos\.environ\[[^\]]+\] *= |\bos\.environ\.(?:update|setdefault|clear)\(|\bos\.putenv\(",
    "the root logger": r"getLogger\(\)\.(?:addHandler|setLevel)\(|\blogging\.(?:basicConfig|disable)\(",
}
"""What the threads of a process share, and how a test would change it beyond its end or for others."""
WARM = {f"tests/workflow/{name}.py" for name in ("shared_toy", "warm/planning", "warm/rules_as_json", "warm/server")}
PROGRAMS = {Path(__file__).relative_to(ROOT).as_posix(), *WARM}
"""This file, and what runs in a process of its own."""


def changed(text):
    """Name what a test would change."""
    return [name for name, pattern in SHARED.items() if re.search(pattern, text)]


@pytest.mark.parametrize(
    "line",
    [
        'monkeypatch.setattr("tenacity.nap.time.sleep", waits.append)',
        'monkeypatch.setattr(running.time, "monotonic", lambda: 0)',
        "monkeypatch.setattr(time, 'time', lambda: 0)",
        "monkeypatch.syspath_prepend(SCRIPTS)",
        "sys.path[:0] = [SCRIPTS]",
        "os.environ['HOME'] = str(tmp_path)",
        "logging.getLogger().setLevel(10)",
    ],
)
def test_such_a_line_is_noticed(line):
    assert len(changed(line)) == 1


def test_no_test_changes_what_other_threads_use():
    """A clock, a waiting function or a variable is handed to what uses it; `monkeypatch.setenv` takes a variable back."""
    files = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "tests").rglob("*.py")}
    found = {name: changed(path.read_text("utf-8")) for name, path in files.items() if name not in PROGRAMS}
    assert {name: what for name, what in found.items() if what} == {}


NOTED = []
"""What the first of the next two tests has noted, in whatever order they run."""


@pytest.mark.parametrize("word", ["robin", "wren"])
def test_a_secret_of_a_test_is_none_of_the_next_one(word):
    """Of two tests, the later one does not see what the first has noted (tests/conftest.py)."""
    assert [mask(secret) for secret in NOTED] == NOTED
    note_secret(word)
    NOTED.append(word)
    assert mask(word) == "***"
