"""The exact p of Wilcoxon tests of few differences equals that of scipy, but is computed faster."""

import time

import numpy as np
import pytest
from relprobe.stats import wilcoxon
from scipy import stats as scipy_stats


@pytest.mark.parametrize("n", [1, 2, 4, 7, 9])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_p_with_ties_is_that_of_scipy(n, seed):
    difference = np.random.default_rng(seed).choice([-0.5, -0.25, 0.25, 0.5, 0.75], n)
    expected = scipy_stats.wilcoxon(difference).pvalue
    assert wilcoxon(difference, np.zeros(n)).p == pytest.approx(expected)


@pytest.mark.parametrize("n", [3, 13, 14])
def test_the_p_without_ties_is_that_of_scipy(n):
    difference = np.arange(1, n + 1) * np.where(np.arange(n) % 3, 1.0, -1.0)
    assert wilcoxon(difference, np.zeros(n)).p == pytest.approx(scipy_stats.wilcoxon(difference, method="exact").pvalue)


def test_the_p_with_ties_by_hand():
    # +1 +1 -1 +2: ranks 2 2 2 4, sum 10 - 2 · 2 = 6; of the 16 patterns, 10 once and 6 three times, and their opposites
    assert wilcoxon(np.array([1.0, 1.0, 0.0, 2.0]), np.array([0.0, 0.0, 1.0, 0.0])).p == pytest.approx(8 / 16)


def test_a_hundred_tests_of_tied_differences_take_less_than_a_second():
    difference = np.repeat([0.5, -0.25], [9, 4])
    started = time.process_time()
    for _ in range(100):
        wilcoxon(difference, np.zeros(13))
    assert time.process_time() - started < 1
