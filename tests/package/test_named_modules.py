"""What names a module by a string: no module names one above it, and no docstring or comment names one that is gone.

import-linter sees imports alone. A module that is imported by its name, as `importlib.import_module` does, would pass it.
"""

import ast
import importlib
import importlib.util
import io
import re
import tokenize
import tomllib

import pytest

from tests.paths import ROOT
from tests.trees import tree_of

SCRIPTS = ROOT / "workflow/scripts"
PACKAGE = SCRIPTS / "relprobe"
LAYERS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"][0]["layers"]
HEIGHT = {name: -place for place, layer in enumerate(LAYERS) for name in re.findall(r"\w+", layer)}
"""Part of the package -> its height; what is not among the layers, such as the version, anything may name."""
DOORS = {
    "core/study.py": "the only door from below to the studies: it finds what a study is by its name (`study_of`)",
    "core/analyses.py": "the files of a study's analyses, which nothing lists: the folder says which there are",
    "core/cli.py": "a study's analyses may have steps of their own, which stand beside those of its table of contents",
}
"""The modules that name one above them, and why."""


def files():
    return [file for file in PACKAGE.rglob("*.py") if "_workflow" not in file.parts]


def docstrings(tree):
    """The docstrings of a module, its definitions and its values, as nodes."""
    for node in ast.walk(tree):
        for statement in getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                yield statement.value


def strings(code):
    """The strings of a module that are no docstrings, also the beginnings of those that hold values."""
    tree = tree_of(code)
    said = {id(node) for node in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def part_of(dotted):
    """The part of the package that a dotted name is in."""
    return [*dotted.split("."), ""][1]


def above(home, code):
    """The names of modules above a module (`home`: its path in the package) in the strings of its code."""
    own = HEIGHT.get(home.partition("/")[0].removesuffix(".py"), 1)
    named = [match for text in strings(code) for match in re.findall(r"\brelprobe\.[a-z_][\w.]*", text)]
    return [name for name in named if HEIGHT.get(part_of(name), -99) > own]


@pytest.mark.parametrize(
    ("home", "code", "count"),
    [
        ("report/a.py", 'import_module(f"relprobe.studies.{study}.page")', 1),
        ("report/a.py", 'HOME = "relprobe.studies.frame.page"', 1),
        ("report/a.py", '"""relprobe.studies.frame is above."""', 0),
        ("studies/a.py", 'import_module(f"relprobe.report.{name}")', 0),
        ("lm/a.py", 'CLIENT = "relprobe.lm.connect"', 0),
    ],
)
def test_a_string_that_names_a_module_above_is_found(home, code, count):
    assert len(above(home, code)) == count


def test_no_module_names_one_above_it_by_a_string():
    found = {}
    for file in files():
        home = file.relative_to(PACKAGE).as_posix()
        if names := above(home, file.read_text("utf-8")):
            found[home] = names
    assert {home: names for home, names in found.items() if home not in DOORS} == {}
    assert found.keys() == DOORS.keys()  # a door that is not used is closed


FILE = re.compile(r"(?<![\w/.{\"])((?:[a-z_]\w*/)+[a-z_]\w*\.(?:py|smk|md|yaml))\b")
"""What a text names as folder/module.py."""
MODULE = re.compile(r"(?<![\w/.{\"])([a-z_]\w*\.(?:py|smk))\b")
"""What a text names as module.py, which lies in the folder of the module or in one above it."""
DOTTED = re.compile(r"`((?:[a-z_]\w*\.)+[A-Za-z_]\w*)`")
"""What a text names as `module.name`."""
SUFFIXES = {"py", "smk", "md", "yaml", "csv", "parquet", "json"}


def sources():
    """Dotted name without that of the package -> the file of each module."""
    names = {file.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", "."): file for file in files()}
    return {name.removesuffix(".__init__"): file for name, file in names.items()}


def texts(code):
    """The docstrings and comments of a module."""
    yield from (node.value for node in docstrings(tree_of(code)) if isinstance(node.value, str))
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def files_that_are_gone(text, file):
    """The files of the checkout that a text of a module names, and that are not there."""
    roots = [PACKAGE, SCRIPTS, ROOT, ROOT / "workflow", *file.parents]
    names = [*FILE.findall(text), *MODULE.findall(text)]
    return [name for name in names if not any((root / name).exists() for root in roots)]


def test_a_file_that_is_gone_is_found():
    home = PACKAGE / "core/errors.py"
    text = "As core/errors.py, errors.py and steps.py say, not (data.py), rules/gone.smk or {name}.py."
    assert files_that_are_gone(text, home) == ["rules/gone.smk", "data.py"]


def names_that_are_gone(text, variables, known):
    """The names `module.name` of a text whose module is gone, or has no such name.

    `variables`: those of the module, whose attributes a text may name. `known`: module -> its code.
    """
    parts_of_modules = {part for name in known for part in name.split(".")}
    for dotted in DOTTED.findall(text):
        *home, name = dotted.removeprefix("relprobe.").split(".")
        if not home or home[0] not in parts_of_modules or home[0] in variables or name in SUFFIXES:
            continue  # of a library, a variable or a file
        if any(f".{module}".endswith(f".{'.'.join([*home, name])}") for module in known):
            continue
        there = [code for module, code in known.items() if f".{module}".endswith(f".{'.'.join(home)}")]
        if not any(re.search(rf"\b{name}\b", code) for code in there):
            yield dotted


def names_in(code):
    """The variables and parameters of a module."""
    tree = tree_of(code)
    return {n.arg if isinstance(n, ast.arg) else n.id for n in ast.walk(tree) if isinstance(n, ast.arg | ast.Name)}


KEYS = "".join(file.read_text("utf-8") for file in (ROOT / "workflow/schemas").glob("*.yaml"))
"""The schemas of the configuration, whose keys a text may name as section.key."""


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("As `errors.first_line` says.", []),
        ("As `core.errors.first_line` and `relprobe.core.errors` say.", []),
        ("As `errors.last_line` says.", ["errors.last_line"]),
        ("As `np.mean` and `file.errors` say, of `run.smk`.", []),
    ],
)
def test_a_name_whose_module_is_gone_is_found(text, gone):
    known = {"core.errors": "def first_line(error): ...", "command.run": ""}
    assert list(names_that_are_gone(text, set(), known)) == gone


def is_key(name):
    """Return whether a name is that of a key of the configuration in its section: both are keys of schemas."""
    *_, section, key = name.split(".")
    return all(re.search(rf"\b{re.escape(part)}:", KEYS) for part in (section, key))


def test_a_key_is_one_in_a_section_that_there_is():
    """`ranking` was one once: it is called `choices`."""
    assert [is_key(name) for name in ("choices.recall", "scoring.reuse", "ranking.recall", "choices.soundness")] == [
        True,
        True,
        False,
        False,
    ]


def test_no_docstring_and_no_comment_names_a_module_that_is_gone():
    known = {name: file.read_text("utf-8") for name, file in sources().items()}
    found = {}
    for name, file in sources().items():
        gone, variables = [], names_in(known[name])
        for text in texts(known[name]):
            gone += files_that_are_gone(text, file)
            gone += names_that_are_gone(text, variables, known)
        if gone := [name for name in gone if not is_key(name)]:
            found[name] = gone
    assert found == {}


@pytest.mark.parametrize("file", sorted((ROOT / "benchmarks").rglob("*.py")), ids=lambda file: file.stem)
def test_what_a_benchmark_takes_of_the_package_is_there(file):
    """No type checker reads the benchmarks, and most run by night."""
    tree = ast.parse(file.read_text("utf-8"))
    for node in [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]:
        if str(node.module).partition(".")[0] != "relprobe":
            continue
        for alias in node.names:
            module = importlib.import_module(node.module)
            assert hasattr(module, alias.name) or importlib.util.find_spec(f"{node.module}.{alias.name}"), alias.name
