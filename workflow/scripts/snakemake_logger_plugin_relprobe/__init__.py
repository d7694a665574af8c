"""The terminal of `make run`: the display of snakemake-logger-plugin-rich, and how long the run still takes.

The bars are those of all jobs and of the rules that run now, each with what its jobs say of how far they are.
Snakemake takes a module of this name for the logger `relprobe`; `make run` puts its folder on the path. A failed step ends
with its own sentence, so Snakemake's report of the shell command that failed is left out, and so is what follows Ctrl-C.
"""

import logging
from collections.abc import Mapping
from time import time

from relprobe.command.events import FIRST, PAGE, RunState, event_of
from relprobe.command.status import state_of
from rich.progress import ProgressColumn, Task, TaskID
from rich.text import Text
from snakemake_logger_plugin_rich import LogHandler as RichHandler

__all__ = ["LogHandler"]
TOTAL = "Total Progress"
"""The name of the bar of all jobs."""


def jobs_of(run: RunState, rule: str) -> str:
    """Return how far the running jobs of a rule say that they are, such as "splade-tiny 23%, 2 min left"."""
    parts = []
    for job in run.running:
        state = state_of(job) if job.rule == rule else None
        if state is not None and state.short:
            parts.append(f"{' '.join(job.wildcards.values())} {state.short}".strip())
    return "; ".join(parts)


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

    max_refresh = 1.0  # the states of jobs are read for it

    def __init__(self, run: RunState, bars: Mapping[str, int]) -> None:
        super().__init__()
        self.run, self.bars = run, bars

    def render(self, task: Task) -> Text:
        """Return the text beside the bar of one rule or of all jobs."""
        if task.description == TOTAL:
            seconds = self.run.seconds_left(time())
            return Text("" if seconds is None else in_words(seconds))
        rules = [rule for rule, bar in self.bars.items() if bar == task.id]
        return Text(jobs_of(self.run, rules[0]) if rules else "", overflow="ellipsis", no_wrap=True)


class LogHandler(RichHandler):  # type: ignore[misc]  # the plugin has no types
    """Snakemake's handler of log records for `--logger relprobe`."""

    def __post_init__(self) -> None:
        """Add the column to the bars of the rich plugin."""
        super().__post_init__()
        self.run = RunState()
        self.begun: set[str] = set()  # the rules whose first job has started
        self.display = self.event_handler.progress_display
        self.progress.columns = (*self.progress.columns, TimeLeft(self.run, self.display.rule_tasks))

    def emit(self, record: logging.LogRecord) -> None:
        """Note when jobs start and end. Show every record but the one of a failed shell command and those after Ctrl-C."""
        if self.run.stopped:
            return
        event = self.note(record)
        if self.run.stopped:
            self.event_handler.close()  # the last line, on what was kept, is the workflow's own
            return
        if "CalledProcessError" not in record.getMessage():
            super().emit(record)
        if event == "job_info":
            self.begin(record.__dict__["rule_name"])
        self.show_what_runs()

    def show_what_runs(self) -> None:
        """Show the bars of the rules that have a job under way: on a low terminal those of the others would hide them."""
        running = self.run.running
        for rule, bar in self.display.rule_tasks.items():
            number = sum(rule in (TOTAL, job.rule) for job in running)
            self.progress.update(TaskID(bar), visible=rule == TOTAL or number > 0, active=number)

    def begin(self, rule: str) -> None:
        """Let the clock of a rule's bar begin with its first job; the rich plugin makes all bars when the run begins."""
        bar = self.display.rule_tasks.get(rule)
        if bar is not None and rule not in self.begun:
            self.begun.add(rule)
            self.progress.tasks[bar].start_time = self.progress.get_time()

    def note(self, record: logging.LogRecord) -> str:
        """Note what a record says about the run's jobs, and return the name of its event; "" if it has none."""
        event = event_of(record)
        if event is None:
            return ""
        self.run.note(event)
        job = self.run.jobs.get(event["job_id"]) if event["event"] == "job_finished" else None
        if job is not None and job.rule in (FIRST, PAGE):
            self.name_page(job.wildcards["study"], job.outputs)
        return str(event["event"])

    def name_page(self, study: str, outputs: tuple[str, ...]) -> None:
        """Say that the page of a study can be read while the run goes on."""
        for page in (file for file in outputs if file.endswith(".html")):
            which = "page" if page.endswith("report.html") else "first page"
            self.event_handler.console.print(f"The {which} of {study} is ready: {page} (relprobe open {study})")
