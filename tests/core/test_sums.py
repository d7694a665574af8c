"""Sums and means are the same to the last digit, whatever the threads, the order of the rows and the pieces of a column."""

import ast
import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from relprobe.core.sums import ordered_deviation, ordered_mean, ordered_product, ordered_sum
from relprobe.studies.relations.distances import printed_area

from tests.paths import SCRIPTS
from tests.trees import tree_of

HELPERS = {"sum": ordered_sum, "mean": ordered_mean, "std": ordered_deviation, "product": ordered_product}
COUNTS = {"asked", "count", "errors", "len", "number", "outside", "people", "questions", "significant", "units"}
COUNTS |= {"respelled", "unknown", "unreadable"}
"""The columns of whole numbers, which have one sum."""
YES_OR_NO = {"is_choice", "outside"}
"""The columns of truth values."""


def table(rows=20_000, groups=20):
    generator = np.random.default_rng(1)
    spread = 10.0 ** generator.integers(-8, 8, rows)
    return pl.DataFrame({"group": generator.integers(0, groups, rows), "value": generator.normal(size=rows) * spread})


def by_group(rows, helper):
    return rows.group_by("group").agg(helper("value")).sort("group")["value"].to_numpy().tobytes()


@pytest.mark.parametrize("name", HELPERS)
def test_the_order_of_the_rows_changes_no_digit(name):
    rows = table() if name != "product" else table().with_columns(pl.col("value").sin() + 1)
    mixed = [rows.sample(fraction=1, shuffle=True, seed=seed) for seed in range(5)]
    assert len({by_group(one, HELPERS[name]) for one in (rows, *mixed)}) == 1


def test_without_the_helper_it_does():
    rows = table()
    assert by_group(rows, pl.sum) != by_group(rows.sample(fraction=1, shuffle=True, seed=1), pl.sum)


@pytest.mark.parametrize("name", HELPERS)
def test_the_pieces_of_a_column_change_no_digit(name):
    rows = table(groups=1)["value"]
    pieces = pl.concat([rows[start : start + 777] for start in range(0, len(rows), 777)], rechunk=False)
    assert pieces.n_chunks() > 1
    assert HELPERS[name](rows) == HELPERS[name](pieces) == rows.to_frame().select(HELPERS[name]("value")).item()


def test_values_by_hand():
    series = pl.Series([4.0, None, 1.0, 1.0])
    assert (ordered_sum(series), ordered_mean(series), ordered_deviation(series), ordered_product(series)) == (
        *(6.0, 2.0, pytest.approx(3**0.5), 4.0),
    )
    nothing = pl.Series([], dtype=pl.Float64)
    assert (ordered_sum(nothing), ordered_mean(nothing), ordered_deviation(nothing), ordered_product(nothing)) == (
        *(0.0, None, None, 1.0),
    )
    assert ordered_deviation(pl.Series([7.0])) is None


def areas():
    generator = np.random.default_rng(1)
    codes = ["HYP", "HPO", "HOL", "MER", "ANT", "SYN"]
    rows = [
        (one, other, f"w{word}", "p", "distinguishability", float(generator.random()))
        for one in codes
        for other in codes
        for word in range(300)
    ]
    return pl.DataFrame(rows, schema=["relation", "versus", "target", "prompt_id", "metric", "value"], orient="row")


def test_a_result_has_the_same_digits_in_any_order_of_its_rows():
    rows = areas()
    mixed = [rows.sample(fraction=1, shuffle=True, seed=seed) for seed in range(10)]
    assert len({printed_area(one)["value"].item() for one in (rows, *mixed)}) == 1


@pytest.mark.slow("it calls ten thousand times")
def test_ten_thousand_calls_beside_busy_processes_have_one_result():
    rows = table()
    work = f"import os\nwhile os.getppid() == {os.getpid()}: pass"  # it ends with this process, also if that is killed
    busy = [subprocess.Popen([sys.executable, "-c", work]) for _ in range(2)]
    try:
        assert len({by_group(rows, ordered_mean) for _ in range(10_000)}) == 1
    finally:
        for process in busy:
            process.kill()
            process.wait()


def additions(tree):
    """Yield the sums, means, deviations and products of polars' expressions in a module: the name, and what is added."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
            added = node.func.value
            columns = {ast.unparse(part.func) for part in ast.walk(added) if isinstance(part, ast.Call)} & {"pl.col"}
            if node.func.attr in (*HELPERS, "var") and columns and not is_exact(added, node.func.attr):
                yield node.lineno, ast.unparse(node)


def is_exact(added, name):
    """Say whether what is added is whole numbers or truth values, or lies in the list of one row, which has no threads."""
    if isinstance(added, ast.Compare) or (isinstance(added, ast.Attribute) and added.attr == "list"):
        return True
    if isinstance(added, ast.Call) and isinstance(added.func, ast.Attribute):
        if ast.unparse(added.func).endswith((".is_null", ".is_not_null", ".list.len", ".list.contains")):
            return True
        if ast.unparse(added.func) == "pl.col":
            names = {ast.literal_eval(argument) for argument in added.args if isinstance(argument, ast.Constant)}
            return bool(names) and names <= (COUNTS if name == "sum" else YES_OR_NO)
    return isinstance(added, ast.BinOp) and all(is_exact(part, name) for part in (added.left, added.right))


def test_what_is_written_is_added_in_order():
    """Polars' own sum of a column of fractions may have another last digit in the next run: see core/sums.py."""
    found = {
        str(path.relative_to(SCRIPTS)): lines
        for path in SCRIPTS.glob("relprobe/**/*.py")
        if (lines := list(additions(tree_of(path.read_text("utf-8")))))
    }
    assert found == {}
