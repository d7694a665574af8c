import numpy as np
import pytest
from relprobe.stats import (
    ALL_VALUES,
    Interval,
    mean_intervals,
    share_interval,
    statistic_interval,
    wilson_interval,
    within,
)
from relprobe.stats.resampling import resamples
from scipy import stats as scipy_stats


def interval_of(values, **options):
    """Return the interval of the mean of independent values."""
    values = np.array(values, float)[:, None]
    return mean_intervals(values, np.ones_like(values), seed=1, **options)[0]


def test_without_expansion_it_is_scipys_bca_interval():
    values = np.random.default_rng(1).exponential(size=40)
    ours = mean_intervals(values[:, None], np.ones((40, 1)), seed=3, draws=200_000, expand=False)[0]
    scipys = scipy_stats.bootstrap((values,), np.mean, n_resamples=200_000, method="BCa", rng=2).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((scipys.low, scipys.high), abs=0.01)


def test_the_interval_of_differences_is_the_percentile_interval():
    values = np.random.default_rng(1).exponential(size=40)
    ours = interval_of(values, draws=20_000, expand=False, differences=True)
    means = np.concatenate([counts @ values / 40 for counts in resamples(40, 1, 20_000)])
    assert (ours.low, ours.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])))


def test_a_few_large_clusters_widen_the_interval_to_that_of_their_effective_number():
    # Three clusters of 10 and thirty of 0.1 are 33² / 300.3 = 3.6 effective clusters.
    sizes = np.array([[10.0]] * 3 + [[0.1]] * 30)
    sums = sizes * np.random.default_rng(1).normal(size=(33, 1))
    narrow, wide = (mean_intervals(sums, sizes, seed=1, expand=expand, differences=True)[0] for expand in (False, True))
    assert wide.high - wide.low > 1.3 * (narrow.high - narrow.low)


def test_many_normal_values_have_the_interval_of_the_t_distribution():
    values = np.random.default_rng(1).normal(size=400)
    expected = scipy_stats.t.interval(0.95, 399, values.mean(), scipy_stats.sem(values))
    interval = interval_of(values, draws=20_000)
    assert (interval.low, interval.high) == pytest.approx(expected, abs=0.01)


def test_few_values_have_an_interval_as_wide_as_that_of_the_t_distribution():
    values = np.random.default_rng(3).normal(size=10)
    low, high = scipy_stats.t.interval(0.95, 9, values.mean(), scipy_stats.sem(values))
    interval = interval_of(values, draws=20_000)
    assert interval.high - interval.low == pytest.approx(high - low, rel=0.08)


def test_copies_of_the_values_of_a_cluster_do_not_narrow_the_interval():
    values = np.random.default_rng(1).normal(size=(30, 1))
    once, ten_times = (mean_intervals(values * n, np.full((30, 1), float(n)), seed=1)[0] for n in (1, 10))
    assert (once.low, once.high) == pytest.approx((ten_times.low, ten_times.high))


def test_clusters_of_different_size_weigh_by_their_units():
    sizes = np.array([[1.0], [2.0], [30.0], [4.0], [5.0]])
    means = np.array([[0.0], [0.1], [0.9], [0.2], [0.1]])
    interval = mean_intervals(sizes * means, sizes, seed=1)[0]
    assert interval.low < (sizes * means).sum() / sizes.sum() < interval.high


def test_columns_with_other_clusters_have_the_interval_that_they_have_alone():
    generator = np.random.default_rng(2)
    sums, sizes = generator.normal(size=(50, 3)), np.ones((50, 3))
    sizes[20:, 1], sums[20:, 1] = 0, 0
    together = mean_intervals(sums, sizes, seed=1)
    assert [interval.n for interval in together] == [50, 20, 50]
    assert together[1] == interval_of(sums[:20, 1])
    assert together[2] == interval_of(sums[:, 2])


def test_many_clusters_share_resamples_though_some_lack_a_few():
    generator = np.random.default_rng(2)
    sums, sizes = generator.normal(size=(300, 2)), np.ones((300, 2))
    sizes[:60, 1], sums[:60, 1] = 0, 0
    shared, alone = mean_intervals(sums, sizes, seed=1)[1], interval_of(sums[60:, 1])
    assert shared.n == alone.n == 240
    assert (shared.low, shared.high) == pytest.approx((alone.low, alone.high), abs=0.02)


@pytest.mark.parametrize(
    ("values", "note"),
    [
        ([0.5], "no interval: fewer than two clusters"),
        ([0.1 + 0.2, 0.3, 0.3], "no interval: the value is the same in all clusters"),
    ],
)
def test_without_variation_there_is_no_interval_and_a_reason(values, note):
    interval = interval_of(values)
    assert (interval.n, interval.low, interval.high, interval.note) == (len(values), None, None, note)


def test_a_column_without_clusters_has_no_interval():
    intervals = mean_intervals(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 0.0]]), seed=1)
    assert [(one.n, one.note) for one in intervals] == [(2, None), (0, "no interval: fewer than two clusters")]


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    values = np.random.default_rng(1).normal(size=(30, 1))
    one, same, other = (mean_intervals(values, np.ones((30, 1)), seed=seed)[0] for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize(
    "differences", [{}, {"differences": False}, {"differences": True}], ids=["", "means", "differences"]
)
def test_a_mean_as_any_statistic_has_the_interval_of_the_mean(differences):
    """Unless it is said, neither is one of differences."""
    values = np.random.default_rng(1).exponential(size=30)

    def mean(weights):
        return weights @ values / weights.sum(axis=1)

    general = statistic_interval(mean, 30, seed=1, **differences)
    said = {"differences": False, **differences}
    special = mean_intervals(values[:, None], np.ones((30, 1)), seed=1, **said)[0]
    assert (general.low, general.high) == pytest.approx((special.low, special.high))
    assert (general.low == statistic_interval(mean, 30, seed=1, differences=True).low) is said["differences"]


def test_a_statistic_without_variation_has_no_interval():
    interval = statistic_interval(lambda weights: np.zeros(len(weights)), 5, seed=1)
    assert interval.note == "no interval: all resamples give the same value"


def test_wilson_by_hand():
    # 18 of 18: the bound s solves 1 - s = z √(s (1 - s) / 18), so s = 18 / (18 + z²)
    z = scipy_stats.norm.ppf(0.975)
    assert wilson_interval(1.0, 18) == pytest.approx((18 / (18 + z**2), 1.0))
    expected = scipy_stats.binomtest(7, 20).proportion_ci(method="wilson")
    assert wilson_interval(7 / 20, 20) == pytest.approx((expected.low, expected.high))


def test_the_wilson_interval_of_clusters_counts_equal_clusters_once():
    independent = share_interval(np.array([1.0] * 12 + [0.0] * 8), np.ones(20))
    clustered = share_interval(np.array([7.0] * 12 + [0.0] * 8), np.full(20, 7.0))
    assert (clustered.low, clustered.high) == pytest.approx((independent.low, independent.high))
    assert independent.low < wilson_interval(0.6, 20)[0]  # the degrees of freedom widen it
    few_wrong = np.array([7.0] * 16 + [6.0, 6.0])  # without the bound, 18 targets would count as more than 18 trials
    assert share_interval(few_wrong, np.full(18, 7.0)).low == pytest.approx(wilson_interval(124 / 126, 18)[0])
    assert share_interval(np.full(18, 7.0), np.full(18, 7.0)).low == pytest.approx(wilson_interval(1.0, 18)[0])


@pytest.mark.parametrize("differences", [True, False])
@pytest.mark.parametrize("clusters", [2, 3, 4, 5])
def test_the_interval_of_a_mean_of_few_clusters_holds_the_truth(clusters, differences):
    """No resample lies outside the values of the clusters: of two, that held the truth in half of the studies."""
    values = np.random.default_rng(clusters).normal(0, 1, (clusters, 400))
    intervals = mean_intervals(values, np.ones_like(values), seed=1, differences=differences)
    holds = np.mean([one.low <= 0 <= one.high for one in intervals])
    assert 0.92 <= holds <= 0.985  # a rate of 0.95 has a standard error of 0.011


def test_one_large_cluster_among_small_ones_is_few_clusters():
    sizes = np.array([100] + [1] * 9, float)[:, None] * np.ones((1, 200))
    sums = np.random.default_rng(1).normal(0, 1, sizes.shape) * sizes
    assert np.mean([one.low <= 0 <= one.high for one in mean_intervals(sums, sizes, 1, differences=True)]) >= 0.93


def test_many_clusters_have_the_interval_of_resamples():
    values = np.random.default_rng(3).normal(0, 1, (40, 1))
    (interval,) = mean_intervals(values, np.ones_like(values), seed=1, differences=True)
    half = 1.96 * values.std(ddof=1) / 40**0.5
    assert interval.high - interval.low == pytest.approx(2 * half, rel=0.1)


@pytest.mark.parametrize("clusters", [2, 5, 6])
def test_a_statistic_of_few_clusters_has_no_interval(clusters):
    """That of phi held the truth in half of the studies of two categories, and in 91 % of those of five."""
    x = np.arange(float(clusters))
    interval = statistic_interval(lambda w: w @ x**2 / w.sum(axis=1) - (w @ x / w.sum(axis=1)) ** 2, clusters, seed=1)
    assert (interval.low is None) == (clusters < 6)
    if clusters < 6:
        assert interval.note == "no interval: resamples of fewer than 6 clusters say too little"


def test_below_six_effective_clusters_alone_the_interval_is_at_least_that_of_t():
    """One cluster of 6 and others of 0: the resamples of any number are at least 0, and t goes below it."""
    for sizes, is_wider in (([1] * 6, False), ([1] * 5, True), ([3] + [1] * 6, True), ([2] + [1] * 6, False)):
        cluster_sizes = np.array(sizes, float)[:, None]
        sums = np.zeros_like(cluster_sizes)
        sums[-1] = 6.0
        effective = cluster_sizes.sum() ** 2 / (cluster_sizes**2).sum()  # 6, 5, 5.4 and 6.4
        assert (effective < 6) == is_wider
        (interval,) = mean_intervals(sums, cluster_sizes, seed=1, differences=True)
        assert (interval.low < 0) == is_wider


def test_two_clusters_have_one_degree_of_freedom_and_hardly_a_trial():
    """Their variance is 2 (1/4 + 1/4) / 2² = 1/4: one trial, times (1.96 / 12.71)² for t of one degree."""
    interval = share_interval(np.array([1.0, 0.0]), np.ones(2))
    trials = (scipy_stats.norm.ppf(0.975) / 12.7062) ** 2
    assert interval.n == 2
    assert (interval.low, interval.high) == pytest.approx(wilson_interval(0.5, trials), abs=1e-6)


def test_five_clusters_with_a_right_answer_say_how_much_they_vary_and_four_do_not():
    """Five clusters of four answers vary so little that they count as more trials than there are clusters."""
    narrowing = (scipy_stats.norm.ppf(0.975) / scipy_stats.t.ppf(0.975, 4)) ** 2
    five = share_interval(np.array([1.0, 1.0, 1.0, 1.0, 2.0]), np.full(5, 4.0))
    variance = 5 / 4 * (4 * 0.2**2 + 0.8**2) / 20**2
    assert (five.low, five.high) == pytest.approx(wilson_interval(0.3, 0.3 * 0.7 / variance * narrowing))
    four = share_interval(np.array([1.0, 1.0, 1.0, 0.0, 2.0]), np.full(5, 4.0))
    assert (four.low, four.high) == pytest.approx(wilson_interval(0.25, 5))
    turned = share_interval(np.array([3.0, 3.0, 3.0, 4.0, 2.0]), np.full(5, 4.0))
    assert (turned.low, turned.high) == pytest.approx((1 - four.high, 1 - four.low))


def test_a_statistic_that_is_undefined_of_all_clusters_or_of_all_resamples_says_so():
    def mean_of_all(weights):
        return np.where((weights == 1).all(axis=1), 0.5, np.nan)

    def mean_of_resamples(weights):
        return np.where((weights == 1).all(axis=1), np.nan, weights[:, 0])

    for statistic in (mean_of_all, mean_of_resamples):
        assert statistic_interval(statistic, 10, seed=1).note == "no interval: the statistic is undefined"


def test_a_statistic_has_a_wider_interval_where_it_is_expanded():
    values = np.random.default_rng(1).exponential(size=12)
    widths = [
        np.ptp([interval.low, interval.high])
        for expand in (True, False)
        for interval in [statistic_interval(lambda w: w @ values / w.sum(axis=1), 12, seed=1, expand=expand)]
    ]
    assert widths[0] > 1.05 * widths[1]  # √(12 / 11) · t / z of eleven degrees is 1.17


@pytest.mark.parametrize(
    ("ends", "inside", "says_nothing"),
    [
        ((0.0, 1.0), (0.0, 1.0), True),  # exactly all that can be
        ((-0.5, 1.5), (0.0, 1.0), True),
        ((0.0, 0.9), (0.0, 0.9), False),
        ((0.1, 1.0), (0.1, 1.0), False),
        ((None, None), (None, None), False),
    ],
)
def test_an_interval_ends_where_its_statistic_does_and_says_if_it_holds_all(ends, inside, says_nothing):
    found = within(Interval(3, *ends, "few"), 0.0, 1.0)
    assert (found.n, found.low, found.high) == (3, *inside)
    assert found.note == (ALL_VALUES if says_nothing else "few")


def test_an_interval_rests_on_two_thousand_resamples(monkeypatch):
    """As docs/statistics-details.md says."""
    drawn = []

    def counted(clusters, seed, draws):
        for counts in resamples(clusters, seed, draws):
            drawn.append(len(counts))
            yield counts

    monkeypatch.setattr("relprobe.stats.intervals.resamples", counted)
    x = np.arange(8.0)
    for interval in (
        lambda: mean_intervals(x[:, None], np.ones((8, 1)), seed=1)[0],
        lambda: statistic_interval(lambda w: w @ x / w.sum(axis=1), 8, seed=1),
    ):
        drawn.clear()
        assert interval().low is not None
        assert sum(drawn) == 2000
