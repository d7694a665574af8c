"""`relprobe status`: how far the run in this folder is, or how the last one ended, and what the next one would do."""

import argparse
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from relprobe.command.events import Job, RunState, jobs_by_part, may_go_on, read
from relprobe.command.process import failures, stop_message
from relprobe.core.errors import DataError
from relprobe.core.inside_snakemake import LOGS
from relprobe.core.progress import State, duration, read_state
from relprobe.core.words import amount

if TYPE_CHECKING:
    from relprobe.command.costs import Plan

SHOWN = 12
"""The number of running jobs that are listed: all sentences stand on one screen."""
IDLE = "Nothing runs here."
NO_EVENTS = "The last run was one of an earlier version of relprobe, which has not noted how it ended."


def main(words: list[str], plan: "Callable[[Mapping[str, str]], Plan | str] | None" = None) -> int:
    """Print how far the run in this folder is, or how the last one ended and what the next one would do."""
    parser = argparse.ArgumentParser(prog="relprobe status", description=__doc__, allow_abbrev=False)
    parser.parse_args(words)
    try:
        run = read()
    except DataError as error:
        print(error)
        return 1
    if run is None and not any(LOGS.glob("*.log")):
        print("Nothing has run in this folder yet: `relprobe run` begins.")
        return 0
    sentences = [IDLE, NO_EVENTS] if run is None else [*lines(run, datetime.now())]
    print(*sentences, sep="\n")
    if sentences[0] == IDLE:
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


def lines(run: RunState, now: datetime) -> Iterator[str]:
    """Yield what is to be said of a run. `now`: in local time."""
    far = jobs_in_words(run.done, run.total)
    if not may_go_on(run):
        yield IDLE
        yield _end(run)
        yield from failures(run)
    elif run.host != platform.node():
        yield f"The run was started on {run.host}, and only there can be seen whether it goes on: {far}."
        yield from failures(run)
    else:
        since = duration(now.timestamp() - run.begun)
        yield f"A run goes on for {since}: {far if run.total else 'it plans its jobs'}."
        yield from running(run, now)
        yield from failures(run)
    yield from by_part(run)


def _end(run: RunState) -> str:
    """Return the sentence on how a run ended."""
    if sentence := stop_message(run):
        return sentence
    began = f"The last run, of {datetime.fromtimestamp(run.begun):%Y-%m-%d %H:%M},"
    far = jobs_in_words(run.done, run.total)
    if not run.total:
        return f"{began} {'had nothing to do' if run.ended and not run.error else 'ended before its first job'}."
    if run.done == run.total and run.left_behind:
        return f"{began} went on without what failed: {far}."
    if run.done == run.total:
        return f"{began} is complete: {far}."
    if run.ended:
        return f"{began} failed: {far}."
    return f"{began} was cut off: {far}. The same command goes on with the rest."


def jobs_in_words(done: int, total: int) -> str:
    """Return a sentence's part on how many jobs are done.

    >>> jobs_in_words(12, 31)
    '12 of 31 jobs are done (39%)'
    """
    share = f" ({done / total:.0%})" if total else ""
    return f"{done:,} of {amount(total, 'job')} {'is' if done == 1 else 'are'} done{share}"


def running(run: RunState, now: datetime) -> Iterator[str]:
    """Yield a line for each job that runs: its name, how long it has run, and how far it says that it is.

    One that was submitted to a cluster, and whose step has not begun there, waits in the queue.
    """
    jobs = run.running
    for job in jobs[:SHOWN]:
        name = " ".join([job.rule, *job.wildcards.values()])
        state = state_of(job)
        if run.is_submitted(job) and state is None:
            yield f"  {name}: waits in the queue since {duration(now.timestamp() - job.start)}"
            continue
        begun = state.begun if state is not None and run.is_submitted(job) else job.start
        since = duration(now.timestamp() - begun)
        yield f"  {', '.join(filter(None, [f'{name}: since {since}', state.text if state else '']))}"
    if len(jobs) > SHOWN:
        yield f"  and {len(jobs) - SHOWN} more"


def state_of(job: Job) -> State | None:
    """Return how far a job's step says that it is; None before it begins, and for a job that is no step."""
    return read_state(Path(job.logs[0]), since=job.start) if job.logs else None


def by_part(run: RunState) -> Iterator[str]:
    """Yield a line for each part of the run: how many of its jobs are done."""
    parts = [*jobs_by_part(run)]
    width = max((len(part) for part, _, _ in parts), default=0)
    yield from (f"  {part:{width}}  {done:>4} of {total}" for part, done, total in parts)
