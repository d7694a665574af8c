"""The names of its module that a piece of code uses, compared with Python's own tables of symbols."""

import ast
import symtable

import pytest
from relprobe.core.scopes import module_names

from tests.paths import SCRIPTS
from tests.trees import tree_of


def scopes(table):
    """Yield a table of symbols and all tables in it."""
    yield table
    for inner in table.get_children():
        yield from scopes(inner)


def names_of_python(text):
    """Return the names that Python looks up in the module, in the code of a module and of its functions."""
    top = symtable.symtable(text, "<code>", "exec")
    return {
        symbol.get_name()
        for table in scopes(top)
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (symbol.is_global() or table is top)
    }


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def f(a, /, b, *c, d, **e): return a, b, c, d, e, x", "x"),
        ("def f(a: x = y) -> z: ...", "x y z"),
        ("@x\ndef f(x): return x", "x"),
        ("def f():\n from a import x\n import y.b\n return x, y, z", "z"),
        ("def f():\n x = 1\n def g(): return x + y\n return g", "y"),
        ("def f():\n def g(x): return x\n return g(x)", "x"),
        ("def f(x): return [x for x in x], y", "y"),
        ("def f(): return [x for x in y], x", "x y"),
        ("def f(): return [x for x in x]", "x"),
        ("def f(): return {x for x in y}, x", "x y"),
        ("def f(): return {x: z for x in y}, x", "x y z"),
        ("def f(): return {*(x for x in y)}, x", "x y"),
        ("def f(): return [x + z for x in a for z in x if z > y]", "a y"),
        ("async def f(x): return x, y", "y"),
        ("def f():\n async def x(y): return y\n return x, y", "y"),
        ("def f(x):\n del y\n return y", ""),
        ("def f(): return (lambda x: x + y)(x)", "x y"),
        ("def f():\n global x\n x = 1\n return x", "x"),
        ("def f():\n with a as x, b as (y, z): return x, y, z", "a b"),
        ("def f():\n try: a()\n except b as x: return x", "a b"),
        ("def f():\n for x in a: pass\n return x", "a"),
        ("def f(x):\n class A:\n  y = x\n return y", "y"),
        ("def f(): return f'{x:{y}}'", "x y"),
        ("def f(x): x.y: z = a", "z a"),
        ("def f(): x[y]: z = a", "x y z a"),
    ],
)
def test_names_of_a_function(code, names):
    used = {name.partition(".")[0] for name in module_names(tree_of(code))}
    assert used == set(names.split()) == names_of_python(code)


def test_no_name_that_a_function_of_relprobe_uses_is_missed():
    """A variable that `:=` binds inside a comprehension counts as a name of the module, which only adds to a digest."""
    for path in sorted((SCRIPTS / "relprobe").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        functions = [node for node in tree_of(text).body if isinstance(node, ast.FunctionDef)]
        for function in functions:
            first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
            code = "\n".join(lines[first - 1 : function.end_lineno])
            found = {name.partition(".")[0] for name in module_names(function)}
            assert found >= names_of_python(code), f"{path.name}: {function.name}"
