"""How far an answer is from the stored one, worked out by hand for numbers, lists with names, texts and missing values."""

import math

import pytest
from relprobe.lm.score_files import comparison as module
from relprobe.lm.score_files.comparison import HALF_EPSILON, RELATIVE, Comparison

MAY, SHORT = module.TOLERANCE, module.ROUNDING["bfloat16"]


def excess(stored, again, **options):
    return Comparison(**options).difference([stored], [again]).excess


def test_in_float32_each_number_is_compared_with_a_share_of_the_largest_of_its_list():
    """The second number differs by 0.5, and the largest is 8; one that is missing on both sides is equal."""
    found = Comparison().difference([{"logprobs": [-8.0, -1.0, None]}], [{"logprobs": [-8.0, -1.5, None]}])
    assert found.excess == pytest.approx(0.5 / (MAY + 8 * RELATIVE))
    assert found.words == "logprobs: -1 was stored, and -1.5 is there now"
    assert excess({"value": 2.0}, {"value": 3.0}) == pytest.approx(1 / (MAY + 2 * RELATIVE))
    assert excess({"value": None}, {"value": None}) == 0
    for one, other in ((None, 1.0), (1.0, None), (-math.inf, 1.0)):
        assert excess({"value": [one, 2.0]}, {"value": [other, 2.0]}) == math.inf


def test_a_number_of_16_bits_may_differ_by_a_unit_in_its_last_place():
    stored, again = {"states": [4.0, -1.0]}, {"states": [4.0, -1.25]}
    assert excess(stored, again, halves=["states"]) == pytest.approx(0.25 / (MAY + 4 * RELATIVE + HALF_EPSILON))
    assert excess(stored, again, halves=["other"]) == pytest.approx(0.25 / (MAY + 4 * RELATIVE))


@pytest.mark.parametrize(
    ("stored", "again", "scale"),
    [
        ([-4.0, -9.0], [-4.5, -9.0], 3.0),  # log-probabilities: the root of the largest
        ([-0.25, -0.5], [-0.75, -0.5], 1.0),  # one at least
        ([3.0, 4.0], [3.5, 4.0], math.sqrt(12.5)),  # states: their quadratic mean
        ([0.0, -9.0], [0.5, -9.0], 3.0),
    ],
)
def test_in_a_shorter_format_the_mean_difference_counts(stored, again, scale):
    assert excess({"values": stored}, {"values": again}, dtype="bfloat16") == pytest.approx(0.25 / (SHORT * scale))


def test_a_server_may_differ_more_and_write_other_texts():
    stored, again = {"text": "owl", "number": 3, "logprobs": [-0.5]}, {"text": "bird", "number": 3, "logprobs": [-0.75]}
    assert excess(stored, again, served=True) == pytest.approx(0.25 / module.ALIKE)
    assert excess(stored, again) == math.inf
    assert excess(stored, {**again, "number": 4}, served=True) == math.inf
    assert excess({**stored, "logprobs": [-0.5]}, {**stored, "logprobs": [-0.5, -1.0]}) == math.inf


def test_rows_and_columns_that_are_no_answer():
    assert Comparison().difference([{}], []).words == "1 rows were stored, and there are 0 now"
    assert Comparison().difference([], []) == (0.0, "")
    assert excess({"inputs": 3, "value": 1.0}, {"inputs": 9, "value": 1.0}, unread=["inputs"]) == 0
    assert excess({"inputs": 3, "value": 1.0}, {"inputs": 9, "value": 1.0}) == math.inf


def test_of_several_rows_and_columns_the_worst_counts():
    stored = [{"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 1.0}]
    again = [{"a": 1.0, "b": 1.25}, {"a": 2.0, "b": 1.0}]
    assert Comparison().difference(stored, again).words == "a: 1 was stored, and 2 is there now"


def test_numbers_are_compared_by_the_names_that_go_with_them():
    """Two that have changed places are equal; one that has come in beyond the end of the other list is hardly one."""
    stored = {"token_ids": [7, 8], "logprobs": [-1.0, -2.0]}
    assert excess(stored, {"token_ids": [8, 7], "logprobs": [-2.0, -1.0]}) == 0
    assert excess(stored, {"token_ids": [7, 9], "logprobs": [-1.0, -2.0]}) == 0
    new = Comparison().difference([stored], [{"token_ids": [7, 9], "logprobs": [-1.0, -1.5]}])
    assert new.words == "logprobs: -1.5 is there now for 9, which is not in the store"
    assert new.excess == pytest.approx(0.5 / (MAY + 1.5 * RELATIVE))
    gone = Comparison().difference([{"token_ids": [7, 9], "logprobs": [-1.0, -1.5]}], [stored])
    assert gone.words == "logprobs: -1.5 was stored for 9, which is not there now"
    twice = {"token_ids": [7, 7], "logprobs": [-1.0, -2.0]}  # these are no names
    assert excess(twice, {"token_ids": [7, 7], "logprobs": [-2.0, -1.0]}) > 1


def test_an_answer_that_has_become_empty_is_another_one():
    stored, empty = {"token_ids": [7], "logprobs": [-1.0]}, {"token_ids": [], "logprobs": []}
    assert excess(stored, empty) == excess(empty, stored) == math.inf
    assert excess(empty, empty) == 0


def test_texts_of_which_one_is_missing_are_no_numbers():
    stored = {"texts": ["a", None]}
    assert excess(stored, stored) == 0
    assert excess(stored, {"texts": ["b", None]}) == math.inf
    assert excess(stored, {"texts": ["b", None]}, served=True) == 0
