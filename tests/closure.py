"""Which files of the package a module imports, and which definitions a step uses, directly or through others."""

import ast
import functools
from collections.abc import Iterable
from pathlib import Path

from relprobe.core import digest
from relprobe.core.digest import SCRIPTS, Statement, module_files

from tests.trees import tree_of


def statements(step: str, also: Iterable[str] = ()) -> list[tuple[str, Statement]]:
    """The statements that the digest of a step covers, each with its file. `also`: further definitions that count."""
    found = digest._closure(step, tuple(also), SCRIPTS)
    return [(file.removeprefix("relprobe/"), digest._code_of(file, SCRIPTS)[place]) for file, place in found]


def closure(names: Iterable[str]) -> list[Path]:
    """The files of these modules and of all modules that they import, sorted; those of libraries are not among them."""
    todo = {SCRIPTS / file for name in names for file in module_files(name)}
    found: set[Path] = set()
    while todo:
        file = todo.pop()
        found.add(file)
        todo |= {SCRIPTS / other for name in imports(file) for other in module_files(name)} - found
    return sorted(found)


@functools.cache
def imports(file: Path, *, at_once: bool = False) -> frozenset[str]:
    """The dotted names that a file imports, except those for type checkers. `at_once`: without those of functions."""
    found: set[str] = set()
    todo: list[ast.AST] = [tree_of(file.read_text())]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif not (at_once and isinstance(node, ast.FunctionDef)) and not (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        ):
            todo += ast.iter_child_nodes(node)
    return frozenset(found)
