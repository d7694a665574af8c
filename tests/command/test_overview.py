"""The command `relprobe` without a word, and which words choose a command."""

import pytest
from relprobe import steps
from relprobe.command.overview import dispatch
from relprobe.version import __version__


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_the_commands_are_listed(capsys, words):
    assert dispatch(steps.PROGRAMS, words, steps.GROUPS) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert listed == ["init", "run", "open", "doctor", "store", "score"]
    assert "degrees" in lines[-1]


def test_the_version_is_printed(capsys):
    assert dispatch(steps.PROGRAMS, ["--version"], []) == 0
    assert capsys.readouterr().out == f"relprobe {__version__}\n"


def test_other_words_are_left_to_the_steps():
    assert dispatch(steps.PROGRAMS, ["relations", "metrics"], []) is None
    assert dispatch(steps.PROGRAMS, ["nothing"], []) is None


def test_a_command_gets_the_words_after_it(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert dispatch(steps.PROGRAMS, ["open", "--print"], []) == 1
    assert "`relprobe run` makes it" in capsys.readouterr().err
