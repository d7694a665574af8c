"""Which names of its module a piece of code uses: core/digest.py follows these names to the code that a step runs."""

import ast
from collections.abc import Iterable, Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def module_names(node: ast.AST, local: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names in a syntax tree that Python looks up in the module, each with the attribute that is taken of it.

    A name that occurs twice comes twice.

    The parameters and variables of a function are its own: a step with a parameter `probes` does not use the step `probes`
    of its module, and nor does a class with a field of this name. `local`: the parameters and variables of the functions
    around the node.

    >>> list(module_names(ast.parse("def scores(probes): return ask(probes, files.LIMIT)")))
    ['ask', 'files.LIMIT']
    >>> list(module_names(ast.parse("class Tables(NamedTuple): probes: Probes = EMPTY")))
    ['NamedTuple', 'Probes', 'EMPTY']
    """
    if isinstance(node, ast.Name):
        if node.id not in local:
            yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id not in local:
            yield f"{node.value.id}.{node.attr}"
    elif isinstance(node, Function):
        body = node.body if isinstance(node.body, list) else [node.body]
        inner = local | _parameters(node.args) | _variables(body)
        for part in ast.iter_child_nodes(node):  # Python evaluates decorators, defaults and annotations outside
            yield from module_names(part, inner if part in body else local)
    elif isinstance(node, Comprehension):
        yield from module_names(node.generators[0].iter, local)  # Python evaluates the first iterable outside
        inner = local | _variables(generator.target for generator in node.generators)
        for part in ast.iter_child_nodes(node):
            yield from module_names(part, inner)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):  # such as a field of a class
        for part in filter(None, (node.annotation, node.value)):
            yield from module_names(part, local)
    else:
        for part in ast.iter_child_nodes(node):
            yield from module_names(part, local)


def defined_names(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of a module defines.

    >>> defined_names(ast.parse("import os.path, numpy as np").body[0])
    ['os', 'np']
    """
    if isinstance(statement, Definition):
        return [statement.name]
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]
    return [node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _parameters(arguments: ast.arguments) -> frozenset[str]:
    variadic = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *variadic]
    return frozenset(argument.arg for argument in parameters)


def _variables(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names that code of one function binds, without those that it declares global.

    Names that functions, classes and comprehensions inside it bind are theirs.
    """
    names: set[str] = set()
    shared: set[str] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, Definition | ast.Import | ast.ImportFrom):
            names |= set(defined_names(node))
        elif isinstance(node, ast.Global):
            shared |= set(node.names)
        elif not isinstance(node, ast.Lambda | Comprehension):
            names |= {node.name} if isinstance(node, ast.ExceptHandler) and node.name else set()
            stack += ast.iter_child_nodes(node)
    return frozenset(names - shared)
