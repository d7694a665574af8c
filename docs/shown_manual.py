"""Write the lists of tables and figures in docs/pages.md from the pages of the studies: `python docs/shown_manual.py`.

The rest of the page is written by hand. A test compares it with the pages of the studies.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "workflow/scripts"))

from relprobe.report.shown import Exhibit, Page, page_of  # noqa: E402 (after the path)
from relprobe.studies import STUDIES  # noqa: E402

PAGE = ROOT / "docs" / "pages.md"
MARK = "<!-- The rest of this page is written by docs/shown_manual.py from the studies' documents page.md. -->\n"


def lists() -> str:
    """Return the sections that follow from the pages of the studies: one per study."""
    return "\n".join(_section(study, page_of(study)) for study in STUDIES)


def _section(study: str, page: Page) -> str:
    rows = "".join(_row(one, page) for one in page.exhibits)
    return f"### {study.capitalize()}\n\n| file | what it shows | step | needs |\n|---|---|---|---|\n{rows}"


def _row(one: Exhibit, page: Page) -> str:
    ending = {"figures": "svg", "tables": "csv"}[one.folder]
    needs = "; ".join(page.may_lack[name] for name in one.needs)
    title = one.title if one.on_page else f"{one.title} (not on the page)"
    return f"| `{one.folder}/{one.name}.{ending}` | {title} | `{one.step}` | {needs} |\n"


def page() -> str:
    """Return the whole page: what is written by hand, and the lists."""
    return PAGE.read_text("utf-8").partition(MARK)[0] + MARK + "\n" + lists()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.exit(0)
