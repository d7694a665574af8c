"""The events of a run: what Snakemake logs of its jobs, as a state (`RunState`) and as lines of JSON in a file.

All that tells how far a run is reads them: the page of the run, `relprobe status`, the bars of the terminal, the last lines
of a run, and the summary of a dry run. Snakemake's own log is for people alone.
"""

import json
import logging
import os
import platform
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from relprobe.core.errors import DataError, first_line
from relprobe.core.inside_snakemake import NO_INPUT, PlannedJob, files_without_rule, is_stop
from relprobe.core.secrets import safe_text

if TYPE_CHECKING:
    from psutil import Process

logger = logging.getLogger(__name__)
Event = Mapping[str, Any]
"""An event: its name ("event"), the seconds since 1970 ("time"), and what Snakemake says of it under its own names."""
FILE = Path(".snakemake/relprobe/run.jsonl")
"""Where the last run in a folder has its events."""
PLANNED = "RELPROBE_EVENTS"
"""The variable that names the file of a dry run's events; a dry run without it leaves none."""
PAGE = "report_study"
"""The rule that makes the page of a study."""
FIRST = "report_first"
"""The rule that makes the first page of a study, which does without what comes last."""
SHARE = 0.1
"""The share of the jobs that must be done before an estimate is shown: those before it are mostly short."""
FIELDS: Mapping[str, tuple[str, ...]] = {
    "workflow_started": (),
    "run_info": ("stats",),
    "group_info": ("group_id",),
    "job_info": ("jobid", "rule_name", "wildcards", "output", "log", "resources", "indent", "reason", "shellcmd"),
    "job_finished": ("job_id",),
    "job_error": ("jobid", "log"),
    "error": ("exception",),
}
"""Event of Snakemake -> what is kept of it. Two more are our own: `stopped` (Ctrl-C) and `run_ended`."""


@dataclass(frozen=True)
class Job:
    """A job that has started, or that a dry run plans.

    `start`: seconds since 1970. `outputs`: the files that it makes. `logs`: the log of its step, and those that a cluster
    keeps of it. `grouped`: it is submitted with others. `reason`, `command`: why it runs, and its shell command, as
    Snakemake says them.
    """

    number: int
    rule: str
    start: float
    wildcards: Mapping[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()
    resources: Mapping[str, Any] = field(default_factory=dict)
    grouped: bool = False
    reason: str = ""
    command: str = ""


@dataclass
class RunState:
    """What the events of a run say so far.

    `begun`: seconds since 1970; 0 for a run without events. `process`: its number, and the seconds from the start of the
    machine to its own. `counts`: rule -> number of its jobs. `local`: the rules whose jobs a cluster does not get.
    `cluster`: the other jobs are submitted to one. `planned`: number -> job that the run will do. `jobs`: number -> job that
    has started. `finished`: number -> how many seconds it took. `failed`: the numbers of those that failed last.
    `left_behind`: the jobs that failed in an earlier part, without which this one goes on. `groups`: how many groups are
    submitted. `missing`: the files that no rule makes.
    """

    begun: float = 0.0
    host: str = ""
    process: tuple[int, float] = (0, 0.0)
    counts: dict[str, int] = field(default_factory=dict)
    local: Collection[str] = ()
    cluster: bool = False
    planned: dict[int, PlannedJob] = field(default_factory=dict)
    jobs: dict[int, Job] = field(default_factory=dict)
    finished: dict[int, float] = field(default_factory=dict)
    failed: set[int] = field(default_factory=set)
    left_behind: list[Job] = field(default_factory=list)
    groups: int = 0
    missing: list[str] = field(default_factory=list)
    error: bool = False
    stopped: bool = False
    ended: bool = False

    @property
    def total(self) -> int:
        """Return the number of jobs that the run has; 0 while it plans them, and if it has none."""
        return sum(self.counts.values())

    @property
    def done(self) -> int:
        """Return the number of jobs that are done."""
        return len(self.finished)

    @property
    def running(self) -> list[Job]:
        """Return the jobs that have started and neither ended nor failed."""
        return [job for number, job in self.jobs.items() if number not in self.finished and number not in self.failed]

    @property
    def failures(self) -> list[Job]:
        """Return the jobs that failed, in this part and in those before it."""
        return [*self.left_behind, *(self.jobs[number] for number in sorted(self.failed))]

    def is_submitted(self, job: Job) -> bool:
        """Return whether a job is given to a cluster, where it may wait in a queue before it begins."""
        return self.cluster and job.rule not in self.local

    def pages(self) -> Iterator[str]:
        """Yield the studies whose pages the run has made."""
        yield from (job.wildcards["study"] for job in map(self.jobs.get, self.finished) if job and job.rule == PAGE)

    def note(self, event: Event) -> None:
        """Take in an event; one of a job that was never announced is passed over."""
        match event["event"]:
            case "workflow_started":
                if event.get("follows"):  # the numbers of its jobs are its own
                    self.__dict__ |= RunState(left_behind=self.failures).__dict__
                self.begun, self.host = event["time"], event.get("host", "")
                self.process, self.local = tuple(event.get("process", self.process)), frozenset(event.get("local", ()))
            case "run_info" if not self.counts:  # a dry run says it again at its end
                self.counts = {rule: count for rule, count in event["stats"].items() if rule != "total"}
                self.planned = {int(number): PlannedJob(*job) for number, job in event.get("planned", {}).items()}
                self.cluster = event.get("cluster", False)
            case "group_info":
                self.groups += 1
            case "job_info":
                self._start(event)
            case "job_finished" if job := self.jobs.get(event["job_id"]):
                self.finished[job.number] = event["time"] - job.start
            case "job_error" if job := self.jobs.get(event["jobid"]):
                self.jobs[job.number] = replace(job, logs=tuple(event["log"] or ()))
                self.failed.add(job.number)
            case "error":
                self.error, self.missing = True, event.get("files", [])
            case "stopped":
                self.stopped = True
            case "run_ended":
                self.ended = True

    def _start(self, event: Event) -> None:
        number = event["jobid"]
        self.failed.discard(number)  # it is tried again
        self.jobs[number] = Job(
            number,
            event["rule_name"],
            event["time"],
            event["wildcards"] or {},
            tuple(event["output"] or ()),
            tuple(event["log"] or ()),
            event["resources"] or {},
            bool(event["indent"]),
            event["reason"] or "",
            event["shellcmd"] or "",
        )

    def seconds_left(self, now: float) -> float | None:
        """Estimate the seconds that the run still takes; None before a tenth of the jobs is done.

        A job takes as long as the finished jobs of its rule on average; where there is none, as long as all finished jobs on
        average. The jobs run as many at a time as are running now. `now`: seconds since 1970.

        >>> run = RunState(counts={"scores": 3, "metrics": 3}, finished={1: 60.0})
        >>> run.jobs = {1: Job(1, "scores", start=0), 2: Job(2, "scores", start=60)}
        >>> run.seconds_left(now=80)  # 40 s of this job, 60 s of the third and, as far as is known, three times 60 s
        280.0
        """
        took: dict[str, list[float]] = {}
        for number, seconds in self.finished.items():
            took.setdefault(self.jobs[number].rule, []).append(seconds)
        durations = [seconds for rule_durations in took.values() for seconds in rule_durations]
        if not durations or len(durations) < SHARE * self.total:
            return None
        ages: dict[str, list[float]] = {}
        for job in self.running:
            ages.setdefault(job.rule, []).append(now - job.start)
        work = 0.0
        for rule, count in self.counts.items():
            mean = _mean(took.get(rule, durations))
            waiting = count - len(took.get(rule, [])) - len(ages.get(rule, []))
            work += max(waiting, 0) * mean + sum(max(mean - age, 0.0) for age in ages.get(rule, []))
        return work / max(sum(map(len, ages.values())), 1)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def event_of(record: logging.LogRecord) -> dict[str, Any] | None:
    """Return what a log record of Snakemake says of the run; None for a record that is no event of it."""
    fields = record.__dict__
    name = fields.get("event") or ("stopped" if is_stop(record.getMessage()) else "")
    if name != "stopped" and name not in FIELDS:
        return None
    event: dict[str, Any] = {"event": str(name), "time": record.created} | {
        key: fields.get(key) for key in FIELDS.get(name, ())
    }
    for key in ("wildcards", "resources"):
        if event.get(key) is not None:
            event[key] = dict(event[key].items())
    if event.get("exception") == NO_INPUT:
        event["files"] = files_without_rule(record.getMessage())
    return event


class Follower(Protocol):
    """What hears of the events of a run as they come."""

    def hear(self, event: Event) -> None:
        """Take in an event that the run knows of already."""


class EventLog(logging.Handler):
    """Follows the run that this process does: its state, the file of its events, and who else hears of them.

    `file`: where the events go; None keeps them in memory. `planned`: returns the jobs that the run will do, once they are
    known. `local`: returns the rules whose jobs a cluster does not get; `cluster`: whether one gets the others. `follows`:
    it is a further part of the run that the file has, which goes on without what has failed. The file of another run that
    may still go on is left alone until this run has its jobs, and so Snakemake's lock of the folder.
    """

    def __init__(
        self,
        file: Path | None,
        planned: Callable[[], Mapping[int, PlannedJob]] = dict,
        local: Callable[[], Iterable[str]] = tuple,
        *,
        cluster: Callable[[], bool] = bool,
        follows: bool = False,
    ) -> None:
        super().__init__()
        self.file = file.absolute() if file else None  # a run may change the working directory
        self.planned, self.local, self.cluster = planned, local, cluster
        self.run = RunState()
        self.followers: list[Follower] = []
        self._process = os.getpid()
        self._waiting: list[str] = []
        self.follows = self._opened = follows and file is not None and file.is_file()

    def emit(self, record: logging.LogRecord) -> None:
        """Note the event of a record, write it, and tell those who listen."""
        if (event := event_of(record)) is None:
            return
        if event["event"] != "workflow_started" and not self.run.begun:
            return  # a fault of the configuration, or of a word of the command: the last run stays the last one
        if event["event"] == "workflow_started":
            event |= {
                "follows": self.follows,
                "host": platform.node(),
                "process": this_process(),
                "local": sorted(self.local()),
            }
        elif event["event"] == "run_info" and not self.run.counts:
            event |= {"planned": self.planned(), "cluster": self.cluster()}  # no executor is known before
        self.run.note(event)
        self._write(event)
        for follower in self.followers:
            follower.hear(event)

    def close(self) -> None:
        """Note that the run has ended: Snakemake closes its handlers then, and a run that is killed closes none."""
        if self.run.begun and not self.run.ended and os.getpid() == self._process:  # and not a fork of it
            event = {"event": "run_ended", "time": time.time()}
            self.run.note(event)
            self._write(event)
        super().close()

    def _write(self, event: Event) -> None:
        """Append an event to the file; where that is impossible, the run goes on without it."""
        if self.file is None:
            return
        self._waiting.append(safe_text(json.dumps(event, default=str)))
        try:
            if not self._opened:
                if event["event"] != "run_info" and is_taken(self.file):
                    return
                self.file.parent.mkdir(parents=True, exist_ok=True)
                self.file.unlink(missing_ok=True)
                self._opened = True
            with self.file.open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in self._waiting)
            self._waiting.clear()
        except OSError as error:
            logger.warning(
                "%s cannot be written (%s): `relprobe status` does not know of this run.", self.file, error.strerror
            )
            self.file = None


def read(file: Path = FILE) -> RunState | None:
    """Return the run whose events are in a file; None without one. DataError: the file is damaged.

    The last line may be half written: a run was killed, or goes on.
    """
    if not file.is_file():
        return None
    run = RunState()
    lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines[:-1], start=1):
        try:
            run.note(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            reason = f"line {number} is no event of a run ({first_line(error)})"
            raise DataError(f"{file}: {reason}: delete the file; the next run writes it anew.") from None
    return run


def is_taken(file: Path) -> bool:
    """Return whether a file has the events of a run that may still go on; what cannot be read is no run."""
    try:
        run = read(file)
    except DataError:
        return False
    return run is not None and may_go_on(run)


def this_process() -> tuple[int, float]:
    """Return the number of this process, and how many seconds after the machine it was started."""
    import psutil  # the jobs of a run read the workflow, too, and need it for nothing

    return os.getpid(), _age_at_start(psutil.Process())


def may_go_on(run: RunState) -> bool:
    """Return whether a run may still go on: it has not ended, and its process is there, or on another machine.

    A run that was killed leaves no event of its end. Its process is asked for, and no other; the number may be that of a new
    process now, so it must have started at the same time. The clock may have been set since: times are from the start of the
    machine on.
    """
    if run.ended or not run.begun:
        return False
    if run.host != platform.node():
        return True
    import psutil

    number, start = run.process
    try:
        return abs(_age_at_start(psutil.Process(number)) - start) < 2
    except psutil.Error:
        return False


def _age_at_start(process: "Process") -> float:
    """Return the seconds from the start of the machine to that of a process."""
    import psutil

    return process.create_time() - psutil.boot_time()


def jobs_by_part(run: RunState) -> Iterator[tuple[str, int, int]]:
    """Yield for each part of a run how many of its jobs are done, and how many it has: (part, done, total).

    A part is the study of a job's wildcard, or what its rule's name begins with: `models`, `report`, ….

    >>> jobs = {1: PlannedJob("models_lexicon", None), 2: PlannedJob("report_study", "degrees"), 3: PlannedJob("all", None)}
    >>> list(jobs_by_part(RunState(planned=jobs, finished={1: 60.0})))
    [('degrees', 0, 1), ('models', 1, 1)]
    """
    totals: Counter[str] = Counter()
    done: Counter[str] = Counter()
    for number, job in run.planned.items():
        name, _, step = job.rule.partition("_")
        part = job.study or (name if step else "")  # a target such as `all` has none
        totals[part] += 1
        done[part] += number in run.finished
    yield from ((part, done[part], totals[part]) for part in sorted(totals) if part)
