"""The process that `relprobe run` becomes: Snakemake, which a user may stop."""

import itertools
import json
import logging
import os
import re
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from relprobe.core.errors import first_line, full_disk

STOPPED = "Stopped: what is finished is kept, and the same command goes on with the rest."
"""What is said where no number of jobs is known."""
LOGS = Path(".snakemake/log")
"""Where Snakemake writes the log of each run."""
ENDED = 130
"""The exit status of a process that Ctrl-C ended, as a shell says it."""
UNKNOWN = "it was killed, or did not start"
"""What is said of a failed step that left no word."""
LOG_BYTES = 1 << 16
"""The room that a log should have."""
TARGETS = "RELPROBE_TARGETS"
"""The variable with the words that name what is to be made, as JSON: Snakemake tells them to no workflow that it reads."""
REQUEST = "Terminating processes on user request"
"""What Snakemake logs when Ctrl-C reaches it while jobs run."""


def main() -> None:
    """Run Snakemake with the words of this process; Ctrl-C ends in one line, also before its jobs and a second time."""
    begin = time.time()
    import polars  # noqa: F401  # when it is loaded, it sets a handler of Ctrl-C: ours comes after it

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's background process hears no Ctrl-C
        signal.signal(signal.SIGINT, _interrupts())
    try:
        from snakemake.cli import get_argument_parser
        from snakemake.cli import main as snakemake

        os.environ[TARGETS] = json.dumps(get_argument_parser().parse_args(sys.argv[1:]).targets or [])
        snakemake()
    except KeyboardInterrupt:
        say_last(progress_message(log_since(begin)))
        warnings.simplefilter("ignore")  # asyncio's, on what a second Ctrl-C has cut off
        sys.exit(ENDED)
    except SystemExit as end:
        if end.code and (said := missing_message(log_since(begin), sys.argv)):
            say_last(said)
        raise
    finally:
        signal.signal(signal.SIGINT, _leave)


def say_last(text: str, manager: Any = None) -> None:
    """Write what a run says last, on lines of its own, behind the display of its jobs.

    `manager`: Snakemake's, of the logs, whose handlers draw this display in a thread of their own. What is written before it
    ends would be erased with it.
    """
    if manager is not None and manager.queue_listener is not None:
        manager.queue_listener.queue.join()  # until it has heard of all that was logged, such as of Ctrl-C
        for handler in manager.plugin_handlers:
            handler.close()
    sys.stderr.write(f"\n{text}\n")


def take_targets() -> list[str]:
    """Return the words that name what is to be made, once: the jobs of the run, which read the workflow too, get none."""
    words: list[str] = json.loads(os.environ.pop(TARGETS, "[]"))
    return words


def _interrupts() -> Callable[..., None]:
    """Return what a Ctrl-C does: each interrupts Snakemake but the second.

    The first has reached the jobs as well, and Snakemake waits for their end. A second one would cut this wait off while
    threads have event loops that run, which Snakemake cannot close: it would print their tracebacks, and no word on what is
    kept. Who cannot wait presses a third time.
    """
    presses = itertools.count(1)

    def interrupt(*_: object) -> None:
        logging.getLogger("asyncio").disabled = True  # it would tell of the tasks that are cut off
        if next(presses) != 2:
            raise KeyboardInterrupt

    return interrupt


def _leave(*_: object) -> None:
    """End at once, on a Ctrl-C while Python waits for Snakemake's threads: the run has ended, and all has been said."""
    sys.stdout.flush()
    os._exit(ENDED)


def missing_message(log: str, words: Sequence[str]) -> str | None:
    r"""Return a sentence on files that no rule may make; None if none was missing.

    `log`: Snakemake's log. `words`: those of the command; with `--allowed-rules`, other rules make such files.

    >>> log = "MissingInputException in rule paper:\n    affected files:\n        a.parquet\n        b.parquet\n"
    >>> missing_message(log, ["--allowed-rules", "paper"])
    'a.parquet and 1 more are not there, as in results of another version: `relprobe run paper` computes what is missing.'
    """
    _, _, after = log.partition("MissingInputException in rule ")
    if not (files := re.search(r"affected files:\n((?: {8}.+\n?)+)", after)):
        return None
    first, *more = [line.strip() for line in files[1].splitlines()]
    lacking = f"{first} is" if not more else f"{first} and {len(more)} more are"
    if "--allowed-rules" in words:
        return f"{lacking} not there, as in results of another version: `relprobe run paper` computes what is missing."
    return f"{lacking} not there, and no rule makes such a file: get it back, or correct the path in the configuration."


def stop_message(log: str) -> str | None:
    r"""Return a sentence on what was kept if a user stopped the run; None if its jobs failed. `log`: Snakemake's log.

    >>> stop_message("total    31\nFinished jobid: 8\n1 of 31 steps (3%) done\nTerminating processes on user request, this…")
    'Stopped: 1 of 31 jobs is finished and kept, with the finished parts of scores; the same command goes on with the rest.'
    >>> stop_message("total    31\nError in rule relations_scores:") is None
    True
    """
    return progress_message(log) if REQUEST in log else None


def failures(log: str) -> Iterator[str]:
    r"""Yield what each failed step says, as Snakemake's log names their log files: the last thing that a user sees of a run.

    >>> list(failures("    log: /logs/scores.log (check log file(s) for error details)"))
    ['scores failed: it was killed, or did not start (log: /logs/scores.log)']
    """
    for name in dict.fromkeys(re.findall(r"log: (.+) \(check log file", log)):
        file = Path(name)
        lines = file.read_text(errors="replace").splitlines() if file.is_file() else []
        errors = [line for line in lines if "Error: " in line or "defect" in line]
        yield f"{file.stem} failed: {errors[-1] if errors else _why_no_word(file.parent)} (log: {file})"


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


def log_since(begin: float) -> str:
    """Return Snakemake's log of the run in this folder that began at this time or later; "" if it has none yet."""
    files = {file: file.stat().st_mtime for file in LOGS.glob("*.log")}
    newest = max(files, key=lambda file: files[file], default=None)
    return newest.read_text(errors="replace") if newest is not None and files[newest] >= begin else ""


def progress_message(log: str) -> str:
    r"""Return a sentence on what a stopped run keeps. `log`: Snakemake's log.

    >>> progress_message("Building DAG of jobs...")
    'Stopped: what is finished is kept, and the same command goes on with the rest.'
    """
    counts = re.findall(r"^(\d+) of (\d+) steps \(", log, re.MULTILINE)
    totals = re.findall(r"^total +(\d+)$", log, re.MULTILINE)
    if not counts and not totals:
        return STOPPED
    done, total = counts[-1] if counts else ("0", totals[-1])
    finished = f"{done} of {total} jobs {'is' if done == '1' else 'are'} finished and kept"
    return f"Stopped: {finished}, with the finished parts of scores; the same command goes on with the rest."


if __name__ == "__main__":
    main()
