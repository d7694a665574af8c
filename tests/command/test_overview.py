"""The command `relprobe` without a word, and which words choose a command."""

import pytest
from relprobe import steps
from relprobe.command.overview import dispatch
from relprobe.version import __version__


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_the_commands_are_listed(capsys, words):
    assert dispatch(steps.PROGRAMS, words, steps.GROUPS) == 0
    text = capsys.readouterr().out
    assert listed(text) == ["init", "run", "status", "open", "ask", "paper", "doctor"]
    assert text.splitlines()[-1].startswith("`relprobe --help --all` also lists store, score and the steps")
    assert dispatch(steps.PROGRAMS, ["--help", "--all"], steps.GROUPS) == 0
    text = capsys.readouterr().out
    assert listed(text) == ["init", "run", "status", "open", "ask", "paper", "doctor", "store", "score"]
    assert "degrees" in text.splitlines()[-1]


def test_the_version_is_printed(capsys):
    assert dispatch(steps.PROGRAMS, ["--version"], []) == 0
    assert capsys.readouterr().out == f"relprobe {__version__}\n"


def test_other_words_are_left_to_the_steps():
    assert dispatch(steps.PROGRAMS, ["relations", "metrics"], steps.GROUPS) is None
    assert dispatch(steps.PROGRAMS, ["score"], steps.GROUPS) is None


def listed(text):
    """The commands of a list."""
    return [line.split()[0] for line in text.splitlines() if line.startswith("  ")]


def test_an_unknown_word_is_told_the_nearest_command_or_all_of_them(capsys):
    assert dispatch(steps.PROGRAMS, ["--help", "--all"], steps.GROUPS) == 0
    commands = listed(capsys.readouterr().out)
    for known in (*commands, *steps.GROUPS):
        for word in (known[:-1] + known[-1] * 2, known[0] * 2 + known[1:]):  # runn, rrun
            assert dispatch(steps.PROGRAMS, [word], steps.GROUPS) == 2
            assert f"relprobe has no command {word!r}: did you mean {known!r}?" in capsys.readouterr().err
    assert dispatch(steps.PROGRAMS, ["--zzz"], steps.GROUPS) == 2
    assert f"no command '--zzz': known are {', '.join(commands)}." in capsys.readouterr().err


def test_a_command_gets_the_words_after_it(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert dispatch(steps.PROGRAMS, ["open", "--print"], []) == 1
    assert "`relprobe run` makes it" in capsys.readouterr().err


def test_a_command_gets_all_words_after_it_and_its_status_is_that_of_the_command(monkeypatch):
    words = []
    monkeypatch.setattr("relprobe.command.pages.main", lambda given: words.append(given) or 7)
    assert dispatch(steps.PROGRAMS, ["open", "relations", "--print"], []) == 7
    assert dispatch(steps.PROGRAMS, ["open"], []) == 7
    assert words == [["relations", "--print"], []]


def test_a_group_of_steps_is_no_command_and_its_name_is_meant_after_those_of_commands(capsys):
    assert dispatch({}, ["x"], ["x", "y"]) is None
    assert dispatch({}, ["x"], ["y"]) == 2
    assert capsys.readouterr() == (
        "",
        "relprobe has no command 'x': known are score. `relprobe --help` lists the commands.\n",
    )


@pytest.mark.parametrize("command", ["init", "status", "open", "ask", "doctor", "store"])
def test_an_option_is_written_in_full(capsys, command):
    """What deletes or writes is not done for the begin of its name."""
    with pytest.raises(SystemExit) as end:
        dispatch(steps.PROGRAMS, [command, "--hel"], [])
    assert end.value.code == 2
    assert "usage: relprobe" in capsys.readouterr().err
