"""Frequencies and tokens, by hand."""

import pytest
import wordfreq
from relprobe.studies.definitions.properties import Frequencies, count_tokens

COUNTS = {"nod": 310, "warm up": 12, "Rome": 7}


@pytest.mark.parametrize(
    ("text", "uses"),
    [
        ("nod", 310),
        ("Nod", 310),  # as it is written, then in lower case
        ("Rome", 7),
        ("rome", 0),  # a single word that a corpus lacks has no uses
        ("warm up", 12),
        ("come to life", None),  # most files count no phrases
    ],
)
def test_uses_come_from_a_file_of_counts(text, uses):
    assert Frequencies("en", COUNTS).uses(text) == uses


def test_without_a_file_a_phrase_is_unknown_unless_its_words_are_joined():
    assert Frequencies().uses("barn owl") is None
    assert Frequencies().uses("owl") == 10 ** wordfreq.zipf_frequency("owl", "en", wordlist="large")
    assert Frequencies().uses("zzxqv") == 0
    joined = Frequencies(joined=True).uses("barn owl")
    assert joined == 10 ** wordfreq.zipf_frequency("barn owl", "en", wordlist="large") > 100  # frequent, it would seem


def test_an_own_count_comes_first_and_an_unknown_language_has_none():
    assert Frequencies("en", COUNTS, {"nod": 3}).uses("nod") == 3
    assert Frequencies("tlh").uses("nod") is None


def test_tokens_are_those_of_nltk():
    assert [count_tokens(word) for word in ("owl", "barn owl", "St. John's wort", "well-to-do")] == [1, 2, 4, 1]
