"""Random inputs in batches, in tries or in groups of one length, give the results that each input gives alone."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.lm.primitives.stream import target_logprobs
from relprobe.lm.requests import Query, Targets

from tests.lm import naive
from tests.lm.architectures import LENGTH, model

TOKENS = st.integers(5, 8)  # few, so that inputs begin alike
INPUTS = st.lists(
    st.one_of(
        st.lists(TOKENS, min_size=1, max_size=1),
        st.lists(TOKENS, min_size=1, max_size=12),
        st.lists(TOKENS, min_size=LENGTH, max_size=LENGTH),
        st.builds(lambda stem, rest: [5] * stem + rest, st.integers(1, 50), st.lists(TOKENS, max_size=14)),
    ),
    min_size=1,
    max_size=12,
)


def path_of(name, path):
    return replace(model(name), path=path)


CASES = [
    ("llama", "packed"),
    ("gemma2", "packed"),
    ("gemma3", "packed"),
    ("gpt2", "packed"),
    ("gpt_oss", "packed"),
    ("llama", "grouped"),
    ("bert", "grouped"),
]


@pytest.mark.parametrize(("name", "path"), CASES)
@given(inputs=INPUTS, budget=st.integers(1, 600), rows=st.integers(1, 9), data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_result_depends_on_its_input_alone(name, path, inputs, budget, rows, data):
    scorer = replace(path_of(name, path), budget=budget, head_rows=rows)
    inputs = inputs + data.draw(st.lists(st.sampled_from(inputs), max_size=4))  # some come again
    targets = []
    for ids in inputs:
        positions = data.draw(st.lists(st.integers(0, len(ids) - 1), min_size=1, max_size=3))
        tokens = data.draw(st.lists(st.integers(0, 99), min_size=len(positions), max_size=len(positions)))
        targets.append(Targets(Query(tuple(ids), tuple(positions)), tuple(tokens)))
    values = target_logprobs(scorer, targets)
    expected = []
    for target in targets:
        rows_ = naive.logprobs(scorer.net, target.query.ids)
        expected += [rows_[p, t].item() for p, t in zip(target.query.positions, target.tokens, strict=True)]
    torch.testing.assert_close(torch.from_numpy(values), torch.tensor(expected), rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ["llama", "gemma3"])
def test_a_common_beginning_is_computed_once(name, monkeypatch):
    scorer = replace(model(name))
    sizes = []
    body = scorer._body
    scorer._body = lambda **inputs: sizes.append(inputs["input_ids"].numel()) or body(**inputs)
    stem = (5,) * 40
    scorer.states([Query((*stem, last), (40,)) for last in range(5, 45)] * 3)
    assert sum(sizes) == 80  # 40 shared and 40 own tokens, where one by one they are 4,920
    assert (scorer.inputs, scorer.tokens) == (40, sum(sizes))


def test_the_head_reads_a_common_beginning_once(monkeypatch):
    scorer = replace(model("llama"))
    rows = []
    head = scorer.head
    monkeypatch.setattr(scorer, "head", lambda states: rows.append(len(states)) or head(states))
    ids = [(5, 6, 7, last) for last in range(5, 15)]
    targets = [Targets(Query(own, (0, 1, 2)), own[1:]) for own in ids]
    values = target_logprobs(scorer, targets).reshape(10, 3)
    assert rows == [3]  # the last tokens are not read, and all inputs have the same three before
    assert (values[:, :2] == values[:1, :2]).all() and len(set(values[:, 2].tolist())) == 10


def test_the_beginning_of_all_inputs_is_computed_once_a_batch():
    scorer = replace(model("llama"), budget=200)
    sizes = []
    body = scorer._body
    scorer._body = lambda **inputs: sizes.append(inputs["input_ids"].numel()) or body(**inputs)
    context = (5,) * 40
    scorer.states([Query((*context, first, last), (41,)) for first in range(5, 15) for last in range(5, 25)])
    # A branch is one node and its 20 leaves, 21 nodes. The first batch has the context, seven branches, and the node and 12
    # leaves of the eighth: 40 + 7 * 21 + 13 = 200. The second has the context, the node and the other 8 leaves of the
    # eighth branch, and two branches: 40 + 9 + 42 = 91.
    assert sizes == [200, 91]
