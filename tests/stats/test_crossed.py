"""The mean of clusters whose columns are a sample as well."""

import numpy as np
import pytest
from relprobe.stats import crossed_mean, linked_items
from relprobe.stats.crossed import CrossedMean


def test_the_variance_between_columns_adds_to_that_between_clusters():
    shares = np.array([[3.0, 1.0], [3.0, 1.0], [2.0, 0.0], [4.0, 2.0]])
    # sums 4, 4, 2, 6: between clusters 4/3 · (0 + 0 + 4 + 4); columns 12 and 4: 2 · (16 + 16); within 4 · 2 · (1 + 1)
    mean = crossed_mean(shares, np.array([0, 0]))
    between, columns, within = 32 / 3, 64.0, 16.0
    assert mean.value == 4.0
    assert mean.error == pytest.approx((between + columns - within) ** 0.5 / 4)
    freedom = (between + 48) ** 2 / (between**2 / 3 + (48 / 64) ** 2 * 64**2 / 1)
    assert mean.freedom == pytest.approx(freedom)


def test_two_clusters_have_one_degree_of_freedom_between_them():
    shares = np.array([[3.0, 1.0], [2.0, 0.0]])
    # sums 4 and 2: between 2 · (1 + 1) = 4; columns 5 and 1: 2 · (4 + 4) = 16; within 2 · (1 + 1) of both clusters = 8
    mean = crossed_mean(shares, np.array([0, 0]))
    assert mean.error == pytest.approx((4 + 16 - 8) ** 0.5 / 2)
    assert mean.freedom == pytest.approx(12**2 / (4**2 / 1 + (8 / 16) ** 2 * 16**2 / 1))


def test_strata_are_compared_within_themselves():
    shares = np.array([[3.0, 3.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]])
    mean = crossed_mean(shares, np.array([0, 0, 1, 1]))  # the strata differ, but not the columns of one
    assert (mean.value, mean.error, mean.freedom) == (4.0, pytest.approx((2 * (4 + 4)) ** 0.5 / 2), 1.0)


def test_a_cluster_without_a_column_is_no_cluster_with_0():
    shares = np.array([[1.0, np.nan], [1.0, 1.0], [1.0, 1.0]])
    # sums 1, 2, 2: between 3/2 · (4/9 + 1/9 + 1/9) = 1; columns 3 and 2: 2 · (1/4 + 1/4) = 1; within clusters 0
    mean = crossed_mean(shares, np.array([0, 0]))
    assert mean.error == pytest.approx((1 + 1) ** 0.5 / 3)


def test_values_that_do_not_vary_have_no_interval_and_no_p():
    mean = crossed_mean(np.full((3, 2), 0.5), np.array([0, 0]))
    assert (mean.value, mean.error, mean.interval(), mean.p(), mean.freedom) == (1.0, 0.0, None, None, 2.0)


def test_the_interval_and_p_take_the_t_distribution_of_the_degrees():
    # t of one degree is Cauchy's distribution, with quantile tan(π (q - 1/2)) and tail 1/2 - arctan(x) / π.
    mean = CrossedMean(2.0, 0.5, 1.0)
    assert mean.interval(0.5) == pytest.approx((2 - 0.5, 2 + 0.5))  # tan(π / 4) = 1
    assert mean.interval() == pytest.approx((2 - 12.7062 / 2, 2 + 12.7062 / 2), abs=1e-4)
    assert mean.p() == pytest.approx(2 * (0.5 - np.arctan(4) / np.pi))


def test_a_cluster_without_any_column_of_a_stratum_adds_nothing_to_its_variance():
    shares = np.array([[1.0, 1.0, np.nan, np.nan], [np.nan, np.nan, 2.0, 2.0]])
    # sums 2 and 4: between 2 · (1 + 1); the columns of a stratum do not differ
    assert crossed_mean(shares, np.array([0, 0, 1, 1])) == CrossedMean(3.0, 1.0, 1.0, effective=2.0, measured=2.0)


def test_linked_clusters_add_what_they_share_and_columns_count_once():
    """The first two clusters are linked: each column of theirs is counted between the clusters and between the columns."""
    shares = np.array([[3.0, 1.0], [3.0, 1.0], [2.0, 0.0], [4.0, 2.0], [0.0, 0.0], [1.0, 1.0]])
    links = linked_items(np.array([0, 1]), np.array([0, 0]), 6)
    mean = crossed_mean(shares, np.array([0, 0]), links)
    # sums 4, 4, 2, 6, 0, 2 about 3: 1 + 1 + 1 + 9 + 9 + 1 and twice 1 · 1; n_eff is 36 / 8 = 4.5
    between = (22 + 2) * 4.5 / 3.5
    columns = 2 * 2 * 4.0**2  # 13 and 5
    within = 4 * 2 * 2 * 1.0 + 2 * 2 * 2 * 1.0  # four rows of ±1 with the factor 2, and the linked pair both ways round
    assert mean.error == pytest.approx((between + columns - within) ** 0.5 / 6)
    squares = (columns - within) ** 2 / columns**2 * columns**2 / 1
    assert mean.freedom == pytest.approx((between + columns - within) ** 2 / (between**2 / 3.5 + squares))
    assert mean.error > crossed_mean(shares, np.array([0, 1]), links).error  # a column alone is no sample


def test_linked_clusters_that_count_as_one_have_no_error():
    links = linked_items(np.array([0, 1, 2]), np.array([0, 0, 0]), 3)  # 3² / 9 = 1
    with pytest.raises(ValueError, match=r"count as 1\.0 independent ones: an error needs more than one"):
        crossed_mean(np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 2.0]]), np.array([0, 0]), links)
