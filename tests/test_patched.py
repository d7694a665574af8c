"""What is made once for many tests is not made of what one of them has patched, in whatever order they run."""

import ast
import functools
import random

import pytest
from relprobe.lm.network.heads import Head

from tests.patched import ENGINE, NOW, Patch, made_once
from tests.paths import ROOT
from tests.trees import tree_of

CACHES = {"cache", "lru_cache"}


@made_once
def number(most):
    return random.randrange(most)


def test_what_is_made_once_is_the_same_for_all():
    assert number(10**9) == number(10**9)
    assert number.__name__ == "number"


@pytest.mark.parametrize("target", [(Head, "__call__"), ("relprobe.lm.network.heads.Head.__call__",)], ids=str)
def test_while_the_engine_is_patched_it_is_refused_in_any_order(monkeypatch, target):
    """Whether it has been made before or not: a test that is green alone is green behind any other."""
    number(10**9)
    monkeypatch.setattr(*target, lambda *_: None)
    for most in (10**9, 10**8):
        with pytest.raises(
            AssertionError, match=r"number makes .* call it before relprobe.lm.network.heads.Head.__call__ is patched."
        ):
            number(most)
    monkeypatch.undo()
    assert number(10**9) == number(10**9)
    assert not NOW


def test_a_patch_for_a_moment_is_noted_for_that_moment():
    with Patch.context() as patch:
        patch.setattr(Head, "__call__", None)
        patch.setattr(random, "randrange", lambda most: most)
        assert NOW == ["relprobe.lm.network.heads.Head.__call__", "random.randrange"]
    assert not NOW


def test_what_is_patched_elsewhere_does_not_matter(monkeypatch):
    monkeypatch.setattr(random, "gauss", None)
    monkeypatch.setenv("HOME", "/nowhere")
    assert number(10) < 10


def _names(decorator):
    """Return the name of a decorator, whether it is called or not."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def test_no_plain_cache_of_the_tests_holds_what_the_engine_makes():
    found = []
    for file in sorted((ROOT / "tests").rglob("*.py")):
        tree = tree_of(file.read_text("utf-8"))
        engine = {
            name.asname or name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(ENGINE)
            for name in node.names
        }
        for node in ast.walk(tree) if engine else ():
            if isinstance(node, ast.FunctionDef) and CACHES & set(map(_names, node.decorator_list)):
                used = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} & engine
                found += [f"{file.relative_to(ROOT)}: {node.name} ({', '.join(sorted(used))})"] * bool(used)
    assert found == []  # functools.cache there is tests.patched.made_once


def test_no_test_patches_past_the_notes():
    """What `pytest.MonkeyPatch` patches is not known to what is made once; conftest.py says where that does not matter."""
    aside = {"tests/patched.py", "tests/lm/conftest.py", "tests/test_patched.py"}
    files = [file for file in (ROOT / "tests").rglob("*.py") if "MonkeyPatch" in file.read_text("utf-8")]
    assert {str(file.relative_to(ROOT)) for file in files} <= aside


def test_the_cache_is_that_of_python():
    assert made_once(len)("ab") == functools.cache(len)("ab") == 2
