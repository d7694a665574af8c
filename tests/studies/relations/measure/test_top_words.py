import polars as pl
import pytest
from relprobe.studies.relations.lists import LISTS, people_responses
from relprobe.studies.relations.schemas import TOP_WORDS
from relprobe.studies.relations.values import top_words

from tests.studies.relations.measure.test_metrics import PROBES, SETS, responses

WORDS = {
    "m": top_words(responses(hyp1_robin="bird wing x y", ant1_night="day", hyp1_bird="z"), PROBES, SETS),
    "n": top_words(responses(hyp1_robin="x"), PROBES, SETS),
}


def test_the_first_words_and_their_relations():
    assert WORDS["m"].schema == TOP_WORDS
    assert set(WORDS["m"].drop("weight").rows()) == {
        ("hyp1:robin", 1, "bird", "HYP"),
        ("hyp1:robin", 2, "wing", "MER"),
        ("hyp1:robin", 3, "x", None),
        ("hyp1:robin", 4, "y", None),
        ("ant1:night", 1, "day", "ANT"),  # hyp1:bird is a trick probe
    }
    assert WORDS["m"].filter(probe_id="hyp1:robin")["weight"].to_list() == [1.0, 0.5, 0.25, 0.125]


@pytest.mark.parametrize(
    ("ties", "words"),
    [
        ("listed", ["x", "wing", "bird", "y"]),
        ("expected", ["x", "wing", "bird", "y"]),
        ("favourable", ["bird", "x", "wing", "y"]),
        ("unfavourable", ["x", "wing", "bird", "y"]),
    ],
)
def test_words_of_equal_weight_stand_as_the_choice_of_ties_says(ties, words):
    """wing is a relatum of robin, but not of the prompted relation; y has a lower weight."""
    table = top_words(responses(hyp1_robin="x=wing=bird y"), PROBES, SETS, ties)
    assert table["word"].to_list() == words
    assert table["rank"].to_list() == [1, 2, 3, 4]


def test_relata_stand_after_their_equals_if_ties_are_unfavourable():
    table = top_words(responses(hyp1_robin="bird=x y", hyp1_bird="z"), PROBES, SETS, "unfavourable")
    assert table["word"].to_list() == ["x", "bird", "y"]


def test_a_word_that_both_of_two_people_named_has_the_whole_weight():
    """Of four answers two are bird, so that the response says one half; but all people named it."""
    rows = [("hyp1:robin", 1, ["bird", "wing"]), ("hyp1:robin", 2, ["x", "bird", "bird"])]
    people = pl.DataFrame(rows, schema=LISTS, orient="row")
    for ties in ("listed", "favourable"):
        table = top_words(people_responses(people), PROBES, SETS, ties, people)
        assert table.schema == TOP_WORDS
        assert dict(table.select("word", "weight").iter_rows()) == {"bird": 1.0, "wing": 0.5, "x": 0.5}
        assert table["word"][0] == "bird"


def test_a_relatum_that_stands_twice_among_the_relata_is_one_answer():
    table = top_words(responses(hyp1_robin="x=bird y"), PROBES, SETS, "favourable")
    twice = top_words(responses(hyp1_robin="x=bird y"), PROBES, pl.concat([SETS, SETS]), "favourable")
    assert twice["word"].to_list() == table["word"].to_list() == ["bird", "x", "y"]


def test_of_a_long_response_the_first_ten_words_are_kept():
    table = top_words(responses(hyp1_robin=" ".join("abcdefghijkl")), PROBES, SETS)
    assert table["word"].to_list() == list("abcdefghij")
    assert table["rank"].to_list() == list(range(1, 11))
