"""The table of symptoms and remedies (docs/faq.md): each sentence is one that the package says."""

import ast
import re

import pytest

from tests.paths import ROOT
from tests.trees import tree_of

ROWS = re.findall(r"^\| `([^`]+)` \| [^|]+ \| [^|]+ \|$", (ROOT / "docs/faq.md").read_text(), re.MULTILINE)


def texts():
    """All texts of the package as it says them, those of an f-string with gaps for its values."""
    for file in (ROOT / "workflow/scripts/relprobe").rglob("*.py"):
        for node in ast.walk(tree_of(file.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@pytest.fixture(scope="module")
def said():
    return " ".join(" ".join(text.split()) for text in texts())


def test_the_table_is_there():
    assert len(ROWS) > 10


@pytest.mark.parametrize("symptom", ROWS)
def test_the_package_says_what_the_table_explains(symptom, said):
    assert symptom in said
