"""How far the numbers of a server may be from what must hold: values on both sides of each bound, by hand."""

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from relprobe.core.errors import ModelError
from relprobe.lm.served import validation
from relprobe.lm.served.asking import check_list
from relprobe.lm.served.dialect import AnswerError, TopList

from tests.lm.tokenizers_for_tests import byte_level


def listed(*probabilities, count=None, choice=None):
    ids = np.arange(len(probabilities), dtype=np.int32)
    return TopList(ids, np.log(probabilities).astype(np.float32), count or len(probabilities), choice)


@pytest.mark.parametrize("vocabulary", [2, 1000])
def test_rounded_probabilities_may_sum_to_a_hundredth_above_1(vocabulary):
    check_list(listed(0.8, 0.209), vocabulary, str)
    with pytest.raises(AnswerError, match=r"sum to 1\.01, and no distribution exceeds 1"):
        check_list(listed(0.8, 0.211), vocabulary, str)


def test_tokens_that_are_not_listed_may_lack_a_twentieth():
    """Of 10 tokens, 2 are listed; those of a network may be a quarter more, so 10.5 others have 0.02 each at most."""
    check_list(listed(0.721, 0.02), 10, str)
    with pytest.raises(AnswerError, match=r"those of its list have 0\.739, and all others 0\.21 at most"):
        check_list(listed(0.719, 0.02), 10, str)
    check_list(listed(0.719, 0.02, count=3), 10, str)  # where a token of its list has no known id, nothing is known
    check_list(listed(0.951), 1, str)  # a list of all tokens
    with pytest.raises(AnswerError, match="lacks likely tokens"):
        check_list(listed(0.6), 1, str)


@pytest.mark.parametrize(
    ("choice", "gap", "right"), [(0, 1.0, True), (1, 0.03, True), (1, 0.2, False), (2, 0.0, False)]
)
def test_the_written_token_is_the_first_of_the_list_or_as_likely(choice, gap, right):
    one = listed(0.5, 0.5 * np.exp(-gap), choice=choice)
    if right:
        check_list(one, 1000, str)
    else:
        with pytest.raises(AnswerError, match=f"writes {choice} at temperature 0, but 0 is the first of its list"):
            check_list(one, 1000, str)


def model(witness=()):
    return SimpleNamespace(witness=list(witness), encoder=SimpleNamespace(tokenizer=byte_level()))


def answers(shift):
    return [{"token_ids": [5, 6], "logprobs": [-1.0 - shift, -2.0 - shift]}] * 2


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_server_of_other_numbers_than_the_local_engine_is_not_trusted(sign):
    validation.check_against(model(answers(sign * 0.49)), answers(0.0))
    with pytest.raises(ModelError, match=r"differ from those of the same weights on this machine by 0\.51 on average"):
        validation.check_against(model(answers(sign * 0.51)), answers(0.0))


@pytest.mark.parametrize("sign", [-1, 1])
def test_an_answer_that_changes_by_more_than_rounding_is_not_trusted(sign):
    prompt, near, far = (5, 6, 7), sign * (validation.ALIKE - 0.01), sign * (validation.ALIKE + 0.01)
    first = {5: -1.0, 6: -2.0}
    validation._compare(model(), prompt, first, {5: -1.0 + near, 6: -2.0 - near}, "now than at the start")
    with pytest.raises(ModelError, match="it gives other log-probabilities now than at the start"):
        validation._compare(model(), prompt, first, {5: -1.0 + far, 6: -2.0 - far}, "now than at the start")
    known = np.array([np.nan, -1.0, -2.0], np.float32)
    validation._compare_prompt(model(), prompt, known, known + near)
    with pytest.raises(ModelError, match="have other log-probabilities now than at the start"):
        validation._compare_prompt(model(), prompt, known, known + np.float32([0.0, far, -far]))


@pytest.mark.parametrize(("questions", "among"), [(1, 0), (49, 0), (50, 1), (149, 2), (150, 3)])
def test_each_fifty_questions_have_a_control_and_the_last_thing_asked_is_one(questions, among):
    control = validation.Control(("known",), print)
    asked = [(place,) for place in range(questions)]
    for seed in range(5):
        mixed = validation.mixed_in(asked, [control], Random(seed))
        assert mixed[-1] == (("known",), control)
        assert [question for question, known in mixed if known is None] == asked
        assert sum(known is control for _, known in mixed) == among + 1
    assert validation.mixed_in(asked, [], Random(0)) == [(question, None) for question in asked]
