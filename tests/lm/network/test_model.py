"""What a model does with many inputs, on a network whose probabilities are set by hand."""

import copy
import dataclasses
import math
from contextlib import suppress
from types import SimpleNamespace

import pytest
import torch
from relprobe.core.errors import ModelError
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.network import model as network_model
from relprobe.lm.network import products
from relprobe.lm.network.causality import _change, _rounding, require_causality
from relprobe.lm.network.devices import input_device
from relprobe.lm.network.heads import _in_float32, _is_opaque
from relprobe.lm.network.last_layer import ReadPositions
from relprobe.lm.network.layers import select_reads
from relprobe.lm.network.lens import _way
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.network.pairs import PairStates
from relprobe.lm.network.self_check import (
    PROOF_TOLERANCE,
    SAMPLES,
    SelfCheck,
    _random_queries,
    _with_sources,
    samples,
)
from relprobe.lm.network.small import VOCABULARY
from relprobe.lm.precision import TOLERANCE
from relprobe.lm.requests import Query
from torch import nn
from transformers import MistralConfig

A, B, C = range(3)


@pytest.fixture(scope="module")
def tiny():
    """After "a" come "b" and "c"; after these, all three words are equally likely."""
    return bigram_model({"a": {"b": 0.75, "c": 0.25}})


@pytest.fixture(params=["packed", "grouped", "plain"])
def each_way(tiny, request):
    return LanguageModel(tiny.net, tiny.encoder, request.param, 1024)


def test_each_read_position_has_its_state_in_the_order_of_the_queries(each_way):
    queries = [Query((B, A), (1,)), Query((A, B, A), (2, 0, 1)), Query((A,), (0,)), Query((B, A), (1,))]
    probabilities = each_way.log_probs(each_way.states(queries)).exp()
    after = {A: [0, 0.75, 0.25], B: [1 / 3] * 3}
    expected = [after[token] for token in (A, A, A, B, A, A)]
    torch.testing.assert_close(probabilities, torch.tensor(expected), atol=1e-5, rtol=0)


def test_work_is_counted_once_for_each_input_and_for_a_shared_beginning(tiny, caplog):
    caplog.set_level("INFO", logger="relprobe")
    queries = [Query((A, B, C), (2,)), Query((A, B, B), (2,)), Query((A, B, C), (2,)), Query((C,), (0,))]
    for path, budget, tokens in (("packed", 1024, 5), ("grouped", 1024, 7), ("grouped", 1, 7), ("packed", 4, 5)):
        model = LanguageModel(tiny.net, tiny.encoder, path, budget)
        model.states(queries)
        assert (model.inputs, model.tokens) == (3, tokens)
        model.states(queries)
        assert (model.inputs, model.tokens) == (6, 2 * tokens)
    model.tokens = 1234
    model.log_work()
    assert caplog.messages == ["the network computed 1,234 tokens of 6 inputs"]
    assert model.origin() == {"dtype": "float32", "path": "packed"}


def test_positions_after_equal_beginnings_have_one_row_in_a_trie(tiny):
    queries = [Query((A, B, C), (0, 1, 2)), Query((A, B, A), (0, 1, 2))]
    states, rows = tiny.distinct_states(queries)
    assert len(states) == 4
    assert rows.tolist() in ([0, 1, 2, 0, 1, 3], [0, 1, 3, 0, 1, 2])


def test_a_row_of_the_head_takes_what_the_vocabulary_leaves_room_for(tiny, monkeypatch):
    monkeypatch.setattr(network_model, "LOGITS", 11)
    for path, rows, chunk in (("plain", 3, 3), ("packed", 3, network_model.CHUNK)):
        model = LanguageModel(tiny.net, tiny.encoder, path, 1024)
        assert (model.head_rows, model.chunk, model.rows_at_once) == (rows, chunk, 16)
    monkeypatch.setattr(network_model, "LOGITS", 2)
    assert LanguageModel(tiny.net, tiny.encoder, "plain", 1024).chunk == 1
    assert LanguageModel(tiny.net, tiny.encoder, "plain", 1024, head_rows=7).chunk == 7


def test_blocks_of_items_have_as_many_rows_as_go_through_the_head_at_once(tiny):
    model = LanguageModel(tiny.net, tiny.encoder, "packed", 1024, head_rows=3)

    def calls(sizes):
        return list(model.in_blocks(sizes, lambda first, stop, rows: (first, stop, rows.start, rows.stop)))

    assert calls([1, 2, 2]) == [(0, 2, 0, 3), (2, 3, 3, 5)]
    assert calls([4, 1, 2, 1]) == [(0, 1, 0, 4), (1, 3, 4, 7), (3, 4, 7, 8)]
    assert calls([]) == []


def test_rows_of_the_head_and_tokens_of_a_batch_are_halved_while_memory_runs_out(tiny, caplog):
    model = LanguageModel(tiny.net, tiny.encoder, "packed", 1024, head_rows=64)

    def compute(first, stop, rows):
        if stop - first > 2:
            raise MemoryError
        return (first, stop)

    assert list(model.in_blocks([1] * 7, compute)) == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)]
    assert model.head_rows == 1  # of 7 rows 3, and of 3 rows 1
    model.head_rows = 64
    with pytest.raises(ModelError, match="the logits of 5 positions do not fit into memory"):
        list(model.in_blocks([5], lambda *_: exec("raise MemoryError")))
    body, sizes = model._body, []

    def small(**inputs):
        sizes.append(inputs["input_ids"].numel())
        if sizes[-1] > 3:
            raise MemoryError
        return body(**inputs)

    model._body = small
    queries = [Query((A, B, C), (2,)), Query((A, B, A), (2,)), Query((A, C), (1,))]
    assert len(model.states(queries)) == 3
    assert model.budget == 2  # of the 5 nodes of the first trie
    assert sizes == [5, 3, 3, 2]
    assert "out of memory: continuing with batches of 2 tokens" in caplog.text
    with pytest.raises(ModelError, match="not even one input of 4 tokens fits into memory"):
        model.states([Query((A, B, C, A), (3,))])


def test_ids_that_only_pad_a_network_are_no_answers_and_count_in_the_softmax(tiny):
    """The tokenizer of three words has lost one: of the six ids of a network, the second and the last three are none."""
    six = bigram_model({word: dict.fromkeys("abcdef", 1 / 6) for word in "abcdef"})
    encoder = copy.deepcopy(tiny.encoder)
    vocabulary = encoder.tokenizer.get_vocab()
    encoder.tokenizer.get_vocab = lambda: {word: vocabulary[word] for word in "ac"}
    model = LanguageModel(six.net, encoder, "grouped", 64)
    expected = torch.tensor([[1 / 6, 0, 1 / 6, 0, 0, 0]])
    torch.testing.assert_close(model.log_probs(model.states([Query((A,), (0,))])).exp(), expected)


@pytest.mark.parametrize(
    ("dtype", "remedy"), [(torch.float32, "its weights are broken"), (torch.bfloat16, "try `dtype: float32`")]
)
def test_values_that_are_no_numbers_end_in_a_sentence_that_names_where(tiny, dtype, remedy):
    net = copy.deepcopy(tiny.net).to(dtype)
    with torch.no_grad():
        net.lm_head.weight[1, 1] = torch.nan
    for path, where in (("grouped", "head"), ("plain", "network")):
        model = LanguageModel(net, tiny.encoder, path, 64)
        with pytest.raises(ModelError, match=f"computes NaN or infinite values, in its {where} in {dtype}: {remedy}"):
            model.log_probs(model.states([Query((B,), (0,))]))
    with torch.no_grad():
        net.model.embed_tokens.weight[1] = torch.inf
    with pytest.raises(ModelError, match="in its LlamaModel in"):
        LanguageModel(net, tiny.encoder, "grouped", 64).states([Query((B,), (0,))])


def test_positions_are_read_by_their_places_in_all_rows():
    states = torch.arange(12.0).view(2, 3, 2)
    assert select_reads(states, torch.tensor([4, 0])).tolist() == [[8.0, 9.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("reads", "count", "picked"), [([1], 2, False), ([1], 3, True), ([0, 3], 4, False), ([0, 3], 5, True)]
)
def test_half_of_the_positions_or_more_are_not_picked_out(reads, count, picked):
    positions, product = ReadPositions(), nn.Linear(1, 1)
    states = torch.arange(float(count))[None, :, None]
    with positions.restrict_to(torch.tensor(reads), count):
        found = positions.pick(product, (states,))
        assert (found is not None) is picked
        if picked:
            assert found.flatten().tolist() == reads
            spread = positions.spread(product, (states,), found + 10)
            assert spread.shape == states.shape
            assert spread.flatten().tolist() == [place + 10 if place in reads else 0 for place in range(count)]
            assert positions.spread(product, (states,), found) is found  # nothing has been picked since
        assert positions.pick(product, (states[:, 1:],)) is None  # of another number of positions
    assert positions.pick(product, (states,)) is None


def test_the_way_to_the_head_goes_through_modules_that_change_the_states():
    start, middle, end = (torch.full((1, 2), float(i)) for i in range(3))
    idle, first, second, other = (nn.Linear(1, 1) for _ in range(4))
    calls = [(idle, start, start), (other, start, end + 1), (first, start, middle), (second, middle, end)]
    assert _way(start, end, calls) == [first, second]
    assert _way(end, end, calls) == []
    assert _way(start, end.view(2), calls) == [first, second]  # in another shape
    for lost in (calls[:3], [calls[3]], []):
        with pytest.raises(ValueError, match="no known way from its last layer"):
            _way(start, end, lost)


def test_weights_that_are_quantised_or_elsewhere_are_not_turned_into_float32():
    meta = torch.empty(1, device="meta")
    assert [_is_opaque(weight) for weight in (torch.zeros(1), nn.Parameter(torch.zeros(1)), meta)] == [
        False,
        False,
        True,
    ]
    assert [_is_opaque(torch.zeros(1, dtype=dtype)) for dtype in (torch.int8, torch.bfloat16, torch.int16)] == [
        *(True, False, False)
    ]
    plain, half = nn.Linear(1, 1), nn.Linear(1, 1).bfloat16()
    assert _in_float32(plain) is plain
    wide = _in_float32(half)
    assert (wide.weight.dtype, half.weight.dtype) == (torch.float32, torch.bfloat16)
    half.register_buffer("table", torch.zeros(1, dtype=torch.int8))
    assert _in_float32(half) is half


class Looking:
    """A model whose prediction after a token is that token, or the last one of its input, if that is likely to be seen."""

    def __init__(self, net, ahead):
        self.net, self.ahead = net, ahead

    def states(self, queries):
        ((ids, positions, *_),) = queries
        seen = [ids[-1] if self.ahead else ids[position] for position in positions]
        return torch.nn.functional.one_hot(torch.tensor(seen), 3).float()

    def log_probs(self, states):
        return states.log_softmax(-1)


def test_the_change_is_the_largest_mean_over_the_likely_tokens(tiny):
    """By hand: one-hot logits of two different tokens differ by 1 in two of three log-probabilities."""
    query = Query((A, A, B, B), (0,))
    assert _change(Looking(tiny.net, ahead=False), query) == 0
    assert _change(Looking(tiny.net, ahead=True), query) == pytest.approx(2 / 3)
    assert _change(Looking(tiny.net, ahead=True), Query((A,), (0,))) == 0.0
    assert _change(Looking(tiny.net, ahead=True), Query((A, A, A, A, B), (0,))) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("small", "change", "right"),
    [
        (0, 0.8, True),
        (0, 0.81, False),
        (1e-4, 0.8, True),
        (1.1e-4, 0, False),
        (None, 1e-3, True),
        (None, 1.1e-3, False),
    ],
)
def test_a_causal_network_may_change_by_rounding(tiny, monkeypatch, small, change, right):
    """With a proof by as much as quantised weights round: four times 0.2 nats; in float32 by itself a thousandth."""
    monkeypatch.setattr("relprobe.lm.network.causality._change", lambda plain, query: change)
    monkeypatch.setattr("relprobe.lm.network.causality.change_of_small", lambda proof: small)
    proof = None if small is None else "proof"
    if right:
        require_causality(dataclasses.replace(tiny, path="plain"), proof)
    else:
        with pytest.raises(ModelError, match=f"changes by {max(change, small or 0):.2g} nats"):
            require_causality(dataclasses.replace(tiny, path="plain"), proof)


def test_what_rounding_may_make_depends_on_the_number_format(tiny):
    half = copy.deepcopy(tiny.net).half()
    assert (_rounding(tiny.net, None), _rounding(half, None)) == (TOLERANCE, pytest.approx(0.16))
    half.is_quantized = True
    assert _rounding(half, None) == pytest.approx(0.8)


def test_samples_are_the_short_texts_and_two_long_ones_that_share_two_thirds(tiny):
    words = bigram_model({word: {} for word in " ".join(SAMPLES).split()})
    queries = samples(words.net, words.encoder)
    assert len(queries) == len(SAMPLES) + 2
    decode = words.encoder.tokenizer.decode
    assert [decode(list(query.ids)) for query in queries[:-2]] == list(SAMPLES)
    assert all(query.positions == (len(query.ids) - 1,) for query in queries)
    one, twin = (query.ids for query in queries[-2:])
    assert len(one) == len(twin) == words.encoder.max_length == 64
    assert one[:42] == twin[:42]
    assert one[42:] == twin[42:][::-1]
    every = [token for query in queries[:-2] for token in query.ids]
    assert list(one) == (every * 2)[:64]
    check = SelfCheck(queries, torch.arange(9 * 2).view(9, 2), torch.zeros(9, 2)).short()
    assert (len(check.queries), check.likely.shape, check.expected.shape) == (7, (7, 2), (7, 2))


@pytest.mark.parametrize(("window", "length"), [(None, 150), (100, 150), (200, 208), (2000, 1040)])
def test_the_long_samples_reach_beyond_a_sliding_window_up_to_a_limit(window, length):
    """They have 150 tokens without one, eight more than a longer window, and never more than 1,040."""
    words = bigram_model({word: {} for word in " ".join(SAMPLES).split()})
    net = SimpleNamespace(config=MistralConfig(sliding_window=window))
    queries = samples(net, dataclasses.replace(words.encoder, max_length=5000))
    assert [len(query.ids) for query in queries[-2:]] == [length, length]


@pytest.mark.parametrize(
    ("dtype", "mean", "worst", "agrees"),
    [
        (torch.float32, 9.0, TOLERANCE, True),
        (torch.float32, 0.0, 1.1 * TOLERANCE, False),
        (torch.float16, 0.04, 9.0, True),
        (torch.float16, 0.041, 0.0, False),
        (torch.bfloat16, 0.2, 9.0, True),
    ],
)
def test_a_path_agrees_within_the_rounding_of_its_format(tiny, dtype, mean, worst, agrees):
    assert SelfCheck._agrees(copy.deepcopy(tiny.net).to(dtype), mean, worst) is agrees


@pytest.mark.parametrize(("mean", "trouble"), [(0.5, None), (0.51, "is 9.0e+00 off the plain forward")])
def test_a_path_may_be_off_four_times_as_far_as_the_grouped_one(tiny, monkeypatch, mean, trouble):
    model = LanguageModel(copy.deepcopy(tiny.net).to(torch.bfloat16), tiny.encoder, "packed", 64)
    monkeypatch.setattr(SelfCheck, "_differences", lambda self, model: (mean, 9.0))
    monkeypatch.setattr(SelfCheck, "_noise", lambda self, model: 0.125)
    assert SelfCheck([], torch.zeros(0), torch.zeros(0)).trouble(model) == trouble


def test_in_float32_a_thousandth_may_be_rounding_and_a_tenth_of_that_in_a_proof():
    assert (TOLERANCE, PROOF_TOLERANCE) == (1e-3, 1e-4)


def test_differences_are_the_largest_mean_and_the_largest_of_the_likely_tokens(tiny):
    third, half = math.log(1 / 3), math.log(1 / 2)
    queries = [Query((B,), (0,)), Query((C,), (0,))]
    check = SelfCheck(queries, torch.tensor([[0, 1], [0, 2]]), torch.tensor([[third, half], [third, third]]))
    mean, worst = check._differences(tiny)
    assert (mean, worst) == (pytest.approx((half - third) / 2, abs=1e-5), pytest.approx(half - third, abs=1e-5))
    assert check.trouble(tiny) == f"is {worst:.1e} off the plain forward"
    right = dataclasses.replace(check, expected=torch.full((2, 2), third))
    assert right.trouble(tiny) is None
    assert right.passes(tiny)
    assert right.depends_on_batch(tiny.net, tiny.encoder)
    assert not check.depends_on_batch(tiny.net, tiny.encoder)
    assert (SelfCheck.of(tiny).expected.shape, check._noise(tiny)) == ((9, 3), 0.0)


class Encoding:
    """An encoder-decoder network whose states are its tokens, and which counts the texts that it encodes."""

    def __init__(self):
        self.encoded = []

    def get_encoder(self):
        return self._encode

    def get_decoder(self):
        return None

    def _encode(self, input_ids):
        self.encoded += input_ids.tolist()
        return SimpleNamespace(last_hidden_state=input_ids[:, :, None].float())


def test_a_text_is_encoded_once_while_its_states_are_kept(monkeypatch):
    net = Encoding()
    pairs = PairStates(net)
    device = torch.device("cpu")
    assert pairs._encoded([(1, 2), (3, 4)], device).tolist() == [[[1], [2]], [[3], [4]]]
    assert pairs._encoded([(3, 4), (5, 6), (1, 2)], device).flatten().tolist() == [3, 4, 5, 6, 1, 2]
    assert net.encoded == [[1, 2], [3, 4], [5, 6]]
    assert pairs.tokens == 6
    monkeypatch.setattr("relprobe.lm.network.pairs.MOST_KEPT", 4)
    pairs._encoded([(5, 6)], device)
    assert list(pairs._kept) == [(3, 4), (5, 6)]  # the oldest is forgotten: two texts of two numbers fit
    monkeypatch.setattr("relprobe.lm.network.pairs.MOST_KEPT", 1)
    assert pairs._encoded([(7, 8), (9, 9)], device).flatten().tolist() == [7, 8, 9, 9]
    assert list(pairs._kept) == [(9, 9)]  # one stays, however large it is
    pairs.forget()
    assert not pairs._kept


def test_rows_of_one_text_share_it_if_they_may():
    pairs, asked = PairStates(Encoding()), []
    pairs._may_share = lambda ids, states: asked.append(ids.tolist()) or True
    pairs._decoded = lambda ids, states: ("each", states[:, 0, 0].tolist())
    pairs._decoded_together = lambda ids, states, rows: ("together", states[:, 0, 0].tolist(), rows.tolist())
    ids = torch.tensor([[0, 1], [0, 2], [0, 3]])
    assert pairs(ids, [(1, 2), (3, 4), (1, 2)]) == ("together", [1, 3], [0, 1, 0])
    assert pairs(ids[:2], [(3, 4), (1, 2)]) == ("each", [3, 1])
    assert asked == [[[0, 1]]]
    pairs._shares = False
    assert pairs(ids, [(1, 2), (3, 4), (1, 2)]) == ("each", [1, 3, 1])


@pytest.mark.parametrize(("difference", "shares"), [(0.0, True), (0.9e-5, True), (1.1e-5, False)])
def test_keys_are_shared_if_three_rows_of_two_texts_have_the_same_states(difference, shares):
    pairs, seen = PairStates(Encoding()), []

    def decoded(ids, states, rows=None):
        seen.append((ids.tolist(), states.shape, None if rows is None else rows.tolist()))
        row_states = states if rows is None else states[rows] + difference
        return row_states - row_states.detach() + (0.0 if rows is None else difference)

    pairs._decoded = pairs._decoded_together = decoded
    assert pairs._may_share(torch.tensor([[0, 1]]), torch.zeros(1, 2, 4)) is shares
    assert seen == [([[0, 1]] * 3, (3, 5, 4), None), ([[0, 1]] * 3, (2, 5, 4), [0, 0, 1])]


def test_the_texts_of_a_proof_have_three_lengths_and_one_is_another_one_turned_round():
    encoder = SimpleNamespace(blank="blank", max_length=30)
    queries = _with_sources([Query((number,), (0,)) for number in range(6)], encoder)
    sources = [query.source for query in queries]
    assert [len(source) for source in sources] == [5, 17, 30, 5, 5, 17]
    assert sources[3] == sources[0][::-1] != sources[0] == sources[4]
    assert sources[0] == (8, 15, 36, 71, 120)  # 3 + (7 i² + 5) mod 125
    assert all(3 <= token < VOCABULARY for source in sources for token in source)
    assert [query.ids for query in queries] == [(number,) for number in range(6)]
    plain = [Query((1,), (0,))]
    assert _with_sources(plain, SimpleNamespace(blank=None)) == plain


def test_the_inputs_of_a_proof_share_beginnings_and_three_long_ones_their_first_two_thirds():
    queries, compared = _random_queries(90, 0)
    lengths = [len(query.ids) for query in queries]
    assert (len(queries), compared) == (23, [*range(20), 20, 21, 22])
    assert max(lengths[:20]) <= 60
    assert lengths[20:] == [90] * 3
    stems = {query.ids[:60] for query in queries[20:]}
    assert len(stems) == 1
    assert len({query.ids for query in queries}) == 23
    assert all(query.positions == (len(query.ids) - 1,) for query in queries)
    assert [query.ids for query in queries[:20]] == sorted(query.ids for query in queries[:20])
    many, few = _random_queries(90, 2000)
    assert len(few) == 23
    assert (few[0], few[19], few[20:]) == (0, len(many) - 4, [len(many) - 3, len(many) - 2, len(many) - 1])
    assert max(len(query.ids) for query in _random_queries(10, 0)[0]) == 10


@pytest.mark.parametrize(
    ("dtype", "path", "narrow", "mean", "noise"),
    [
        (torch.float32, "packed", False, 0.01, 0.0),
        (torch.float16, "packed", False, 0.01, 0.01),
        (torch.float16, "packed", False, 0.04, 0.04),
        (torch.float16, "packed", False, 0.041, 0.0),
        (torch.float16, "grouped", False, 0.01, 0.0),
        (torch.float16, "grouped", True, 0.01, 0.01),
    ],
)
def test_the_noise_is_that_of_the_grouped_path_if_it_rounds_alone(tiny, monkeypatch, dtype, path, narrow, mean, noise):
    seen = []
    monkeypatch.setattr(SelfCheck, "_differences", lambda self, model: seen.append(model) or (mean, 9.0))
    net = copy.deepcopy(tiny.net).to(dtype)
    model = LanguageModel(net, tiny.encoder, path, 64, ReadPositions() if narrow else None)
    assert SelfCheck([], torch.zeros(0), torch.zeros(0))._noise(model) == noise
    assert [(one.path, one.last_layer) for one in seen] == ([("grouped", None)] if seen else [])


def test_an_input_goes_to_the_first_device_that_computes():
    for placement, device in (
        ({"a": "disk", "b": "cpu", "c": "meta"}, "meta"),
        ({"a": "disk", "b": "cpu"}, "cpu"),
        ({}, "meta"),
        (None, "meta"),
    ):
        assert input_device(SimpleNamespace(hf_device_map=placement, device="meta")) == torch.device(device)


def test_an_item_that_does_not_fit_alone_is_named_wherever_it_stands(tiny):
    model = LanguageModel(tiny.net, tiny.encoder, "packed", 1024, head_rows=4)

    def compute(first, stop, rows):
        if first == 2:
            raise MemoryError
        return (first, stop)

    found = model.in_blocks([2, 2, 3], compute)
    assert next(found) == (0, 2)
    with pytest.raises(ModelError, match="the logits of 3 positions do not fit into memory"):
        next(found)


@pytest.mark.parametrize(
    ("inner", "columns", "rows"),
    [(1000, 1000, 512), (10_000, 1000, 100), (100_000, 1000, 64), (10, 10, 512), (31_250, 500, 64), (1000, 1954, 511)],
)
def test_a_product_that_is_timed_has_two_milliards_of_operations_between_its_bounds(monkeypatch, inner, columns, rows):
    shapes = []
    monkeypatch.setattr(
        torch, "randn", lambda count, inner, generator: shapes.append((count, inner)) or torch.zeros(1, 1)
    )
    with suppress(RuntimeError):
        products.rates(inner, columns, clock=lambda: 0.0)
    assert shapes == [(rows, inner), (columns, inner)]


def test_a_single_row_without_numbers_is_no_result():
    model = bigram_model({"a": {"bird": 0.75, "owl": 0.25}})
    logits = torch.zeros(3, 3)
    assert model.log_softmax(logits.clone()).exp()[2].tolist() == pytest.approx([1 / 3] * 3)
    logits[1, 2] = torch.inf
    with pytest.raises(ModelError):
        model.log_softmax(logits)


def test_a_head_is_that_of_the_network_and_is_made_once_for_it():
    first = bigram_model({"a": {"bird": 1}})
    assert first.path != "plain"
    assert dataclasses.replace(first, budget=7).head is first.head
    other = dataclasses.replace(first, net=copy.deepcopy(first.net))
    assert other.head.net is other.net is not first.net
