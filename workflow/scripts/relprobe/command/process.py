"""The process that `relprobe run` becomes: Snakemake, which a user may stop."""

import os
import re
import signal
import sys
import time
import warnings
from pathlib import Path

STOPPED = "Stopped: what is finished is kept, and the same command goes on with the rest."
"""What is said where no number of jobs is known."""
LOGS = Path(".snakemake/log")
"""Where Snakemake writes the log of each run."""
ENDED = 130
"""The exit status of a process that Ctrl-C ended, as a shell says it."""
REQUEST = "Terminating processes on user request"
"""What Snakemake logs when Ctrl-C reaches it while jobs run."""


def main() -> None:
    """Run Snakemake with the words of this process; Ctrl-C ends in one line, also before its jobs and a second time."""
    begin = time.time()
    try:
        from snakemake.cli import main as snakemake

        snakemake()
    except KeyboardInterrupt:
        print(f"\n{progress_message(log_since(begin))}", file=sys.stderr)
        warnings.simplefilter("ignore")  # asyncio's, on what a second Ctrl-C has cut off
        sys.exit(ENDED)
    finally:
        signal.signal(signal.SIGINT, _leave)


def _leave(*_: object) -> None:
    """End at once, on a Ctrl-C while Python waits for Snakemake's threads: the run has ended, and all has been said."""
    sys.stdout.flush()
    os._exit(ENDED)


def stop_message(log: str) -> str | None:
    r"""Return a sentence on what was kept if a user stopped the run; None if its jobs failed. `log`: Snakemake's log.

    >>> stop_message("total    31\nFinished jobid: 8\n1 of 31 steps (3%) done\nTerminating processes on user request, this…")
    'Stopped: 1 of 31 jobs is finished and kept, with the finished parts of scores; the same command goes on with the rest.'
    >>> stop_message("total    31\nError in rule relations_scores:") is None
    True
    """
    return progress_message(log) if REQUEST in log else None


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
