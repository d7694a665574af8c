"""Memory: batches get smaller when it runs out, and a stream of requests is read no further than needed."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.lm.network.devices import is_out_of_memory
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant

from tests.lm.architectures import model

WORDS = ["bird", "car", "wheel", "animal", "vehicle", "ice", "cream", "robin", "sparrow", "engine"]
TEXTS = [f"the {a} is a kind of {b}" for a, b in itertools.permutations(WORDS, 2)]
SENTENCES = [Sentence(text, text) for text in TEXTS]


def with_little_memory(scorer, tokens, rows):
    """Return the model on a device with room for so many tokens in the body and so many rows in the head."""
    body, head = scorer._body, scorer.head

    def small_body(**inputs):
        if inputs["input_ids"].numel() > tokens:
            raise torch.OutOfMemoryError("no room")
        return body(**inputs)

    def small_head(states):
        if len(states) > rows:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes")
        return head(states)

    scorer._body, scorer.head = small_body, small_head
    return scorer


@pytest.mark.parametrize("name", ["bert", "llama"])
def test_out_of_memory_halves_the_batches(name, caplog):
    roomy = list(pseudo_logprob(replace(model(name)), SENTENCES))
    scorer = with_little_memory(replace(model(name), budget=2048), tokens=70, rows=9)
    tight = list(pseudo_logprob(scorer, SENTENCES))
    for one, other in zip(roomy, tight, strict=True):
        np.testing.assert_allclose(one.logprobs, other.logprobs, rtol=0, atol=1e-4)
    assert scorer.budget <= 70
    assert scorer.head_rows <= 9
    assert "out of memory: continuing with batches of" in caplog.text
    assert "out of memory: continuing with the logits of" in caplog.text


def test_few_rows_go_through_the_head_of_a_large_vocabulary(monkeypatch):
    large = model("llama")
    monkeypatch.setattr("relprobe.lm.network.model.LOGITS", 3 * large.net.config.vocab_size)
    scorer = replace(large, head_rows=0)
    head, sizes = scorer.head, []

    def recording_head(states):
        sizes.append(len(states))
        return head(states)

    scorer.head = recording_head
    probes = [SlotProbe(str(n), (Variant(f"a robin {'is ' * n}a [V]"),)) for n in range(7)]
    assert len(list(slot_top_k(scorer, probes, 5))) == 7
    assert sizes == [3, 3, 1]


@pytest.mark.parametrize(
    ("tokens", "rows", "message"), [(3, 99, "not even one input"), (999, 0, "logits of 1 position")]
)
def test_an_input_that_does_not_fit_alone_is_an_error(tokens, rows, message):
    with pytest.raises(ModelError, match=message):
        list(
            slot_top_k(
                with_little_memory(replace(model("bert")), tokens, rows),
                [SlotProbe("x", (Variant("a car is a [V]"),))],
                5,
            )
        )


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (torch.OutOfMemoryError("no room"), True),
        (MemoryError(), True),
        (RuntimeError("CUDA error: out of memory"), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), True),
        (RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"), True),
        (
            RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes"),
            True,
        ),
        (RuntimeError("mat1 and mat2 shapes cannot be multiplied"), False),
    ],
)
def test_the_errors_that_say_that_memory_has_run_out(error, expected):
    assert is_out_of_memory(error) is expected


def test_other_errors_of_the_network_are_raised():
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
def test_an_endless_stream_gets_its_responses_as_it_comes(primitive, monkeypatch):
    scorer, texts = replace(model("gpt2")), []
    monkeypatch.setattr("relprobe.lm.network.model.CHUNK", 40)
    endless = (texts.append(text) or text for text in itertools.cycle(TEXTS))
    answers = primitive(scorer, endless)
    assert [next(answers).id for _ in range(60)] == TEXTS[:60]
    # A chunk of 40 is in use, the next is encoded, and the tokenizer gets 40 texts together.
    assert len(texts) <= 60 + 3 * 40
