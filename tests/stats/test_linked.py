"""The values are worked out by hand: Σ over linked pairs of the centred values, t of n_eff - 1 degrees."""

import numpy as np
import pytest
from relprobe.stats import (
    Links,
    linked_error,
    linked_interval,
    linked_items,
    linked_p,
    linked_share_interval,
    linked_variance,
    wilson_interval,
)
from scipy.stats import t, ttest_1samp


def links(n: int, *groups: tuple[int, ...]) -> Links:
    """Return the links of n items, where all items of each group share a value."""
    items = np.array([item for group in groups for item in group], dtype=int)
    return linked_items(items, np.repeat(np.arange(len(groups)), [len(group) for group in groups]), n)


def test_items_that_share_any_value_are_linked_and_others_with_themselves_only():
    chain = links(4, (0, 1), (1, 2), (0, 1))
    assert chain.matrix.toarray().tolist() == [[1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]]
    assert chain.effective == 16 / 8
    assert links(3).matrix.toarray().tolist() == np.eye(3).tolist()
    assert (links(3).any, chain.any) == (False, True)


def test_the_effective_number_of_groups_that_do_not_overlap_is_that_of_kish():
    assert links(6, (0, 1, 2), (3, 4)).effective == 6**2 / (3**2 + 2**2 + 1)


def test_the_links_among_some_items_are_those_that_they_have_alone():
    some = links(4, (0, 1), (1, 2)).among(np.array([True, False, True, True]))
    assert (some.matrix.toarray().tolist(), some.effective) == (np.eye(3).tolist(), 3.0)


def test_the_variance_sums_over_linked_pairs_in_both_orders():
    # Centred: 2, 1, -3, 0 (the mean is 1). 4 + 1 + 9 + 0, and twice the linked pairs 2 * 1 and 1 * -3.
    values = np.array([3.0, 2.0, -2.0, 1.0])
    assert linked_variance(values, links(4, (0, 1))) == 14 + 2 * 2
    assert linked_variance(values, links(4, (0, 1), (1, 3))) == 14 + 2 * 2
    assert linked_variance(values, links(4, (0, 2), (1, 2))) == 14  # 14 - 12 - 6 is less than the sum of squares


def test_without_links_the_test_and_the_interval_are_those_of_student():
    values = np.array([0.5, 0.0, 1.0, -0.25, 0.75, 0.25, 0.5])
    expected = ttest_1samp(values, 0)
    assert linked_p(values, links(7)) == pytest.approx(expected.pvalue)
    interval = linked_interval(values, links(7))
    assert (interval.low, interval.high) == pytest.approx(tuple(expected.confidence_interval(0.95)))


def test_the_error_of_the_mean_is_corrected_for_the_centring():
    values, pairs = np.array([0.0, 0.0, 2.0, 2.0, 4.0, 4.0]), links(6, (0, 1), (2, 3), (4, 5))
    assert linked_error(values, pairs) == pytest.approx(np.sqrt(32 * 3 / 2) / 6)  # V = 4² + 0 + 4²; n_eff = 3
    assert linked_error(values, links(6)) == pytest.approx(np.std(values, ddof=1) / np.sqrt(6))
    with pytest.raises(ValueError, match=r"count as 1\.0 independent ones"):
        linked_error(values, links(6, (0, 1, 2, 3, 4, 5)))


def test_copies_of_an_item_that_are_linked_to_it_leave_p_as_it_is():
    values, single = np.array([0.5, 0.0, 1.0, -0.25, 0.75, 0.25, 0.5]), links(7)
    triples = links(21, *[(i, i + 1, i + 2) for i in range(0, 21, 3)])
    assert triples.effective == 7
    assert linked_p(np.repeat(values, 3), triples) == pytest.approx(linked_p(values, single))
    one, other = linked_interval(np.repeat(values, 3), triples), linked_interval(values, single)
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_below_six_independent_items_there_is_no_p():
    assert linked_p(np.ones(5), links(5)) is None
    assert linked_p(np.arange(6.0), links(6)) is not None
    assert linked_p(np.arange(12.0), links(12, (0, 1, 2, 3))) is not None  # 144 / (16 + 8) = 6
    assert linked_p(np.arange(12.0), links(12, (0, 1, 2, 3, 4))) is None  # 144 / (25 + 7) = 4.5


def test_equal_differences_count_as_independent_ones_of_one_sign():
    assert linked_p(np.full(16, 0.1 + 0.2), links(16, *[(i, i + 1) for i in range(0, 16, 2)])) == 2 / 2**8
    assert linked_p(np.zeros(16), links(16)) == 1.0


def test_the_interval_of_a_mean_takes_t_of_the_effective_number():
    values, pairs = np.array([0.0, 0.0, 2.0, 2.0, 4.0, 4.0]), links(6, (0, 1), (2, 3), (4, 5))
    interval = linked_interval(values, pairs)  # V = 4² + 0 + 4² = 32; n_eff = 3
    half = t.ppf(0.975, 2) * np.sqrt(32 * 3 / 2) / 6
    assert (interval.n, interval.low, interval.high) == (6, pytest.approx(2 - half), pytest.approx(2 + half))


def test_the_interval_of_a_share_has_as_many_trials_as_its_variance_says():
    # 12 linked pairs, all right or all wrong: V' = 12 * 1² * 12/11 over 24 items, so that 1/4 / (V' / 24²) = 11 trials.
    pairs = links(24, *[(i, i + 1) for i in range(0, 24, 2)])
    interval = linked_share_interval(np.repeat([1.0, 0.0], 12), pairs)
    trials = 11 * (1.959964 / t.ppf(0.975, 11)) ** 2
    assert (interval.low, interval.high) == pytest.approx(wilson_interval(0.5, trials), abs=1e-6)


def test_a_share_may_have_more_trials_than_independent_items_where_linked_items_differ():
    # One of each pair is right: V = 24 * 1/4 and V' = 6 * 12/11, so that 1/4 / (V' / 24²) = 22 trials, though n_eff is 12.
    pairs = links(24, *[(i, i + 1) for i in range(0, 24, 2)])
    interval = linked_share_interval(np.tile([1.0, 0.0], 12), pairs)
    trials = 22 * (1.959964 / t.ppf(0.975, 11)) ** 2
    assert trials > 17
    assert (interval.low, interval.high) == pytest.approx(wilson_interval(0.5, trials), abs=1e-6)


def test_a_share_of_none_has_no_more_trials_than_independent_items():
    pairs = links(24, *[(i, i + 1) for i in range(0, 24, 2)])
    interval = linked_share_interval(np.zeros(24), pairs)
    squared = 1.959964**2
    assert (interval.low, interval.high) == pytest.approx((0, squared / (12 + squared)), abs=1e-6)


@pytest.mark.parametrize("interval", [linked_interval, linked_share_interval])
def test_items_that_are_all_linked_have_no_interval(interval):
    assert interval(np.array([1.0, 0.0, 1.0]), links(3, (0, 1, 2))).note == (
        "no interval: the linked items count as 1.0 independent ones"
    )
    assert linked_interval(np.ones(3), links(3)).note == "no interval: the value is the same in all items"
