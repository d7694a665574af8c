"""Which slow tests a check leaves out: those of wheels, benchmarks, tutorials and published studies, where nothing that they
read has changed since a commit that was checked. Where there is any doubt they run.

RELPROBE_SINCE names that commit; without it all tests run. A change of any file means that all tests run, unless the file
lies in a place that they do not read (ASIDE): then those tests run that do (READERS), or whose modules import it.
"""

import os
import re
import subprocess
from functools import cache
from pathlib import Path

from tests.paths import ROOT

SINCE = "RELPROBE_SINCE"
ASIDE = ("docs/", "tests/", "benchmarks/", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "README.md")
"""Places that none of these tests reads, but for what READERS says."""
READERS: dict[str, tuple[str, ...]] = {
    "tests/package/test_catalog.py": (),
    "tests/package/test_tutorial.py": ("docs/", "README.md"),
    "tests/package/wheel/test_installed.py": ("README.md", "CHANGELOG.md", "CITATION.cff"),
    "tests/package/wheel/test_wheel.py": ("README.md", "CHANGELOG.md", "CITATION.cff"),
    "tests/studies/definitions/compare/test_sizes.py": (),
    "tests/studies/relations/test_paper_data.py": (),
    "tests/workflow/test_benchmarks.py": ("benchmarks/",),
}
"""Tests that may be left out -> what they read of the places of ASIDE, beside the modules of tests that they import."""


@cache
def changed() -> frozenset[str] | None:
    """Return the files that differ from those of the commit, new ones as well; None if that cannot be said."""
    commit = os.environ.get(SINCE)
    if not commit or _git("merge-base", "--is-ancestor", commit, "HEAD") is None:
        return None
    differing, new = (
        _git("diff", "--name-only", "--no-renames", commit),
        _git("ls-files", "--others", "--exclude-standard"),
    )
    return None if differing is None or new is None else frozenset((differing + new).splitlines())


def reason_to_leave_out(test: str) -> str | None:
    """Return why the slow tests of a file, such as "tests/package/test_catalog.py", need not run, if they need not."""
    files = changed()
    if files is None or test not in READERS or any(is_read(file, test) for file in files):
        return None
    return f"no file that it reads has changed since {os.environ[SINCE]}"


def is_read(file: str, test: str) -> bool:
    """Say whether a file may matter to a test."""
    return not file.startswith(ASIDE) or file.startswith(READERS[test]) or file in imported(test)


@cache
def imported(test: str) -> frozenset[str]:
    """Return the modules below tests/ that a test imports, with the conftest.py files that pytest reads before it."""
    todo = {test, *(f"{folder}/conftest.py" for folder in Path(test).parents)}
    found: set[str] = set()
    while todo:
        file = todo.pop()
        if file in found or not (ROOT / file).is_file():
            continue
        found.add(file)
        names = re.findall(r"^ *(?:from|import) (tests(?:\.\w+)*)(?: import (.+))?$", (ROOT / file).read_text(), re.M)
        for module, attributes in names:
            path = module.replace(".", "/")
            todo |= {
                f"{path}.py",
                f"{path}/__init__.py",
                *(f"{path}/{name}.py" for name in re.findall(r"\w+", attributes)),
            }
    return frozenset(found)


def _git(*words: str) -> str | None:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout
