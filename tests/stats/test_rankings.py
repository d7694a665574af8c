"""Average precision and reciprocal rank, by hand and for all orders of ties."""

import itertools
import math

import numpy as np
import pytest
from relprobe.stats.rankings import average_precision, reciprocal_rank


def flags(text):
    return np.array([letter == "x" for letter in text])


@pytest.mark.parametrize(
    ("scores", "right", "value"),
    [
        ([4, 3, 2, 1], "xx--", 1.0),
        ([4, 3, 2, 1], "-x-x", (1 / 2 + 2 / 4) / 2),
        ([4, 3, 2, 1], "---x", 1 / 4),
        ([1, 1, 1, 1], "x---", 1 / 4),  # all at once: the share of right ones
        ([2, 1, 1, 1], "xx--", (1 + 2 / 4) / 2),
        ([-1, -3, -2], "x-x", 1.0),
        ([5], "x", 1.0),
        ([1, -math.inf, -math.inf], "-x-", 1 / 3),  # what is no answer at all ties
    ],
)
def test_average_precision_is_the_mean_of_the_precisions_at_the_right_ones(scores, right, value):
    assert average_precision(np.array(scores, float), flags(right)) == pytest.approx(value)


def test_average_precision_depends_on_the_order_of_scores_alone():
    draws = np.random.default_rng(1)
    for _ in range(50):
        scores, right = draws.integers(0, 5, 8).astype(float), draws.random(8) < 0.4
        if right.any():
            places = draws.permutation(8)
            assert average_precision(scores, right) == pytest.approx(
                average_precision(3 * scores[places] - 7, right[places])
            )


def by_definition(scores, right):
    """Σ (Rₙ - Rₙ₋₁) Pₙ over the thresholds, the different scores from the highest, as scikit-learn defines it."""
    total, before = 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        passed = scores >= threshold
        recall, precision = (passed & right).sum() / right.sum(), (passed & right).sum() / passed.sum()
        total, before = total + (recall - before) * precision, recall
    return total


def test_average_precision_is_that_of_its_definition_on_drawn_cases():
    draws = np.random.default_rng(2)
    for _ in range(200):
        size = int(draws.integers(1, 30))
        scores, right = draws.integers(0, 10, size).astype(float), draws.random(size) < 0.5
        if right.any():
            assert average_precision(scores, right) == pytest.approx(by_definition(scores, right))


def test_reciprocal_rank_is_the_mean_over_all_orders_of_ties():
    draws = np.random.default_rng(3)
    for _ in range(60):
        scores, right = draws.integers(0, 3, 5).astype(float), draws.random(5) < 0.5
        if not right.any():
            continue
        ranks = []
        for order in itertools.permutations(range(5)):
            ranked = sorted(order, key=lambda place: -scores[place])  # a stable sort keeps the order of ties
            ranks.append(1 + next(rank for rank, place in enumerate(ranked) if right[place]))
        assert reciprocal_rank(scores, right) == pytest.approx(math.fsum(1 / rank for rank in ranks) / len(ranks))


def test_a_ranking_without_anything_right_has_no_value():
    for measure in (average_precision, reciprocal_rank):
        with pytest.raises(ValueError, match="nothing that is ranked is right"):
            measure(np.ones(3), flags("---"))
