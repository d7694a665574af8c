"""AuDC per agent, with its interval."""

import numpy as np
import polars as pl
import pytest
from relprobe.stats import mean_intervals
from relprobe.studies.relations.compare.areas import SEED, area_averages, area_tests

GAPS = np.array([0.9, 0.1, 0.8, 0.0, 0.7, 0.9, 0.2, 1.0])


def test_of_one_pair_of_relations_it_is_the_mean_gap_with_the_interval_of_differences():
    rows = [("HYP", "MER", f"word-{i}", gap) for i, gap in enumerate(GAPS)]
    table = pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")
    area = area_averages({"m": table})[0]
    assert area["value"] == pytest.approx(4.6 / 8)
    interval = mean_intervals(GAPS[:, None], np.ones((8, 1)), SEED, differences=True)[0]
    assert (area["low"], area["high"]) == pytest.approx((interval.low, interval.high))


def gaps(**of_pairs):
    """Return the gaps of pairs of relations, such as HYP_MER=(0.5, None): those of the words a, b, …"""
    rows = [
        (*pair.split("_"), word, gap)
        for pair, of_words in of_pairs.items()
        for word, gap in zip("abc", of_words, strict=False)
        if gap is not None
    ]
    return pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")


FULL = gaps(HYP_MER=(0.5, 0.1, 0.3), HYP_HOL=(0.2, 0.4))
LESS = gaps(HYP_MER=(1.0,), HYP_HOL=(0.1,))


def test_it_is_the_sum_over_pairs_of_the_means_over_words():
    full, less = area_averages({"full": FULL, "less": LESS, "none": FULL.clear()})
    columns = ("agent", "value", "units", "least_targets", "clusters", "answered", "own_units")
    assert [full[name] for name in columns] == ["full", pytest.approx(0.3 + 0.3), 2, 2, 3, 2, False]
    assert [less[name] for name in columns] == ["less", pytest.approx(1.0 + 0.1), 2, 1, 1, 2, True]


def test_two_agents_are_compared_on_the_gaps_of_both():
    (row,) = area_tests({"full": FULL, "less": LESS}, {"full": "model", "less": "model"})
    columns = (
        "value_a",
        "value_b",
        "difference",
        "units",
        "clusters",
        "discordant",
        "discordant_clusters",
        "p",
        "note",
    )
    # of the word a alone: 0.5 + 0.2 against 1.0 + 0.1
    expected = [0.7, 1.1, -0.4, 2, 1, 2, 1, 1.0]
    assert [row[name] for name in columns[:-1]] == pytest.approx(expected)
    assert row["note"].startswith("no interval")


def test_the_mean_of_a_pair_in_a_comparison_is_over_its_words_and_gaps_without_a_difference_are_not_discordant():
    other = gaps(HYP_MER=(0.3, 0.1, None), HYP_HOL=(0.4, 0.0))
    (row,) = area_tests({"full": FULL, "other": other}, {"full": "model", "other": "model"})
    # the differences are 0.2 and 0 in HYP_MER, and -0.2 and 0.4 in HYP_HOL; those of the word a cancel each other
    columns = ("value_a", "value_b", "difference", "units", "clusters", "discordant", "discordant_clusters")
    assert [row[name] for name in columns] == pytest.approx([0.6, 0.4, 0.2, 4, 2, 3, 1])
