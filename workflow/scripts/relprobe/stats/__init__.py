"""Tests, intervals and adjustments of p-values, a module for each family.

All tests are two-sided. A value that cannot be computed is None, and `note` says why. The papers' tests (`papers`)
assume independent values; `linked` takes items that may share an answer, and `permutation` and `intervals` take clusters of
values that may depend on each other. scipy and statsmodels take a second to import, so the functions import them.
"""

from relprobe.stats.crossed import CrossedMean, crossed_mean
from relprobe.stats.families import benjamini_hochberg, holm, with_benjamini_hochberg, with_holm
from relprobe.stats.intervals import (
    ALL_VALUES,
    cluster_errors,
    mean_intervals,
    share_interval,
    statistic_interval,
    two_columns,
    wilson_interval,
    within,
)
from relprobe.stats.linked import (
    Links,
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
from relprobe.stats.permutation import exchange_test, null_p, sign_flip
from relprobe.stats.results import DECIMALS, FEWEST, Interval, TestResult, Values, too_few
from relprobe.stats.series.trend import max_t, slope_weights, step_down

__all__ = [
    "ALL_VALUES",
    "DECIMALS",
    "FEWEST",
    "CrossedMean",
    "Interval",
    "Links",
    "TestResult",
    "Values",
    "benjamini_hochberg",
    "cluster_errors",
    "crossed_mean",
    "exchange_test",
    "holm",
    "kolmogorov_smirnov",
    "kruskal_wallis",
    "levene",
    "linked_error",
    "linked_interval",
    "linked_items",
    "linked_p",
    "linked_share_interval",
    "linked_variance",
    "mann_whitney",
    "max_t",
    "mcnemar",
    "mean_intervals",
    "null_p",
    "shapiro",
    "share_interval",
    "sign_flip",
    "slope_weights",
    "spearman",
    "statistic_interval",
    "step_down",
    "too_few",
    "two_columns",
    "wilcoxon",
    "wilson_interval",
    "with_benjamini_hochberg",
    "with_holm",
    "within",
]
