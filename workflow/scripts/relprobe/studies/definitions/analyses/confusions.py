"""What each agent takes for right: the most frequent targets that it misses.

## What is taken for right

```yaml
table: confusions
empty: No agent has missed a target.
```

The most frequent targets that an agent misses, with its first choice and the rank of the right candidate. A dash says
that a person did not rank it.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from relprobe.studies.definitions.addresses import answers, text
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import Groups, Properties, Responses
from relprobe.studies.definitions.tables import described_answers, shown_answers

PLACE = 7
EXAMPLES = 5
"""Confusions per agent, task and part of speech."""


def confusions(responses: Mapping[str, Responses], groups: Groups, properties: Properties) -> pl.DataFrame:
    """Return, per agent, task and part of speech, the most frequent targets whose task the agent misses.

    `answer` is the candidate that the agent ranks first, `rank` the rank of the right one, null if a person did not rank it.
    The random baseline has no rows, since its answers say nothing.
    """
    described = groups.join(properties.select("group", "uses"), on="group", maintain_order="left")
    rows = described_answers(responses, described).filter(pl.col("rank").ne_missing(1))
    missed = rows.sort("uses", "group", descending=[True, False], nulls_last=True)
    return shown_answers(missed.group_by("agent", "task", "pos", maintain_order=True).head(EXAMPLES), responses, "pos")


def _table(results: Results) -> pl.DataFrame:
    return confusions(results.responses, results.groups, results.properties)


TABLES = {"confusions": _table}


def _task_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of all agents' answers to a task, at its word."""
    if column != "word":
        return None
    probe = text(row["task"], row["word"], row["definition"])
    return answers(row["agent"], row["task"], row["part_of_speech"], probe=probe)


ADDRESSES = {"confusions": _task_address}
