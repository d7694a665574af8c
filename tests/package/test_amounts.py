"""Numbers that may be 1, and lists of any length, stand in sentences as `core.words` writes them."""

import ast
import re
from collections.abc import Iterator

from tests.paths import ROOT
from tests.trees import tree_of

PACKAGE = ROOT / "workflow/scripts/relprobe"
SHOWN = ("command", "report", "paper", "studies")
"""The folders whose texts users see; an error of the engine about numbers of tokens is no such text."""
COUNT = re.compile(r"^(len|sum)\(|\.height$")
"""The values that are a number of things."""
NOUNS = (
    "agents|answers|clusters|comparisons|conditions|controls|examples|files|groups|items|jobs|lines|models|pairs|people|"
    "probes|prompts|questions|rows|stores|studies|subcategories|submissions|tables|targets|texts|tuples|units|words"
)
PLURAL = re.compile(rf"^ (?:[a-z]+ )?(?:{NOUNS})\b")
FORMATTED = re.compile(rf"\{{\}} (?:[a-z]+ )?(?:{NOUNS}) (?:are|have|were)\b")
"""A number of things as the subject of a sentence that polars writes."""


def bare_counts(code: str) -> Iterator[str]:
    """The numbers of things in texts that stand before a plural, whatever they are."""
    for text in (node for node in ast.walk(tree_of(code)) if isinstance(node, ast.JoinedStr)):
        for value, after in zip(text.values, text.values[1:], strict=False):
            counted = ast.unparse(value.value) if isinstance(value, ast.FormattedValue) else ""
            if COUNT.search(counted) and isinstance(after, ast.Constant) and PLURAL.match(after.value):
                yield f"{{{counted}}}{after.value[:30]}"
    for call in (node for node in ast.walk(tree_of(code)) if isinstance(node, ast.Call)):
        if ast.unparse(call.func) == "pl.format" and isinstance(call.args[0], ast.Constant):
            yield from FORMATTED.findall(call.args[0].value)


def test_a_number_of_things_stands_with_its_noun():
    assert [*bare_counts('f"{len(rows)} targets, {table.height:,} other rows, {len(a)} of them, {name} models"')] == [
        "{len(rows)} targets, ",
        "{table.height} other rows, ",
    ]
    assert [*bare_counts('pl.format("{} rows have no value", n), pl.format("{} rows", name)')] == ["{} rows have"]
    files = [file for folder in SHOWN for file in sorted((PACKAGE / folder).rglob("*.py"))]
    found = [f"{file.relative_to(PACKAGE)}: {text}" for file in files for text in bare_counts(file.read_text("utf-8"))]
    assert found == []


AND = re.compile(r"""["'] and ["']\.join\(""")


def test_a_list_of_any_length_is_joined_by_one_function():
    """`core.words.enumeration` writes "a, b and c"; the engine's messages enter the digests of scores, and stay."""
    assert AND.search("f\"{' and '.join(names)}\"") and not AND.search("enumeration(names)")
    files = [file for file in PACKAGE.rglob("*.py") if file.relative_to(PACKAGE).as_posix() != "core/words.py"]
    found = [str(file.relative_to(PACKAGE)) for file in files if AND.search(file.read_text("utf-8"))]
    assert [file for file in found if not file.startswith("lm/")] == []
