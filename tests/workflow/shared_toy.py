"""The toy of all five studies and the server that runs it, made once for all workers of a run."""

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.workflow import toy
from tests.workflow.warm import Server

Once = Callable[[str, Callable[[Path], object]], Path]
"""The fixture `once`."""


def server_of_run(once: Once, config: pytest.Config) -> Server:
    """Return the server of all workers, which the first one starts."""
    run = os.getppid() if hasattr(config, "workerinput") else os.getpid()
    return Server(once(f"server {run}", lambda folder: Server(folder).start(run)))


def written_toy(once: Once) -> Path:
    """Return the files that the toy begins with, of which nothing is made."""
    return once("toy_files", lambda folder: toy.make(folder / "study")) / "study"


def finished_toy(once: Once, server: Server, variables: Mapping[str, str] | None = None) -> toy.Study:
    """Return the toy, run to its end; the first who asks makes it. `variables`: of the environment of what makes it."""
    files = written_toy(once)

    def make(folder: Path) -> None:
        shutil.copytree(files, folder / "study", symlinks=True)
        toy.Study(folder / "study", {**server.environment, **(variables or {})}).finish()

    return toy.Study(once("toy", make) / "study", server.environment)
