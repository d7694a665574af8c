"""The analogies study without BATS: a small set of this project's own, which no page takes for a benchmark."""

import polars as pl
import pytest

from tests.paths import ROOT
from tests.workflow.toy import Study

FILE = str(ROOT / "resources/analogies/demonstration.csv")


@pytest.fixture(scope="module")
def demonstration(finished, once):
    """The toy's analogies study of one model with other pairs."""

    def make(folder):
        study = finished.copy(folder / "study")
        study.only("analogies")
        study.configure(
            models={"tiny-causal": study.config["models"]["tiny-causal"]},
            resources={name: entry for name, entry in study.config["resources"].items() if name != "bats"},
            encoders=None,
            lexicon=None,
        )
        study.set("analogies", demonstration=FILE, sample={"tuples": 8, "instances": 4})
        study.finish()

    return Study(once("demonstration", make) / "study", finished.environment)


def test_its_pairs_take_the_place_of_bats(demonstration):
    tuples = demonstration.table("analogies/tuples.parquet")
    assert tuples["relation"].n_unique() == 10
    assert set(demonstration.table("analogies/tables/overview.csv")["group"]) >= {"All", "forms", "meanings", "world"}
    sources = demonstration.table("sources.csv").filter(pl.col("name") == "demonstration_analogies")
    assert sources["source"][0].endswith("resources/analogies/demonstration.csv")


@pytest.mark.parametrize("page", ["report.html", "analogies/report.html", "analogies/answers.html"])
def test_every_page_of_it_says_that_it_is_no_benchmark(demonstration, finished, page):
    assert "demonstration and no benchmark" in (demonstration.results / page).read_text()
    assert "demonstration and no benchmark" not in (finished.results / page).read_text()


def test_nothing_of_it_is_put_beside_the_paper(demonstration):
    assert demonstration.table("analogies/tables/published.csv").is_empty()
