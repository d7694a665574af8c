"""What `snakemake --report` says of a figure or table: the words of its section in the study's page."""

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

from relprobe.core.files import read_text, whole_folder

NOT_ON_PAGE = "Not on the study's page: the data behind a figure or another page, or a table without rows."


def write_captions(pages: Sequence[Path], files: Sequence[str], folder: Path) -> None:
    """Write a reStructuredText file into `folder` for each of the files STUDY/figures/NAME.svg and STUDY/tables/NAME.csv.

    `pages`: STUDY/report.html of each study.
    """
    said = {page.parent.name: sections(read_text(page)) for page in pages}
    with whole_folder(folder) as partial:
        for file in map(Path, files):
            text = partial / file.with_suffix(".rst")
            text.parent.mkdir(parents=True, exist_ok=True)
            text.write_text(caption(said[file.parts[0]], file), encoding="utf-8")


def sections(html: str) -> dict[str, tuple[str, str]]:
    """Return the title and the caption of each section of a page, by the section's id."""
    parser = _Sections()
    parser.feed(html)
    return {section: (said["h2"], said["p"]) for section, said in parser.said.items()}


def caption(said: Mapping[str, tuple[str, str]], file: Path) -> str:
    """Return the caption of a file in reStructuredText, from what is said in the sections of its study's page."""
    section = f"table-{file.stem}" if file.parent.name == "tables" else file.stem
    if section not in said:
        return NOT_ON_PAGE + "\n"
    title, text = (re.sub(r"([\\*`|_])", r"\\\1", part) for part in said[section])
    return f"**{title}.** {text}\n"


class _Sections(HTMLParser):
    """Collects the text of the first heading and the first paragraph of each section."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[str, dict[str, str]] = {}
        self._reading: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "section":
            self.said[dict(attrs)["id"] or ""] = {}
        elif tag in ("h2", "p") and self.said and tag not in (section := self._last()):
            section[tag] = ""
            self._reading = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self._reading:
            self._reading = None

    def handle_data(self, data: str) -> None:
        if self._reading is not None:
            self._last()[self._reading] += data

    def _last(self) -> dict[str, str]:
        return next(reversed(self.said.values()))
