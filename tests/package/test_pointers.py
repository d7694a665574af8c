"""What code, configurations and pages say about a page of docs is there: the file, and the heading."""

import re

from tests.package.pages_of_docs import pages
from tests.paths import ROOT

FOLDERS = ("workflow", "config", "docs", "tests", "benchmarks", "resources/prompts", "resources/published")
FOLDERS += ("resources/studies", "resources/relations", "resources/languages")
ENDINGS = {".py", ".yaml", ".smk", ".csv", ".md", ".j2", ".toml", ".ipynb", ".cff"}
FILE = re.compile(r"docs/[\w/-]+\.md")
HEADING = re.compile(r"(docs/[\w/-]+\.md|README|CONTRIBUTING\.md), [\"“]([^\"”]+)[\"”]")


def texts():
    """The files of the checkout that may name a page, with their texts in one line."""
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in ENDINGS]
    files += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CITATION.cff", "Makefile", "pyproject.toml")]
    files += sorted((ROOT / ".github").rglob("*.y*ml"))
    for file in files:
        if "_build" not in file.parts and file.name != "test_pointers.py":
            yield file, re.sub(r"\s*\n[\s#>*]*", " ", file.read_text("utf-8"))


def test_every_page_that_is_named_is_there():
    named = [(file, page) for file, text in texts() for page in FILE.findall(text)]
    assert len(named) > 60
    assert [(str(file), page) for file, page in named if not (ROOT / page).is_file()] == []


def test_no_sentence_begins_in_a_heading():
    split = re.compile(r"^#+ .*\n\n(?:is|are|come|comes|has|have|says?|makes?) .*", re.MULTILINE)
    assert [
        (str(page), split.findall(page.read_text("utf-8"))) for page in pages() if split.search(page.read_text("utf-8"))
    ] == []


def test_every_heading_that_is_named_is_there():
    missing = []
    for file, text in texts():
        for page, title in HEADING.findall(text):
            target = ROOT / ("README.md" if page == "README" else page)
            titles = re.findall(r"^#+ (.*)", target.read_text("utf-8"), re.MULTILINE)
            if title not in titles:
                missing.append((str(file), page, title))
    assert missing == []
