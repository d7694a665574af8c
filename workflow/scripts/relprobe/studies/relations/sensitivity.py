"""How much each result depends on what the paper leaves open: one choice changed at a time, one prompt left out."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from relprobe.studies.relations.agent import CHOSEN, Answers, chosen_metrics
from relprobe.studies.relations.averages import GROUP, averages, by_unit
from relprobe.studies.relations.metrics import Choices
from relprobe.studies.relations.schemas import SENSITIVITY

CONFIGURED = "as configured"
OPTIONS: dict[str, tuple[tuple[Any, ...], Collection[str]]] = {
    "ties": (("favourable", "unfavourable", "listed"), CHOSEN),
    "recall": (("cutoff", "relata"), ["completeness"]),
    "rank": (("best", "mean"), ["distinguishability"]),
}
"""Choice -> its values, and the metrics that it changes."""
KEPT = ["soundness", "completeness", "symmetry", "asymmetry", "prototypicality", "audc"]


def sensitivity(given: Answers, values: pl.DataFrame, choices: Choices) -> pl.DataFrame:
    """Return one agent's averages under every choice, and without each prompt (SENSITIVITY).

    `values`: its METRICS under the configured `choices`.
    """
    changed = [
        by_unit(name, chosen_metrics(given, other, metrics))
        for name, other, metrics in alternatives(choices, _tied(given))
    ]
    table = averages(pl.concat([by_unit(CONFIGURED, values), *changed]))
    every = pl.concat([table, without_each_prompt(values)], how="diagonal_relaxed").rename({"agent": "choice"})
    return every.filter(pl.col("metric").is_in(KEPT)).select(list(SENSITIVITY)).cast(SENSITIVITY).sort(pl.all())


def alternatives(choices: Choices, tied: bool) -> Iterator[tuple[str, Choices, Collection[str]]]:
    """Yield what differs from the configuration in one choice, with the metrics that it changes; ties only if `tied`."""
    for name, (values, metrics) in OPTIONS.items():
        for value in values:
            if getattr(choices, name) != value and (tied or name != "ties"):
                yield f"{name}: {value}", replace(choices, **{name: value}), metrics


def without_each_prompt(values: pl.DataFrame) -> pl.DataFrame:
    """Return the averages of each relation without each of its prompts in turn; `agent` says which is left out."""
    unit = [*GROUP, "target", "relatum", "prompt_id", "value"]
    measured = values.filter(pl.col("metric").is_in([*KEPT, "distinguishability"])).select(unit)
    prompts = measured.select("relation", without="prompt_id").unique()
    rest = measured.join(prompts, on="relation").filter(pl.col("prompt_id") != pl.col("without"))
    agent = pl.format("without {}", "without").alias("agent")
    table = averages(rest.group_by(agent, *GROUP, "target", "relatum").agg(pl.col("value").mean()))
    # Of a relation's own pairs alone; the AuDC adds those of the others, which kept their prompts.
    whole = averages(by_unit(CONFIGURED, values)).filter(metric="distinguishability")
    own = whole.group_by("relation").agg(own=pl.col("value").sum())
    of_prompt = rest.select(agent, "relation").unique().join(own, on="relation", how="left").select("agent", "own")
    area = table.filter(metric="audc").join(of_prompt, on="agent")
    area = area.with_columns(value=pl.col("value") + whole["value"].sum() - pl.col("own")).drop("own")
    return pl.concat([table.filter(pl.col("metric") != "audc"), area.select(table.columns)])


def together(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the tables of all agents (SENSITIVITY) as one, with the agent's name."""
    return pl.concat([table.select(pl.lit(agent).alias("agent"), pl.all()) for agent, table in tables.items()])


def ranges(table: pl.DataFrame) -> pl.DataFrame:
    """Return, per agent and result, its configured value and the lowest and highest under any other choice or prompt set."""
    key = ["agent", "metric", "relation", "k"]
    prompt = pl.col("choice").str.starts_with("without ")
    choice = ~prompt
    ends = {
        f"{name}_{end}": getattr(pl.col("value").filter(rows), how)()
        for name, rows in (("choice", choice), ("prompt", prompt))
        for end, how in (("low", "min"), ("high", "max"))
    }
    configured = pl.col("value").filter(pl.col("choice") == CONFIGURED).first()
    return table.group_by(key, maintain_order=True).agg(configured=configured, **ends)


def _tied(given: Answers) -> bool:
    """Say whether the best words of any response tie, as those of people do; of a model they hardly ever do."""
    return bool(((given.found["first"] == 1) & (given.found["last"] > 1)).any())
