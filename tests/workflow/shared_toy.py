"""The toy of all studies and the server that runs it, made once for all workers of a run."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.leftovers import KEPT
from tests.once import Once
from tests.paths import ROOT, SCRIPTS
from tests.workflow import toy
from tests.workflow.warm import Server

EARLY = {"PYTEST_CURRENT_TEST": "tests/workflow/shared_toy.py"}
"""What the toy costs is told apart from the tests that run beside it (tests/costs.py)."""


def server_of_run(once: Once, config: pytest.Config) -> Server:
    """Return the server of all workers, which the first one starts."""
    run = os.getppid() if hasattr(config, "workerinput") else os.getpid()
    return Server(once(f"server {run}", lambda folder: Server(folder).start(run)))


def written_toy(once: Once) -> Path:
    """Return the files that the toy begins with, of which nothing is made."""
    return once("toy_files", lambda folder: toy.make(folder / "study")) / "study"


def finished_toy(once: Once, server: Server) -> toy.Study:
    """Return the toy, run to its end; the first who asks makes it."""
    files = written_toy(once)

    def make(folder: Path) -> None:
        shutil.copytree(files, folder / "study", symlinks=True)
        toy.Study(folder / "study", server.environment).finish()

    return toy.Study(once("toy", make) / "study", server.environment)


@contextmanager
def begin(once: Once, server: Server) -> Iterator[None]:
    """Make the toy while the block runs tests, which change what a process is: its folder, its environment, its modules.

    So a process of its own makes it. What goes wrong there goes wrong again, and is said, where a test asks for the toy.
    """
    program = f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); from {__name__} import make; make(*sys.argv[1:])"
    command = [sys.executable, "-c", program, str(once.shared), str(server.address.parent)]
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **EARLY}, **quiet) as process:
        KEPT.add(process.pid)
        yield


def make(shared: str, server: str) -> None:
    """Make the toy in the process of `begin`: the folders of `Once` and of `Server`."""
    finished_toy(Once(Path(shared)), Server(Path(server)))
