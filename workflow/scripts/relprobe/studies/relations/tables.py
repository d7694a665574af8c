"""The tables of all agents' results: metrics per relation, and what open choices and prompts change."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.relation import RELATIONS
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.sensitivity import CONFIGURED


def overview(averages: pl.DataFrame) -> pl.DataFrame:
    """Return the averages (AVERAGES) per agent and relation, a column per metric (and k)."""
    names = pl.DataFrame({"metric": [measure.name for measure in MEASURES]})
    rows = averages.join(names, on="metric", how="inner", maintain_order="right")
    name = pl.when(pl.col("k").is_null()).then("metric").otherwise(pl.format("{}@{}", "metric", "k"))
    wide = rows.with_columns(name=name).pivot("name", index=["relation", "agent"], values="value")
    return wide.sort(pl.col("relation").cast(pl.Enum(RELATIONS)), maintain_order=True)


def sensitivity_tables(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Return the sensitivity of all agents (agent -> SENSITIVITY), and its ranges, by the names of their files."""
    every = pl.concat([table.select(pl.lit(agent).alias("agent"), pl.all()) for agent, table in tables.items()])
    return {"sensitivity": every, "sensitivity_ranges": ranges(every)}


def ranges(table: pl.DataFrame) -> pl.DataFrame:
    """Return the configured value of each agent and result, and its lowest and highest value under other choices or prompts.

    `table`: SENSITIVITY with the agent's name.
    """
    key = ["agent", "metric", "relation", "k"]
    prompt = pl.col("choice").str.starts_with("without ")
    choice = ~prompt
    ends = {
        f"{name}_{end}": getattr(pl.col("value").filter(rows), how)()
        for name, rows in (("choice", choice), ("prompt", prompt))
        for end, how in (("low", "min"), ("high", "max"))
    }
    configured = pl.col("value").filter(pl.col("choice") == CONFIGURED).first()
    return table.group_by(key, maintain_order=True).agg(configured=configured, **ends)
