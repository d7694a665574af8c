"""Where a language writes a space before the next word."""

import pytest
from relprobe.lm.words.spacing import is_unspaced, joint


@pytest.mark.parametrize(
    "text",
    [
        "a robin is a",
        'a "robin"',
        "(a robin)",
        "a robin,",
        "a dogs'",
        "a –",
        "new “robin”",
        "로빈은",
        "5 €",
        "and/or",
        "aubergine l",
    ],
)
def test_a_space_stands_after(text):
    assert joint(text, "bird") == " "


@pytest.mark.parametrize(
    "end", ["a ", "a\n", "a\t", "a\u00a0", "a song-", "and/", "a bird—", "c'est l'", "jusqu’", "dell'"]
)
def test_none_stands_after(end):
    assert joint(end, "bird") == ""


@pytest.mark.parametrize("opening", ['"', "'", "“", "„", "»", "«", "(", "[", "¿", "#", '("'])
def test_none_stands_after_what_opens(opening):
    assert joint(opening, "bird") == ""
    assert joint(f"the word {opening}", "bird") == ""


def test_none_stands_between_a_currency_and_a_number():
    assert (joint("it costs $", "5"), joint("it costs 5 €", "more"), joint("", "bird")) == ("", " ", "")


@pytest.mark.parametrize(
    ("text", "word"),
    [("知更鸟是一种", "鸟"), ("コマドリは", "鳥"), ("นกโรบินเป็น", "นก"), ("他说：“", "鸟"), ("the word", "鸟")],
)
def test_none_stands_in_a_script_without_spaces(text, word):
    assert joint(text, word) == ""


@pytest.mark.parametrize("mark", [".", ",", ")", "!", "…", "。"])
def test_none_stands_before_a_mark(mark):
    assert joint("a robin", mark) == ""


def test_korean_and_most_scripts_have_spaces():
    assert not any(map(is_unspaced, "a é 새 д ع ह α 1 ."))
