"""The terminal of `make run`: the display of snakemake-logger-plugin-rich, and how long the run still takes.

Snakemake takes a module of this name for the logger `relprobe`; `make run` puts its folder on the path. A failed step ends
with its own sentence, so Snakemake's report of the shell command that failed is left out, and so is what follows Ctrl-C.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.progress import ProgressColumn, Task
from rich.text import Text
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_rich import LogHandler as RichHandler

__all__ = ["LogHandler"]
STOPPING = "Terminating processes on user request"
SHARE = 0.1
"""The share of the jobs that must be done before an estimate is shown: those before it are mostly short."""


@dataclass
class Run:
    """What is known of the jobs of a run: how many each rule has, when jobs started, and how long they took."""

    totals: Mapping[str, int] = field(default_factory=dict)  # rule -> number of jobs
    starts: dict[int, tuple[str, float]] = field(default_factory=dict)  # running job -> rule, time in seconds
    durations: dict[str, list[float]] = field(default_factory=dict)  # rule -> seconds of its finished jobs

    def start(self, job: int, rule: str, now: float) -> None:
        """Note that a job starts."""
        self.starts[job] = rule, now

    def finish(self, job: int, now: float) -> None:
        """Note that a job is done. Jobs that were never announced are passed over."""
        if job in self.starts:
            rule, start = self.starts.pop(job)
            self.durations.setdefault(rule, []).append(now - start)

    def seconds_left(self, now: float) -> float | None:
        """Estimate the seconds that the run still takes; None before a tenth of the jobs is done.

        A job takes as long as the finished jobs of its rule on average; where there is none, as long as all finished jobs on
        average. The jobs run as many at a time as are running now.

        >>> run = Run(totals={"scores": 3, "metrics": 3})
        >>> run.start(1, "scores", now=0)
        >>> run.finish(1, now=60)
        >>> run.start(2, "scores", now=60)
        >>> run.seconds_left(now=80)  # 40 s of this job, 60 s of the third and, as far as is known, three times 60 s
        280.0
        """
        everything = [seconds for of_rule in self.durations.values() for seconds in of_rule]
        if not everything or len(everything) < SHARE * sum(self.totals.values()):
            return None
        work = 0.0
        for rule, total in self.totals.items():
            mean = _mean(self.durations.get(rule, everything))
            running = [now - start for of_rule, start in self.starts.values() if of_rule == rule]
            waiting = total - len(self.durations.get(rule, [])) - len(running)
            work += max(waiting, 0) * mean + sum(max(mean - seconds, 0.0) for seconds in running)
        return work / max(len(self.starts), 1)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def in_words(seconds: float) -> str:
    """Say how long that is.

    >>> in_words(50), in_words(61), in_words(3 * 3600)
    ('less than a minute left', 'about 2 min left', 'about 3 h left')
    """
    if seconds < 60:
        return "less than a minute left"
    minutes = -(-seconds // 60)
    return f"about {minutes:.0f} min left" if minutes < 120 else f"about {seconds / 3600:.0f} h left"


class TimeLeft(ProgressColumn):
    """The column of the progress bars that says, beside the bar of all jobs, how long the run still takes."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run

    def render(self, task: Task) -> Text:
        """Return the text beside the bar of one rule or of all jobs."""
        seconds = self.run.seconds_left(time.monotonic()) if task.description == "Total Progress" else None
        return Text("" if seconds is None else in_words(seconds))


class LogHandler(RichHandler):  # type: ignore[misc]  # the plugin has no types
    """Snakemake's handler of log records for `--logger relprobe`."""

    def __post_init__(self) -> None:
        """Add the column to the bars of the rich plugin."""
        super().__post_init__()
        self.run = Run()
        self.stopping = False
        self.begun: set[str] = set()  # the rules whose first job has started
        self.progress.columns = (*self.progress.columns, TimeLeft(self.run))

    def emit(self, record: logging.LogRecord) -> None:
        """Note when jobs start and end. Show every record but the one of a failed shell command and those after Ctrl-C."""
        if STOPPING in record.getMessage() and not self.stopping:
            self.stopping = True
            self.event_handler.close()  # the last line, on what was kept, is the workflow's own
        if self.stopping:
            return
        self.note(record)
        if "CalledProcessError" not in record.getMessage():
            super().emit(record)
        if getattr(record, "event", None) == LogEvent.JOB_INFO:
            self.begin(record.__dict__["rule_name"])

    def begin(self, rule: str) -> None:
        """Let the clock of a rule's bar begin with its first job; the rich plugin makes all bars when the run begins."""
        bar = self.event_handler.progress_display.rule_tasks.get(rule)
        if bar is not None and rule not in self.begun:
            self.begun.add(rule)
            self.progress.tasks[bar].start_time = self.progress.get_time()

    def note(self, record: logging.LogRecord) -> None:
        """Note what a record says about the run's jobs."""
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self.run.totals = {rule: n for rule, n in record.__dict__["stats"].items() if rule != "total"}
        elif event == LogEvent.JOB_INFO:
            self.run.start(record.__dict__["jobid"], record.__dict__["rule_name"], time.monotonic())
        elif event == LogEvent.JOB_FINISHED:
            self.run.finish(record.__dict__["job_id"], time.monotonic())
