"""A public name says what a thing is or what a function does: none is a participle alone, such as `measured`."""

import ast
import re

import pytest

from tests.paths import ROOT
from tests.trees import tree_of

FILES = [*(ROOT / "workflow/scripts/relprobe").rglob("*.py"), *(ROOT / "docs").glob("*.py")]
"""The package, and what writes the manual."""
BENCHMARKS = sorted((ROOT / "benchmarks").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
IRREGULAR = {
    *re.findall(
        r"\w+",
        """
        beaten begun bound broken brought built chosen cut done drawn driven fallen felt forgotten found frozen given gone
        heard held hidden kept known laid led left lent lost made meant met paid proven put said seen sent set shown sold
        spent stolen swept taken taught thought thrown told torn understood won worn written
        """,
    )
}
"""Participles that do not end in -ed."""
ALLOWED = {
    "published": "the step and the results of this name: figures that a paper has published",
    "unrelated": "an adjective, and the metric of this name",
}
"""Names that look like participles, and why they stand."""


def is_participle(name):
    """Whether a whole name looks like a participle: `measured`, `Shown`; not `shown_tables`, `read`, `seed`, `embed`."""
    word = name.lower()
    regular = word.endswith("ed") and not word.endswith(("eed", "bed")) and len(word) > 4
    return "_" not in word and word not in ALLOWED and (regular or word in IRREGULAR)


NO_NOUNS = {
    "one",
    "own",
    "about",
    "others",
    "both",
    "place",
    "places",
    "said",
    "found",
    "kept",
    "known",
    "given",
    "whole",
    "every",
    "there",
    "here",
    "beside",
    "rest",
}
"""Words that stand for a noun which they do not say (docs/layout.md)."""
BENCHMARK_WORDS = {"one", "own", "about", "others", "beside", "into"}
"""Those that no benchmark uses either."""


def variables(code):
    """The variables, parameters and functions of a module that are no nouns, each with its line; fields are adjectives."""
    tree = tree_of(code)
    fields = {
        id(line.target) for node in ast.walk(tree) for line in class_lines(node) if isinstance(line, ast.AnnAssign)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                pass
            case _:
                continue
        if name in NO_NOUNS and not isinstance(getattr(node, "ctx", None), ast.Load) and id(node) not in fields:
            yield node.lineno, name


PREPOSITION = re.compile(r"_*(?:(?i:of_|into(?:_|$)|beside(?:_|$))|(?:Of|Into|Beside)[A-Z])")
"""How a name begins that says whose a thing is, in place of what it is: `of_agent` for the rows of an agent, or its mean.
So begin constants (OF_AGENT) and classes (OfAgent), too."""


def names_with_preposition(code):
    """The names that a module gives and that begin with a preposition, each with its line."""
    for node in ast.walk(tree_of(code)):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
                | ast.arg(arg=name)
                | ast.alias(asname=str(name))
                | ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                if PREPOSITION.match(name):
                    yield node.lineno, name


RULES_CODE = re.compile(
    r"\b(?:for|lambda|as)\s+(\w+(?:, \w+)*)"  # in a loop, a lambda or a with statement
    r"|^\s*(\w+(?:, \w+)*) = |\((\w+) := |def (\w+)\(([^)]*)\)",
    re.MULTILINE,
)
"""Where code that is no Python, or not a whole module, gives a value or a function a name."""


def code_names(code):
    """The names that a file of rules, or a piece of code in the manual, gives; comments and docstrings are no code."""
    text = re.sub(r'""".*?"""|"[^"\n]*"|#[^\n]*', "", code, flags=re.DOTALL)
    for match in RULES_CODE.finditer(text):
        yield from re.findall(r"\w+", " ".join(group for group in match.groups() if group))


def rule_names(code):
    """The names of a file of rules that are no nouns, or begin with a preposition."""
    return [name for name in code_names(code) if name in NO_NOUNS or PREPOSITION.match(name)]


def class_lines(node):
    """The lines of a class."""
    return node.body if isinstance(node, ast.ClassDef) else []


def test_a_variable_says_what_it_holds():
    assert list(variables("def whole(own):\n    one, row = own\n    return [about for about in row]")) == [
        (1, "whole"),
        (1, "own"),
        (2, "one"),
        (3, "about"),
    ]
    lines = {str(file.relative_to(ROOT)): list(variables(file.read_text("utf-8"))) for file in FILES}
    assert {file: named for file, named in lines.items() if named} == {}


def test_a_name_does_not_begin_with_of():
    code = (
        "def _of_key(into, of_row, often):\n    return [beside for beside, of_word in officers]\nTable.of({'of_x': 1})\n"
        "OF_ROWS, OFTEN, BESIDE_AXIS = 1, 2, 3\nclass _OfAgent: Offer.of_x = 1\nimport offers as of_shop"
    )
    assert sorted(names_with_preposition(code)) == [
        (1, "_of_key"),
        (1, "into"),
        (1, "of_row"),
        (2, "beside"),
        (2, "of_word"),
        (4, "BESIDE_AXIS"),
        (4, "OF_ROWS"),
        (5, "_OfAgent"),
        (5, "of_x"),
        (6, "of_shop"),
    ]
    files = [*FILES, *BENCHMARKS]
    lines = {str(file.relative_to(ROOT)): list(names_with_preposition(file.read_text("utf-8"))) for file in files}
    assert {file: named for file, named in lines.items() if named} == {}


def test_a_name_of_a_test_does_not_begin_with_of():
    """A test may call a variable `beside`, as it tells two of a kind apart."""
    lines = {str(file.relative_to(ROOT)): list(names_with_preposition(file.read_text("utf-8"))) for file in TESTS}
    named = {
        file: [name for _, name in found if re.match("_*of", name, re.IGNORECASE)] for file, found in lines.items()
    }
    assert {file: names for file, names in named.items() if names} == {}


def test_a_variable_of_a_benchmark_says_what_it_holds():
    lines = {str(file.relative_to(ROOT)): list(variables(file.read_text("utf-8"))) for file in BENCHMARKS}
    named = {file: [name for _, name in found if name in BENCHMARK_WORDS] for file, found in lines.items()}
    assert {file: names for file, names in named.items() if names} == {}


def test_a_name_in_the_manual_does_not_begin_with_of():
    blocks = [
        (str(file.relative_to(ROOT)), text)
        for file in sorted((ROOT / "docs").rglob("*.md"))
        if "_build" not in file.parts
        for _, text in re.findall(r"^(```+)python\n(.*?)^\1$", file.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    ]
    assert len(blocks) > 20
    assert [(file, name) for file, text in blocks for name in code_names(text) if PREPOSITION.match(name)] == []


def test_a_variable_of_a_rule_says_what_it_holds():
    code = 'FILES = [one for one in every]  # for one\ndef of_f(own, row):\n    about = lambda known: "said = 1"\nOF_F = 2\n'
    assert rule_names(code) == ["one", "of_f", "own", "about", "known", "OF_F"]
    files = [*(ROOT / "workflow/rules").glob("*.smk"), ROOT / "workflow/Snakefile", ROOT / "Snakefile"]
    assert {file.name: rule_names(file.read_text("utf-8")) for file in files} == {file.name: [] for file in files}


def public_names(code):
    """The public functions and classes at the top of a module."""
    for one in tree_of(code).body:
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and not one.name.startswith("_"):
            yield one.name


@pytest.mark.parametrize("name", ["measured", "Shown", "written", "kept", "united", "sent"])
def test_participles_are_told(name):
    assert is_participle(name)


@pytest.mark.parametrize(
    "name", ["measure", "shown_tables", "read", "embed", "Seed", "speed", "AgentTables", "needed_mb"]
)
def test_other_names_are_no_participles(name):
    assert not is_participle(name)


def test_no_public_name_is_a_participle_alone():
    names = {
        (file.relative_to(ROOT).as_posix(), name) for file in FILES for name in public_names(file.read_text("utf-8"))
    }
    assert len(names) > 1000
    assert sorted((file, name) for file, name in names if is_participle(name)) == []
