"""`relprobe run`: which words Snakemake gets, and the sentences where it would not come far."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from relprobe.command import run
from relprobe.command.events import PLANNED, EventLog, RunState
from relprobe.command.home import root, snakefile
from relprobe.studies import STUDIES

from tests.command.events import record, started


@pytest.fixture
def study(tmp_path, monkeypatch):
    """An empty study, as the working directory."""
    (tmp_path / "config.yaml").write_text("models: {}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def became(monkeypatch):
    """The process that `relprobe run` became: its words and its variables."""
    calls = []
    monkeypatch.setattr(os, "execve", lambda file, words, variables: calls.append((words, variables)) or 0)
    return calls


def test_it_becomes_snakemake_with_all_cores(study, became):
    assert run.main(["--forceall"]) == 0
    ((words, variables),) = became
    assert words[:3] == [sys.executable, "-m", "relprobe.command.process"]
    assert words[3:] == [
        "--snakefile",
        str(snakefile()),
        "--cores",
        "all",
        "--rerun-incomplete",
        "--keep-going",
        "--forceall",
    ]
    assert variables["PYTHONSAFEPATH"] == "1"
    assert variables["PYTHONPATH"].split(os.pathsep)[0] == str(root() / "workflow/scripts")


@pytest.mark.parametrize("words", [["--cores", "2"], ["--cores=2"], ["-c2"], ["-j", "3"], ["--profile", "workstation"]])
def test_what_says_how_much_runs_at_a_time_takes_the_place_of_all_cores(study, words):
    assert "all" not in run.options(run.with_profile(words), terminal=False)


@pytest.mark.parametrize(
    ("words", "shown"), [([], True), (["--quiet"], False), (["-n"], False), (["--logger", "x"], False)]
)
def test_a_terminal_shows_the_progress(study, words, shown):
    assert ("relprobe" in run.options(words, terminal=True)) is shown


def test_a_profile_is_that_of_the_study_or_else_a_shipped_one(study):
    shipped = root() / "workflow/profiles/slurm"
    assert run.with_profile(["--profile", "slurm", "-n"]) == ["--workflow-profile", str(shipped), "-n"]
    (study / "profiles/slurm").mkdir(parents=True)
    assert run.with_profile(["--profile=slurm"]) == ["--workflow-profile", str(study / "profiles/slurm")]
    assert run.with_profile(["--profile", "my-own"]) == ["--profile", "my-own"]


def test_a_profile_for_slurm_needs_sbatch(study, monkeypatch):
    words = run.with_profile(["--profile", "slurm"])
    monkeypatch.setenv("PATH", "")
    assert "this machine has no sbatch" in run.obstacle(words)
    assert run.obstacle([*words, "--dry-run"]) is None


def test_a_folder_without_a_study_says_how_to_make_one(study, became, capsys):
    (study / "config.yaml").unlink()
    assert run.main([]) == 1
    assert "There is no config.yaml here: `relprobe init FOLDER`" in capsys.readouterr().err
    assert became == []
    (study / "config").mkdir()
    (study / "config/config.yaml").touch()
    assert run.main([]) == 0


@pytest.mark.parametrize("words", [["--configfile", "mine.yaml"], ["--configfiles=mine.yaml", "-n", "-q"]])
def test_a_configuration_that_is_not_there_is_named(study, became, capsys, words):
    assert run.main(words) == 1
    assert capsys.readouterr().err == "There is no file mine.yaml: correct the path after --configfile.\n"
    (study / "mine.yaml").touch()
    assert run.main(words) == 0


@pytest.mark.parametrize("word", [*STUDIES, "export"])
def test_a_study_after_the_option_of_files_is_not_taken_for_a_file(study, became, capsys, word):
    assert run.main(["--configfile", "config.yaml", word]) == 1
    assert capsys.readouterr().err == f"The word {word} is read as a file of --configfile: put it before that option.\n"
    assert not became
    assert run.main([word, "--configfile", "config.yaml"]) == 0
    assert run.main(["--configfile=config.yaml", word]) == 0


def test_another_checkout_runs_its_own_workflow(study):
    (study / "workflow/scripts/relprobe").mkdir(parents=True)
    assert "use `make run` here" in run.obstacle([])


def test_a_folder_that_cannot_be_written_is_named(study, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: path != ".")
    assert run.obstacle([]).startswith(f"Nothing can be written into {study}")
    assert run.obstacle(["--directory", "elsewhere"]) is None


def test_a_user_whose_home_cannot_be_written_gets_a_cache_in_the_study(study, monkeypatch):
    assert "XDG_CACHE_HOME" not in run.environment({"HOME": str(study)})
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert run.environment({})["XDG_CACHE_HOME"] == str(study / ".snakemake/relprobe/cache")


def test_help_names_the_profiles_and_runs_nothing(became, capsys):
    assert run.main(["--help"]) == 0
    assert "a profile of relprobe (slurm, workstation)" in capsys.readouterr().out
    assert became == []
    (command,) = [words for words in [["--help-snakemake"]] if run.main([*words, "--directory", "."]) == 0]
    assert command and "--help" in became[0][0]


@pytest.mark.parametrize("text", ["x: &all {y: *all}", f"x: {'[' * 200_000}", "x: caf\xe9", "x: 2026-02-30", "- ]"])
def test_a_configuration_that_snakemake_cannot_read_is_refused_before_it_starts(text, study, became, capsys):
    (study / "own.yaml").write_text(text, "latin-1")
    assert run.main(["--configfile", "own.yaml"]) == 1
    assert not became
    assert capsys.readouterr().err.startswith("config: own.yaml")


@pytest.mark.parametrize("text", ["x: &all {y: *all}", f"x: {'[' * 200_000}", "x: caf\xe9", "x: 2026-02-30", "- ]"])
def test_a_plan_leaves_a_broken_configuration_to_the_workflow(text, study):
    (study / "config.yaml").write_text(text, "latin-1")
    assert not run.has_chat_models([])


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["-d", "study", "-n"], ["study"]),
        (["-dstudy"], ["study"]),
        (["-d=study"], ["study"]),
        (["--directory", "a", "b", "-n"], ["a", "b"]),
        (["--directory=a=b"], ["a=b"]),
        (["--directory=a", "relations"], ["a"]),
        (["-da", "relations"], ["a"]),
        (["-n", "-d"], []),
        (["--dry-run", "study"], []),
    ],
)
def test_the_values_of_an_option_in_all_its_forms(words, found):
    assert list(run.values(words, ("--directory", "-d"))) == found


def test_the_display_of_a_terminal_is_asked_for_where_there_is_one(study, became, monkeypatch):
    for terminal in (True, False):
        monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda terminal=terminal: terminal))
        run.main([])
    assert ["relprobe" in words for words, _ in became] == [True, False]


@pytest.fixture
def planned(monkeypatch):
    """The dry runs that were asked for; each plans two jobs, or fails with the status that a test gives."""
    calls = SimpleNamespace(words=[], status=0)

    def process(command, *, env, **options):
        calls.words.append(command[3:])
        calls.options = options
        log = EventLog(Path(env[PLANNED]))
        for said in (record("workflow_started", created=1.0), started(1, "relations_scores", wildcards={"model": "m"})):
            log.emit(said)
        log.close()
        return SimpleNamespace(returncode=calls.status)

    monkeypatch.setattr(run, "subprocess", SimpleNamespace(run=process))
    return calls


@pytest.mark.parametrize("words", [["--dry-run"], ["-n"], ["--dryrun", "relations"]])
def test_a_dry_run_says_in_short_what_it_comes_to(study, became, planned, capsys, words):
    assert run.main(words) == 0
    assert capsys.readouterr().out == (
        "\nIn short:\n1 job: 1 runs a model, 0 fetch files, 0 other\nm: 1 job, at most 0.0 hours and 0.0 GB of memory\n"
    )
    assert became == []
    assert planned.words == [run.options(words, terminal=False)]
    assert planned.options == {"text": True, "check": False}
    planned.status = 7
    assert run.main(words) == 7
    assert capsys.readouterr().out == ""


def test_a_dry_run_says_what_agents_that_chat_would_be_asked_by_the_configuration_that_is_named(
    study, became, planned, capsys, monkeypatch
):
    monkeypatch.setattr(run, "expectations", lambda *_: iter(["chatty: 1 question"]))
    (study / "own.yaml").write_text("models: {chatty: {endpoint: x, task: people}}\n")
    assert run.main(["-n"]) == 0
    assert "chatty" not in capsys.readouterr().out
    assert run.main(["-n", "--configfile", "own.yaml"]) == 0
    assert capsys.readouterr().out.endswith("\nchatty: 1 question\n")


def test_a_quiet_dry_run_is_that_of_snakemake_alone(study, became, planned, capsys):
    assert run.main(["--dry-run", "--quiet"]) == 0
    assert len(became) == 1
    assert planned.words == []
    done, state = run.dry_run(["-n", "--quiet"], os.environ, capture_output=True)
    assert (done.returncode, [job.rule for job in state.jobs.values()]) == (0, ["relations_scores"])
    assert planned.options["capture_output"] is True


def test_a_dry_run_that_has_noted_nothing_plans_no_job(study, monkeypatch):
    monkeypatch.setattr(run, "subprocess", SimpleNamespace(run=lambda *_, **__: SimpleNamespace(returncode=1)))
    assert run.dry_run(["-n"], os.environ)[1] == RunState()


def test_stored_answers_are_deleted_in_the_folder_that_is_named_before_a_run_without_this_word(
    study, became, monkeypatch, capsys
):
    folders = []
    monkeypatch.setattr("relprobe.command.stores.forget", lambda folder: folders.append(folder) or "Deleted: all.")
    assert run.main(["--ask-anew", "relations"]) == 0
    assert run.main(["relations", "--directory", "other", "--ask-anew"]) == 0
    assert folders == [study, study / "other"]
    assert capsys.readouterr().out == "Deleted: all.\nDeleted: all.\n"
    (first, _), (second, _) = became
    assert first[-1] == "relations"
    assert second[-3:] == ["relations", "--directory", "other"]


def test_what_was_printed_before_is_not_lost_when_the_process_becomes_another_one(study, monkeypatch):
    done = []
    monkeypatch.setattr(sys, "stdout", SimpleNamespace(flush=lambda: done.append("flushed")))
    monkeypatch.setattr(os, "execve", lambda *_: done.append("became") or 0)
    assert run.main([]) == 0
    assert done == ["flushed", "became"]


def test_where_snakemake_is_not_installed_it_is_said_and_nothing_else(study, monkeypatch, capsys, became):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    (study / "config.yaml").unlink()
    assert run.main([]) == 1
    assert capsys.readouterr().err == (
        "Snakemake is not installed here: install relprobe with all that it needs, without --no-deps.\n"
    )
    assert became == []


def test_a_folder_that_is_named_needs_no_configuration_here(study):
    (study / "config.yaml").unlink()
    assert "There is no config.yaml here" in run.obstacle(["--cores", "2"])
    for words in (["-d", "x"], ["--directory=x"], ["--version"], ["--help"]):
        assert run.obstacle(words) is None


def test_the_checkout_itself_is_no_other_one(monkeypatch):
    monkeypatch.chdir(root())
    assert run.obstacle([]) is None


def test_a_profile_that_submits_to_slurm_is_known_by_its_executor(study, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert run.obstacle(["--workflow-profile", str(study)]) is None  # which has a config.yaml
    (study / "config.yaml").write_text("# executor: slurm\njobs: 2\nnot-executor: slurm\n")
    assert run.obstacle(["--workflow-profile", str(study)]) is None
    (study / "config.yaml").write_bytes(b"# \xe4\njobs: 2\nexecutor: slurm\n")
    assert run.obstacle(["--workflow-profile", str(study)]) == (
        f"The profile {study.name} submits to SLURM, but this machine has no sbatch: log in to the cluster."
    )
    assert run.obstacle(["--workflow-profile", str(study / "nowhere")]) is None
    (study / "sbatch").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(study))
    assert run.obstacle(["--workflow-profile", str(study)]) is None


def test_each_configuration_that_is_named_is_looked_for(study):
    (study / "a.yaml").write_text("x: 1\n")
    assert run.obstacle(["--configfile", "a.yaml", "b.yaml"]) == (
        "There is no file b.yaml: correct the path after --configfile."
    )
    (study / "b.yaml").write_text("x: 1\n")
    assert run.obstacle(["--configfile", "a.yaml", "b.yaml"]) is None


def test_a_default_profile_says_how_much_runs_at_a_time(study, monkeypatch):
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)
    assert run.options(["x"], terminal=False)[2:4] == ["--cores", "all"]
    monkeypatch.setenv("SNAKEMAKE_PROFILE", "mine")
    assert "--cores" not in run.options(["x"], terminal=False)
    monkeypatch.delenv("SNAKEMAKE_PROFILE")
    (study / "profiles/default").mkdir(parents=True)
    assert "--cores" not in run.options(["x"], terminal=False)


def test_an_option_follows_the_names_of_loggers(study):
    """--logger takes any number of words."""
    words = run.options(["relations"], terminal=True)
    assert words[words.index("relprobe") + 1].startswith("--")
    assert words[-1] == "relations"


@pytest.mark.parametrize("words", [["--profile"], ["--profile="], ["--profile", ""]])
def test_a_profile_without_a_name_is_left_to_snakemake(study, words):
    (study / "profiles").mkdir()
    assert run.with_profile(["-n", *words]) == ["-n", "--profile", ""]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["-c2"], True),
        (["-c"], True),
        (["--cores=2"], True),
        (["--configfile=-c"], False),
        (["--c"], False),
        (["c"], False),
        (["x", "y", "-c"], True),
        ([], False),
    ],
)
def test_an_option_is_found_in_each_of_its_forms(words, found):
    assert run.has_option(words, ("--cores", "-c")) is found


def test_values_end_at_the_next_option_and_an_option_may_come_again():
    words = ["a", "-d=x", "b", "-d", "y", "z", "-n", "c", "--directory=u", "d", "-dw", "e", "--directory", "v"]
    assert run.take_values(words, run.FOLDERS) == ["x", "y", "z", "u", "w", "v"]
    assert words == ["a", "b", "-n", "c", "d", "e"]
    assert run.take_values(words, run.FOLDERS) == []
    assert words == ["a", "b", "-n", "c", "d", "e"]


def test_the_modules_of_the_user_come_after_those_of_the_workflow_and_a_cache_of_hers_stays(study):
    scripts = str(root() / "workflow/scripts")
    inner = run.environment({"PYTHONPATH": "/mine", "XDG_CACHE_HOME": str(study / "new/cache"), "X": "1"})
    assert inner == {
        "PYTHONPATH": f"{scripts}{os.pathsep}/mine",
        "PYTHONSAFEPATH": "1",
        "XDG_CACHE_HOME": str(study / "new/cache"),
        "X": "1",
    }
    assert run.environment({"PYTHONPATH": ""})["PYTHONPATH"] == scripts


def test_only_a_cache_that_cannot_be_written_is_replaced(study, monkeypatch):
    asked = []
    monkeypatch.setattr(os, "access", lambda place, mode: asked.append((place, mode)) or place != study)
    assert run.environment({"XDG_CACHE_HOME": str(study / "a/b")})["XDG_CACHE_HOME"] == str(
        study / ".snakemake/relprobe/cache"
    )
    (study / "a/b").mkdir(parents=True)
    assert run.environment({"XDG_CACHE_HOME": str(study / "a/b")})["XDG_CACHE_HOME"] == str(study / "a/b")
    assert asked == [(study, os.W_OK), (study / "a/b", os.W_OK)]


def test_help_is_that_of_relprobe_where_it_is_asked_for_among_other_words(became, capsys):
    for words in (["relations", "-h"], ["--help", "--cores", "2"]):
        assert run.main(words) == 0
        assert capsys.readouterr().out.startswith("usage: relprobe run [STUDY | FILE …]")
    assert became == []
