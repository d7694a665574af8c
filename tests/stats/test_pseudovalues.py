"""Pseudovalues: their mean is the statistic, by scipy or by hand, and they are those of leaving each pair out."""

import numpy as np
import pytest
from relprobe.stats import linked_interval, linked_items
from relprobe.stats.pseudovalues import (
    auc_values,
    balanced_accuracy_values,
    calibration_values,
    pseudovalues,
    spearman_values,
)
from scipy.stats import mannwhitneyu, spearmanr

DRAWS = 100


def cases(fewest=4):
    """Scores with ties, and which pairs are right: two of each kind at least."""
    draws = np.random.default_rng(1)
    while True:
        size = int(draws.integers(fewest + 2, 30))
        right = draws.random(size) < 0.4
        if min(right.sum(), (~right).sum()) > 2:
            yield draws.integers(0, 11, size) / 10, right


def auc(scores, right):
    return mannwhitneyu(scores[right], scores[~right]).statistic / (right.sum() * (~right).sum())


def balanced(probabilities, right):
    yes = np.where(probabilities == 0.5, 0.5, probabilities > 0.5)
    return (yes[right].mean() + 1 - yes[~right].mean()) / 2


def calibration(probabilities, right):
    bins = np.minimum((probabilities * 10).astype(int), 9)
    parts = [bins == one for one in set(bins)]
    return sum(part.mean() * abs(right[part].mean() - probabilities[part].mean()) for part in parts)


@pytest.mark.parametrize(
    ("values", "statistic"),
    [(auc_values, auc), (balanced_accuracy_values, balanced), (calibration_values, calibration)],
)
def test_the_mean_is_the_statistic_and_the_rest_is_what_a_pair_less_changes(values, statistic):
    drawn = cases()
    for _ in range(DRAWS):
        scores, right = next(drawn)
        found, n = values(scores, right), len(scores)
        assert found.mean() == pytest.approx(statistic(scores, right))
        without = [statistic(np.delete(scores, one), np.delete(right, one)) for one in range(n)]
        by_hand = n * statistic(scores, right) - (n - 1) * np.array(without)
        assert found - found.mean() == pytest.approx(by_hand - by_hand.mean(), abs=1e-9)


def test_spearman_is_scipys_on_drawn_cases_with_ties():
    draws = np.random.default_rng(2)
    for _ in range(DRAWS):
        x = draws.integers(0, 8, int(draws.integers(4, 30))).astype(float)
        y = x + draws.integers(0, 6, len(x))
        if min(len(set(x)), len(set(y))) < 4:
            continue
        found, whole = spearman_values(x, y), spearmanr(x, y).statistic
        assert found.mean() == pytest.approx(whole)
        without = [spearmanr(np.delete(x, one), np.delete(y, one)).statistic for one in range(len(x))]
        by_hand = len(x) * whole - (len(x) - 1) * np.nan_to_num(without)
        assert found - found.mean() == pytest.approx(by_hand - by_hand.mean(), abs=1e-8)


def test_by_hand():
    # Ranks 1 to 4 beside 1, 3, 2, 4: ρ = 1 - 6 · 2 / (4 · 15) = 0.8.
    assert spearman_values(np.array([1.0, 2, 3, 4]), np.array([10.0, 30, 20, 40])).mean() == pytest.approx(0.8)
    # Of two right and two wrong pairs three of four comparisons are won.
    assert auc_values(np.array([0.9, 0.4, 0.6, 0.1]), np.array([True, True, False, False])).mean() == 0.75
    # Yes to both right pairs and to one of three wrong ones: (1 + 2/3) / 2.
    right = np.array([True, True, False, False, False])
    assert balanced_accuracy_values(np.array([0.9, 0.8, 0.7, 0.2, 0.1]), right).mean() == pytest.approx(5 / 6)
    # 0.9 was said of four pairs, of which two are right.
    assert calibration_values(np.full(4, 0.9), np.array([1, 1, 0, 0], bool)).mean() == pytest.approx(0.4)


def test_those_of_a_mean_are_the_values_themselves():
    values = np.array([0.0, 1.0, 5.0, 2.0])
    without = (values.sum() - values) / 3
    assert pseudovalues(values.mean(), without) == pytest.approx(values)


def test_who_says_the_same_of_all_has_no_correlation_and_half_of_the_rest():
    ratings, right = np.arange(8.0), np.arange(8) < 3
    assert spearman_values(ratings, np.ones(8)) == pytest.approx(np.zeros(8))
    assert auc_values(np.ones(8), right) == pytest.approx(np.full(8, 0.5))
    assert balanced_accuracy_values(np.ones(8), right).mean() == 0.5


def test_the_interval_of_a_correlation_holds_its_true_value():
    """Of 200 studies of 60 independent pairs, the interval of some 95 % has the correlation of all pairs."""
    draws, held = np.random.default_rng(3), 0
    true = 6 / np.pi * np.arcsin(0.6 / 2)  # Spearman's of two normal numbers with Pearson's 0.6
    none = linked_items(np.array([], int), np.array([], int), 60)
    for _ in range(200):
        x = draws.normal(size=60)
        interval = linked_interval(spearman_values(x, 0.6 * x + 0.8 * draws.normal(size=60)), none)
        held += interval.low <= true <= interval.high
    assert 0.9 <= held / 200 <= 0.99


def test_too_few_pairs_are_an_error():
    with pytest.raises(ValueError, match="three pairs"):
        spearman_values(np.arange(2.0), np.arange(2.0))
    with pytest.raises(ValueError, match="two of each"):
        auc_values(np.arange(3.0), np.array([True, False, False]))


def test_a_calibration_error_needs_two_pairs():
    with pytest.raises(ValueError, match="needs two pairs, and not 1"):
        calibration_values(np.array([0.5]), np.array([True]))


def test_a_calibration_error_has_ten_bins():
    """As the page of pairs says: of nine bins the first two values share the first, of eleven the last two the fourth."""
    probabilities, right = np.array([0.09, 0.11, 0.29, 0.301]), np.array([True, False, True, False])
    assert calibration_values(probabilities, right).mean() == pytest.approx((0.91 + 0.11 + 0.71 + 0.301) / 4)
