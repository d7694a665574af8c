"""How many decisions an agent could not make, for want of a vector or a token.

## What could not be judged

```yaml
table: unjudged
part: Left out, and why
empty: Every agent could judge all tuples.
columns:
  setting: supervised (a classifier) or unsupervised (a choice between two pairs)
  decisions: the number of decisions
  unjudged: the number of these that could not be made
```

Decisions that an agent could not make because a word has no static vector; they take no part in any accuracy.
"""

from collections.abc import Iterator, Mapping

import polars as pl

from relprobe.core.words import amount
from relprobe.paper.run import Run
from relprobe.studies.analogies.results import AgentResults, Results

PLACE = 7
UNJUDGED = pl.Schema(
    {
        "setting": pl.String(),
        "decisions": pl.UInt32(),  # but those of the control
        "unjudged": pl.UInt32(),  # of these, for want of a vector
    }
)


def agent_table(agent: AgentResults) -> pl.DataFrame:
    """Return how many decisions of each setting have no value (UNJUDGED); the controls are not counted."""
    asked = agent.decisions.filter(pl.col("instead_of").is_null())
    counts = asked.group_by("setting", maintain_order=True)
    return counts.agg(decisions=pl.len(), unjudged=pl.col("value").null_count()).cast(UNJUDGED)


def unjudged_decisions(unjudged: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return how many decisions each agent could not make: agent, setting, decisions, unjudged."""
    rows = [table.select(pl.lit(agent).alias("agent"), *UNJUDGED) for agent, table in unjudged.items()]
    return pl.concat(rows).sort("setting", maintain_order=True)


def _table(results: Results) -> pl.DataFrame:
    return unjudged_decisions(results.agent_tables("unjudged"))


TABLES = {"unjudged": _table}


def methods(run: Run) -> Iterator[str]:
    """Yield how many decisions were left out."""
    if "unjudged" in run.tables and (missing := int(run.tables["unjudged"]["unjudged"].sum())):
        yield f"Left out were {amount(missing, 'decision')} about words without a vector."
