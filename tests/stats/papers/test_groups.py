"""The tests of Shapiro and Wilk and of Kruskal and Wallis."""

import numpy as np
import pytest
from relprobe.stats import kruskal_wallis, levene, mann_whitney, shapiro
from scipy import stats as scipy_stats


def array(*values):
    return np.array(values, float)


def test_kruskal_wallis_by_hand():
    # ranks 1 2 3 and 4 5 6: H = 12 / (6·7) · (6²/3 + 15²/3) - 3·7 = 27/7; epsilon squared H / 5 = 27/35
    result = kruskal_wallis([array(1, 2, 3), array(4, 5, 6)])
    assert (result.name, result.n, result.note) == ("Kruskal-Wallis", 6, None)
    assert result.effect == pytest.approx(27 / 35)
    assert result.p == pytest.approx(scipy_stats.chi2.sf(27 / 7, 1))


def test_kruskal_wallis_corrects_for_ties():
    # ranks 1½ 1½ and 3½ 3½: H = 12 / (4·5) · (3²/2 + 7²/2) - 3·5 = 12/5; ties: 1 - 2·(2³ - 2) / (4³ - 4) = 4/5; H = 3
    result = kruskal_wallis([array(1, 1), array(2, 2)])
    assert result.effect == pytest.approx(1)
    assert result.p == pytest.approx(scipy_stats.chi2.sf(3, 1))


def test_float_noise_is_a_tie():
    assert kruskal_wallis([array(0.3, 1), array(0.1 + 0.2, 2)]) == kruskal_wallis([array(0.3, 1), array(0.3, 2)])
    several = array(0.3, 1, 0.3, 2, 0.1)
    assert mann_whitney(several, array(0.1 + 0.2, 4)) == mann_whitney(several, array(0.3, 4))
    noisy, exact = ([array(0.3, middle, 0.9), array(0.3, 0.5)] for middle in (0.1 + 0.2, 0.3))
    assert levene(noisy) == levene(exact)


@pytest.mark.parametrize(
    ("groups", "note"),
    [
        ([array(1, 2), array()], "fewer than two groups, or an empty one"),
        ([array(1, 2)], "fewer than two groups, or an empty one"),
        ([array(1, 2), array(3, 4), array()], "fewer than two groups, or an empty one"),
        ([array(1, 1), array(1)], "all values are equal"),
    ],
)
def test_kruskal_wallis_says_why_it_cannot_test(groups, note):
    result = kruskal_wallis(groups)
    assert (result.p, result.n) == (None, sum(map(len, groups)))
    assert result.effect == (0 if note == "all values are equal" else None)
    assert result.note == f"not testable: {note}"


def test_shapiro_tells_a_normal_sample_from_a_skewed_one():
    normal = scipy_stats.norm.ppf(np.linspace(0.01, 0.99, 99))
    assert shapiro(normal).p > 0.9
    assert shapiro(np.exp(2 * normal)).p < 1e-9
    assert shapiro(normal).effect > 0.99


def test_shapiro_of_many_values_has_no_warning():
    assert shapiro(np.linspace(0, 1, 5001)).p < 1e-9


@pytest.mark.parametrize(
    ("values", "note"), [(array(1, 2), "fewer than three values"), (array(1, 1, 1), "all values are equal")]
)
def test_shapiro_says_why_it_cannot_test(values, note):
    assert shapiro(values).p is None
    assert shapiro(values).note == f"not testable: {note}"
