"""Leaks, by hand."""

import polars as pl
import pytest
from relprobe.studies.definitions.analyses.leaks import COLUMNS, leak, leak_counts
from relprobe.studies.definitions.schemas import PROPERTIES


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


@pytest.mark.parametrize(
    ("word", "definition", "kind"),
    [
        ("nod", "nods", "inflects"),  # the whole definition
        ("warm up", "warming ups before a game", "inflects"),
        ("warm up", "run before warming up", "inflects"),  # at its end
        ("warm up", "up and warming", "shares"),  # in another order
        ("warm up", "warm", "shares"),  # shorter than the word
        ("nod", "nodule of rock", None),  # a word within another one
        ("owl", "a bird", None),
        ("owl", "", None),
        ("§", "a sign", None),  # no word at all
    ],
)
def test_where_in_a_definition_its_word_stands(word, definition, kind):
    assert leak(word, definition) == kind


def test_leaks_are_counted_by_part_of_speech_in_the_order_of_the_study():
    row = dict.fromkeys({**PROPERTIES, **COLUMNS}) | {"kept": True}
    rows = [
        ("verb", "names"),
        ("noun", None),
        ("verb", "shares"),
        ("noun", "inflects"),
        ("verb", None),
        ("verb", "names"),
    ]
    table = pl.DataFrame([row | {"pos": pos, "leak": kind} for pos, kind in rows], schema={**PROPERTIES, **COLUMNS})
    left_out = table.head(1).with_columns(kept=pl.lit(value=False))
    assert leak_counts(pl.concat([table, left_out])).rows() == [("noun", 2, 0, 1, 0, 1), ("verb", 4, 2, 0, 1, 1)]
