"""Where a p of all orders or signs ends and an approximation begins: the value on either side, by hand."""

import numpy as np
import pytest
from relprobe.stats import mcnemar, spearman, wilcoxon
from relprobe.stats.chance_levels import chance_p
from relprobe.stats.permutation import exchange_test, sign_flip
from scipy.stats import binom, chi2, norm, t


def test_spearman_goes_through_all_orders_of_seven_units():
    order = np.arange(7.0)
    assert spearman(order, order).p == pytest.approx(2 / 5040)
    # Of eight units the last two are exchanged: rho = 1 - 6 · 2 / (8 · 63).
    moved, rho = np.array([0.0, 1, 2, 3, 4, 5, 7, 6]), 1 - 12 / 504
    assert spearman(np.arange(8.0), moved).p == pytest.approx(2 * t.sf(rho * np.sqrt(6 / (1 - rho**2)), 6))


def test_wilcoxon_goes_through_all_signs_of_thirteen_differences():
    """All differences are 1, so that W+ is the sum of the ranks; one of 0 does not count."""
    assert wilcoxon(np.array([1.0] * 13 + [0.0]), np.zeros(14)).p == pytest.approx(2 / 2**13)
    variance = 14 * 15 * 29 / 24 - (14**3 - 14) / 48
    assert wilcoxon(np.ones(14), np.zeros(14)).p == pytest.approx(2 * norm.sf(52.5 / np.sqrt(variance)))


def test_mcnemar_is_exact_below_25_units_that_differ():
    ones, zeros = np.ones(25), np.zeros(25)
    assert mcnemar(np.append(ones[1:], 1), np.append(zeros[1:], 1)).p == pytest.approx(2 / 2**24)
    assert mcnemar(ones, zeros).p == pytest.approx(chi2.sf(24**2 / 25, 1))


@pytest.mark.parametrize(("clusters", "least"), [(15, 2 / 2**15), (16, 1 / 1000)])
def test_all_signs_of_fifteen_clusters_are_tried_and_of_more_as_many_as_are_drawn(clusters, least):
    """The observed pattern is the most extreme one, and one of 2¹⁶ is hardly drawn; 999 are, and the observed one counts."""
    sums = np.ones((clusters, 1))
    assert sign_flip(sums, seed=1, flips=999).tolist() == [least]
    assert exchange_test(lambda swap: (1 - 2 * swap).sum(axis=1), clusters, seed=1, draws=999) == least


def test_a_number_of_right_guesses_is_exact_for_a_thousand_units():
    exact = 2 * (binom.sf(530, 1000, 0.5) + binom.pmf(530, 1000, 0.5) / 2)
    assert chance_p(530.0, np.full(1000, 0.5)) == pytest.approx(exact, rel=1e-9)
    normal = 2 * norm.sf((530 - 500.5) / np.sqrt(1001 / 4))
    assert chance_p(530.0, np.full(1001, 0.5)) == pytest.approx(normal, rel=1e-9)
    assert exact != pytest.approx(2 * norm.sf(30 / np.sqrt(250)), rel=1e-6)
