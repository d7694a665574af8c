"""The tests of McNemar and of Wilcoxon."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.stats import mcnemar, wilcoxon
from scipy import stats as scipy_stats


def paired(wins, losses, both=0, neither=0):
    """Return 0/1 values of two agents; a alone is right on `wins` units, b alone on `losses`."""
    a = [1] * wins + [0] * losses + [1] * both + [0] * neither
    b = [0] * wins + [1] * losses + [1] * both + [0] * neither
    return np.array(a, float), np.array(b, float)


def test_mcnemar_below_25_discordant_pairs_is_the_exact_binomial_test():
    # 2 · P(at most 1 of 4 | 1/2) = 2 · (1 + 4)/16
    result = mcnemar(*paired(wins=3, losses=1, both=5, neither=7))
    assert result.p == pytest.approx(float(Fraction(10, 16)))
    assert (result.name, result.n, result.effect, result.note) == ("McNemar", 16, 0.25, None)


@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (0, 5), (7, 7), (20, 4), (10, 14)])
def test_mcnemar_agrees_with_the_binomial_test(wins, losses):
    expected = scipy_stats.binomtest(wins, wins + losses).pvalue
    assert mcnemar(*paired(wins, losses, both=3)).p == pytest.approx(expected)


@pytest.mark.parametrize(("wins", "losses"), [(20, 5), (13, 12), (60, 30)])
def test_mcnemar_from_25_discordant_pairs_is_chi_squared_with_continuity_correction(wins, losses):
    statistic = (abs(wins - losses) - 1) ** 2 / (wins + losses)
    assert mcnemar(*paired(wins, losses)).p == pytest.approx(scipy_stats.chi2.sf(statistic, 1))


def test_mcnemar_without_discordant_pairs_is_one():
    result = mcnemar(*paired(0, 0, both=4, neither=2))
    assert (result.n, result.effect, result.p, result.note) == (6, 0.0, 1.0, None)


def test_mcnemar_swapped_has_the_same_p_and_the_opposite_effect():
    one, other = mcnemar(*paired(9, 2, both=1)), mcnemar(*paired(2, 9, both=1))
    assert one.p == pytest.approx(other.p)
    assert one.effect == pytest.approx(9 / 11 - 1 / 2)
    assert other.effect == pytest.approx(2 / 11 - 1 / 2)


@pytest.mark.parametrize("test", [mcnemar, wilcoxon])
def test_without_units_there_is_no_p(test):
    result = test(np.array([]), np.array([]))
    assert (result.n, result.p, result.effect, result.note) == (0, None, None, "no unit in common")


def test_wilcoxon_on_a_small_sample_is_exact():
    # all of 5 differences positive: 2 of the 2^5 sign patterns are as extreme
    result = wilcoxon(np.array([0.1, 0.3, 0.5, 0.7, 0.9]), np.array([0.0, 0.1, 0.2, 0.3, 0.4]))
    assert result.p == pytest.approx(float(Fraction(2, 32)))
    assert (result.name, result.n, result.effect) == ("Wilcoxon", 5, 1.0)


def test_wilcoxon_effect_is_the_rank_biserial_correlation():
    # differences 1, -2, 3, 4: ranks 1, 2, 3, 4; (1 - 2 + 3 + 4)/10
    result = wilcoxon(np.array([1.0, 0.0, 3.0, 4.0]), np.array([0.0, 2.0, 0.0, 0.0]))
    assert result.effect == pytest.approx(6 / 10)


def test_wilcoxon_drops_differences_of_zero_but_counts_their_units():
    a, b = np.array([0.1, 0.3, 0.5, 0.7, 0.9]), np.array([0.0, 0.1, 0.2, 0.3, 0.4])
    padded = wilcoxon(np.append(a, [0.5] * 10), np.append(b, [0.5] * 10))
    assert padded.n == 15
    assert padded.p == pytest.approx(wilcoxon(a, b).p)
    assert padded.effect == 1.0


def test_wilcoxon_ignores_float_noise():
    a = np.array([0.1 + 0.2, 0.5, 0.7, 0.9])
    b = np.array([0.3, 0.4, 0.5, 0.6])
    assert wilcoxon(a, b).p == pytest.approx(wilcoxon(np.array([0.3, 0.5, 0.7, 0.9]), b).p)


@pytest.mark.parametrize("noise", [0.0, 1e-12])
def test_wilcoxon_on_equal_values_is_not_testable(noise):
    result = wilcoxon(np.full(8, 0.5) + noise, np.full(8, 0.5))
    assert (result.n, result.p, result.effect, result.note) == (8, None, 0.0, "not testable: all pairs are equal")


def test_wilcoxon_on_a_constant_difference_has_a_p():
    result = wilcoxon(np.full(30, 0.75), np.full(30, 0.5))
    assert result.effect == 1.0
    assert 0 < result.p < 1e-5


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=30))
def test_any_paired_values_have_a_result_in_range(pairs):
    a, b = np.array(pairs, float).reshape(-1, 2).T
    for result in (wilcoxon(a, b), mcnemar(a.round(), b.round())):
        assert result.n == len(pairs)
        assert result.p is None or 0 <= result.p <= 1
        assert result.effect is None or -1 <= result.effect <= 1
        assert (result.p is None) == (result.note is not None)


def test_mcnemar_refuses_shares():
    result = mcnemar(np.array([1.0, 0.5]), np.array([0.0, 1.0]))
    assert (result.n, result.p, result.note) == (2, None, "not testable: values other than 0 and 1")
