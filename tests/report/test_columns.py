"""The columns of a wide table that a page shows at first."""

import polars as pl
from relprobe.report.columns import FIRST_COLUMNS, MOST_COLUMNS, later

TESTS = {
    **{"metric": ["soundness", "symmetry"], "relation": "HYP", "k": [None, 5], "agent_a": "m", "agent_b": ["n", "o"]},
    **{"units": 9, "difference": 0.1, "clusters": 9, "low": 0.0, "high": 0.2, "p": 0.1, "p_holm": 0.2, "note": None},
}


def shown(**columns):
    table = pl.DataFrame(columns)
    return [name for name in table.columns if name not in later(table)]


def test_what_a_row_is_about_and_the_answer_with_its_interval_and_p_are_seen_at_once():
    assert shown(**TESTS) == ["metric", "k", "agent_b", "units", "difference", "low", "high", "p_holm"]
    differing = TESTS | {"relation": ["HYP", "ANT"], "agent_a": ["m", "n"]}
    keys = ["metric", "relation", "k", "agent_a", "agent_b"]
    assert shown(**differing) == [*keys, "difference", "low", "high", "p_holm"]


def test_a_column_without_values_waits_though_it_is_an_answer():
    empty = {name: pl.Series([None, None], dtype=pl.Float64) for name in ("value", "low", "high", "p_holm")}
    numbers = {f"n_{i}": [1, 2] for i in range(FIRST_COLUMNS)}
    assert shown(agent=["m", "n"], **empty, **numbers) == ["agent", *list(numbers)[:-1]]


def test_a_narrow_table_shows_everything_and_a_wide_one_never_more_than_its_limit():
    narrow = {f"x_{i}": [None, None] for i in range(FIRST_COLUMNS)}
    assert len(shown(**narrow)) == FIRST_COLUMNS
    assert len(shown(**{f"word_{i}": ["a", "b"] for i in range(20)})) == MOST_COLUMNS


def test_one_row_is_about_its_words_though_they_cannot_differ():
    assert shown(agent=["m"], relation=["HYP"], **{f"n_{i}": [1] for i in range(7)})[:2] == ["agent", "relation"]


def test_a_table_of_one_column_too_many_shows_its_first_ones():
    wide = {f"x_{i}": [1, 2] for i in range(FIRST_COLUMNS + 1)}
    assert shown(**wide) == list(wide)[:FIRST_COLUMNS]
    # Names are matched by patterns, and not patterns by names.
    late = {"agent": ["m", "n"], "x_low": [1, 2]} | {f"x_{i}": [1, 2] for i in range(FIRST_COLUMNS)}
    assert "x_low" not in shown(**late)
