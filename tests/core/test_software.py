import shutil
import subprocess

import polars as pl
import pytest
from relprobe.core import software


@pytest.fixture
def checkout(tmp_path):
    def git(*arguments):
        settings = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        return subprocess.run(
            ["git", "-C", tmp_path, *settings, *arguments], check=True, capture_output=True, text=True
        )

    (tmp_path / "metric.py").write_text("1")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "Begin")
    git("tag", "v1", "--annotate", "--message", "one")
    return tmp_path, git("rev-parse", "HEAD").stdout[:12]


def test_tags_and_untracked_files_do_not_change_the_commit(checkout):
    folder, commit = checkout
    (folder / "results").mkdir()
    (folder / "results/table.csv").write_text("new")
    assert software.commit(folder) == commit
    assert software.commit(folder / "results") == commit


def test_an_edited_checkout_says_so(checkout):
    folder, commit = checkout
    (folder / "metric.py").write_text("2")
    assert software.commit(folder) == f"{commit} with local changes"


def test_without_a_checkout_or_git_there_is_no_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert software.commit(tmp_path) is None
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert software.commit(tmp_path) is None
    assert not software.is_tracked(tmp_path / "metric.py")


def test_the_libraries_are_named_with_their_versions(monkeypatch):
    monkeypatch.setattr(software, "is_tracked", lambda file: True)
    monkeypatch.setattr(software, "commit", lambda folder: "abc")
    sentence = software.made_with()
    assert sentence.startswith("Made by relprobe at commit abc, with Python 3.")
    assert f"polars {pl.__version__}" in sentence


def test_a_package_in_an_environment_within_another_checkout_has_its_version(checkout, monkeypatch, capfd):
    folder, commit = checkout
    module = folder / ".venv/relprobe/core/software.py"
    module.parent.mkdir(parents=True)
    module.write_text("")
    assert software.is_tracked(folder / "metric.py")
    assert not software.is_tracked(module)
    assert capfd.readouterr() == ("", "")  # what git says of a file that it does not know
    monkeypatch.setattr(software, "__file__", str(module))
    sentence = software.made_with()
    assert commit not in sentence
    assert sentence.startswith(f"Made by relprobe {software.__version__}, with Python 3.")
