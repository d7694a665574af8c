"""Former names of steps and options are read with a warning, and lead to names that there are."""

import importlib

import pytest
from relprobe.core.cli import function_of, main
from relprobe.core.former_names import OPTIONS, STEPS, with_current_names
from relprobe.core.step import options_of
from relprobe.steps import GROUPS


def options(group, step):
    """The options of a step as the command line has them."""
    module, _, function = function_of(GROUPS[group], step).rpartition(".")
    found = options_of(getattr(importlib.import_module(module), function))
    return {f"--{option.name.replace('_', '-')}" for option in found}


@pytest.mark.parametrize("step", OPTIONS, ids=" ".join)
def test_a_former_option_leads_to_one_of_the_step(step):
    names = OPTIONS[step]
    assert set(names.values()) <= options(*step)
    assert not set(names) & options(*step)


def test_former_words_are_replaced_and_named(capsys):
    words = ["relations", "candidates", "--own=lists.csv", "--tuples", "--own"]
    assert with_current_names(words) == ["relations", "candidates", "--list-file=lists.csv", "--tuples", "--list-file"]
    assert "--own is now --list-file: write that" in capsys.readouterr().err
    for other in (["pairs", "items", "--own", "x"], ["relations", "candidates"], ["relations"], []):
        assert with_current_names(other) == other
    assert capsys.readouterr().err == ""
    assert with_current_names(["degrees", "taker_metrics"]) == ["degrees", "task_metrics"]
    assert capsys.readouterr().err.startswith("taker_metrics is now task_metrics: write that")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("former", STEPS)
def test_a_former_step_runs_under_its_name(former, capsys):
    with pytest.raises(SystemExit):
        main(GROUPS, ["degrees", former, "--help"])
    read = capsys.readouterr()
    assert f"usage: relprobe degrees {STEPS[former]}" in read.out
    assert f"{former} is now {STEPS[former]}" in read.err
