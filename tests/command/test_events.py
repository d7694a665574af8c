"""The events of a run: what is kept of Snakemake's log, and the file of them."""

import json
import logging
import os
import platform
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from relprobe.command import events
from relprobe.command.events import FILE, EventLog, Job, RunState, event_of, read
from relprobe.core.inside_snakemake import PlannedJob
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


@pytest.mark.parametrize(
    "content",
    ["", "no JSON\n", '{"event": "job_info"}\n', '{"time": 1}\n', "[]\n", '{"event": "run_info", "stats": []}\n'],
)
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


def score_jobs(count, *seconds, running=()):
    """A run of `count` jobs that score, of which some took these seconds, and others began at these times."""
    run = RunState(counts={"scores": count - 1, "show": 1}, finished=dict(enumerate(seconds)))
    run.jobs = {number: Job(number, "scores", start=0) for number in run.finished}
    run.jobs |= {100 + place: Job(100 + place, "scores", start=start) for place, start in enumerate(running)}
    return run


def test_the_seconds_that_are_left_by_hand():
    """Two jobs took 15 s on average; of two that run, one has 5 s left and one none; 6 more and the page take 15 s each."""
    assert score_jobs(11, 10, 20, running=(90, 40)).seconds_left(now=100) == (5 + 0 + 6 * 15 + 15) / 2
    assert score_jobs(11, 10, 20).seconds_left(now=100) == 8 * 15 + 15


@pytest.mark.parametrize(("count", "known"), [(10, True), (11, False), (2, True)])
def test_nothing_is_estimated_before_a_tenth_is_done(count, known):
    assert (score_jobs(count, 10).seconds_left(now=0) is not None) is known
    assert score_jobs(count).seconds_left(now=0) is None


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


def test_what_a_dry_run_says_of_its_jobs_at_its_end_once_more_is_passed_over():
    plans = []
    log = EventLog(None, planned=lambda: plans.append(1) or {5: PlannedJob("a", None)}, cluster=lambda: True)
    log.emit(BEGIN)
    log.emit(record("run_info", stats={"a": 2, "total": 2}))
    log.emit(record("run_info", stats={"b": 1, "total": 1}))
    assert (plans, log.run.counts, log.run.cluster, log.run.total) == ([1], {"a": 2}, True, 2)
    assert log.run.planned == {5: PlannedJob("a", None)}


def test_the_end_of_a_run_is_noted_once_and_not_by_a_fork_of_it(tmp_path):
    log = EventLog(tmp_path / "run.jsonl")
    log.emit(BEGIN)
    log._process += 1  # as if this were a fork of that process
    log.close()
    assert not read(log.file).ended
    log._process -= 1
    log.close()
    log.close()
    assert [json.loads(line)["event"] for line in log.file.read_text().splitlines()] == [
        "workflow_started",
        "run_ended",
    ]
    assert read(log.file).ended


def test_a_file_lies_where_the_run_has_begun_and_a_line_that_ends_inside_a_character_is_passed_over(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    log = EventLog(Path("run.jsonl"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    log.emit(BEGIN)
    assert log.file == tmp_path / "run.jsonl"
    with log.file.open("ab") as file:
        file.write('{"event": "é'.encode()[:-1])
    assert read(log.file) == log.run
    assert read(tmp_path / "nowhere.jsonl") is None


def test_a_further_part_of_a_run_without_a_file_begins_one(tmp_path):
    log = EventLog(tmp_path / "run.jsonl", follows=True)
    log.emit(BEGIN)
    assert read(log.file) == log.run
    nowhere = EventLog(None, follows=True)
    nowhere.emit(BEGIN)
    assert nowhere.run.begun == 7.0


def test_a_run_may_go_on_while_its_own_process_is_there_on_this_machine_or_it_is_elsewhere():
    number, start = events.this_process()
    here = {"begun": 7.0, "host": platform.node()}
    assert number == os.getpid()
    for process, goes_on in (
        ((number, start), True),
        ((number, start + 1.5), True),  # the clock has been set by a moment
        ((number, start - 1.5), True),
        ((number, start + 2.5), False),  # another process has its number now
        ((number, start - 2.5), False),
        ((2**22 + 1, start), False),  # more than Linux gives
    ):
        assert events.may_go_on(RunState(**here, process=process)) is goes_on
    own = {"process": (number, start)}
    assert not events.may_go_on(RunState(**here, **own, ended=True))
    assert not events.may_go_on(RunState(host=platform.node(), **own))
    assert events.may_go_on(RunState(begun=7.0, host="elsewhere", process=(2**22 + 1, 0.0)))


def test_what_is_said_of_a_job_that_was_never_announced_is_passed_over():
    run = run_of(started(1, "a"), finished(2), record("job_error", jobid=3, log=[]), record("group_info", group_id="g"))
    assert (run.finished, run.failed, [job.number for job in run.running], run.groups) == ({}, set(), [1], 1)


def test_the_jobs_of_a_run_are_running_finished_or_failed():
    jobs = [started(number, "a", at=1.0, log=[f"{number}.log"]) for number in (1, 9, 2, 4)]
    failing = [record("job_error", jobid=number, log=[]) for number in (9, 2)]
    run = run_of(
        *jobs, *failing, finished(1, 3.0), left_behind=[Job(7, "b", 0.0)], counts={"a": 4}, cluster=True, local={"b"}
    )
    assert ([job.number for job in run.running], [job.number for job in run.failures]) == ([4], [7, 2, 9])
    assert (run.done, run.total, run.finished) == (1, 4, {1: 2.0})
    assert [run.is_submitted(job) for job in (run.jobs[4], Job(7, "b", 0.0))] == [True, False]
    run.note(event_of(started(9, "a")))  # it is tried again
    assert [job.number for job in run.failures] == [7, 2]
    assert not RunState(jobs=run.jobs).is_submitted(run.jobs[4])


def test_the_pages_of_a_run_are_those_of_studies_whose_job_is_done():
    relations_wildcards = {"wildcards": {"study": "relations"}}
    run = run_of(
        *(started(1, events.PAGE, **relations_wildcards), finished(1)),
        *(started(2, events.FIRST, wildcards={"study": "degrees"}), finished(2)),
        started(3, events.PAGE, wildcards={"study": "pairs"}),
    )
    run.finished[99] = 1.0  # of an earlier part
    assert list(run.pages()) == ["relations"]


def test_jobs_that_took_the_place_of_others_leave_no_time_to_be_taken_back():
    """Of a rule more jobs have run than the plan has, as after a checkpoint; of a job that is slow nothing is left."""
    run = RunState(counts={"a": 1, "b": 1}, finished={1: 10.0, 2: 10.0})
    run.jobs = {1: Job(1, "a", 0), 2: Job(2, "a", 0), 3: Job(3, "b", 0)}
    assert run.seconds_left(now=4.0) == 6.0
    assert run.seconds_left(now=40.0) == 0.0


def test_a_part_of_a_run_has_its_own_jobs_that_are_done():
    jobs = {
        **{1: PlannedJob("relations_scores", None), 2: PlannedJob("relations_show", None)},
        **{
            3: PlannedJob("report_study", "relations"),
            4: PlannedJob("models_lexicon", None),
            5: PlannedJob("all", None),
        },
    }
    run = RunState(planned=jobs, finished={1: 1.0, 3: 1.0, 5: 1.0, 8: 1.0})
    assert list(events.jobs_by_part(run)) == [("models", 0, 1), ("relations", 2, 3)]


def test_ctrl_c_is_an_event_though_snakemake_has_none_of_it():
    stop = logging.makeLogRecord(
        {"msg": "Terminating processes on user request, this might take some time.", "created": 5.0}
    )
    assert event_of(stop) == {"event": "stopped", "time": 5.0}
    run = run_of(stop, BEGIN)
    assert run.stopped
    assert not run.error


def test_those_who_listen_hear_of_an_event_that_the_run_knows_already():
    heard = []
    log = EventLog(None)
    log.followers.append(SimpleNamespace(hear=lambda event: heard.append((event["event"], log.run.begun))))
    log.emit(record("error", exception="X"))  # before the run has begun
    log.emit(logging.makeLogRecord({"msg": "x"}))
    log.emit(BEGIN)
    assert heard == [("workflow_started", 7.0)]
