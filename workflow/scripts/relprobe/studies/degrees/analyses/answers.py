"""What models that take people's task have chosen, how much of it could be read, and what the place of a pair earns.

```yaml
words:
  probe: the subcategory, the number of the question, and that of the order
```

## What agents with people's task have chosen

```yaml
table: maxdiff_answers
part: Agents that take people's task
needs: [task_agents]
columns:
  questions: the number of questions
  answers: the number of answers, with all orders and samples
  unreadable: the share of answers that do not name both pairs
```

Such an agent answers the MaxDiff questions of the task, as people did, and rates no pairs: it has MaxDiff accuracy,
and no rho. An answer that does not name two of the four pairs is unreadable; each missing choice is a wrong one.

note: why an agent has no value, which is so if more than a fifth are unreadable.

## What the place of a pair earns

```yaml
table: orders
part: Agents that take people's task
needs: [task_agents]
columns:
  place: the place of a pair in the question, from 1
  orders: the number of orders of a question
  answers: the number of answers
  least: the share of answers that choose the pair at this place as least illustrative
  most: the share that choose it as most illustrative
```

How often an agent with people's task chooses the pair at each place, over all orders in which it saw the questions
(orders). Without a preference for a place each share is near 0.25; with one order alone, that of the task, the pairs
themselves may differ.

## What exactly was sent

## What the agents that only chat were sent
"""

from collections.abc import Mapping

import polars as pl

from relprobe.report.tables import sent_texts
from relprobe.studies.degrees.chat import RATER, absence, unreadable
from relprobe.studies.degrees.results import Results
from relprobe.studies.degrees.schemas import ReplyChoices

PLACE = 7


ORDERS = pl.Schema(
    {
        "agent": pl.String(),
        "place": pl.Int32(),
        "orders": pl.UInt32(),
        "answers": pl.UInt32(),
        "least": pl.Float64(),
        "most": pl.Float64(),
    }
)


def reply_counts(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return the share of unreadable answers of each agent: agent, questions, answers, unreadable, note."""
    rows = [
        {
            "agent": f"{model} {RATER}",
            "questions": table.select(pl.struct("subcategory", "pairs").n_unique()).item(),
            "answers": table.height,
            "unreadable": unreadable(table),
            "note": absence(table),
        }
        for model, table in choices.items()
    ]
    return pl.DataFrame(rows, schema_overrides={"note": pl.String()})


def option_positions(choices: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how often an agent chooses the pair at each place, from 1: agent, place, orders, answers, least, most.

    Without a preference for a place, each share is near 0.25, and nearer the more orders there are.
    """
    parts = [pl.DataFrame(schema=ORDERS)]
    for model, table in choices.items():
        for position in range(4):
            at = pl.col("shown").list.get(position)
            parts.append(
                table.select(
                    agent=pl.lit(f"{model} {RATER}"),
                    place=pl.lit(position + 1),
                    orders=pl.col("order").n_unique(),
                    answers=pl.len(),
                    least=(pl.col("least") == at).mean(),
                    most=(pl.col("most") == at).mean(),
                )
            )
    return pl.concat(parts)


def _answers(results: Results) -> pl.DataFrame:
    return reply_counts(results.reply_choices or {})


def _orders(results: Results) -> pl.DataFrame:
    return option_positions(results.reply_choices or {})


def _sent(results: Results) -> pl.DataFrame:
    return sent_texts(results.replies or [])


TABLES = {"maxdiff_answers": _answers, "orders": _orders, "sent": _sent}
