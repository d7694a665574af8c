"""What the steps import before they do anything: a light step pays for no library that it does not use."""

import ast
import functools
import importlib
from pathlib import Path

from relprobe.core.cli import function_of
from relprobe.core.digest import SCRIPTS, _files
from relprobe.steps import GROUPS

HEAVY = {"torch", "transformers", "nltk", "matplotlib", "scipy", "statsmodels", "inflect"}
"""Libraries that take 0.1 to 4 seconds of the processor to import."""
WORDNET = {"inputs wordnet", "definitions probes", "definitions properties"}
WORDNET |= {f"systematicity {step}" for step in ("probes", "tables", "answer_tables")}
DRAWN = {
    "report index",
    *(f"{study} figures" for study in GROUPS if "figures" in importlib.import_module(GROUPS[study]).STEPS),
}
EXPECTED = {
    "nltk": WORDNET,
    "matplotlib": DRAWN,
    "scipy": {"degrees ratings", "degrees layers", "degrees layer_metrics"},
    "statsmodels": set(),
    "inflect": set(),
}
"""Library -> the steps that import it at once. Steps that ask or train a network import torch, and are not counted."""


@functools.cache
def imports(file: Path) -> frozenset[str]:
    """The dotted names that a file imports when it is imported: not those of functions, nor those for type checkers."""
    found: set[str] = set()
    todo = list(ast.parse(file.read_text()).body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            todo += [*node.body, *node.orelse]
        elif isinstance(node, ast.ClassDef | ast.Try | ast.With):
            todo += node.body
    return frozenset(found)


def libraries(module: str) -> set[str]:
    """The heavy libraries that a module of the package imports at once, directly or through other modules."""
    todo, seen, found = [*_files(module, SCRIPTS)], set(), set()
    while todo:
        file = todo.pop()
        if file in seen:
            continue
        seen.add(file)
        for name in imports(SCRIPTS / file):
            if name.partition(".")[0] in HEAVY:
                found.add(name.partition(".")[0])
            elif name.startswith("relprobe"):
                todo += _files(name, SCRIPTS)
    return found


def test_each_step_imports_at_once_what_it_needs_and_nothing_else_that_takes_time():
    steps = {
        f"{group} {step}": libraries(function_of(home, step).rpartition(".")[0])
        for group, home in GROUPS.items()
        for step in importlib.import_module(home).STEPS
    }
    light = {step: found for step, found in steps.items() if not found & {"torch", "transformers"}}
    assert len(light) > 90
    assert {name: {step for step, found in light.items() if name in found} for name in EXPECTED} == EXPECTED
