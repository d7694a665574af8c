import importlib

import polars as pl
import pytest
from relprobe.report.index import index, published_figures
from relprobe.report.shown import declared
from relprobe.studies import STUDIES


@pytest.fixture
def tables(tmp_path):
    folder = tmp_path / "relations/tables"
    folder.mkdir(parents=True)
    (folder / "overview.csv").write_text("agent,soundness\nbert,0.5\n")
    (folder / "published.csv").write_text("where,page,value\nTable 1,,0.5\nTable 2,,\n")
    return folder


def test_the_index_leads_to_every_page(tables):
    origins = pl.DataFrame({"name": ["bert"]})
    study, published, sources = index([tables / "overview.csv"], origins)
    assert (study.link, study.data) == ("relations/report.html", "relations/tables/overview.csv")
    assert study.title == declared("relations").title
    assert study.table.rows() == [("bert", 0.5)]
    assert published.link == "published.html"
    assert (sources.id, sources.data, sources.table) == ("sources", "sources.csv", origins)


def test_the_published_figures_have_a_section_per_study(tables):
    (section,) = published_figures([tables / "published.csv"])
    assert (section.id, section.data) == ("relations", "relations/tables/published.csv")
    assert section.table.rows() == [("Table 1", 0.5), ("Table 2", None)]  # no page is known


def test_bounds_of_published_figures_share_a_column(tables):
    header = "where,value,low,high,ours,ours_low,ours_high,n\n"
    (tables / "published.csv").write_text(f"{header}Table 1,0.5,,,0.5,0.25,0.75,97\nTable 2,,0.1,0.2,,,,\n")
    (section,) = published_figures([tables / "published.csv"])
    assert section.table.to_dicts() == [
        {"where": "Table 1", "value": 0.5, "range": None, "ours": 0.5, "interval": "0.25 to 0.75", "n": 97},
        {"where": "Table 2", "value": None, "range": "0.1 to 0.2", "ours": None, "interval": None, "n": None},
    ]


def test_a_study_of_own_data_has_no_published_figures(tables):
    (tables / "published.csv").write_text("where,page,value\n")
    assert published_figures([tables / "published.csv"]) == []


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_has_what_its_page_needs(study):
    pages = importlib.import_module(f"relprobe.studies.{study}.show.pages")
    about = declared(study)
    assert about.title.endswith("?")
    assert len(about.lead) > 100
    assert callable(pages.summary)
    assert callable(pages.words)
