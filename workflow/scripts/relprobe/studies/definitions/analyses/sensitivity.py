"""What the choices change that the paper leaves open: an agent's averages under each choice and under the others.

## What the choices change

```yaml
table: sensitivity
part: Choices
empty: No agent's values depend on these choices.
columns:
  value: the mean over these groups; missing without any
  groups: the number of groups that value is over
  other_groups: the number of groups that other_value is over
```

Some choices are left open, and others can be read in another way. value is the average as everywhere on this
page, other_value the average under the other choice, both over the drawn groups that the agent has answered.

D2W reads of a word the first token of a causal model and the mean of a masked model's tokens, as published; an
encoder-decoder model is read as a causal one; all are read off the stored scores. The word's end is there if
word_boundary is set. Where another choice moves groups from condition to condition, the numbers of groups differ.
definitions.choices sets the choices.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import polars as pl

from relprobe.core.sums import ordered_mean
from relprobe.stats import sensitivity as settings
from relprobe.stats.sensitivity import Mean, Setting
from relprobe.studies.definitions.choices import Choices, Reading, Ties
from relprobe.studies.definitions.conditions import BAND_LIMITS, alternatives, metrics, metrics_under
from relprobe.studies.definitions.method import pair_scores, rank_candidates
from relprobe.studies.definitions.results import AgentOptions, AgentResults, Results
from relprobe.studies.definitions.schemas import (
    POS,
    Groups,
    Metrics,
    Probes,
    Properties,
    Responses,
    Scores,
)

PLACE = 8
SENSITIVITY = settings.schema("agent", "metric", "condition", units="groups")
READINGS: Mapping[str, str] = {
    "first": "the first token",
    "sum": "all tokens",
    "mean": "the mean token",
    "whole": "all tokens and the word's end",
}
"""How the score of a word is read off the log-probabilities of its tokens."""
READ = "D2W reads of a word"
PATTERNS = ("average over the patterns", {"scores": "what a task ranks by", "logs": "log-probabilities"})
TIES = ("equal scores", {"expected": "mean over all orders", "drawn": "in an order drawn once"})


def model_sensitivity(
    scores: Scores,
    groups: Groups,
    probes: Probes,
    properties: Properties,
    choices: Choices,
    *,
    masked: bool,
    limits: Sequence[float] = BAND_LIMITS,
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a model that stored scores alone decide: how words are read, and the average over patterns."""

    def values(alternative: Choices) -> Metrics:
        return metrics(
            rank_candidates(pair_scores(scores, masked=masked, choices=alternative), groups, probes),
            properties,
            alternative.ties,
            limits,
        )

    usual = values(choices)
    reading_here = choices.d2w(masked=masked)
    for reading in _readings(scores, masked=masked):
        if reading != reading_here:
            alternative = replace(choices, masked_d2w=reading) if masked else replace(choices, causal_d2w=reading)
            table = values(alternative)
            yield from _sensitivity_rows(
                Setting(READ, READINGS[reading_here], READINGS[reading]), usual, table, POS, "D2W"
            )
    if scores.group_by("probe_id").len()["len"].max() != 1:
        way: Literal["scores", "logs"] = "logs" if choices.patterns == "scores" else "scores"
        name, texts = PATTERNS
        table = values(replace(choices, patterns=way))
        yield from _sensitivity_rows(Setting(name, texts[choices.patterns], texts[way]), usual, table, POS)


def _readings(scores: Scores, *, masked: bool) -> list[Reading]:
    """Return the readings that a score file has; the first of several masks says nothing of a masked model's word."""
    if masked:
        return ["mean", "sum"]
    return ["first", "sum", "mean", *(["whole"] if not scores["whole"].null_count() else [])]  # type: ignore[list-item]


def agent_sensitivity(
    responses: Responses, properties: Properties, choices: Choices, options: AgentOptions
) -> Iterator[dict[str, Any]]:
    """Yield the rows of any agent that its responses decide: ties, and the groups of conditions (`Alternative`)."""
    limits = options.bands or BAND_LIMITS
    usual = metrics(responses, properties, choices.ties, limits)
    other_ties: Ties = "expected" if choices.ties == "drawn" else "drawn"
    name, texts = TIES
    other_values = metrics(responses, properties, other_ties, limits)
    yield from _sensitivity_rows(Setting(name, texts[choices.ties], texts[other_ties]), usual, other_values, POS)
    drawn = properties.filter("drawn")
    for alternative in alternatives():
        if alternative.applies(options):
            table = metrics_under(alternative.select(drawn, limits), responses, drawn, choices.ties)
            yield from _sensitivity_rows(alternative.setting, usual, table, alternative.names)


def _sensitivity_rows(
    setting: Setting, usual: Metrics, alternative: Metrics, conditions: Iterable[str], task: str = ""
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric of a task and condition that one of two tables has: the means of both tables."""
    first, second = (_means(table) for table in (usual, alternative))
    for condition in conditions:
        for metric in sorted({name for name, where in {**first, **second} if where == condition}):
            if metric.startswith(task):
                usual_mean, other_mean = (means.get((metric, condition), Mean(None, 0)) for means in (first, second))
                yield settings.row(setting, usual_mean, other_mean, units="groups", metric=metric, condition=condition)


def _means(values: Metrics) -> Mapping[tuple[str, str], Mean]:
    table = values.group_by("metric", "condition").agg(ordered_mean("value"), pl.col("unit").n_unique())
    return {(metric, condition): Mean(mean, groups) for metric, condition, mean, groups in table.iter_rows()}


def join_sensitivity(tables: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Return the tables of several agents as one, by choice."""
    choices = [READ, PATTERNS[0], TIES[0], *(alternative.setting.choice for alternative in alternatives())]
    return settings.concat_by_choice([pl.DataFrame(schema=SENSITIVITY), *tables], choices)


def agent_table(agent: AgentResults) -> pl.DataFrame:
    """Return the averages of an agent under each other choice, a file beside its values."""
    options, items, choices = agent.options, agent.items, agent.choices
    rows = list(agent_sensitivity(agent.responses, items.properties, choices, options))
    if agent.scores is not None:
        asked = agent.scores, items.groups, items.probes, items.properties, choices
        limits = options.bands or BAND_LIMITS
        rows += model_sensitivity(*asked, masked=options.type == "masked", limits=limits)
    return settings.table([row | {"agent": options.agent} for row in rows], SENSITIVITY)


def _table(results: Results) -> pl.DataFrame:
    return join_sensitivity(results.agent_tables("sensitivity"))


TABLES = {"sensitivity": _table}
