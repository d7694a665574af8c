"""The syntax trees of modules, which several tests read: each text is parsed once in a process."""

import ast
import functools


@functools.cache
def tree_of(code: str) -> ast.Module:
    """Return the syntax tree of a text, which the caller does not change: others are given the same one."""
    return ast.parse(code)
