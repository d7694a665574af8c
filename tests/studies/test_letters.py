"""Options in letters: how a choice is shown and read."""

import pytest
from relprobe.lm.participants.replies import LENGTH, REFUSAL
from relprobe.studies.letters import LETTERS, lettered_lines, read_choice

WORDS = ["nod", "bow", "wink", "shrug"]


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("B", "bow"),
        ("b.", "bow"),
        ("(B)", "bow"),
        ("**B**", "bow"),
        ("Answer: B", "bow"),
        ("B. bow", "bow"),
        ("bow", "bow"),
        ("Bow.", "bow"),
        ("B. nod", ""),
        ("E", ""),
        ("A or B", ""),
        ("The answer is B, because a bow is one.", ""),
        ("A nod", ""),
        ("", ""),
    ],
)
def test_a_choice_is_read_strictly(text, choice):
    assert read_choice(text, WORDS) == choice


def test_a_letter_is_read_where_the_length_limit_ends_a_reply_and_not_in_a_refusal():
    assert read_choice("B", WORDS, LENGTH) == "bow"
    assert read_choice("B", WORDS, REFUSAL) == ""


def test_as_many_options_as_letters_can_be_named():
    many = [f"w{number}" for number in range(26)]
    assert lettered_lines(many).splitlines()[-1] == "Z. w25"
    assert [read_choice(letter, many) for letter in LETTERS] == many
    with pytest.raises(ValueError, match="for 26 options, and not for 27"):
        lettered_lines([*many, "w26"])
