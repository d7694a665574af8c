"""The mixture of cut lists against the mixture of whole distributions."""

import numpy as np
import pytest
from relprobe.lm.served.dialect import TopList
from relprobe.lm.served.mixture import TOLERANCE, _certain, mix

SIZE = 400


def cut(p, k):
    best = np.argsort(-p, kind="stable")[:k].astype(np.int32)
    return TopList(best, np.log(p[best]).astype(np.float32), k, int(best[0]))


@pytest.fixture(params=range(5))
def distributions(request):
    """Two distributions that put much on different tokens, as those after "a" and "an" do."""
    random = np.random.default_rng(request.param)
    logits = random.normal(size=(2, SIZE)) * 2 + random.normal(size=SIZE) * 2
    return np.exp(logits) / np.exp(logits).sum(1, keepdims=True)


@pytest.mark.parametrize("k", [40, 100, 200, SIZE])
def test_what_is_called_certain_is_right_and_no_error_exceeds_its_bound(distributions, k):
    weights = [0.8, 0.2]
    truth = weights @ distributions
    lists = [cut(p, k) for p in distributions]
    mixture = mix(lists, weights, complete=k == SIZE)
    errors = np.abs(mixture.logprobs - np.log(truth[mixture.ids]))
    assert (errors <= mixture.errors + 1e-5).all()
    best = np.sort(truth)[::-1]
    for rank in range(mixture.certain):
        assert errors[rank] <= TOLERANCE
        assert truth[mixture.ids[rank]] >= best[rank] * np.exp(-TOLERANCE) * (1 - 1e-5)
    unlisted = np.delete(truth, np.concatenate([one.ids for one in lists]))
    assert unlisted.max(initial=0) <= np.exp(mixture.logprobs[-1]) * (1 + 1e-5)
    if k == SIZE:
        assert mixture.ids.tolist() == np.argsort(-truth, kind="stable").tolist()
        assert mixture.certain == SIZE


def test_longer_lists_make_more_ranks_certain(distributions):
    counts = [mix([cut(p, k) for p in distributions], [0.8, 0.2]).certain for k in (20, 80, 320)]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_one_list_is_exact():
    p = np.array([0.5, 0.3, 0.2])
    mixture = mix([cut(p, 2)], [1.0])
    assert (mixture.ids.tolist(), mixture.certain, mixture.errors.tolist()) == ([0, 1], 2, [0, 0])


def test_the_bounds_of_a_mixture_by_hand():
    """Of 0.75 and 0.25: token 7 is in both lists; 9 lacks in the second, whose last has 0.1, and 8 in the first, 0.2."""
    first, second = (
        TopList(np.array(ids, np.int32), np.log(values).astype(np.float32), 2, 7)
        for ids, values in (([7, 9], [0.6, 0.2]), ([7, 8], [0.4, 0.1]))
    )
    mixture = mix([first, second], [0.75, 0.25])
    assert mixture.ids.tolist() == [7]  # 9 has 0.1625 and 8 has 0.1 on average, and an unlisted one 0.175 at most
    assert np.exp(mixture.logprobs).tolist() == pytest.approx([0.55])
    longer = TopList(np.array([7, 8, 4], np.int32), np.log([0.4, 0.1, 0.01]).astype(np.float32), 3, 7)
    mixture = mix([first, longer], [0.75, 0.25])
    assert mixture.ids.tolist() == [7]
    wide = TopList(np.array([7, 9, 4], np.int32), np.log([0.6, 0.2, 0.01]).astype(np.float32), 3, 7)
    mixture = mix([wide, longer], [0.75, 0.25])
    assert mixture.ids.tolist() == [7, 9, 8, 4]
    assert np.exp(mixture.logprobs).tolist() == pytest.approx([0.55, 0.15125, 0.02875, 0.01], abs=1e-6)
    assert np.exp(mixture.errors).tolist() == pytest.approx([1, 0.15125 / 0.15, 0.02875 / 0.025, 1], abs=1e-6)
    assert mixture.certain == 2
    empty = TopList(np.array([], np.int32), np.array([], np.float32), 0, None)
    assert mix([wide, empty], [0.75, 0.25]).ids.tolist() == [7, 9, 4]
    unequal = [TopList(np.array([3, 5], np.int32), np.log([0.75, 0.25]).astype(np.float32), 2, 3), wide]
    assert mix(unequal[:1], [1.0]).ids.tolist() == [3, 5]


def test_a_rank_is_certain_if_no_later_one_may_stand_above_it_by_more_than_rounding():
    bound = np.exp(TOLERANCE)
    lower = np.array([0.4, 0.2])
    for upper, unlisted, certain in (
        ([0.4, 0.2], 0.1, 2),
        ([0.4, 0.2 * bound * 1.001], 0.1, 1),
        ([0.4, 0.2 * bound * 0.999], 0.1, 2),
        ([0.4, 0.4 * bound * 1.001], 0.1, 0),
        ([0.4, 0.2], 0.2 * bound * 1.001, 1),
        ([0.4, 0.2], 0.4 * bound * 1.001, 0),
    ):
        assert _certain(lower, np.array(upper), unlisted) == certain
