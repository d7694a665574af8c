"""Ctrl-C on a terminal: while a run is planned, while a model answers, and twice. It ends in a line on what is kept."""

import os
import pty
import re
import select
import subprocess
import sys
import time

import pytest

from tests.package.wheel.wheels import small_study
from tests.paths import SCRIPTS

pytestmark = pytest.mark.slow("it starts whole runs and interrupts them")
CONTROL_C = b"\x03"
LIMIT_S = 300


class Terminal:
    """`relprobe run` on a terminal of its own."""

    def __init__(self, folder):
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "relprobe", "run", "--cores", "2", "--scheduler", "greedy"]
        variables = {
            **os.environ,
            "PYTHONPATH": str(SCRIPTS),
            "TERM": "xterm",
            "COLUMNS": "200",
            "OMP_NUM_THREADS": "1",
        }
        # setsid --ctty: Ctrl-C reaches the processes of the terminal, and not those of the test.
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "--wait", *command],
            cwd=folder,
            env=variables,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        self.screen, self.text, self.end = ours, "", time.monotonic() + LIMIT_S

    def read(self):
        """Read what is written within a moment; return False at its end."""
        if select.select([self.screen], [], [], 0.1)[0]:
            try:
                written = os.read(self.screen, 1 << 16)
            except OSError:  # the terminal was closed
                return False
            self.text += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written.decode(errors="ignore"))
        return time.monotonic() < self.end

    def wait_for(self, condition):
        while not condition() and self.read():
            pass
        assert condition(), self.text

    def press(self, times=1):
        """Press Ctrl-C, and read on for a moment: a terminal throws away what nobody has read when the next Ctrl-C comes."""
        for _ in range(times):
            os.write(self.screen, CONTROL_C)
            moment = time.monotonic() + 0.3
            while time.monotonic() < moment and self.read():
                pass

    def finish(self):
        """Read to the end; return the exit status and the last line."""
        while self.read():
            pass
        status = self.process.wait(timeout=30)
        os.close(self.screen)
        assert "Traceback" not in self.text, self.text
        lines = self.text.replace("^C", "").split("\r\n")  # the terminal writes ^C where the key is pressed
        return status, [line for line in lines if line.strip()][-1].strip()


@pytest.fixture
def study(tmp_path):
    return small_study(tmp_path / "study")


def test_while_a_run_is_planned(study):
    terminal = Terminal(study)
    terminal.wait_for((study / ".snakemake").is_dir)
    terminal.press()
    status, last = terminal.finish()
    assert last == "Stopped: what is finished is kept, and the same command goes on with the rest."
    assert status == 130


@pytest.mark.parametrize("times", [1, 2])
def test_while_a_model_answers(study, times):
    terminal = Terminal(study)
    terminal.wait_for((study / "results/logs/degrees/scores/tiny-causal.log").exists)
    terminal.press(times)
    status, last = terminal.finish()
    assert re.fullmatch(
        r"Stopped: \d+ of \d+ jobs (is|are) finished and kept, with the finished parts of scores; "
        "the same command goes on with the rest.",
        last,
    ), terminal.text
    assert status != 0
    assert not (study / "results/report.html").exists()
