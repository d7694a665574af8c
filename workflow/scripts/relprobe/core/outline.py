"""The outline of a step: its function with the signature and the docstring, without the libraries that its module imports.

`--help` needs no more than that, and importing a module that runs models takes seconds. The code is parsed, and of each
module only those statements are executed that the annotations and defaults of the function lead to. Modules of other
packages are replaced by a stand-in, but those of Python's standard library are imported.
"""

import ast
import functools
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from relprobe.core.scopes import defined_names

PACKAGE = __name__.partition(".")[0]


def outline(step: str) -> Callable[..., Any]:
    """Return the outline of a step, for `arguments_of` and `options_of`; it cannot be called. `step`: its dotted name.

    >>> outline("relprobe.core.progress.track").__annotations__["total"]
    <class 'int'>
    """
    module, _, function = step.rpartition(".")
    ours = frozenset([PACKAGE, module.partition(".")[0]])
    outlined: Callable[..., Any] = _module(module, ours)[function]
    return outlined


class _StandIn:
    """A module of another package, or anything in it: what is done with it gives a stand-in again."""

    def __getattr__(self, name: str) -> "_StandIn":
        if name.startswith("_"):  # Python, typing and core/step.py ask for such names to learn what an object is
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> "_StandIn":
        return self

    def __getitem__(self, _: Any) -> "_StandIn":
        return self

    def __iter__(self) -> Iterator[Any]:  # without it, Python would ask __getitem__ for items without end
        return iter(())

    def __or__(self, _: Any) -> "_StandIn":
        return self

    __ror__ = __or__

    def __mro_entries__(self, _: Any) -> tuple[type, ...]:
        return ()


class _Module(dict[str, Any]):
    """The names of a module; the statement that defines a name is executed when the name is asked for.

    `ours`: the packages whose modules are read so.
    """

    def __init__(self, name: str, file: Path, ours: frozenset[str]) -> None:
        super().__init__(__name__=name, __file__=str(file))
        self._ours = ours
        statements = _statements(ast.parse(file.read_bytes()).body)
        self._definitions = {defined: statement for statement in statements for defined in defined_names(statement)}

    def __missing__(self, name: str) -> Any:
        statement = self._definitions[name]  # KeyError: Python looks among its own names next
        if isinstance(statement, ast.Import | ast.ImportFrom):
            self[name] = self._imported(statement, name)
        else:
            bare = _bare(statement)
            if isinstance(bare, ast.ClassDef):  # the body of a class looks for names in a way that does not come here
                for used in self._definitions.keys() & _read(bare):
                    self[used]
            code = compile(ast.Module([bare], type_ignores=[]), self["__file__"], "exec", dont_inherit=True)
            exec(code, self, self)  # noqa: S102 (our own code)
        return self[name]

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def _imported(self, statement: ast.Import | ast.ImportFrom, name: str) -> Any:
        """Return what an import of the module gives a name."""
        alias = next(
            imported
            for imported in statement.names
            if name in (imported.asname, imported.name.partition(".")[0], imported.name)
        )
        if isinstance(statement, ast.Import):
            return _module(alias.name if alias.asname else name, self._ours)
        home = statement.module or ""
        if _file(f"{home}.{alias.name}", self._ours):
            return _module(f"{home}.{alias.name}", self._ours)
        return getattr(_module(home, self._ours), alias.name)


@functools.cache
def _module(name: str, ours: frozenset[str]) -> Any:
    """Return a module: a _Module if it is ours, itself if it is of the standard library, or else a stand-in."""
    if name.partition(".")[0] in sys.stdlib_module_names:
        return importlib.import_module(name)
    file = _file(name, ours)
    return _StandIn() if file is None else _Module(name, file, ours)


def _file(name: str, ours: frozenset[str]) -> Path | None:
    """Return the file of a module that is ours, or None."""
    root, *parts = name.split(".")
    if root not in ours:
        return None
    spec = importlib.util.find_spec(root)
    folders = spec.submodule_search_locations or [] if spec else []
    paths = [path for folder in folders for path in _paths(Path(folder, *parts))]
    return next(filter(Path.is_file, paths), None)


def _paths(path: Path) -> list[Path]:
    return [path.with_name(f"{path.name}.py"), path / "__init__.py"]


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module, also those under a condition, such as imports for type checkers."""
    for statement in body:
        if isinstance(statement, ast.If | ast.Try):
            yield from _statements([*statement.body, *statement.orelse])
        else:
            yield statement


def _bare(statement: ast.stmt) -> ast.stmt:
    """Return a statement; the methods of a class get no body, and only `read`, whose parameters are options, its types."""
    for method in statement.body if isinstance(statement, ast.ClassDef) else []:
        if isinstance(method, ast.FunctionDef):
            method.body = [ast.Pass(lineno=method.lineno, col_offset=0)]
            if method.name != "read":
                method.returns = None
                for argument in ast.walk(method.args):
                    if isinstance(argument, ast.arg):
                        argument.annotation = None
    return statement


def _read(node: ast.AST) -> set[str]:
    """Return the names that code reads; a field of a class may have the name of a step, which is not read then."""
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)}
