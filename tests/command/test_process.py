"""How a command ends: after Ctrl-C in one line without a traceback, and otherwise at once."""

import errno
import os
import signal
import subprocess
import sys
import time
import warnings
from types import SimpleNamespace

import pytest
from relprobe import __main__
from relprobe.command import process
from relprobe.command.events import EventLog, Job, RunState
from relprobe.core.interrupts import MOMENT_S, press
from relprobe.core.missing import FOLLOWS
from relprobe.steps import COMMANDS, GROUPS

from tests.command.events import record
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


@pytest.fixture
def entry(monkeypatch):
    """The entry of the command line, whose signals and whose search for garbage are those of no process."""
    said = SimpleNamespace(killed=[], frozen=0)

    def freeze():
        said.frozen += 1

    monkeypatch.setattr(__main__, "gc", SimpleNamespace(freeze=freeze))
    monkeypatch.setattr(__main__, "os", SimpleNamespace(getpid=lambda: 7, kill=lambda *how: said.killed.append(how)))
    ignored = SimpleNamespace(SIGINT=signal.SIGINT, SIG_DFL=signal.SIG_DFL, signal=lambda *how: said.killed.append(how))
    monkeypatch.setattr(__main__, "signal", ignored)
    return said


@pytest.mark.parametrize(
    ("words", "said"), [([], ""), (["--version"], "\nStopped.\n"), (["run"], "\nStopped.\n"), (["relations", "x"], "")]
)
def test_a_command_that_is_stopped_says_so_and_a_step_leaves_the_word_to_snakemake(
    entry, monkeypatch, capsys, words, said
):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(__main__, "dispatch", interrupted)
    assert __main__._run(words) == 130
    assert capsys.readouterr().err == said
    assert entry.killed == [(signal.SIGINT, signal.SIG_DFL), (7, signal.SIGINT)]
    assert entry.frozen == 1


def test_words_that_are_no_command_are_those_of_a_step(entry, monkeypatch):
    asked = []
    monkeypatch.setattr(__main__, "main", lambda *given: asked.append(given) or 4)
    for status in (0, 2):
        monkeypatch.setattr(__main__, "dispatch", lambda *_, status=status: status)
        assert __main__._run(["open"]) == status
    assert asked == []
    monkeypatch.setattr(__main__, "dispatch", lambda programs, words, groups: None)
    assert __main__._run(["relations", "x"]) == 4
    assert asked == [(GROUPS, ["relations", "x"], COMMANDS)]
    assert (entry.killed, entry.frozen) == ([], 3)


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
    environment.pop("PYTHONUNBUFFERED", None)  # with it argparse writes at once, and passes over a reader that has left
    done = subprocess.run(command, env=environment, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, "")


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
@pytest.mark.parametrize("hears", [True, False])
def test_a_run_in_the_background_of_a_shell_hears_no_ctrl_c(monkeypatch, hears):
    signal.signal(signal.SIGINT, signal.default_int_handler if hears else signal.SIG_IGN)
    hook, during = sys.unraisablehook, []
    monkeypatch.setattr(
        "snakemake.cli.main", lambda: during.append((signal.getsignal(signal.SIGINT), sys.unraisablehook))
    )
    monkeypatch.setattr(sys, "argv", ["relprobe"])
    process.main()
    ((handler, again),) = during
    if hears:
        assert handler.__func__ is process.Interrupts.press
        assert again.__self__ is handler.__self__
    else:
        assert (handler, again) == (signal.SIG_IGN, hook)


@pytest.mark.usefixtures("set_back")
def test_snakemake_that_is_stopped_while_it_plans_ends_in_one_line(monkeypatch, capsys):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("snakemake.cli.main", interrupted)
    monkeypatch.setattr(sys, "argv", ["relprobe", "-n"])
    with pytest.raises(SystemExit) as end:
        process.main()
    assert end.value.code == 130
    warnings.warn("a task was cut off", RuntimeWarning, stacklevel=1)  # warnings are errors here, and none is shown now
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
    environment.pop("PYTHONUNBUFFERED", None)  # what is not written yet must not be lost
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


def test_of_a_log_the_last_error_is_told_and_of_several_files_the_first_that_has_one(tmp_path):
    silent, first, second = (tmp_path / name for name in ("silent.log", "first.log", "slurm.log"))
    silent.write_text("12:00 all is well\n")
    first.write_bytes(b"12:00 Error: not this one\n12:01 DataError: \xff: a.csv has no rows. \n12:02 on the way\n")
    second.write_text("12:03 Error: the other\n")
    assert (
        process.reason([str(silent), str(tmp_path / "gone.log"), str(first), str(second)])
        == "\ufffd: a.csv has no rows"
    )
    second.write_text("12:03 a defect of relprobe\nlast\n")
    assert process.reason([str(second)]) == "12:03 a defect of relprobe"
    assert process.reason([str(silent)]) == process.reason([]) == process.UNKNOWN
    assert process.reason([str(tmp_path / "no folder/a.log")]) == process.UNKNOWN
    jobs = {
        1: Job(1, "a", 0, logs=(str(first), str(second))),
        2: Job(2, "b", 0),  # such as the target, which has no log
        3: Job(3, "c", 0, logs=(str(second),)),
    }
    assert list(process.failures(RunState(jobs=jobs, failed={1, 2}))) == [
        f"first failed: 12:01 DataError: \ufffd: a.csv has no rows.  (log: {first}, {second})"
    ]


@pytest.mark.parametrize(
    ("missing", "words", "said"),
    [
        ([], ["relations"], None),
        (
            ["a"],
            ["a"],
            "a is not there, and no rule makes such a file: get it back, or correct the path in the configuration.",
        ),
        (["a", "b", "c"], [], "a and 2 more are not there, and no rule makes such a file: get it back, or"),
        (["a"], ["--allowed-rules"], "a is not there, as in results of another version: `relprobe run paper` computes"),
    ],
)
def test_files_that_no_rule_makes_are_one_sentence(missing, words, said):
    sentence = process.missing_message(RunState(missing=missing), words)
    assert sentence == said or sentence.startswith(said)


@pytest.mark.parametrize(
    ("program", "own"),
    [
        ("/usr/bin/snakemake", True),
        ("/lib/relprobe/command/process.py", True),
        ("/lib/snakemake/__main__.py", True),
        ("/lib/relprobe/__main__.py", False),
        ("/usr/bin/pytest", False),
        ("snakemake/notebook.py", False),
    ],
)
def test_only_the_programs_of_snakemake_have_its_words(monkeypatch, program, own):
    monkeypatch.setattr(sys, "argv", [program, "relations"])
    assert process.is_command() is own


def test_what_does_not_depend_on_failed_jobs_is_asked_for_once_more(monkeypatch):
    asked = []

    def run(words, **options):
        asked.append((words, options))
        return SimpleNamespace(returncode=3)

    monkeypatch.setattr(process, "subprocess", SimpleNamespace(run=run))
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(flush=lambda: asked.append("flushed")))
    monkeypatch.setattr(sys, "argv", ["snakemake", "relations", "degrees", "--cores", "2"])
    monkeypatch.delenv(FOLLOWS, raising=False)
    assert process.go_on("/where", ["relations", "degrees"]) == 1
    assert asked == []
    assert process.go_on("/where", ["degrees"]) == 3
    flushed, (words, options) = asked
    assert flushed == "flushed"  # what this process has said stands before what that one says
    assert words[1:] == ["-m", "relprobe.command.process", "--nolock", "relations", "--cores", "2"]
    assert (options["cwd"], options["env"][FOLLOWS], options["env"]["PATH"]) == ("/where", "1", os.environ["PATH"])
    monkeypatch.setattr(sys, "argv", ["snakemake", "--cores", "2"])  # what is named by no word is all that there is
    assert process.go_on("/where", ["degrees"]) == 3


LATER = 4e9
"""A time after that of all tests."""


@pytest.fixture
def planned(tmp_path, monkeypatch):
    """The file of the events of a run that lacked a file, and that began at LATER."""
    file = tmp_path / "events.jsonl"
    monkeypatch.setenv(process.PLANNED, str(file))
    log = EventLog(file)
    log.emit(record("workflow_started", created=LATER))
    message = "MissingInputException in rule a:\nMissing input files for rule a:\n    affected files:\n        c.csv\n"
    log.emit(record("error", message, exception="MissingInputException"))
    log.close()
    return file


def test_the_run_of_this_process_is_no_earlier_one(planned, monkeypatch, tmp_path):
    assert process.run_since(LATER).missing == ["c.csv"]
    assert process.run_since(LATER + 0.5) == RunState()
    planned.unlink()
    assert process.run_since(LATER) == RunState()
    monkeypatch.delenv(process.PLANNED)
    monkeypatch.chdir(tmp_path)
    log = EventLog(process.FILE)
    log.emit(record("workflow_started", created=100.0))
    assert process.run_since(99.0) == log.run


@pytest.mark.usefixtures("set_back")
@pytest.mark.parametrize("status", [1, 0, None])
def test_snakemake_that_fails_for_a_file_that_no_rule_makes_has_a_sentence_on_it(planned, monkeypatch, capsys, status):
    def ended():
        sys.exit(status)

    monkeypatch.setattr("snakemake.cli.main", ended)
    monkeypatch.setattr(sys, "argv", ["relprobe", "-n"])
    with pytest.raises(SystemExit) as end:
        process.main()
    assert end.value.code == status
    said = capsys.readouterr().err
    assert ("\nc.csv is not there, and no rule makes such a file" in said) is (status == 1)


def test_what_is_written_last_has_lines_of_its_own(capsys):
    process.say_last("x")
    assert capsys.readouterr().err == "\nx\n"


def test_one_job_that_is_done_is_said_in_the_singular():
    for done, verb in ((1, "1 of 1,200 jobs is"), (2, "2 of 1,200 jobs are")):
        run = RunState(counts={"a": 1000, "b": 200}, finished=dict.fromkeys(range(done), 1.0), stopped=True)
        assert process.stop_message(run).startswith(
            f"Stopped: {verb} finished and kept, with the finished parts of scores; "
        )
    assert process.stop_message(RunState(counts={"a": 1})) is None
