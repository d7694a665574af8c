"""What a choice changes that a paper leaves open: values under the study's own setting, and under another one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl


class Setting(NamedTuple):
    """A choice, with the study's own setting (`here`) and another one, in words."""

    choice: str
    here: str
    other: str


class Mean(NamedTuple):
    """A value under a setting, and the number of units that it is over."""

    value: float | None
    units: int | None = None


def schema(*labels: str, units: str = "") -> pl.Schema:
    """Return the columns of a table of choices: one row says what another setting changes of one value.

    `labels`: the columns that say in words what the value is of. `units`: the noun of what values are over; empty: the table
    does not count them.

    >>> list(schema("agent", units="groups"))
    ['choice', 'here', 'other', 'agent', 'value', 'other_value', 'effect', 'groups', 'other_groups']
    """
    words = dict.fromkeys([*Setting._fields, *labels], pl.String())
    numbers = dict.fromkeys(["value", "other_value", "effect"], pl.Float64())  # effect: other_value - value
    return pl.Schema({**words, **numbers, **dict.fromkeys(_counts(units), pl.UInt32())})


def row(setting: Setting, before: Mean, after: Mean, units: str = "", **labels: str) -> dict[str, Any]:
    """Return a row of a table with the columns `schema(*labels, units)`, without its effect.

    `before`: the value under the study's own setting; `after`: under the other one.
    """
    counts = dict(zip(_counts(units), (before.units, after.units), strict=False))
    return {**setting._asdict(), **labels, "value": before.value, "other_value": after.value, **counts}


def table(rows: Iterable[Mapping[str, Any]], columns: pl.Schema) -> pl.DataFrame:
    """Return a table of choices from its rows. `columns`: as `schema` returns them.

    >>> ties = Setting("ties", "drawn", "all orders")
    >>> rows = [row(ties, Mean(0.5, 8), Mean(0.25, 8), units="groups", agent="gpt2")]
    >>> table(rows, schema("agent", units="groups")).select("agent", "effect", "groups").row(0)
    ('gpt2', -0.25, 8)
    """
    choices = pl.DataFrame(list(rows), schema={name: kind for name, kind in columns.items() if name != "effect"})
    return choices.with_columns(effect=pl.col("other_value") - pl.col("value")).select(list(columns))


def concat_by_choice(tables: Iterable[pl.DataFrame], choices: Sequence[str], *further: str) -> pl.DataFrame:
    """Return tables of choices as one. `choices`: their order in the table; `further`: columns that it is sorted by next."""
    order = pl.col("choice").cast(pl.Enum(choices))
    return pl.concat(tables).sort(order, *further, maintain_order=True)


def _counts(units: str) -> list[str]:
    return [units, f"other_{units}"] if units else []
