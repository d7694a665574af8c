"""What makes a subcategory hard (section 6): the spread of its gold ratings, and what a reversal costs a pair."""

from collections.abc import Mapping

import polars as pl

from relprobe.stats import spearman
from relprobe.studies.degrees.compare.analyses import TEST
from relprobe.studies.degrees.schemas import DIFFICULTY, SPREAD, TRAINING, Gold

MEAN = "mean of the agents"
SPREADS = {"range": "range of the gold ratings", "deviation": "standard deviation of the gold ratings"}
"""Column of DIFFICULTY -> what the agents' rho is correlated with."""


def difficulty(gold: Gold, values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the spread of the gold ratings, the drop of reversed pairs, and the agents' mean rho (DIFFICULTY).

    `values`: agent -> its values, as `analyses.by_agent` gives them. `drop` is how many ranks a reversed pair
    lies below the pair that it reverses, by people's ratings: the mean over the reversed pairs of the subcategory, with ties
    at their mean rank. The agent random does not count in the mean rho. The largest drop comes first.
    """
    rhos = _rhos(values).group_by("subcategory").agg(mean_rho=pl.col("value").mean())
    rows = [_of_subcategory(part) for _, part in gold.group_by("subcategory", maintain_order=True)]
    table = pl.DataFrame(rows, schema={name: kind for name, kind in DIFFICULTY.items() if name != "mean_rho"})
    joined = table.join(rhos, on="subcategory", how="left", maintain_order="left")
    return joined.sort("drop", descending=True, nulls_last=True, maintain_order=True).select(list(DIFFICULTY))


def _of_subcategory(pairs: pl.DataFrame) -> dict[str, object]:
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
    both = pairs.drop_nulls("reverses").select("pair", "reverses").iter_rows()
    return [float(rank[original] - rank[pair]) for pair, original in both if original in rank]


def against_spread(table: pl.DataFrame, values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Correlate the agents' rho with the spread of the gold ratings over the test subcategories (SPREAD).

    `table`: DIFFICULTY. The paper finds no correlation, neither with the range nor with the standard deviation.
    """
    rhos = _rhos({agent: rows.filter(condition=TEST) for agent, rows in values.items()})
    means = rhos.group_by("subcategory").agg(pl.col("value").mean()).with_columns(agent=pl.lit(MEAN))
    every = pl.concat([means.select(rhos.columns), rhos]).join(table, on="subcategory", how="inner")
    rows = []
    for (agent,), part in every.group_by("agent", maintain_order=True):
        for column, name in SPREADS.items():
            known = part.drop_nulls(column).sort("subcategory")
            test = spearman(known["value"].to_numpy(), known[column].to_numpy())
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
