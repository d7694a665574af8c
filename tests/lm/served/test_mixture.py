"""The mixture of cut lists against the mixture of whole distributions."""

import numpy as np
import pytest
from relprobe.lm.served.dialect import TopList
from relprobe.lm.served.mixture import TOLERANCE, mix

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
