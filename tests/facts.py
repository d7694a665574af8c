"""The studies that tests go through, and what a test knows of each of them."""

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from relprobe.core.cli import contents_of, function_of
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES

from tests.paths import ROOT

Fact = TypeVar("Fact")


WHOLE = tuple(study for study in STUDIES if (ROOT / f"docs/studies/{study}.md").is_file())
"""The studies that have a page, as the last that docs/how-to/add-a-study.md asks for.

Before, tests need know nothing of a study.
"""


def with_step(step: str) -> list[str]:
    """Return the whole studies that have a step, such as `trials`, in the order of the report."""
    return [study for study in WHOLE if step in contents_of(GROUPS[study])]


def with_answers() -> list[str]:
    """Return the whole studies that have a page of all agents' answers, which their step `show` writes, in that order."""
    return [study for study in with_step("show") if "answers" in inspect.signature(_show(study)).parameters]


def _show(study: str) -> Callable[..., Any]:
    module, _, function = function_of(GROUPS[study], "show").rpartition(".")
    step: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return step


def with_published() -> list[str]:
    """Return the whole studies with which the figures of their paper are shipped, in the order of the report."""
    return [study for study in WHOLE if (ROOT / f"resources/published/{study}.csv").is_file()]


def facts_by_study(studies: Iterable[str], facts: Mapping[str, Fact], file: str) -> dict[str, Fact]:
    """Return what the test module `file` knows of each of some studies. AssertionError: it knows nothing of a whole one."""
    known = {study: facts[study] for study in studies if study in facts}
    missing = [study for study in studies if study not in known and study in WHOLE]
    place = Path(file).relative_to(ROOT)
    assert not missing, f"{place} says nothing of the study {', '.join(missing)}: add there what the tests need of it."
    return known
