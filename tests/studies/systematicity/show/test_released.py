"""The authors' data as they are, where they lie beside the repository."""

import itertools

import polars as pl
import pytest
from relprobe.sources.systematicity import grounded_pairs, items
from relprobe.studies.systematicity.analyses.overlap import overlap
from relprobe.studies.systematicity.contexts import released_splits
from relprobe.studies.systematicity.hyponyms import Choice, built_items, hyponyms_of
from relprobe.studies.systematicity.inflection import with_article
from relprobe.studies.systematicity.tables import diagnostics, parts

from tests.sources.lexical.tiny_wordnet import reader_of
from tests.sources.made.systematicity_data import DATA, ROOT

WORDNET = ROOT / "resources/fetched/nltk_wordnet"
CATEGORIES = {
    "animals": ["bird", "insect", "fish"],
    "objects": ["vehicle", "tool", "building"],
    "plants": ["tree", "flower", "vegetable"],
}
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the authors' data are not there")


@pytest.fixture(scope="module")
def asked():
    return items(DATA)


@pytest.fixture(scope="module")
def pairs():
    return released_splits(grounded_pairs(DATA), CATEGORIES, 3, seed=1)[0]


def test_the_sets_have_their_published_sizes(asked):
    counts = diagnostics(asked).filter(pl.col("category").is_null())
    assert counts.select("set", "singular", "plural", "contextual").rows() == [
        ("diagnostic", 18, 18, 18),
        ("extended", 576, 576, 186),
    ]


def test_the_released_splits_have_their_published_sizes(pairs):
    counts = parts(pairs).filter(setting="unseen").select("fold", "train", "dev", "test").rows()
    assert counts == [(1, 6164, 206, 232), (2, 7936, 92, 112), (3, 5892, 222, 219)]  # Table 5


def test_the_released_tests_are_not_balanced(pairs):
    true = pairs.filter(setting="unseen", part="test").group_by("fold", maintain_order=True).agg(pl.col("label").sum())
    assert true.rows() == [(1, 140), (2, 57), (3, 120)]  # of 232, 112 and 219


def test_the_splits_with_seen_hypernyms_are_near_the_published_sizes(pairs):
    """Table 6: 6,682, 6,556 and 6,582 pairs of training, 176, 182 and 164 of development, 148, 144 and 154 of test."""
    seen = pairs.filter(setting="seen")
    for fold in parts(seen).iter_rows(named=True):
        assert 6500 <= fold["train"] <= 6800
        assert 140 <= fold["test"] <= 182
        assert 140 <= fold["dev"] <= 182
        assert fold["true_in_test"] == 1 / 2
    for _, fold in seen.group_by("fold"):
        of = {part: fold.filter(part=part) for part in ("train", "dev", "test")}
        for a, b in itertools.combinations(of.values(), 2):
            assert not set(a["hyponym"]) & set(b["hyponym"])
        assert set(of["test"]["hypernym"]) <= set(of["train"]["hypernym"])


def test_prompts_have_the_articles_of_the_released_ones(asked):
    differing = [
        hyponym
        for hyponym, singular in asked.select("hyponym", "singular").iter_rows()
        if with_article(hyponym).split()[0] != singular.split()[0].lower()
    ]
    assert differing == ["unicycle"]  # "An unicycle" in the released file


@pytest.mark.skipif(not WORDNET.is_dir(), reason="WordNet has not been fetched")
def test_the_builder_finds_most_released_hyponyms(asked):
    with reader_of(WORDNET) as reader:
        built = built_items(hyponyms_of(reader, CATEGORIES, Choice(1.0)))
    table = overlap(built, asked.filter(set="extended"))
    assert table.row(0) == (None, 658, 576, 528)
    assert table.filter(category="bird").row(0) == ("bird", 180, 132, 119)
