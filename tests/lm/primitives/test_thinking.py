"""A model that thinks before it answers: its thought is written up to a bound and kept, and its answer is read after it."""

from dataclasses import replace

import polars as pl
import pytest
import torch
import transformers as hf
from relprobe.core.errors import ProbeError
from relprobe.lm.chat_models.here import table
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.primitives.writing import Task, write
from relprobe.lm.score_files.answers import with_columns
from relprobe.lm.words.chat import Frame
from relprobe.lm.words.encode import Encoder
from tokenizers import AddedToken

from tests.lm.tokenizers_for_tests import byte_level
from tests.patched import made_once

THOUGHT = {"robin": "it has feathers", "trout": "it has fins"}
SAID = {"robin": "a bird", "trout": "a fish"}
OPEN, CLOSED = "<think>", "</think>"
LENGTH = 160


def frame(opened):
    return Frame("<user>", f"?<assistant>{OPEN if opened else ''}")


@made_once
def thinker(marks):
    """A small network that was taught to think two thoughts. `marks`: how its tokenizer knows the marks of a thought."""
    tokenizer = byte_level().__class__(
        tokenizer_object=byte_level().backend_tokenizer.__class__.from_str(byte_level().backend_tokenizer.to_str()),
        **{"eos_token": "<|endoftext|>", "bos_token": "<|endoftext|>", "pad_token": "[PAD]"},
    )
    if marks != "text":
        tokenizer.add_tokens([AddedToken(mark, special=marks == "special") for mark in (OPEN, CLOSED)])
    texts = [
        f"<user>{word}?<assistant>{OPEN}{THOUGHT[word]}{CLOSED}{SAID[word]}{tokenizer.eos_token}" for word in THOUGHT
    ]
    torch.manual_seed(1)
    config = hf.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=LENGTH,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    net = hf.LlamaForCausalLM(config)
    learn = torch.optim.AdamW(net.parameters(), 3e-3)
    ids = [torch.tensor([tokenizer(text, add_special_tokens=False).input_ids]) for text in texts]
    for _ in range(60):
        for one in ids:
            learn.zero_grad()
            net(input_ids=one, labels=one).loss.backward()
            learn.step()
    encoder = Encoder.of(tokenizer, masked=False, max_length=LENGTH, frame=frame(opened=True))
    return fastest_model(net.eval(), encoder, budget=1024)


def written(marks, thoughts, *, opened=True, samples=None, tokens=16):
    lm = thinker(marks)
    encoder = Encoder.of(lm.encoder.tokenizer, masked=False, max_length=LENGTH, frame=frame(opened))
    answers = list(write(lm, encoder, [Task(word, word) for word in SAID], tokens, samples, thoughts))
    return {answer.id: answer for answer in answers}


@pytest.mark.parametrize("opened", [True, False], ids=["the template opens the thought", "the model opens it"])
@pytest.mark.parametrize("marks", ["text", "added", "special"])
def test_the_answer_is_read_behind_the_thought_and_the_thought_is_kept(marks, opened):
    answers = written(marks, 60, opened=opened)
    rows = table(list(answers.values()))
    for word, text, thought, tokens in zip(
        *(rows[name].to_pylist() for name in ("question_id", "text", "thought", "thought_tokens")), strict=True
    ):
        assert (text, thought) == (SAID[word], THOUGHT[word])
        assert 0 < tokens < 60
    assert rows["outcome"].to_pylist() == ["answer", "answer"]


@pytest.mark.parametrize("marks", ["text", "special"])
def test_a_thought_without_end_is_closed_at_the_bound_and_the_answer_comes_behind_it(marks):
    bound = 3
    for word, answer in written(marks, bound).items():
        assert answer.lengths == (bound,)
        (thought,) = answer.thoughts
        assert thought.endswith(f"\n{CLOSED}\n\n")
        assert THOUGHT[word].startswith(thought.removesuffix(f"\n{CLOSED}\n\n"))
        tokenizer = thinker(marks).encoder.tokenizer
        ids = tokenizer(
            f"<user>{word}?<assistant>{OPEN}{thought}", add_special_tokens=False, return_tensors="pt"
        ).input_ids
        alone = thinker(marks).net.generate(ids, max_new_tokens=16, do_sample=False)[0, ids.shape[1] :]
        assert answer.texts == (tokenizer.decode(alone, skip_special_tokens=True),)


def test_samples_have_thoughts_of_their_own_and_are_the_same_after_a_restart():
    one, other = (written("added", 12, samples=4, tokens=6)["robin"] for _ in range(2))
    assert one == other
    assert len(one.thoughts) == len(one.texts) == 4


def test_without_a_thought_nothing_of_an_answer_is_lost():
    """A model that answers at once: what it has written up to the bound is the beginning of its answer."""
    lm = thinker("added")
    answered = Encoder.of(lm.encoder.tokenizer, masked=False, max_length=LENGTH, frame=Frame("<user>", "?<assistant>a"))
    plain = next(write(lm, answered, [Task("x", "robin")], 9))
    for bound in (1, 5, 40):
        answer = next(write(lm, answered, [Task("x", "robin")], 9, None, bound))
        assert answer.texts == plain.texts
        assert answer.complete == plain.complete
        assert set(answer.thoughts) <= {""}
    assert table([replace(plain, thoughts=("",), lengths=(0,))])["thought"].to_pylist() == [None]


def test_a_question_that_leaves_no_room_for_the_thought_is_named():
    with pytest.raises(
        ProbeError, match=r"'robin' with a thought and an answer takes up to .* takes 160: lower `thoughts`"
    ):
        written("text", LENGTH)


def test_a_reply_of_an_earlier_version_has_no_thought():
    schema = pl.DataFrame(schema=REPLIES).to_arrow(compat_level=pl.CompatLevel.oldest()).schema
    old = pl.DataFrame({name: [] for name in REPLIES if name != "thought"}, schema_overrides=REPLIES).to_arrow()
    assert with_columns(old, schema).schema.names == schema.names
