"""What models that take people's task have chosen, how much of it could be read, and what the place of an option earns.

```yaml
words:
  questions: the number of groups
  probe: the task, the number of the order, and the group
  asked: >-
    Such an agent chooses a definition or a word, as people did, in the groups that people get: those of up to ten
    candidates. A wrong choice leaves the right candidate somewhere among the others.
```

## What agents with people's task have chosen

## What exactly was sent

## What the agents that only chat were sent
"""

import polars as pl

from relprobe.report.tables import sent_texts
from relprobe.studies.definitions.chat import in_small_groups
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import ReplyChoices
from relprobe.studies.letters import option_positions, readings

PLACE = 9


def _in_small_groups(results: Results) -> dict[str, ReplyChoices]:
    """Return the choices of each agent in the groups that people get."""
    return {agent: in_small_groups(table) for agent, table in results.choices_by_task().items()}


def _choices(results: Results) -> pl.DataFrame:
    return readings(_in_small_groups(results), "group")


def _orders(results: Results) -> pl.DataFrame:
    return option_positions(_in_small_groups(results))


def _sent(results: Results) -> pl.DataFrame:
    return sent_texts(results.replies or [])


TABLES = {"choices": _choices, "orders": _orders, "sent": _sent}
