import itertools

import numpy as np
import pytest
from relprobe.stats import holm, max_t, sign_flip, slope_weights, step_down


def test_the_slope_of_members_is_that_of_the_line_with_the_least_squares():
    values = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
    # ranks -2 … 2: (-6 - 1 + 0 + 1 + 10) / (4 + 1 + 0 + 1 + 4)
    assert slope_weights(5) @ values == pytest.approx(4 / 10)
    assert slope_weights(5) @ values == pytest.approx(
        np.polynomial.Polynomial.fit(range(5), values, 1).convert().coef[1]
    )
    assert slope_weights(2).tolist() == [-1.0, 1.0]
    with pytest.raises(ValueError, match="two members"):
        slope_weights(1)


def test_max_t_of_one_column_is_the_test_by_signs():
    few = np.array([[3.0], [-1.0], [2.0], [0.5]])
    assert max_t(few, seed=1) == pytest.approx(sign_flip(few, seed=1))
    many = np.random.default_rng(2).normal(0.2, 1, (60, 1))
    assert max_t(many, seed=1) == pytest.approx(sign_flip(many, seed=1))


def by_hand(sums):
    """Return the step-down p-values over all patterns of signs, computed in the plainest way."""
    t = np.abs(sums.sum(axis=0)) / np.sqrt((sums**2).sum(axis=0))
    order, least, p = sorted(range(len(t)), key=lambda column: -t[column]), 0.0, {}
    for place, column in enumerate(order):
        rest, as_far = order[place:], 0
        for signs in itertools.product([1, -1], repeat=len(sums)):
            flipped = np.abs(signs @ sums) / np.sqrt((sums**2).sum(axis=0))
            as_far += max(flipped[rest]) >= t[column] - 1e-7
        least = max(least, as_far / 2 ** len(sums))
        p[column] = least
    return [p[column] for column in range(len(t))]


def test_max_t_counts_all_patterns_as_by_hand():
    sums = np.random.default_rng(3).normal(0.5, 1, (6, 4)).round(1)
    assert max_t(sums, seed=1).tolist() == pytest.approx(by_hand(sums))


def test_equal_columns_count_as_one_and_independent_ones_as_many():
    column = np.array([[1.0], [2.0], [3.0], [1.0], [1.0], [2.0]])
    assert max_t(np.repeat(column, 40, axis=1), seed=1) == pytest.approx(2 / 2**6)
    generator = np.random.default_rng(4)
    sums = generator.normal(0, 1, (400, 5)) + np.array([0.2, 0, 0, 0, 0])
    adjusted = holm(sign_flip(sums, seed=1).tolist())
    assert max_t(sums, seed=1)[0] == pytest.approx(
        adjusted[0], abs=0.002
    )  # nearly Holm's where columns are independent
    assert max_t(sums, seed=1)[0] <= adjusted[0] + 0.001


def test_a_column_without_a_difference_has_p_1_and_changes_no_other():
    column = np.array([[1.0], [2.0], [3.0], [1.0], [1.0], [2.0]])
    with_none = np.hstack([np.zeros_like(column), column])
    assert max_t(with_none, seed=1).tolist() == [1.0, 2 / 2**6]
    assert max_t(np.zeros((3, 2)), seed=1).tolist() == [1.0, 1.0]


def test_random_draws_count_the_observed_statistics_too():
    null = [np.array([[3.0, 0.0], [0.0, 0.0]]), np.array([[0.0, 0.0]])]
    assert step_down(np.array([3.0, 2.0]), null).tolist() == [
        2 / 4,
        2 / 4,
    ]  # the second alone has 1 / 4, but not below the first
