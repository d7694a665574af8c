"""What agents with people's task say to a robin being a bird: hits, false alarms, and both answers right.

## Is a robin a bird?

```yaml
table: verification
part: Agents that take people's task
needs: [task_agents]
columns:
  hits: the share of hyponyms with yes to the right category
  false_alarms: the share of hyponyms with yes to the foil
  verified: the share of hyponyms with yes to the right category and no to the foil
  note: why the agent has no value, or an interval is missing
```

What agents with people's task say to “Is a robin a bird?” and “Are robins birds?”, with the right category and with a
foil: another category below the same superordinate one, the same for all agents. verified is the share of hyponyms
with yes to the right category and no to the foil; who always says the same has 0, and who guesses 0.25.

The intervals are over the categories of the hyponyms.
"""

from collections.abc import Mapping

import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats.averages import averages
from relprobe.studies.letters import absence
from relprobe.studies.systematicity.chat import YES
from relprobe.studies.systematicity.results import Results
from relprobe.studies.systematicity.schemas import SETS, VERIFIED, VERIFY, Items, Metrics, ReplyChoices

PLACE = 10


YESES = ("hits", "false_alarms")
"""The share of yes to the right category, and to the foil."""


MEASURES = tuple(Metric(name, cluster=("cluster",), share=True) for name in (*YESES, "verified"))


VERIFICATION = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "number": pl.String(),  # singular or plural
        "hyponyms": pl.UInt32(),
        **{
            f"{name}{end}": pl.Float64()  # the share of all hyponyms; its 95 % interval, over their categories
            for name in (*YESES, "verified")
            for end in ("", "_low", "_high")
        },
        "note": pl.String(),  # why the agent has no value, or an interval is missing
    }
)


def verification(choices: Mapping[str, ReplyChoices], metrics: Mapping[str, Metrics], items: Items) -> pl.DataFrame:
    """Return how often each agent says yes to the right category and to the foil, and both rightly (VERIFICATION).

    `choices`: agent -> its answers; `metrics`: agent -> its values, which have the share of both. The values of a hyponym
    are means over its orders and samples. The intervals are over the categories of the hyponyms, as all of the study are.
    """
    choices = {agent: table.filter(task=VERIFY) for agent, table in choices.items()}
    readable = [agent for agent, table in choices.items() if absence(table) is None]
    values = {agent: _values(choices[agent], metrics[agent], items) for agent in readable}
    rows = [
        {"set": set_name, "agent": agent, "number": number, "note": absence(table)}
        for agent, table in choices.items()
        if agent not in readable
        for set_name, number in table.select("set", "kind").unique(maintain_order=True).rows()
    ]
    if values:
        means = averages(values, MEASURES, ("set", "number"), targets="own")
        rows += [_row(names, part) for names, part in means.group_by("set", "agent", "number", maintain_order=True)]
    table = pl.DataFrame(rows, schema=VERIFICATION)
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(list(choices))), pl.col("number")]
    return table.sort(*order, descending=[False, False, True])


def _values(choices: ReplyChoices, metrics: Metrics, items: Items) -> pl.DataFrame:
    """Return the values of MEASURES of an agent, a row per metric, set, number and hyponym."""
    name = pl.when("foil").then(pl.lit(YESES[1])).otherwise(pl.lit(YESES[0]))
    decided = choices.with_columns(metric=name, number="kind", unit="hyponym")
    yes = decided.group_by("metric", "set", "number", "unit").agg(value=(pl.col("choice") == YES).mean())
    clusters = items.select("set", unit="hyponym", cluster="category")
    numbers = {metric: number for number, metric in VERIFIED.items()}
    completion_values = metrics.filter(pl.col("metric").is_in(list(numbers))).select(
        metric=pl.lit("verified"),
        set="condition",
        number=pl.col("metric").replace_strict(numbers, return_dtype=pl.String),
        unit="unit",
        value="value",
    )
    return pl.concat([yes, completion_values]).join(clusters, on=["set", "unit"], maintain_order="left")


def _row(names: tuple[object, ...], part: pl.DataFrame) -> dict[str, object]:
    row: dict[str, object] = dict(zip(("set", "agent", "number"), names, strict=True))
    for mean in part.iter_rows(named=True):
        name = mean["metric"]
        row |= {name: mean["value"], f"{name}_low": mean["low"], f"{name}_high": mean["high"]}
        row |= {"hyponyms": mean["units"], "note": mean["note"]}
    return row


def _table(results: Results) -> pl.DataFrame:
    return verification(results.reply_choices or {}, results.metrics, results.item_table)


TABLES = {"verification": _table}
