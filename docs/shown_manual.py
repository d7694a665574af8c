"""Write the lists of tables and figures in docs/pages.md from the pages of the studies: `python docs/shown_manual.py`.

The rest of the page is written by hand. A test compares it with the pages of the studies.
"""

import sys
from collections.abc import Container, Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "workflow/scripts"))

from relprobe.report.exhibits import Exhibit, Page  # noqa: E402 (after the path)
from relprobe.report.shown import page_of  # noqa: E402 (after the path)
from relprobe.studies import STUDIES  # noqa: E402

PAGE = ROOT / "docs" / "pages.md"
MARK = "<!-- The rest of this page is written by docs/shown_manual.py from the studies' documents page.md. -->\n"


def lists() -> str:
    """Return the sections that follow from the studies' pages: the tables of several studies, and what each has alone."""
    pages = {study: page_of(study) for study in STUDIES}
    tables = {study: {exhibit.name: exhibit for exhibit in _exhibits(page, "tables")} for study, page in pages.items()}
    studies = {name: [study for study in STUDIES if name in tables[study]] for own in tables.values() for name in own}
    shared = {name: having for name, having in studies.items() if len(having) > 1}
    groups: dict[tuple[str, str], list[str]] = {}
    for name, having in shared.items():
        titles = dict.fromkeys(_title(tables[study][name]) for study in having)
        which = "all" if having == list(STUDIES) else ", ".join(having)
        needs = _requirements({study: _requirement(tables[study][name].needs, pages[study]) for study in having})
        groups.setdefault((which, needs), []).append(f"`{name}` ({'; '.join(titles)})")
    rows = "".join(f"| {'<br>'.join(names)} | {which} | {needs} |\n" for (which, needs), names in groups.items())
    sections = [_section(study, page, tables[study], shared) for study, page in pages.items()]
    head = f"### Tables of several studies\n\n| tables | studies | only with |\n|---|---|---|\n{rows}"
    return "\n".join([head, *sections])


def _exhibits(page: Page, folder: str) -> list[Exhibit]:
    return [exhibit for exhibit in page.exhibits if exhibit.folder == folder]


def _requirements(needs: Mapping[str, str]) -> str:
    """Return what a run must have for a table of several studies (study -> its requirement), of each if they differ."""
    studies: dict[str, list[str]] = {}
    for study, need in needs.items():
        studies.setdefault(need, []).append(study)
    if len(studies) == 1:
        return next(iter(studies))
    return "; ".join(f"{', '.join(having)}: {need}" for need, having in studies.items() if need)


def _section(study: str, page: Page, tables: dict[str, Exhibit], shared: Container[str]) -> str:
    """Return what a study has alone: its tables with their titles, and its figures with what a run must have for them."""
    rows = "".join(
        f"| `{name}` | {_title(exhibit)} | {_requirement(exhibit.needs, page)} |\n"
        for name, exhibit in tables.items()
        if name not in shared
    )
    figures: dict[str, list[str]] = {}
    for figure in _exhibits(page, "figures"):
        figures.setdefault(_requirement(figure.needs, page), []).append(f"`{figure.name}`")
    lines = "".join(
        f"- figures{f', only with {need}' if need else ''}: {', '.join(names)}\n" for need, names in figures.items()
    )
    return f"### {study.capitalize()}\n\n| table | what it shows | only with |\n|---|---|---|\n{rows}\n{lines}"


def _title(exhibit: Exhibit) -> str:
    return exhibit.title if exhibit.on_page else f"{exhibit.title} (not on the page)"


def _requirement(needs: Iterable[str], page: Page) -> str:
    """Return what a run must have for an exhibit, in words; "" where it is always there."""
    return " and ".join(page.may_lack[name] for name in needs)


def page() -> str:
    """Return the whole page: what is written by hand, and the lists."""
    return PAGE.read_text("utf-8").partition(MARK)[0] + MARK + "\n" + lists()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.exit(0)
