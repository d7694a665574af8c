"""The process that `relprobe run` becomes: Snakemake, which a user may stop."""

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from relprobe.command.events import FILE, PLANNED, RunState, read
from relprobe.core.errors import first_line, full_disk
from relprobe.core.inside_snakemake import run_command, targets_in
from relprobe.core.interrupts import press_again
from relprobe.core.missing import FOLLOWS
from relprobe.core.words import amount

STOPPED = "Stopped: what is finished is kept, and the same command goes on with the rest."
"""What is said where no number of jobs is known."""
ENDED = 130
"""The exit status of a process that Ctrl-C ended, as a shell says it."""
UNKNOWN = "it was killed, or did not start"
"""What is said of a failed step that left no word."""
LOG_BYTES = 1 << 16
"""The room that a log should have."""
TARGETS = "RELPROBE_TARGETS"
"""The variable with the words that name what is to be made, as JSON: Snakemake tells them to no workflow that it reads."""


def main() -> None:
    """Run Snakemake with the words of this process; Ctrl-C ends in one line, also before its jobs and a second time."""
    begin = time.time()
    import polars  # noqa: F401  # when it is loaded, it sets a handler of Ctrl-C: ours comes after it

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's background process hears no Ctrl-C
        interrupts = Interrupts()
        signal.signal(signal.SIGINT, interrupts.press)
        sys.unraisablehook = interrupts.again
    try:
        os.environ[TARGETS] = json.dumps(targets_in(sys.argv[1:]))
        run_command()
    except KeyboardInterrupt:
        say_last(progress_message(run_since(begin)))
        warnings.simplefilter("ignore")  # asyncio's, on what a second Ctrl-C has cut off
        sys.exit(ENDED)
    except SystemExit as end:
        if end.code and (sentence := missing_message(run_since(begin), sys.argv)):
            say_last(sentence)
        raise
    finally:
        signal.signal(signal.SIGINT, _leave)


def say_last(text: str) -> None:
    """Write what a run says last, on lines of its own, behind the display of its jobs (`inside_snakemake.end_display`)."""
    sys.stderr.write(f"\n{text}\n")


def take_targets() -> list[str]:
    """Return the words that name what is to be made, once: the jobs of the run, which read the workflow too, get none."""
    words: list[str] = json.loads(os.environ.pop(TARGETS, "[]"))
    return words


class Interrupts:
    """What Ctrl-C does: Snakemake is told of each one but the second.

    The first has reached the jobs as well, and Snakemake waits for their end. A second one would cut this wait off while
    threads have event loops that run, which Snakemake cannot close: it would print their tracebacks, and no word on what is
    kept. Who cannot wait presses a third time.
    """

    def __init__(self, wait: Callable[[float, Callable[[], None]], Any] = threading.Timer) -> None:
        """`wait`: what makes a timer, of seconds and a function."""
        self.presses, self.wait = 0, wait

    def press(self, *_: object) -> None:
        """Handle the signal."""
        logging.getLogger("asyncio").disabled = True  # it would tell of the tasks that are cut off
        self.presses += 1
        if self.presses != 2:
            raise KeyboardInterrupt

    def again(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """Press again where Python could not raise (`press_again`), which counts as one press."""
        if press_again(unraisable, self.wait):
            self.presses -= 1


def _leave(*_: object) -> None:
    """End at once, on a Ctrl-C while Python waits for Snakemake's threads: the run has ended, and all has been said."""
    sys.stdout.flush()
    os._exit(ENDED)


def missing_message(run: RunState, words: Sequence[str]) -> str | None:
    r"""Return a sentence on files that no rule may make; None if none was missing.

    `words`: those of the command; with `--allowed-rules`, other rules make such files.

    >>> missing_message(RunState(missing=["a.parquet", "b.parquet"]), ["--allowed-rules", "paper"])
    'a.parquet and 1 more are not there, as in results of another version: `relprobe run paper` computes what is missing.'
    """
    if not run.missing:
        return None
    first, *more = run.missing
    lacking = f"{first} is" if not more else f"{first} and {len(more)} more are"
    if "--allowed-rules" in words:
        return f"{lacking} not there, as in results of another version: `relprobe run paper` computes what is missing."
    return f"{lacking} not there, and no rule makes such a file: get it back, or correct the path in the configuration."


def is_command() -> bool:
    """Return whether the words of this process are those of Snakemake, and not of a program that calls it."""
    program = Path(sys.argv[0])
    return program.name in ("snakemake", "process.py") or program.parts[-2:] == ("snakemake", "__main__.py")


def go_on(folder: str, without: Collection[str]) -> int:
    """Run the command of this process once more, for what does not depend on the failed jobs; return the status.

    Snakemake, which this process still is, has locked the folder of results. `folder`: where it was started. `without`:
    words of the command that name what cannot be made; if it names nothing else, nothing is run.
    """
    named = targets_in(sys.argv[1:])
    if named and {*named} <= {*without}:
        return 1
    words = [word for word in sys.argv[1:] if word not in without]
    command = [sys.executable, "-m", "relprobe.command.process", "--nolock", *words]
    sys.stdout.flush()
    return subprocess.run(command, cwd=folder, env={**os.environ, FOLLOWS: "1"}, check=False).returncode  # noqa: S603


def stop_message(run: RunState) -> str | None:
    """Return a sentence on what was kept if a user stopped the run; None if its jobs failed.

    >>> stop_message(RunState(counts={"scores": 31}, finished={8: 60.0}, stopped=True))
    'Stopped: 1 of 31 jobs is finished and kept, with the finished parts of scores; the same command goes on with the rest.'
    >>> stop_message(RunState(counts={"scores": 31})) is None
    True
    """
    return progress_message(run) if run.stopped else None


def failures(run: RunState) -> Iterator[str]:
    """Yield what each failed step says in its log: the last thing that a user sees of a run.

    >>> from relprobe.command.events import Job
    >>> list(failures(RunState(jobs={1: Job(1, "scores", 0, logs=("/logs/scores.log",))}, failed={1})))
    ['scores failed: it was killed, or did not start (log: /logs/scores.log)']
    """
    logs = dict.fromkeys(job.logs for job in run.failures if job.logs)
    for names in logs:
        file = Path(names[0])  # the others are those of a cluster
        yield f"{file.stem} failed: {_last_error(file) or _why_no_word(file.parent)} (log: {', '.join(names)})"


def reason(logs: Sequence[str]) -> str:
    """Return why a step failed, as the files of its log say it: the sentence of its error, without what stands around it."""
    for file in map(Path, logs):
        if message := _last_error(file):
            return message.rpartition("Error: ")[2].strip().rstrip(".")
    return next((_why_no_word(Path(name).parent) for name in logs), UNKNOWN)


def _last_error(file: Path) -> str:
    """Return the last line on an error in a log; "" if there is none."""
    lines = file.read_text(errors="replace").splitlines() if file.is_file() else []
    return next((line for line in reversed(lines) if "Error: " in line or "defect" in line), "")


def _why_no_word(folder: Path) -> str:
    """Return why a step may have left no word in its log, which lies in this folder: a full disk has no room for one."""
    if not folder.is_dir():
        return UNKNOWN
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(LOG_BYTES))
    except OSError as error:
        if full_disk(error):
            return f"the disk is full ({first_line(error)}): free some space and run again"
        return f"its log cannot be written ({first_line(error)})"
    return UNKNOWN


def run_since(begin: float) -> RunState:
    """Return the run in this folder that began at this time or later, in seconds since 1970; an empty one without it."""
    run = read(Path(os.environ.get(PLANNED, FILE)))
    return run if run is not None and run.begun >= begin else RunState()


def progress_message(run: RunState) -> str:
    """Return a sentence on what a stopped run keeps.

    >>> progress_message(RunState())
    'Stopped: what is finished is kept, and the same command goes on with the rest.'
    """
    if not run.total:
        return STOPPED
    finished = f"{run.done:,} of {amount(run.total, 'job')} {'is' if run.done == 1 else 'are'} finished and kept"
    return f"Stopped: {finished}, with the finished parts of scores; the same command goes on with the rest."


if __name__ == "__main__":
    main()
