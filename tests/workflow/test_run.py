"""A run of all studies: the pages above them, nothing half-written, and nothing left to do."""

import csv
import os
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from relprobe.lm.score_files.store import ASKED, folder_of
from relprobe.report.exhibits import Table
from relprobe.report.shown import page_of
from relprobe.report.words.glossary import meaning

from tests.facts import WHOLE as STUDIES
from tests.facts import facts_by_study, with_published
from tests.workflow import toy
from tests.workflow.toy import own

PRINTED = {
    "relations": None,  # the toy's are not the paper's
    "definitions": "Table 10",
    "systematicity": "Table 4",
    "analogies": "Table 2",
    "degrees": "utd-nb",  # a system, by its own name
    "pairs": None,  # the toy has no pairs of HyperLex
}
"""Study -> what stands beside its published figures."""


def test_a_run_leaves_the_pages_above_the_studies(finished):
    index = (finished.results / "report.html").read_text()
    for study in STUDIES:
        assert f'href="{study}/report.html"' in index
    assert 'href="published.html"' in index
    published = (finished.results / "published.html").read_text()
    printed = facts_by_study(with_published(), PRINTED, __file__)
    assert [text for text in printed.values() if text and text not in published] == []
    assert "UTD" not in published
    assert 'content="0; url=report.html"' in (finished.results / "running.html").read_text()


def test_a_study_by_its_name_is_its_pages_and_all_that_they_show_and_nothing_else(study):
    for name in STUDIES:
        shutil.rmtree(study.results / name / "figures")
        for page in (study.results / name).glob("*.html"):
            page.unlink()
    for name in STUDIES:
        rules = study.scheduled(name)
        assert {name, f"{name}_show", "report_study"} <= rules.keys()
        assert [
            rule for rule in rules if rule.startswith(tuple(f"{other}_" for other in STUDIES if other != name))
        ] == []
    (study.results / "running.html").unlink()
    study.finish("definitions")  # it has the fewest figures
    assert not (study.results / "running.html").exists()  # this run makes no front page
    assert study.scheduled("definitions") == {}
    assert "relations_show" in study.scheduled("relations")


@pytest.mark.parametrize("study", STUDIES)
def test_every_column_of_a_shown_table_has_a_meaning(study, finished):
    page, folder = page_of(study), finished.results / study / "tables"
    tables = [
        one for one in page.exhibits if one.folder == "tables" and one.on_page and (folder / f"{one.name}.csv").exists()
    ]
    headers = [(one, (folder / f"{one.name}.csv").read_text().partition("\n")[0]) for one in tables]
    missing = [
        (one.name, column)
        for one, header in headers
        for column in next(csv.reader([header]))
        if not meaning(column, one, page.columns)
    ]
    assert missing == []
    assert 'id="columns"' in (finished.results / study / "report.html").read_text()


def test_pages_name_no_address_on_the_network(finished):
    for page in finished.results.rglob("*.html"):
        text = page.read_text()
        for standard in ("www.w3.org", "purl.org", "creativecommons.org"):
            text = text.replace(f"http://{standard}", "")
        assert "http://" not in text, page


def test_a_run_leaves_no_partial_files(finished):
    assert finished.left_behind() == []


def test_what_a_killed_scoring_job_leaves_is_noticed(study):
    """So the test above can fail."""
    scores = study.results / "relations/scores/tiny-causal.parquet"
    store = next(folder_of(scores).glob(f"*/{ASKED}")).parent
    (store / ASKED).rename(store / f"{ASKED}.partial")
    assert study.left_behind() == [store / f"{ASKED}.partial", store]


def test_the_report_of_snakemake_holds_the_captions_of_the_pages(snakemake_report):
    assert "How often the agent answers v to w and w to v" in snakemake_report.read_text()


def test_touched_and_checked_out_files_run_nothing(study):
    for path in study.folder.glob("workflow/**/*"):
        os.utime(own(path) if path.is_file() else path)
    for path in [study.folder / "config.yaml", *study.folder.glob("data/**/*")]:
        os.utime(path)
    assert study.scheduled() == {}


def test_the_copy_is_independent(study, finished):
    """The fixtures rely on it."""
    assert Path(study.folder) != finished.folder
    shutil.rmtree(study.results)
    assert finished.results.exists()


@pytest.mark.slow("it runs all studies of the toy once more")
def test_a_second_run_ends_with_the_same_numbers_to_the_last_digit(finished, tmp_path):
    again = toy.Study(toy.make(tmp_path / "study").folder, finished.environment)
    again.finish()
    again.assert_ends_as(finished)


SAYS_WHY = re.compile(r"\bmissing\b|\bdash\b")


def unexplained(table, exhibit, columns):
    """The columns of numbers with a row that lacks one, and whose page and row say nothing of why."""
    notes = [pl.col(name).is_not_null() for name in table.columns if name.endswith("note")]
    noted = pl.any_horizontal(*notes, pl.lit(False))
    for name in table.select(pl.col(pl.Float32, pl.Float64)).columns:
        texts = meaning(name, exhibit, columns), exhibit.caption, exhibit.more
        if table.filter(pl.col(name).is_null(), ~noted).height and not SAYS_WHY.search(" ".join(texts)):
            yield name


def test_a_missing_number_has_a_reason_in_its_row_or_on_the_page(finished):
    """What the paper prints is a value or a range, so that `published` always lacks one of the two."""
    found = {}
    for study in STUDIES:
        page = page_of(study)
        for exhibit in page.exhibits:
            file = finished.results / study / "tables" / f"{exhibit.name}.parquet"
            if isinstance(exhibit, Table) and exhibit.on_page and exhibit.name != "published" and file.is_file():
                found[study, exhibit.name] = [*unexplained(pl.read_parquet(file), exhibit, page.columns)]
    assert len(found) > 60
    assert {table: columns for table, columns in found.items() if columns} == {}


def test_a_number_without_a_reason_is_told():
    rows = pl.DataFrame({"rho": [None, 0.5], "p": [0.1, None], "low": [None, None], "note": [None, "too few"]})
    table = rows.cast({"low": pl.Float64})
    columns = {"low": "the bound; missing without any"}
    assert [*unexplained(table, Table("t", "T", "Words."), columns)] == ["rho"]
    assert [*unexplained(table, Table("t", "T", "A dash means that nobody was asked."), columns)] == []
