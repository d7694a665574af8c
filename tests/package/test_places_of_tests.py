"""Tests mirror the package: those of a module lie in its folder, those of several rooms in the folder of the last one."""

import ast
import importlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from relprobe.studies import STUDIES

from tests.lm.test_layout import PARTS
from tests.paths import ROOT, SCRIPTS
from tests.trees import tree_of

PACKAGE = SCRIPTS / "relprobe"
TESTS = ROOT / "tests"
WHOLE = {"workflow", "package"}
"""The folders with the tests of the whole, which mirror no folder of the package."""
ROOMS = {
    "data": {
        *("relata", "pairs", "sampling", "dictionary", "properties", "method", "relations"),
        *("hyponyms", "sentences", "inflection", "contexts", "corpus"),
        *("template", "features", "swapped", "tuples"),
    },
    "ask": {
        "replies",
        "shots",
        "scoring",
        "encoder",
        "probes",
        "raters",
        "patterns",
        "prompts",
        "chat",
        "people",
        "pair_vectors",
    },
    "measure": {
        *("training", "baselines", "conditions", "measures"),
        *("responses", "answer_spaces", "calibration", "lists", "controls", "nearest", "ranks", "similarity"),
        *("counts", "values", "distances", "gold"),
    },
    "compare": {"published", "sensitivity", "agents", "analyses", "ceiling", "areas"},
    "show": {"page", "tables", "figures", "plots", "answers", "trials", "methods", "evaluate"},
}
"""The rooms of a study, in the order in which its data flow -> its modules beside the one of that name."""
SHARED = {"core", "studies", "", *(f"studies/{study}" for study in (*STUDIES, "frame"))}
"""Folders whose modules tests of any other folder use: errors, columns of tables, the configuration."""


def modules_of_tests() -> list[Path]:
    """The test modules that mirror the package."""
    return [
        file
        for file in sorted(TESTS.glob("*/**/test_*.py"))
        if file.relative_to(TESTS).parts[0] not in WHOLE and "__pycache__" not in file.parts
    ]


def place(file: Path) -> str:
    """The folder of a test module under tests, with slashes."""
    return file.relative_to(TESTS).parent.as_posix()


def part(folder: str) -> str:
    """The study, or the folder at the top of the package, that a folder belongs to.

    >>> part("studies/degrees/ask"), part("lm/words")
    ('studies/degrees', 'lm')
    """
    return "/".join(folder.split("/")[: 2 if folder.startswith("studies/") else 1])


def room(folder: str) -> str:
    """The room of a study that a folder or a module is in, or nothing.

    >>> room("studies/relations/measure"), room("studies/degrees/scoring"), room("lm/words")
    ('measure', 'ask', '')
    """
    parts = folder.split("/")
    if parts[0] != "studies" or len(parts) < 3:
        return ""
    return next((name for name, modules in ROOMS.items() if parts[2] in {name, *modules}), "")


@cache
def source_of(module: str, name: str) -> str:
    """The module that a name is from: that of the import, a module of that package, or one from which the package has it.

    >>> source_of("relprobe.stats", "levene"), source_of("relprobe.lm", "requests")
    ('relprobe.stats.papers.groups', 'relprobe.lm.requests')
    """
    folder = SCRIPTS.joinpath(*module.split("."))
    if not (folder / "__init__.py").is_file():  # an older checkout may have left a folder of compiled files
        return module
    if (folder / f"{name}.py").exists() or (folder / name).is_dir():
        return f"{module}.{name}"
    for statement in ast.parse((folder / "__init__.py").read_bytes()).body:
        if isinstance(statement, ast.ImportFrom) and statement.module and name in (one.name for one in statement.names):
            return source_of(statement.module, name)
    return module


def names_of(tree: ast.Module) -> dict[str, str]:
    """The names that a test module imports from the package -> their modules."""
    return {
        one.asname or one.name: source_of(statement.module, one.name)
        for statement in ast.walk(tree)
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").partition(".")[0] == "relprobe"
        for one in statement.names
    }


def steps_of(tree: ast.Module) -> Iterator[str]:
    """The modules of the steps that a test module runs by their names, with `run_step`."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "run_step":
            group, step, *_ = (getattr(one, "value", "") for one in call.args)
            if group in STUDIES and step:
                steps = importlib.import_module(f"relprobe.studies.{group}.steps").STEPS
                yield f"relprobe.studies.{group}.{steps[step][0].partition(':')[0]}"


def uses_of(text: str) -> Counter[str]:
    """How often a test module names what is from each folder of the package, or from each room of a study.

    >>> uses_of("from relprobe.lm import requests\\nfrom relprobe.stats import levene\\nlevene(levene)")
    Counter({'stats/papers': 2, 'lm': 0})
    """
    tree = tree_of(text)
    names = names_of(tree)
    modules = Counter(dict.fromkeys(names.values(), 0))
    modules.update(names[node.id] for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in names)
    modules.update(steps_of(tree))
    folders: Counter[str] = Counter()
    for module, number in modules.items():
        path = SCRIPTS.joinpath(*module.split("."))
        folder = (path if path.is_dir() else path.parent).relative_to(PACKAGE).as_posix().removeprefix(".")
        own = room(path.relative_to(PACKAGE).as_posix())
        folders["/".join([*folder.split("/")[:2], own]) if own else folder] += number
    return folders


def homes(file: Path) -> set[str]:
    """The folders with a module that has the name of a test module, in its study or part of the package."""
    name = f"{file.stem.removeprefix('test_')}.py"
    return {path.parent.relative_to(PACKAGE).as_posix() for path in (PACKAGE / part(place(file))).rglob(name)}


def in_other_room(here: str, uses: Counter[str]) -> str | None:
    """Why the tests of a room of a study should lie in another one.

    >>> in_other_room("studies/degrees/ask", Counter(["studies/degrees/ask", "studies/degrees/show"]))
    'uses show last: move it, or its last tests, to that folder'
    >>> in_other_room("studies/degrees/ask", Counter(["studies/degrees/ask", "studies/degrees/data", "lm/words"]))
    """
    rooms = [one for one in ROOMS if one in {room(folder) for folder in uses if part(folder) == part(here)}]
    if rooms[-1:] != [room(here)]:
        return f"uses {rooms[-1] if rooms else 'no room'} last: move it, or its last tests, to that folder"
    return None if here in uses else f"uses no module of its folder: move it to one of {', '.join(sorted(uses))}"


def in_other_folder(here: str, uses: Counter[str], named: set[str]) -> str | None:
    """Why the tests of a folder should lie in another one.

    `named`: the folders with a module that has the name of the tests. Without one, the folder is the one that they use
    most. The parts of the engine before its part are its input.

    >>> in_other_folder("report", Counter({"report": 1, "report/words": 2}), set())
    'uses report/words most: move it to that folder'
    >>> in_other_folder("lm/served", Counter({"lm/served": 1, "lm/words": 2}), set())
    >>> in_other_folder("lm/served", Counter({"lm/served": 3, "lm/words": 2}), {"lm/words"})
    'has the name of a module of lm/words: move or rename it'
    """
    if named:
        return None if here in named else f"has the name of a module of {', '.join(sorted(named))}: move or rename it"
    if here not in uses and "/" in here:
        return f"uses no module of its folder: move it to one of {', '.join(sorted(uses))}"
    inputs = {"lm", *(f"lm/{one}" for one in PARTS[: PARTS.index(here[3:])])} if here.startswith("lm/") else set()
    others = {one: number for one, number in uses.items() if part(one) == part(here) and one not in inputs}
    most = max(others, key=lambda one: (others[one], one == here), default=here)
    return None if most == here else f"uses {most} most: move it to that folder"


def misplaced(file: Path) -> str | None:
    """Why a test module lies in another folder than its place, as a sentence without subject; None if it does not."""
    here, uses = place(file), uses_of(file.read_text("utf-8"))
    if (file.parent / "conftest.py").exists():  # its fixtures are of this folder
        uses[here] += 0
    if room(here):
        return in_other_room(here, uses)
    is_module = (PACKAGE / f"{here}.py").is_file()
    return None if is_module or here in SHARED else in_other_folder(here, uses, homes(file))


def test_a_test_module_lies_where_what_it_tests_lies():
    files = modules_of_tests()
    assert len(files) > 200
    reasons = {str(file.relative_to(ROOT)): misplaced(file) for file in files}
    assert {file: reason for file, reason in reasons.items() if reason} == {}


def test_the_folders_of_tests_are_those_of_the_package():
    """The tests of a large module may have a folder of its name, and those of a study have one for each room."""
    folders = {place(file) for file in modules_of_tests()}
    folders -= {f"studies/{study}/{name}" for study in STUDIES for name in ROOMS}
    assert {one for one in folders if not (PACKAGE / one).is_dir() and not (PACKAGE / f"{one}.py").is_file()} == set()
