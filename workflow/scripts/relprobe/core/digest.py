"""The digest of a step: 12 digits that stand for its code. Snakemake compares them, so that changed code reruns its steps.

The digest covers the function of the step and every definition of relprobe that it uses, directly or through others, in its
own module or in one that it imports: a module may hold many steps, and an edit of one re-runs no other. Of each module
that is imported, the statements that define nothing count as well, as Python runs them. The types of the arguments and the
result are part of the function, and with them the code that reads and writes the files. The digest is taken over the
parsed code, without comments, docstrings, layout and imports for type checkers, so that a changed comment or a
reformatting reruns nothing.

It does not know where a statement stands, nor how a name comes to be known there: imports are no part of it, but what each
name stands for is. So a definition that is moved to another module, and is imported from there, reruns nothing, and a name
that is imported from another place and means something else reruns what uses it.
"""

import ast
import contextlib
import functools
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from relprobe.core import scopes
from relprobe.core.scopes import Definition, defined_names, module_names

SCRIPTS = Path(__file__).parents[2]
"""The folder that holds the package relprobe."""
PACKAGE = __name__.partition(".")[0]
ALWAYS = "*"
"""In place of a name: the statements of a module that define no name."""
Import = ast.Import | ast.ImportFrom
BODIES = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields of a statement that hold statements, exception handlers or cases."""
CACHE = Path(".snakemake", "relprobe", "digests")
"""The folder of cached facts about the code in a working directory of Snakemake: to parse all files takes two seconds, and
to follow what each step uses a third of a plan."""


class Statement(TypedDict):
    """What a digest needs to know about a statement of a module."""

    defines: list[str]  # the names that it makes; none: it counts whenever the module is imported
    uses: list[str]  # names of its module, each with the attribute that is taken of it
    imports: list[tuple[str, str]]  # modules and the names that it takes of them; "": a module as a whole
    inner: list[
        tuple[str, str, str]
    ]  # of a definition or a block: the names that imports in it make, each with its import
    text: str  # a hash of the parsed code, without imports
    function: bool
    module: str  # of an import: what its name stands for; "" in `import a.b`, whose name stands for a


def digest(step: str, also: Sequence[str] = (), scripts: Path = SCRIPTS, *, texts: Sequence[str] = ()) -> str:
    """Return the digest of a step: 12 hexadecimal digits, the same on every Python from 3.11 on.

    `step`: the dotted name of a function, such as "relprobe.studies.degrees.method.ratings". `also`: the dotted names of
    modules, or of definitions in them, that the step imports by importlib, which the code does not show. `scripts`: the
    folder that holds the package. `texts`: what else the result depends on, such as the page of a study. ValueError: the
    module does not define the step, or nothing has a name in `also`.

    >>> shared = digest("relprobe.lm.words.lexicon.shared_lexicon")
    >>> len(shared), shared == digest("relprobe.lm.words.lexicon.lexicon")
    (12, False)
    """
    digests, key = _cached_digests(scripts), json.dumps([step, *also, [_hash(text) for text in texts]])
    if key not in digests:
        parts = {part for statement in _closure(step, also, scripts) if (part := _meaning(*statement, scripts))}
        digests[key] = _hash("\0".join([step.rpartition(".")[2], *sorted(parts), *texts]))[:12]
        _cache({"digests": digests}, _digests_file(scripts))
    return digests[key]


@functools.cache
def _cached_digests(scripts: Path) -> dict[str, str]:
    """Return the digests that earlier runs cached for the same code: a step with what else it depends on -> its digest."""
    try:
        digests = json.loads(_digests_file(scripts).read_bytes())["digests"]
        return {str(key): value for key, value in digests.items() if re.fullmatch("[0-9a-f]{12}", value)}
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return {}


@functools.cache
def _digests_file(scripts: Path) -> Path:
    """Return the cache file for the digests of the present code; a change of any file of the package changes its name."""
    files = sorted(_listing(scripts))
    hashes = [_hash(file, (scripts / file).read_bytes()) for file in files]
    return CACHE / f"{_hash('digests', _version().encode(), *map(str.encode, hashes))}.json"


def _closure(step: str, also: Sequence[str], scripts: Path) -> list[tuple[str, int]]:
    """Return the statements that a step needs, as files and indices in them, sorted."""
    module, _, function = step.rpartition(".")
    *packages, home = module_files(module, scripts)
    if not any(definition["function"] and function in definition["defines"] for definition in _code_of(home, scripts)):
        raise ValueError(f"there is no function {function}: name the step's function in the table of contents")
    if missing := [name for name in also if not _is_there(name, scripts)]:
        raise ValueError(f"there is no {missing[0]}, which the rule of {step} names: correct it there")
    nodes = [
        *((package, ALWAYS) for package in packages),
        (home, function),
        *(node for name in also for node in _nodes(*_split(name, scripts), scripts)),
    ]
    reached: set[tuple[str, int]] = set()
    todo = _statements(nodes, scripts)
    while todo:
        reached |= todo
        todo = frozenset().union(*(_needed(*statement, scripts) for statement in todo)) - reached
    return sorted(reached)


def _statements(nodes: Iterable[tuple[str, str]], scripts: Path) -> frozenset[tuple[str, int]]:
    """Return the statements that make names, as files and indices, with those of their files that always count."""
    pairs = {(file, key) for file, name in nodes for key in (name, ALWAYS)}
    return frozenset((file, index) for file, name in pairs for index in _indices(file, scripts).get(name, ()))


@functools.cache
def _needed(file: str, index: int, scripts: Path) -> frozenset[tuple[str, int]]:
    """Return the statements that a statement needs itself."""
    return _statements(_neighbours(file, index, scripts), scripts)


@functools.cache
def _indices(file: str, scripts: Path) -> dict[str, list[int]]:
    """Return the indices of the statements of a file that make a name: name -> indices; "": all of them."""
    code = _code_of(file, scripts)
    indices: dict[str, list[int]] = {"": [*range(len(code))]}
    for index, statement in enumerate(code):
        for name in statement["defines"] or [ALWAYS]:
            indices.setdefault(name, []).append(index)
    return indices


def _neighbours(file: str, index: int, scripts: Path) -> list[tuple[str, str]]:
    """Return the names that a statement needs, each with its file."""
    statement = _code_of(file, scripts)[index]
    same_module = [node for name in statement["uses"] for node in _own_nodes(file, name, scripts)]
    return same_module + [node for module, name in statement["imports"] for node in _nodes(module, name, scripts)]


@functools.cache
def _own_nodes(file: str, name: str, scripts: Path) -> list[tuple[str, str]]:
    """Return what a name of a file needs; of `module.name`, where the file imports this module, the name of that module."""
    first, _, attribute = name.partition(".")
    for index in _indices(file, scripts).get(first, ()):
        module = _code_of(file, scripts)[index]["module"]
        if attribute and module and _is_module(module, scripts):
            return _nodes(module, attribute, scripts)
    return [(file, first)]


@functools.cache
def _meaning(file: str, index: int, scripts: Path) -> str:
    """Return the meaning of a statement: its code, and what each name of the module stands for in it; "" of an import."""
    statement = _code_of(file, scripts)[index]
    if _is_import(statement):
        return ""
    names = {name: _referents(file, name, scripts) for name in statement["uses"]}
    names |= {name: _imported(module, inner_import, scripts) for name, module, inner_import in statement["inner"]}
    return json.dumps([statement["text"], sorted(names.items())])


def _is_import(statement: Statement) -> bool:
    return not statement["text"]


@functools.cache
def _referents(file: str, name: str, scripts: Path) -> tuple[str, ...]:
    """Return what a name of a file stands for, also one with an attribute; nothing of a name that Python has itself."""
    first, _, attribute = name.partition(".")
    texts: set[str] = set()
    for statement in (_code_of(file, scripts)[index] for index in _indices(file, scripts).get(first, ())):
        module = statement["module"]
        if not _is_import(statement):
            texts.add(statement["text"])
        elif attribute and module and _is_module(module, scripts):
            texts.update(_imported(module, attribute, scripts))
        else:
            texts.update(*(_imported(*imported, scripts) for imported in statement["imports"]))
    return tuple(sorted(texts))


@functools.cache
def _imported(module: str, name: str, scripts: Path) -> tuple[str, ...]:
    """Return what `from module import name` stands for: the code of definitions, or the name in another package.

    A module of relprobe as a whole stands for nothing, as all its statements count.
    """
    files = module_files(module, scripts)
    if not files:
        return (f"{module}.{name}".removesuffix("."),)
    return _referents(files[-1], name, scripts) if name in _indices(files[-1], scripts) and name else ()


def _split(name: str, scripts: Path) -> tuple[str, str]:
    """Return the module of a dotted name and the rest, or the whole name and "" if it is that of a module."""
    module, _, definition = name.rpartition(".")
    return (name, "") if _is_module(name, scripts) else (module, definition)


def _is_there(name: str, scripts: Path) -> bool:
    """Return whether a dotted name is that of a module of relprobe, or of a definition in one."""
    module, definition = _split(name, scripts)
    return _is_module(module, scripts) and definition in _indices(module_files(module, scripts)[-1], scripts)


def _is_module(name: str, scripts: Path) -> bool:
    """Return whether a dotted name is that of a module or package of relprobe."""
    path = name.replace(".", "/")
    return bool({f"{path}.py", f"{path}/__init__.py"} & {*module_files(name, scripts)[-1:]})


@functools.cache
def _nodes(module: str, name: str, scripts: Path) -> list[tuple[str, str]]:
    """Return what `from module import name` needs, as names with their files; "": all of the module.

    Python runs the packages around a module before it. A name of a package may be a module in it.
    """
    files = module_files(module, scripts)
    if not files:
        return []
    if name not in _indices(files[-1], scripts):  # a module, or a name that a block of the module makes
        inner = module_files(f"{module}.{name}", scripts)
        files, name = (inner, "") if len(inner) > len(files) else (files, ALWAYS)
    return [*((file, ALWAYS) for file in files), (files[-1], name)]


@functools.cache
def module_files(module: str, scripts: Path = SCRIPTS) -> list[str]:
    """Return the files that Python runs to import a module: those of the packages around it, and its own as the last.

    A name outside relprobe has none, and a name in a module those of its packages.

    >>> module_files("relprobe.core.files"), module_files("json")
    (['relprobe/__init__.py', 'relprobe/core/__init__.py', 'relprobe/core/files.py'], [])
    """
    if module.partition(".")[0] != PACKAGE:
        return []
    parts = module.split(".")
    packages = ["/".join([*parts[: count + 1], "__init__.py"]) for count in range(len(parts))]
    return [file for file in [*packages, f"{'/'.join(parts)}.py"] if file in _listing(scripts)]


@functools.cache
def _listing(scripts: Path) -> frozenset[str]:
    """Return the modules of the package as files, such as "relprobe/core/digest.py"."""
    return frozenset(file.relative_to(scripts).as_posix() for file in (scripts / PACKAGE).rglob("*.py"))


@functools.cache
def _code_of(file: str, scripts: Path) -> list[Statement]:
    """Return the statements of a file: those that an earlier run cached for the same bytes, or else parse it."""
    source = (scripts / file).read_bytes()
    cache = CACHE / f"{_hash(_version(), source)}.json"
    code = _cached(cache)
    if code is None:
        code = _parsed(source)
        _cache({"statements": code}, cache)
    return code


def _cached(file: Path) -> list[Statement] | None:
    """Return the statements that an earlier run cached in a file; None if it is not there, damaged or unreadable."""
    try:
        return [
            Statement(
                defines=[str(name) for name in entry["defines"]],
                uses=[str(name) for name in entry["uses"]],
                imports=[(str(module), str(name)) for module, name in entry["imports"]],
                inner=[(str(name), str(module), str(taken)) for name, module, taken in entry["inner"]],
                text=str(entry["text"]),
                function=bool(entry["function"]),
                module=str(entry["module"]),
            )
            for entry in json.loads(file.read_bytes())["statements"]
        ]
    except (OSError, ValueError, TypeError, LookupError):
        return None


def _cache(content: Mapping[str, object], file: Path) -> None:
    """Cache facts about the code for later runs, in a working directory of Snakemake, if there is room for it.

    Without it the next run parses the code again, which takes two seconds: no reason to end a run, nor to say anything.
    """
    if not CACHE.parents[1].is_dir():
        return
    new_file = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        new_file.write_text(json.dumps(content))
        new_file.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            new_file.unlink(missing_ok=True)


@functools.cache
def _version() -> str:
    """Return a hash of the code that makes the facts."""
    return _hash("", *(Path(file).read_bytes() for file in (__file__, scopes.__file__)))


def _parsed(source: bytes) -> list[Statement]:
    """Return the statements of a file, without what does nothing when it runs, and each import by itself."""
    tree = ast.parse(source)
    for node in _blocks([tree]):
        for name, statements in _bodies(node):
            setattr(node, name, [statement for statement in statements if not _is_idle(statement)])
    body = [part for statement in tree.body for part in _single_imports(statement)]
    uses = [sorted(set(module_names(statement))) for statement in body]
    used = {name.partition(".")[0] for names in uses for name in names}
    definitions = {name for statement in body if not isinstance(statement, Import) for name in defined_names(statement)}
    pairs = zip(body, uses, strict=True)
    return [fact for statement, names in pairs for fact in _facts(statement, names, used, definitions)]


def _facts(statement: ast.stmt, uses: list[str], used: set[str], definitions: set[str]) -> Iterator[Statement]:
    """Yield what a digest needs to know about a statement; of an import that its module does not use, in two parts.

    It may be there for other modules, and for what the imported module does when it runs.
    """
    imports = sorted(set(_imports([statement])))
    is_import = isinstance(statement, Import)
    fact = Statement(
        defines=_definitions(statement, used, definitions),
        uses=uses,
        imports=sorted({(module, taken) for _, module, taken in imports}),
        inner=[] if is_import else imports,
        text="" if is_import else _hash(_text(statement)),
        function=isinstance(statement, ast.FunctionDef),
        module=_import_target(statement),
    )
    yield fact
    if isinstance(statement, ast.ImportFrom) and not used.intersection(fact["defines"]):
        runs = [
            dependency for _, module, taken in imports for dependency in ((module, ALWAYS), (f"{module}.{taken}", ""))
        ]
        yield {**fact, "defines": [], "imports": runs, "module": ""}


def _import_target(statement: ast.stmt) -> str:
    """Return the dotted name that the name of an import stands for; "" for other statements, and for `import a.b`."""
    if isinstance(statement, ast.ImportFrom):
        return f"{statement.module}.{statement.names[0].name}"
    return statement.names[0].name if isinstance(statement, ast.Import) and statement.names[0].asname else ""


def _single_imports(statement: ast.stmt) -> list[ast.stmt]:
    """Return an import of several names as imports of one name, and any other statement as it is."""
    if isinstance(statement, ast.Import):
        return [ast.Import(names=[alias]) for alias in statement.names]
    if isinstance(statement, ast.ImportFrom):
        return [
            ast.ImportFrom(module=statement.module, names=[imported], level=statement.level)
            for imported in statement.names
        ]
    return [statement]


def _definitions(statement: ast.stmt, used: set[str], module_definitions: set[str]) -> list[str]:
    """Return the names that a statement makes or changes; none if it counts whenever its module is imported.

    `used`: the names that the module uses: a module that it imports and does not use may be there for what it does.
    `module_definitions`: the names that it makes itself: `@words.register` changes `words`, and if that is another module's,
    the statement counts always.
    So do loops and other blocks, which may change anything.
    """
    if isinstance(statement, ast.ImportFrom):
        return defined_names(statement)
    if isinstance(statement, ast.Import):
        return [name for name in defined_names(statement) if name in used]
    if not isinstance(statement, Definition):
        return [] if _is_block(statement) else defined_names(statement)
    registers = [
        name.partition(".")[0]
        for decorator in statement.decorator_list
        if _registers(decorator)
        for name in module_names(decorator)
    ]
    return [statement.name, *registers] if module_definitions.issuperset(registers) else []


def _is_block(statement: ast.stmt) -> bool:
    """Return whether a statement holds other statements."""
    return any(True for _ in _bodies(statement))


def _registers(decorator: ast.expr) -> bool:
    """Return whether a decorator is `name.register`, or a call of it, as of functools.singledispatch."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(function, ast.Attribute) and function.attr == "register"


def _hash(text: str, *parts: bytes) -> str:
    return hashlib.sha256(b"\0".join([text.encode(), *parts])).hexdigest()


def _is_idle(node: ast.AST) -> bool:
    """Return whether a statement does nothing when it runs: it is a docstring, or code for type checkers only."""
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


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str, str]]:
    """Yield the names that imports in code make, each with the module, and the name in it or "" for the module itself."""
    for node in _blocks(nodes):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name.partition(".")[0], alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            module = node.module
            yield from (
                (alias.asname or alias.name, module, "" if alias.name == "*" else alias.name) for alias in node.names
            )


def _text(value: object) -> str:
    """Write a node of a syntax tree as text: its kind and its filled fields, without imports.

    Newer Pythons have more empty fields.
    """
    if isinstance(value, ast.Constant):
        return repr(value.value)
    if isinstance(value, ast.AST):
        fields = [(name, getattr(value, name, None)) for name in value._fields]
        filled = ", ".join([f"{name}={_text(part)}" for name, part in fields if part is not None and part != []])
        return f"{type(value).__name__}({filled})"
    if isinstance(value, list):
        return f"[{', '.join([_text(part) for part in value if not isinstance(part, Import)])}]"
    return repr(value)
