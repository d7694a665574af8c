"""The process that `relprobe run` becomes: Snakemake, which a user may stop."""

import re
import sys

STOPPED = "Stopped: what is finished is kept, and the same command goes on with the rest."
"""What is said where no number of jobs is known."""
REQUEST = "Terminating processes on user request"
"""What Snakemake logs when Ctrl-C reaches it while jobs run."""


def main() -> None:
    """Run Snakemake with the words of this process; Ctrl-C before and after its jobs ends in one line."""
    try:
        from snakemake.cli import main as snakemake

        snakemake()
    except KeyboardInterrupt:
        print(f"\n{STOPPED}", file=sys.stderr)
        sys.exit(130)  # as a shell says it of a process that Ctrl-C ended


def stopped(log: str) -> str | None:
    r"""Return a sentence on what was kept if a user stopped the run; None if its jobs failed. `log`: Snakemake's log.

    >>> stopped("total    31\nFinished jobid: 8\n1 of 31 steps (3%) done\nTerminating processes on user request, this…")
    'Stopped: 1 of 31 jobs is finished and kept, with the finished parts of scores; the same command goes on with the rest.'
    >>> stopped("total    31\nError in rule relations_scores:") is None
    True
    """
    if REQUEST not in log:
        return None
    counts = re.findall(r"^(\d+) of (\d+) steps \(", log, re.MULTILINE)
    totals = re.findall(r"^total +(\d+)$", log, re.MULTILINE)
    if not counts and not totals:
        return STOPPED
    done, total = counts[-1] if counts else ("0", totals[-1])
    kept = f"{done} of {total} jobs {'is' if done == '1' else 'are'} finished and kept"
    return f"Stopped: {kept}, with the finished parts of scores; the same command goes on with the rest."


if __name__ == "__main__":
    main()
