"""What the studies declare of their tables and figures fits together."""

import importlib
import re
import subprocess
import sys

import pytest
from relprobe.report.shown import SCOPE, Figure, Page, Table, page_of
from relprobe.studies import STUDIES

from tests.facts import WHOLE, with_step
from tests.paths import SCRIPTS


@pytest.mark.parametrize("study", STUDIES)
def test_names_are_declared_once(study):
    names = [(one.folder, one.name) for one in page_of(study).exhibits]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("study", STUDIES)
def test_what_a_table_or_figure_needs_is_declared_and_nothing_else(study):
    page = page_of(study)
    named = {name for one in page.exhibits for name in [*one.needs.split(), *one.without]} | set(page.notices)
    assert named == set(page.may_lack)


@pytest.mark.parametrize("study", STUDIES)
def test_a_figure_names_a_table_of_its_study(study):
    shown = page_of(study).exhibits
    tables = {one.name for one in shown if isinstance(one, Table)}
    assert {one.table for one in shown if isinstance(one, Figure)} <= tables
    assert {"overview", "controls", "tests"} <= tables
    assert ("published" in tables) == (study in with_step("published"))


@pytest.mark.parametrize("study", STUDIES)
def test_the_cells_that_lead_to_answers_are_in_tables_of_the_page(study):
    pages = importlib.import_module(f"relprobe.studies.{study}.show.pages")
    tables = {one.name for one in page_of(study).exhibits if isinstance(one, Table) and one.on_page}
    assert getattr(pages, "ADDRESSES", {}).keys() <= tables


@pytest.mark.parametrize("study", STUDIES)
def test_declarations_import_nothing_that_takes_time(study):
    """The workflow imports them whenever it makes a plan."""
    slow = "{'polars', 'numpy', 'matplotlib'}"
    code = f"import sys, relprobe.studies.{study}.show.declared; print(*{slow} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=SCRIPTS, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("study", WHOLE)
def test_a_page_says_once_what_its_tests_know_nothing_about(study):
    """It stands where the tests between agents are explained, and a run of any kind has that table."""
    (said,) = (one for one in page_of(study).exhibits if SCOPE in one.caption)
    assert (said.name, said.on_page, said.needs) == ("tests", True, "")
    assert sum(one.caption.count("likes besides") for one in page_of(study).exhibits) == 1


def test_a_run_names_all_that_a_study_may_need():
    page = Page("Title?", "", (Table("all", "All", "Rows."),), {}, {"people": "answers of people"})
    with pytest.raises(ValueError, match=r"the names \['person'\] are not those of MAY_LACK, \['people'\]"):
        page.available({"person": True})


REFERENCE = re.compile(r"\b(?:[Ss]ections?|Eq\.|Tables?|Figures?) [A-Z]?\d")


@pytest.mark.parametrize("study", STUDIES)
def test_a_caption_names_no_file_and_says_that_its_sections_tables_and_equations_are_the_papers(study):
    """A page has tables and figures of its own, and nobody who reads it has the folder docs."""
    for one in page_of(study).exhibits:
        assert "docs/" not in one.caption
        for found in REFERENCE.finditer(one.caption):
            near = one.caption[max(0, found.start() - 40) : found.end() + 60]
            assert "paper" in near, f"{one.name}: {near}"
