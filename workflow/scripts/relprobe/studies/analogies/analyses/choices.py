"""What models that answer in words have chosen, how much of it could be read, and what the place of a pair earns.

```yaml
words:
  option: pair
  an_option: a pair
  questions: the number of choices, with those of the swapped queries
  probe: the probe, the number of the order, the query, and the right and the wrong pair
  asked: >-
    Such an agent is shown the query and the two pairs of a choice of the unsupervised setting, each after a letter, and
    says which pair continues the analogy.
```

## What agents with people's task have chosen

## What exactly was sent

## What the agents that only chat were sent
"""

from collections.abc import Mapping

import polars as pl

from relprobe.report.tables import sent_texts
from relprobe.studies.analogies.results import Results
from relprobe.studies.analogies.schemas import ReplyChoices
from relprobe.studies.letters import option_positions, readings

PLACE = 8


def read_of_agents(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return the share of unreadable answers of each agent and probe (`letters.readings`)."""
    question = pl.struct("query", "tuple", "negative").alias("question")
    return readings(_by_probe(choices, question), "question").rename({"task": "probe"})


def positions_of_agents(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how often each agent chooses the pair at each position, by probe (`letters.option_positions`)."""
    return option_positions(_by_probe(choices)).rename({"task": "probe"})


def _by_probe(choices: Mapping[str, ReplyChoices], *columns: pl.Expr) -> dict[str, pl.DataFrame]:
    return {agent: table.with_columns(*columns, task="probe") for agent, table in choices.items()}


def _choices(results: Results) -> pl.DataFrame:
    return read_of_agents(results.reply_choices or {})


def _orders(results: Results) -> pl.DataFrame:
    return positions_of_agents(results.reply_choices or {})


def _sent(results: Results) -> pl.DataFrame:
    return sent_texts(results.replies or [])


TABLES = {"choices": _choices, "orders": _orders, "sent": _sent}
