"""What a check leaves out: only what cannot have changed."""

import subprocess

import pytest

from tests import changes
from tests.paths import ROOT

TUTORIAL, WHEEL, BENCHMARKS = (
    "tests/package/test_tutorial.py",
    "tests/package/wheel/test_wheel.py",
    "tests/workflow/test_benchmarks.py",
)


@pytest.fixture
def since(monkeypatch):
    """Say which files have changed since a commit that was green."""

    def say(*files):
        monkeypatch.setenv(changes.SINCE, "abc")
        monkeypatch.setattr(changes, "changed", lambda: frozenset(files))

    return say


@pytest.mark.parametrize("test", changes.READERS)
@pytest.mark.parametrize(
    "file",
    [
        "workflow/scripts/relprobe/stats/averages.py",
        "workflow/rules/degrees.smk",
        "resources/prompts/chat.yaml",
        "envs/constraints.txt",
        "config.yaml",
        "pyproject.toml",
        "Makefile",
        ".ci/run",
        "a_new_file",
        "tests/conftest.py",
        "tests/paths.py",
    ],
)
def test_what_may_matter_leaves_nothing_out(since, test, file):
    since("docs/faq.md", file)
    assert changes.reason_to_leave_out(test) is None


@pytest.mark.parametrize("test", changes.READERS)
def test_a_change_of_itself_or_of_what_it_imports_runs_a_test(since, test):
    since(test)
    assert changes.reason_to_leave_out(test) is None


def test_what_was_not_touched_is_left_out_with_the_reason(since):
    since("CHANGELOG.md", "docs/faq.md", "tests/stats/test_families.py")
    assert changes.reason_to_leave_out(BENCHMARKS) == "no file that it reads has changed since abc"
    assert changes.reason_to_leave_out(TUTORIAL) is None  # it reads pages
    assert changes.reason_to_leave_out(WHEEL) is None  # which holds the list of changes
    since("benchmarks/host.py")
    assert changes.reason_to_leave_out(BENCHMARKS) is None
    assert changes.reason_to_leave_out(TUTORIAL) is not None
    since("tests/workflow/toy_models.py")
    assert changes.reason_to_leave_out(WHEEL) is None


def test_other_tests_always_run(since):
    since()
    assert changes.reason_to_leave_out("tests/workflow/running/test_reliability.py") is None


def test_nothing_is_left_out_without_a_commit_or_with_one_that_is_not_below_this(monkeypatch, tmp_path):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path)]

    def run(*words):
        return subprocess.run([*git, *words], check=True, capture_output=True, text=True).stdout.strip()

    def changed(commit):
        monkeypatch.setenv(changes.SINCE, commit)
        return changes.changed.__wrapped__()

    monkeypatch.setattr(changes, "ROOT", tmp_path)
    run("init", "--quiet")
    for name in ("first", "second"):
        (tmp_path / name).write_text(name)
        run("add", "--all")
        run("commit", "--quiet", "--message", name)
    first = run("rev-parse", "HEAD~1")
    (tmp_path / "new").touch()
    (tmp_path / "first").write_text("edited")
    assert changed(first) == {"first", "second", "new"}
    assert changed("") is changed("0" * 40) is changed("nowhere") is None
    run("checkout", "--quiet", "--orphan", "other")
    run("commit", "--quiet", "--message", "no common commit")
    assert changed(first) is None


def test_every_test_of_the_table_is_there_and_has_slow_tests():
    assert [test for test in changes.READERS if "mark.slow(" not in (ROOT / test).read_text()] == []


def test_helpers_of_helpers_are_found():
    assert {"tests/sources/made/tiny_semeval.py", "tests/package/wheel/wheels.py"} <= changes.imported(WHEEL)
