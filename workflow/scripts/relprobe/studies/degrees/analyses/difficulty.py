"""What makes a subcategory hard (section 6 of the paper): what a reversal costs, and the spread of people's ratings.

## Which subcategories are hard, and what a reversal costs

```yaml
table: difficulty
part: Tests
empty: No subcategory has gold ratings.
columns:
  name: the name of the subcategory
  reversed: the number of pairs that reverse another one
  drop: by how many ranks reversed pairs lie below the pairs that they reverse, by people's ratings; mean
  range: the largest minus the smallest gold rating
  deviation: the standard deviation of the gold ratings
  mean_rho: the mean rho of all agents but random
```

By how many ranks a reversed pair lies below the pair that it reverses, by people's ratings (drop), and the spread of
the gold ratings (range, deviation) *(section 6 of the paper)*. mean_rho is the mean over all agents but random.

*The paper names the largest drops (Sequence, Functional) and the smallest (Attribute Similarity, Contrary)
without figures; in its package Sequence has the largest and the latter two are among the smallest, but Functional is
in the middle.*

## Does the spread of the gold ratings decide?

```yaml
table: spread
part: Tests
empty: Too few subcategories for a correlation.
columns:
  spread: how the spread of the gold ratings is measured
  spearman: Spearman's correlation of the agent's rho with the spread, over subcategories
```

Spearman's correlation of an agent's rho with the range and with the standard deviation of the gold ratings, over the
test subcategories. *The paper says that difficulty is correlated with neither (section 6 of the paper).*
"""

from collections.abc import Mapping

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.report.published import figures
from relprobe.stats import spearman
from relprobe.studies.degrees.conditions import TEST
from relprobe.studies.degrees.results import Results
from relprobe.studies.degrees.schemas import TRAINING, Gold

PLACE = 6
DROP = ("rank of the drop by reversal", "rank of the drop by reversal, from the smallest")
SPREAD_QUANTITY = "correlation of difficulty with the {} (1: p < 0.05; 0: not)"
ALPHA = 0.05
MEAN = "mean of the agents"
SPREADS = {"range": "range of the gold ratings", "deviation": "standard deviation of the gold ratings"}
"""Column of DIFFICULTY -> what the agents' rho is correlated with."""

DIFFICULTY = pl.Schema(
    {
        "subcategory": pl.String(),
        "name": pl.String(),
        "condition": pl.String(),  # as in METRICS
        "pairs": pl.UInt32(),
        "reversed": pl.UInt32(),  # pairs that reverse another one
        "drop": pl.Float64(),  # by how many ranks they lie below these, by people's ratings, mean
        "range": pl.Float64(),  # largest minus smallest gold rating
        "deviation": pl.Float64(),  # standard deviation of the gold ratings
        "mean_rho": pl.Float64(),  # of the agents but random
    }
)
SPREAD = pl.Schema(
    {
        "agent": pl.String(),
        "spread": pl.String(),
        "subcategories": pl.UInt32(),
        "spearman": pl.Float64(),  # of the agent's rho with the spread
        "p": pl.Float64(),
        "note": pl.String(),  # the reason why these are missing
    }
)


def difficulty(gold: Gold, values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the spread of the gold ratings, the drop of reversed pairs, and the agents' mean rho (DIFFICULTY).

    `values`: agent -> its values, as `analyses.read_by_agent` gives them. `drop` is how many ranks a reversed pair
    lies below the pair that it reverses, by people's ratings: the mean over the reversed pairs of the subcategory, with ties
    at their mean rank. The agent random does not count in the mean rho. The largest drop comes first.
    """
    rhos = _rhos(values).group_by("subcategory").agg(mean_rho=ordered_mean("value"))
    rows = [_difficulty(part) for _, part in gold.group_by("subcategory", maintain_order=True)]
    table = pl.DataFrame(rows, schema={name: kind for name, kind in DIFFICULTY.items() if name != "mean_rho"})
    joined = table.join(rhos, on="subcategory", how="left", maintain_order="left")
    return joined.sort("drop", descending=True, nulls_last=True, maintain_order=True).select(list(DIFFICULTY))


def _difficulty(pairs: pl.DataFrame) -> dict[str, object]:
    first = pairs.row(0, named=True)
    ratings = pairs["rating"]
    drops = rank_drops(pairs)
    return {
        "subcategory": first["subcategory"],
        "name": first["name"],
        "condition": TRAINING if first["training"] else first["relation_class"],
        "pairs": pairs.height,
        "reversed": len(drops),
        "drop": sum(drops) / len(drops) if drops else None,
        "range": ratings.max() - ratings.min(),  # type: ignore[operator]
        "deviation": ratings.std(),
    }


def rank_drops(pairs: pl.DataFrame) -> list[float]:
    """Return, for each reversed pair of a subcategory (GOLD), how many ranks it lies below the pair that it reverses.

    The ratings 9, 5, 1 have the ranks 3, 2, 1, so that b:a lies two ranks below a:b:

    >>> rank_drops(pl.DataFrame({"pair": ["a:b", "c:d", "b:a"], "reverses": [None, None, "a:b"], "rating": [9, 5, 1]}))
    [2.0]
    """
    rank = dict(zip(pairs["pair"], pairs["rating"].rank(), strict=True))
    reversals = pairs.drop_nulls("reverses").select("pair", "reverses").iter_rows()
    return [float(rank[original] - rank[pair]) for pair, original in reversals if original in rank]


def correlate_with_spread(table: pl.DataFrame, values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Correlate the agents' rho with the spread of the gold ratings over the test subcategories (SPREAD).

    `table`: DIFFICULTY. The paper finds no correlation, neither with the range nor with the standard deviation.
    """
    rhos = _rhos({agent: rows.filter(condition=TEST) for agent, rows in values.items()})
    means = rhos.group_by("subcategory").agg(ordered_mean("value")).with_columns(agent=pl.lit(MEAN))
    rated_rhos = pl.concat([means.select(rhos.columns), rhos]).join(table, on="subcategory", how="inner")
    rows = []
    for (agent,), part in rated_rhos.group_by("agent", maintain_order=True):
        for column, name in SPREADS.items():
            rated = part.drop_nulls(column).sort("subcategory")
            test = spearman(rated["value"].to_numpy(), rated[column].to_numpy())
            rows.append((agent, name, test.n, test.effect, test.p, test.note))
    return pl.DataFrame(rows, schema=SPREAD, orient="row")


def _rhos(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return agent, subcategory and rho of all agents but random, each subcategory once."""
    tables = [
        rows.filter(metric="rho")
        .unique("unit", maintain_order=True)
        .select(pl.lit(agent).alias("agent"), "value", subcategory="unit")
        for agent, rows in values.items()
        if agent != "random"
    ]
    schema = {"agent": pl.String(), "value": pl.Float64(), "subcategory": pl.String()}
    return pl.concat(tables) if tables else pl.DataFrame(schema=schema)


def section_6_values(difficulty: pl.DataFrame, spread: pl.DataFrame) -> list[pl.DataFrame]:
    """Return what section 6 finds: what a reversal costs most and least, and what difficulty goes with (OURS).

    >>> hard = pl.DataFrame({"name": ["Sequence", "Part", "Contrary"], "drop": [32.5, 9.0, -0.8]})
    >>> flat = pl.DataFrame({"agent": [MEAN], "spread": ["range of the gold ratings"], "p": [0.4], "subcategories": [69]})
    >>> most, least, spread_rows = section_6_values(hard, flat)
    >>> most["ours"].to_list(), least["ours"].to_list(), spread_rows["ours"].to_list()
    ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [0.0])
    """
    dropped = difficulty.drop_nulls("drop")
    ranks = [
        dropped.select(quantity=pl.lit(name), condition="name", agent=pl.lit(None, pl.String), ours=rank)
        for name, rank in zip(DROP, (pl.col("drop").rank("min", descending=up) for up in (True, False)), strict=True)
    ]
    tested = spread.filter(agent=MEAN).drop_nulls("p")
    related = tested.select(
        quantity=pl.format(SPREAD_QUANTITY, "spread"),
        condition=pl.lit(None, pl.String),
        agent=pl.lit(None, pl.String),
        ours=(pl.col("p") < ALPHA).cast(pl.Float64),
        n="subcategories",
        units=pl.lit("subcategories"),
    )
    return [figures(table) for table in (*ranks, related)]


def _difficulty_table(results: Results) -> pl.DataFrame:
    return difficulty(results.gold, results.values())


def _spread_table(results: Results) -> pl.DataFrame:
    return correlate_with_spread(_difficulty_table(results), results.values())


def published(results: Results) -> list[pl.DataFrame]:
    """Return our values of what the paper prints (OURS)."""
    return section_6_values(_difficulty_table(results), _spread_table(results))


TABLES = {"difficulty": _difficulty_table, "spread": _spread_table}
