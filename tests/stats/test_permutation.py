from itertools import product

import numpy as np
import pytest
from relprobe.stats import exchange_test, null_p, sign_flip
from relprobe.stats.permutation import _random_patterns, random_exchanges
from relprobe.stats.resampling import resamples


def by_hand(sums):
    """Return the share of all patterns of signs whose total is at least as far from zero."""
    totals = [abs(np.dot(signs, sums)) for signs in product([1, -1], repeat=len(sums))]
    return float(np.mean(np.array(totals) >= abs(sum(sums)) - 1e-9))


def p_of(*sums):
    return sign_flip(np.array(sums, float)[:, None], seed=1)[0]


@pytest.mark.parametrize(
    "sums", [[3, 2, 1], [1, 1, 1, -1], [0.5, -0.25, 2, 1], list(range(1, 11)), [5], [1, -1], [0, 3, 0, 2, 1]]
)
def test_few_clusters_are_counted_over_all_patterns(sums):
    assert p_of(*sums) == pytest.approx(by_hand(sums))


def test_without_any_difference_p_is_one():
    assert p_of(0, 0, 0) == 1.0


def test_float_noise_breaks_no_tie():
    # 0.1 + 0.2 - 0.3 is 5.6e-17, and not as far from zero as nothing
    assert p_of(0.1 + 0.2 - 0.3, 1, 1) == p_of(0, 1, 1) == 0.5


def test_columns_have_the_p_that_they_have_alone():
    generator = np.random.default_rng(3)
    sums = generator.normal(size=(40, 6)).round(2)
    sums[8:, 1] = 0  # exact
    sums[:, 2] = 0
    together = sign_flip(sums, seed=1)
    assert together.tolist() == [sign_flip(sums[:, [i]], seed=1)[0] for i in range(6)]
    assert together[1] == pytest.approx(by_hand(sums[:8, 1]))
    assert together[2] == 1.0


def test_random_patterns_agree_with_all_patterns_to_the_error_of_10000():
    sums = np.array([1.0, 2, -1, 3, 2, 2, -1, 1, 1, 2])
    expected = by_hand(sums)  # standard error √(p (1 - p) / 10,000) < 0.005
    assert _random_patterns(sums[:, None], 1, 10_000)[0] == pytest.approx(expected, abs=0.015)


def test_p_of_random_patterns_is_never_zero_and_is_seeded():
    sums = np.ones((100, 1))
    assert sign_flip(sums, seed=1, flips=999)[0] == pytest.approx(1 / 1000)
    mixed = np.random.default_rng(2).normal(0.1, 1, size=(60, 1))
    assert sign_flip(mixed, seed=5)[0] == sign_flip(mixed, seed=5)[0] != sign_flip(mixed, seed=6)[0]


def test_chunks_of_patterns_make_up_all_draws(monkeypatch):
    sums = np.random.default_rng(2).normal(0.2, 1, size=(50, 2))
    whole = sign_flip(sums, seed=1, flips=2000)
    monkeypatch.setattr("relprobe.stats.permutation.CELLS", 50 * 300)
    assert sign_flip(sums, seed=1, flips=2000) == pytest.approx(whole, abs=0.03)


def test_no_chunk_of_patterns_or_resamples_holds_more_cells_than_are_allowed(monkeypatch):
    for module in ("permutation", "resampling"):
        monkeypatch.setattr(f"relprobe.stats.{module}.CELLS", 12)
    for chunks in (list(random_exchanges(4, 1, 8)), list(resamples(4, 1, 8))):
        assert [chunk.shape for chunk in chunks] == [(3, 4), (3, 4), (2, 4)]
    # one row is the least, however many cells it has
    for chunks in (list(random_exchanges(13, 1, 2)), list(resamples(13, 1, 2))):
        assert [chunk.shape for chunk in chunks] == [(1, 13), (1, 13)]
    assert not np.array_equal(*resamples(13, 1, 2))


@pytest.mark.parametrize("clusters", [9, 60])
def test_exchanging_values_of_a_mean_is_flipping_signs(clusters):
    a, b = np.random.default_rng(4).normal(size=(2, clusters)).round(2)
    a += 0.3

    def difference(swap):
        return (np.where(swap, b, a) - np.where(swap, a, b)).sum(axis=1)

    assert exchange_test(difference, clusters, seed=1) == pytest.approx(p_of(*(a - b)))


def test_the_p_above_chance_counts_the_observed_value_too():
    assert null_p(2.0, np.array([0.0, 1.0, 2.0, 3.0])) == pytest.approx(3 / 5)
    assert null_p(9.0, np.zeros(99)) == pytest.approx(1 / 100)


def test_up_to_fifteen_clusters_all_patterns_are_counted_and_above_ten_thousand_are_drawn():
    """As docs/statistics-details.md says. Forty clusters of one sign are met by none of the patterns that are drawn."""

    def one_sign(exchanges):
        return (1.0 - 2 * exchanges).sum(axis=1)

    for clusters, p in ((15, 2 / 2**15), (40, 1 / 10_001)):
        assert p_of(*[1] * clusters) == exchange_test(one_sign, clusters, seed=1) == p
    assert min(p_of(*[1] * 16), exchange_test(one_sign, 16, seed=1)) >= 1 / 10_001 > 2 / 2**16
