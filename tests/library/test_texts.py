"""Texts, words, candidates and spans as users give them, and the tables of answers."""

import numpy as np
import pytest
from relprobe.core.errors import ConfigError, ProbeError
from relprobe.library import asking
from relprobe.library.columns import LAYER_WORDS, TOP_WORDS, possible, ranked_by_layer, ranking
from relprobe.library.texts import (
    check_slot,
    lists_of,
    slot_forms,
    slot_is_unspaced,
    spans_of,
    texts_of,
    with_slot,
    word_list,
    word_spans,
)


@pytest.mark.parametrize(
    "text",
    [
        *("a <mask>", "a [MASK]", "a [[slot]]", "a {blank 2}", "a <|mask_token|>", "a [slot-1]", "a <extra_id_12>"),
        *("a [ v ]", "a [X]", "a __", "a ＿＿ b", "a 【mask】", "a ____."),
    ],
)
def test_what_stands_for_a_slot_elsewhere_is_refused(text):
    with pytest.raises(ProbeError, match=r"x holds .*, which is no slot here"):
        check_slot("x", text)
    texts_of([text], "word")  # of a word this is not asked


@pytest.mark.parametrize("text", ["a_b", "a_", "_", "a__b", "[z]", "a [SLOT]", "[ab]", "<b>", "a mask", "a_ _b"])
def test_brackets_and_underscores_of_other_texts_are_text(text):
    check_slot("x", text)


def test_a_text_alone_and_texts_of_any_iterable_are_a_list():
    assert texts_of(iter(["a", "b"])) == ["a", "b"]
    for wrong, words in (
        ({"a": 1}, "a table is given where a list of words is expected"),
        (7, "7 is no word: give a text"),
        (["a", 7], "word 1 is 7, which is no text"),
        (["a", "\ud800"], "word 1 is .* holds half of a character"),
    ):
        with pytest.raises(ProbeError, match=words):
            texts_of(wrong, "word")


@pytest.mark.parametrize("text", ["no slot", "[SLOT] [SLOT]"])
def test_a_text_has_exactly_one_slot(text):
    with pytest.raises(ProbeError, match=rf"text 3 has {text.count('[SLOT]')} slots"):
        with_slot(3, text)


def test_candidates_are_for_all_texts_or_a_list_for_each():
    assert lists_of([["a"], "bc"], 2) == [["a"], ["bc"]]  # a text among lists is a list of one
    assert lists_of((("a", "b"), ["c"]), 2) == [["a", "b"], ["c"]]
    assert lists_of([], 2) == [[], []]
    with pytest.raises(ProbeError, match="there are 2 lists of candidates for 1 texts"):
        lists_of([["a"], ["b"]], 1)
    with pytest.raises(ProbeError, match="the candidates are one text, 'bird': give a list of them"):
        lists_of("bird", 2)
    with pytest.raises(ProbeError, match="the candidates are 7: give a list of texts"):
        lists_of(7, 2)


def test_a_candidate_that_begins_with_a_space_has_one_space_before_it():
    assert slot_forms(1, "a ", [" b"], "none") == [(1, "a [V]", [0])]
    assert slot_forms(1, "a", ["b", " c", "d"], "none") == [(1, "a[V]", [0, 2]), (1, "a [V]", [1])]
    assert slot_forms(1, "a", ["."], "space") == [(1, "a [V]", [0])]
    assert slot_forms(1, "a ", ["b"], "space") == [(1, "a [V]", [0])]
    for candidate in ("\nb", "\tb", " \nb"):
        with pytest.raises(ProbeError, match="begins with a line break or a tab"):
            slot_forms(1, "a", [candidate], "auto")
    with pytest.raises(ProbeError, match="text 1 has no candidates"):
        slot_forms(1, "a", [], "auto")
    with pytest.raises(ProbeError, match="use auto, space, none"):
        slot_forms(1, "a", ["b"], "both")


def test_words_have_the_frequencies_that_are_given():
    assert word_list({"b": 2, "a": 0.5}).frequencies == (2.0, 0.5)
    assert word_list(["b", "a"]).words == ("b", "a")
    for wrong in (True, "1", None):
        with pytest.raises(ProbeError, match="the word 'b' has the frequency"):
            word_list({"b": wrong})


def test_words_stand_between_white_space_and_a_word_is_no_part_of_another():
    assert word_spans(["  a\tb \n", ""]) == [((2, 3), (4, 5)), ()]
    assert spans_of(["robins, robin", "c++ c"], ["robin", "c"]) == [(8, 13), (0, 1)]
    with pytest.raises(ProbeError, match="text 1 does not hold the word 'b'"):
        spans_of(["b", "ab b2"], ["b", "b"])
    with pytest.raises(ProbeError, match="there are 1 words for 2 texts"):
        spans_of(["a", "b"], ["a"])


def test_ranks_count_from_one_and_a_text_without_an_answer_has_one_row():
    words = {7: "bird", 3: "fish"}
    none = np.array([], int), np.array([], np.float32)
    table = ranking(["x", "y"], [(words, np.array([7, 3]), np.array([-0.5, -1])), (words, *none)], TOP_WORDS)
    assert table.rows() == [(0, "x", 1, "bird", -0.5), (0, "x", 2, "fish", -1.0), (1, "y", None, None, None)]
    _, tokens, _ = possible(words, np.array([7, 3]), np.array([-np.inf, -1]))
    assert tokens.tolist() == [3]


def test_answers_of_layers_stand_by_text_then_layer_then_rank():
    words = {7: "bird", 3: "fish"}
    ids = np.array([[7, 3], [3, 7]])
    logprobs = np.array([[-1, -2], [-3, -np.inf]])
    table = ranked_by_layer(["x", "y"], [(words, ids, logprobs), (words, ids[::-1], logprobs)], [0, 4])
    assert table.schema == LAYER_WORDS
    assert table.drop("text").rows() == [
        *((0, 0, 1, "bird", -1.0), (0, 0, 2, "fish", -2.0), (0, 4, 1, "fish", -3.0)),
        *((1, 0, 1, "fish", -1.0), (1, 0, 2, "bird", -2.0), (1, 4, 1, "bird", -3.0)),
    ]


@pytest.mark.parametrize(
    ("context", "shots", "expected"),
    [
        ("Words:", ["a b."], "Words: a b.\n"),
        ("Words:\n", ["a b."], "Words:\na b.\n"),
        ("Words: ", ["a b."], "Words: a b.\n"),
        ("Words:", [], "Words:"),
        ("", ["a b."], "a b.\n"),
        ("", [("a [SLOT] sings", "bird")], "a bird sings.\n"),
        ("", [("a", "bird")], "a bird.\n"),
    ],
)
def test_what_stands_before_a_text(context, shots, expected):
    assert asking.encoding(True, context, False, shots) == {
        "bos": True,
        "context": expected,
        "chat": "none",
        "conversation": None,
    }


def test_own_lines_of_a_chat_take_the_place_of_the_others():
    own = asking.encoding(None, "", {"system": "Be brief."}, [])
    assert (own["chat"], own["conversation"]) == ("true", {**asking.LINES, "system": "Be brief."})
    given = asking.encoding(None, "", True, [])["conversation"]
    assert given == asking.LINES
    assert given is not asking.LINES
    with pytest.raises(ConfigError, match="use `system` and `instruction`"):
        asking.encoding(None, "", {"other": "x"}, [])
    for where, settings in (("`context`", ("e\u0301", False)), ("`chat` with its system", ("", {"system": "e\u0301"}))):
        with pytest.raises(ProbeError, match=rf"{where} is not in Unicode's form NFC \(at 'e\\u0301'\)"):
            asking.encoding(None, *settings, [])
    with pytest.raises(ProbeError, match=r"x is not in Unicode's form NFC \(at 'e\\u0301'\)"):
        asking.check_composed("x", "abce\u0301f")


OPEN = ("a [V] sings", ("a", "[V]"), ("a [V]", "robin"), ("a robin is a", "\t"), (" ", "bird"), ("a", 3))


@pytest.mark.parametrize("shot", OPEN)
def test_an_example_is_a_text_or_a_pair_without_a_slot_that_is_open(shot):
    with pytest.raises(ConfigError, match="example 1 of `shots`"):
        asking.encoding(True, "", False, ["a robin sings", shot])


def test_a_slot_of_an_example_is_filled_once_with_its_answer():
    (text,) = asking._solved([("a [SLOT] sings", "robin")])
    assert text == "a robin sings"
    with pytest.raises(ConfigError, match="still holds a slot"):
        asking._solved([("a [SLOT] and a [SLOT]", "robin")])


def test_layers_rank_their_own_words_in_the_order_that_was_asked():
    """The table is sorted by text, layer and rank, whichever layer was asked first."""
    words = {7: "bird", 3: "fish", 5: "tool"}
    ids = np.array([[5, 3, 7], [3, 7, 5]])
    logprobs = np.array([[-1, -2, -3], [-4, -5, -6]])
    table = ranked_by_layer(["x"], [(words, ids, logprobs)], [9, 2])
    assert table.select("layer", "rank", "word", "logprob").rows() == [
        *((2, 1, "fish", -4.0), (2, 2, "bird", -5.0), (2, 3, "tool", -6.0)),
        *((9, 1, "tool", -1.0), (9, 2, "fish", -2.0), (9, 3, "bird", -3.0)),
    ]


def test_letters_in_parts_are_refused_in_texts_and_in_words():
    for what in ("text", "word"):
        with pytest.raises(ProbeError, match=f"{what} 1 "):
            texts_of(["a caf\u00e9", "a cafe\u0301"], what)


@pytest.mark.parametrize("text", ["知更鸟是一种 [SLOT]", "[SLOT] 是鸟", "知更鸟是一种 [SLOT] is"])
def test_spaces_at_a_slot_do_not_hide_its_script(text):
    assert slot_is_unspaced(text)
    assert not slot_is_unspaced(f"a {text}".replace("知更鸟是一种", "robin").replace("是鸟", "is"))
