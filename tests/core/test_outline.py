"""The outlines of steps: they have the options of the steps themselves, and no library is imported for them."""

import ast
import importlib
import json
import os
import subprocess
import sys

import pytest
from relprobe.core.cli import arguments_of, contents_of, function_of, main
from relprobe.core.outline import _bare, outline
from relprobe.core.step import forecasts, options_of
from relprobe.steps import COMMANDS, GROUPS

from tests.paths import SCRIPTS

OUTLINED = """
import json, sys
from relprobe.core.outline import _bare, outline
from relprobe.core.step import options_of

options = {name: repr(options_of(outline(name))) for name in sys.argv[1:]}
print(json.dumps([options, sorted({name.partition(".")[0] for name in sys.modules})]))
"""
NAMES = [function_of(module, step) for module in GROUPS.values() for step in contents_of(module)] + [*COMMANDS.values()]


def function(name):
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


@pytest.fixture(scope="module")
def outlined():
    """What a fresh process makes of the outlines of all steps: their options, and the packages that it has imported."""
    command = [sys.executable, "-c", OUTLINED, *NAMES]
    environment = os.environ | {"PYTHONPATH": str(SCRIPTS)}
    done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=120, env=environment)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_an_outline_has_the_options_and_the_docstring_of_its_step(outlined, name):
    step = function(name)
    assert outlined[0][name] == repr(options_of(step))
    assert outline(name).__doc__ == step.__doc__


def test_only_steps_that_ask_an_agent_that_only_chats_can_say_first_what_that_takes():
    """The others have no --dry-run, neither in their help nor when they run."""
    parsers = {name: arguments_of(outline(name)) for name in NAMES}
    dry = {name for name, parser in parsers.items() if "--dry-run" in parser.format_help()}
    assert dry == {name for name in NAMES if name.endswith(".replies")} != set()
    assert dry == {name for name in NAMES if forecasts(function(name))}


def test_outlines_import_no_library(outlined):
    assert len(outlined[0]) == len(NAMES) > 0
    assert "relprobe" in outlined[1]
    assert not set(outlined[1]) & {
        "matplotlib",
        "nltk",
        "numpy",
        "polars",
        "pyarrow",
        "scipy",
        "torch",
        "transformers",
        "yaml",
    }


def test_what_a_library_makes_can_be_iterated_and_a_result_has_the_name_of_its_step():
    """A stand-in without an end would hang `--help`, and so would a step that is looked for in its own result."""
    assert [option.name for option in options_of(outline("tests.core.toy_steps.words"))] == ["table", "words"]


def test_help_does_not_import_the_module_of_the_step(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "relprobe.studies.degrees.scoring", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(GROUPS, ["degrees", "scores", "--layer", "1", "--help"])
    assert ended.value.code == 0
    assert "--batch-tokens" in capsys.readouterr().out
    assert "relprobe.studies.degrees.scoring" not in sys.modules


def test_a_class_of_an_outline_has_methods_without_bodies_and_types_of_read_alone():
    code = (
        "class A:\n    x: int = 3\n    def m(self, a: np.ndarray, *b: B, c: C = 1) -> D:\n        return f(a)\n"
        "    def read(self, a: E) -> F:\n        return f(a)\n"
    )
    (statement,) = ast.parse(code).body
    assert ast.unparse(_bare(statement)) == (
        "class A:\n    x: int = 3\n\n    def m(self, a, *b, c=1):\n        pass\n\n"
        "    def read(self, a: E) -> F:\n        pass"
    )
    (other,) = ast.parse("x = f(1)").body
    assert _bare(other) is other
