"""Leaks, by hand."""

import pytest
from relprobe.studies.definitions.analyses.leaks import leak


@pytest.mark.parametrize(
    ("word", "definition", "kind"),
    [
        ("nod", "a nod of the head", "names"),
        ("Nod", "lower (or nod) the head", "names"),
        ("nod", "noddy behaviour", None),  # a part of another word is not named
        ("nod", "express or signify by nodding", "inflects"),
        ("barn owl", "one of the barn owls", "inflects"),
        ("barn owl", "an owl of barns", "shares"),
        ("warm up", "go up a hill", None),  # "up" is a function word
        ("warm up", "make warmer", None),  # "warmer" has a stem of its own
        ("warm up", "become warm", "shares"),
        ("owl", "a bird of the night", None),
    ],
)
def test_what_a_definition_tells(word, definition, kind):
    assert leak(word, definition) == kind


def test_languages_have_their_own_inflected_forms():
    assert leak("Haus", "mehrere Häuser in einer Reihe", "de") == "inflects"
    assert leak("talo", "xyz talo", "xx") == "names"  # a language without a stemmer
    assert leak("of talo", "of the talos", "xx") is None
    assert leak("pieni talo", "vanha talo", "xx") == "shares"  # a word of four letters is one of content
    assert leak("jää talo", "jää on kylmää", "xx") is None  # and one of three is none
