"""The sentences of the released items."""

import polars as pl
import pytest
from relprobe.sources.systematicity import items
from relprobe.studies.systematicity.method import Asking, probes
from relprobe.studies.systematicity.prompts import read

from tests.sources.made.systematicity_data import DATA, ROOT
from tests.studies.systematicity.show.test_released import CATEGORIES

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the authors' data are not there")


@pytest.fixture(scope="module")
def asked():
    return items(DATA)


def test_nine_articles_and_six_sentences_of_186_are_mended(asked):
    table = probes(asked, CATEGORIES, Asking(read(ROOT / "resources/prompts/systematicity.yaml", 1)))
    contextual = table.filter(set="extended", kind="contextual")
    mended, released = contextual.filter("main"), contextual.filter(~pl.col("main"))
    assert (mended.height, released.height) == (186, 15)
    repeated = mended.filter(pl.col("texts").list.len() > 0)
    assert sorted(repeated["hyponym"]) == ["aphid", "customhouse", "goby", "rink", "roadhouse", "synagogue"]
    articles = sorted(set(released["hyponym"]) - set(repeated["hyponym"]))
    assert articles == ["alehouse", "apiary", "awl", "ax", "bedbug", "hornet", "icehouse", "icepick", "orangery"]


def test_the_papers_prompts_are_the_released_sentences(asked):
    table = probes(asked, CATEGORIES, Asking(read(ROOT / "resources/prompts/systematicity.yaml", 1)))
    for number in ("singular", "plural"):
        assert table.filter(kind=number)["text"].to_list() == asked[number].to_list()
