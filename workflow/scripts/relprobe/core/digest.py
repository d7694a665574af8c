"""The digest of a step: 12 digits that stand for its code. Snakemake compares them, so that changed code reruns its steps.

The digest covers the function of the step, the definitions of its module that the function uses, and every module of
relprobe that this code imports, directly or through other modules. It is taken over the parsed code, without comments,
docstrings, layout and imports for type checkers, so that a changed comment or a reformatting reruns nothing.
"""

import ast
import functools
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from relprobe.core.scopes import defined_names, module_names

SCRIPTS = Path(__file__).parents[2]
"""The folder that holds the package relprobe."""
PACKAGE = __name__.partition(".")[0]


def digest(step: str, also: Iterable[str] = (), scripts: Path = SCRIPTS) -> str:
    """Return the digest of a step: 12 hexadecimal digits, the same on every Python from 3.11 on.

    `step`: the dotted name of a function, such as "relprobe.studies.relations.steps.metrics". `also`: the dotted names of
    modules that the step imports by importlib, which the code does not show. `scripts`: the folder that holds the package.
    ValueError: the module does not define the step.

    >>> lexicon = digest("relprobe.lm.steps.lexicon")
    >>> len(lexicon), lexicon == digest("relprobe.lm.steps.snapshot")
    (12, False)
    """
    module, _, name = step.rpartition(".")
    nodes = _used(_tree(_file(module, scripts)), name)
    if not any(name in defined_names(node) for node in nodes):
        raise ValueError(f"{module} does not define the step {name}: give the rule and its step one name")
    texts = [step, *map(_text, nodes)]
    for file in modules([*_imports(nodes), *also], scripts):
        texts += [file.relative_to(scripts).as_posix(), _module_text(file)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


def modules(names: Iterable[str], scripts: Path = SCRIPTS) -> list[Path]:
    """Return the files of these modules and of all modules that they import, sorted.

    `names`: dotted names. Names outside relprobe are passed over.

    >>> [file.name for file in modules(["relprobe.core.metric", "json"])]
    ['__init__.py', '__init__.py', 'metric.py']
    """
    files: set[Path] = set()
    todo = {file for name in names for file in _files(name, scripts)}
    while todo:
        file = todo.pop()
        files.add(file)
        todo |= _neighbours(file, scripts) - files
    return sorted(files)


def modules_of(step: str, scripts: Path = SCRIPTS) -> list[Path]:
    """Return the files of the modules that a step imports, directly or through other modules, sorted.

    `step`: the dotted name of a function. The file of the function is not among them, unless a module imports it.
    """
    module, _, name = step.rpartition(".")
    return modules(_imports(_used(_tree(_file(module, scripts)), name)), scripts)


@functools.cache
def _files(name: str, scripts: Path) -> list[Path]:
    """Return the files that Python runs to import a module: those of the packages around it, and its own as the last."""
    if name.partition(".")[0] != PACKAGE:
        return []
    parts = name.split(".")
    packages = [scripts.joinpath(*parts[: i + 1], "__init__.py") for i in range(len(parts))]
    return [file for file in [*packages, scripts.joinpath(*parts).with_suffix(".py")] if file.is_file()]


@functools.cache
def _neighbours(file: Path, scripts: Path) -> frozenset[Path]:
    """Return the files that a file imports."""
    return frozenset(other for name in _imported(file) for other in _files(name, scripts))


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
    """Removes the code that does nothing when it runs: docstrings, and code for type checkers only."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

    def visit_If(self, node: ast.If) -> ast.AST | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)


def _imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the dotted names that code imports: of `from a import b` both a and a.b, as b may be a module or a name in a."""
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _used(tree: ast.Module, name: str) -> list[ast.stmt]:
    """Return the statements of a module that `name` needs, in their order.

    These are its definition, the definitions of the names that it uses, and the statements that define no name.
    """
    definitions: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for defined in defined_names(statement) or [""]:
            definitions.setdefault(defined, []).append(statement)
    used: list[ast.stmt] = []
    todo = ["", name]
    while todo:
        for statement in definitions.pop(todo.pop(), []):
            used.append(statement)
            todo += module_names(statement)
    return [statement for statement in tree.body if statement in used]


def _text(value: object) -> str:
    """Write a node of a syntax tree as text: its kind and its filled fields. Newer Pythons have more empty fields."""
    if isinstance(value, ast.Constant):
        return repr(value.value)
    if isinstance(value, list):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, ast.AST):
        fields = ((name, getattr(value, name, None)) for name in value._fields)
        filled = ", ".join(f"{name}={_text(part)}" for name, part in fields if part not in (None, []))
        return f"{type(value).__name__}({filled})"
    return repr(value)
