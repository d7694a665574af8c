"""What tests have patched at this moment, and what is made once for many of them: it must not be made of that."""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import pytest

Given, Made = ParamSpec("Given"), TypeVar("Made")
ENGINE = (
    *(f"relprobe.lm.{part}." for part in ("network", "loading", "primitives", "words", "requests")),
    *("torch.", "transformers.", "tokenizers."),
)
"""What makes a model, and asks it."""
NOW: list[str] = []
"""The dotted names of what is patched now."""


class Patch(pytest.MonkeyPatch):
    """The fixture `monkeypatch` of all tests, which notes what is patched."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def setattr(self, target: Any, name: Any, *args: Any, **kwargs: Any) -> None:
        """Patch an attribute, and note which."""
        super().setattr(target, name, *args, **kwargs)
        self.names.append(target if isinstance(target, str) else dotted_name(target, name))
        NOW.append(self.names[-1])

    def undo(self) -> None:
        """Undo all that this one has patched."""
        super().undo()
        for name in self.names:
            NOW.remove(name)
        self.names.clear()


def dotted_name(target: Any, name: str) -> str:
    """Return the name of an attribute of a module, of a class or of an object.

    >>> dotted_name(functools, "cache"), dotted_name(Patch, "undo"), dotted_name(Patch(), "undo")
    ('functools.cache', 'tests.patched.Patch.undo', 'tests.patched.Patch.undo')
    """
    if not isinstance(target, type) and hasattr(target, "__name__"):
        return f"{target.__name__}.{name}"
    kind = target if isinstance(target, type) else type(target)
    return f"{kind.__module__}.{kind.__qualname__}.{name}"


def made_once(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """Return the function with a cache, for what many tests take: in no order of the tests is it made of a patched engine.

    So a call while the engine is patched fails, whether it would make something or not: make it before.
    """
    made = functools.cache(make)

    @functools.wraps(make)
    def call_all(*args: Any, **kwargs: Any) -> Made:
        if patched := [name for name in NOW if name.startswith(ENGINE)]:
            raise AssertionError(
                f"{make.__name__} makes what other tests take as well: call it before {', '.join(patched)} is patched."
            )
        return made(*args, **kwargs)

    return call_all
