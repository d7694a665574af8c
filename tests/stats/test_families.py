import numpy as np
import polars as pl
import pytest
from relprobe.stats import benjamini_hochberg, holm, with_benjamini_hochberg, with_holm
from relprobe.stats.families import detectable, with_detectable
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
    adjusted = with_benjamini_hochberg(table, ["family"])["p_bh"].to_list()
    assert adjusted == pytest.approx([0.03, 0.01, 0.03, None, None])  # 2 / 2 · 0.03 bounds 2 / 1 · 0.02; alone


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


def row_of(**changed):
    row = {"p": 0.3, "error": 0.1, "freedom": 9.0, "effective_n": 20.0, "tests": 1, "clusters": 6}
    return pl.DataFrame([{**row, **changed}], schema_overrides={"tests": pl.Int64, "clusters": pl.Int64})


@pytest.mark.parametrize(
    ("changed", "arguments"),
    [
        ({}, (10, 1)),
        ({"freedom": None}, (20, 1)),
        ({"freedom": None, "effective_n": None}, (6, 1)),
        ({"tests": None}, (10, 1)),
        ({"tests": 2}, None),  # signs of six clusters reach 1/32, which is above 0.05 / 2
        ({"tests": 2, "clusters": 7}, (10, 2)),
        ({"clusters": 5}, None),  # 1/16 is above 0.05
        ({"clusters": None}, None),
        ({"p": None}, None),
    ],
)
def test_a_difference_is_detectable_where_signs_of_the_clusters_can_reach_the_level(changed, arguments):
    """Its degrees of freedom are those of the error or, without any, those of the independent items or of the clusters."""
    table = with_detectable(row_of(**changed), "tests", "found")
    assert table["found"].to_list() == [None if arguments is None else detectable(0.1, *arguments)]
    assert table.drop("found").equals(row_of(**changed))


def test_what_is_detectable_in_shares_knows_their_gain_and_room():
    table = with_detectable(row_of(gain=0.01, room=0.9, clusters=30), "tests", "found")
    assert table["found"].to_list() == [detectable(0.1, 10, 1, gain=0.01, room=0.9)]
    assert table["found"].to_list() != [detectable(0.1, 10, 1)]
