"""Which mutants do the tests notice? A mutant is a module in which one operator, constant or aggregate is another.

    python -m benchmarks.mutants --number 10 --seed 1                    a random sample of each module that computes values
    python -m benchmarks.mutants --number 0 relations/ranks.py    all mutants of the modules whose path ends so
    python -m benchmarks.mutants --near                                  without the tests that do not name the module

`make mutants` runs it in an environment of its own (envs/requirements-mutants.txt). mutations.py makes the mutants. Each
mutant is tested in a process of its own, which imports the mutant in place of the module: no file is written. The tests are
those of the module's own folder and its doctests, without the published data (`DATA` in tests/paths.py): first the files
that name the module or its functions and, for a mutant that survives these, the others. A process is forked before any
table is computed, so that libraries are imported once. A process that is forked later, as those of mutmut are, hangs:
Polars' threads do not survive a fork. `cosmic-ray exec` would start an interpreter for each mutant, and write it into the
checkout.

The result is the share of mutants that a test notices, per module, and the survivors: a test is missing, or the mutant
changes nothing. Mutants that cannot be imported do not count.
"""

import argparse
import ast
import importlib
import importlib.abc
import importlib.util
import os
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType

import hypothesis
import pytest

from benchmarks.mutations import Mutant, mutants

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "workflow" / "scripts"
STUDIES = ("relations", "definitions", "systematicity", "analogies", "degrees")
VALUES = (
    "stats/**/*.py",
    *(f"studies/relations/{name}.py" for name in ("ranks", "counts", "distances", "values", "controls", "areas")),
    *(f"studies/*/{name}.py" for name in ("method", "baselines", "compare")),
    "studies/*/analyses/*.py",
    "studies/definitions/properties.py",
    "studies/degrees/ceiling.py",
)
"""The modules that compute values, below workflow/scripts/relprobe."""
LEFT_OUT = ("test_inference_holds.py", "test_digest.py", "test_scopes.py")
"""Tests that no mutant needs. The first simulates for minutes: what it would notice, a test of seconds should notice. The
others read the files of the modules, which no mutant changes."""
HEAVY = (
    "numpy",
    "polars",
    "pyarrow.parquet",
    "scipy.stats",
    "scipy.sparse",
    "hypothesis.extra.numpy",
    "yaml",
    "wordfreq",
)
"""The libraries that are imported once for all mutants."""


def tests_of(module: Path) -> tuple[list[str], list[str]]:
    """Return the tests of the module's study or folder: first the files that name it or its functions, then the others."""
    parts = module.relative_to(SCRIPTS / "relprobe").parts[:-1]
    folder = ROOT.joinpath("tests", *parts[: 2 if parts[0] == "studies" else 1])
    definitions = (
        node for node in ast.parse(module.read_text()).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    )
    names = [node.name for node in definitions if not node.name.startswith("_")]
    files = [file for file in sorted(folder.rglob("test_*.py")) if file.name not in LEFT_OUT]
    module_name = rf"\b{module.parent.name}\.{module.stem}\b|\b{module.parent.name} import .*\b{module.stem}\b"
    for pattern in (module_name, rf"\b({'|'.join(names)})\b", ""):
        if covering := [file for file in files if re.search(pattern, file.read_text())]:
            break
    covering.sort(key=lambda file: module.stem not in file.stem)
    further_files = [str(file) for file in files if file not in covering]
    return [str(file) for file in (*covering, module)], further_files


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports a module from other code than that of its file."""

    def __init__(self, name: str, path: Path, code: str) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        """Return how the module is imported; None for any other one."""
        if fullname != self.name:
            return None
        spec = importlib.util.spec_from_loader(fullname, self, origin=str(self.path))
        assert spec is not None
        spec.has_location = True
        return spec

    def exec_module(self, module: ModuleType) -> None:
        """Run the code in the module."""
        exec(compile(self.code, str(self.path), "exec"), module.__dict__)  # noqa: S102 (a module's own code)


INVALID = 77
"""The exit status of a mutant that cannot be imported."""


def outcome(module: Path, code: str, files: Sequence[str], limit: float) -> int:
    """Test code in place of a module's in a process of its own, for `limit` seconds at most.

    Return pytest's status, INVALID, or a negative number if the process was ended.
    """
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    os.nice(10)
    signal.setitimer(signal.ITIMER_REAL, limit)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    name = ".".join(module.relative_to(SCRIPTS).with_suffix("").parts)
    sys.meta_path.insert(0, Finder(name, module, code))
    try:
        importlib.import_module(name)
    except Exception:
        os._exit(INVALID)
    options = ["-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "--hypothesis-seed=1"]
    options += ["--hypothesis-profile=mutants"]
    # Hypothesis is imported before pytest, and a module with doctests may have functions and classes that are no tests.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning", "-W", "ignore::pytest.PytestCollectionWarning"]
    options += ["-o", "python_functions=test_*"]
    os._exit(pytest.main([*options, *files]))


def examine(module: Path, number: int, seed: int, *, near: bool) -> Counter[str]:
    """Test a sample of a module's mutants, all if `number` is 0; print the survivors and return the counts of outcomes.

    `near`: by the tests that name the module or its functions alone.
    """
    code = module.read_text("utf-8")
    every = list(mutants(code))
    draw = random.Random(f"{seed} {module.name}")  # noqa: S311 (a sample)
    sample = draw.sample(every, min(number or len(every), len(every)))
    parts = [files for files in tests_of(module)[: 1 if near else 2] if files]
    limits: dict[str, float] = {}
    counts: Counter[str] = Counter()
    for mutant in sorted(sample, key=lambda mutant: mutant.line):
        status = next(filter(None, (_status(module, code, mutant, files, limits) for files in parts)), 0)
        result = {0: "survivors", INVALID: "invalid"}.get(status, "noticed")
        counts[result] += 1
        if result == "survivors":
            print(f"  line {mutant.line}, {mutant.operator}:\n    - {mutant.before}\n    + {mutant.after}", flush=True)
    return counts


def _status(module: Path, code: str, mutant: Mutant, files: Sequence[str], limits: dict[str, float]) -> int:
    """Return the outcome of some tests with a mutant; 0 if they fail without it. `limits`: first file -> seconds."""
    if files[0] not in limits:
        limits[files[0]] = _limit(module, code, files)
    return outcome(module, mutant.code, files, limits[files[0]]) if limits[files[0]] else 0


def _limit(module: Path, code: str, files: Sequence[str]) -> float:
    """Return how many seconds tests may take with a mutant; 0 if they fail without one, which is printed."""
    start = time.monotonic()
    status = outcome(module, code, files, 600)
    if status:
        print(f"  left out: tests that fail without a mutant (status {status}): {' '.join(files)}", flush=True)
        return 0
    return 20 + 5 * (time.monotonic() - start)


def modules_of(ends: Sequence[str]) -> list[Path]:
    """Return the modules of VALUES whose paths have one of these ends, or all."""
    found = {pattern: sorted((SCRIPTS / "relprobe").glob(pattern)) for pattern in VALUES}
    if gone := [pattern for pattern, files in found.items() if not files]:
        sys.exit(f"VALUES names {', '.join(gone)}, which is no module any more: correct it.")
    files = [file for files in found.values() for file in files if file.stem != "__init__"]
    chosen = [file for file in files if not ends or str(file).endswith(tuple(ends))]
    return chosen or sys.exit(f"no module that computes values ends in {' or '.join(ends)}: see VALUES.")


def main() -> None:
    """Examine the modules and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", help="ends of paths; without any, all modules that compute values")
    parser.add_argument("--number", type=int, default=10, help="mutants of each module; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--near", action="store_true", help="leave out the tests that do not name the module")
    options = parser.parse_args()
    os.environ |= {"RELPROBE_DATA": "/nonexistent", "HYPOTHESIS_STORAGE_DIRECTORY": mkdtemp(), "OMP_NUM_THREADS": "1"}
    os.environ["RELPROBE_EXAMPLES"] = "3"  # of each property: more take longer than all other tests
    os.chdir(ROOT)
    sys.path[:0] = [str(SCRIPTS), str(ROOT)]
    for name in HEAVY:
        importlib.import_module(name)
    # A busy machine is no mutant that was noticed.
    hypothesis.settings.register_profile("mutants", deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
    rows, total = [], Counter[str]()
    for file in modules_of(options.modules):
        name = file.relative_to(SCRIPTS / "relprobe")
        print(name, flush=True)
        counts = examine(file, options.number, options.seed, near=options.near)
        print(
            f"  {counts['noticed']} noticed, {counts['survivors']} survive, {counts['invalid']} cannot be imported",
            flush=True,
        )
        total += counts
        rows.append((str(name), counts))
    print("\n| module | mutants | noticed | survivors | share |\n|---|---:|---:|---:|---:|")
    for name, counts in [*rows, ("all", total)]:
        valid = counts["noticed"] + counts["survivors"]
        share = f"{counts['noticed'] / valid:.2f}" if valid else "–"
        print(f"| {name} | {valid} | {counts['noticed']} | {counts['survivors']} | {share} |")


if __name__ == "__main__":
    main()
