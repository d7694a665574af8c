"""The tables of the study: what each agent reaches under each condition, by the kinds of foils, and the data."""

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.report.tables import sent_texts
from relprobe.stats.controls import beyond_controls
from relprobe.stats.notes import join_notes
from relprobe.studies.letters import option_positions
from relprobe.studies.pairs.chat import absence, unreadable
from relprobe.studies.pairs.data import OWN
from relprobe.studies.pairs.measures import MEASURES
from relprobe.studies.pairs.results import Results
from relprobe.studies.pairs.schemas import ALL, RIGHT, Items, PairAverages, ReplyChoices

WITH_BOUNDS = ("ap", "rho")
"""The metrics whose intervals stand in the table of all metrics."""
FEWEST_RATED = 2
"""A correlation needs more pairs than these."""
SHOWN = tuple(metric.name for metric in MEASURES)


def overview(averages: PairAverages, agents: Sequence[str]) -> pl.DataFrame:
    """Return every metric of each agent under each condition, against all foils: a row per agent and condition.

    `targets` and `pairs`: the numbers that average precision, and the metrics of pairs, are over. A metric that no
    agent has is left out. `agents`: all of them, in their order.
    """
    rows = averages.filter(foils=ALL)
    key = ["condition", "agent"]
    table = rows.select(key).unique(maintain_order=True)
    present = [name for name in SHOWN if name in set(rows["metric"])]
    for name in present:
        named = {name: "value"} | ({f"{name}_low": "low", f"{name}_high": "high"} if name in WITH_BOUNDS else {})
        metric_values = rows.filter(metric=name).select(*key, **named)
        table = table.join(metric_values, on=key, how="left", maintain_order="left")
    for column, metrics in (("targets", ("ap", "choice")), ("pairs", ("auc", "rho"))):
        units = rows.filter(pl.col("metric").is_in(metrics)).group_by(key).agg(pl.col("units").max().alias(column))
        table = table.join(units, on=key, how="left", maintain_order="left")
    own_targets = rows.filter(pl.col("metric").is_in(WITH_BOUNDS)).group_by(key).agg(own=pl.col("own_units").any())
    order = pl.col("agent").cast(pl.Enum(list(agents)))
    return table.join(own_targets, on=key, how="left", maintain_order="left").sort("condition", order)


def by_foils(averages: PairAverages) -> pl.DataFrame:
    """Return average precision and reciprocal rank of each agent by the kind of foils, with intervals of the former."""
    rows = averages.filter(metric="ap").select("condition", "foils", "agent", "value", "low", "high", "units", "note")
    ranks = averages.filter(metric="rr").select("condition", "foils", "agent", rr="value")
    key = ["condition", "foils", "agent"]
    named = rows.rename({"value": "ap", "low": "ap_low", "high": "ap_high", "units": "targets"})
    joined = named.join(ranks, on=key, how="left", maintain_order="left")
    return joined.select(*key, "ap", "ap_low", "ap_high", "rr", "targets", "note")


def data(items: Items, names: Mapping[str, str]) -> pl.DataFrame:
    """Return the number of targets and pairs under each condition: right ones, foils by kind, and rated ones.

    The first row of a condition notes why metrics cannot be computed of its pairs.

    `names`: code of a relation -> its name, which a relation of own pairs may lack.
    """
    kinds = items.group_by("condition", "kind", maintain_order=True).agg(
        pairs=pl.len(),
        targets=pl.col("target").n_unique(),
        rated=pl.col("rating").is_not_null().sum(),
        unlabelled=pl.col("label").is_null().sum(),
        rating=ordered_mean("rating"),
    )
    right = pl.col("kind") == RIGHT
    sorted_kinds = kinds.sort("condition", ~right, maintain_order=True)
    named = {**names, **{f"{OWN} {code}": f"{OWN} {name}" for code, name in names.items()}}
    with_names = sorted_kinds.select(
        "condition", pl.col("condition").replace(named).alias("name"), pl.exclude("condition")
    )
    notes = {str(condition): absences(part) for (condition,), part in items.group_by("condition", maintain_order=True)}
    note = pl.col("condition").replace_strict(notes, return_dtype=pl.String)
    return with_names.with_columns(note=pl.when(pl.col("condition").is_first_distinct()).then(note))


def absences(items: Items) -> str | None:
    """Return why average precision or ρ cannot be computed of the pairs of a condition; None if each can, or is not asked.

    >>> rows = {"target": ["robin", "owl", "cat"], "label": pl.Series([None] * 3, dtype=pl.Boolean), "rating": [3.0] * 3}
    >>> absences(pl.DataFrame(rows))
    'no ρ: all ratings are equal'
    >>> absences(pl.DataFrame({**rows, "label": True, "rating": pl.Series([None] * 3, dtype=pl.Float64)}))
    'no average precision: no target has both a right pair and a foil'
    """
    reasons = []
    labelled, ratings = items.drop_nulls("label"), items["rating"].drop_nulls()
    if labelled.height and labelled.group_by("target").agg(pl.col("label").n_unique())["label"].max() == 1:
        reasons.append("no average precision: no target has both a right pair and a foil")
    if 0 < len(ratings) <= FEWEST_RATED:
        reasons.append(
            f"no ρ: only {len(ratings)} of the pairs {'has a rating' if len(ratings) == 1 else 'have ratings'}"
        )
    elif len(ratings) and ratings.n_unique() == 1:
        reasons.append("no ρ: all ratings are equal")
    return join_notes(reasons)


def choices(replies: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how much of the answers of each agent in words could be read, task by task."""
    rows = [
        {
            "agent": agent,
            "task": task,
            "questions": part.select(pl.struct("condition", "relation", "first", "second").n_unique()).item(),
            "answers": part.height,
            "unreadable": unreadable(part),
            "note": absence(part),
        }
        for agent, table in replies.items()
        for (task,), part in table.group_by("task", maintain_order=True)
    ]
    schema = {"agent": pl.String, "task": pl.String, "questions": pl.UInt32, "answers": pl.UInt32}
    return pl.DataFrame(rows, schema={**schema, "unreadable": pl.Float64, "note": pl.String})


def orders(replies: Mapping[str, ReplyChoices]) -> pl.DataFrame:
    """Return how often an agent in words chooses the option at each place; a number of a scale has no place."""
    return option_positions({agent: table.filter(pl.col("task") != "rate") for agent, table in replies.items()})


TABLES: dict[str, Callable[[Results], pl.DataFrame]] = {
    "overview": lambda results: overview(results.averages, results.agents),
    "foils": lambda results: by_foils(results.averages),
    "controls": lambda results: beyond_controls(results.tests, results.controls or []),
    "tests": lambda results: results.tests,
    "averages": lambda results: results.averages,
    "ceiling": lambda results: results.ceiling,
    "data": lambda results: data(results.item_table, results.relations.names),
    "choices": lambda results: choices(results.reply_choices or {}),
    "orders": lambda results: orders(results.reply_choices or {}),
    "sent": lambda results: sent_texts(results.replies or []),
}
"""Name -> the table of the page; the other ones are those of analyses."""
