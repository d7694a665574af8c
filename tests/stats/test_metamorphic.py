"""What must not change a result, and what changes it in a known way: shift, scale, order, a cluster twice, emptiness."""

from itertools import product

import numpy as np
import pytest
from relprobe.stats import (
    FEWEST,
    cluster_errors,
    mean_intervals,
    share_interval,
    sign_flip,
    statistic_interval,
    wilson_interval,
)
from relprobe.stats.ceiling import correlations, spearman_brown, split_half
from relprobe.stats.crossed import crossed_mean
from relprobe.stats.families import benjamini_hochberg, detectable, holm
from relprobe.stats.intervals import _bounds
from relprobe.stats.linked import (
    linked_error,
    linked_interval,
    linked_items,
    linked_p,
    linked_share_interval,
    linked_variance,
)
from relprobe.stats.papers.correlation import spearman
from relprobe.stats.papers.groups import kolmogorov_smirnov, kruskal_wallis, levene, mann_whitney, shapiro
from relprobe.stats.papers.paired import mcnemar, wilcoxon
from relprobe.stats.permutation import exchange_test, null_p
from relprobe.stats.series.trend import max_t, slope_weights, step_down

GENERATOR = np.random.default_rng(7)
SIZES = GENERATOR.integers(1, 6, 24).astype(float)[:, None]
SUMS = SIZES * GENERATOR.normal(size=(24, 1))
"""24 clusters of unequal sizes."""
NOT_LINKED = linked_items(np.array([], np.int64), np.array([], np.int64), 12)
PAIRS = linked_items(np.arange(12), np.arange(12) // 2, 12)
VALUES = GENERATOR.normal(size=12)


def bounds(interval):
    return np.array([interval.low, interval.high])


def mean_bounds(sums, sizes, **settings):
    (interval,) = mean_intervals(sums, sizes, seed=1, **settings)
    return bounds(interval)


@pytest.mark.parametrize("differences", [False, True])
def test_an_interval_of_a_mean_moves_and_grows_with_its_values_whatever_the_sizes_of_clusters(differences):
    before = mean_bounds(SUMS, SIZES, differences=differences)
    assert mean_bounds(SUMS + 7 * SIZES, SIZES, differences=differences) == pytest.approx(before + 7, abs=1e-9)
    assert mean_bounds(SUMS * 3, SIZES, differences=differences) == pytest.approx(before * 3, abs=1e-9)
    turned = mean_bounds(-SUMS, SIZES, differences=differences)
    assert turned == pytest.approx(-before[::-1], abs=0.02)  # quantiles of the same resamples, from the other side


def test_units_that_all_count_twice_change_no_interval():
    assert mean_bounds(2 * SUMS, 2 * SIZES) == pytest.approx(mean_bounds(SUMS, SIZES), abs=1e-12)


def test_an_empty_cluster_changes_nothing():
    more = np.zeros((1, 1))
    assert mean_bounds(np.vstack([SUMS, more]), np.vstack([SIZES, more])) == pytest.approx(mean_bounds(SUMS, SIZES))
    assert cluster_errors(np.vstack([SUMS, more]), np.vstack([SIZES, more])) == pytest.approx(
        cluster_errors(SUMS, SIZES)
    )


def test_quantiles_are_expanded_by_hand():
    ordered = np.linspace(0, 1, 100_001)[:, None]  # of these the quantile q is q
    low, high = _bounds(ordered, np.zeros(1), np.zeros(1), 0.95, np.array([8.0]))
    # the normal distribution beyond 2.3646 (t of 7 degrees) times √(8/7), which is 2.5279
    assert (low[0], high[0]) == (pytest.approx(0.00573, abs=2e-5), pytest.approx(0.99427, abs=2e-5))
    low, high = _bounds(ordered, np.zeros(1), np.zeros(1), 0.95, None)
    assert (low[0], high[0]) == (pytest.approx(0.025, abs=1e-5), pytest.approx(0.975, abs=1e-5))


def test_a_bias_and_an_acceleration_move_the_bounds_by_hand():
    ordered = np.linspace(0, 1, 100_001)[:, None]
    low, high = _bounds(ordered, np.array([0.1]), np.array([0.05]), 0.95, None)
    # z = 0.1 ∓ 1.96 = -1.86, 2.06; 0.1 + z / (1 - 0.05 z) = -1.6017, 2.3965
    assert (low[0], high[0]) == (pytest.approx(0.0546, abs=1e-4), pytest.approx(0.99173, abs=1e-4))


def test_the_error_of_clusters_by_hand():
    # the mean of 1 + 1 and 4 is 2; off by 2 - 4 = -2 and 4 - 2 = 2: √(2 · 8) / 3
    assert cluster_errors(np.array([[2.0], [4.0]]), np.array([[2.0], [1.0]])) == [pytest.approx(4 / 3)]


def test_the_error_of_clusters_scales_and_does_not_move():
    (error,) = cluster_errors(SUMS, SIZES)
    assert cluster_errors(3 * SUMS + 5 * SIZES, SIZES) == [pytest.approx(3 * error)]


def weighted_mean(values):
    return lambda weights: weights @ values / weights.sum(axis=1)


def test_the_interval_of_any_statistic_moves_and_grows_with_it():
    before = bounds(statistic_interval(weighted_mean(VALUES), 12, seed=1))
    moved = bounds(statistic_interval(weighted_mean(2 * VALUES + 5), 12, seed=1))
    assert moved == pytest.approx(2 * before + 5, abs=1e-9)
    assert statistic_interval(weighted_mean(VALUES[:FEWEST]), FEWEST, seed=1).low is not None
    assert statistic_interval(weighted_mean(VALUES[: FEWEST - 1]), FEWEST - 1, seed=1).low is None


def test_a_crossed_mean_moves_and_grows_with_its_values():
    shares, strata = np.random.default_rng(8).normal(size=(9, 5)), np.zeros(5, np.int64)
    before, after = (crossed_mean(values, strata).interval() for values in (shares, 2 * shares + 0.6))
    assert after == pytest.approx([2 * bound + 3 for bound in before], abs=1e-9)  # a row has five shares


def test_the_interval_of_a_share_is_that_of_its_complement_turned_round():
    generator = np.random.default_rng(8)
    low, high = wilson_interval(0.3, 20)
    assert wilson_interval(0.7, 20) == (pytest.approx(1 - high), pytest.approx(1 - low))
    assert wilson_interval(0.3, 80)[0] > low
    sizes = SIZES[:, 0]
    right = np.floor(generator.random(24) * (sizes + 1))
    one, other = bounds(share_interval(right, sizes)), bounds(share_interval(sizes - right, sizes))
    assert other == pytest.approx(1 - one[::-1])
    order = generator.permutation(24)
    assert bounds(share_interval(right[order], sizes[order])) == pytest.approx(one)
    more = np.append(right, 0.0), np.append(sizes, 0.0)
    assert bounds(share_interval(*more)) == pytest.approx(one)


def test_the_interval_of_a_share_of_unequal_clusters_by_hand():
    right, sizes = np.array([4.0, 1, 2, 0, 1, 1, 0, 1, 0, 1]), np.array([4.0, 1, 3, 2, 1, 1, 1, 1, 2, 2])
    share, n = 11 / 18, 18
    variance = 10 / 9 * ((right - share * sizes) ** 2).sum() / n**2
    from scipy.stats import t

    narrowing = (1.959964 / t.ppf(0.975, 18**2 / 42 - 1)) ** 2  # the squares of the sizes add up to 42
    expected = wilson_interval(share, share * (1 - share) / variance * narrowing)
    assert bounds(share_interval(right, sizes)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("links", [NOT_LINKED, PAIRS])
def test_what_is_said_of_linked_values_moves_and_grows_with_them_in_any_order(links):
    error, before = linked_error(VALUES, links), bounds(linked_interval(VALUES, links))
    assert linked_error(3 * VALUES + 5, links) == pytest.approx(3 * error)
    assert linked_variance(3 * VALUES + 5, links) == pytest.approx(9 * linked_variance(VALUES, links))
    assert bounds(linked_interval(3 * VALUES + 5, links)) == pytest.approx(3 * before + 5)
    assert linked_p(3 * VALUES, links) == pytest.approx(linked_p(VALUES, links))
    assert linked_p(-VALUES, links) == pytest.approx(linked_p(VALUES, links))
    turned = VALUES[::-1]  # which leaves the pairs
    assert linked_p(turned, links) == pytest.approx(linked_p(VALUES, links))
    shares = (VALUES > 0).astype(float)
    low, high = bounds(linked_share_interval(shares, links))
    assert bounds(linked_share_interval(1 - shares, links)) == pytest.approx([1 - high, 1 - low])


def test_one_item_twice_and_linked_to_itself_says_no_more_than_once():
    twice = linked_items(np.arange(24), np.arange(24) // 2, 24)
    values = np.repeat(VALUES, 2)
    assert twice.effective == pytest.approx(12)
    assert linked_p(values, twice) == pytest.approx(linked_p(VALUES, NOT_LINKED))
    assert bounds(linked_interval(values, twice)) == pytest.approx(bounds(linked_interval(VALUES, NOT_LINKED)))


def test_crossed_means_grow_with_their_shares_and_keep_their_degrees():
    generator = np.random.default_rng(8)
    shares, strata = generator.normal(size=(10, 6)), np.array([0, 0, 0, 1, 1, 1])
    one, other = crossed_mean(shares, strata), crossed_mean(3 * shares, strata)
    assert (other.value, other.error, other.freedom) == pytest.approx((3 * one.value, 3 * one.error, one.freedom))
    mixed = crossed_mean(shares[generator.permutation(10)][:, [2, 0, 1, 5, 3, 4]], strata)
    assert (mixed.value, mixed.error, mixed.freedom) == pytest.approx((one.value, one.error, one.freedom))


@pytest.mark.parametrize("clusters", [1, 6, 15, 16])
def test_signs_of_clusters_are_flipped_in_any_order_and_scale(clusters):
    generator = np.random.default_rng(8)
    sums = generator.integers(-4, 5, (clusters, 3)).astype(float)
    p = sign_flip(sums, seed=1)
    close = 1e-12 if clusters <= 15 else 0.02
    assert sign_flip(2 * sums, seed=1) == pytest.approx(p)
    assert sign_flip(-sums, seed=1) == pytest.approx(p, abs=close)
    assert sign_flip(sums[::-1], seed=1) == pytest.approx(p, abs=close)
    padded = np.vstack([sums, np.zeros((3, 3))])
    assert sign_flip(padded, seed=1) == pytest.approx(p, abs=close)


def test_up_to_15_clusters_all_patterns_count_and_above_it_random_ones():
    assert sign_flip(np.ones((15, 1)), seed=1)[0] == 2 / 2**15
    assert sign_flip(np.ones((16, 1)), seed=1, flips=10)[0] == 1 / 11
    everything = exchange_test(lambda swap: (1 - 2.0 * swap).sum(axis=1), 15, seed=1)
    assert everything == 2 / 2**15
    assert exchange_test(lambda swap: (1 - 2.0 * swap).sum(axis=1), 16, seed=1, draws=10) == 1 / 11


def test_p_of_a_null_distribution_counts_what_is_as_large_and_moves_with_both():
    null = np.array([0.0, 1.0, 2.0, 3.0])
    assert [null_p(value, null) for value in (-1.0, 1.0, 1.5, 3.0, 4.0)] == [1.0, 4 / 5, 3 / 5, 2 / 5, 1 / 5]
    assert null_p(1.0 + 5, null + 5) == null_p(1.0, null)
    assert null_p(0.1 + 0.2, np.array([0.3])) == 1.0  # noise of floats makes nothing larger


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_adjusted_p_keep_their_order_and_a_single_one_stays(adjust):
    p = [0.001, 0.2, None, 0.03, 0.03, 1.0]
    adjusted = adjust(p)
    order = [4, 2, 0, 5, 1, 3]
    assert adjust([p[i] for i in order]) == [adjusted[i] for i in order]
    assert all(one >= old for one, old in zip(adjusted, p, strict=True) if old is not None)
    assert adjust([0.03]) == [0.03]
    assert adjust([]) == []


def test_a_detectable_difference_grows_with_the_error_and_the_tests():
    assert detectable(0.2, 20, 3) == pytest.approx(2 * detectable(0.1, 20, 3))
    assert detectable(0.1, 20, 4) > detectable(0.1, 20, 3) > detectable(0.1, 40, 3)
    # t of 9 degrees: 2.2622 at 0.975 and 0.8834 at 0.8
    assert detectable(1.0, 10, 1) == pytest.approx(2.2622 + 0.8834, abs=1e-4)
    assert (detectable(1.0, 1, 1), detectable(1.0, 10, 0), detectable(None, 10, 1)) == (None, None, None)
    assert detectable(1.0, 1.5, 1) is not None


def test_the_papers_tests_of_pairs_turn_with_the_agents():
    generator = np.random.default_rng(8)
    a, b = generator.integers(0, 2, (2, 60)).astype(float)
    one, other = mcnemar(a, b), mcnemar(b, a)
    assert (other.effect, other.p) == (pytest.approx(-one.effect), pytest.approx(one.p))
    x, y = generator.normal(size=(2, 20)).round(1)
    one, other, moved = wilcoxon(x, y), wilcoxon(y, x), wilcoxon(3 * x + 5, 3 * y + 5)
    assert (other.effect, other.p) == (pytest.approx(-one.effect), pytest.approx(one.p))
    assert (moved.effect, moved.p) == (pytest.approx(one.effect), pytest.approx(one.p))


def test_24_discordant_pairs_are_counted_and_25_have_chi_squared():
    from scipy.stats import binom, chi2

    def p_of_counts(wins, losses):
        a, b = np.repeat([1.0, 0.0], [wins, losses]), np.repeat([0.0, 1.0], [wins, losses])
        return mcnemar(a, b).p

    assert p_of_counts(17, 7) == pytest.approx(2 * binom.cdf(7, 24, 0.5))
    assert p_of_counts(17, 8) == pytest.approx(chi2.sf((17 - 8 - 1) ** 2 / 25, 1))


def test_the_papers_tests_of_groups_do_not_move_and_do_not_ask_for_the_order_of_groups():
    generator = np.random.default_rng(8)
    groups = [generator.normal(size=n).round(2) for n in (5, 8, 11)]
    for test in (levene, kruskal_wallis):
        one = test(groups)
        for other in (test(groups[::-1]), test([2 * group + 3 for group in groups])):
            assert (other.effect, other.p) == (pytest.approx(one.effect), pytest.approx(one.p))
    a, b, _ = groups
    for test, sign in ((mann_whitney, -1), (kolmogorov_smirnov, 1)):
        one, turned, moved = test(a, b), test(b, a), test(2 * a + 3, 2 * b + 3)
        assert (turned.effect, turned.p) == (pytest.approx(sign * one.effect), pytest.approx(one.p))
        assert (moved.effect, moved.p) == (pytest.approx(one.effect), pytest.approx(one.p))
    one, moved = shapiro(b), shapiro(-2 * b[::-1] + 3)
    assert (moved.effect, moved.p) == (pytest.approx(one.effect, abs=1e-6), pytest.approx(one.p, abs=1e-4))


def test_levene_is_of_the_deviations_from_the_median_by_hand():
    # the medians are 0 and 1; the deviations 0, 0, 3 and 1, 0, 1 have the means 1 and 2/3: B = 1/6, R = 6 + 2/3
    assert levene([np.array([0.0, 0, 3]), np.array([0.0, 1, 2])]).effect == pytest.approx(1 / 41)


def test_a_correlation_of_ranks_is_that_of_any_rising_values():
    generator = np.random.default_rng(8)
    for n in (5, 7, 8, 20):
        x, y = generator.normal(size=(2, n))
        one, other, turned = spearman(x, y), spearman(np.exp(x), y**3), spearman(x, -y)
        assert (other.effect, other.p) == (pytest.approx(one.effect), pytest.approx(one.p))
        assert (turned.effect, turned.p) == (pytest.approx(-one.effect), pytest.approx(one.p))
        assert spearman(y, x).p == pytest.approx(one.p)


def test_correlations_do_not_move_and_leave_missing_items_out():
    generator = np.random.default_rng(8)
    a, b = generator.normal(size=(2, 4, 9))
    a[0, 3] = b[1, 5] = np.nan
    one = correlations(a, b)
    assert correlations(2 * a + 3, 5 * b - 1) == pytest.approx(one)
    assert correlations(b, a) == pytest.approx(one)
    assert correlations(-a, b) == pytest.approx(-one)
    known = ~np.isnan(a[0]) & ~np.isnan(b[0])
    assert one[0] == pytest.approx(np.corrcoef(a[0][known], b[0][known])[0, 1])
    assert np.isnan(correlations(a[:, :2], b[:, :2])).all()


def test_more_answers_of_the_same_people_are_more_reliable():
    assert spearman_brown(spearman_brown(0.3), 2) == pytest.approx(spearman_brown(0.3, 4))
    assert (spearman_brown(0.0), spearman_brown(1.0), spearman_brown(0.3, 1)) == (0.0, 1.0, 0.3)
    with pytest.raises(ValueError, match="no Spearman-Brown value"):
        spearman_brown(-1.0)


def test_the_agreement_of_halves_does_not_depend_on_the_scale_of_the_answers():
    generator = np.random.default_rng(8)
    ratings, groups = generator.normal(size=24) + np.tile(np.arange(6.0), 4), np.tile(np.arange(6), 4)

    def ceiling(values):
        def scores(mask):
            return np.stack([(mask * values * (groups == item)).sum(axis=1) for item in range(6)], axis=1)

        return split_half(scores, groups, seed=1)

    one, other = ceiling(ratings), ceiling(3 * ratings)
    assert (other.split_half, other.reliability) == pytest.approx((one.split_half, one.reliability))
    assert one.reliability == pytest.approx(2 * one.split_half / (1 + one.split_half))
    assert (one.items, one.people) == (6, 4.0)


def test_the_weights_of_a_slope_take_the_slope_out_of_a_line():
    for members in range(2, 7):
        weights = slope_weights(members)
        assert weights.sum() == pytest.approx(0, abs=1e-12)
        assert weights @ (3 * np.arange(members) + 5) == pytest.approx(3)
    with pytest.raises(ValueError, match="two members"):
        slope_weights(1)


@pytest.mark.parametrize("clusters", [5, 15, 20])
def test_the_largest_t_is_that_of_any_scale_and_order_of_columns(clusters):
    generator = np.random.default_rng(8)
    sums = generator.normal(size=(clusters, 4)) + np.array([0.0, 0.5, 1.0, 0.0])
    p = max_t(sums, seed=1)
    assert max_t(sums * np.array([1.0, 2.0, 3.0, 4.0]), seed=1) == pytest.approx(p)
    order = [2, 0, 3, 1]
    assert max_t(sums[:, order], seed=1) == pytest.approx(p[order])
    assert (p >= sign_flip(sums, seed=1) - (1e-12 if clusters <= 15 else 0.02)).all()
    twice = max_t(np.hstack([sums, sums]), seed=1)
    assert twice == pytest.approx(np.hstack([p, p]))


def test_step_down_shares_are_no_smaller_for_smaller_statistics():
    null = [np.array(list(product([-1.0, 0.0, 2.0], repeat=3)))]
    shares = step_down(np.array([1.0, -2.0, 0.5]), null, exact=True)
    # three values of which each is 2 from zero in one of three draws: 1 - (2/3)³
    assert shares[1] == 19 / 27
    assert shares[1] <= shares[0] <= shares[2]
    assert step_down(np.array([9.0]), [np.zeros((4, 1))]) == pytest.approx([1 / 5])
