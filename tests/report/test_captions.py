from pathlib import Path

import pytest
from relprobe.report.captions import NOT_ON_PAGE, caption, sections, write_captions
from relprobe.report.page import Section, write

from tests.paths import TEMPLATE


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "relations/report.html"
    parts = [
        Section("symmetry_5", "Symmetry, k = 5", "w & v, or |Y| < 3.", "tables/metrics.csv"),
        Section("table-tests", "Tests", "McNemar*", "tables/tests.csv", link="tests.html"),
    ]
    write("Relations", "Lead.", parts, TEMPLATE, path)
    return path


def test_a_page_gives_the_title_and_the_caption_of_its_sections(page):
    assert sections(page.read_text()) == {
        "symmetry_5": ("Symmetry, k = 5", "w & v, or |Y| < 3."),
        "table-tests": ("Tests", "McNemar*"),
    }


def test_a_caption_escapes_the_characters_of_markup():
    page = {"table-tests": ("Tests", "a*b_ |c|"), "tests": ("Not it", "")}
    assert caption(page, Path("relations/tables/tests.csv")) == r"**Tests.** a\*b\_ \|c\|" + "\n"


def test_every_file_gets_a_caption(page, tmp_path):
    files = ["relations/figures/symmetry_5.svg", "relations/tables/tests.csv", "relations/tables/metrics.csv"]
    folder = tmp_path / "captions"
    write_captions([page], files, folder)
    captions = {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.rst")}
    assert captions == {
        "relations/figures/symmetry_5.rst": "**Symmetry, k = 5.** w & v, or \\|Y\\| < 3.\n",
        "relations/tables/tests.rst": "**Tests.** McNemar\\*\n",
        "relations/tables/metrics.rst": NOT_ON_PAGE + "\n",
    }
