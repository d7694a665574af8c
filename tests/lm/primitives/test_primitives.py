"""Every primitive agrees with the plain reference on every architecture, on the fast path, in batches of any size."""

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from relprobe.core.errors import ModelError
from relprobe.lm.loading.load import fastest_model
from relprobe.lm.primitives import ranking
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings, embeddings_of_layers
from relprobe.lm.primitives.ranking import _top_on_device, best_of_rows
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.words.encode import Encoder
from transformers import LlamaConfig, LlamaForCausalLM

from tests.lm import naive
from tests.lm.architectures import ARCHITECTURES, CAUSAL, GQA, MASKED, model

FEW, OTHER = (37, 8192), (1, 256)
"""Tokens of a batch: inputs in several batches, and all in one; and one by one, which takes most of the time."""
ENDING = [
    "a robin is a kind of [V]",
    "a robin is a kind of an [V]",
    "the word hippopotamus has a more specific meaning than the word [V]",
    "the word car has a more specific meaning than the word [V]",
    "my favorite vehicle, as they say, is a bicycle or an [V]",
    "car [V]",
]
MIDDLE = ["a [V] is a kind of bird.", 'the word "[V]" is not likely to be hot.', "it is both [V] and cold"]
CANDIDATES = ("bird", "animal", "ice cream", "hippopotamus", "aeroplane", "steering wheel")
SENTENCES = [
    "a robin is a kind of bird.",
    "a robin is a kind of animal, isn't it?",
    "car",
    "the word hippopotamus has a more specific meaning than the word animal.",
    "the word hippopotamus has a more specific meaning than the word (car).",
]
CLOSE = {"rtol": 0, "atol": 1e-4}


@pytest.fixture(params=[FEW, pytest.param(OTHER, marks=pytest.mark.slow("it asks one by one"))], ids=str)
def budgets(request):
    return request.param


def variants_of(name, budgets):
    """Return the model with every budget, so that the same inputs come in other batches."""
    scorer = model(name)
    return [replace(scorer, budget=budget, head_rows=max(1, budget // 20)) for budget in budgets]


def shuffled(requests, budget):
    return random.Random(budget).sample(requests, len(requests))


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_every_architecture_takes_its_fast_path(name):
    assert model(name).path == ("grouped" if name in MASKED else "packed")


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_slot_top_k(name, budgets):
    texts = ENDING + (MIDDLE if name in MASKED else [])
    probes = [SlotProbe(text, (Variant(text),)) for text in texts]
    probes.append(SlotProbe("mixed", (Variant(ENDING[0], 0.7), Variant(ENDING[1], 0.3))))
    net, tokenizer = model(name).net, model(name).encoder.tokenizer
    expected = {text: naive.slot(net, tokenizer, text) for text in texts}
    expected["mixed"] = (0.7 * expected[ENDING[0]].exp() + 0.3 * expected[ENDING[1]].exp()).log()
    for scorer in variants_of(name, budgets):
        sample = shuffled(probes, scorer.budget)
        answers = list(slot_top_k(scorer, sample, k=20))
        assert [answer.id for answer in answers] == [probe.id for probe in sample]
        for answer in answers:
            np.testing.assert_allclose(answer.logprobs, expected[answer.id].topk(20).values, **CLOSE)
            np.testing.assert_allclose(answer.logprobs, expected[answer.id][answer.token_ids.tolist()], **CLOSE)


TIES = np.array([[-1, -3, -1, -np.inf, -2, -np.inf, -2], [0, -0.0, 1, -1, 0, 0.5, 0]], np.float32)


@pytest.mark.parametrize("rank", [best_of_rows, lambda scores, k: _top_on_device(scores[0], k)], ids=["CPU", "GPU"])
def test_equally_likely_tokens_come_in_the_order_of_the_vocabulary(rank):
    best = [[0, 2, 4, 6, 1, 3, 5], [2, 5, 0, 1, 4, 6, 3]]
    for k in range(1, 8):
        values, columns = rank([torch.from_numpy(TIES.copy())], k)
        assert columns.tolist() == [row[:k] for row in best]
        assert values.tolist() == [TIES[i, row[:k]].tolist() for i, row in enumerate(best)]


@given(
    st.lists(st.lists(st.floats(-30, 0, width=32), min_size=9, max_size=9), min_size=1, max_size=3), st.integers(1, 9)
)
def test_a_gpu_ranks_as_a_cpu_does(rows, k):
    scores = torch.tensor(rows, dtype=torch.float32)
    for one, other in zip(best_of_rows([scores], k), _top_on_device(scores, k), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("width", [997, 5000])
@pytest.mark.parametrize("steps", [3, 500, 10**6])
def test_ranks_are_those_of_a_stable_sort_of_the_whole_row(width, steps):
    """Bounds come from groups of columns: no column may be lost, whether values are equal, missing or all in one group."""
    generator = np.random.default_rng(width + steps)
    rows = -generator.integers(0, steps, (6, width)).astype(np.float32) / 8
    rows[1] = np.sort(rows[1])  # the largest values stand together, and are the last columns
    rows[2, 7:] = -np.inf  # fewer values than are wanted
    rows[3] = 0
    rows[4, ::2] = np.abs(rows[4, ::2])
    for k in (1, 2, 40, width - 1, width):
        values, columns = best_of_rows([torch.from_numpy(rows[:2].copy()), torch.from_numpy(rows[2:].copy())], k)
        expected = np.argsort(-rows, axis=1, kind="stable")[:, :k]
        assert np.array_equal(columns.numpy(), expected)
        assert values.numpy().tobytes() == np.take_along_axis(rows, expected, 1).tobytes()


def test_most_columns_are_left_out_before_the_sort(monkeypatch):
    """A row of log-probabilities sorts little more than the columns that are wanted."""
    sorted_columns = []
    ordered = ranking._ordered
    monkeypatch.setattr(ranking, "_ordered", lambda row, cols: sorted_columns.append(len(cols)) or ordered(row, cols))
    torch.manual_seed(0)
    best_of_rows([torch.randn(4, 50_000)], 1000)
    assert len(sorted_columns) == 4
    assert max(sorted_columns) < 1300


@pytest.mark.parametrize("more", [7, 5000])
def test_padding_of_the_vocabulary_is_no_answer(more):
    """A head may be wider than the tokenizer's vocabulary, for the sake of its matrices."""
    encoder = model("llama").encoder
    size, width = len(encoder.tokenizer), len(encoder.tokenizer) + more
    torch.manual_seed(1)
    net = LlamaForCausalLM(LlamaConfig(**{**GQA, "vocab_size": width})).eval()
    padded = fastest_model(net, encoder, budget=1024)
    wordings = (Variant(ENDING[0], 0.75), Variant(ENDING[1], 0.25))
    probe = SlotProbe("x", wordings)
    (answer,) = slot_top_k(padded, [probe], width)
    assert sorted(answer.token_ids[:size].tolist()) == list(range(size))
    assert np.isfinite(answer.logprobs[:size]).all()
    assert set(answer.logprobs[size:].tolist()) == {-np.inf}
    each = [naive.slot(net, encoder.tokenizer, wording.text).exp() * wording.weight for wording in wordings]
    expected = sum(each).log()[:size]
    np.testing.assert_allclose(answer.logprobs[:size], expected[answer.token_ids[:size].tolist()], **CLOSE)
    for k in (5, size - 1, size, size + 3):
        (shorter,) = slot_top_k(padded, [probe], k)
        assert shorter.token_ids.tolist() == answer.token_ids[:k].tolist()
        first = answer.token_ids[:2].tolist()
        (others,) = slot_top_k(padded, [probe], k, excluded=[*first, width - 1, width + 9])
        assert others.token_ids[:3].tolist() == answer.token_ids[2:5].tolist()


def test_excluded_tokens_are_not_in_the_response():
    probe = SlotProbe("x", (Variant(ENDING[0]),))
    best = next(slot_top_k(model("bert"), [probe], k=5)).token_ids
    assert not set(best[:2]) & set(next(slot_top_k(model("bert"), [probe], k=5, excluded=best[:2].tolist())).token_ids)


@pytest.mark.parametrize(
    ("name", "method", "reference"),
    [
        *itertools.product(CAUSAL, ["chain"], [naive.chain]),
        *itertools.product(CAUSAL, ["first_token"], [lambda *request: naive.chain(*request)[:1]]),
        *itertools.product(MASKED, ["all_masks"], [naive.all_masks]),
        *itertools.product(MASKED, ["within_word_l2r"], [naive.within_word]),
    ],
)
def test_continuation_logprob(name, method, reference, budgets):
    texts = ENDING + (MIDDLE if name in MASKED else [])
    requests = [Continuation(text, text, CANDIDATES) for text in texts]
    requests.append(Continuation("again", texts[0], (CANDIDATES[3], CANDIDATES[3])))
    net, tokenizer = model(name).net, model(name).encoder.tokenizer
    expected = {text: [reference(net, tokenizer, text, word) for word in CANDIDATES] for text in texts}
    expected["again"] = [expected[texts[0]][3]] * 2
    for scorer in variants_of(name, budgets):
        sample = shuffled(requests, scorer.budget)
        answers = list(continuation_logprob(scorer, sample, method))
        assert [answer.id for answer in answers] == [request.id for request in sample]
        for answer in answers:
            for logprobs, reference_logprobs in zip(answer.logprobs, expected[answer.id], strict=True):
                np.testing.assert_allclose(logprobs, reference_logprobs, **CLOSE)
            np.testing.assert_allclose(
                answer.sums(), [sum(values) for values in expected[answer.id]], rtol=0, atol=1e-3
            )
            np.testing.assert_allclose(answer.means(), [np.mean(values) for values in expected[answer.id]], **CLOSE)


@pytest.mark.parametrize(("name", "method"), [("bert", "chain"), ("llama", "all_masks")])
def test_a_method_of_the_other_kind_of_model_is_an_error(name, method):
    with pytest.raises(ModelError, match=f"{method}.*no method for"):
        continuation_logprob(model(name), [], method)


@pytest.mark.parametrize("name", CAUSAL)
def test_pseudo_logprob_of_causal_models(name, budgets):
    net, encoder = model(name).net, model(name).encoder
    expected = {}
    for text in SENTENCES:
        ids = encoder.tokenizer(text).input_ids
        rows = naive.logprobs(net, ids)
        scored = [rows[i - 1, ids[i]].item() for i in range(1, len(ids))]
        expected[text] = scored if encoder.before else [np.nan, *scored]
    for scorer in variants_of(name, budgets):
        for answer in pseudo_logprob(scorer, (Sentence(text, text) for text in shuffled(SENTENCES, scorer.budget))):
            np.testing.assert_allclose(answer.logprobs, expected[answer.id], **CLOSE)
            assert answer.token_ids.tolist() == encoder.tokenizer(answer.id, add_special_tokens=False).input_ids


@pytest.mark.parametrize("masking", ["one_mask", "within_word_l2r"])
@pytest.mark.parametrize("name", MASKED)
def test_pseudo_logprob_of_masked_models(name, masking, budgets):
    net, tokenizer = model(name).net, model(name).encoder.tokenizer
    expected = {}
    for text in SENTENCES:
        ids = tokenizer(text).input_ids
        groups = naive.word_numbers(tokenizer, text) if masking == "within_word_l2r" else None
        expected[text] = naive.one_mask_at_a_time(net, tokenizer, ids, groups, range(1, len(ids) - 1))
    for scorer in variants_of(name, budgets):
        for answer in pseudo_logprob(
            scorer, (Sentence(text, text) for text in shuffled(SENTENCES, scorer.budget)), masking
        ):
            np.testing.assert_allclose(answer.logprobs, expected[answer.id], **CLOSE)


@pytest.mark.parametrize("layer", [0, 1, -1])
@pytest.mark.parametrize("name", ARCHITECTURES)
def test_embeddings(name, layer, budgets):
    net, tokenizer = model(name).net, model(name).encoder.tokenizer
    # The last letters stand right before a full stop, a question mark or a bracket, which are no part of the span.
    phrases = {text: [text.split()[0], text.split()[-1].strip("(.?)"), text] for text in SENTENCES}
    texts = [
        SpanText(text, text, tuple((text.rindex(part), text.rindex(part) + len(part)) for part in parts))
        for text, parts in phrases.items()
    ]
    for scorer in variants_of(name, budgets):
        for answer, text in zip(embeddings(scorer, texts, layer), texts, strict=True):
            whole = tokenizer(text.text)
            states = naive.hidden_states(net, whole.input_ids, layer)
            for vector, (start, stop) in zip(answer.vectors, text.spans, strict=True):
                tokens = {whole.char_to_token(i) for i in range(start, stop)} - {None}
                np.testing.assert_allclose(vector, states[sorted(tokens)].mean(0), **CLOSE)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_embeddings_of_several_layers_come_from_one_pass(name, budgets):
    texts = [SpanText(text, text, ((0, 3), (0, len(text)))) for text in SENTENCES]
    for scorer in variants_of(name, budgets):
        before = scorer.inputs
        several = list(embeddings_of_layers(scorer, texts, [0, 2, 1]))
        passed = scorer.inputs - before
        for place, layer in enumerate((0, 2, 1)):
            before = scorer.inputs
            for answer, one in zip(several, embeddings(scorer, texts, layer), strict=True):
                np.testing.assert_allclose(answer.vectors[place], one.vectors, **CLOSE)
            assert scorer.inputs - before == passed > 0


def test_a_layer_that_the_model_lacks_is_an_error():
    with pytest.raises(ModelError, match="layers 0 to 2, but not 3"):
        list(embeddings(model("bert"), [SpanText("x", "a bird", ((0, 1),))], 3))


@pytest.mark.parametrize("name", ["bert", "llama", "smollm2"])
def test_a_context_stands_before_every_text_and_gets_no_scores(name):
    context = "a sparrow is a bird.\n"
    plain = model(name)
    with_context = replace(plain, encoder=replace(plain.encoder, context=context))
    net, tokenizer = plain.net, plain.encoder.tokenizer
    answer = next(slot_top_k(with_context, [SlotProbe("x", (Variant(ENDING[0]),))], 5))
    np.testing.assert_allclose(answer.logprobs, naive.slot(net, tokenizer, context + ENDING[0]).topk(5).values, **CLOSE)
    sentence = next(pseudo_logprob(with_context, [Sentence("x", SENTENCES[0])]))
    whole = next(pseudo_logprob(plain, [Sentence("x", context + SENTENCES[0])]))
    np.testing.assert_allclose(sentence.logprobs, whole.logprobs[-len(sentence.logprobs) :], **CLOSE)
    assert len(sentence.logprobs) == len(tokenizer(SENTENCES[0], add_special_tokens=False).input_ids)
    vector = next(embeddings(with_context, [SpanText("x", SENTENCES[0], ((2, 7),))], -1)).vectors
    shifted = SpanText("x", context + SENTENCES[0], ((2 + len(context), 7 + len(context)),))
    np.testing.assert_allclose(vector, next(embeddings(plain, [shifted], -1)).vectors, **CLOSE)


@pytest.mark.parametrize("name", ["bert", "llama"])
def test_candidates_and_sentences_are_encoded_once(name, monkeypatch):
    """A response has the tokens that its queries were made of; the encoder does not make them again."""
    scorer, texts = model(name), []

    def recording(method, place):
        def call(encoder, *args, **named):
            texts.extend(args[place])
            return method(encoder, *args, **named)

        return call

    for method, place in (("sentences", 0), ("candidates", -1)):
        monkeypatch.setattr(Encoder, method, recording(getattr(Encoder, method), place))
    list(pseudo_logprob(scorer, [Sentence(text, text) for text in SENTENCES]))
    assert texts == [(text, text) for text in SENTENCES]
    texts.clear()
    list(continuation_logprob(scorer, [Continuation("x", text, CANDIDATES) for text in ENDING]))
    assert texts == [*CANDIDATES] * len(ENDING)
