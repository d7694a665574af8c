"""Arguments of one name have one default wherever they stand: who leaves one out is asked alike by every study."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from tests.paths import ROOT
from tests.trees import tree_of

PACKAGE = ROOT / "workflow/scripts/relprobe"
DIFFERENT = {
    "k": {10, 5, 1},  # answers of the library, the paper's cut-off, precision at 1
    "layer": {-1, 0},  # the last one, and that of the word itself in degrees
    "threads": {0, 1},  # of a user's process, and of a step
    "columns": {1, 3},
    "least": {0, 2},
    "reuse": {False, True},
    "complete": {False, True},
    "several": {False, True},
    "participants": {4, 2},  # of relations, and of definitions
}
"""Arguments that mean something else in another place -> their defaults."""


def defaults_of(code: str) -> Iterator[tuple[str, bool | int | float]]:
    """The arguments of functions whose default is a number, or yes or no, and this default."""
    for function in (node for node in ast.walk(tree_of(code)) if isinstance(node, ast.FunctionDef)):
        given = function.args
        by_place = [*given.posonlyargs, *given.args]
        named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
        last = by_place[len(by_place) - len(given.defaults) :]
        for argument, default in [*zip(last, given.defaults, strict=True), *named]:
            if default is not None and isinstance(default, ast.Constant | ast.UnaryOp):
                value = ast.literal_eval(default)
                if isinstance(value, bool | int | float):
                    yield argument.arg, value


def test_the_defaults_of_a_function_are_found():
    code = "def f(a, b=1, /, c=-2, *, d, e=True, g=None, h='x', i=A): ..."
    assert [*defaults_of(code)] == [("b", 1), ("c", -2), ("e", True)]


def test_arguments_of_one_name_have_one_default():
    """Whether it is yes or 1 counts, too."""
    found = defaultdict(set)
    for file in sorted(PACKAGE.rglob("*.py")):
        for name, value in defaults_of(file.read_text("utf-8")):
            found[name].add((type(value), value))
    several = {name: {value for _, value in values} for name, values in found.items() if len(values) > 1}
    assert several == DIFFERENT
    usual = {"shots": 0, "orders": 1, "seed": 1, "level": 0.95, "parts": 1, "large": False}
    assert {name: found[name] for name in usual} == {name: {(type(value), value)} for name, value in usual.items()}


def constants(ending: str) -> Iterator[tuple[str, bool | int | float]]:
    """The constants of all modules whose name ends so and whose value is a number, with the file."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in tree_of(file.read_text("utf-8")).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
                name = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
                if name.endswith(ending):
                    yield f"{file.relative_to(PACKAGE)} {name}", ast.literal_eval(node.value)


def test_all_draws_begin_at_one_seed():
    seeds = dict(constants("SEED"))
    assert len(seeds) > 5
    assert seeds == dict.fromkeys(seeds, 1)


def test_all_tests_are_at_one_level():
    levels = dict(constants("ALPHA"))
    assert len(levels) > 5
    assert levels == dict.fromkeys(levels, 0.05)
