import pytest
from relprobe.core.errors import ConfigError
from relprobe.studies.relations.measure.top_words import top_words
from relprobe.studies.relations.schemas import TOP_WORDS
from relprobe.studies.relations.show.shown_probes import default_probes, shown

from tests.studies.relations.measure.test_metrics import PROBES, SETS, responses
from tests.studies.relations.six import SIX

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


def test_a_row_per_agent_with_the_relation_behind_the_word():
    table = shown(WORDS, PROBES, ["hyp1:robin"])
    assert table.rows() == [
        ("robin [V]", "HYP", "m", "bird (HYP)", "wing (MER)", "x"),
        ("robin [V]", "HYP", "n", "x", None, None),
    ]


def test_an_agent_that_did_not_answer_has_no_words():
    assert shown(WORDS, PROBES, ["ant1:night"]).rows() == [
        ("night [V]", "ANT", "m", "day (ANT)", None, None),
        ("night [V]", "ANT", "n", None, None, None),
    ]


def test_unless_said_otherwise_a_probe_of_each_relation_is_shown():
    assert default_probes(WORDS, PROBES, relations=SIX, language="en") == ["hyp1:robin", "ant1:night"]


def test_a_probe_that_is_not_asked_is_named():
    with pytest.raises(ConfigError, match=r"shown_probes names 'hyp1:bird', but the study asks no such probe"):
        shown(WORDS, PROBES, ["hyp1:robin", "hyp1:bird"])


def test_probes_are_shown_in_the_order_given():
    table = shown(WORDS, PROBES, ["ant1:night", "hyp1:robin"])
    assert table["probe"].to_list() == ["night [V]", "night [V]", "robin [V]", "robin [V]"]
