"""The captions of figures and tables in `snakemake --report`: the texts of their sections on the study's page."""

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

from relprobe.core.files import read_text, whole_folder

NOT_ON_PAGE = "Not on the study's page: the data behind a figure or another page, or a table without rows."


def write_captions(pages: Sequence[Path], files: Sequence[str], folder: Path) -> None:
    """Write the caption of each file into a reStructuredText file of its name in `folder`.

    `pages`: the page STUDY/report.html of each study. `files`: names STUDY/figures/NAME.svg and STUDY/tables/NAME.csv, whose
    captions become `folder`/STUDY/figures/NAME.rst and so on. DataError: a page is not UTF-8.
    """
    texts = {page.parent.name: sections(read_text(page)) for page in pages}
    with whole_folder(folder) as partial:
        for file in map(Path, files):
            path = partial / file.with_suffix(".rst")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(caption(texts[file.parts[0]], file), encoding="utf-8")


def sections(html: str) -> dict[str, tuple[str, str]]:
    """Return the sections of a page: id -> (title, caption).

    >>> sections('<section id="symmetry"><h2>Symmetry</h2><p>w &amp; v</p></section>')
    {'symmetry': ('Symmetry', 'w & v')}
    """
    parser = _Sections()
    parser.feed(html)
    return {section: (texts["h2"], texts["p"]) for section, texts in parser.texts.items()}


def caption(page: Mapping[str, tuple[str, str]], file: Path) -> str:
    """Return the caption of a file in reStructuredText: title and caption of its section, or NOT_ON_PAGE if it has none.

    `page`: the sections of the study's page (`sections`). A table's section has the id `table-NAME`, a figure's `NAME`.

    >>> caption({"table-tests": ("Tests", "All pairs.")}, Path("relations/tables/tests.csv")).strip()
    '**Tests.** All pairs.'
    """
    section = f"table-{file.stem}" if file.parent.name == "tables" else file.stem
    if section not in page:
        return NOT_ON_PAGE + "\n"
    title, text = (re.sub(r"([\\*`|_])", r"\\\1", part) for part in page[section])
    return f"**{title}.** {text}\n"


class _Sections(HTMLParser):
    """Collects the texts of the first h2 and the first p of each section: id -> tag -> text."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[str, dict[str, str]] = {}
        self._reading: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self.texts[dict(attrs)["id"] or ""] = {}
        elif tag in ("h2", "p") and self.texts and tag not in (section := self._last()):
            section[tag] = ""
            self._reading = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._reading:
            self._reading = None

    def handle_data(self, data: str) -> None:
        if self._reading is not None:
            self._last()[self._reading] += data

    def _last(self) -> dict[str, str]:
        return next(reversed(self.texts.values()))
