"""Averages of the agents, tests between them, and the contrasts of sections 3.5 and 4 within each agent."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.metric import by_name
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.comparisons import contrast_tests, paired_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import AgentKind, Averages, Tests
from relprobe.studies.systematicity.compare.detection import accuracies, with_intervals
from relprobe.studies.systematicity.measure.metrics import MEASURES
from relprobe.studies.systematicity.schemas import MAJORITY, OWN_CONTRASTS, Detection, Detections, Metrics, OwnContrasts

NUMBERS = (("singular", "plural"), ("singular_sentence", "plural_sentence"))
"""Metrics of the two numbers, which are compared on the same hyponyms."""
INPUTS = (("detection", "detection_partial"),)
"""The metric of the classifier of both words, and that of the hypernym alone."""
SETTINGS = (("seen", "unseen"),)
"""The settings of the classifier. They test different pairs, so the means of the categories are compared."""


class Means(NamedTuple):
    """The averages of all metrics, and the accuracy of the classifiers over folds and seeds."""

    averages: Averages
    detection: Detection


class Comparisons(NamedTuple):
    """The tests between agents, and those within each agent."""

    agents: Tests
    contrasts: OwnContrasts


def averages(
    metrics: dict[str, Metrics], detections: dict[str, Detections], *, targets: Literal["common", "own"] = "common"
) -> Means:
    """Average the metrics of all agents over hyponyms or pairs, and the decisions of their classifiers over folds and seeds.

    `targets`: the units of the study (common), or those that each agent has (own). All agents are asked all units, so that
    the two differ in no average; `own_units` marks an agent that lacks some.
    """
    means = averages_of(metrics, MEASURES, targets=targets)
    return Means(means, with_intervals(accuracies(detections, metrics[MAJORITY]), means))


def comparisons(metrics: dict[str, Metrics], *, controls: list[str], members: list[str] | None = None) -> Comparisons:
    """Test the differences between agents, and those within each agent, such as between singular and plural.

    Agents are compared on every metric and set, or setting of the classifier. `controls`: the agents that are no language
    models. `members`: the checkpoints that are not the last of their series, which are compared with controls alone.
    """
    kinds = kinds_of(metrics, controls, members or [])
    return Comparisons(paired_tests(metrics, MEASURES, kinds=kinds), contrasts(metrics, kinds))


def contrasts(metrics: Mapping[str, Metrics], kinds: Mapping[str, AgentKind]) -> OwnContrasts:
    """Compare within each agent singular with plural, both words with the hypernym alone, and seen with unseen hypernyms.

    Seen and unseen are conditions themselves, so `condition` is null there. The majority baseline gives one answer to all,
    so it has no rows. `kinds`: agent -> model or control.
    """
    others = {agent: table for agent, table in metrics.items() if agent != MAJORITY}
    measures = by_name(MEASURES)
    number, detection = replace(measures["singular"], name="accuracy"), measures["detection"]
    of_category = replace(detection, unit=("cluster",), item=("cluster",), cluster=())
    parts = [
        contrast_tests(others, number, NUMBERS, "metric", ["condition"], kinds=kinds),
        contrast_tests(others, detection, INPUTS, "metric", ["condition"], kinds=kinds),
        contrast_tests(others, of_category, SETTINGS, kinds=kinds),
    ]
    return pl.concat(parts, how="diagonal").select(list(OWN_CONTRASTS)).cast(OWN_CONTRASTS)
