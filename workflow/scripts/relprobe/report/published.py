"""The figures that a paper prints, beside those that this run computed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.errors import DataError, first_line
from relprobe.core.files import Format
from relprobe.report.words.readable import decimals_of, in_digits
from relprobe.stats.notes import join_note_columns

PUBLISHED = pl.Schema(
    {
        "where": pl.String(),  # table, figure or section of the paper
        "page": pl.UInt16(),
        "quantity": pl.String(),
        "condition": pl.String(),  # a relation, a part of speech …; empty: all of them
        "agent": pl.String(),  # a model by its name in resources/studies, a baseline, or humans
        "value": pl.Float64(),
        "low": pl.Float64(),  # where the paper gives a range instead of a value: its lower end, if it gives one
        "high": pl.Float64(),  # its upper end, if it gives one
        "note": pl.String(),  # the reason why the reproduced figure may differ
        "source": pl.String(),  # the version of the paper
    }
)
OURS = pl.Schema(
    {
        "quantity": pl.String(),
        "condition": pl.String(),
        "agent": pl.String(),
        "ours": pl.Float64(),
        "ours_low": pl.Float64(),  # its 95 % interval, where it has one
        "ours_high": pl.Float64(),
        "n": pl.UInt32(),  # the number of units that it is over; missing for a number of things
        "units": pl.String(),  # their noun
    }
)
KEY = ["quantity", "condition", "agent"]
NOT_RUN = "not in this run"
ALONE = "in this run alone"


def read(path: Path) -> pl.DataFrame:
    """Read a CSV file of published figures (PUBLISHED). DataError: it has other columns, or a value is not a number."""
    try:
        table = pl.read_csv(path, schema_overrides=PUBLISHED)
    except (pl.exceptions.PolarsError, OSError) as error:  # OSError: it begins as a packed file does, and is none
        raise DataError(f"{path} holds no published figures ({first_line(error)}): correct it.") from error
    if table.columns != list(PUBLISHED):
        raise DataError(f"{path} has the columns {table.columns} instead of {list(PUBLISHED)}: correct it.")
    return table


def figures(rows: pl.DataFrame) -> pl.DataFrame:
    """Return figures of this run as OURS; the columns that `rows` lacks are missing values."""
    lacking = [pl.lit(None, kind).alias(name) for name, kind in OURS.items() if name not in rows.columns]
    return rows.with_columns(*lacking).select(list(OURS)).cast(OURS)


def average_values(
    averages: pl.DataFrame,
    units: Mapping[str, str],
    quantity: pl.Expr | str,
    condition: pl.Expr | str,
    scale: pl.Expr | float = 1.0,
) -> pl.DataFrame:
    """Return averages of a study (AVERAGES) as OURS, each with its interval and the number of its units.

    `units`: metric -> the noun for its items. `scale`: what values and bounds are multiplied by, such as 100 for per cent.

    >>> row = {"metric": "P@1", "condition": "noun", "agent": "bert", "value": 0.5, "low": 0.25, "high": 0.75, "units": 8}
    >>> average_values(pl.DataFrame([row]), {"P@1": "groups"}, "metric", "condition", 100).row(0)
    ('P@1', 'noun', 'bert', 50.0, 25.0, 75.0, 8, 'groups')
    >>> average_values(pl.DataFrame([row]), {"P@1": "groups"}, "metric", "condition").row(0)[3:6]
    (0.5, 0.25, 0.75)
    """
    values = {
        name: pl.col(column) * scale for name, column in (("ours", "value"), ("ours_low", "low"), ("ours_high", "high"))
    }
    noun = pl.col("metric").replace_strict(units, default=None, return_dtype=pl.String)
    return figures(
        averages.select(quantity=quantity, condition=condition, agent="agent", **values, n="units", units=noun)
    )


def shares_in_percent(
    table: pl.DataFrame,
    quantity: pl.Expr,
    condition: str,
    share: str,
    *,
    n: str,
    units: str,
    bounds: tuple[str, str] | None = None,
) -> pl.DataFrame:
    """Return a column of shares as OURS, in per cent. `n`: the column with the number of `units`; `bounds`: of its interval.

    >>> table = pl.DataFrame({"set": ["extended"], "agent": ["bert"], "both": [0.25], "hyponyms": [576]})
    >>> shares_in_percent(table, pl.lit("both (%)"), "set", "both", n="hyponyms", units="hyponyms").row(0)
    ('both (%)', 'extended', 'bert', 25.0, None, None, 576, 'hyponyms')
    """
    ends = zip(("ours_low", "ours_high"), bounds or (), strict=False)
    interval = {name: 100 * pl.col(column) for name, column in ends}
    number = pl.col(n).cast(pl.Float64).round()  # it may be a mean over seeds
    values = {"ours": 100 * pl.col(share), **interval, "n": number, "units": pl.lit(units)}
    return figures(table.select(quantity=quantity, condition=condition, agent="agent", **values))


Published = Annotated[pl.DataFrame, Format(read)]


def figures_of_paper(published: pl.DataFrame | None) -> pl.DataFrame:
    """Return the published figures, or a table without rows if there are none: the data are not the paper's.

    >>> figures_of_paper(None).is_empty()
    True
    """
    return pl.DataFrame(schema=PUBLISHED) if published is None else published


def compare_published(published: pl.DataFrame | None, ours: pl.DataFrame) -> pl.DataFrame:
    """Return the published figures (PUBLISHED) with ours, its interval and n, and `difference` (ours - published).

    `published`: as in `figures_of_paper`. `ours`: the figures of this run (OURS). The difference from a range is that from
    its nearer end, and 0 inside the range; a range may have one end. Where this run has no such figure, `ours` is null and
    the note begins with NOT_RUN. Below them are the figures of the agents that this run alone has, of the same quantities
    and conditions: there `where` is null, and the note is ALONE.

    >>> row = ("Table 1", 3, "P@1", "noun", "bert", 0.5, None, None, None, "EACL 2021")
    >>> published = pl.DataFrame([row], schema=PUBLISHED, orient="row")
    >>> ours = pl.DataFrame([("P@1", "noun", "bert", 0.75, 0.6, 0.9, 20, "groups")], schema=OURS, orient="row")
    >>> compare_published(published, ours).select("value", "ours", "ours_low", "ours_high", "units", "difference").row(0)
    (0.5, 0.75, 0.6, 0.9, 'groups', 0.25)
    """
    published = figures_of_paper(published)
    joined = published.join(ours, on=KEY, how="left", nulls_equal=True, maintain_order="left")
    joined = pl.concat([joined, _alone(published, ours)], how="diagonal")
    value = pl.col("ours")
    from_range = value - value.clip(pl.col("low"), pl.col("high"))
    difference = pl.when(pl.col("value").is_not_null()).then(value - pl.col("value")).otherwise(from_range)
    missing = join_note_columns(pl.lit(NOT_RUN), "note")
    note = pl.when(value.is_null()).then(missing).when(pl.col("where").is_null()).then(pl.lit(ALONE)).otherwise("note")
    return joined.select(
        *("where", "page", *KEY, "value", "low", "high", *(name for name in OURS if name not in KEY)),
        difference=difference.round(6),
        note=note,
    )


def _alone(published: pl.DataFrame, ours: pl.DataFrame) -> pl.DataFrame:
    """Return the figures of agents that the paper does not have, where it prints those of others."""
    columns = KEY[:-1]
    printed = published.drop_nulls("agent").select(columns).unique()
    unprinted = ours.drop_nulls(["agent", "ours"]).join(
        published, on=KEY, how="anti", nulls_equal=True, maintain_order="left"
    )
    return unprinted.join(printed, on=columns, how="semi", nulls_equal=True, maintain_order="left")


def decimals(table: pl.DataFrame) -> list[int]:
    """Return with how many decimals the numbers of each row of `compare_published` are shown: as many as the paper prints.

    These are the most that a value of the quantity has in the same place of the paper, or in any place for the agents that
    this run alone has.

    >>> rows = [("T1", "RS", 0.7, None), ("T1", "RS", 0.66, None), ("T2", "RS", 1.0, 2.5), (None, "RS", None, None)]
    >>> decimals(pl.DataFrame(rows, schema=["where", "quantity", "value", "low"], orient="row").with_columns(high="low"))
    [2, 2, 1, 2]
    """
    most: dict[tuple[str | None, str], int] = {}
    for where, quantity, *numbers in table.select("where", "quantity", "value", "low", "high").iter_rows():
        largest = max((_decimals(number) for number in numbers if number is not None), default=0)
        for condition in (where, None):
            most[condition, quantity] = max(most.get((condition, quantity), 0), largest)
    return [most[condition] for condition in table.select("where", "quantity").iter_rows()]


def _decimals(number: float) -> int:
    """Return the decimals of the shortest form of a number.

    >>> [_decimals(number) for number in (692.0, 0.5, 58.33)]
    [0, 1, 2]
    """
    return len(f"{number:.9f}".rstrip("0").partition(".")[2])


def page_table(table: pl.DataFrame, decimals: Sequence[int]) -> pl.DataFrame:
    """Return the table of `compare_published` as a page shows it: bounds in one column, and no column without values.

    `decimals`: those of the bounds of each row.

    >>> names = ["quantity", "low", "high", "ours", "ours_low", "ours_high", "n"]
    >>> row = ("soundness", 0.6, 0.75, 0.747218, -0.721226, 0.771554, 629)
    >>> page_table(pl.DataFrame([row], schema=names, orient="row"), [2]).row(0, named=True)
    {'quantity': 'soundness', 'range': '0.60 to 0.75', 'ours': 0.747218, 'interval': '−0.72 to 0.77', 'n': 629}
    """
    bounds = {"low": ("range", "high"), "ours_low": ("interval", "ours_high")}
    columns = []
    for name in table.columns:
        if name in bounds:
            joined, high = bounds[name]
            pairs = zip(table[name], table[high], decimals, strict=True)
            columns.append(pl.Series(joined, [_range(*pair) for pair in pairs], pl.String))
        elif name not in ("high", "ours_high"):
            columns.append(table[name])
    return pl.DataFrame([column for column in columns if column.count()])


def _range(low: float | None, high: float | None, decimals: int) -> str | None:
    """Return in words a range, or the one bound that there is.

    >>> _range(0.6, 0.75, 2), _range(None, 0.25, 2), _range(0.45, None, 2), _range(None, None, 2)
    ('0.60 to 0.75', 'at most 0.25', 'at least 0.45', None)
    """
    if low is not None and high is not None:
        decimals = decimals_of(low, high, decimals)
    bounds = [None if end is None else in_digits(end, decimals) for end in (low, high)]
    if None not in bounds:
        return f"{bounds[0]} to {bounds[1]}"
    return next((f"{words} {end}" for words, end in zip(("at least", "at most"), bounds, strict=True) if end), None)
