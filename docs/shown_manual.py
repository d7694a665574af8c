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
    groups: dict[str, list[str]] = {}
    for name, having in shared.items():
        titles = dict.fromkeys(_title(tables[study][name]) for study in having)
        needs = _requirements({study: _requirement(tables[study][name].needs, pages[study]) for study in having})
        which = "All studies" if having == list(STUDIES) else ", ".join(having).capitalize()
        title = f": {next(iter(titles))}" if len(titles) == 1 else ""  # its heading on a page says what it is there
        groups.setdefault(f"{which}{needs}", []).append(f"- `{name}`{title}\n")
    sections = [_section(study, page, tables[study], shared) for study, page in pages.items()]
    return "\n".join([f"### Tables of several studies\n\n{_grouped(groups)}", *sections])


def _exhibits(page: Page, folder: str) -> list[Exhibit]:
    return [exhibit for exhibit in page.exhibits if exhibit.folder == folder]


def _grouped(groups: Mapping[str, list[str]]) -> str:
    """Return the lines of lists, each below its head; a list without a head comes first."""
    return "\n".join((f"{head}:\n\n" if head else "") + "".join(groups[head]) for head in sorted(groups, key=bool))


def _requirements(needs: Mapping[str, str]) -> str:
    """Return what a run must have for a table of several studies (study -> its requirement), of each if they differ."""
    studies: dict[str, list[str]] = {}
    for study, need in needs.items():
        studies.setdefault(need, []).append(study)
    if len(studies) == 1:
        return "".join(f", only with {need}" for need in studies if need)
    return "".join(f"; {', '.join(having)} only with {need}" for need, having in studies.items() if need)


def _section(study: str, page: Page, tables: dict[str, Exhibit], shared: Container[str]) -> str:
    """Return what a study has alone: its tables with their titles, and its figures, by what a run must have for them."""
    groups: dict[str, list[str]] = {}
    for name, exhibit in tables.items():
        if name not in shared:
            groups.setdefault(_only_with(exhibit, page), []).append(f"- `{name}`: {_title(exhibit)}\n")
    figures: dict[str, list[str]] = {}
    for figure in _exhibits(page, "figures"):
        figures.setdefault(_only_with(figure, page), []).append(f"`{figure.name}`")
    for need, names in figures.items():
        groups.setdefault(need, []).append(f"- figures: {', '.join(names)}\n")
    return f"### {study.capitalize()}\n\n{_grouped(groups)}"


def _title(exhibit: Exhibit) -> str:
    return exhibit.title if exhibit.on_page else f"{exhibit.title} (not on the page)"


def _only_with(exhibit: Exhibit, page: Page) -> str:
    return f"Only with {_requirement(exhibit.needs, page)}" if exhibit.needs else ""


def _requirement(needs: Iterable[str], page: Page) -> str:
    """Return what a run must have for an exhibit, in words; "" where it is always there."""
    return " and ".join(page.may_lack[name] for name in needs)


def page() -> str:
    """Return the whole page: what is written by hand, and the lists."""
    return PAGE.read_text("utf-8").partition(MARK)[0] + MARK + "\n" + lists()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.exit(0)
