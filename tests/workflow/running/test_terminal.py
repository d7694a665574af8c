"""What `make run` shows on a terminal."""

import logging
import os
import subprocess
import sys

import snakemake_logger_plugin_relprobe as plugin
from relprobe.command.events import Job, RunState
from relprobe.core.progress import State, StateFile, state_path
from snakemake_interface_logger_plugins.settings import OutputSettingsLoggerInterface

from tests.command.events import finished, record, started
from tests.paths import SCRIPTS

SNAKEFILE = """
rule b:
    input: "a.txt"
    output: "b.txt"
    log: "b.log"
    shell: "(echo 'DataError: a.txt has no rows' >&2; exit 1) 2> {log}"
rule a:
    output: "a.txt"
    shell: "touch {output}"
"""


def test_a_failed_step_ends_with_its_own_sentence(tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    process = subprocess.run(
        [sys.executable, "-m", "snakemake", "b.txt", "--cores", "1", "--logger", "relprobe"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS), "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 1
    assert "DataError: a.txt has no rows" in process.stderr
    assert "CalledProcessError" not in process.stderr


def test_the_bar_of_all_jobs_says_how_long_the_run_still_takes(monkeypatch):
    handler = plugin.LogHandler(common_settings=settings(), settings=None)
    handler.note(record("run_info", stats={"scores": 3, "total": 3}))
    handler.note(started(1, "scores", 0.0))
    handler.note(finished(1, 90.0))
    handler.note(started(2, "scores", 90.0))
    bars = handler.progress
    for name in ("Total Progress", "scores"):
        bars.add_task(name, active=1)
    everything, rule_task = bars.tasks
    monkeypatch.setattr(plugin, "time", lambda: 120.0)
    assert bars.columns[-1].render(everything).plain == "about 3 min left"  # 60 s of this job and 90 s of the next
    assert bars.columns[-1].render(rule_task).plain == ""


def test_no_time_is_named_before_a_tenth_of_the_jobs_is_done():
    run = RunState(counts={"words": 2, "scores": 19}, finished={1: 2.0, 2: 2.0})
    run.jobs = {number: Job(number, "words", 0) for number in (1, 2)}
    assert run.seconds_left(now=2) is None
    run.jobs[3], run.finished[3] = Job(3, "scores", 2), 60.0
    assert run.seconds_left(now=62) == 18 * 60


def test_the_clock_of_a_rule_begins_with_its_first_job():
    handler = plugin.LogHandler(common_settings=settings(), settings=None)
    clock = iter([0.0, 100.0, 130.0])
    bar = handler.progress.add_task("scores", total=2, start=False)
    handler.event_handler.progress_display.rule_tasks["scores"] = bar
    handler.progress.tasks[bar].start_time = next(clock)  # when the run began
    handler.progress.get_time = lambda: next(clock)
    handler.begin("scores")
    handler.begin("scores")  # a second job leaves the clock as it is
    assert handler.progress.tasks[bar].start_time == 100.0


def test_the_bars_are_those_of_what_runs_with_what_the_jobs_say_themselves(tmp_path):
    handler = plugin.LogHandler(common_settings=settings(), settings=None)
    rules = {"words": 1, "scores": 2, "metrics": 2}
    handler.display.add_or_update(plugin.TOTAL, 0, 5)
    for rule, number in rules.items():
        handler.display.add_or_update(rule, 0, number, visible=False)
    state = State(1.0, 4000, 17608, "probes", seconds=40.0)
    StateFile(state_path(tmp_path / "b.log"), state).write(state)
    for job, rule, model in [(1, "words", "a"), (2, "scores", "a"), (3, "scores", "b"), (4, "metrics", "a")]:
        handler.note(started(job, rule, wildcards={"model": model}, log=[str(tmp_path / f"{model}.log")]))
    handler.note(record("job_error", jobid=4, log=[]))
    handler.run.counts = {"words": 100}  # how long the run still takes is another test's
    handler.note(finished(1))
    handler.show_what_runs()
    shown = {
        task.description: (handler.progress.columns[-1].render(task).plain, task.fields["active"])
        for task in handler.progress.tasks
        if task.visible
    }
    assert shown == {plugin.TOTAL: ("", 2), "scores": ("b 23%, 2 min left", 2)}


def test_a_page_that_is_ready_is_named_while_the_run_goes_on(capsys):
    handler = plugin.LogHandler(common_settings=settings(), settings=None)
    page, first = (
        [f"results/relations/{name}" for name in names]
        for names in (("report.html", "card.json"), ("first.html", "first.json"))
    )
    files = {"report_first": first, "report_study": page, "scores": ["a.html"]}
    for job, (rule, output) in enumerate(files.items()):
        handler.note(started(job, rule, wildcards={"study": "relations"}, output=output))
    assert "ready" not in capsys.readouterr().err
    for job in range(4):
        handler.note(finished(job))
    shown = " ".join(capsys.readouterr().err.split())
    early = "The first page of relations is ready: results/relations/first.html (relprobe open relations)"
    whole = "The page of relations is ready: results/relations/report.html (relprobe open relations)"
    assert shown == f"{early} {whole}"


def test_nothing_is_shown_after_ctrl_c(capsys):
    handler = plugin.LogHandler(common_settings=settings(), settings=None)
    for text in ("a sentence", "Terminating processes on user request, this might take some time.", "RuleException"):
        handler.emit(logging.makeLogRecord({"msg": text, "levelno": logging.ERROR}))
    shown = capsys.readouterr().err
    assert "a sentence" in shown
    assert "RuleException" not in shown
    assert "Terminating" not in shown


def settings():
    class Settings(OutputSettingsLoggerInterface):
        printshellcmds = False
        nocolor = False
        quiet = None
        debug_dag = False
        verbose = False
        show_failed_logs = False
        stdout = False
        dryrun = False

    return Settings()
