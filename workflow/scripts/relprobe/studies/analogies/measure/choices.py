"""The choices in words of an agent as its decisions in the unsupervised setting, and how many of them could be read."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.analogies.measure.unsupervised import decisions_of
from relprobe.studies.analogies.schemas import Decisions, Instances, Partition, ReplyChoices
from relprobe.studies.letters import places, readable, readings

CHOICE = ["probe", "query", "tuple", "negative"]
"""The columns of CHOICES that say which choice it is."""
PAIRS = {
    "query": ("query_head", "query_tail"),
    "tuple": ("head", "tail"),
    "negative": ("negative_head", "negative_tail"),
}
"""Column of CHOICES -> the columns of INSTANCES with its words."""


def reply_decisions(choices: ReplyChoices, instances: Instances, *, partitions: list[Partition]) -> Decisions:
    """Return the choices as decisions of the unsupervised setting: a value is the share of right answers.

    It is the mean over all orders and samples, in which an answer that cannot be read is a wrong one. A probe of which
    too many answers cannot be read (`letters.readable`) has no decisions. DataError: the choices lack an instance.
    """
    values = choices.group_by(CHOICE).agg(value=pl.col("right").cast(pl.Float64).mean())
    rows = instances.filter(pl.col("partition").is_in(partitions))
    keys = rows.select("probe", **{name: pl.format("{} : {}", *words) for name, words in PAIRS.items()})
    value = keys.join(values, on=CHOICE, how="left", maintain_order="left")["value"]
    if value.null_count():
        raise DataError("the choices lack an instance: delete the replies and run again.")
    kept = rows["probe"].is_in(readable(choices, "probe")["probe"].unique().to_list())
    return decisions_of(rows.filter(kept), value.filter(kept))


def read_of_agents(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how much of the answers of each agent could be read, by probe (`letters.readings`)."""
    question = pl.struct("query", "tuple", "negative").alias("question")
    return readings(_by_probe(choices, question), "question").rename({"task": "probe"})


def places_of_agents(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how often each agent chooses the pair at each place, by probe (`letters.places`)."""
    return places(_by_probe(choices)).rename({"task": "probe"})


def _by_probe(choices: Mapping[str, ReplyChoices], *columns: pl.Expr) -> dict[str, pl.DataFrame]:
    return {agent: table.with_columns(*columns, task="probe") for agent, table in choices.items()}
