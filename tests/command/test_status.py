"""`relprobe status`: what the logs of a run say of it, while it goes on and after it."""

import platform
from datetime import datetime

import pytest
from relprobe.command import status
from relprobe.command.costs import Plan

NOW = datetime(2026, 11, 27, 13, 2, 10)
HEAD = f"""SNAKEMAKE
  Date: 2026-11-27 12:55:40
  Host: {platform.node()}
Building DAG of jobs...
"""
PLAN = """Job stats:
job                 count
----------------  -------
models_lexicon          1
relations_scores        2
all                     1
total                   4

"""


def started(number, rule, wildcards):
    return (
        f"[Fri Nov 27 13:00:10 2026]\nlocalrule {rule}:\n    input: a, b\n    log: {rule}-{wildcards}.log\n"
        f"    jobid: {number}\n    wildcards: model={wildcards}\n    resources: mem_mb=1\n"
    )


def finished(number, rule, done):
    return f"[Fri Nov 27 13:01:19 2026]\nFinished jobid: {number} (Rule: {rule})\n{done} of 4 steps (25%) done\n"


HALF = (
    HEAD
    + PLAN
    + started(1, "models_lexicon", "a")
    + finished(1, "models_lexicon", 1)
    + started(2, "relations_scores", "b")
)
ENDED = "Complete log(s): x.log\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status.LOGS.mkdir(parents=True)
    return tmp_path


def said(log, *, runs=False):
    return list(status.lines(log, NOW, runs=runs))


def test_a_run_says_what_is_done_what_runs_and_how_far_it_is(folder):
    (folder / "relations_scores-b.log").write_text(
        "13:00:37 1,255 of 3,954 probes (32%), 65 a second, 41 s left\n"
        "13:00:51 2,168 of 3,954 probes (55%), 66 a second, 27 s left\n13:00:52 wrote x of y\n"
    )
    assert said(HALF, runs=True) == [
        "A run goes on for 6 min: 1 of 4 jobs is done (25%).",
        "  relations_scores b: since 2 min, 2,168 of 3,954 probes (55%), 66 a second, 27 s left",
        "  models        1 of 1",
        "  relations     0 of 2",
    ]


def test_a_job_that_fails_is_no_longer_listed_and_its_word_is_said_after_the_run(folder):
    failed = (
        HALF
        + "Error in rule relations_scores:\n    message: None\n    jobid: 2\n    log: l.log (check log file(s) for it)\n"
    )
    (folder / "l.log").write_text("13:00:37 Error: a.csv has no rows\n")
    assert [line for line in said(failed, runs=True) if "since" in line] == []
    text = "\n".join(said(failed + ENDED))
    assert (
        "The last run, of 2026-11-27 12:55, failed: 1 of 4 jobs is done (25%).\nl failed: 13:00:37 Error: a.csv has no"
        in text
    )


@pytest.mark.parametrize(
    ("log", "sentence"),
    [
        (HALF, "The last run, of 2026-11-27 12:55, was cut off: 1 of 4 jobs is done (25%)."),
        (
            HALF + "4 of 4 steps (100%) done\n" + ENDED,
            "The last run, of 2026-11-27 12:55, is complete: 4 of 4 jobs are done",
        ),
        (HALF + "Terminating processes on user request\n" + ENDED, "Stopped: 1 of 4 jobs is finished and kept"),
        (HEAD, "The last run, of 2026-11-27 12:55, ended before its first job."),
        (HEAD + "Nothing to be done (all requested files are present)", "had nothing to do."),
    ],
)
def test_after_a_run_it_says_that_nothing_runs_and_how_it_ended(log, sentence):
    first, second, *_ = said(log)
    assert first == status.IDLE
    assert sentence in second


def test_a_run_of_another_machine_cannot_be_seen():
    there = HALF.replace(platform.node(), "node17")
    assert said(there)[0].startswith("The run was started on node17, and only there")


def test_many_running_jobs_stand_on_one_screen():
    many = HEAD + PLAN + "".join(started(number, "relations_scores", number) for number in range(300))
    shown = said(many, runs=True)
    assert len(shown) < 24
    assert "  and 288 more" in shown


def test_a_log_that_a_process_holds_open_is_that_of_a_run(folder, capsys):
    assert status.main([]) == 0
    assert capsys.readouterr().out == "Nothing has run in this folder yet: `relprobe run` begins.\n"
    log = status.LOGS / "1.snakemake.log"
    with log.open("w") as file:
        file.write(HALF)
        file.flush()
        assert status.main([]) == 0
        assert capsys.readouterr().out.startswith("A run goes on for ")
    plan = Plan({"relations_scores": 1, "relations_show": 1}, {"have other settings or code": ["relations_scores"]})
    assert status.main([], plan=lambda variables: plan) == 0
    out = capsys.readouterr().out
    assert out.startswith("Nothing runs here.\nThe last run, of 2026-11-27 12:55, was cut off")
    assert out.endswith(
        "The next run would do 2 jobs, of which 1 run a model.\n"
        "Results that have other settings or code: those of relations_scores, and what follows.\n"
    )


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        (Plan({}, {}), "The next run has nothing to do: all results are there and up to date."),
        ("config.yaml, line 3: unknown key", "The next run cannot be planned: config.yaml, line 3: unknown key"),
    ],
)
def test_it_says_what_the_next_run_would_do(plan, sentence):
    assert list(status.next_run(plan)) == [sentence]
