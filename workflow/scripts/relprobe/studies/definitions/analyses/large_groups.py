"""Groups of more candidates than people get, which models that choose are asked about in samples.

```yaml
may_lack:
  large: groups of more than ten candidates for agents with people's task (definitions.large_groups)
```

## Groups of more than ten candidates, in samples of ten

```yaml
table: large_groups
part: Agents that take people's task
needs: [task_agents, large]
columns:
  candidates: the mean number of candidates of a group
  shown: the mean number of those that an agent saw
  p@1: the share of right answers
  expected: the share of right answers of a guess among those shown
  unreadable: the share of answers that name no option, which count as wrong
  note: why the agent has no value, or an interval is missing
```

How often agents with people's task choose rightly in the groups that people did not get. They saw the right candidate
and nine others, drawn once for all agents and orders.

The right one is easier to find among ten than among all, so these values are in no other table, and cannot be
compared with those of agents that choose among all candidates. The intervals are over families.
"""

from collections.abc import Mapping

import polars as pl

from relprobe.core.metric import Metric
from relprobe.core.study import Config, Roles
from relprobe.core.sums import ordered_mean
from relprobe.stats.averages import averages
from relprobe.studies.definitions.chat import in_large_groups
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import Groups, ReplyChoices
from relprobe.studies.letters import absence, readable, unreadable

PLACE = 10
P_AT_1 = Metric("p@1", cluster=("cluster",), share=True)
LARGE = pl.Schema(
    {
        "agent": pl.String(),
        "task": pl.String(),
        "groups": pl.UInt32(),
        "families": pl.UInt32(),
        "candidates": pl.Float64(),  # the mean number of candidates of a group
        "shown": pl.Float64(),  # the mean number of those that were shown
        "p@1": pl.Float64(),  # the share of right answers, and its 95 % interval over the families
        "low": pl.Float64(),
        "high": pl.Float64(),
        "expected": pl.Float64(),  # the share of right answers of a guess among those shown
        "unreadable": pl.Float64(),  # the share of answers that name no option
        "note": pl.String(),  # why there is no value or no interval
    }
)


def has(config: Config, roles: Roles) -> dict[str, bool]:
    """Return whether agents with people's task also choose in samples of the large groups."""
    return {"large": bool(roles.task_agents) and config["definitions"]["large_groups"] == "sampled"}


def large_groups(choices: Mapping[str, ReplyChoices], groups: Groups) -> pl.DataFrame:
    """Return how often each agent chooses rightly in groups of more candidates than people get (LARGE).

    `choices`: agent -> its answers. The value of a group is the share of right answers over all orders and samples. The
    right candidate is easier to find among ten than among all, so these values cannot be compared with those of agents that
    choose among all candidates. Too many answers that cannot be read are counted in these groups alone (`readable`).
    """
    families = groups.select("group", cluster="family")
    tables = {agent: in_large_groups(table).join(families, on="group", how="left") for agent, table in choices.items()}
    values = {agent: _values(readable(table)) for agent, table in tables.items()}
    means = averages(values, [P_AT_1], ("task",), targets="own")
    mean_rows = {(row["agent"], row["task"]): row for row in means.iter_rows(named=True)}
    rows = [
        _row(agent, str(task), part, mean_rows.get((agent, str(task)), {}))
        for agent, table in tables.items()
        for (task,), part in table.group_by("task", maintain_order=True)
    ]
    return pl.DataFrame(rows, schema=LARGE)


def _values(choices: pl.DataFrame) -> pl.DataFrame:
    """Return the share of right answers of each task and group."""
    shares = choices.group_by("task", "group", "cluster", maintain_order=True).agg(value=ordered_mean("right"))
    return shares.select("task", "cluster", "value", metric=pl.lit(P_AT_1.name), unit="group")


def _row(agent: str, task: str, part: pl.DataFrame, mean: dict[str, object]) -> dict[str, object]:
    shown = part["shown"].list.len()
    return {
        "agent": agent,
        "task": task,
        "groups": part["group"].n_unique(),
        "families": part["cluster"].n_unique(),
        "candidates": part["candidates"].mean(),
        "shown": shown.mean(),
        "p@1": mean.get("value"),
        "low": mean.get("low"),
        "high": mean.get("high"),
        "expected": (1 / shown).mean(),
        "unreadable": unreadable(part),
        "note": mean.get("note") or absence(part),
    }


def _table(results: Results) -> pl.DataFrame:
    return large_groups(results.choices_by_task(), results.groups)


TABLES = {"large_groups": _table}
