"""The tests of Levene, Mann and Whitney, Kolmogorov and Smirnov, and Spearman, and the bootstrap."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relprobe.stats import kolmogorov_smirnov, levene, mann_whitney, spearman
from scipy import stats as scipy_stats


def array(*values):
    return np.array(values, float)


def test_levene_by_hand():
    # medians 1 and 3; deviations 1 0 1 and 3 0 3, means 2/3 and 2: between 3·(2/3)²·2 = 8/3, within 2/3 + 6 = 20/3
    result = levene([array(0, 1, 2), array(0, 3, 6)])
    assert (result.name, result.n, result.note) == ("Levene", 6, None)
    assert result.effect == pytest.approx(float(Fraction(8, 28)))
    assert result.p == pytest.approx(scipy_stats.f.sf((8 / 3) / (20 / 3 / 4), 1, 4))


def test_levene_is_that_of_scipy_centred_on_the_median():
    rng = np.random.default_rng(1)
    groups = [rng.normal(0, scale, size) for scale, size in ((1, 30), (2, 40), (1.5, 25))]
    assert levene(groups).p == pytest.approx(scipy_stats.levene(*groups, center="median").pvalue)


def test_levene_of_rare_successes_compares_the_means():
    groups = [np.repeat([1.0, 0.0], [1, 19]), np.repeat([1.0, 0.0], [8, 12])]
    assert levene(groups).p == pytest.approx(scipy_stats.f_oneway(*groups).pvalue)


@pytest.mark.parametrize(
    ("groups", "note"),
    [
        ([], "fewer than two groups"),
        ([array(0, 1)], "fewer than two groups"),
        ([array(0, 1), array()], "fewer than two groups"),
        ([array(1, 1), array(0, 0, 0)], "every group is constant"),
        ([array(0.1 + 0.2, 0.3), array(1, 1)], "every group is constant"),
        ([array(0, 1), array(0, 2)], "the deviations from the median do not vary within any group"),
        ([array(1), array(2)], "every group is constant"),
    ],
)
def test_levene_says_why_it_cannot_test(groups, note):
    result = levene(groups)
    assert (result.effect, result.p, result.note) == (None, None, f"not testable: {note}")


def test_levene_leaves_empty_groups_out():
    groups = [array(0, 1, 2), array(0, 3, 6)]
    assert levene([*groups, array()]) == levene(groups)


def test_mann_whitney_on_a_small_sample_is_exact():
    # a above b in every pair: 2 of the 6!/(3! 3!) = 20 orders are as extreme
    result = mann_whitney(array(4, 5, 6), array(1, 2, 3))
    assert (result.name, result.n, result.effect, result.note) == ("Mann-Whitney", 6, 1.0, None)
    assert result.p == pytest.approx(2 / 20)


def test_mann_whitney_effect_counts_ties_for_neither():
    # pairs (1, 1) tie, (1, 2) loss, (3, 1) win, (3, 2) win: (2 - 1)/4
    assert mann_whitney(array(1, 3), array(1, 2)).effect == pytest.approx(1 / 4)


def test_mann_whitney_swapped_has_the_opposite_effect():
    a, b = array(1, 5, 2, 8), array(3, 3, 4)
    assert mann_whitney(a, b).effect == pytest.approx(-mann_whitney(b, a).effect)
    assert mann_whitney(a, b).p == pytest.approx(mann_whitney(b, a).p)


@pytest.mark.parametrize(("a", "b"), [(array(), array(1)), (array(1), array()), (array(), array())])
def test_mann_whitney_without_values_is_not_testable(a, b):
    result = mann_whitney(a, b)
    assert (result.n, result.effect, result.p) == (len(a) + len(b), None, None)
    assert result.note == "not testable: a sample is empty"


def test_mann_whitney_of_equal_values_is_not_testable():
    result = mann_whitney(array(0.3, 0.3), array(0.1 + 0.2))
    assert (result.effect, result.p, result.note) == (0.0, None, "not testable: all values are equal")


def test_kolmogorov_smirnov_on_a_small_sample_is_exact():
    # the distribution functions differ most between 2 and 3: 1 - 1/3
    result = kolmogorov_smirnov(array(1, 2, 4), array(1.5, 1.75))
    assert (result.name, result.n, result.note) == ("Kolmogorov-Smirnov", 5, None)
    assert result.effect == pytest.approx(2 / 3)
    assert result.p == pytest.approx(scipy_stats.ks_2samp([1, 2, 4], [1.5, 1.75], method="exact").pvalue)


@pytest.mark.parametrize(("a", "b"), [(array(), array(1)), (array(1), array())])
def test_kolmogorov_smirnov_without_values_is_not_testable(a, b):
    result = kolmogorov_smirnov(a, b)
    assert (result.n, result.effect, result.p, result.note) == (1, None, None, "not testable: a sample is empty")


def test_spearman_by_hand():
    # ranks 1 2 3 4 5 and 2 1 4 3 5: 1 - 6·4/(5·24)
    result = spearman(array(10, 20, 30, 40, 50), array(0.2, 0.1, 0.4, 0.3, 0.9))
    assert (result.name, result.n, result.note) == ("Spearman", 5, None)
    assert result.effect == pytest.approx(0.8)


def test_spearman_on_a_small_sample_is_exact():
    # 2 of the 4! orders are as extreme; the t approximation would say p = 0
    assert spearman(array(1, 2, 3, 4), array(8, 6, 4, 2)).p == pytest.approx(2 / 24)


@pytest.mark.parametrize("n", [8, 50])
def test_spearman_above_is_that_of_scipy_with_ties(n):
    rng = np.random.default_rng(n)
    x, y = rng.integers(0, 5, n).astype(float), rng.integers(0, 5, n).astype(float)
    expected = scipy_stats.spearmanr(x, y)
    assert spearman(x, y).effect == pytest.approx(expected.statistic)
    assert spearman(x, y).p == pytest.approx(expected.pvalue)


def test_spearman_of_a_perfect_order_has_a_p():
    result = spearman(np.arange(20.0), np.arange(20.0))
    assert result.effect == pytest.approx(1.0)
    assert 0 <= result.p < 1e-12


@pytest.mark.parametrize(
    ("x", "y", "note"),
    [
        (array(), array(), "fewer than three units"),
        (array(1, 2), array(1, 2), "fewer than three units"),
        (array(1, 1, 1), array(1, 2, 3), "a variable is constant"),
        (array(1, 2, 3), array(0.3, 0.1 + 0.2, 0.3), "a variable is constant"),
    ],
)
def test_spearman_says_why_it_cannot_test(x, y, note):
    result = spearman(x, y)
    assert (result.n, result.effect, result.p, result.note) == (len(x), None, None, f"not testable: {note}")


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1)), max_size=20))
def test_any_values_have_a_result_in_range_or_a_reason(pairs):
    a, b = np.array(pairs, float).reshape(-1, 2).T
    for result in (spearman(a, b), mann_whitney(a, b), levene([a, b])):
        assert result.p is None or 0 <= result.p <= 1
        assert result.effect is None or -1 <= result.effect <= 1
        assert (result.p is None) == (result.note is not None)
