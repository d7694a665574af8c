"""How much each result depends on what the paper leaves open: one choice changed at a time, one prompt left out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from relprobe.studies.relations.measure.distances import areas, distances, gaps
from relprobe.studies.relations.measure.measures import DISTINGUISHABILITY, MEASURES, RELATA, Measure, with_figures
from relprobe.studies.relations.measure.metrics import Choices
from relprobe.studies.relations.measure.relation_pairs import only_counted
from relprobe.studies.relations.schemas import CONFIGURED, SENSITIVITY

Metrics = Callable[[Choices, list[Measure]], pl.DataFrame]
"""A function that computes METRICS of an agent."""
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
    metrics: Metrics,
    values: pl.DataFrame,
    choices: Choices,
    tied: bool,
    others: Mapping[str, Metrics] | None = None,
    rankings: Mapping[str, pl.DataFrame] | None = None,
    pairs: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return one agent's averages under every choice, and without each prompt (SENSITIVITY).

    `metrics`: the function that computes METRICS of the agent under other choices. `values`: its METRICS under the
    configured `choices`. `tied`: the choice of ties changes them. `others`: name of a choice -> the function that computes
    METRICS with the relatum sets of that choice. `rankings`: name of a choice -> METRICS under the configured choices if a
    model's words are ranked in another way, or others count as answers (answer_space.py). `pairs`: the pairs of relations
    that AuDC counts (PAIRS); all without it.
    """
    changed = [
        metrics(other, measures).with_columns(choice=pl.lit(name))
        for name, other, measures in alternatives(choices, tied)
    ]
    of_sets = [measure for measure in (*MEASURES, DISTINGUISHABILITY) if RELATA in measure.choices]
    changed += [other(choices, of_sets).with_columns(choice=pl.lit(name)) for name, other in (others or {}).items()]
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
    area = areas(_distances(table, pairs), "choice")
    return pl.concat([*parts, area], how="diagonal").select(*key, "value")


def without_each_prompt(values: pl.DataFrame, pairs: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the averages of each relation without each of its prompts in turn; the columns are those of `means`.

    AuDC adds the distances of the other relations, which keep their prompts.
    """
    prompts = values.select("relation", without="prompt_id").unique()
    rest = values.join(prompts, on="relation", maintain_order="left").filter(pl.col("prompt_id") != pl.col("without"))
    rest = rest.with_columns(choice=pl.lit(WITHOUT) + pl.col("without"))
    table = means(rest, pairs)
    whole = _distances(values.with_columns(choice=pl.lit(CONFIGURED)), pairs)
    own = whole.group_by("relation", maintain_order=True).agg(own=pl.col("value").sum())
    of_choice = rest.select("choice", other="relation").unique()
    of_choice = of_choice.join(own.rename({"relation": "other"}), on="other", how="left").select("choice", "own")
    joined = table.join(of_choice, on="choice", how="left", maintain_order="left")
    others = whole["value"].sum() - pl.col("own")
    area = pl.col("relation").is_null()
    return joined.with_columns(value=pl.when(area).then(pl.col("value") + others).otherwise("value")).drop("own")


def _distances(values: pl.DataFrame, pairs: pl.DataFrame | None) -> pl.DataFrame:
    """Return D(r, s) of each choice, for the pairs that count."""
    return distances(only_counted(gaps(values, ["choice"]), pairs), "choice")


def _means(values: pl.DataFrame, key: Sequence[str], item: Sequence[str]) -> pl.DataFrame:
    """Return the means of the groups `key`: over the prompts of each target or tuple first."""
    items = values.group_by(*key, *item).agg(pl.col("value").mean()).sort(*key, *item)
    return items.group_by(key, maintain_order=True).agg(pl.col("value").mean())
