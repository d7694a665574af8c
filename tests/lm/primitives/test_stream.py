"""How requests are divided and results put together again, by hand."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from relprobe.lm.loading.example import bigram_model
from relprobe.lm.network import model as network_model
from relprobe.lm.primitives import stream, word_search
from relprobe.lm.primitives.continuation import _chain
from relprobe.lm.primitives.embeddings import _means
from relprobe.lm.primitives.ranking import _top_on_device
from relprobe.lm.primitives.word_search import BestWords, Frontier, join
from relprobe.lm.requests import Query, Targets
from relprobe.lm.words.word_list import WordTrie

A, B, C = range(3)


@pytest.fixture(scope="module")
def tiny():
    """After "a" come "b" and "c", and after "b" comes "a"."""
    return bigram_model({"a": {"b": 0.75, "c": 0.25}, "b": {"a": 1.0}})


def test_tensors_of_a_gpu_are_read_when_all_of_its_copies_have_arrived(monkeypatch):
    """The values are those of the memory that a copy is written into, which holds something else before."""
    done, values = [], {"x": torch.zeros(2), "y": torch.zeros(1), "z": torch.zeros(1)}
    tensors = [
        SimpleNamespace(is_cuda=True, device=device, name=name) for name, device in zip("xyz", "001", strict=True)
    ]

    def arrive(device):
        done.append(f"wait for {device}")
        for tensor in tensors:
            if tensor.device == device:
                values[tensor.name] += ord(tensor.name)

    monkeypatch.setattr(stream, "_pinned_copy", lambda tensor: done.append(tensor.name) or values[tensor.name])
    monkeypatch.setattr("torch.cuda.current_stream", lambda device: SimpleNamespace(synchronize=lambda: arrive(device)))
    found = stream.fetch([*tensors, torch.tensor([1, 2])])
    assert [part.tolist() for part in found] == [[120, 120], [121], [122], [1, 2]]
    assert done[:3] == ["x", "y", "z"]
    assert sorted(done[3:]) == ["wait for 0", "wait for 1"]


@pytest.mark.parametrize(
    "compute",
    [
        lambda states: _means(states[None], [1, 1]),
        lambda scores: torch.cat(_top_on_device(scores, 2)),
    ],
    ids=["embeddings", "ranking"],
)
def test_tensors_are_made_on_the_device_of_what_they_are_combined_with(compute):
    """Those that are made without a device are elsewhere here, as they are where a network computes on a GPU."""
    values = torch.tensor([[-1.0, -3.0, -1.0], [-2.0, -0.5, -4.0]])
    expected = compute(values)
    with torch.device("meta"):
        assert torch.equal(compute(values), expected)


@pytest.mark.parametrize(("values", "rows"), [(2**25, 1), (12, 1), (11, 2), (6, 2), (5, 3), (1, 12)])
def test_the_states_of_several_layers_count_as_so_many_rows(tiny, monkeypatch, values, rows):
    """By hand: four states of two layers of three numbers are 24 numbers; half of them are those of one of two rows."""
    monkeypatch.setattr(network_model, "CHUNK", 2)
    monkeypatch.setattr(stream, "LAYER_VALUES", values)
    assert stream.rows_of_layers(tiny, 2) == rows


@pytest.mark.parametrize(("at_once", "groups"), [(512, [4, 1]), (2, [2, 2, 1])])
def test_requests_are_encoded_in_groups_and_come_in_lists_of_so_many_rows(tiny, monkeypatch, at_once, groups):
    monkeypatch.setattr(network_model, "CHUNK", 4)
    monkeypatch.setattr(stream, "ENCODED_AT_ONCE", at_once)
    seen, sizes = [], dict(zip("abcde", [1, 3, 2, 9, 1], strict=True))

    def encode(group):
        seen.append(len(group))
        return [sizes[request] for request in group]

    parts = list(stream.encoded_chunks(tiny, "abcde", encode, int))
    assert parts == [[("a", 1), ("b", 3)], [("c", 2)], [("d", 9)], [("e", 1)]]
    assert seen == groups
    parts = stream.chunks([1, 3, 2, 9, 1, 1, 2, 1], int, 4)
    assert list(parts) == [[1, 3], [2], [9], [1, 1, 2], [1]]


def test_values_go_back_to_their_targets_whatever_shares_a_query(tiny):
    first, second, other = Query((A, B), (0, 1)), Query((A,), (0,)), Query((B, A), (1,))
    targets = [
        Targets(other, (C,)),
        Targets(first, (B, A)),
        Targets(second, (C,)),
        Targets(second, (B,)),
        Targets(other, (B,)),
    ]
    plain, corrected = stream.read_targets(tiny, targets)
    assert np.exp(plain).round(4).tolist() == [0.25, 0.75, 1.0, 0.25, 0.75, 0.75]
    assert corrected is plain
    assert [len(values) for values in stream.read_targets(tiny, [])] == [0, 0]
    assert stream.count_tokens(targets) == 6


def test_the_ends_of_words_go_from_a_token_to_the_one_before_it():
    """Two targets: 5 1 6, whose second token is a boundary, and 1 alone; ends after each place are in `ends`."""
    values = np.array([-1.0, -2.0, -4.0, -8.0])
    tokens, positions = np.array([5, 1, 6, 1]), np.array([0, 1, 2, 4])
    ends = np.array([-0.5, -0.25, -0.125, -16.0, -32.0, -64.0])
    found = stream._with_word_ends(values, tokens, positions, np.array([2, 3]), ends, np.array([1]))
    # 5 gets the end before 1 (-0.25), which 1 gives; the last tokens get the ends after them (-16 and -64).
    assert found.tolist() == [-1.25, -1.75, -20.0, -8.0 + 32.0 - 64.0]


def frontier_of(*rows):
    probes, nodes, values = zip(*rows, strict=True)
    return Frontier(np.array(probes), np.array(nodes), np.array(values))


def test_the_best_entries_of_each_probe_are_opened_first():
    """Bounds are those of all wordings: 0.25 + 0.25 are more than 0.4."""
    half, quarter = math.log(0.4), math.log(0.25)
    none = -math.inf
    frontier = frontier_of(
        (1, 7, (half, none)), (0, 5, (quarter, none)), (1, 8, (quarter, quarter)), (0, 6, (half, half))
    )
    best, rest = frontier.split(1)
    assert (best.probes.tolist(), best.nodes.tolist()) == ([0, 1], [6, 8])
    assert (rest.probes.tolist(), rest.nodes.tolist()) == ([0, 1], [5, 7])
    assert join([rest, best]).nodes.tolist() == [5, 7, 6, 8]
    assert len(frontier) == 4
    assert np.exp(frontier.bounds).round(3).tolist() == [0.4, 0.25, 0.5, 0.8]
    above = frontier.above(np.array([math.log(0.5), half]))
    assert above.nodes.tolist() == [7, 8, 6]  # a bound that is reached counts
    dead = frontier_of((0, 5, (none, none)))
    assert len(dead.above(np.array([none]))) == 0


def test_the_best_words_of_each_probe_with_the_first_of_equal_ones_first():
    best = BestWords(3, 2)
    assert best.least.tolist() == [-math.inf] * 3
    best.add(np.array([0, 0, 1, 0]), np.array([4, 3, 9, 5]), np.array([-1.0, -1.0, -5.0, -math.inf]))
    assert best.least.tolist() == [-1.0, -math.inf, -math.inf]
    best.add(np.array([0, 1, 1]), np.array([2, 8, 7]), np.array([-1.0, -2.0, -3.0]))
    assert best.least.tolist() == [-1.0, -3.0, -math.inf]
    found = [(words.tolist(), logprobs.tolist()) for words, logprobs in best]
    assert found == [([2, 3], [-1.0, -1.0]), ([8, 7], [-2.0, -3.0]), ([], [])]


@pytest.mark.parametrize(
    ("chunk", "values", "parts"),
    [
        (99, 99, [3]),
        (2, 99, [2, 1]),
        (1, 99, [1, 1, 1]),
        (3, 99, [2, 1]),
        (4, 99, [3]),
        (99, 4, [1, 2]),
        (99, 5, [1, 2]),
        (99, 1, [1, 1, 1]),
    ],
)
def test_entries_are_opened_in_parts_whose_states_and_children_are_in_memory(tiny, monkeypatch, chunk, values, parts):
    """By hand: the entries have 1, 1 and 2 wordings, and 4, 2 and 0 values of children."""
    monkeypatch.setattr(network_model, "CHUNK", chunk)
    monkeypatch.setattr(word_search, "VALUES_AT_ONCE", values)
    trie = WordTrie.of([(1, 5), (1, 6), (1, 7), (1, 8), (2, 5), (2, 6), (3,)])
    none = -math.inf
    chosen = frontier_of((0, 1, (-1.0, none)), (0, 2, (none, -1.0)), (1, 3, (-1.0, -1.0)))
    assert [len(part) for part in word_search._parts(tiny, trie, chosen)] == parts


def test_a_chain_reads_each_token_where_the_one_before_it_predicts_it():
    assert _chain(Query((1, 2), (1,)), (7,)) == Targets(Query((1, 2), (1,)), (7,))
