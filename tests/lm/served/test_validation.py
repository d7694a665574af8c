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


class Echoing:
    """A model that is asked for the log-probabilities of prompts: each token has `values` of its id."""

    def __init__(self, listed, values, takes=lambda ids: True):
        tokenizer, numbers = byte_level(), {}
        self.encoder = SimpleNamespace(
            tokenizer=tokenizer,
            context="",
            max_length=512,
            slots=lambda texts: [SimpleNamespace(ids=(numbers.setdefault(text, len(numbers)), 1)) for text, _ in texts],
        )
        self.witness = [{"token_ids": list(listed), "logprobs": list(listed.values())}] * len(validation.TEXTS)
        self.client = SimpleNamespace(in_parallel=lambda ask, items: list(map(ask, items)))
        self.values, self.asked, self.can_send = values, [], takes

    def ask_prompt(self, prompt):
        self.asked.append(prompt)
        return np.array([np.nan, *(self.values(token) for token in prompt[1:])], np.float32)

    def __str__(self):
        return "toy"


LISTED = {5: -1.0, 6: -1.5, 7: -2.0, 8: -3.0, 9: -3.5, 10: -4.0}


def test_a_choice_is_the_five_likeliest_tokens_that_can_be_sent_and_is_kept_as_a_control(monkeypatch):
    monkeypatch.setattr(validation, "_check_order", lambda model: None)
    model = Echoing(LISTED, lambda token: LISTED.get(token, -1.0), takes=lambda ids: ids[-1] != 6)
    validation.check_prompt_logprobs(model)
    assert list(model.echoed) == [(text, 1, token) for text in range(5) for token in (5, 7, 8, 9, 10)]
    assert [token for *_, token in model.asked[:5]] == [5, 7, 8, 9, 10]
    assert len(model.asked) == 5 * len(validation.TEXTS)
    controls = validation.prompt_controls(model)
    assert [control.question for control in controls] == [(prompt,) for prompt in model.echoed]
    controls[0].check(np.array([np.nan, -1.0, -1.1], np.float32))
    with pytest.raises(ModelError, match="have other log-probabilities now than at the start"):
        controls[0].check(np.array([np.nan, -1.0, -1.3], np.float32))


@pytest.mark.parametrize(
    ("shift", "words"),
    [
        ({}, None),
        ({5: 1.2}, None),  # 0.24 on average of five tokens
        (
            {5: -1.3},
            r"they differ from its own lists by 0\.26 on average; .* has -1\.00 in the list and -2\.30 as a token",
        ),
        ({8: 3.0}, r"the probabilities of a choice of 5 tokens .* sum to 1\.76"),
    ],
)
def test_a_forced_choice_is_that_of_the_lists_and_no_more_than_certain(monkeypatch, shift, words):
    monkeypatch.setattr(validation, "_check_order", lambda model: None)
    low = {token: value - 1.3 for token, value in LISTED.items()} if 5 in shift and shift[5] > 0 else LISTED
    model = Echoing(low, lambda token: low.get(token, -1.0) + shift.get(token, 0.0))
    if words is None:
        validation.check_prompt_logprobs(model)
    else:
        with pytest.raises(ModelError, match=words):
            validation.check_prompt_logprobs(model)


def test_long_texts_begin_alike_for_longer_than_a_server_needs_to_keep_a_beginning():
    first, second = (byte_level().encode(text) for text in validation.LONG)
    shared = next(i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    assert shared > 5 * 16
    assert first[shared:] != second[shared:]


def test_long_prompts_are_asked_in_both_orders(monkeypatch):
    model = Echoing(LISTED, lambda token: -1.0)
    validation._check_order(model)
    first, second = model.asked[:2]
    assert first != second
    assert model.asked == [first, second, second, first, first, second]
    for change, right in ((0.09, True), (0.11, False)):
        later = Echoing(LISTED, None)
        later.values = lambda token, asked=later.asked, by=change: -1.0 - by * (len(asked) > 5)
        if right:
            validation._check_order(later)
        else:
            with pytest.raises(ModelError, match=r"those of a long prompt differ by 0\.11 on average"):
                validation._check_order(later)


@pytest.mark.parametrize(("path", "tokens", "right"), [
    ("/tokenize", None, True), ("/tokenize", "bos", True), ("/extras/tokenize", None, True), ("/tokenize", "cut", False),
    (None, None, True),
])  # fmt: skip
def test_the_tokens_that_a_server_shows_are_those_of_the_tokenizer(path, tokens, right, caplog):
    caplog.set_level("INFO", logger="relprobe")
    model = Echoing(LISTED, None)
    model.encoder.before, model.name = (7,), "toy"
    expected = model.encoder.tokenizer.encode(validation.TEXTS[0], add_special_tokens=False)
    shown = {"bos": [7, *expected], "cut": expected[:-1], None: expected}[tokens]
    bodies = []
    model.client.get_from_root = lambda asked, body: bodies.append(body) or ({"tokens": shown} if asked == path else {})
    if right:
        validation.check_tokens(model)
    else:
        with pytest.raises(ModelError, match="but the named tokenizer makes"):
            validation.check_tokens(model)
    text = validation.TEXTS[0]
    assert bodies[0] == {"model": "toy", "prompt": text, "content": text, "input": text, "add_special_tokens": False}
    assert ("shows no tokens of a text" in caplog.text) is (path is None)


def test_texts_that_are_too_long_with_the_context_are_left_out():
    model = Echoing(LISTED, None)
    model.encoder.context = "a robin "
    lengths = [len(model.encoder.tokenizer.encode(f"a robin {text}")) for text in validation.TEXTS]
    for longest in (max(lengths), max(lengths) + 1):
        model.encoder.max_length = longest
        assert len(validation.prompts_of(model, validation.TEXTS)) == sum(length < longest for length in lengths)


def test_the_controls_of_lists_are_as_long_as_those_that_are_asked_for(monkeypatch):
    model = Echoing(LISTED, None)
    for k, size in ((5, 20), (20, 20), (21, 21)):
        controls = validation.list_controls(model, k)
        assert [control.question[1] for control in controls] == [size] * len(validation.TEXTS)
        near = TopList(np.array(list(LISTED), np.int32), np.array(list(LISTED.values()), np.float32), 6, 5)
        controls[-1].check(near)
        with pytest.raises(ModelError, match="other log-probabilities now than at the start"):
            controls[-1].check(TopList(near.ids, near.logprobs - 0.2, 6, 5))


def test_the_log_says_how_far_a_server_and_the_local_engine_agree(caplog):
    caplog.set_level("INFO", logger="relprobe")
    served = [{"token_ids": [5, 6], "logprobs": [-1.0, -2.0]}, {"token_ids": [6, 5], "logprobs": [-1.0, -2.0]}]
    local = [{"token_ids": [5, 6], "logprobs": [-1.0, -2.0]}, {"token_ids": [5, 6], "logprobs": [-2.0, -1.0]}]
    one = Echoing(LISTED, None)
    one.witness = served
    validation.check_against(one, local)
    assert "toy differs from the local engine by 0.000 on average; 1 of 2 first tokens are the same" in caplog.text


def test_lists_are_asked_again_from_the_last_to_the_first_and_then_in_order():
    """A prompt comes after another one that begins alike, and before it: one order alone may show a cache that lies."""
    orders = []

    def in_parallel(ask, order):
        orders.append(list(order))
        return [ask(number) for number in order]

    model = SimpleNamespace(client=SimpleNamespace(in_parallel=in_parallel), ask_top=lambda prompt, _: listed(0.5, 0.3))
    validation._check_repetition(model, [(1,), (2,), (3,)], [listed(0.5, 0.3)] * 3)
    assert orders == [[2, 1, 0, 0, 1, 2]]
