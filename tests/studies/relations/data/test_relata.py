"""The step `relata`: what is left for the study, and what it lists."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.relation import TUPLES
from relprobe.lm.words.lexicon import WORDS
from relprobe.sources.lexical.wordnet import Princeton, prepare
from relprobe.studies.relations.relata import INHERITED, relata

from tests.sources.lexical import tiny_wordnet
from tests.studies.relations.six import ENGLISH, SIX

GOLD = pl.DataFrame([("geese", "HYP", "bird", ["own"]), ("robin", "HYP", "bird", ["own"])], schema=TUPLES, orient="row")


def words(*known):
    return pl.DataFrame({"word": list(known)}, schema=WORDS)


@pytest.mark.parametrize(
    ("panel", "remedy"),
    [
        (None, "in the list of words that may be answers: add them to the file of relations.word_list.path"),
        ({"bert": None}, r"one token of every model of lexicon.panel \(bert\): choose relations.answers: words"),
    ],
)
def test_words_that_are_all_unknown_are_refused_before_any_model_is_asked(panel, remedy):
    with pytest.raises(DataError, match=rf"none of the tuples \(2: geese, bird\) has .* {remedy}"):
        relata(GOLD, GOLD, words("tool"), SIX, panel=panel)


def test_without_models_a_lost_tuple_is_listed_under_no_model():
    """The words that may be answers are those of a list."""
    sets = relata(GOLD, GOLD, words("robin", "bird"), SIX)
    assert sets.out.select("target", "relatum").rows() == [("robin", "bird")]
    lost = sets.losses.filter(kind="tuple").select("relation", "target", "word").rows()
    assert lost == [("HYP", "geese", "bird")]


def test_inflected_targets_are_listed_with_their_lemmas(tmp_path):
    prepare(tiny_wordnet.write(tmp_path / "original"), tmp_path / "prepared")
    with tiny_wordnet.reader_of(tmp_path / "prepared") as reader:
        sets = relata(GOLD, GOLD, words("geese", "robin", "bird", "animal"), SIX, Princeton(reader, ENGLISH))
    forms = sets.losses.filter(kind="form").select("step", "relation", "target", "word", "reason")
    assert forms.rows() == [("relata", None, "geese", "goose", INHERITED)]
    assert ("geese", "animal") in sets.out.select("target", "relatum").rows()
