"""Figures in words: what a figure shows, said for those who do not see it."""

import polars as pl

from relprobe.core.words import amount_of
from relprobe.report.words.readable import in_digits

FIRST = 5
"""The agents that a figure's words name under each condition."""


def in_words(table: pl.DataFrame, column: str, by: str, count: str = "", unit: str = "") -> str:
    """Return in words the values of a column of a table with agents: per condition the best agents, and the number of units.

    `by`: the column of the conditions. `count`: the column with the numbers of units, if there is one; `unit`: their noun.
    An agent that is over fewer units than others has its own number behind its value.

    >>> table = pl.DataFrame({"relation": ["HYP", "HYP"], "agent": ["a", "b"], "soundness": [0.25, 0.5], "targets": [8, 8]})
    >>> in_words(table, "soundness", "relation", "targets", "targets")
    'HYP (8 targets): b 0.500, a 0.250.'
    >>> fewer = table.with_columns(targets=pl.Series([8, 6]))
    >>> in_words(fewer, "soundness", "relation", "targets", "targets")
    'HYP (8 targets): b 0.500 (of 6), a 0.250.'
    """
    if column not in table.columns:
        return ""
    sentences = []
    for (condition,), rows in table.drop_nulls(column).group_by(by, maintain_order=True):
        ordered = rows.sort(column, descending=True, maintain_order=True)
        remaining = ordered.height - FIRST
        last = f" … and {remaining} more, down to {in_digits(ordered[-1, column], 3)}" if remaining > 0 else ""
        units = ordered.select(pl.col(count).max()).item() if count in ordered.columns else None
        first = ordered.head(FIRST).iter_rows(named=True)
        values = [f"{row['agent']} {in_digits(row[column], 3)}{_fewer(row.get(count), units)}" for row in first]
        sentences.append(f"{condition}{f' ({amount_of(units, unit)})' if units else ''}: {', '.join(values)}{last}.")
    return " ".join(sentences)


def _fewer(count: int | None, most: int | None) -> str:
    """Return in words the number of units of an agent that has not the most."""
    return f" (of {count:,})" if count is not None and count != most else ""
