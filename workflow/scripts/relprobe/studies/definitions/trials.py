"""The trials of the definitions study: which candidate every agent ranked first in each task."""

import polars as pl

from relprobe.paper.trials import Trials, as_trials
from relprobe.studies.definitions.method import precision
from relprobe.studies.definitions.schemas import HUMANS, TASK_NAMES, Properties, Responses
from relprobe.studies.definitions.tables import ZIPF


def trials(
    responses: dict[str, Responses],
    properties: Properties,
    *,
    ties: str = "expected",
    expected: list[str] | None = None,
) -> Trials:
    """Return a trial for each task and target that the averages count, and for each answer of people one.

    `ties`: how candidates of equal score count (`metrics`); `expected`: the agents of which they always count by their mean.
    A rank is missing where a person did not rank the right candidate. The patterns of a model are put together in its
    scores, so that a trial has no prompt; and scores are no probabilities of an answer. The cluster is the family of targets
    with a common hypernym.
    """
    drawn = properties.filter("drawn").select("group", "pos", "word", "family", zipf=ZIPF)
    tables = []
    for agent, table in responses.items():
        of_agent = "expected" if agent in (expected or []) else ties
        number = (pl.int_range(pl.len()).over("task", "group") + 1).cast(pl.String)
        several = pl.len().over("task", "group") > 1
        rows = table.with_columns(
            right=precision("expected" if of_agent == "expected" else "drawn"),
            respondent=pl.when(pl.lit(agent == HUMANS) | several).then(number),
        ).join(drawn, on="group", maintain_order="left")
        trials_of_agent = rows.select(
            task="task",
            relation_name=pl.col("task").replace(TASK_NAMES),
            condition="pos",
            target="word",
            item=pl.format("{}:{}", "task", "group"),
            respondent="respondent",
            answer="answer",
            right="right",
            rank=pl.when(pl.col("rank").is_not_null()).then(pl.col("better").cast(pl.UInt32) + 1),
            candidates="candidates",
            frequency="zipf",
            cluster="family",
        )
        tables.append(as_trials(trials_of_agent, study="definitions", agent=agent, counted=True))
    return pl.concat(tables)
