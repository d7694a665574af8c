"""The digest of a step: 12 digits that stand for its code. Snakemake compares them, so that changed code reruns its steps.

The digest covers the function of the step, the definitions of its module that the function uses, and every module of
relprobe that this code imports, directly or through other modules. The types of the arguments and the result are part of the
function, and with them the code that reads and writes the files. The digest is taken over the parsed code, without comments,
docstrings, layout and imports for type checkers, so that a changed comment or a reformatting reruns nothing.
"""

import ast
import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypedDict

from relprobe.core import scopes
from relprobe.core.scopes import defined_names, module_names

SCRIPTS = Path(__file__).parents[2]
"""The folder that holds the package relprobe."""
PACKAGE = __name__.partition(".")[0]
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields of a statement that hold statements, exception handlers or cases."""
KEPT = Path(".snakemake", "relprobe", "digests")
"""Where what is known about code is kept in a working directory of Snakemake: to parse all files takes two seconds."""


class Code(TypedDict):
    """What a digest needs to know about a piece of code."""

    imports: list[str]  # dotted names
    text: str  # a hash of the parsed code


def digest(step: str, also: Iterable[str] = (), scripts: Path = SCRIPTS, *, texts: Iterable[str] = ()) -> str:
    """Return the digest of a step: 12 hexadecimal digits, the same on every Python from 3.11 on.

    `step`: the dotted name of a function, such as "relprobe.studies.degrees.measure.raters.ratings". `also`: the dotted
    names of modules that the step imports by importlib, which the code does not show. `scripts`: the folder that holds
    the package. `texts`: what else the result depends on, such as the page of a study. ValueError: the module does not
    define the step.

    >>> shared = digest("relprobe.lm.words.lexicon.shared_lexicon")
    >>> len(shared), shared == digest("relprobe.lm.words.lexicon.lexicon")
    (12, False)
    """
    code = _step(step, scripts)
    parts = [step, code["text"]]
    for file in _reached([*code["imports"], *also], scripts):
        parts += [file, _code_of(file, scripts)["text"]]
    return _hash("\0".join([*parts, *texts]))[:12]


def modules(names: Iterable[str], scripts: Path = SCRIPTS) -> list[Path]:
    """Return the files of these modules and of all modules that they import, sorted.

    `names`: dotted names. Names outside relprobe are passed over.

    >>> [file.name for file in modules(["relprobe.core.metric", "json"])]
    ['__init__.py', '__init__.py', 'metric.py']
    """
    return [scripts / file for file in _reached(names, scripts)]


def _reached(names: Iterable[str], scripts: Path) -> list[str]:
    """Return what `modules` does, from `scripts` on: every plan asks for each step, and paths take three times as long."""
    files: set[str] = set()
    todo = {file for name in names for file in _files(name, scripts)}
    while todo:
        file = todo.pop()
        files.add(file)
        todo |= _neighbours(file, scripts) - files
    return sorted(files)


def _step(step: str, scripts: Path) -> Code:
    """Return the imports and the text of a step."""
    module, _, name = step.rpartition(".")
    return _code_of(_files(module, scripts)[-1], scripts, name)


@functools.cache
def _files(name: str, scripts: Path) -> list[str]:
    """Return the files that Python runs to import a module: those of the packages around it, and its own as the last."""
    if name.partition(".")[0] != PACKAGE:
        return []
    parts = name.split(".")
    packages = ["/".join([*parts[: i + 1], "__init__.py"]) for i in range(len(parts))]
    return [file for file in [*packages, f"{'/'.join(parts)}.py"] if file in _listing(scripts)]


@functools.cache
def _listing(scripts: Path) -> frozenset[str]:
    """Return the modules of the package as files, such as "relprobe/core/digest.py"."""
    return frozenset(file.relative_to(scripts).as_posix() for file in (scripts / PACKAGE).rglob("*.py"))


@functools.cache
def _neighbours(file: str, scripts: Path) -> frozenset[str]:
    """Return the files that a file imports."""
    return frozenset(other for name in _code_of(file, scripts)["imports"] for other in _files(name, scripts))


@functools.cache
def _code_of(file: str, scripts: Path, function: str = "") -> Code:
    """Return the code of a file, or of one function in it: what an earlier run kept for the same bytes, or else parse it."""
    source = (scripts / file).read_bytes()
    kept = KEPT / f"{_hash(f'{_version()} {function}', source)}.json"
    code = _kept(kept)
    if code is None:
        code = _parsed(source, function)
        _keep(code, kept)
    return code


def _kept(file: Path) -> Code | None:
    """Return what an earlier run kept in a file; None if there is none, or if it is damaged or cannot be read."""
    try:
        code = json.loads(file.read_bytes())
        return Code(imports=[str(name) for name in code["imports"]], text=str(code["text"]))
    except (OSError, ValueError, TypeError, LookupError):
        return None


def _keep(code: Code, file: Path) -> None:
    """Keep what is known about code for later runs, in a working directory of Snakemake, if there is room for it.

    Without it the next run parses the code again, which takes two seconds: no reason to end a run, nor to say anything.
    """
    if not KEPT.parents[1].is_dir():
        return
    half = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        half.write_text(json.dumps(code))
        half.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            half.unlink(missing_ok=True)


@functools.cache
def _version() -> str:
    """Return a hash of the code that makes the facts."""
    return _hash("", *(Path(file).read_bytes() for file in (__file__, scopes.__file__)))


def _parsed(source: bytes, function: str) -> Code:
    """Return the code of a file, or of one function in it. ValueError: the file does not define it."""
    tree = _tree(source)
    if function and function not in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}:
        raise ValueError(f"there is no function {function}: name the step's function in the table of contents")
    nodes = _used(tree, function) if function else [tree]
    return {"imports": sorted(set(_imports(nodes))), "text": _hash("\0".join(map(_text, nodes)))}


@functools.lru_cache(maxsize=1)  # a million nodes in memory would slow down Python's search for garbage
def _tree(source: bytes) -> ast.Module:
    """Parse code, and leave out what does nothing when it runs."""
    tree = ast.parse(source)
    for node in _blocks([tree]):
        for name, statements in _bodies(node):
            setattr(node, name, [statement for statement in statements if not _is_idle(statement)])
    return tree


def _hash(text: str, *parts: bytes) -> str:
    return hashlib.sha256(b"\0".join([text.encode(), *parts])).hexdigest()


def _is_idle(node: ast.AST) -> bool:
    """Say whether a statement does nothing when it runs: it is a docstring, or code for type checkers only."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _blocks(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield nodes, then the statements, handlers and cases inside them, but no expressions, which are most of a tree."""
    for node in nodes:
        yield node
        for _, inner in _bodies(node):
            yield from _blocks(inner)


def _bodies(node: ast.AST) -> list[tuple[str, list[ast.AST]]]:
    """Return the lists of statements, exception handlers or cases right inside a statement, with their names."""
    fields = [(name, getattr(node, name, None)) for name in BODIES]
    return [(name, inner) for name, inner in fields if isinstance(inner, list)]


def _imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the dotted names that code imports: of `from a import b` both a and a.b, as b may be a module or a name in a."""
    for node in _blocks(nodes):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _used(tree: ast.Module, name: str) -> list[ast.AST]:
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
    if isinstance(value, ast.AST):
        fields = [(name, getattr(value, name, None)) for name in value._fields]
        filled = ", ".join([f"{name}={_text(part)}" for name, part in fields if part is not None and part != []])
        return f"{type(value).__name__}({filled})"
    if isinstance(value, list):
        return f"[{', '.join([_text(part) for part in value])}]"
    return repr(value)
