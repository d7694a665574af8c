"""How a command ends: after Ctrl-C in one line without a traceback, and otherwise at once."""

import errno
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from relprobe.command import process
from relprobe.command.events import Job, RunState
from relprobe.core.interrupts import MOMENT_S, press

from tests.paths import SCRIPTS

INTERRUPTED = """
import sys
from relprobe import __main__, steps
def interrupted(*_): raise KeyboardInterrupt
__main__.main = interrupted
sys.argv = ["relprobe", *{words}]
__main__.run()
"""


@pytest.mark.parametrize(("words", "said"), [(["relations", "tuples"], ""), (["score"], "\nStopped.\n")])
def test_a_step_that_is_stopped_shows_no_traceback_and_dies_of_the_signal(words, said):
    code = INTERRUPTED.format(words=words)
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, said)


def test_a_command_ends_without_a_search_for_garbage():
    """Python's own at its end would walk through all objects of torch and transformers for a second."""
    code = "import gc, sys; sys.argv = ['relprobe', '--help']; from relprobe import __main__; __main__.run()"
    code += "; print(gc.get_freeze_count() > 0)"
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.parametrize(
    "words", ["--help", "--version", "init --help", "run --help", "relations", "relations scores --help"]
)
def test_a_command_whose_reader_has_left_ends_quietly(words):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "relprobe", *words.split()]
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    done = subprocess.run(command, env=environment, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    of_argparse = words in ("init --help", "relations scores --help")  # it passes over a reader that has left
    assert (done.returncode, done.stderr) == (0 if of_argparse else 128 + signal.SIGPIPE, "")


@pytest.fixture
def set_back(monkeypatch):
    """Set back what `main` sets for the rest of a process, which is that of all tests here."""
    handler = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setenv(process.TARGETS, "[]")
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("set_back")
def test_the_words_for_what_is_to_be_made_are_told_to_the_workflow_once(monkeypatch):
    told = []
    monkeypatch.setattr("snakemake.cli.main", lambda: told.append([process.take_targets(), process.take_targets()]))
    monkeypatch.setattr(sys, "argv", ["relprobe", "relations", "x.csv", "--cores", "2", "-n", "--config", "a=b"])
    process.main()
    assert told == [[["relations", "x.csv"], []]]


@pytest.mark.usefixtures("set_back")
def test_snakemake_that_is_stopped_while_it_plans_ends_in_one_line(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("snakemake.cli.main", interrupted)
    monkeypatch.setattr(sys, "argv", ["relprobe", "-n"])
    with pytest.raises(SystemExit) as end:
        process.main()
    assert end.value.code == 130
    assert capsys.readouterr().err == f"\n{process.STOPPED}\n"


WAITING = """
import os, signal, sys, threading, time
import snakemake.cli
from relprobe.command import process
def press():
    while threading.main_thread().is_alive():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
def ended():
    threading.Thread(target=press).start()
    print("Stopped.")
    sys.exit(1)
snakemake.cli.main = ended
process.main()
"""
"""A run that has ended, a thread of which is still at work when Ctrl-C is pressed."""


def test_a_further_ctrl_c_after_the_end_adds_nothing():
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    command = [sys.executable, "-c", WAITING]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (process.ENDED, "Stopped.\n", "")


STOPPING = """
import signal, sys, threading
import snakemake.cli
from relprobe.command import process
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its background processes ignore it
def scheduler():
    import polars  # as the workflow does, which Snakemake reads
    ended = threading.Event()
    threading.Thread(target=lambda: [sys.stdin.readline(), ended.set()]).start()
    while not ended.is_set():
        try:
            print("waiting", flush=True)
            ended.wait()
        except KeyboardInterrupt:
            print("stopping", flush=True)
    print("stopped", flush=True)
snakemake.cli.main = scheduler
process.main()
"""
"""A run that waits for its job, after Ctrl-C as well, as Snakemake does; a further interrupt shows as another line."""


def test_a_second_ctrl_c_does_not_cut_off_the_wait_for_the_jobs_and_a_third_does():
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    command = [sys.executable, "-c", STOPPING]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as run:
        assert run.stdout.readline() == "waiting\n"
        for shown in (["stopping\n", "waiting\n"], [], ["stopping\n", "waiting\n"]):
            run.send_signal(signal.SIGINT)
            assert [run.stdout.readline() for _ in shown] == shown
            time.sleep(0.2)  # a signal that comes before Python has handled the last one is the same signal
        out, error = run.communicate("\n")
    assert (run.returncode, out, error) == (0, "stopped\n", "")


def test_an_interrupt_that_python_could_not_raise_is_pressed_again_and_counts_once(capsys):
    waited = []

    def wait(seconds, function):
        waited.append((seconds, function))
        return SimpleNamespace(start=lambda: None)

    interrupts = process.Interrupts(wait)
    with pytest.raises(KeyboardInterrupt):
        interrupts.press()
    interrupts.again(SimpleNamespace(exc_type=KeyboardInterrupt))
    assert waited == [(MOMENT_S, press)]
    with pytest.raises(KeyboardInterrupt):
        interrupts.press()
    interrupts.press()  # the second one
    assert capsys.readouterr().err == ""


DROPPED = """
import signal, sys, time
import snakemake.cli
from relprobe.command import process
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its background processes ignore it
class Dropped:
    def __del__(self):
        print("dropping", flush=True)
        sys.stdin.readline()
        time.sleep(0.1)
def planning():
    dropped = Dropped()
    del dropped
    time.sleep(60)
    print("went on")
snakemake.cli.main = planning
sys.argv = ["relprobe", "-n"]
process.main()
"""
"""A run that removes an object when Ctrl-C is pressed."""


def test_an_interrupt_while_python_removes_an_object_stops_the_run_without_a_traceback():
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", DROPPED], env=environment, text=True, **pipes) as run:
        assert run.stdout.readline() == "dropping\n"
        run.send_signal(signal.SIGINT)
        out, error = run.communicate("\n", timeout=50)  # it does not wait to the end of its sleep
    assert (run.returncode, out, error) == (process.ENDED, "", f"\n{process.STOPPED}\n")


FORKING = """
import os, sys
from relprobe import __main__
def job(*_):
    os.register_at_fork(after_in_parent=interrupted)
    os.waitpid(os.fork() or os._exit(0), 0)
    time.sleep(60)
    print("went on")
def interrupted():
    print("forking", flush=True)
    sys.stdin.readline()
    time.sleep(0.1)
import signal, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets its background processes ignore it
__main__.dispatch, __main__.main = (lambda *_: None), job
sys.argv = ["relprobe", "relations", "scores"]
sys.exit(__main__.run())
"""
"""A job that forks when Ctrl-C is pressed, as it does to read a rule of a tokenizer that may not end."""


def test_an_interrupt_while_a_job_forks_stops_it_without_a_traceback():
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", FORKING], env=environment, text=True, **pipes) as run:
        assert run.stdout.readline() == "forking\n"
        run.send_signal(signal.SIGINT)
        out, error = run.communicate("\n", timeout=50)
    assert (run.returncode, out, error) == (-signal.SIGINT, "", "")


def test_before_the_first_job_is_done_none_of_the_total_is_kept():
    run = RunState(counts={"scores": 28}, stopped=True)
    assert process.stop_message(run).startswith("Stopped: 0 of 28 jobs are finished and kept")


def test_a_run_without_a_count_says_so_in_general():
    assert process.stop_message(RunState(stopped=True)) == process.STOPPED


@pytest.mark.parametrize(
    ("said", "number", "expected"),
    [
        ("12:00 Error: words.csv is gone: add it.\n", None, "12:00 Error: words.csv is gone: add it."),
        ("", None, "it was killed, or did not start"),
        ("", errno.ENOSPC, "the disk is full ([Errno 28] No space left on device): free some space and run again"),
        ("", errno.EIO, "its log cannot be written ([Errno 5] Input/output error)"),
    ],
)
def test_a_step_that_left_no_word_may_have_had_no_room_for_one(tmp_path, monkeypatch, said, number, expected):
    log = tmp_path / "scores of a b.log"
    log.write_text(said)

    def full(**_):
        raise OSError(number, os.strerror(number))

    if number is not None:
        monkeypatch.setattr("tempfile.TemporaryFile", full)
    jobs = {number: Job(number, "scores", 0, logs=(str(log),)) for number in (1, 2)}
    sentences = list(process.failures(RunState(jobs=jobs, failed={1, 2})))
    assert sentences == [f"scores of a b failed: {expected} (log: {log})"]
