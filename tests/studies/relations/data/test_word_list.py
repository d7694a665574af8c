"""The step word_list: where its words come from, and relata of several words."""

import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.sources.lexical import wordnet
from relprobe.sources.lexical.wordnet import prepare
from relprobe.studies.relations.relata import relata
from relprobe.studies.relations.tuples import lexical_resource, source_tuples

from tests.patched import Patch
from tests.paths import ROOT
from tests.sources.lexical import tiny_wordnet
from tests.steps import run_step
from tests.studies.relations.six import ENGLISH, SIX

LANGUAGE = ROOT / "resources/languages/english.yaml"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("word_list")
    more = {
        "dessert": tiny_wordnet.Synset("dessert"),
        "ice": tiny_wordnet.Synset("ice_cream gelato", hypernyms="dessert"),
    }
    prepare(tiny_wordnet.write(home / "original", tiny_wordnet.DEFAULT | more), home / "nltk_wordnet")
    write_manifest(home / "nltk_wordnet")
    (home / "own.txt").write_text("ice cream\nrobin\n")
    with tiny_wordnet.reader_of(home / "nltk_wordnet") as reader, Patch.context() as patched:
        patched.setattr(wordnet, "load", lambda _: reader)
        yield home


def words(home, **settings):
    out = home / "word_list.parquet"
    settings = {"frequent": 0, "lemmas": False, **settings}
    run_step("relations", "word_list", out=out, language=LANGUAGE, wordnet=home / "nltk_wordnet.json", **settings)
    return pl.read_parquet(out)["word"].to_list()


def test_own_words_stand_alone_or_beside_the_other_sources(home):
    assert words(home, word_file=home / "own.txt") == ["ice cream", "robin"]
    assert words(home, word_file=home / "own.txt", frequent=2) == ["ice cream", "robin", "the", "to"]


def test_lemmas_of_several_words_are_a_choice(home):
    assert "gelato" in words(home, lemmas=True)
    several = set(words(home, lemmas=True, expressions=True)) - set(words(home, lemmas=True))
    assert several == {"ice cream", "city of light"}  # WordNet's index has small letters


def test_a_relatum_of_several_words_is_in_the_sets(home):
    """A robin is a wild bird in the tuples, and gelato is ice cream in WordNet."""
    (home / "own_tuples").mkdir()
    (home / "own_tuples/own.csv").write_text("target,relation,relatum\nrobin,HYP,wild bird\ngelato,HYP,dessert\n")
    write_manifest(home / "own_tuples")
    given, tuples = source_tuples([home / "own_tuples.json"], SIX, ENGLISH, exemplar_frequency=1)
    (home / "of birds.txt").write_text("wild bird\n")
    words(home, word_file=home / "of birds.txt", lemmas=True, expressions=True)
    listed = pl.read_parquet(home / "word_list.parquet")
    sets = relata(given, tuples, listed, SIX, lexical_resource(home / "nltk_wordnet.json", ENGLISH)).out
    rows = sets.select("target", "relation", "relatum").rows()
    assert {("robin", "HYP", "wild bird"), ("wild bird", "HPO", "robin"), ("gelato", "SYN", "ice cream")} <= set(rows)
