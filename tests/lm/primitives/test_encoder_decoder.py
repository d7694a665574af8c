"""Encoder-decoder networks answer as the whole network does on one pair of a text and a beginning at a time."""

import copy
import functools
import itertools
import math
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
import transformers as hf
from relprobe import load as load_from_library
from relprobe.core.errors import ModelError, ProbeError
from relprobe.core.manifest import write_manifest
from relprobe.lm.loading.load import blank_of, fastest_model, load, max_length
from relprobe.lm.network.heads import Head
from relprobe.lm.network.pairs import PairStates
from relprobe.lm.primitives.continuation import continuation_logprob
from relprobe.lm.primitives.embeddings import embeddings
from relprobe.lm.primitives.sentences import pseudo_logprob
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import Continuation, Sentence, SlotProbe, SpanText, Variant
from relprobe.lm.words.boundary import boundary_ids
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.word_list import WordList

from tests.lm.naive import with_mask
from tests.lm.primitives.test_primitives import CANDIDATES, ENDING, MIDDLE, SENTENCES
from tests.lm.tokenizers_for_tests import byte_level, sentinels
from tests.logs import said
from tests.patched import made_once

torch.set_num_threads(1)
T5 = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_decoder_layers": 3, "num_heads": 4}
T5 |= {"relative_attention_num_buckets": 8, "decoder_start_token_id": 0}
BART = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4, "pad_token_id": 1}
BART |= {"decoder_attention_heads": 4, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "max_position_embeddings": 64}
BART |= {"decoder_start_token_id": 4, "bos_token_id": 3, "eos_token_id": 4, "forced_eos_token_id": 4}
NETWORKS = {
    "t5": (hf.T5Config, hf.T5ForConditionalGeneration, T5),
    "t5_untied": (hf.T5Config, hf.T5ForConditionalGeneration, {**T5, "tie_word_embeddings": False}),
    "mt5": (hf.MT5Config, hf.MT5ForConditionalGeneration, {**T5, "feed_forward_proj": "gated-gelu"}),
    "umt5": (hf.UMT5Config, hf.UMT5ForConditionalGeneration, T5),
    "bart": (hf.BartConfig, hf.BartForConditionalGeneration, BART),
    "mbart": (hf.MBartConfig, hf.MBartForConditionalGeneration, BART),
}
TEXTS = [*ENDING, *MIDDLE, "[V] is a bird"]
CLOSE = {"rtol": 0, "atol": 1e-4}


def tokenizer_of(name):
    return byte_level(masked=True) if "bart" in name else sentinels()


@cache
def network(name):
    config, architecture, sizes = NETWORKS[name]
    torch.manual_seed(1)
    net = architecture(config(vocab_size=len(tokenizer_of(name)), **sizes)).eval()
    for weights in net.parameters():
        torch.nn.init.normal_(weights, std=0.25 if weights.dim() > 1 else 0.4)
    return net


def encoder(name):
    """Return how the texts of a model are encoded, which needs no model."""
    net, tokenizer = network(name), tokenizer_of(name)
    longest, blank = min(max_length(net, tokenizer), 400), blank_of(net, tokenizer)
    return Encoder.of(tokenizer, masked=False, max_length=longest, blank=blank)


@made_once
def model(name):
    return fastest_model(network(name), encoder(name), budget=1024)


def others(name, budgets):
    """Return the model with several budgets, so that the same pairs come in other batches."""
    return [replace(model(name), budget=budget, head_rows=max(1, budget // 20)) for budget in budgets]


@pytest.fixture(params=[(60,), pytest.param((1, 8192), marks=pytest.mark.slow("it asks one by one"))], ids=str)
def budgets(request):
    return request.param


@torch.no_grad()
def logprobs(net, source, ids):
    """Return the natural-log probabilities of one pair, shape (tokens of the decoder, vocabulary)."""
    return torch.log_softmax(net(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([ids])).logits[0], -1)


def pair(name, text):
    """Return what a user of transformers gives the encoder and the decoder for a text with a slot."""
    tokenizer = tokenizer_of(name)
    if "bart" in name:
        source = tokenizer(with_mask(tokenizer, text)).input_ids
        return source, [4, *source[: source.index(tokenizer.mask_token_id)]]
    return tokenizer(text.replace("[V]", "<extra_id_0>")).input_ids, [
        0,
        tokenizer.convert_tokens_to_ids("<extra_id_0>"),
    ]


def spelling(name, text, candidate):
    """Return the tokens of a candidate in its place in a text."""
    tokenizer, left = tokenizer_of(name), text.partition("[V]")[0]
    before = tokenizer(left.rstrip(" "), add_special_tokens=False).input_ids
    return tokenizer(left + candidate, add_special_tokens=False).input_ids[len(before) :]


@cache
def chain(name, text, candidate):
    """Return log P of each token of a candidate, by the chain rule in the decoder."""
    source, ids = pair(name, text)
    tokens = spelling(name, text, candidate)
    table = logprobs(network(name), source, [*ids, *tokens])
    return [table[len(ids) - 1 + i, token].item() for i, token in enumerate(tokens)]


@made_once
def word(name, text, candidate):
    """Return log P of a word, and that it ends there, given that a word begins."""
    source, ids = pair(name, text)
    tokens = spelling(name, text, candidate)
    ends = torch.tensor(boundary_ids(tokenizer_of(name)))
    table = logprobs(network(name), source, [*ids, *tokens])
    value = sum(chain(name, text, candidate)) + table[-1, ends].logsumexp(0).item()
    begins = tokens[0] in ends
    return value - (table[len(ids) - 1, ends].logsumexp(0).item() if begins else 0)


@pytest.mark.parametrize("name", NETWORKS)
def test_every_network_takes_its_fast_path(name, caplog):
    caplog.set_level("INFO")
    fastest_model(network(name), encoder(name), 1024)
    assert model(name).path == "grouped"
    assert model(name).encoder.kind == "encoder-decoder"
    assert not said(caplog)  # no way fell back, and a small network was made


@pytest.mark.parametrize("name", NETWORKS)
def test_slots_are_those_of_the_whole_network(name, budgets):
    expected = {}
    for text in TEXTS:
        source, ids = pair(name, text)
        expected[text] = logprobs(network(name), source, ids)[-1].topk(10)
    for scorer in others(name, budgets):
        texts = random.Random(scorer.budget).sample(TEXTS, len(TEXTS))
        for text, response in zip(
            texts, slot_top_k(scorer, [SlotProbe(t, (Variant(t),)) for t in texts], 10), strict=True
        ):
            assert response.token_ids.tolist() == expected[text].indices.tolist()
            np.testing.assert_allclose(response.logprobs, expected[text].values, **CLOSE)


def test_encoded_texts_are_freed_where_memory_runs_out(caplog):
    """They may be what takes it: the decoder begins again with less, and the texts are encoded anew."""
    probes = [SlotProbe(str(n), (Variant(text),)) for n, text in enumerate(TEXTS)]
    expected = [answer.token_ids.tolist() for answer in slot_top_k(model("t5"), probes, 5)]
    scorer = replace(model("t5"), budget=1024)
    pairs = scorer._pairs
    next(slot_top_k(scorer, probes, 5))  # whether rows share their texts is found out
    decoder, kept, failed = pairs._decoder, [], []

    @functools.wraps(decoder.forward)
    def short_of_memory_once(input_ids, **kwargs):
        kept.append(len(pairs._kept))
        if len(input_ids) > 1 and not failed:
            failed.append(len(kept))
            raise torch.OutOfMemoryError("no room")
        return decoder(input_ids=input_ids, **kwargs)

    pairs._decoder = short_of_memory_once
    assert [answer.token_ids.tolist() for answer in slot_top_k(scorer, probes, 5)] == expected
    assert "out of memory: continuing with batches of" in caplog.text
    assert kept[failed[0]] < kept[failed[0] - 1]


def assert_chain_rule(name, scorers):
    requests = [Continuation(text, text, CANDIDATES) for text in TEXTS]
    for scorer in scorers:
        for request, response in zip(requests, continuation_logprob(scorer, requests), strict=True):
            for candidate, values in zip(CANDIDATES, response.logprobs, strict=True):
                np.testing.assert_allclose(values, chain(name, request.text, candidate), **CLOSE)


@pytest.mark.parametrize("name", NETWORKS)
def test_candidates_follow_the_chain_rule_in_the_decoder(name, budgets):
    assert_chain_rule(name, others(name, budgets))


@pytest.mark.parametrize("name", NETWORKS)
def test_words_of_any_length_are_ranked_exactly(name, budgets):
    words = (*CANDIDATES, "birds", "car", "a", "robin", "specific", "animals", "wheel", "steering")
    for text in ("a [V] is a kind of bird.", "a robin is a kind of [V]"):
        values = sorted(((word(name, text, one), one) for one in words), reverse=True)
        for scorer in others(name, budgets):
            response = next(slot_top_words(scorer, [SlotProbe("x", (Variant(text),))], WordList(words), 4))
            assert [words[i] for i in response.word_ids] == [one for _, one in values[:4]]
            np.testing.assert_allclose(response.logprobs, [value for value, _ in values[:4]], **CLOSE)
            scored = next(continuation_logprob(scorer, [Continuation("x", text, words)], word_boundary=True))
            np.testing.assert_allclose(scored.sums(), [word(name, text, one) for one in words], **CLOSE)


def test_wordings_are_mixed_as_probabilities():
    texts, words = ("a robin is a [V].", "a robin is an [V]."), ("bird", "animal", "hippopotamus")
    mixed = {
        one: math.log(0.75 * math.exp(word("t5", texts[0], one)) + 0.25 * math.exp(word("t5", texts[1], one)))
        for one in words
    }
    probe = SlotProbe("x", tuple(map(Variant, texts, (0.75, 0.25))))
    response = next(slot_top_words(model("t5"), [probe], WordList(words), 3))
    np.testing.assert_allclose(response.logprobs, sorted(mixed.values(), reverse=True), **CLOSE)


@pytest.mark.parametrize("name", ["t5", "umt5", "bart"])
@pytest.mark.parametrize("masking", ["one_mask", "within_word_l2r"])
def test_a_sentence_has_a_blank_for_one_token_at_a_time(name, masking):
    tokenizer = tokenizer_of(name)
    blank = tokenizer.mask_token_id if "bart" in name else tokenizer.convert_tokens_to_ids("<extra_id_0>")
    for text, response in zip(
        SENTENCES, pseudo_logprob(model(name), [Sentence(text, text) for text in SENTENCES], masking), strict=True
    ):
        encoding = tokenizer(text)
        ids, words = encoding.input_ids, encoding.word_ids()
        expected = []
        for i in [i for i, one in enumerate(words) if one is not None]:
            stop = i + 1
            while masking != "one_mask" and words[stop] == words[i]:
                stop += 1
            source = [*ids[:i], blank, *ids[stop:]]
            beginning = [4, *ids[:i]] if "bart" in name else [0, blank]
            expected.append(logprobs(network(name), source, beginning)[-1, ids[i]].item())
        np.testing.assert_allclose(response.logprobs, expected, **CLOSE)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("layer", [0, 1, 2, -1])
def test_embeddings_are_the_states_of_the_encoder(name, layer):
    texts = [
        SpanText(text, text, ((2, 7),)) for text in ("a robin sings", "a robin is a kind of bird", "a hippopotamus")
    ]
    for text, response in zip(texts, embeddings(model(name), texts, layer), strict=True):
        encoding = tokenizer_of(name)(text.text)
        encoder = network(name).get_encoder()
        with torch.no_grad():
            states = encoder(torch.tensor([encoding.input_ids]), output_hidden_states=True).hidden_states[layer][0]
        spans = [encoding.token_to_chars(i) for i in range(len(encoding.input_ids))]
        inside = [
            i
            for i, span in enumerate(spans)
            if span and span.end > 2 and span.start < 7 and text.text[span.start : span.end].strip()
        ]
        if "bart" in name:  # its tokens hold the space before them
            inside = [i for i in inside if spans[i].end > 2]
        np.testing.assert_allclose(response.vectors[0], states[inside].mean(0), **CLOSE)


@pytest.mark.parametrize("name", ["t5", "bart"])
def test_a_text_is_encoded_once_for_all_its_candidates_and_words(name):
    scorer = replace(model(name), budget=60)  # so that its candidates come in several batches
    text = MIDDLE[0]
    list(continuation_logprob(scorer, [Continuation("x", text, CANDIDATES)]))
    list(slot_top_words(scorer, [SlotProbe("x", (Variant(text),))], WordList(CANDIDATES), 3))
    assert scorer._pairs.tokens == len(pair(name, text)[0])


@pytest.mark.parametrize("kept", [1, 600])
def test_few_states_that_are_kept_change_no_score(kept, monkeypatch):
    scorers = others("t5", (1, 60, 8192))
    monkeypatch.setattr("relprobe.lm.network.pairs.MOST_KEPT", kept)
    assert_chain_rule("t5", scorers)


@pytest.mark.parametrize("name", ["t5", "bart"])
def test_a_wrong_head_falls_back_to_the_plain_forward(name, monkeypatch, caplog):
    right = Head.__call__
    monkeypatch.setattr(Head, "__call__", lambda self, states: 1.1 * right(self, states))
    scorer = fastest_model(network(name), encoder(name), 1024)
    assert scorer.path == "plain"
    assert "the grouped path of a small network is" in caplog.text
    monkeypatch.undo()
    source, ids = pair(name, TEXTS[0])
    response = next(slot_top_k(scorer, [SlotProbe("x", (Variant(TEXTS[0]),))], 10))
    np.testing.assert_allclose(response.logprobs, logprobs(network(name), source, ids)[-1].topk(10).values, **CLOSE)


def test_a_decoder_without_its_text_falls_back(monkeypatch):
    """The self-check compares texts of other lengths and other words."""
    wrong = lambda self, texts, device: torch.zeros(len(texts), len(texts[0]), 32)  # noqa: E731
    monkeypatch.setattr("relprobe.lm.network.pairs.PairStates._encoded", wrong)
    monkeypatch.setattr("relprobe.lm.network.self_check.Proof.of", lambda *_: None)
    assert fastest_model(network("t5"), encoder("t5"), 1024).path == "plain"


def saved(name, folder):
    network(name).save_pretrained(folder)
    tokenizer_of(name).save_pretrained(folder)
    return write_manifest(folder)


@pytest.mark.parametrize("name", ["t5", "bart"])
@pytest.mark.parametrize("dtype", [None, torch.bfloat16])
def test_a_model_from_disk_loads_and_scores(name, dtype, tmp_path):
    scorer = load(saved(name, tmp_path / "m"), masked=False, encoder_decoder=True, dtype=dtype)
    assert (scorer.path, scorer.net.dtype) == ("grouped", dtype or torch.float32)
    response = next(slot_top_k(scorer, [SlotProbe("x", (Variant(TEXTS[0]),))], len(tokenizer_of(name))))
    assert abs(np.exp(response.logprobs.astype(np.float64)).sum() - 1) < 1e-5
    if dtype is None:
        source, ids = pair(name, TEXTS[0])
        np.testing.assert_allclose(
            response.logprobs[:10], logprobs(network(name), source, ids)[-1].topk(10).values, **CLOSE
        )


def test_the_library_answers_as_the_engine(tmp_path):
    saved("t5", tmp_path / "m")
    from_disk = load_from_library(tmp_path / "m", progress=False)
    in_memory = load_from_library(network("t5"), tokenizer=sentinels(), progress=False)
    assert repr(from_disk) == "Model(T5ForConditionalGeneration, encoder-decoder, float32, grouped)"
    for one in (from_disk, in_memory):
        table = one.score("a [SLOT] is a kind of bird.", ["robin", "ice cream"])
        expected = [sum(chain("t5", MIDDLE[0], candidate)) for candidate in ("robin", "ice cream")]
        assert table["logprob"].to_list() == pytest.approx(expected, abs=1e-4)
    assert len(from_disk.top_words("a [SLOT] sings", k=3)) == 3


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_another_type_names_the_right_one(kind, tmp_path):
    with pytest.raises(
        ModelError, match=f"holds an encoder-decoder network, and no {kind} model: say `type: encoder-decoder`"
    ):
        load(saved("bart", tmp_path / "m"), masked=kind == "masked")


def test_a_tokenizer_without_a_blank_is_refused():
    with pytest.raises(ModelError, match="neither <extra_id_0> nor a mask token"):
        blank_of(network("t5"), byte_level())


def test_a_network_without_a_start_is_refused():
    net = hf.T5ForConditionalGeneration(
        hf.T5Config(vocab_size=len(sentinels()), **{**T5, "decoder_start_token_id": None})
    )
    with pytest.raises(ModelError, match="has no `decoder_start_token_id`"):
        blank_of(net, sentinels())


def test_a_text_with_the_blank_in_it_is_refused():
    with pytest.raises(ProbeError, match="holds <extra_id_0> beside its slot"):
        model("t5").encoder.slot("x", "a <extra_id_0> is a [V]")


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(ProbeError, match="tokens long, but the model takes 64"):
        model("bart").encoder.slot("x", "a robin " * 40 + "[V]")


def test_masked_methods_are_refused_by_name():
    with pytest.raises(ModelError, match="'all_masks' is no method for an encoder-decoder model: use 'chain'"):
        next(continuation_logprob(model("t5"), [Continuation("x", TEXTS[0], ("bird",))], "all_masks"))


def test_every_pair_of_networks_differs():
    """The networks of this module are not one by chance: their likeliest words differ."""
    best = [next(slot_top_k(model(name), [SlotProbe("x", (Variant(MIDDLE[0]),))], 5)).logprobs for name in NETWORKS]
    assert all(not np.allclose(one, other) for one, other in itertools.combinations(best, 2))


class Counted(torch.nn.Module):
    """A projection that counts the rows that it computes."""

    def __init__(self, inner):
        super().__init__()
        self.inner, self.rows = inner, 0

    def forward(self, states):
        self.rows += len(states)
        return self.inner(states)


@pytest.mark.parametrize(("name", "shared"), [("t5", True), ("bart", True), ("umt5", False)])
def test_rows_of_one_text_share_its_keys_and_values(name, shared):
    """UMT5 computes something else with a cache than without one, so each of its rows has its own."""
    net = copy.deepcopy(network(name))
    pairs = PairStates(net)
    sources = [(5, 6, 7), (5, 6, 7), (8, 9, 5), (5, 6, 7)]
    ids = torch.tensor([[4, 5], [4, 6], [4, 7], [4, 8]])
    with torch.inference_mode():
        alone = torch.cat([PairStates(net)(ids[i : i + 1], [sources[i]]) for i in range(4)])
        pairs(ids, sources)  # finds out whether rows may share
        layer = net.get_decoder().layers[0].encoder_attn if name == "bart" else net.get_decoder().block[0].layer[1]
        place, key = (layer, "k_proj") if name == "bart" else (layer.EncDecAttention, "k")
        counted = Counted(getattr(place, key))
        setattr(place, key, counted)
        together = pairs(ids, sources)
    torch.testing.assert_close(together, alone, rtol=0, atol=1e-5)
    assert counted.rows == (2 if shared else 4)


def test_a_decoder_that_takes_no_cache_computes_each_row_by_itself(monkeypatch, caplog):
    net = network("t5")
    sources, ids = [(5, 6, 7), (5, 6, 7)], torch.tensor([[4, 5], [4, 6]])
    pairs = PairStates(net)
    forward = pairs._decoder.forward

    def without_cache(past_key_values=None, **inputs):
        if past_key_values is not None:
            raise TypeError("no cache")
        return forward(**inputs)

    with torch.inference_mode():
        expected = pairs(ids, sources)
        monkeypatch.setattr(pairs._decoder, "forward", without_cache)
        with caplog.at_level("DEBUG", "relprobe"):
            got = PairStates(net)(ids, sources)
    torch.testing.assert_close(got, expected, rtol=0, atol=1e-5)
    assert "T5Stack takes no cache of texts (no cache)" in caplog.text
