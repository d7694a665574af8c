"""The step `relata`: what is left for the study, and what it lists."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.relation import TUPLES
from relprobe.lm.words.lexicon import WORDS
from relprobe.sources.lexical.wordnet import Princeton, prepare
from relprobe.studies.relations.relata import INHERITED, NOT_A_CANDIDATE, relata
from relprobe.studies.relations.tuples import CANDIDATES

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


@pytest.mark.parametrize("candidates", [None, ["bird"], ["animal"]])
def test_closed_lists_limit_the_sets_under_every_choice(tmp_path, candidates):
    """A bird is an animal, two steps up from the robin."""
    lists = candidates and pl.DataFrame([("HYP", None, word) for word in candidates], schema=CANDIDATES, orient="row")
    prepare(tiny_wordnet.write(tmp_path / "original"), tmp_path / "prepared")
    with tiny_wordnet.reader_of(tmp_path / "prepared") as reader:
        known = words("robin", "bird", "animal")
        sets = relata(GOLD, GOLD, known, SIX, Princeton(reader, ENGLISH), candidates=lists)

    def left(*relata):
        return [word for word in relata if candidates is None or word in candidates]

    assert sorted(sets.out.filter(target="robin", relation="HYP")["relatum"]) == left("animal", "bird")
    others = sets.alternatives.filter(target="robin", relation="HYP").group_by("choice").agg(pl.col("relatum").sort())
    found = {choice: others_words for choice, others_words in others.iter_rows() if others_words}
    several = {"depth: 1": left("bird"), "expansion: none": left("bird"), "senses: first": left("animal", "bird")}
    assert found == {choice: relata for choice, relata in several.items() if relata}
    lost = sets.losses.filter(reason=NOT_A_CANDIDATE, kind="relatum", target="robin", relation="HYP")["word"]
    assert sorted(lost) == [word for word in ("animal", "bird") if word not in left("animal", "bird")]
