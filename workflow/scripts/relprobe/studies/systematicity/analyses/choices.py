"""What models that take people's task have chosen, how much of it could be read, and what the place of an option earns.

```yaml
words:
  questions: the number of questions
  probe: the task, the set, the kind, the hyponym, the category, and the number of the order
  expected_if: ", if all options are right as often"
  asked: >-
    complete: the agent chooses the category that completes the main sentence of a diagnostic, among all categories;
    verify: it says whether a hyponym is of a category.
columns:
  task: "complete: choose a category; verify: say yes or no"
```

## What agents with people's task have chosen

## What exactly was sent

## What the agents that only chat were sent
"""

import polars as pl

from relprobe.report.tables import sent_texts
from relprobe.studies.letters import option_positions, readings
from relprobe.studies.systematicity.results import Results

PLACE = 11


def _choices(results: Results) -> pl.DataFrame:
    return readings(results.reply_choices or {}, "question")


def _orders(results: Results) -> pl.DataFrame:
    return option_positions(results.reply_choices or {})


def _sent(results: Results) -> pl.DataFrame:
    return sent_texts(results.replies or [])


TABLES = {"choices": _choices, "orders": _orders, "sent": _sent}
