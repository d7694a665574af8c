"""The agents side by side: averages, the accuracy of classifiers (Table 4), tests between agents and within each agent."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.metric import by_name
from relprobe.core.sums import ordered_deviation, ordered_mean, ordered_sum
from relprobe.core.unmade import table_or_reason
from relprobe.report.analyses import tables_by_layer
from relprobe.stats.comparisons import contrast_tests
from relprobe.stats.schemas import AgentKind, Averages, Tests
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import DETECTION_METRICS, decided_right
from relprobe.studies.systematicity.results import LayerResults
from relprobe.studies.systematicity.schemas import (
    MAJORITY,
    OWN_CONTRASTS,
    Detection,
    Detections,
    LayerMetrics,
    Metrics,
    OwnContrasts,
)

# The accuracy of the agents' classifiers: hypernymy detection (Table 4).


def accuracies(detections: Mapping[str, Detections], majority: Metrics) -> pl.DataFrame:
    """Return Table 4: per setting, agent and input the mean accuracy over folds and seeds, its spread, and the errors.

    `sd` is the standard deviation over the folds, whose accuracies are means over the seeds, and `sd_seeds` that over the
    seeds, whose accuracies are means over the folds. `errors` are counted per seed. `false_positives` is the share of the
    errors in which a pair is taken for hypernymy (section 4). `majority` are the metrics of the majority baseline, whose
    input is "none".
    """
    parts = [
        table.select("setting", "fold", "input", "label", "seed", right=decided_right(), agent=pl.lit(agent))
        for agent, table in detections.items()
    ]
    long = pl.concat([_constant(majority), *parts], how="diagonal_relaxed")
    key = ["setting", "agent", "input"]
    accuracy = long.group_by(*key, "fold", "seed", maintain_order=True).agg(ordered_mean("right"))
    folds = accuracy.group_by(*key, "fold", maintain_order=True).agg(ordered_mean("right"))
    seeds = accuracy.group_by(*key, "seed", maintain_order=True).agg(ordered_mean("right")).group_by(key)
    missed = 1 - pl.col("right")
    wrong = long.group_by(key).agg(wrong=ordered_sum(missed), false=ordered_sum(missed * (1 - pl.col("label"))))
    wrong = wrong.with_columns(false_positives=pl.when(pl.col("wrong") > 0).then(pl.col("false") / pl.col("wrong")))
    table = (
        folds.group_by(key, maintain_order=True)
        .agg(accuracy=ordered_mean("right"), sd=ordered_deviation("right"), folds=pl.len())
        .join(seeds.agg(sd_seeds=ordered_deviation("right"), seeds=pl.len()), on=key, maintain_order="left")
        .join(long.group_by(key).agg(answers=pl.len()), on=key, maintain_order="left")
        .join(wrong, on=key, how="left", maintain_order="left")
    )
    per_seed = {name: pl.col(column) / pl.col("seeds") for name, column in (("pairs", "answers"), ("errors", "wrong"))}
    per_seed["pairs"] = per_seed["pairs"].cast(pl.UInt32)
    columns = [*key, "accuracy", "sd", "folds", "sd_seeds", "seeds", "pairs", "false_positives", "errors"]
    return table.with_columns(**per_seed).select(columns).sort("setting", maintain_order=True)


def _constant(majority: Metrics) -> pl.DataFrame:
    """Return the decisions of the majority baseline, which has no seeds, as those of one seed."""
    return majority.filter(metric="detection").select(
        agent=pl.lit(MAJORITY),
        setting="condition",
        fold=pl.col("unit").str.split(":").list.first().cast(pl.UInt8),
        input=pl.lit("none"),
        seed=pl.lit(0, pl.Int64),
        right="value",
    )


def with_intervals(accuracies: pl.DataFrame, averages: Averages) -> Detection:
    """Add to the table of `accuracies` the 95 % interval of the mean over pairs, low and high, and the number of categories.

    The majority baseline has no interval, since its accuracy follows from how the pairs are built.
    """
    inputs = {metric: name for name, metric in DETECTION_METRICS.items()}
    rows = averages.filter(pl.col("metric").is_in(list(inputs)) & (pl.col("agent") != MAJORITY))
    input_name = pl.col("metric").replace_strict(inputs)
    intervals = rows.select("agent", "low", "high", setting="condition", input=input_name, categories="clusters")
    return accuracies.join(intervals, on=["setting", "agent", "input"], how="left", maintain_order="left")


# The contrasts of sections 3.5 and 4 within each agent.


NUMBERS = (("singular", "plural"), ("singular_sentence", "plural_sentence"))
"""Metrics of the two numbers, which are compared on the same hyponyms."""
INPUTS = (("detection", "detection_partial"),)
"""The metric of the classifier of both words, and that of the hypernym alone."""
SETTINGS = (("seen", "unseen"),)
"""The settings of the classifier. They test different pairs, so the means of the categories are compared."""


def contrasts(metrics: Mapping[str, Metrics], kinds: Mapping[str, AgentKind]) -> OwnContrasts:
    """Compare within each agent singular with plural, both words with the hypernym alone, and seen with unseen hypernyms.

    Seen and unseen are conditions themselves, so `condition` is null there. The majority baseline gives one answer to all,
    so it has no rows. `kinds`: agent -> model or control.
    """
    answering = {agent: table for agent, table in metrics.items() if agent != MAJORITY}
    measures = by_name(MEASURES)
    number, detection = replace(measures["singular"], name="accuracy"), measures["detection"]
    category_detection = replace(detection, unit=("cluster",), item=("cluster",), cluster=())
    parts = [
        contrast_tests(answering, number, NUMBERS, "metric", ["condition"], kinds=kinds),
        contrast_tests(answering, detection, INPUTS, "metric", ["condition"], kinds=kinds),
        contrast_tests(answering, category_detection, SETTINGS, kinds=kinds),
    ]
    return pl.concat(parts, how="diagonal").select(list(OWN_CONTRASTS)).cast(OWN_CONTRASTS)


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """Averages, what classifiers decide, tests between and within agents, and the tables of agents with layers."""

    averages: Averages
    detection: Detection
    tests: Tests
    contrasts: OwnContrasts
    tables: ShownTables | None = None


def compare(
    metrics: dict[str, Metrics],
    detections: dict[str, Detections],
    comparing: AgentComparison,
    baselines: dict[str, Metrics] | None = None,
    layered: dict[str, LayerMetrics] | None = None,
    *,
    table_names: list[str] | None = None,
) -> ComparisonTables:
    """Average and test the values of all agents, over hyponyms or pairs, and the decisions of their classifiers.

    `baselines`: the values of the agents that need no network, and `layered`: those after each layer of an agent, where
    there are such agents; analyses compare them in `table_names`. A table beside the averages and tests that cannot be made
    says why.
    """
    averages, tests = comparing.compare(metrics, MEASURES)
    detection = table_or_reason(
        "detection", lambda: with_intervals(accuracies(detections, metrics[MAJORITY]), averages)
    )
    within = table_or_reason("contrasts", contrasts, metrics, comparing.kinds(metrics))
    layers = LayerResults(layered or {}, baselines or {}, averages, comparing.targets)
    tables = tables_by_layer("systematicity", layers, table_names or []) if layered else None
    return ComparisonTables(averages, detection, tests, within, tables)
