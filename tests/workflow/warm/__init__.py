"""Quick commands for toy studies: server.py says how."""

import os
import subprocess
import sys
import time
from collections import ChainMap
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from tests.leftovers import KEPT
from tests.workflow.warm.sitecustomize import SERVER

HERE = Path(__file__).parent
STARTING = 900
"""The seconds that the server may take to import what it has to; a machine that is busy with other work takes minutes."""
STARTED: list[subprocess.Popen] = []
"""Those of this process, so that none is warned about as one that nobody waits for."""


class Server:
    """A server of all workers of a run of pytest, which ends with this run. `folder`: where its address is a file."""

    def __init__(self, folder: Path) -> None:
        self.address = folder / "socket"

    def start(self, run: int) -> None:
        """Start it, whichever worker this is. `run`: the process of the whole run of pytest."""
        command = [sys.executable, str(HERE / "server.py"), str(self.address), str(run)]
        STARTED.append(subprocess.Popen(command, stdin=subprocess.DEVNULL))
        KEPT.add(STARTED[-1].pid)

    @cached_property
    def environment(self) -> Mapping[str, str]:
        """The environment in which commands go to the server, as soon as it is ready.

        The rest of it is that of this process, which also says what test is running.
        """
        end = time.monotonic() + STARTING
        while not self.address.exists():
            died = any(server.poll() is not None for server in STARTED)
            assert time.monotonic() < end and not died, "the server of the tests has not started: tests/workflow/warm"
            time.sleep(0.02)
        path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
        return ChainMap({"PYTHONPATH": path, SERVER: str(self.address)}, os.environ)
