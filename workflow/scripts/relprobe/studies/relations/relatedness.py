"""Words related to the target in any way: how soon a response reaches one, and in which relation it stands (section 8)."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.relation import RELATIONS
from relprobe.studies.relations.metrics import PROMPTED, UNIT, rows_of


def first_related(units: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """Return, per probe, the rank of the first word that is in any relatum set of the target (METRICS).

    `versus` is the relation whose set that is. Probes without such a word in the response have no row.
    """
    related = found.filter(kind="main").drop_nulls("versus").join(units.select(UNIT), on=UNIT, how="semi")
    first = related.sort("position").unique(UNIT, keep="first", maintain_order=True)
    return rows_of(first.with_columns(value=pl.col("position")), "first_related")


def unrelated(units: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """Return, per probe, 1 if none of the first |Y| words is a relatum of the prompted relation (OOR), else 0 (METRICS).

    So counted 20 % of the human responses consist of OOR words, as the paper has it; with relata of any relation it would
    be 12 %, with all words that the humans named 5 %. Responses of models are as long as their vocabulary.
    """
    near = found.filter((pl.col("kind") == "main") & PROMPTED).join(units, on=UNIT)
    seen = near.filter(pl.col("position") <= pl.col("relata")).select(UNIT).unique().with_columns(value=pl.lit(0.0))
    return rows_of(units.join(seen, on=UNIT, how="left").with_columns(pl.col("value").fill_null(1.0)), "unrelated")


def distribution(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return Figure 3: agent, relation and share of the first related words that stand in it to the target.

    The agent "gold" is the relation that was prompted for, over the same probes as the agent with most of them.
    """
    firsts = {agent: table.filter(metric="first_related") for agent, table in values.items()}
    widest = max(firsts.values(), key=lambda table: table.height)
    parts = [_shares(agent, table, "versus") for agent, table in firsts.items()]
    shares = pl.concat([_shares("gold", widest, "relation"), *parts])
    return shares.sort(pl.col("agent").cast(pl.Enum(["gold", *values])), pl.col("relation").cast(pl.Enum(RELATIONS)))


def _shares(agent: str, firsts: pl.DataFrame, column: str) -> pl.DataFrame:
    counts = firsts.group_by(relation=column).len()
    return counts.select("relation", share=pl.col("len") / pl.col("len").sum(), agent=pl.lit(agent))
