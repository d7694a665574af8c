"""Sentences with the slot in their hyponym's place, as released and mended."""

import pytest
from relprobe.core.errors import DataError
from relprobe.studies.systematicity.inflection import plural, with_article
from relprobe.studies.systematicity.sentences import candidate_texts, mended_sentence, released_sentence


def test_the_slot_takes_the_place_of_the_first_whole_word():
    assert released_sentence("A robin perches beside the robin 's nest .", "robin", "robins") == (
        "A [V] perches beside the robin 's nest ."
    )
    assert released_sentence('An elephant and an ant ( " Formica " ) met .', "ant", "ants") == (
        'An elephant and an [V] ( " Formica " ) met .'
    )
    assert released_sentence("Hand saws have a thick blade .", "saw", "saws") == "Hand [V] have a thick blade ."


@pytest.mark.parametrize(
    ("sentence", "hyponym", "category", "expected"),
    [
        ("Through use of an awl , he did it .", "awl", "tool", "Through use of a [V] , he did it ."),
        ("He saw a bedbug in his room .", "bedbug", "insect", "He saw an [V] in his room ."),
        ("An ax lay there .", "ax", "tool", "A [V] lay there ."),
        ("A hornet stung a man .", "hornet", "insect", "An [V] stung a man ."),
        ("The old awl , a gift .", "awl", "tool", "The old [V] , a gift ."),  # this article is of another word
        ("An old awl", "awl", "tool", "An old [V]"),
    ],
)
def test_the_article_before_the_slot_is_that_of_the_category(sentence, hyponym, category, expected):
    assert mended_sentence(sentence, hyponym, plural(hyponym), category) == expected


CANDIDATES = {"building": "buildings", "fish": "fish"}


@pytest.mark.parametrize(
    ("text", "hyponym", "expected"),
    [
        (
            "A hockey [V] and a curling rink .",
            "rink",
            ["A hockey [V] and a curling building .", "A hockey [V] and a curling fish ."],
        ),
        ("A [V] of many rinks", "rink", ["A [V] of many buildings", "A [V] of many fish"]),
        (
            "The Tolovana Roadhouse is a [V]",
            "roadhouse",
            ["The Tolovana Building is a [V]", "The Tolovana Fish is a [V]"],
        ),
        ("A [V] with a rinkside bar", "rink", []),  # no whole word
        ("A [V] alone", "rink", []),
    ],
)
def test_every_other_place_of_the_hyponym_gets_the_candidate_in_its_number(text, hyponym, expected):
    assert list(candidate_texts(text, hyponym, plural(hyponym), CANDIDATES)) == expected


def test_diacritics_decide_no_article_and_phrases_have_plurals():
    assert [with_article(word) for word in ("éclair", "île", "façade")] == ["an éclair", "an île", "a façade"]
    assert plural("grand piano") == "grand pianos"
    assert plural("octopus", {"octopus": "octopodes"}) == "octopodes"


def test_a_sentence_without_the_hyponym_is_a_defect():
    with pytest.raises(DataError, match="the sentence lacks 'ant': 'A giant met a plant': please report it"):
        released_sentence("A giant met a plant", "ant", "ants")
