"""Random inputs through the batches: in tries or grouped, they mean what each means alone."""

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
    ("llama", "blocks"),
    ("gemma3", "blocks"),
    ("gpt2", "blocks"),
    ("gemma3", "trie"),
    ("llama", "grouped"),
    ("bert", "grouped"),
]


@pytest.mark.parametrize(("name", "path"), CASES)
@given(inputs=INPUTS, budget=st.integers(1, 600), rows=st.integers(1, 9), data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_result_depends_on_its_input_alone(name, path, inputs, budget, rows, data):
    scorer = replace(path_of(name, path), budget=budget, head_rows=rows)
    inputs = inputs + data.draw(st.lists(st.sampled_from(inputs), max_size=4))  # some come again
    wanted = []
    for ids in inputs:
        positions = data.draw(st.lists(st.integers(0, len(ids) - 1), min_size=1, max_size=3))
        tokens = data.draw(st.lists(st.integers(0, 99), min_size=len(positions), max_size=len(positions)))
        wanted.append(Targets(Query(tuple(ids), tuple(positions)), tuple(tokens)))
    found = target_logprobs(scorer, wanted)
    expected = []
    for target in wanted:
        rows_ = naive.logprobs(scorer.net, target.query.ids)
        expected += [rows_[p, t].item() for p, t in zip(target.query.positions, target.tokens, strict=True)]
    torch.testing.assert_close(torch.from_numpy(found), torch.tensor(expected), rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ["llama", "gemma3"])
def test_shared_beginnings_are_computed_once(name, monkeypatch):
    scorer = replace(model(name))
    computed = []
    body = scorer._body
    scorer._body = lambda **inputs: computed.append(inputs["input_ids"].numel()) or body(**inputs)
    stem = (5,) * 40
    scorer.states([Query((*stem, last), (40,)) for last in range(5, 45)] * 3)
    assert sum(computed) == 80  # 40 shared and 40 own tokens, where one by one they are 4,920
    assert (scorer.inputs, scorer.tokens) == (40, sum(computed))


def test_what_all_inputs_begin_with_is_computed_once_a_batch():
    scorer = replace(model("llama"), budget=200)
    computed = []
    body = scorer._body
    scorer._body = lambda **inputs: computed.append(inputs["input_ids"].numel()) or body(**inputs)
    context = (5,) * 40
    scorer.states([Query((*context, first, last), (41,)) for first in range(5, 15) for last in range(5, 25)])
    # A first token of a branch and its 20 last ones are 21 nodes: 40 + 7 * 21 = 187 and 13 of the eighth branch make 200,
    # for its second node is its first leaf. The other 8 leaves of it and two branches follow: 40 + 1 + 8 + 42.
    assert computed == [200, 91]
