"""The first words of responses that are related to the target in any way: which relations they stand in (section 8)."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.relation import Relations
from relprobe.studies.relations.compare.models.pairs import Models
from relprobe.studies.relations.measure.metrics import OR


def distribution(values: Mapping[str, pl.DataFrame], *, relations: Relations) -> pl.DataFrame:
    """Return Figure 3: agent, relation and share of the first related words that stand in it to the target.

    The agent "gold" has the prompted relations of the same probes as the agent with the most first related words.
    """
    if not values:
        return pl.DataFrame(schema={"relation": pl.String, "share": pl.Float64, "agent": pl.String})
    firsts = {agent: table.filter(metric="first_related") for agent, table in values.items()}
    widest = max(firsts.values(), key=lambda table: table.height)
    parts = [_shares(agent, table, "versus") for agent, table in firsts.items()]
    shares = pl.concat([_shares("gold", widest, "relation"), *parts])
    return shares.sort(pl.col("agent").cast(pl.Enum(["gold", *values])), pl.col("relation").cast(relations.order))


def by_family(shares: pl.DataFrame, models: Models) -> pl.DataFrame:
    """Average the shares (`distribution`) of the models of each family (Figure 3), in the order of their first models.

    A model without a family, and an agent that is no model, stands for itself.
    """
    families = {agent: entry.get("family", agent) for agent, entry in models.items()}
    named = shares.with_columns(agent=pl.col("agent").replace(families), member="agent")
    members = named.group_by("agent").agg(members=pl.col("member").n_unique())
    sums = named.group_by("agent", "relation", maintain_order=True).agg(pl.col("share").sum())
    means = sums.join(members, on="agent", maintain_order="left")
    return means.select("relation", share=pl.col("share") / pl.col("members"), agent="agent")


def _shares(agent: str, firsts: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the shares of the relations in a column. Of words that tie, each is as likely the first one (OR)."""
    named = firsts.select(relation=pl.col(column).str.split(OR))
    parts = named.with_columns(share=1 / (pl.col("relation").list.len() * named.height)).explode("relation")
    return parts.group_by("relation").agg(pl.col("share").sum(), agent=pl.lit(agent))
