"""What answers of real servers hold. Those of llama-cpp-python 0.3.36 are recorded, the others follow the documentation."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from relprobe.lm.served.dialect import (
    AnswerError,
    echoed_prompt,
    model_name,
    prompt_body,
    prompt_logprobs,
    prompt_tokens,
    top_body,
    top_list,
)
from relprobe.lm.served.names import TokenNames

from tests.lm.tokenizers_for_tests import byte_level, sentence_piece

NAMES = TokenNames({" thing": (5,), " place": (6,), "": (0, 1, 2), "a": (3,), " rob": (4,)})
KEYS = (
    "content",
    "top_logprobs",
    "tokens",
    "token_logprobs",
    "prompt_logprobs",
    "logprob",
    "id",
    "token",
    "token_id:7",
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just("token_id:99999999999"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


@given(logprobs=ANY, more=ANY)
def test_any_answer_is_read_or_is_one_error(logprobs, more):
    for whole in (answer(logprobs), answer(logprobs, prompt_logprobs=more), {"choices": more}, more):
        for reader in (
            lambda one: top_list(one, NAMES),
            lambda one: prompt_logprobs(one, [5, 6], NAMES),
            prompt_tokens,
            echoed_prompt,
        ):
            try:
                reader(whole)
            except AnswerError as error:
                assert str(error)


def answer(logprobs, **more):
    return {"choices": [{"text": "", "index": 0, "logprobs": logprobs, **more}], "usage": {"prompt_tokens": 8}}


def test_what_is_sent_by_hand():
    """One token that the server does not draw at random, after the prompt as it is, without special tokens."""
    base = {"model": "toy", "prompt": [1, 2], "max_tokens": 1, "temperature": 0, "add_special_tokens": False}
    lists = {"logprobs": 20, "return_tokens_as_token_ids": True, "return_token_ids": True}
    echo = {"echo": True, "logprobs": 1, "return_tokens_as_token_ids": True}
    assert top_body("toy", [1, 2], 20) == base | lists
    assert prompt_body("toy", [1, 2], echo=True) == base | echo
    assert prompt_body("toy", "it is", echo=False) == base | {"prompt": "it is", "prompt_logprobs": 1}


def texts(**tops):
    return answer({"tokens": [" thing"], "token_logprobs": [-4.04], "top_logprobs": [tops["top"]]})


def test_tokens_that_are_named_by_texts():
    one = top_list(texts(top={" place": -4.53, " thing": -4.04, "": -5.0}), NAMES)
    assert one.ids.tolist() == [5, 6]
    assert one.logprobs.tolist() == pytest.approx([-4.04, -4.53])
    assert (one.count, one.choice) == (3, 5)


def test_tokens_that_are_named_by_ids():
    logprobs = {"tokens": ["token_id:7"], "top_logprobs": [{"token_id:7": -0.1, "token_id:9": -9999.0}]}
    one = top_list(answer(logprobs), NAMES)
    assert (one.ids.tolist(), one.choice) == ([7, 9], 7)
    assert one.logprobs[1] == -9999


def test_the_form_of_llama_server():
    tops = [{"id": 12, "token": "x", "logprob": -2.0}, {"id": 11, "token": "x", "logprob": -1.0}]
    one = top_list(answer({"content": [{"id": 11, "token": "x", "logprob": -1.0, "top_logprobs": tops}]}), NAMES)
    assert (one.ids.tolist(), one.choice) == ([11, 12], 11)


def test_a_null_among_numbers_is_the_logarithm_of_0():
    one = top_list(
        answer({"tokens": ["token_id:7"], "top_logprobs": [{"token_id:7": -0.1, "token_id:9": None}]}), NAMES
    )
    assert one.values() == pytest.approx({7: -0.1, 9: -1e4})


@pytest.mark.parametrize(
    ("ids", "words"), [((11, 0, 0), "lists 0 twice"), ((11, -3), "gives -3"), ((11, 11), "lists 11")]
)
def test_an_id_that_is_listed_twice_or_below_0_is_refused(ids, words):
    tops = [{"id": one, "token": "x", "logprob": -1.0 - number} for number, one in enumerate(ids)]
    with pytest.raises(AnswerError, match=words):
        top_list(answer({"content": [{"id": 11, "token": "x", "logprob": -1.0, "top_logprobs": tops}]}), NAMES)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (answer(None), "gives no `logprobs`"),
        ({"choices": []}, "gives no `choices`"),
        (["a", "list"], "gives no `choices`"),
        (answer({"tokens": [], "token_logprobs": [], "top_logprobs": []}), "before the first token"),
        (texts(top={" thing": False}), "gives False as a log-probability"),
        (texts(top={" thing": "-1.0"}), "gives .-1.0. as a log-probability"),
        (texts(top={" thing": math.inf}), "gives inf as a log-probability"),
        (texts(top={" thing": None}), "gives None as a log-probability"),
        (texts(top={" thing": math.nan}), "gives nan as a log-probability"),
        (texts(top={" thing": 0.5}), "gives 0.5 as a log-probability"),
    ],
    ids=str,
)
def test_an_answer_without_a_list(value, words):
    with pytest.raises(AnswerError, match=words):
        top_list(value, NAMES)


def test_log_probabilities_of_a_prompt_as_vllm_gives_them():
    cells = [None, {"4": {"logprob": -8.7, "rank": 90}, "9": {"logprob": -1.1, "rank": 1}}, {"5": {"logprob": -2.0}}]
    values = prompt_logprobs(answer(None, prompt_logprobs=cells), [3, 4, 5], NAMES)
    assert values.tolist() == pytest.approx([math.nan, -8.7, -2.0], nan_ok=True)


@pytest.mark.parametrize("written", [[], [-1.0]], ids=["prompt", "prompt and answer"])
def test_log_probabilities_of_a_prompt_as_an_echo(written):
    logprobs = {"tokens": ["a", " rob"], "token_logprobs": [None, -8.7, *written]}
    assert prompt_logprobs(answer(logprobs), [3, 4], NAMES).tolist() == pytest.approx([math.nan, -8.7], nan_ok=True)


@pytest.mark.parametrize(
    ("logprobs", "words"),
    [
        (None, "gives no log-probabilities of the prompt"),
        ({"tokens": [" thing"], "token_logprobs": [-1.0]}, "gives no log-probabilities of the prompt"),  # no echo
        ({"tokens": ["a"] * 4, "token_logprobs": [None, -1, -1, -1]}, "of 4 tokens of a prompt that has 2"),
        ({"tokens": ["a", " place"], "token_logprobs": [None, -1]}, "echoes the token ' place' where"),
        ({"tokens": ["a", " rob"], "token_logprobs": [None, None]}, "gives None as a log-probability"),
    ],
    ids=str,
)
def test_an_echo_that_is_none(logprobs, words):
    with pytest.raises(AnswerError, match=words):
        prompt_logprobs(answer(logprobs), [3, 4], NAMES)


def test_positions_without_the_token_of_the_prompt():
    with pytest.raises(AnswerError, match="gives no log-probability of a token"):
        prompt_logprobs(answer(None, prompt_logprobs=[None, {"9": {"logprob": -1.0}}]), [3, 4], NAMES)


@pytest.mark.parametrize("value", [{}, {"usage": None}, [], {"usage": {"prompt_tokens": None}}], ids=str)
def test_a_server_need_not_count_the_tokens(value):
    assert prompt_tokens(value) is None


@pytest.mark.parametrize("tokenizer", [byte_level(), sentence_piece()], ids=["byte level", "sentence piece"])
def test_a_text_names_a_token_only_if_no_other_token_has_it(tokenizer):
    names = TokenNames.of(tokenizer)
    space = tokenizer.encode("a bird", add_special_tokens=False)[1]
    text = tokenizer.decode([*tokenizer.encode("a", add_special_tokens=False), space])[1:]
    assert text.startswith(" ")  # the leading space is part of the name
    assert names.id_of(text) == space
    assert names.id_of("") is None
    assert [names.id_of(text) for text in tokenizer.all_special_tokens] == tokenizer.all_special_ids
    assert names.id_of("\N{REPLACEMENT CHARACTER}") is None


def listed(*values, chosen="token_id:99"):
    """An answer whose list has tokens 10, 11, … with these log-probabilities, in this order."""
    tops = {f"token_id:{number}": value for number, value in enumerate(values, 10)}
    return top_list(answer({"tokens": [chosen], "top_logprobs": [tops]}), NAMES)


def test_tokens_out_of_order_by_more_than_rounding_are_no_list():
    assert listed(-1.0, -0.9995, -2.0).ids.tolist() == [11, 10, 12]
    with pytest.raises(AnswerError, match="not in their order"):
        listed(-1.0, -0.998)
    assert listed(-2.0, -1.0, chosen="token_id:11").ids.tolist() == [11, 10]  # the written token stands anywhere
    assert listed(-1.0, -2.0).count == 2
    assert listed(-1.0, -1.0).ids.tolist() == [10, 11]


@pytest.mark.parametrize(("value", "read"), [(0.001, 0.0), (0.0005, 0.0), (0, 0.0), (-1e4, -1e4), (-2e4, -1e4)])
def test_numbers_that_rounding_or_a_sign_for_zero_has_made_are_brought_into_bounds(value, read):
    assert listed(value).logprobs.tolist() == [pytest.approx(read)]


def test_a_number_above_zero_by_more_than_rounding_is_none():
    with pytest.raises(AnswerError, match=r"gives 0\.0011 as a log-probability"):
        listed(0.0011)


def test_an_id_that_is_a_truth_value_is_none_and_the_text_counts():
    tops = [{"id": True, "token": " thing", "logprob": -1.0}, {"id": "5", "token": " place", "logprob": -2.0}]
    found = top_list(answer({"content": [{"token": "a", "top_logprobs": tops}]}), NAMES)
    assert (found.ids.tolist(), found.choice, found.count) == ([5, 6], 3, 2)
    assert top_list(answer({"tokens": [], "top_logprobs": [{" thing": -1.0}]}), NAMES).choice is None


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([None, {"4": {"logprob": -1.0}}], "of 2 tokens of a prompt that has 3"),
        ([None] + [{"4": {"logprob": -1.0}}] * 3, "of 4 tokens of a prompt that has 3"),
        ([None, {"4": {"logprob": -1.0}}, None], "gives no log-probability of a token"),
        ([None, {"4": {"logprob": -1.0}}, {"4": {"logprob": -1.0}}], "gives no log-probability of a token"),
        ([None, {"4": {"logprob": 0}}, {"5": {"logprob": 0.0}}], "gives 0 as the log-probability of every token"),
    ],
)
def test_positions_of_a_prompt_that_are_wrong(cells, words):
    with pytest.raises(AnswerError, match=words):
        prompt_logprobs(answer(None, prompt_logprobs=cells), [3, 4, 5], NAMES)


def test_log_probabilities_of_a_prompt_may_stand_beside_the_choices_and_one_may_be_zero():
    cells = [None, {"4": {"logprob": 0.0}}]
    assert prompt_logprobs({**answer(None), "prompt_logprobs": cells}, [3, 4], NAMES).tolist()[1:] == [0.0]
    several = [None, {"4": {"logprob": 0.0}}, {"5": {"logprob": -1.0}}]
    assert prompt_logprobs(answer(None, prompt_logprobs=several), [3, 4, 5], NAMES).tolist()[1:] == [0.0, -1.0]


def test_the_names_of_a_model_and_of_a_prompt():
    assert [model_name(value) for value in ({"model": "m"}, {"model": ""}, {"model": 7}, {}, [])] == ["m", *[None] * 4]
    assert echoed_prompt(answer(None, prompt_token_ids=[1, 2])) == [1, 2]
    assert echoed_prompt(answer(None, prompt_token_ids="1")) is None
    assert prompt_tokens({"usage": {"prompt_tokens": 7}}) == 7


def test_names_by_hand():
    """Of two tokens with one text nothing is known by it, and a special token may be left out."""
    names = TokenNames({"x": (1, 2), "y": (2,), "z": (3,), "": (4, 5)})
    assert names.shared == 4
    assert (names.id_of("y"), names.id_of("x"), names.id_of("none"), names.id_of("token_id:x")) == (2, None, None, None)


def test_the_list_is_that_of_the_first_token_that_was_written():
    first = {"id": 11, "token": "x", "logprob": -1.0, "top_logprobs": [{"id": 11, "token": "x", "logprob": -1.0}]}
    later = {"id": 12, "token": "y", "logprob": -2.0, "top_logprobs": [{"id": 12, "token": "y", "logprob": -2.0}]}
    assert top_list(answer({"content": [first, later]}), NAMES).ids.tolist() == [11]
    tops = {"tokens": ["token_id:7", "token_id:8"], "top_logprobs": [{"token_id:7": -1.0}, {"token_id:8": -2.0}]}
    found = top_list(answer(tops), NAMES)
    assert (found.ids.tolist(), found.choice) == ([7], 7)
