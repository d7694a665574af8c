"""The tables of contents of the steps: short, and light, so that a list of steps is there at once and re-runs nothing."""

import ast
import importlib
from pathlib import Path

import pytest
from relprobe.steps import GROUPS


def code_of(module):
    return Path(importlib.import_module(module).__file__).read_text("utf-8")


@pytest.mark.parametrize("module", GROUPS.values())
def test_a_table_of_contents_imports_nothing(module):
    """A step in it would re-run with each edit of its neighbours' imports, and would be no function beside its logic."""
    code = code_of(module)
    statements = ast.parse(code).body
    assert [type(one).__name__ for one in statements] == [
        "Expr",
        "Assign",
        "Expr",
    ]  # a docstring, and STEPS with its own


@pytest.mark.parametrize("module", GROUPS.values())
def test_each_step_has_a_sentence(module):
    for name, (home, sentence) in importlib.import_module(module).STEPS.items():
        assert ":" in home, name
        assert sentence.endswith("."), name
