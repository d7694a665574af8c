"""The studies that tests go through, and what a test knows of each of them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from relprobe.core.cli import contents_of
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES

from tests.paths import ROOT

Fact = TypeVar("Fact")


def with_step(step: str) -> list[str]:
    """Return the studies that have a step, such as `answers`, in the order of the report."""
    return [study for study in STUDIES if step in contents_of(GROUPS[study])]


def of_each(studies: Iterable[str], facts: Mapping[str, Fact], file: str) -> dict[str, Fact]:
    """Return what the test module `file` knows of each of some studies. AssertionError: it knows nothing of one."""
    missing = [study for study in studies if study not in facts]
    place = Path(file).relative_to(ROOT)
    assert not missing, f"{place} says nothing of the study {', '.join(missing)}: add there what the tests need of it."
    return {study: facts[study] for study in studies}
