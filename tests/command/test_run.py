"""`relprobe run`: which words Snakemake gets, and the sentences where it would not come far."""

import os
import sys

import pytest
from relprobe.command import run
from relprobe.command.home import root, snakefile
from relprobe.studies import STUDIES


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
        (["-n", "-d"], []),
        (["--dry-run", "study"], []),
    ],
)
def test_the_values_of_an_option_in_all_its_forms(words, found):
    assert list(run.values(words, ("--directory", "-d"))) == found
