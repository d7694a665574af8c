"""Options in letters: how a choice is shown and read."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.lm.chat_models.replies import ANSWER, LENGTH, REFUSAL
from relprobe.studies.letters import (
    LETTERS,
    lettered_lines,
    option_positions,
    read_choice,
    readable,
    readings,
    unreadable,
)
from relprobe.studies.unreadable import absence_of

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
        ("B bow", "bow"),
        ("B (bow)", "bow"),
        ("B, C", ""),
        ("B\nC", ""),
        ("B\nnod", ""),
        ("B\n\nA bow is a sign of respect.", "bow"),
        ("Answer:\nB", "bow"),
        ("Neither A nor B", ""),
        ("The answer is not B.", ""),
        ("The answer is bow.", "bow"),
        ("“Bow.”", "bow"),
        ("", ""),
        ("„B“", "bow"),
        ("‚B‘", "bow"),
        ("B ✅", "bow"),
        ("👉 B", "bow"),
        ("B?", "bow"),
        ("Ｂ．", "bow"),
        ("B.\u200b", "bow"),
        ("- B", "bow"),
        ("### B", "bow"),
        ("# Answer\nB", "bow"),
        ("> B", "bow"),
        ("B → bow", "bow"),
        ("B = bow", "bow"),
        ("The best definition is B.", "bow"),
        ("Word B", "bow"),
        ("$\\boxed{\\text{B}}$", "bow"),
        ("<answer>B</answer>", "bow"),
        ('```json\n{"answer": "B"}\n```', "bow"),
        ("I'm sorry, I can't choose.", ""),
        ("None of the above", ""),
    ],
)
def test_a_choice_is_read_strictly(text, choice):
    assert read_choice(text, WORDS) == choice


def test_a_letter_is_read_where_the_length_limit_ends_a_reply_and_not_in_a_refusal():
    assert read_choice("B", WORDS, LENGTH) == "bow"
    assert read_choice("BOW", ["bow", "bow", "nod"]) == "bow"
    assert read_choice("BOW", ["Bow", "bow", "nod"]) == ""  # which of the two it is, nobody can tell
    assert read_choice("B", WORDS, REFUSAL) == ""


def test_as_many_options_as_letters_can_be_named():
    many = [f"w{number}" for number in range(26)]
    assert lettered_lines(many).splitlines()[-1] == "Z. w25"
    assert [read_choice(letter, many) for letter in LETTERS] == many
    with pytest.raises(ValueError, match="for 26 options, and not for 27"):
        lettered_lines([*many, "w26"])


PHRASES = (
    *("{}", "{}.", "({})", "**{}**", "`{}`", "“{}”", "'{}'", "[{}]", "**{}.**", " {}\n", "$\\boxed{{{}}}$"),
    *("Answer: {}", "answer {}", "**Answer:** {}", "Answer: ({}).", "Option {}", "Choice {}.", "Letter: {}"),
    *("The answer is {}.", "The answer is: {}", "The answer is ({}).", "The answer is **{}**.", "the answer is {}"),
    *("The correct answer is {}.", "The correct answer is option {}.", "The right choice is {}", "My answer is {}."),
    *(
        "The best answer is {}.",
        "The most likely answer is {}.",
        "The correct option is: **{}**.",
        "So the answer is {}.",
    ),
    *("I would choose {}.", "I choose {}", "I’d say {}.", "I think it's {}.", "I think the answer is {}.", "It is {}."),
    *(
        "Sure! The answer is {}.",
        "Certainly. {}",
        "Therefore, the answer is {}.",
        "{} is the correct answer.",
        "{} is correct.",
    ),
    *("Option {} is the right answer.", "{}\n\nThis one fits best.", "The answer is {}.\nIt fits best."),
)
WORDS_AND_LETTERS = (
    "O",
    "A",
    "B",
    "AB",
    "C",
    "D",
    "a",
    "i",
    "I",
    "one",
    "so",
    "the answer",
    "a bird",
    "to a point",
    "nod",
)
WORDS_AND_LETTERS += (
    "bow",
    "a b",
    "don't",
    "make an answer",
    "B. bow",
    "U.S.",
    "an act, or a sign",
    "it is",
)
WORDS_AND_LETTERS += ("(of a bow) bent", "answer", "right")
OPTIONS = st.lists(st.sampled_from(WORDS_AND_LETTERS), min_size=2, max_size=6, unique_by=str.lower)


@settings(max_examples=150, deadline=None)
@given(OPTIONS, st.data(), st.sampled_from([ANSWER, LENGTH]))
def test_a_letter_in_any_usual_phrase_is_the_option_at_its_place(shown, data, outcome):
    place = data.draw(st.integers(0, len(shown) - 1))
    phrase = data.draw(st.sampled_from(PHRASES))
    option = shown[place]
    for letter in (LETTERS[place], LETTERS[place].lower()):
        assert read_choice(phrase.format(letter), shown, outcome) == option
        assert read_choice(f"{letter})", shown, outcome) == option
        assert read_choice(phrase.format(f"{letter}. {option}"), shown, outcome) == option


@settings(max_examples=150, deadline=None)
@given(OPTIONS, st.data())
def test_a_text_is_read_unless_it_is_a_letter(shown, data):
    """A single letter is the option at its place, if there is one; only then the option that is called so."""
    option, phrase = data.draw(st.sampled_from(shown)), data.draw(st.sampled_from(PHRASES))
    letters = {name.lower(): one for name, one in zip(LETTERS, shown, strict=False)}
    own = {f"{name}. {one}".lower(): one for name, one in zip(LETTERS, shown, strict=False)}
    read = letters.get(option.lower()) or own.get(option.lower()) or option
    if read == option or len(option) == 1:
        assert read_choice(phrase.format(option), shown) == read


@pytest.mark.parametrize("phrase", PHRASES)
@pytest.mark.parametrize("option", ["one", "answer", "choice", "right", "it", "so", "option", "this is", "the answer"])
def test_an_option_may_be_a_word_of_the_phrase_around_it(phrase, option):
    assert read_choice(phrase.format(option), [option, "bow"]) == option


@given(OPTIONS)
def test_two_letters_or_another_options_text_are_no_choice(shown):
    for said in ("A or B", "A and B", "Both A and B.", "A, B", "A\nB", "Not A."):
        assert read_choice(said, shown) == ""
    first, second, *_ = shown
    if second.lower() not in first.lower() and f"a. {second}".lower() not in map(str.lower, shown):
        assert read_choice(f"A. {second}", shown) == ""


def test_options_that_differ_in_case_alone_are_named_exactly():
    assert read_choice("US", ["us", "US", "nod"]) == "US"
    assert read_choice("Us", ["us", "US", "nod"]) == ""


def test_a_text_that_the_length_limit_cuts_is_known_by_its_letter():
    shown = ["bend the head or the body as a sign of respect", "lower and raise the head"]
    assert read_choice("B. lower and rai", shown, LENGTH) == shown[1]
    assert read_choice("B. bend the head", shown, LENGTH) == ""
    assert read_choice("B. lower and rai", shown, ANSWER) == ""


def test_the_places_and_readings_of_choices_by_hand():
    """Of three answers to a task of two options, two choose the first; another task has three options."""
    choices = pl.DataFrame(
        {
            "task": ["w2d", "w2d", "w2d", "d2w"],
            "shown": [["a", "b"], ["b", "a"], ["a", "b"], ["c", "d", "e"]],
            "choice": ["a", "b", "", "e"],
            "group": ["x", "x", "y", "z"],
        }
    )
    assert option_positions({}).equals(option_positions({"m": choices.head(0)}))
    assert option_positions({"m": choices, "n": choices[3:]}).rows() == [
        *(("m", "d2w", place, 1, chosen, pytest.approx(1 / 3)) for place, chosen in ((1, 0.0), (2, 0.0), (3, 1.0))),
        *(("m", "w2d", place, 3, pytest.approx(chosen), 0.5) for place, chosen in ((1, 2 / 3), (2, 0.0))),
        *(("n", "d2w", place, 1, chosen, pytest.approx(1 / 3)) for place, chosen in ((1, 0.0), (2, 0.0), (3, 1.0))),
    ]
    table = readings({"m": choices}, "group")
    assert table.drop("note").rows() == [("m", "w2d", 2, 3, pytest.approx(1 / 3)), ("m", "d2w", 1, 1, 0.0)]
    assert table["note"][0].startswith("no value, as 33 % of its answers name no option")
    assert table["note"][1] is None


def test_a_fifth_of_the_answers_may_name_no_option():
    fifth = pl.DataFrame({"task": ["a"] * 5 + ["b"] * 4, "choice": ["", *"xxxx", "", *"xxx"]})
    assert readable(fifth)["task"].to_list() == ["a"] * 5
    assert readable(fifth.rename({"task": "kind"}), "kind").height == 5
    assert unreadable(fifth) == pytest.approx(2 / 9)
    assert unreadable(fifth[:0]) == 0.0
    assert absence_of(0.204, "x", "y") == "no value, as 20 % of its answers x (more than 20 %): y"
