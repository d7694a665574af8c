"""Write the lists of tables and figures in docs/pages.md from the pages of the studies: `python docs/shown_manual.py`.

The rest of the page is written by hand. A test compares it with the pages of the studies.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "workflow/scripts"))

from relprobe.report.exhibits import Exhibit, Page  # noqa: E402 (after the path)
from relprobe.report.shown import page_of  # noqa: E402 (after the path)
from relprobe.studies import STUDIES  # noqa: E402

PAGE = ROOT / "docs" / "pages.md"
MARK = "<!-- The rest of this page is written by docs/shown_manual.py from the studies' documents page.md. -->\n"


def lists() -> str:
    """Return the sections that follow from the pages of the studies: one per study."""
    return "\n".join(_section(study, page_of(study)) for study in STUDIES)


def _section(study: str, page: Page) -> str:
    """Return the list of a study: its tables with their titles, its figures, and what a run must have for some of them."""
    tables = [exhibit for exhibit in page.exhibits if exhibit.folder == "tables"]
    figures = [exhibit for exhibit in page.exhibits if exhibit.folder == "figures"]
    rows = "".join(f"| `{exhibit.name}` | {_title(exhibit)} |\n" for exhibit in tables)
    needs = dict.fromkeys(tuple(exhibit.needs) for exhibit in page.exhibits if exhibit.needs)
    lines = "".join(_needing(need, page, tables, figures) for need in needs)
    return (
        f"### {study.capitalize()}\n\n| table | what it shows |\n|---|---|\n{rows}\nFigures: {_names(figures)}.\n"
        + (f"\n{lines}" if lines else "")
    )


def _title(exhibit: Exhibit) -> str:
    return exhibit.title if exhibit.on_page else f"{exhibit.title} (not on the page)"


def _needing(need: tuple[str, ...], page: Page, tables: list[Exhibit], figures: list[Exhibit]) -> str:
    """Return the line on what needs something of a run."""
    requirement = " and ".join(page.may_lack[name] for name in need)
    kinds = {"tables": tables, "figures": figures}
    parts = {
        kind: [exhibit for exhibit in exhibits if tuple(exhibit.needs) == need] for kind, exhibits in kinds.items()
    }
    named = "; ".join(f"{kind} {_names(exhibits)}" for kind, exhibits in parts.items() if exhibits)
    return f"- only with {requirement}: {named}\n"


def _names(exhibits: list[Exhibit]) -> str:
    return ", ".join(f"`{exhibit.name}`" for exhibit in exhibits)


def page() -> str:
    """Return the whole page: what is written by hand, and the lists."""
    return PAGE.read_text("utf-8").partition(MARK)[0] + MARK + "\n" + lists()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.exit(0)
