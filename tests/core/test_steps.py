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


ALIKE = {
    **{"answer_space": "tokens", "calibrate": "none", "catch": 3, "chat_formatted": False, "control_network": True},
    **{"device": "auto", "device_map": "none", "dtype": "float32", "expressions": False, "large": False},
    **{"map_text": "none", "minimum": 5, "orders": 1, "phrases": "own", "precision": "half", "prompt_parts": 1},
    **{"reuse": True, "sample_swapped": 0, "seed": 1, "shots": 0, "split": "none", "threads": 1, "ties": "expected"},
    **{"weights": True, "word_boundary": False, "organisation": "unknown", "relationship": "other"},
}
"""What an option is that is left out: the same in every step that has it."""
APART = {
    **{("relations.metrics", "answers"): "tokens", ("export.every_eval_ever", "answers"): "tokens"},
    **{("relations.questionnaire", "participants"): 4, ("relations.questionnaire", "words"): 5},
    **{("definitions.questionnaire", "participants"): 2, ("relations.series", "targets"): "common"},
    **{("systematicity.scores", "layer"): -1, ("pairs.scores", "layer"): -1, ("degrees.scores", "layer"): 0},
}
"""The same of options that differ from step to step."""


def defaults():
    """Yield each step with the options that it has a default of, but for None: what the files say, without an import."""
    for group, module in GROUPS.items():
        for step, (home, _) in importlib.import_module(module).STEPS.items():
            name, function = home.split(":")
            file = Path(importlib.import_module(module).__file__).parent.joinpath(*name.split(".")).with_suffix(".py")
            (found,) = (one for one in ast.parse(file.read_text("utf-8")).body if getattr(one, "name", "") == function)
            given = found.args
            last = given.args[len(given.args) - len(given.defaults) :]
            pairs = [*zip(last, given.defaults, strict=True), *zip(given.kwonlyargs, given.kw_defaults, strict=True)]
            for option, value in pairs:
                text = "None" if value is None else ast.unparse(value)
                if text != "None" and not isinstance(value, ast.Call | ast.Name):
                    yield f"{group}.{step}", option.arg, ast.literal_eval(text)


def test_an_option_that_is_left_out_is_the_same_in_every_step():
    wrong = []
    for step, option, value in defaults():
        expected = APART.get((step, option), ALIKE.get(option))
        if (type(value), value) != (type(expected), expected):
            wrong.append((step, option, value))
    assert wrong == []
