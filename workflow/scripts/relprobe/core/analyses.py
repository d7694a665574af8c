"""The further analyses of a study: a file each in its folder `analyses`, which is all that there is of an analysis.

A file that is added there is a part of the study, and one that is deleted is gone from it: nothing lists them. The first
paragraph of its docstring says what it holds, and the rest is its sections of the study's page (report/shown.py). `PLACE`
is its place among the analyses on the page; those without it come last, by name. What else it does, the study finds by the
names that the file defines, such as the function `tables`.
"""

import ast
import functools
import importlib
import math
from pathlib import Path
from typing import Any, NamedTuple

from relprobe.core.errors import DataError
from relprobe.core.scopes import defined_names

STUDIES = Path(__file__).parents[1] / "studies"
FOLDER = "analyses"


class Analysis(NamedTuple):
    """A further analysis of a study, as its file says without being run."""

    module: str  # its dotted name
    path: Path
    page: str  # what its docstring says below the first paragraph
    line: int  # the line of the file in which that begins
    place: float
    names: frozenset[str]  # what the file defines


@functools.cache
def analyses_of(study: str) -> tuple[Analysis, ...]:
    """Return the analyses of a study in the order of its page; none if it has no such folder.

    >>> [Path(one.path).stem for one in analyses_of("definitions")][:2], analyses_of("a study without any")
    (['leaks', 'depth'], ())
    """
    files = sorted((STUDIES / study / FOLDER).glob("[!_]*.py"))
    return tuple(sorted((read(file, study) for file in files), key=lambda one: (one.place, one.module)))


def read(file: Path, study: str = "") -> Analysis:
    """Read the file of an analysis, without running it. DataError: it is no Python, or says nothing of itself."""
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError) as error:
        raise DataError(f"{file} is no Python ({error}): correct it.") from error
    if not (docstring := ast.get_docstring(tree, clean=False)):
        raise DataError(f'{file} says nothing of itself: begin it with a sentence between two """.')
    first, _, page = docstring.partition("\n\n")
    names = frozenset(name for statement in tree.body for name in defined_names(statement))
    places = [
        statement.value.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and defined_names(statement) == ["PLACE"]
        if isinstance(statement.value, ast.Constant) and isinstance(statement.value.value, int)
    ]
    if "PLACE" in names and not places:
        raise DataError(f"{file}: PLACE is no whole number: write one, such as PLACE = 2.")
    module = f"relprobe.studies.{study}.{FOLDER}.{file.stem}"
    return Analysis(
        module, file, page, tree.body[0].lineno + first.count("\n") + 2, places[0] if places else math.inf, names
    )


def dotted_names(study: str, *names: str) -> list[str]:
    """Return the dotted names of what the analyses of a study define under some names: what a step takes of them.

    >>> dotted_names("definitions", "of_agent")
    ['relprobe.studies.definitions.analyses.sensitivity.of_agent']
    """
    return [f"{one.module}.{name}" for one in analyses_of(study) for name in names if name in one.names]


def take(study: str, name: str) -> dict[str, Any]:
    """Return what the analyses of a study define under a name: analysis -> that, in the order of the page."""
    return {
        one.path.stem: getattr(importlib.import_module(one.module), name)
        for one in analyses_of(study)
        if name in one.names
    }
