import numpy as np
import polars as pl
import pytest
from relprobe.stats import benjamini_hochberg, holm, with_benjamini_hochberg, with_holm
from statsmodels.stats.multitest import multipletests


def test_families_with_a_missing_name_or_p_are_adjusted_apart_by_hand():
    rows = [(None, 0.02, "a"), ("x", 0.01, "b"), (None, 0.03, "c"), ("x", None, "d"), ("y", None, "e")]
    table = pl.DataFrame(rows, schema={"family": pl.String, "p": pl.Float64, "agent": pl.String}, orient="row")
    adjusted = with_holm(table, ["family"])
    assert adjusted["p_holm"].to_list() == [
        0.04,
        0.01,
        0.04,
        None,
        None,
    ]  # 2 · 0.02; alone; at least that of the smaller p
    assert adjusted.select("family", "p", "agent").equals(table)
    assert with_holm(table.clear(), ["family"]).schema == adjusted.schema
    assert with_holm(table)["p_holm"].to_list() == [
        0.04,
        0.03,
        0.04,
        None,
        None,
    ]  # one family of three: 2 · 0.02, 3 · 0.01
    of_families = with_benjamini_hochberg(table, ["family"])["p_bh"].to_list()
    assert of_families == pytest.approx([0.03, 0.01, 0.03, None, None])  # 2 / 2 · 0.03 bounds 2 / 1 · 0.02; alone


def test_holm_by_hand():
    # sorted 0.01, 0.02, 0.04: 3 · 0.01, 2 · 0.02, max(0.04, 1 · 0.04)
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_leaves_missing_values_missing_and_does_not_count_them():
    assert holm([None, 0.01, None, 0.04]) == [None, pytest.approx(0.02), None, pytest.approx(0.04)]


@pytest.mark.parametrize("values", [[], [None], [None, None]])
def test_holm_without_p_values_has_nothing_to_adjust(values):
    assert holm(values) == values


def test_holm_gives_at_most_one():
    assert holm([0.6, 0.9]) == [1.0, 1.0]


@pytest.mark.parametrize("decimals", [2, 17], ids=["with ties", "without ties"])
def test_holm_is_statsmodels_to_the_last_bit(decimals):
    p = np.round(np.random.default_rng(1).random(150) ** 3, decimals)
    assert holm(p.tolist()) == multipletests(p, method="holm")[1].tolist()


def test_benjamini_and_hochberg_by_hand():
    # sorted 0.01, 0.02, 0.04: min(3/1 · 0.01, 3/2 · 0.02, 3/3 · 0.04) = 0.03, min(0.03, 0.04), 0.04
    assert benjamini_hochberg([0.04, None, 0.01, 0.02]) == pytest.approx([0.04, None, 0.03, 0.03])
    assert benjamini_hochberg([None]) == [None]


def test_benjamini_and_hochberg_is_statsmodels():
    p = np.random.default_rng(1).random(150) ** 3
    assert benjamini_hochberg(p.tolist()) == pytest.approx(multipletests(p, method="fdr_bh")[1].tolist())
