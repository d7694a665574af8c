"""Ctrl-C on a terminal: while a run is planned, while a model answers, and twice. It ends in a line on what is kept."""

import os
import pty
import re
import select
import subprocess
import sys
import termios
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
        settings = termios.tcgetattr(theirs)
        settings[3] |= termios.NOFLSH  # else a Ctrl-C throws away what nobody has read yet, such as the end of a line
        termios.tcsetattr(theirs, termios.TCSANOW, settings)
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
            self.text += written.decode(errors="ignore")
        return time.monotonic() < self.end

    def wait_for(self, condition):
        while not condition() and self.read():
            pass
        assert condition(), self.text

    def press(self, times=1):
        """Press Ctrl-C, and read on for a moment before the next one."""
        for _ in range(times):
            os.write(self.screen, CONTROL_C)
            moment = time.monotonic() + 0.3
            while time.monotonic() < moment and self.read():
                pass

    def finish(self):
        """Read to the end; return the exit status, as a shell says it, and the last line that is seen.

        Python ends by the signal itself, which a shell calls 130, too, where Ctrl-C came while it ran the text of a class,
        such as that of a named tuple.
        """
        while self.read():
            pass
        status = self.process.wait(timeout=120)
        status = 128 - status if status < 0 else status
        os.close(self.screen)
        assert "Traceback" not in self.text, self.text
        return status, [line for line in seen(self.text) if line.strip()][-1].strip()


def seen(written):
    """The lines on the screen: a display goes up to what it has written and erases it, also below what others wrote."""
    lines, row, column = [""], 0, 0
    text = written.replace("^C", "")  # the terminal writes it where the key is pressed
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", text):
        if part == "\n":
            row += 1
            lines += [""] * (row == len(lines))
        elif part == "\r":
            column = 0
        elif part.startswith("\x1b"):
            row -= int(part[2:-1] or 1) if part.endswith("A") else 0
            lines[row] = "" if part.endswith("K") else lines[row]
        else:
            lines[row] = lines[row][:column].ljust(column) + part + lines[row][column + len(part) :]
            column += len(part)
    return lines


def test_what_is_erased_is_not_seen():
    display = "1 of 2\r\nbar\r\n"
    up = "\r\x1b[2K\x1b[1A\x1b[2K\x1b[1A\x1b[2K"
    assert seen(f"begin\r\n{display}{up}Stopped.\r\n{display}{up}") == ["begin", "Stopped.", "", "", ""]
    assert seen("one\rtwo\x1b[31m!\r\n") == ["two!", ""]


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
