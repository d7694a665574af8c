"""The trials of the definitions study: which candidate every agent ranked first in each task."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.manifest import only_file
from relprobe.paper.trials import Trials, as_trials
from relprobe.sources.exported import Layout
from relprobe.sources.own.definition_answers import read
from relprobe.studies.definitions.method import precision
from relprobe.studies.definitions.people import sheet
from relprobe.studies.definitions.schemas import HUMANS, TASK_NAMES, Properties, Responses
from relprobe.studies.definitions.tables import ZIPF


def trials(
    responses: dict[str, Responses],
    properties: Properties,
    answers: Path | None = None,
    *,
    ties: str = "expected",
    expected: list[str] | None = None,
    layout: dict[str, Any] | None = None,
) -> Trials:
    """Return a trial for each task and target that the averages count, and for each answer of people one.

    `ties`: how candidates of equal score count (`metrics`); `expected`: the agents of which they always count by their mean.
    `answers` and `layout`: the manifest of people's table and what the configuration says of it, if it has further columns.
    A rank is missing where a person did not rank the right candidate. The patterns of a model are put together in its
    scores, so that a trial has no prompt; and scores are no probabilities of an answer. The cluster is the family of targets
    with a common hypernym.
    """
    drawn = properties.filter("drawn").select("group", "pos", "word", "family", zipf=ZIPF)
    tables = []
    for agent, table in responses.items():
        agent_ties = "expected" if agent in (expected or []) else ties
        number = (pl.int_range(pl.len()).over("task", "group") + 1).cast(pl.String)
        several = pl.len().over("task", "group") > 1
        rows = table.with_columns(
            right=precision("expected" if agent_ties == "expected" else "drawn"),
            respondent=pl.when(pl.lit(agent == HUMANS) | several).then(number),
        ).join(drawn, on="group", maintain_order="left")
        trials_of_agent = _columns(rows)
        if agent == HUMANS and answers is not None:
            further = _further(only_file(answers), Layout.of(layout))
            trials_of_agent = trials_of_agent.join(
                further, on=["item", "respondent"], how="left", maintain_order="left"
            )
        tables.append(as_trials(trials_of_agent, study="definitions", agent=agent, counted=True))
    return pl.concat(tables)


def _columns(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of trials of an agent's responses, with their targets' frequencies and families."""
    return rows.select(
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


def _further(file: Path, layout: Layout | None) -> pl.DataFrame:
    """Return item, respondent, and further: what people's table says of the candidate that each ranked first."""
    first = sorted((ranking for ranking in read(file, layout) if ranking.rank == 1), key=sheet)
    rows = []
    for (task, group), group_rankings in groupby(first, key=lambda ranking: (ranking.task, ranking.group)):
        cells = (json.dumps(dict(ranking.further), ensure_ascii=False) for ranking in group_rankings)
        rows += [(f"{task}:{group}", str(number), text) for number, text in enumerate(cells, 1)]
    return pl.DataFrame(rows, schema=dict.fromkeys(("item", "respondent", "further"), pl.String), orient="row")
