"""Memory: batches and heads shrink when it runs out, and nothing is read ahead of what is being computed."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant

from tests.lm.architectures import model

WORDS = ["bird", "car", "wheel", "animal", "vehicle", "ice", "cream", "robin", "sparrow", "engine"]
TEXTS = [f"the {a} is a kind of {b}" for a, b in itertools.permutations(WORDS, 2)]
SENTENCES = [Sentence(text, text) for text in TEXTS]


def starved(scorer, tokens, rows):
    """The model on a device that has room for so many tokens in the body and rows in the head."""
    body, head = scorer._body, scorer._head

    def small_body(**inputs):
        if inputs["input_ids"].numel() > tokens:
            raise torch.OutOfMemoryError("no room")
        return body(**inputs)

    def small_head(inputs_embeds):
        if inputs_embeds.shape[1] > rows:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes")
        return head(inputs_embeds=inputs_embeds)

    scorer._body, scorer._head = small_body, small_head
    return scorer


@pytest.mark.parametrize("name", ["bert", "llama"])
def test_out_of_memory_halves_what_is_computed_at_once(name, caplog):
    roomy = list(pseudo_logprob(replace(model(name)), SENTENCES))
    scorer = starved(replace(model(name), budget=2048), tokens=70, rows=9)
    tight = list(pseudo_logprob(scorer, SENTENCES))
    for one, other in zip(roomy, tight, strict=True):
        np.testing.assert_allclose(one.logprobs, other.logprobs, rtol=0, atol=1e-4)
    assert scorer.budget <= 70
    assert scorer.head_rows <= 9
    assert "out of memory: going on with batches of" in caplog.text
    assert "out of memory: going on with the logits of" in caplog.text


def test_the_logits_of_a_block_are_bounded_whatever_the_vocabulary(monkeypatch):
    monkeypatch.setattr("relprobe.lm.network.model.LOGITS", 3 * model("llama").net.config.vocab_size)
    scorer = replace(model("llama"), head_rows=0)
    head, seen = scorer._head, []

    def watched(inputs_embeds):
        seen.append(inputs_embeds.shape[1])
        return head(inputs_embeds=inputs_embeds)

    scorer._head = watched
    probes = [SlotProbe(str(n), (Variant(f"a robin {'is ' * n}a [V]"),)) for n in range(7)]
    assert len(list(slot_top_k(scorer, probes, 5))) == 7
    assert seen == [3, 3, 1]


@pytest.mark.parametrize(("tokens", "rows", "said"), [(3, 99, "not even one input"), (999, 0, "logits of 1 position")])
def test_what_does_not_fit_at_all_is_an_error(tokens, rows, said):
    with pytest.raises(ModelError, match=said):
        list(
            slot_top_k(starved(replace(model("bert")), tokens, rows), [SlotProbe("x", (Variant("a car is a [V]"),))], 5)
        )


def test_other_errors_of_the_network_pass_through():
    scorer = replace(model("bert"))

    def broken(**_):
        raise RuntimeError("a defect")

    scorer._body = broken
    with pytest.raises(RuntimeError, match="a defect"):
        list(pseudo_logprob(scorer, SENTENCES))


@pytest.mark.parametrize(
    "primitive",
    [
        lambda scorer, texts: slot_top_k(scorer, (SlotProbe(t, (Variant(f"{t} [V]"),)) for t in texts), 5),
        lambda scorer, texts: continuation_logprob(scorer, (Continuation(t, f"{t} [V]", ("bird",)) for t in texts)),
        lambda scorer, texts: pseudo_logprob(scorer, (Sentence(t, t) for t in texts)),
        lambda scorer, texts: embeddings(scorer, (SpanText(t, t, ((4, 7),)) for t in texts), -1),
    ],
)
def test_an_endless_stream_is_answered_as_it_comes(primitive, monkeypatch):
    monkeypatch.setattr("relprobe.lm.network.model.CHUNK", 40)
    read = []
    endless = (read.append(text) or text for text in itertools.cycle(TEXTS))
    answers = primitive(replace(model("gpt2")), endless)
    assert not read
    assert [next(answers).id for _ in range(60)] == TEXTS[:60]
    assert len(read) <= 60 + 2 * 40
