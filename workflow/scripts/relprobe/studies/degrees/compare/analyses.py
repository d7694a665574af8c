"""Averages, tests between raters, and the choice of a rater on the training data, from the metrics of all agents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats import mean_intervals
from relprobe.stats.averages import SEED
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.comparisons import contrast_tests, paired_tests
from relprobe.stats.schemas import TESTS, AgentKind, Averages, Tests
from relprobe.studies.degrees.measure.metrics import COUNTED, HEADLINES, MEASURES, WITHOUT
from relprobe.studies.degrees.schemas import BEST_RATERS, DIFFERENCES, TRAINING, Metrics

TEST = "test"
"""The condition of all test subcategories together."""
ALL_MODELS = "all models"
TEST_METRICS = tuple(metric.name for metric in MEASURES if metric.test is not None)
"""The metrics in which agents are tested against each other, and by which a rater is chosen."""


def model_of(agent: str) -> str | None:
    """Return the model of an agent, or None for a baseline.

    >>> model_of("smollm2-135m schema"), model_of("random")
    ('smollm2-135m', None)
    """
    return agent.rpartition(" ")[0] or None


def rater_of(agent: str) -> str:
    """Return the rater of an agent; the rater of a baseline is the baseline's name.

    >>> rater_of("smollm2-135m schema"), rater_of("random")
    ('schema', 'random')
    """
    return agent.rpartition(" ")[2]


def by_agent(metrics: Iterable[Metrics]) -> dict[str, pl.DataFrame]:
    """Return agent -> values of some tables, with the test subcategories also under the condition "test"."""
    parts = with_test(pl.concat(metrics)).partition_by("agent", as_dict=True, include_key=False, maintain_order=True)
    return {str(agent): part for (agent,), part in parts.items()}


def with_test(table: pl.DataFrame) -> pl.DataFrame:
    """Return values with those of the test subcategories under the condition "test", too."""
    return pl.concat([table, table.filter(pl.col("condition") != TRAINING).with_columns(condition=pl.lit(TEST))])


def kinds_of(values: Mapping[str, pl.DataFrame]) -> dict[str, AgentKind]:
    """Return the kind of each agent in tests: a baseline is a control."""
    return {agent: "control" if model_of(agent) is None else "model" for agent in values}


def averages(metrics: list[Metrics], *, targets: Literal["common", "own"] = "common") -> Averages:
    """Average the metrics of every agent, per relation class, over all test and over the training subcategories.

    `targets`: the subcategories of the study (common), or those that each agent has (own). All agents are asked all of
    them, so that the two differ in no average; `own_units` marks an agent that lacks some. The row "reversal_rmse" (Table
    6) holds the square roots of the average "reversal_error" and of its bounds. The rows "significant_05" and
    "significant_01" count the subcategories whose two-sided p is below 0.05 and 0.01 (Table 3), and "negative_05" those
    with p below 0.05 and a negative rho: the share of subcategories and its bounds, times their number.
    """
    without_p = ~pl.col("metric").is_in(["p", f"p{WITHOUT}"])
    values = {agent: table.filter(without_p) for agent, table in by_agent(metrics).items()}
    plain = _within_bounds(averages_of(values, MEASURES, targets=targets))
    errors = plain.filter(metric="reversal_error").with_columns(
        pl.col("value", "low", "high").sqrt(), metric=pl.lit("reversal_rmse")
    )
    rest = plain.filter(pl.col("metric") != "reversal_error")
    factor = pl.when(pl.col("metric").is_in([name + pairs for name in COUNTED for pairs in ("", WITHOUT)]))
    counts = rest.with_columns((pl.col("value", "low", "high") * factor.then("units").otherwise(1)).round(9))
    return pl.concat([counts, errors])


def _within_bounds(table: pl.DataFrame) -> pl.DataFrame:
    """End the intervals of a table (AVERAGES), which few subcategories make wide, where the values of the metric end."""
    name = pl.col("metric").str.split("_").list.first()
    ends = {"rho": (-1.0, 1.0), "maxdiff": (0.0, 100.0), "least": (0.0, 100.0), "most": (0.0, 100.0)}
    ends["p"] = (0.0, 1.0)
    least, most = (
        name.replace_strict({key: end[place] for key, end in ends.items()}, default=other, return_dtype=pl.Float64)
        for place, other in ((0, 0.0), (1, None))
    )
    known = pl.when(pl.col("low").is_not_null())
    ended = {"low": pl.max_horizontal("low", least), "high": pl.min_horizontal("high", most)}
    return table.with_columns(**{bound: known.then(value) for bound, value in ended.items()})


def comparisons(metrics: list[Metrics], *, members: list[str] | None = None) -> Tests:
    """Test the differences between agents over the test subcategories: the raters of each model, and each rater's models.

    The baselines stand beside the raters of every model. The condition is the model or the rater that the agents share.
    `members`: the checkpoints that are not the last of their series, which are not compared with other models.
    """
    values, earlier = by_agent(metrics), members or []
    groups: dict[str, list[str]] = {}
    for agent in values:
        if (model := model_of(agent)) is not None:
            groups.setdefault(model, []).append(agent)
            groups.setdefault(rater_of(agent), []).append(agent)
    models = {model_of(agent) for agent in values} - {None}
    baselines = [agent for agent in values if model_of(agent) is None]
    compared = {
        shared: own + baselines if shared in models else [agent for agent in own if model_of(agent) not in earlier]
        for shared, own in groups.items()
    }
    # Families are of one call: earlier checkpoints make the p of the others no larger.
    tables = [
        _tests(values, {shared: agents for shared, agents in compared.items() if (shared in earlier) is early})
        for early in (False, True)
    ]
    conditions = pl.col("condition").cast(pl.Enum(list(groups)))
    return pl.concat(tables).sort(conditions, maintain_order=True)


def _tests(values: Mapping[str, pl.DataFrame], compared: Mapping[str, Sequence[str]]) -> Tests:
    """Compare the agents that share something (TESTS), which is the condition; p_holm_all is over all of these."""
    rows: dict[str, list[pl.DataFrame]] = {}
    for shared, agents in compared.items():
        for agent in agents if len(agents) > 1 else ():
            rows.setdefault(agent, []).append(_test_rows(values[agent], shared))
    if not rows:
        return pl.DataFrame(schema=TESTS)
    order = sorted(rows, key=lambda agent: (model_of(agent) is None, list(values).index(agent)))  # baselines come last
    ordered = {agent: pl.concat(rows[agent]) for agent in order}
    return paired_tests(ordered, MEASURES, kinds=kinds_of(ordered))


def _test_rows(table: pl.DataFrame, condition: str) -> pl.DataFrame:
    """Return the values of the tested metrics on the test subcategories under another condition."""
    return table.filter(pl.col("metric").is_in(TEST_METRICS), condition=TEST).with_columns(condition=pl.lit(condition))


def differences(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare all pairs with those without reversals within every agent, over the test subcategories (DIFFERENCES).

    An agent that tells reversed pairs from others agrees better on all pairs (Table 5). `a` and `b` are the metrics.
    """
    test = {agent: table.filter(condition=TEST) for agent, table in values.items()}
    tables = [
        contrast_tests(test, Metric(name), [(name, name + WITHOUT)], "metric", ["condition"], kinds=kinds_of(values))
        for name in HEADLINES
    ]
    return pl.concat(tables).select(list(DIFFERENCES))


def choices(values: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Choose the best rater on the training subcategories, for each model and among all agents of all models (CHOICES).

    The gain of the choice is cross-validated: each training subcategory is rated by the agent that is best on the others,
    and the value is compared with the mean of all agents. The test subcategories take no part in the choice.
    """
    models: dict[str, list[str]] = {}
    for agent, table in values.items():
        # An agent that answers MaxDiff questions has no ratings, and is no rater to choose.
        if (model := model_of(agent)) is not None and not table.filter(metric="rated").is_empty():
            models.setdefault(model, []).append(agent)
    groups = models | (
        {ALL_MODELS: [agent for agents in models.values() for agent in agents]} if len(models) > 1 else {}
    )
    rows = [
        row
        for among, agents in groups.items()
        for metric in TEST_METRICS
        if (row := _choice(among, metric, {agent: values[agent] for agent in agents})) is not None
    ]
    return pl.DataFrame(rows, schema=BEST_RATERS)


def _choice(among: str, metric: str, values: Mapping[str, pl.DataFrame]) -> dict[str, object] | None:
    """Return a row of CHOICES; None if fewer than three training subcategories are rated by all agents."""
    training, test = (_matrix(values, metric, condition) for condition in (TRAINING, TEST))
    if len(training) < 3:
        return None
    agents = list(values)
    best = int(training.mean(axis=0).argmax())
    rest = (training.sum(axis=0) - training) / (len(training) - 1)  # agents' means over all other subcategories
    held_out = training[np.arange(len(training)), rest.argmax(axis=1)]
    gain = held_out - training.mean(axis=1)
    (interval,) = mean_intervals(gain[:, None], np.ones((len(gain), 1)), SEED)
    return {
        "among": among,
        "metric": metric,
        "chosen": agents[best],
        "training": float(training[:, best].mean()),
        "cross_validated": float(held_out.mean()),
        "mean_training": float(training.mean()),
        "gain": float(gain.mean()),
        "gain_low": interval.low,
        "gain_high": interval.high,
        "test": float(test[:, best].mean()) if len(test) else None,
        "mean_test": float(test.mean()) if len(test) else None,
    }


def _matrix(
    values: Mapping[str, pl.DataFrame], metric: str, condition: str
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the values (subcategories, agents) of the subcategories that all agents have a value of."""
    columns = [
        table.filter(metric=metric, condition=condition).select("unit", pl.col("value").alias(agent))
        for agent, table in values.items()
    ]
    wide = columns[0]
    for column in columns[1:]:
        wide = wide.join(column, on="unit", how="inner", maintain_order="left")
    return wide.drop("unit").to_numpy()
