"""The one form that values of all studies have: metric, condition, unit, cluster and value (TIDY).

Some studies write the parts of a condition or a unit as columns of their own, since tests need them apart. A study says
which these are (`Study.values`), and `tidy_values` puts them together.
"""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

AGENT = "agent"
TIDY = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),  # what the values are divided by, such as "noun" or "ANT, k = 5"
        "unit": pl.String(),  # what a value is of, such as a group, or "robin · hyp-kind", a target and its prompt
        "cluster": pl.String(),  # units of one cluster depend on each other
        "value": pl.Float64(),
    }
)
SEPARATOR = " · "
"""What stands between the parts of a unit."""


class ValueColumns(NamedTuple):
    """The columns of a study's values that make up those of TIDY. A part that is null in a row is left out there.

    `cluster`: the first of these columns that a value has.
    """

    condition: Sequence[str] = ("condition",)
    unit: Sequence[str] = ("unit",)
    cluster: Sequence[str] = ("cluster",)


USUAL = ValueColumns()
"""Those of a study whose values have the one form already."""


def tidy_values(values: pl.DataFrame, columns: ValueColumns) -> pl.DataFrame:
    """Return the values of a study in the one form (TIDY), after a column `agent` if they have one; the rows stay in order.

    >>> row = {"metric": "symmetry", "relation": "ANT", "target": "hot", "prompt_id": "a", "relatum": "cold"}
    >>> relations = ValueColumns(("relation", "versus", "k"), ("target", "relatum", "prompt_id"), ("cluster", "target"))
    >>> table = pl.DataFrame([{**row, "cluster": None, "versus": None, "k": 5, "value": 1.0}])
    >>> tidy_values(table, relations).row(0)
    ('symmetry', 'ANT, k = 5', 'hot · cold · a', 'hot', 1.0)
    """
    return values.select(
        *([AGENT] if AGENT in values.columns else []),
        "metric",
        condition=condition_text(columns.condition),
        unit=unit_text(columns.unit),
        cluster=pl.coalesce(pl.col(columns.cluster).cast(pl.String)),
        value="value",
    )


def condition_text(columns: Sequence[str]) -> pl.Expr:
    """Return the columns of a condition as one text, such as "ANT, k = 5": the first, and the names of the others.

    >>> table = pl.DataFrame({"relation": ["ANT", "HYP"], "k": [5, None]})
    >>> table.select(condition_text(["relation", "k"])).to_series().to_list()
    ['ANT, k = 5', 'HYP']
    """
    first, *further = columns
    parts = [pl.when(pl.col(name).is_not_null()).then(pl.format(f", {name} = {{}}", name)) for name in further]
    return pl.concat_str(pl.col(first).cast(pl.String), *[text.otherwise(pl.lit("")) for text in parts])


def unit_text(columns: Sequence[str]) -> pl.Expr:
    """Return the columns of a unit as one text, without those that are null: "robin · hyp-kind"."""
    return pl.concat_str([pl.col(name).cast(pl.String) for name in columns], separator=SEPARATOR, ignore_nulls=True)
