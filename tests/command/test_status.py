"""`relprobe status`: what the events of a run say of it, while it goes on and after it."""

import json
import logging
import platform
from datetime import datetime

import pytest
from relprobe.command import status
from relprobe.command.costs import Plan
from relprobe.command.events import FILE, PAGE, EventLog
from relprobe.core.inside_snakemake import PlannedJob
from relprobe.core.progress import State, StateFile, state_path

from tests.command.events import finished, record, started

BEGUN = datetime(2026, 11, 27, 12, 55, 40).timestamp()
NOW = datetime(2026, 11, 27, 13, 2, 10)
STARTED = datetime(2026, 11, 27, 13, 0, 10).timestamp()
RULES = ["models_lexicon", "relations_scores", "relations_scores"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scores(number, model):
    rule = "relations_scores"
    return started(
        number, rule, STARTED, wildcards={"model": model}, log=[f"{rule}-{model}.log", f"slurm-{number}.log"]
    )


BEGIN = record("workflow_started", created=BEGUN)
PLAN = record("run_info", stats={"models_lexicon": 1, "relations_scores": 2, "all": 1, "total": 4})
FIRST = [started(1, "models_lexicon", STARTED, wildcards={"model": "a"}), finished(1, STARTED + 3)]
HALF = [BEGIN, PLAN, *FIRST, scores(2, "b")]
STOP = logging.makeLogRecord({"msg": "Terminating processes on user request, this might take some time."})


def log_of(*records, planned=()):
    """The log of a run's events, which this process writes."""
    log = EventLog(FILE, planned=lambda: dict(enumerate(planned, start=1)))
    for said in records:
        log.emit(said)
    return log


def said(*records, ends=True):
    """What is said of a run by the file of its events; it has `ended`, or goes on in this process."""
    log = log_of(*records, planned=[PlannedJob(rule, None) for rule in [*RULES, "all"]])
    if ends:
        log.close()
    return list(status.lines(status.read(), NOW))


def kill():
    """Let the file be that of a process which is not there any more."""
    lines = FILE.read_text().splitlines()
    first = json.loads(lines[0])
    first["process"][1] += 100
    FILE.write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")


def test_a_run_says_what_is_done_what_runs_and_how_far_it_is(folder):
    state = State(STARTED + 1, 2168, 3954, "probes", seconds=33.0)
    StateFile(state_path(folder / "relations_scores-b.log"), state).write(state)
    assert said(*HALF, ends=False) == [
        "A run goes on for 6 min: 1 of 4 jobs is done (25%).",
        "  relations_scores b: since 2 min, 2,168 of 3,954 probes (55%), 66 a second, 27 s left",
        "  models        1 of 1",
        "  relations     0 of 2",
    ]


def write_state(folder, model, begun):
    StateFile(state_path(folder / f"relations_scores-{model}.log"), state := State(begun)).write(state)


def test_what_a_cluster_has_not_begun_waits_in_the_queue(folder):
    """A job is submitted when Snakemake says that it starts; what a killed try has left behind is no beginning."""
    jobs = [scores(number, model) for number, model in enumerate("bcd", start=2)]
    local = started(5, "models_lexicon", STARTED, wildcards={"model": "e"}, log=["models_lexicon-e.log"])
    write_state(folder, "b", STARTED + 90)
    write_state(folder, "d", STARTED - 90)
    log = EventLog(FILE, local=lambda: ["models_lexicon"], cluster=lambda: True)
    for event in [BEGIN, PLAN, *jobs, local]:
        log.emit(event)
    assert [line for line in status.lines(status.read(), NOW) if "since" in line] == [
        "  relations_scores b: since 30 s",
        "  relations_scores c: waits in the queue since 2 min",
        "  relations_scores d: waits in the queue since 2 min",
        "  models_lexicon e: since 2 min",
    ]


def test_without_a_cluster_nothing_waits_in_a_queue(folder):
    write_state(folder, "b", STARTED + 90)
    assert [line for line in said(*HALF, scores(3, "c"), ends=False) if "since" in line] == [
        "  relations_scores b: since 2 min",
        "  relations_scores c: since 2 min",
    ]


def test_before_its_jobs_are_known_a_run_plans():
    assert said(BEGIN, ends=False) == ["A run goes on for 6 min: it plans its jobs."]


def test_a_page_belongs_to_its_study():
    jobs = [PlannedJob("degrees_show", None), PlannedJob(PAGE, "degrees"), PlannedJob("report_index", None)]
    log = log_of(BEGIN, record("run_info", stats={"degrees_show": 1, PAGE: 1, "report_index": 1}), planned=jobs)
    assert [*status.by_part(log.run)] == ["  degrees     0 of 2", "  report      0 of 1"]


ERROR = record("job_error", jobid=2, log=["l.log", "slurm-2.log"])


def test_a_job_that_fails_is_no_longer_listed_and_its_word_is_said_after_the_run(folder):
    (folder / "l.log").write_text("13:00:37 Error: a.csv has no rows\n")
    assert [line for line in said(*HALF, ERROR, ends=False) if "since" in line] == []
    text = "\n".join(said(*HALF, ERROR))
    assert (
        "The last run, of 2026-11-27 12:55, failed: 1 of 4 jobs is done (25%).\nl failed: 13:00:37 Error: a.csv" in text
    )
    assert "(log: l.log, slurm-2.log)" in text


def test_a_job_that_a_second_try_has_made_has_not_failed(folder):
    (folder / "l.log").write_text("13:00:37 Error: a.csv has no rows\n")
    assert "failed: 13:00" not in "\n".join(said(*HALF, ERROR, scores(2, "b"), finished(2)))


@pytest.mark.parametrize(
    ("records", "sentence"),
    [
        (
            [*HALF, finished(2), scores(3, "c"), finished(3), started(0, "all"), finished(0)],
            "The last run, of 2026-11-27 12:55, is complete: 4 of 4 jobs are done",
        ),
        ([*HALF, STOP], "Stopped: 1 of 4 jobs is finished and kept"),
        ([BEGIN, record("error", exception="X")], "The last run, of 2026-11-27 12:55, ended before its first job."),
        ([BEGIN], "had nothing to do."),
    ],
)
def test_after_a_run_it_says_that_nothing_runs_and_how_it_ended(records, sentence):
    first, second, *_ = said(*records)
    assert first == status.IDLE
    assert sentence in second


def test_a_run_that_goes_on_without_what_failed_says_both(folder):
    (folder / "l.log").write_text("13:00:37 Error: a.csv has no rows\n")
    log_of(*HALF, ERROR)
    follow_up = EventLog(FILE, follows=True)
    for event in [BEGIN, record("run_info", stats={"relations_show": 1}), started(1, "relations_show"), finished(1)]:
        follow_up.emit(event)
    follow_up.close()
    _, end, failure = status.lines(status.read(), NOW)
    assert end.endswith("went on without what failed: 1 of 1 job is done (100%).")
    assert failure.startswith("l failed: 13:00:37 Error: a.csv has no rows")


def test_a_part_that_goes_on_without_what_failed_and_is_not_complete_has_failed_or_was_cut_off():
    log_of(*HALF, ERROR)
    follow_up = EventLog(FILE, follows=True)
    for event in [BEGIN, record("run_info", stats={"relations_show": 2}), started(1, "relations_show"), finished(1)]:
        follow_up.emit(event)
    assert "was cut off: 1 of 2 jobs is done (50%)." in status._end(status.read())
    follow_up.close()
    assert status._end(status.read()).endswith(" failed: 1 of 2 jobs is done (50%).")


def test_a_run_that_was_killed_is_cut_off_also_if_its_number_is_that_of_a_new_process():
    said(*HALF, ends=False)
    kill()
    assert [*status.lines(status.read(), NOW)][:2] == [
        status.IDLE,
        "The last run, of 2026-11-27 12:55, was cut off: 1 of 4 jobs is done (25%). The same command goes on with the rest.",
    ]


def test_a_run_that_is_killed_while_it_plans_ends_before_its_first_job():
    said(BEGIN, ends=False)
    kill()
    assert "ended before its first job." in [*status.lines(status.read(), NOW)][1]


def test_a_run_of_another_machine_cannot_be_seen(monkeypatch):
    said(*HALF, ends=False)
    here = platform.node()
    monkeypatch.setattr(platform, "node", lambda: "elsewhere")
    assert next(status.lines(status.read(), NOW)).startswith(f"The run was started on {here}, and only there")


def test_many_running_jobs_stand_on_one_screen():
    shown = said(BEGIN, PLAN, *(scores(number, str(number)) for number in range(300)), ends=False)
    assert len(shown) < 24
    assert "  and 288 more" in shown


def test_it_says_what_runs_here_and_what_the_next_run_would_do(capsys):
    assert status.main([]) == 0
    assert capsys.readouterr().out == "Nothing has run in this folder yet: `relprobe run` begins.\n"
    log = log_of(*HALF)
    assert status.main([]) == 0
    assert capsys.readouterr().out.startswith("A run goes on for ")
    log.close()
    plan = Plan({"relations_scores": 1, "relations_show": 1}, {"have other settings or code": ["relations_scores"]})
    assert status.main([], plan=lambda variables: plan) == 0
    out = capsys.readouterr().out
    assert out.startswith("Nothing runs here.\nThe last run, of 2026-11-27 12:55, failed")
    assert out.endswith(
        "The next run would do 2 jobs, of which 1 runs a model.\n"
        "Results that have other settings or code: those of relations_scores, and what follows.\n"
    )


def test_of_a_run_of_an_earlier_version_it_knows_no_end(folder, capsys):
    (folder / ".snakemake/log").mkdir(parents=True)
    (folder / ".snakemake/log/1.snakemake.log").touch()
    assert status.main([], plan=lambda variables: Plan({}, {})) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [status.IDLE, status.NO_EVENTS]


def test_a_damaged_file_of_events_ends_in_one_sentence(capsys):
    log_of(*HALF)
    FILE.write_text(f"{FILE.read_text()}{{\n")
    assert status.main([]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{FILE}: line {len(HALF) + 1} is no event of a run (")
    assert out.endswith("): delete the file; the next run writes it anew.\n")


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (Plan({}, {}), "The next run has nothing to do: all results are there and up to date."),
        ("config.yaml, line 3: unknown key", "The next run cannot be planned: config.yaml, line 3: unknown key"),
    ],
)
def test_it_says_what_the_next_run_would_do(plan, sentence):
    assert list(status.next_run(plan)) == [sentence]


def test_the_next_run_is_not_planned_while_one_goes_on(capsys):
    log_of(*HALF)
    assert status.main([], plan=lambda variables: pytest.fail("nothing is to be planned")) == 0
    assert "would do" not in capsys.readouterr().out


def test_of_a_run_on_another_machine_it_says_what_is_known_and_what_failed(folder, monkeypatch):
    (folder / "l.log").write_text("13:00:37 Error: a.csv has no rows\n")
    said(*HALF, ERROR, ends=False)
    here = platform.node()
    monkeypatch.setattr(platform, "node", lambda: "elsewhere")
    first, second, *parts = status.lines(status.read(), NOW)
    assert first == (
        f"The run was started on {here}, and only there can be seen whether it goes on: 1 of 4 jobs is done (25%)."
    )
    assert second.startswith("l failed: 13:00:37 Error: a.csv has no rows")
    assert parts == ["  models        1 of 1", "  relations     0 of 2"]


def test_a_run_that_goes_on_says_what_failed_after_what_runs(folder):
    (folder / "l.log").write_text("13:00:37 Error: a.csv has no rows\n")
    shown = said(*HALF, scores(3, "c"), ERROR, ends=False)
    assert [line.split()[0] for line in shown] == ["A", "relations_scores", "l", "models", "relations"]


def test_twelve_running_jobs_are_listed_and_of_further_ones_the_number():
    for number, last in ((12, "  relations_scores 11: since 2 min"), (13, "  and 1 more")):
        log = log_of(BEGIN, PLAN, *(scores(place, str(place)) for place in range(number)))
        shown = list(status.running(log.run, NOW))
        assert (len(shown), shown[-1]) == (number, last)


def test_a_job_without_a_log_says_nothing_of_itself_and_one_with_several_wildcards_has_all_in_its_name():
    job = started(7, "degrees_show", STARTED, wildcards={"study": "degrees", "kind": "cloze"}, log=[])
    assert list(status.running(log_of(BEGIN, PLAN, job).run, NOW)) == ["  degrees_show degrees cloze: since 2 min"]


@pytest.mark.parametrize(
    ("done", "total", "words"),
    [
        (0, 0, "0 of 0 jobs are done"),
        (1, 1, "1 of 1 job is done (100%)"),
        (1, 1200, "1 of 1,200 jobs is done (0%)"),
        (1150, 1200, "1,150 of 1,200 jobs are done (96%)"),
    ],
)
def test_jobs_that_are_done_are_said_in_words(done, total, words):
    assert status.jobs_in_words(done, total) == words
