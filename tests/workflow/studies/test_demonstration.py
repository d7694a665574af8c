"""The analogies study without BATS: a small set of this project's own, which no page takes for a benchmark."""

import polars as pl
import pytest


def test_its_pairs_take_the_place_of_bats(embedded):
    tuples = embedded.table("analogies/tuples.parquet")
    assert tuples["relation"].n_unique() == 10
    assert set(embedded.table("analogies/tables/overview.csv")["group"]) >= {"All", "forms", "meanings", "world"}
    sources = embedded.table("sources.csv").filter(pl.col("name") == "demonstration_analogies")
    assert sources["source"][0].endswith("resources/analogies/demonstration.csv")


@pytest.mark.parametrize("page", ["report.html", "analogies/report.html", "analogies/answers.html"])
def test_every_page_of_it_says_that_it_is_no_benchmark(embedded, finished, page):
    assert "demonstration and no benchmark" in (embedded.results / page).read_text()
    assert "demonstration and no benchmark" not in (finished.results / page).read_text()


def test_nothing_of_it_is_put_beside_the_paper(embedded):
    assert embedded.table("analogies/tables/published.csv").is_empty()
