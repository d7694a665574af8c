"""Whatever JSON a server answers is a reply with counts that can be counted, or no chat completion."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from relprobe.lm.chat_models.replies import (
    ANSWER,
    EMPTY,
    FILTER,
    LENGTH,
    MOST_TOKENS,
    REFUSAL,
    REPLIES,
    FormError,
    count_of,
    reply_of,
)

ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("prompt_tokens", "completion_tokens", "completion_tokens_details")


def completion(**changes):
    choice = {"message": {"content": "bird"}, "finish_reason": "stop"}
    return {"model": "gpt", "choices": [choice], "usage": {"prompt_tokens": 20, "completion_tokens": 1}} | changes


@given(
    usage=ANY | st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, ANY)),
    model=ANY,
    content=ANY,
    fingerprint=ANY,
    reason=ANY,
)
def test_any_answer_becomes_a_row_of_the_replies(usage, model, content, fingerprint, reason):
    choice = {"message": {"content": content, "reasoning_content": content}, "finish_reason": reason}
    reply = reply_of(completion(choices=[choice], usage=usage, model=model, system_fingerprint=fingerprint))
    row = {"question_id": "p", "sample": 1, **vars(reply)}
    assert pl.DataFrame([row], schema=REPLIES, orient="row").height == 1
    for count in (reply.prompt_tokens, reply.reply_tokens, reply.thought_tokens):
        assert count is None or 0 <= count <= MOST_TOKENS


@given(answer=ANY)
def test_json_of_any_other_form_is_no_completion(answer):
    with pytest.raises(FormError, match="is no chat completion"):
        reply_of(answer)


@pytest.mark.parametrize("wrong", ["20", [20], -1, 2**40, float("nan"), float("inf"), True, 0.5, None, {}])
@pytest.mark.parametrize("key", ["prompt_tokens", "completion_tokens"])
def test_a_count_that_cannot_be_one_is_unknown_and_so_is_the_sum(key, wrong):
    assert count_of(wrong) is None
    usage = {"prompt_tokens": 20, "completion_tokens": 1} | {key: wrong}
    assert reply_of(completion(usage=usage)).tokens is None


@pytest.mark.parametrize("key", ["prompt_tokens", "completion_tokens"])
def test_a_count_of_0_for_a_text_is_unknown(key):
    usage = {"prompt_tokens": 20, "completion_tokens": 1} | {key: 0}
    assert reply_of(completion(usage=usage)).tokens is None


def read(message, reason="stop", **usage):
    return reply_of(completion(choices=[{"message": message, "finish_reason": reason}], usage=usage))


def test_what_a_reply_is_by_hand():
    assert [
        read(message, reason).outcome
        for message, reason in (
            ({"content": "bird"}, "stop"),
            ({"content": ""}, "stop"),
            ({"content": "bir"}, "length"),
            ({"content": "bird", "refusal": "No."}, "length"),
            ({"content": "bird", "refusal": "No."}, "content_filter"),
        )
    ] == [ANSWER, EMPTY, LENGTH, REFUSAL, FILTER]


def test_thoughts_are_taken_from_where_a_server_puts_them_and_their_tokens_are_counted_or_estimated():
    """Three tokens of four are those of a thought of nine characters beside a text of three."""
    for key in ("reasoning_content", "reasoning"):
        reply = read({"content": "owl", key: " 123456789"[1:]}, completion_tokens=4)
        assert (reply.text, reply.thought, reply.thought_tokens) == ("owl", "123456789", 3)
    both = read({"content": "<think>So</think>owl", "reasoning": " it is"}, completion_tokens=4)
    assert (both.text, both.thought) == ("owl", "So it is")
    counted = {"completion_tokens": 4, "completion_tokens_details": {"reasoning_tokens": 1}}
    assert read({"content": "owl", "reasoning": "123456789"}, **counted).thought_tokens == 1
    alone = read({"content": "owl"}, completion_tokens=4)
    assert (alone.thought, alone.thought_tokens) == (None, 0)
    assert read({"content": "owl", "reasoning": "123456789"}).thought_tokens == 0


def test_a_count_of_0_is_that_of_no_text():
    assert read({"content": ""}, completion_tokens=0).reply_tokens == 0
    assert read({"content": ""}, completion_tokens=-1).reply_tokens is None
    assert read({"content": "", "reasoning": "So"}, completion_tokens=0).reply_tokens is None
    assert read({"content": "owl"}, completion_tokens=1, prompt_tokens=0).prompt_tokens is None
