"""The toy of one study as a user would run it, a plan after it, and one after an edit: tests/workflow has all the rest."""

import pytest

from tests.workflow import toy
from tests.workflow.shared_toy import server_of_run

STUDY = "definitions"


@pytest.fixture(scope="module")
def study(once, pytestconfig):
    """The toy of one study, run to its end. To read; a test that changes something takes a copy."""
    server = server_of_run(once, pytestconfig)

    def make(folder):
        toy.Study(toy.make(folder / "study", [STUDY]).folder, server.environment).finish()

    return toy.Study(once(f"{STUDY} first", make) / "study", server.environment)


def test_a_run_ends_with_its_pages_and_leaves_nothing_behind(study):
    assert (study.results / "report.html").is_file()
    assert study.table(f"{STUDY}/tables/overview.parquet").height
    for page in (study.results / STUDY).glob("*.html"):
        assert "</html>" in page.read_text("utf-8")
    assert (study.results / STUDY / "report.html").is_file()
    assert study.left_behind() == []


def test_a_further_run_has_nothing_to_do(study):
    assert study.scheduled() == {}


def test_an_edit_of_what_measures_runs_the_measures_again_and_no_model(study, tmp_path):
    edited = study.copy(tmp_path / "study")
    edited.edit(f"studies/{STUDY}/agents.py")
    planned = edited.scheduled()
    assert f"{STUDY}_metrics" in planned
    assert not [rule for rule in planned if "score" in rule or "snapshot" in rule or "probes" in rule]
