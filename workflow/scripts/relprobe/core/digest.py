"""The code that a step runs, as one short digest: Snakemake compares it, so that changed code re-runs what uses it.

The digest covers the step's function, the names of its module that the function uses, and every module of relprobe that
these import, directly or through others. It is taken over the parsed code without comments, docstrings, annotations of type
checkers and layout, so that a comment or a reformatting re-runs nothing.
"""

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

SCRIPTS = Path(__file__).parents[2]
"""The folder that holds the package."""
PACKAGE = __name__.partition(".")[0]


def digest(step: str, also: Iterable[str] = (), scripts: Path = SCRIPTS) -> str:
    """Return the digest of a step, 12 hexadecimal digits: the same on every Python from 3.11 on.

    `step` is the dotted name of a function, such as "relprobe.studies.relations.steps.metrics"; `also` names modules that it
    imports by a name that it is given, which reading the code cannot tell.

    >>> digest("relprobe.lm.steps.lexicon") == digest("relprobe.lm.steps.lexicon")
    True
    """
    module, _, name = step.rpartition(".")
    nodes = _used(_tree(_file(module, scripts)), name)
    texts = [step, *map(_text, nodes)]
    for file in modules([*_imports(nodes), *also], scripts):
        texts += [file.relative_to(scripts).as_posix(), _module_text(file)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def modules(names: Iterable[str], scripts: Path = SCRIPTS) -> list[Path]:
    """Return the files of the modules of relprobe with these dotted names and of all that they import, sorted."""
    files: set[Path] = set()
    todo = [file for name in names for file in _files(name, scripts)]
    while todo:
        file = todo.pop()
        if file not in files:
            files.add(file)
            todo += [other for name in _imported(file) for other in _files(name, scripts)]
    return sorted(files)


def modules_of(step: str, scripts: Path = SCRIPTS) -> list[Path]:
    """Return the files of the modules that a step imports, directly or through others, sorted."""
    module, _, name = step.rpartition(".")
    return modules(_imports(_used(_tree(_file(module, scripts)), name)), scripts)


def _files(name: str, scripts: Path) -> list[Path]:
    """Return the file of a module and those of the packages around it, which Python runs before it."""
    if name.partition(".")[0] != PACKAGE:
        return []
    parts = name.split(".")
    packages = [scripts.joinpath(*parts[: i + 1], "__init__.py") for i in range(len(parts))]
    return [file for file in [*packages, scripts.joinpath(*parts).with_suffix(".py")] if file.is_file()]


def _file(module: str, scripts: Path) -> Path:
    return _files(module, scripts)[-1]


@functools.cache
def _tree(file: Path) -> ast.Module:
    return _Runtime().visit(ast.parse(file.read_text(encoding="utf-8")))  # type: ignore[no-any-return]


@functools.cache
def _imported(file: Path) -> tuple[str, ...]:
    return tuple(_imports([_tree(file)]))


@functools.cache
def _module_text(file: Path) -> str:
    return _text(_tree(file))


class _Runtime(ast.NodeTransformer):
    """Removes what has no effect when the code runs: docstrings, and what only type checkers read."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)


def _imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the dotted names that code imports; `from a import b` may mean the module a.b or a name in a, so both."""
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _used(tree: ast.Module, name: str) -> list[ast.stmt]:
    """Return the statements of a module that `name` needs: its own, those of names it uses, and those without a name."""
    named: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for target in _names(statement) or [""]:
            named.setdefault(target, []).append(statement)
    used: list[ast.stmt] = []
    todo = ["", name]
    while todo:
        for statement in named.pop(todo.pop(), []):
            used.append(statement)
            todo += [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return [statement for statement in tree.body if statement in used]


def _names(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of a module defines."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _text(value: object) -> str:
    """Write a node with its kind and its fields that are not empty: Pythons differ in which empty fields there are."""
    if isinstance(value, ast.Constant):
        return repr(value.value)
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, ast.AST):
        fields = ((name, getattr(value, name, None)) for name in value._fields)
        inside = ", ".join(f"{name}={_text(part)}" for name, part in fields if part not in (None, []))
        return f"{type(value).__name__}({inside})"
    return repr(value)
