"""`relprobe status`: how far the run in this folder is, or how the last one ended, and what the next one would do."""

import argparse
import os
import platform
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from relprobe.command.process import LOGS, failures, stop_message
from relprobe.core.progress import duration

if TYPE_CHECKING:
    from relprobe.command.costs import Plan

SHOWN = 12
"""The number of running jobs that are listed: all that is said stands on one screen."""
TIME = "%a %b %d %H:%M:%S %Y"
"""How Snakemake's log writes a time."""
JOB = re.compile(r"^\[(.+)\]\n(?:local)?(?:rule|checkpoint) (\w+):\n((?:    .+\n)+)", re.MULTILINE)
PAGE = "report_study"
"""The rule that makes the page of a study."""
IDLE = "Nothing runs here."


@dataclass(frozen=True)
class Job:
    """A job that has started: its number in the log, its rule, what its wildcards are, when it started, and its log file."""

    number: str
    rule: str
    wildcards: str
    start: datetime
    log: Path | None


def main(words: list[str], plan: "Callable[[Mapping[str, str]], Plan | str] | None" = None) -> int:
    """Print how far the run is that writes the newest log here, or how it ended and what the next one would do."""
    parser = argparse.ArgumentParser(prog="relprobe status", description=__doc__, allow_abbrev=False)
    parser.parse_args(words)
    file = max(LOGS.glob("*.log"), key=lambda log: log.stat().st_mtime, default=None)
    if file is None:
        print("Nothing has run in this folder yet: `relprobe run` begins.")
        return 0
    said = [*lines(file.read_text(errors="replace"), datetime.now(), runs=is_written(file))]
    print(*said, sep="\n")
    if said[0] == IDLE:
        from relprobe.command.costs import plan_here  # a run reads this module, too, and plans with it nothing more

        print(*next_run((plan or plan_here)(os.environ)), sep="\n")
    return 0


def next_run(plan: "Plan | str") -> Iterator[str]:
    """Yield the sentences on what the next run would do, and why; `plan`: a plan, or why there is none."""
    from relprobe.command.costs import work

    if isinstance(plan, str):
        yield f"The next run cannot be planned: {plan}"
    else:
        yield from (f"{sentence[0].upper()}{sentence[1:]}." for sentence in work(plan))


def is_written(file: Path) -> bool:
    """Say whether a process of this machine has a file open, as a run has its log; those of other users cannot be seen."""
    place = str(file.resolve())
    for process in psutil.process_iter():
        try:
            if any(one.path == place for one in process.open_files()):
                return True
        except (psutil.Error, OSError):  # the process has ended, or is another user's
            continue
    return False


def lines(log: str, now: datetime, *, runs: bool) -> Iterator[str]:
    """Yield what is to be said of a run. `log`: Snakemake's log; `now`: in local time, as in the log; `runs`: it goes on."""
    done, total = counts(log)
    begun = re.search(r"^ *Date: (.+)$", log, re.MULTILINE)
    start = datetime.fromisoformat(begun[1]) if begun else None
    if runs:
        since = f" for {duration((now - start).total_seconds())}" if start else ""
        yield (
            f"A run goes on{since}: {jobs_in_words(done, total)}."
            if total
            else f"A run goes on{since}: it plans its jobs."
        )
        yield from running(log, now)
    else:
        host = re.search(r"^ *Host: (.+)$", log, re.MULTILINE)
        if host and host[1] != platform.node() and "Complete log" not in log:
            known = jobs_in_words(done, total)
            yield f"The run was started on {host[1]}, and only there can be seen whether it goes on: {known}."
        else:
            yield IDLE
            yield _end(log, start, done, total)
        yield from failures(log)
    yield from by_study(log)


def _end(log: str, start: datetime | None, done: int, total: int) -> str:
    """Return the sentence on how a run ended."""
    if said := stop_message(log):
        return said
    began = f"The last run, of {start:%Y-%m-%d %H:%M}," if start else "The last run"
    if not total:
        return f"{began} had nothing to do." if "Nothing to be done" in log else f"{began} ended before its first job."
    if done == total:
        return f"{began} is complete: {jobs_in_words(done, total)}."
    if "Complete log" in log:
        return f"{began} failed: {jobs_in_words(done, total)}."
    return f"{began} was cut off: {jobs_in_words(done, total)}. The same command goes on with the rest."


def jobs_in_words(done: int, total: int) -> str:
    """Say how many jobs are done.

    >>> jobs_in_words(12, 31)
    '12 of 31 jobs are done (39%)'
    """
    share = f" ({done / total:.0%})" if total else ""
    return f"{done:,} of {total:,} jobs {'is' if done == 1 else 'are'} done{share}"


def counts(log: str) -> tuple[int, int]:
    r"""Return how many jobs of a run are done, and how many it has.

    >>> counts("total    31\n1 of 31 steps (3%) done\n")
    (1, 31)
    """
    steps = re.findall(r"^(\d+) of (\d+) steps \(", log, re.MULTILINE)
    totals = re.findall(r"^total +(\d+)$", log, re.MULTILINE)
    return (int(steps[-1][0]), int(steps[-1][1])) if steps else (0, int(totals[-1]) if totals else 0)


def jobs(log: str) -> Iterator[Job]:
    """Yield the jobs of a log that have started and neither ended nor failed."""
    over = set(re.findall(r"^Finished jobid: (\d+)", log, re.MULTILINE))
    over |= set(re.findall(r"^Error in rule \w+:\n(?:    .*\n)*?    jobid: (\d+)", log, re.MULTILINE))
    started = {}
    for time, rule, about in JOB.findall(log):
        values = dict(re.findall(r"^    (\w+): (.*)$", about, re.MULTILINE))
        file = values.get("log")
        wildcards = re.sub(r"\b\w+=", "", values.get("wildcards", ""))
        number = values["jobid"]
        started[number] = Job(number, rule, wildcards, datetime.strptime(time, TIME), Path(file) if file else None)
    yield from (job for number, job in started.items() if number not in over)


def running(log: str, now: datetime) -> Iterator[str]:
    """Yield a line for each job that runs: its name, how long it has run, and how far its own log says that it is."""
    every = list(jobs(log))
    for job in every[:SHOWN]:
        far = progress_of(job.log)
        took = duration((now - job.start).total_seconds())
        yield f"  {' '.join(filter(None, [job.rule, job.wildcards]))}: since {took}{f', {far}' if far else ''}"
    if len(every) > SHOWN:
        yield f"  and {len(every) - SHOWN} more"


def progress_of(log: Path | None) -> str:
    """Return the last line of a job's log that says how far it is (core/progress.py); "" where it has none."""
    text = log.read_text(errors="replace") if log is not None and log.is_file() else ""
    found = re.findall(r"^[\d:]+ ([\d,]+ of [\d,]+ .+ \(\d+%\).*)$", text, re.MULTILINE)
    return found[-1] if found else ""


def by_study(log: str) -> Iterator[str]:
    """Yield a line for each part of the run: how many of its jobs are done. A rule has the name of its study before it."""
    table = re.search(r"^job +count\n[- ]+\n((?:\w+ +\d+\n)+)", log, re.MULTILINE)
    totals: Counter[str] = Counter()
    for rule, number in re.findall(r"^(\w+) +(\d+)$", table[1] if table else "", re.MULTILINE):
        if "_" in rule:
            totals[rule.partition("_")[0]] += int(number)
    done = Counter(re.findall(r"^Finished jobid: \d+ \(Rule: ([a-z]+)_", log, re.MULTILINE))
    width = max(map(len, totals), default=0)
    for part, total in sorted(totals.items()):
        yield f"  {part:{width}}  {done[part]:>4} of {total}"
