"""The terminal of `make run`: the display of snakemake-logger-plugin-rich, and how long the run still takes.

The bars are those of all jobs and of the rules that run now, each with what the logs of its jobs say of how far they are.
Snakemake takes a module of this name for the logger `relprobe`; `make run` puts its folder on the path. A failed step ends
with its own sentence, so Snakemake's report of the shell command that failed is left out, and so is what follows Ctrl-C.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from relprobe.command.status import PAGE, progress_of
from rich.progress import ProgressColumn, Task, TaskID
from rich.text import Text
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_rich import LogHandler as RichHandler

__all__ = ["LogHandler"]
STOPPING = "Terminating processes on user request"
TOTAL = "Total Progress"
"""The name of the bar of all jobs."""
SHARE = 0.1
"""The share of the jobs that must be done before an estimate is shown: those before it are mostly short."""


@dataclass(frozen=True)
class Job:
    """A job that runs: its rule, when it started (seconds), what its wildcards are, its log file, and the page it makes."""

    rule: str
    start: float
    wildcards: str = ""
    log: Path | None = None
    page: str = ""  # the page of a study that it makes


@dataclass
class Run:
    """What is known of the jobs of a run: how many each rule has, which run, and how long the others took."""

    totals: Mapping[str, int] = field(default_factory=dict)  # rule -> number of jobs
    jobs: dict[int, Job] = field(default_factory=dict)  # those that run, by their numbers
    durations: dict[str, list[float]] = field(default_factory=dict)  # rule -> seconds of its finished jobs

    def start(
        self, number: int, rule: str, now: float, wildcards: str = "", log: Path | None = None, page: str = ""
    ) -> None:
        """Note that a job starts."""
        self.jobs[number] = Job(rule, now, wildcards, log, page)

    def finish(self, number: int, now: float) -> str:
        """Note that a job is done, and return the page that it has made. Jobs that were never announced are passed over."""
        if number not in self.jobs:
            return ""
        job = self.jobs.pop(number)
        self.durations.setdefault(job.rule, []).append(now - job.start)
        return job.page

    def rule_jobs(self, rule: str) -> list[Job]:
        """Return the jobs of a rule that run."""
        return [job for job in self.jobs.values() if job.rule == rule]

    def progress(self, rule: str) -> str:
        """Say how far the running jobs of a rule are by their own logs, such as "splade-tiny 23%, 2 min left"."""
        parts = []
        for job in self.rule_jobs(rule):
            line = progress_of(job.log)
            if far := re.search(r"\((\d+%)\)", line):
                left = re.search(r", [^,]+ left$", line)
                parts.append(f"{job.wildcards} {far[1]}{left[0] if left else ''}".strip())
        return "; ".join(parts)

    def seconds_left(self, now: float) -> float | None:
        """Estimate the seconds that the run still takes; None before a tenth of the jobs is done.

        A job takes as long as the finished jobs of its rule on average; where there is none, as long as all finished jobs on
        average. The jobs run as many at a time as are running now.

        >>> run = Run(totals={"scores": 3, "metrics": 3})
        >>> run.start(1, "scores", now=0)
        >>> _ = run.finish(1, now=60)
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
            running = [now - job.start for job in self.rule_jobs(rule)]
            waiting = total - len(self.durations.get(rule, [])) - len(running)
            work += max(waiting, 0) * mean + sum(max(mean - seconds, 0.0) for seconds in running)
        return work / max(len(self.jobs), 1)


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
    """The column of the progress bars that says how long the run still takes, and how far the jobs of a rule are.

    `bars`: rule -> its bar.
    """

    max_refresh = 1.0  # the logs of jobs are read for it

    def __init__(self, run: Run, bars: Mapping[str, int]) -> None:
        super().__init__()
        self.run, self.bars = run, bars

    def render(self, task: Task) -> Text:
        """Return the text beside the bar of one rule or of all jobs."""
        if task.description == TOTAL:
            seconds = self.run.seconds_left(task.get_time())
            return Text("" if seconds is None else in_words(seconds))
        rules = [rule for rule, bar in self.bars.items() if bar == task.id]
        return Text(self.run.progress(rules[0]) if rules else "", overflow="ellipsis", no_wrap=True)


class LogHandler(RichHandler):  # type: ignore[misc]  # the plugin has no types
    """Snakemake's handler of log records for `--logger relprobe`."""

    def __post_init__(self) -> None:
        """Add the column to the bars of the rich plugin."""
        super().__post_init__()
        self.run = Run()
        self.stopping = False
        self.begun: set[str] = set()  # the rules whose first job has started
        self.display = self.event_handler.progress_display
        self.progress.columns = (*self.progress.columns, TimeLeft(self.run, self.display.rule_tasks))

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
        self.show_what_runs()

    def show_what_runs(self) -> None:
        """Show the bars of the rules that have a job under way: on a low terminal those of the others would hide them."""
        for rule, bar in self.display.rule_tasks.items():
            number = len(self.run.jobs if rule == TOTAL else self.run.rule_jobs(rule))
            self.progress.update(TaskID(bar), visible=rule == TOTAL or number > 0, active=number)

    def begin(self, rule: str) -> None:
        """Let the clock of a rule's bar begin with its first job; the rich plugin makes all bars when the run begins."""
        bar = self.display.rule_tasks.get(rule)
        if bar is not None and rule not in self.begun:
            self.begun.add(rule)
            self.progress.tasks[bar].start_time = self.progress.get_time()

    def note(self, record: logging.LogRecord) -> None:
        """Note what a record says about the run's jobs."""
        event = getattr(record, "event", None)
        if event == LogEvent.RUN_INFO:
            self.run.totals = {rule: n for rule, n in record.__dict__["stats"].items() if rule != "total"}
        elif event == LogEvent.JOB_INFO:
            about = record.__dict__
            wildcards = " ".join(map(str, (about.get("wildcards") or {}).values()))
            log = next(map(Path, about.get("log") or []), None)
            pages = [
                file for file in about.get("output") or [] if about["rule_name"] == PAGE and file.endswith(".html")
            ]
            self.run.start(about["jobid"], about["rule_name"], self.progress.get_time(), wildcards, log, "".join(pages))
        elif event == LogEvent.JOB_ERROR:
            self.run.jobs.pop(record.__dict__["jobid"], None)
        elif event == LogEvent.JOB_FINISHED:
            self.name_page(self.run.finish(record.__dict__["job_id"], self.progress.get_time()))

    def name_page(self, page: str) -> None:
        """Say that the page of a study can be read while the run goes on."""
        if page:
            study = Path(page).parent.name
            self.event_handler.console.print(f"The page of {study} is ready: {page} (relprobe open {study})")
