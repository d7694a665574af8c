"""Quick commands for toy studies: server.py says how."""

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from types import TracebackType

from tests.workflow.warm.sitecustomize import SERVER

HERE = Path(__file__).parent


class Server:
    """The server, from the start to the end of a `with` block."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="relprobe-"))
        self.address = str(self.folder / "socket")
        command = [sys.executable, str(HERE / "server.py"), self.address]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)

    @cached_property
    def environment(self) -> dict[str, str]:
        """The environment in which commands go to the server, as soon as it is ready."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"
        path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
        return {**os.environ, "PYTHONPATH": path, SERVER: self.address}

    def __enter__(self) -> "Server":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.process.terminate()
        self.process.communicate()
        shutil.rmtree(self.folder)
