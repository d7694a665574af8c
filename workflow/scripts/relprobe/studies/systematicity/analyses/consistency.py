"""Right answers in the singular and in the plural, and whether they go together (section 3.5 of the paper).

## Right in which number?

```yaml
table: consistency
empty: No agent was asked in both numbers.
columns:
  both: the share of hyponyms whose category is right in both numbers
  singular_only: the share right in the singular alone
  plural_only: the share right in the plural alone
  neither: the share right in neither number
  phi: the correlation of right in the singular with right in the plural
  right_singulars: the number of hyponyms that are right in the singular
  plural_if_singular: the share of these that are right in the plural, too
```

The share of hyponyms whose category is recognised in both numbers, in one alone, or in neither *(section 3.5 of
the paper)*. phi is the correlation of right in the singular with right in the plural: 0 where one number says nothing
about the other.

The interval of phi is by resampling categories. plural if singular is the share of right answers in the plural among
the hyponyms that are right in the singular, with the 95 % interval over categories. Of an agent that answers several
times, the shares are over its answers, and right singulars are hyponyms with most answers right.
"""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.report.published import shares_in_percent
from relprobe.report.words.readable import interval_in_words, minus
from relprobe.stats import Values, share_interval, statistic_interval
from relprobe.stats.averages import SEED
from relprobe.stats.controls import owner
from relprobe.studies.systematicity.agreement import phi, sums_by_category
from relprobe.studies.systematicity.measures import MOST
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import SETS, Metrics

PLACE = 3


CONSISTENCY = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "both": pl.Float64(),  # the share of the hyponyms that are right in both numbers
        "singular_only": pl.Float64(),
        "plural_only": pl.Float64(),
        "neither": pl.Float64(),
        "hyponyms": pl.UInt32(),
        "phi": pl.Float64(),  # the correlation of right in the singular with right in the plural
        "phi_low": pl.Float64(),  # its 95 % interval: categories are resampled
        "phi_high": pl.Float64(),
        "right_singulars": pl.UInt32(),  # hyponyms that are right in the singular, in most answers
        "plural_if_singular": pl.Float64(),  # the share of them that are right in the plural
        "plural_if_singular_low": pl.Float64(),  # its 95 % interval over categories (Wilson's, of the effective number)
        "plural_if_singular_high": pl.Float64(),
        "note": pl.String(),  # the reason why phi or its interval is missing
    }
)


def consistency(metrics: Mapping[str, Metrics]) -> pl.DataFrame:
    """Return per set and agent how the answers in the singular and in the plural go together (CONSISTENCY).

    `metrics`: agent -> its values. The hyponyms are those that the agent has answered in both numbers. Of an agent that has
    answered several times (people's task in several orders), the shares are over its answers, two of one order each.

    >>> values = {"condition": "extended", "unit": ["robin"] * 2, "cluster": ["bird"] * 2, "value": [1, 0]}
    >>> table = consistency({"m": pl.DataFrame({**values, "metric": ["singular", "plural"]})})
    >>> table.select("set", "agent", "both", "singular_only", "plural_only", "neither", "hyponyms").row(0)
    ('extended', 'm', 0.0, 1.0, 0.0, 0.0, 1)
    """
    rows = []
    for agent, values in metrics.items():
        number_values = values.filter(pl.col("metric").is_in(["singular", "plural", "singular_plural"]))
        for (condition,), set_values in number_values.group_by("condition", maintain_order=True):
            wide = set_values.pivot("metric", index=["unit", "cluster"], values="value").drop_nulls()
            if {"singular", "plural"} <= set(wide.columns) and wide.height:
                # An agent with one answer to each may have no values of both numbers at once, which follow from the two.
                both_numbers = wide.get_column("singular_plural", default=wide["singular"] * wide["plural"])
                columns = (wide["singular"], wide["plural"], both_numbers, wide["cluster"])
                agent_columns = _agent_columns(*(column.to_numpy() for column in columns))
                rows.append({"set": condition, "agent": agent, **agent_columns})
    table = pl.DataFrame(rows, schema=CONSISTENCY)
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def _agent_columns(singular: Values, plural: Values, joint: Values, category: NDArray[np.str_]) -> dict[str, Any]:
    """Return the columns from `both` on; `singular`, `plural`, `joint`: the share of right answers, (hyponyms,).

    `category`: that of each hyponym. Categories are resampled, as their hyponyms share an answer.
    """
    cells = np.column_stack([joint, singular - joint, plural - joint, 1 - singular - plural + joint])
    names = ("both", "singular_only", "plural_only", "neither")
    row = {**dict(zip(names, cells.mean(axis=0).tolist(), strict=True)), "hyponyms": len(cells)}
    correlation = float(phi(np.ones((1, len(cells))) @ cells)[0])
    if np.isnan(correlation):
        row |= {"note": "no phi: all answers in one number are right, or all are wrong"}
    else:
        category_sums = sums_by_category(cells, category)
        interval = statistic_interval(lambda weights: phi(weights @ category_sums), len(category_sums), SEED)
        row |= {"phi": correlation, "phi_low": interval.low, "phi_high": interval.high, "note": interval.note}
    right = int((singular > MOST).sum())
    if singular.any():
        among = share_interval(*sums_by_category(np.column_stack([joint, singular]), category).T)
        row |= {"plural_if_singular": float(joint.sum() / singular.sum())}
        row |= {"plural_if_singular_low": among.low, "plural_if_singular_high": among.high}
    return {**row, "right_singulars": right}


QUANTITIES = {
    "both": "right in both numbers (%)",
    "singular_only": "right in the singular only (%)",
    "plural_only": "right in the plural only (%)",
    "neither": "right in neither number (%)",
}
"""Column -> the quantity among the published figures."""


def _table(results: Results) -> pl.DataFrame:
    return consistency(results.metrics)


def published(results: Results) -> list[pl.DataFrame]:
    """Return the shares as the paper prints them (OURS)."""
    return [ours(consistency(results.metrics))]


def ours(table: pl.DataFrame) -> pl.DataFrame:
    """Return the shares of CONSISTENCY under the names of the published figures (OURS)."""
    long = table.unpivot(list(QUANTITIES), index=["set", "agent", "hyponyms"])
    quantity = pl.col("variable").replace_strict(QUANTITIES)
    return shares_in_percent(long, quantity, "set", "value", n="hyponyms", units="hyponyms")


TABLES = {"consistency": _table}


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> tuple[str, str]:
    """Return, for the folded part of the page's head, whether what is right in the singular is right in the plural."""
    return "", _consistent(tables["consistency"], models) if "consistency" in tables else ""


def _consistent(consistency: pl.DataFrame, models: Collection[str]) -> str:
    """Return how often a hyponym that is right in the singular is right in the plural, for the model with most of them.

    An agent that names one category for all hyponyms is consistent, too: beside phi stands the highest one of a control.

    >>> shares = {"both": 0.3, "singular_only": 0.1, "plural_only": 0.15, "neither": 0.45, "hyponyms": 100}
    >>> right = {"right_singulars": 40, "plural_if_singular": 0.75, "plural_if_singular_low": 0.6}
    >>> phi = {"plural_if_singular_high": 0.86, "phi": 0.5, "phi_low": 0.3, "phi_high": 0.7}
    >>> print(_consistent(pl.DataFrame([{"set": "s", "agent": "m", **shares, **right, **phi}]), ["m"]))
    Of the 40 hyponyms that m has right in the singular, 75 of 100 are right in the plural (95 % interval 60 to 86); of the \
others, 25 of 100 are (phi 0.50, 95 % interval 0.30 to 0.70).
    """
    rows = consistency.filter(pl.col("agent").is_in(list(models)), pl.col("right_singulars") > 1)
    if rows.is_empty():
        return ""
    row = rows.sort("right_singulars", descending=True, maintain_order=True).row(0, named=True)
    low, high = (row[f"plural_if_singular_{end}"] for end in ("low", "high"))
    bounds = "" if low is None else f" ({interval_in_words(100 * low, 100 * high, 0)})"
    sentence = (
        f"Of the {row['right_singulars']:,} hyponyms that {row['agent']} has right in the singular, "
        f"{100 * row['plural_if_singular']:.0f} of 100 are right in the plural{bounds}"
    )
    wrong = row["plural_only"] + row["neither"]
    remainder = f"; of the others, {100 * row['plural_only'] / wrong:.0f} of 100 are" if wrong > 0 else ""
    interval = "" if row["phi_low"] is None else f", {interval_in_words(row['phi_low'], row['phi_high'])}"
    phi = minus(f" (phi {row['phi']:.2f}{interval})") if remainder and row["phi"] is not None else ""
    return f"{sentence}{remainder}{phi}.{_blindly_consistent(consistency, models, row) if phi else ''}"


def _blindly_consistent(consistency: pl.DataFrame, models: Collection[str], row: Mapping[str, Any]) -> str:
    """Return the highest phi of an agent's control, in its set: " The control majority has phi 1.00"; "" without any."""
    controls = [
        name for name in consistency["agent"].unique() if name not in models and owner(name) in (None, row["agent"])
    ]
    rows = consistency.filter(pl.col("agent").is_in(controls), pl.col("set") == row["set"]).drop_nulls("phi")
    if rows.is_empty():
        return ""
    best = rows.sort("phi", "agent", descending=[True, False]).row(0, named=True)
    phi = minus(f"{best['phi']:.2f}")
    which = f"the control {best['agent']}, which does not know the answer, has phi {phi}"
    return f" That is no sign of knowledge by itself: {which}."
