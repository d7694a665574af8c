"""The events of a run: what is kept of Snakemake's log, and the file of them."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from relprobe.command import events
from relprobe.command.events import FILE, EventLog, Job, RunState, read
from relprobe.core.secrets import note_secret
from snakemake_interface_logger_plugins.common import LogEvent

from tests.command.events import finished, record, run_of, started
from tests.paths import SCRIPTS

BEGIN = record("workflow_started", created=7.0)


def test_each_event_is_one_that_snakemake_has():
    assert events.FIELDS.keys() <= {str(event) for event in LogEvent}


def test_what_is_no_event_is_passed_over():
    assert events.event_of(logging.makeLogRecord({"msg": "Using shell: /bin/bash"})) is None
    assert events.event_of(record(LogEvent.RESOURCES_INFO, cores=2)) is None


def test_the_file_says_what_the_run_knows(tmp_path):
    log = EventLog(tmp_path / "a/run.jsonl", local=lambda: {"b", "a"})
    resources = {"mem_mb": 4080, "runtime": "<TBD>"}
    job = started(1, "scores", 60.0, wildcards={"model": "m"}, resources=resources, log=["a.log"], command="relprobe x")
    for said in [BEGIN, record("run_info", stats={"scores": 1, "all": 1, "total": 2}), job, finished(1, 90.0)]:
        log.emit(said)
    log.close()
    run = read(log.file)
    assert run == log.run
    assert (run.ended, run.begun, run.local, run.counts) == (True, 7.0, {"a", "b"}, {"scores": 1, "all": 1})
    assert (run.finished, run.jobs[1].resources, run.jobs[1].command) == ({1: 30.0}, resources, "relprobe x")


def test_files_that_no_rule_makes_are_named():
    message = "MissingInputException in rule a:\nMissing input files for rule a:\n    output: b\n    affected files:\n"
    run = run_of(record("error", f"{message}        c d.csv\n        e.csv\n", exception="MissingInputException"))
    assert run.missing == ["c d.csv", "e.csv"]
    assert run_of(record("error", message, exception="WorkflowError")).missing == []


def test_what_is_said_before_the_run_has_begun_is_no_part_of_it(tmp_path):
    """Such as a fault of the configuration: the last run stays the last one."""
    log = EventLog(tmp_path / "run.jsonl")
    log.emit(record("error", exception="WorkflowError"))
    log.close()
    assert not log.file.exists()
    assert not log.run.error


def test_a_line_that_is_being_written_is_passed_over(tmp_path):
    log = EventLog(tmp_path / "run.jsonl")
    log.emit(BEGIN)
    with log.file.open("a") as file:
        file.write('{"event": "run_in')
    assert read(log.file) == log.run


def test_the_file_of_a_run_that_goes_on_is_left_alone_until_the_new_one_has_jobs(tmp_path):
    """Snakemake refuses a second run in a folder; it has begun by then."""
    file = tmp_path / "run.jsonl"
    goes_on = EventLog(file)
    goes_on.emit(BEGIN)
    refused = EventLog(file)
    refused.emit(record("workflow_started", created=9.0))
    refused.emit(record("error", exception="LockException"))
    refused.close()
    assert read(file) == goes_on.run
    unlocked = EventLog(file)
    unlocked.emit(record("workflow_started", created=11.0))
    unlocked.emit(record("run_info", stats={"a": 1}))
    assert read(file) == unlocked.run


def test_a_further_part_of_a_run_has_jobs_of_its_own_and_knows_what_failed_before(tmp_path):
    file = tmp_path / "run.jsonl"
    first = EventLog(file)
    for said in [BEGIN, record("run_info", stats={"a": 2}), started(1, "a", log=["a.log"]), started(2, "a")]:
        first.emit(said)
    first.emit(record("job_error", jobid=1, log=["a.log"]))
    first.emit(finished(2))
    second = EventLog(file, follows=True)
    for said in [
        record("workflow_started", created=8.0),
        record("run_info", stats={"b": 1}),
        started(1, "b"),
        finished(1),
    ]:
        second.emit(said)
    second.close()
    first.close()  # it has waited for the second
    run = read(file)
    assert (run.counts, run.done, run.failed, [job.rule for job in run.failures]) == ({"b": 1}, 1, set(), ["a"])
    assert (run.begun, run.ended, run.failures[0].logs) == (8.0, True, ("a.log",))


@pytest.mark.parametrize("content", ["", "no JSON\n", '{"event": "job_info"}\n', '{"time": 1}\n', "[]\n"])
def test_a_file_that_is_no_file_of_events_is_written_anew(tmp_path, content):
    file = tmp_path / "run.jsonl"
    file.write_text(content)
    log = EventLog(file)
    log.emit(BEGIN)
    assert read(file) == log.run


def test_a_file_that_cannot_be_written_is_said_once_and_the_run_goes_on(tmp_path, caplog):
    (tmp_path / "a").touch()
    log = EventLog(tmp_path / "a/run.jsonl")
    log.emit(BEGIN)
    log.emit(record("run_info", stats={"a": 1}))
    (warning,) = caplog.records
    assert "a/run.jsonl cannot be written (" in warning.getMessage()
    assert log.run.counts == {"a": 1}


def test_a_key_reaches_no_event(tmp_path):
    note_secret("open-sesame-9")
    log = EventLog(tmp_path / "run.jsonl")
    log.emit(BEGIN)
    log.emit(started(1, "a", command="x --key open-sesame-9"))
    assert "sesame" not in log.file.read_text()
    assert read(log.file).jobs[1].command == "x --key ***"


SNAKEFILE = """
import logging
from relprobe.command.events import EventLog, FILE
from snakemake.logging import logger
logger.addHandler(EventLog(FILE))
rule b:
    input: "a.txt"
    output: "b {n}.txt"
    log: "b {n}.log"
    resources: mem_mb=70
    shell: "exit {wildcards.n}"
rule a:
    output: "a.txt"
    shell: "touch {output}"
"""


@pytest.fixture
def snakemake_here(tmp_path):
    """Runs Snakemake in a folder with a job that fails, and returns the run of its events."""
    (tmp_path / "Snakefile").write_text(SNAKEFILE)

    def of(*words):
        command = [sys.executable, "-m", "snakemake", "--cores", "1", *words]
        variables = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
        done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
        assert (tmp_path / FILE).exists(), done.stderr
        return read(tmp_path / FILE)

    return of


def test_snakemake_itself_logs_such_events(snakemake_here):
    run = snakemake_here("b 1.txt")
    assert (run.counts, run.done, run.failed, run.ended) == ({"a": 1, "b": 1}, 1, {0}, True)
    (failed,) = [run.jobs[number] for number in run.failed]
    assert (failed.rule, failed.wildcards, failed.logs) == ("b", {"n": "1"}, ("b 1.log",))
    assert failed.resources["mem_mb"] == 70
    assert failed.reason.startswith("Missing output files: ")
    assert failed.command == "exit 1"
    nothing = snakemake_here("a.txt")
    assert (nothing.total, nothing.ended, nothing.error) == (0, True, False)


def test_each_line_is_json(tmp_path):
    log = EventLog(tmp_path / "run.jsonl")
    log.emit(BEGIN)
    log.emit(started(1, "a", resources={"odd": Path("x")}))
    assert [json.loads(line)["event"] for line in log.file.read_text().splitlines()] == ["workflow_started", "job_info"]


def of_scores(count, *seconds, running=()):
    """A run of `count` jobs that score, of which some took these seconds, and others began at these times."""
    run = RunState(counts={"scores": count - 1, "show": 1}, finished=dict(enumerate(seconds)))
    run.jobs = {number: Job(number, "scores", start=0) for number in run.finished}
    run.jobs |= {100 + place: Job(100 + place, "scores", start=start) for place, start in enumerate(running)}
    return run


def test_the_seconds_that_are_left_by_hand():
    """Two jobs took 15 s on average; of two that run, one has 5 s left and one none; 6 more and the page take 15 s each."""
    assert of_scores(11, 10, 20, running=(90, 40)).seconds_left(now=100) == (5 + 0 + 6 * 15 + 15) / 2
    assert of_scores(11, 10, 20).seconds_left(now=100) == 8 * 15 + 15


@pytest.mark.parametrize(("count", "known"), [(10, True), (11, False), (2, True)])
def test_nothing_is_estimated_before_a_tenth_is_done(count, known):
    assert (of_scores(count, 10).seconds_left(now=0) is not None) is known
    assert of_scores(count).seconds_left(now=0) is None


def test_what_a_job_says_of_itself_is_kept():
    run = run_of(
        started(
            1, "scores", at=5.0, output=["a", "b"], log=["l"], reason="Missing output files: a", command="python x"
        ),
        record("job_error", jobid=1, log=["other.log"]),
        started(2, "scores", output=None, log=None, reason=None, wildcards=None, resources=None),
        record("job_error", jobid=2, log=None),
    )
    first, second = run.failures
    assert (first.outputs, first.logs, first.reason, first.command) == (
        *(("a", "b"), ("other.log",)),
        *("Missing output files: a", "python x"),
    )
    assert (second.outputs, second.logs, second.reason, second.wildcards, second.resources) == ((), (), "", {}, {})
