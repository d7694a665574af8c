"""The command `relprobe`: `relprobe run` computes a study, `relprobe GROUP STEP …` is one step of the workflow."""

import gc
import os
import signal
import sys

from relprobe.command.overview import dispatch
from relprobe.core.cli import main
from relprobe.core.interrupts import press_again
from relprobe.steps import COMMANDS, GROUPS, PROGRAMS


def run() -> int:
    """Run the command line of this process and return its exit status; the installed command `relprobe` calls this."""
    gc.set_threshold(100_000, 20, 100)  # a search for garbage among WordNet's objects took a tenth of a step's time
    sys.unraisablehook = press_again
    words = sys.argv[1:]
    try:
        return _run(words)
    except BrokenPipeError:  # as of `relprobe --help | head`: nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE


def _run(words: list[str]) -> int:
    """Run a command line and return its exit status. BrokenPipeError: what it prints is read by nobody."""
    try:
        status = dispatch(PROGRAMS, words, GROUPS)
        return main(GROUPS, words, COMMANDS) if status is None else status
    except KeyboardInterrupt:
        if words[:1] and words[0] not in GROUPS:  # of the steps of a run, Snakemake says what was kept
            print("\nStopped.", file=sys.stderr)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)  # so that the shell that started it stops as well
        return 130
    finally:
        sys.stdout.flush()
        gc.freeze()  # Python's last search for garbage among the objects of torch and transformers takes a second


if __name__ == "__main__":
    sys.exit(run())
