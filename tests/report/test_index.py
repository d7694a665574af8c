import polars as pl
import pytest
from relprobe.core.config import STUDIES
from relprobe.report.index import STUDIES as PAGES
from relprobe.report.index import index, published_figures


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
    assert study.title == PAGES["relations"].TITLE
    assert study.table.rows() == [("bert", 0.5)]
    assert published.link == "published.html"
    assert (sources.id, sources.data, sources.table) == ("sources", "sources.csv", origins)


def test_the_published_figures_have_a_section_per_study(tables):
    (section,) = published_figures([tables / "published.csv"])
    assert (section.id, section.data) == ("relations", "relations/tables/published.csv")
    assert section.table.rows() == [("Table 1", 0.5), ("Table 2", None)]  # no page is known


def test_every_study_of_the_config_has_a_page():
    assert list(STUDIES) == list(PAGES)
