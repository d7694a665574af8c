"""How much each result depends on what the paper leaves open: one choice changed at a time, one prompt left out.

## How much the results depend on open choices and on prompts

```yaml
table: sensitivity_ranges
like: overview
part: Choices and prompts
empty: No agent's values depend on these choices.
columns:
  configured: the value with the choices of the configuration
  choice_low: the lowest value under another choice
  low_choice: the choice that gives it
  choice_high: the highest value under another choice
  high_choice: the choice that gives it
  prompt_low: the lowest value if one prompt is left out; missing where no prompt can be left out
  low_prompt: the prompt without which it comes about
  prompt_high: the highest value if one prompt is left out; missing where no prompt can be left out
  high_prompt: the prompt without which it comes about
```

The lowest and highest value if one choice that is left open is made otherwise (ties, recall, best or mean
rank: relations.choices; relatum sets of the tuples alone, of one step, or of first senses), and if one prompt is left
out. low_choice and high_choice name the choices that give these ends, low_prompt and high_prompt the prompts without
which they come about.

Each of them is in tables/sensitivity.csv.

## Averages under other choices

```yaml
table: sensitivity
on_page: false
```

The mean of every metric of every agent and relation under each choice, and without each prompt.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import polars as pl

from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.studies.relations.distances import only_counted
from relprobe.studies.relations.measures import DISTINGUISHABILITY, MEASURES, RELATA, Measure, with_figures
from relprobe.studies.relations.method import Choices, audc, distances, rank_gaps
from relprobe.studies.relations.results import AgentResults, Measurement, Results
from relprobe.studies.relations.schemas import CONFIGURED, SENSITIVITY

PLACE = 15


WITHOUT = "without "
"""How the name of a prompt that is left out begins."""


OPTIONS: dict[str, tuple[Any, ...]] = {
    "ties": ("expected", "favourable", "unfavourable", "listed"),
    "gold": ("rest", "pooled"),
    "recall": ("cutoff", "relata"),
    "rank": ("best", "mean"),
}
"""Choice -> its values. A metric says in measures.py which choices change it."""


def sensitivity(
    metrics: Measurement,
    values: pl.DataFrame,
    choices: Choices,
    tied: bool,
    relatum_sets: Mapping[str, Measurement] | None = None,
    rankings: Mapping[str, pl.DataFrame] | None = None,
    pairs: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return one agent's averages under every choice, and without each prompt (SENSITIVITY).

    `metrics`: the function that computes METRICS of the agent under other choices. `values`: its METRICS under the
    configured `choices`. `tied`: the choice of ties changes them. `relatum_sets`: name of a choice -> the function that
    computes METRICS with the relatum sets of that choice. `rankings`: name of a choice -> METRICS under the configured
    choices if a model's words are ranked in another way, or others count as answers (`Space`). `pairs`: the pairs of
    relations that AuDC counts (PAIRS); all without it.
    """
    changed = [
        metrics(alternative, measures).with_columns(choice=pl.lit(name))
        for name, alternative, measures in alternatives(choices, tied)
    ]
    set_measures = [measure for measure in (*MEASURES, DISTINGUISHABILITY) if RELATA in measure.choices]
    changed += [
        measurement(choices, set_measures).with_columns(choice=pl.lit(name))
        for name, measurement in (relatum_sets or {}).items()
    ]
    changed += [table.with_columns(choice=pl.lit(name)) for name, table in (rankings or {}).items()]
    under_choices = means(pl.concat([values.with_columns(choice=pl.lit(CONFIGURED)), *changed]), pairs)
    table = pl.concat([under_choices, without_each_prompt(values, pairs)])
    return table.select(list(SENSITIVITY)).cast(SENSITIVITY).sort(pl.all())


def alternatives(choices: Choices, tied: bool) -> Iterator[tuple[str, Choices, list[Measure]]]:
    """Yield what differs from the configuration in one choice, with the metrics that it changes; ties only if `tied`."""
    for name, values in OPTIONS.items():
        measures = [measure for measure in (*MEASURES, DISTINGUISHABILITY) if name in measure.choices]
        for value in values:
            if getattr(choices, name) != value and (tied or name != "ties"):
                yield f"{name}: {value}", replace(choices, **{name: value}), measures


def means(table: pl.DataFrame, pairs: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the averages of METRICS with a column `choice`: choice, metric, relation, k, value, AuDC among them.

    They are over all that the agent has answered. Only metrics with a title are there. `pairs`: those of AuDC (PAIRS).
    """
    key = ["choice", "metric", "relation", "k"]
    parts = [_means(table.filter(metric=measure.name), key, measure.item) for measure in with_figures()]
    area = audc(_distances(table, pairs), "choice")
    return pl.concat([*parts, area], how="diagonal").select(*key, "value")


def without_each_prompt(values: pl.DataFrame, pairs: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the averages of each relation without each of its prompts in turn; the columns are those of `means`.

    AuDC adds the distances of the other relations, which keep their prompts.
    """
    # One relation at a time: without each of its prompts in turn, it has as many values again as it has prompts.
    relations = values.partition_by("relation", maintain_order=True) or [values]
    table = pl.concat([means(_without_each(rows), pairs) for rows in relations])
    all_distances = _distances(values.with_columns(choice=pl.lit(CONFIGURED)), pairs)
    sums = all_distances.group_by("relation", maintain_order=True).agg(sum=ordered_sum("value"))
    choice_sums = values.select(choice=pl.lit(WITHOUT) + pl.col("prompt_id"), other="relation").unique()
    choice_sums = choice_sums.join(sums.rename({"relation": "other"}), on="other", how="left").select("choice", "sum")
    joined = table.join(choice_sums, on="choice", how="left", maintain_order="left")
    other_sums = ordered_sum(all_distances["value"]) - pl.col("sum")
    area = pl.col("relation").is_null()
    return joined.with_columns(value=pl.when(area).then(pl.col("value") + other_sums).otherwise("value")).drop("sum")


def _without_each(values: pl.DataFrame) -> pl.DataFrame:
    """Return the values of one relation without each of its prompts in turn, whose name is in the column `choice`."""
    prompts = values.select(without="prompt_id").unique()
    rows = values.join(prompts, how="cross", maintain_order="left").filter(pl.col("prompt_id") != pl.col("without"))
    return rows.with_columns(choice=pl.lit(WITHOUT) + pl.col("without"))


def _distances(values: pl.DataFrame, pairs: pl.DataFrame | None) -> pl.DataFrame:
    """Return D(r, s) of each choice, for the pairs that count."""
    return distances(only_counted(rank_gaps(values, ["choice"]), pairs), "choice")


def _means(values: pl.DataFrame, key: Sequence[str], item: Sequence[str]) -> pl.DataFrame:
    """Return the means of the groups `key`: over the prompts of each target or tuple first."""
    items = values.group_by(*key, *item).agg(ordered_mean("value")).sort(*key, *item)
    return items.group_by(key, maintain_order=True).agg(ordered_mean("value"))


def agent_table(agent: AgentResults) -> pl.DataFrame:
    """Return the averages of an agent under each other choice (SENSITIVITY), a file beside its values."""
    return sensitivity(
        agent.metrics,
        agent.values,
        agent.choices,
        agent.tied,
        agent.relatum_sets(),
        agent.rankings,
        agent.pairs,
    )


def join_sensitivity(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the tables of all agents (agent -> SENSITIVITY) as one, with the column agent."""
    none = pl.DataFrame(schema={"agent": pl.String, **SENSITIVITY})
    return pl.concat([none, *(table.select(pl.lit(agent).alias("agent"), pl.all()) for agent, table in tables.items())])


def ranges(table: pl.DataFrame) -> pl.DataFrame:
    """Return the configured value of each agent and result, and its lowest and highest value under other choices or prompts.

    `table`: SENSITIVITY with the agent's name. Beside each end stands the choice that gives it, or the prompt that is left
    out: low_choice, high_choice, low_prompt and high_prompt. Of choices that give the same, the configured one is named, or
    else the first.
    """
    key = ["agent", "metric", "relation", "k"]
    prompt = pl.col("choice").str.starts_with(WITHOUT)
    ends: dict[str, pl.Expr] = {}
    for name, rows in (("choice", ~prompt), ("prompt", prompt)):
        value, choice = pl.col("value").filter(rows), pl.col("choice").filter(rows).str.strip_prefix(WITHOUT)
        for end, index in (("low", value.arg_min()), ("high", value.arg_max())):
            ends[f"{name}_{end}"] = value.get(index, null_on_oob=True)
            ends[f"{end}_{name}"] = choice.get(index, null_on_oob=True)
    configured = pl.col("value").filter(pl.col("choice") == CONFIGURED).first()
    ordered = table.sort(pl.col("choice") != CONFIGURED, maintain_order=True)
    groups = ordered.group_by(key, maintain_order=True).agg(configured=configured, **ends)
    return table.select(key).unique(maintain_order=True).join(groups, on=key, nulls_equal=True, maintain_order="left")


@cache
def _table(results: Results) -> pl.DataFrame:
    controls = results.settings.controls or []
    agent_tables = results.agent_tables("sensitivity")
    return join_sensitivity({agent: table for agent, table in agent_tables.items() if agent not in controls})


TABLES = {"sensitivity_ranges": lambda results: ranges(_table(results)), "sensitivity": _table}
