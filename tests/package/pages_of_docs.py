"""The pages of the documentation and their blocks, for the tests of both."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.paths import ROOT

FENCE = re.compile(r"^( *)(`{3,})(\w+)\n(.*?)^\1\2", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w/-]+\.(?:yaml|csv|py))`")


class Block(NamedTuple):
    """A block of code: its page, its language and its text."""

    page: Path
    language: str
    text: str
    before: str
    """The paragraph above it."""

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.text[:60]!r}"

    @property
    def file(self) -> str:
        """The name of the last file that the paragraph above names."""
        return FILE.findall(self.before)[-1]


def pages() -> list[Path]:
    """The README, the manual of the configuration, and all pages of docs."""
    docs = [page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "config/README.md", *sorted(docs)]


def blocks(page: Path, *languages: str) -> Iterator[Block]:
    """The blocks of a page in some languages, or in all."""
    text = page.read_text("utf-8")
    for found in FENCE.finditer(text):
        if not languages or found[3] in languages:
            before = text[: found.start()].rstrip("\n").rpartition("\n\n")[2]
            yield Block(page, found[3], textwrap.dedent(found[4]), before)
