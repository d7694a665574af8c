"""What the choices change that the paper leaves open: every agent's averages under each choice and under the others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import polars as pl

from relprobe.stats import sensitivity as settings
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.studies.definitions.ask.prompts import POS
from relprobe.studies.definitions.measure.conditions import LIMITS, frequency_names, leak_free
from relprobe.studies.definitions.measure.metrics import metrics
from relprobe.studies.definitions.measure.responses import (
    READINGS,
    Choices,
    ModelType,
    Reading,
    of_pairs,
    rank_candidates,
)
from relprobe.studies.definitions.schemas import (
    SENSITIVITY,
    Groups,
    Metrics,
    Probes,
    Properties,
    Responses,
    Scores,
    Sensitivity,
)

READ = "D2W reads of a word"
PATTERNS = ("average over the patterns", {"scores": "what a task ranks by", "logs": "log-probabilities"})
TIES = ("equal scores", {"expected": "mean over all orders", "drawn": "in an order drawn once"})
LEAKS = Setting("definitions that tell their word", "count", "are left out")
PHRASES = ("frequency of a phrase", {False: "its own, or unknown", True: "its words' joined by wordfreq"})
CHOICE_ORDER = (READ, PATTERNS[0], TIES[0], LEAKS.choice, PHRASES[0])
"""The choices in the order of the table."""
BANDS = [name for pos in POS for name in frequency_names(pos).values()]


class AgentTables(NamedTuple):
    """The metrics of an agent, and their averages under each other choice about what the paper leaves open."""

    metrics: Metrics
    sensitivity: Sensitivity


def agent_metrics(
    responses: Responses,
    groups: Groups,
    probes: Probes,
    properties: Properties,
    choices: Choices,
    scores: Scores | None = None,
    *,
    agent: str,
    type: ModelType | None = None,
    phrases: Literal["own", "joined"] = "own",
    bands: list[int] | None = None,
) -> AgentTables:
    """Compute precision at 1 and the rank score of one agent for every group and task, and their sensitivity to choices.

    Section 2.4. `choices` and `phrases` are those of the study; `ties` among them says whether
    equal scores count by their mean over all orders, or are ranked in a drawn one. `scores` and `type` are a model's.
    `bands`: the uses from which a word is medium, and frequent.
    """
    limits = bands or LIMITS
    rows = list(of_agent(responses, properties, choices, joined=phrases == "joined", limits=limits))
    if scores is not None:
        rows += of_model(scores, groups, probes, properties, choices, masked=type == "masked", limits=limits)
    sensitivity = settings.table([row | {"agent": agent} for row in rows], SENSITIVITY)
    return AgentTables(metrics(responses, properties, choices.ties, limits), sensitivity)


def of_model(
    scores: Scores,
    groups: Groups,
    probes: Probes,
    properties: Properties,
    choices: Choices,
    *,
    masked: bool,
    limits: Sequence[float] = LIMITS,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a model that stored scores alone decide: how words are read, and the average over patterns."""

    def values(other: Choices) -> Metrics:
        return metrics(
            rank_candidates(of_pairs(scores, masked=masked, choices=other), groups, probes),
            properties,
            other.ties,
            limits,
        )

    usual = values(choices)
    here = choices.d2w(masked=masked)
    for reading in _readings(scores, masked=masked):
        if reading != here:
            other = replace(choices, masked_d2w=reading) if masked else replace(choices, causal_d2w=reading)
            table = values(other)
            yield from _rows(Setting(READ, READINGS[here], READINGS[reading]), usual, table, POS, "D2W")
    if scores.group_by("probe_id").len()["len"].max() != 1:
        way: Literal["scores", "logs"] = "logs" if choices.patterns == "scores" else "scores"
        name, texts = PATTERNS
        table = values(replace(choices, patterns=way))
        yield from _rows(Setting(name, texts[choices.patterns], texts[way]), usual, table, POS)


def _readings(scores: Scores, *, masked: bool) -> list[Reading]:
    """Return the readings that a score file has; the first of several masks says nothing of a masked model's word."""
    if masked:
        return ["mean", "sum"]
    return ["first", "sum", "mean", *(["whole"] if not scores["whole"].null_count() else [])]  # type: ignore[list-item]


def of_agent(
    responses: Responses,
    properties: Properties,
    choices: Choices,
    *,
    joined: bool = False,
    limits: Sequence[float] = LIMITS,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of any agent that its responses decide: ties, leaks, and the frequency of phrases."""
    usual = metrics(responses, properties, choices.ties, limits)
    other: Literal["expected", "drawn"] = "expected" if choices.ties == "drawn" else "drawn"
    name, texts = TIES
    other_values = metrics(responses, properties, other, limits)
    yield from _rows(Setting(name, texts[choices.ties], texts[other]), usual, other_values, POS)
    renamed = {leak_free(pos): pos for pos in POS}
    without = usual.filter(pl.col("condition").is_in(list(renamed))).with_columns(pl.col("condition").replace(renamed))
    yield from _rows(LEAKS, usual, without, POS)
    phrases, ways = PHRASES
    if not joined:
        banded = metrics(responses, properties.with_columns(uses="joined"), choices.ties, limits)
        yield from _rows(Setting(phrases, ways[False], ways[True]), usual, banded, BANDS)


def _rows(
    setting: Setting, usual: Metrics, other: Metrics, conditions: Iterable[str], task: str = ""
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric of a task and condition that one of two tables has: the means of both tables."""
    first, second = (_means(table) for table in (usual, other))
    for condition in conditions:
        for metric in sorted({name for name, where in {**first, **second} if where == condition}):
            if metric.startswith(task):
                before, after = (means.get((metric, condition), Mean(None, 0)) for means in (first, second))
                yield settings.row(setting, before, after, units="groups", metric=metric, condition=condition)


def _means(values: Metrics) -> Mapping[tuple[str, str], Mean]:
    table = values.group_by("metric", "condition").agg(pl.col("value").mean(), pl.col("unit").n_unique())
    return {(metric, condition): Mean(mean, groups) for metric, condition, mean, groups in table.iter_rows()}


def unite(tables: Iterable[Sensitivity]) -> Sensitivity:
    """Put the tables of several agents together, by choice."""
    return settings.unite([pl.DataFrame(schema=SENSITIVITY), *tables], CHOICE_ORDER)
