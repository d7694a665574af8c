"""The agents side by side: averages, tests, consistency, frequency, and models that also chat."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.files import ShownTables
from relprobe.core.metric import Metric, by_name
from relprobe.core.sums import ordered_deviation, ordered_mean, ordered_sum
from relprobe.sources.word_frequency import Scale, frequencies
from relprobe.stats import Interval, Values, kruskal_wallis, shapiro, share_interval, statistic_interval, with_holm
from relprobe.stats.averages import SEED
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.averages import averages as metric_averages
from relprobe.stats.comparisons import Declared, contrast_tests, paired_tests
from relprobe.stats.controls import kinds_of
from relprobe.stats.schemas import AgentKind, Averages, Tests
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.studies.letters import absence
from relprobe.studies.systematicity.measure import MEASURES, MOST, OF_INPUT, VERIFIED, decided_right
from relprobe.studies.systematicity.replies import YES
from relprobe.studies.systematicity.schemas import (
    MAJORITY,
    OWN_CONTRASTS,
    SETS,
    VERIFY,
    Detection,
    Detections,
    Items,
    LayerMetrics,
    Metrics,
    OwnContrasts,
    ReplyChoices,
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
    inputs = {metric: name for name, metric in OF_INPUT.items()}
    rows = averages.filter(pl.col("metric").is_in(list(inputs)) & (pl.col("agent") != MAJORITY))
    of_input = pl.col("metric").replace_strict(inputs)
    intervals = rows.select("agent", "low", "high", setting="condition", input=of_input, categories="clusters")
    return accuracies.join(intervals, on=["setting", "agent", "input"], how="left", maintain_order="left")


# Averages of the agents, tests between them, and the contrasts of sections 3.5 and 4 within each agent.


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


def comparisons(
    metrics: dict[str, Metrics],
    *,
    controls: list[str],
    members: list[str] | None = None,
    declared: Declared = (),
) -> Comparisons:
    """Test the differences between agents, and those within each agent, such as between singular and plural.

    Agents are compared on every metric and set, or setting of the classifier. `controls`: the agents that are no language
    models. `members`: the checkpoints that are not the last of their series, which are compared with controls alone.
    `declared`: as for `paired_tests`.
    """
    kinds = kinds_of(metrics, controls, members or [])
    return Comparisons(paired_tests(metrics, MEASURES, kinds=kinds, declared=declared), contrasts(metrics, kinds))


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


# Right answers in the singular and in the plural, and whether they go together (section 3.5).


CONSISTENCY = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "both": pl.Float64(),  # the share of the hyponyms that are right in both numbers
        "singular_only": pl.Float64(),
        "plural_only": pl.Float64(),
        "neither": pl.Float64(),
        "hyponyms": pl.UInt32(),
        "phi": pl.Float64(),  # the correlation of right in the singular with right in the plural
        "phi_low": pl.Float64(),  # its 95 % interval: categories are resampled
        "phi_high": pl.Float64(),
        "right_singulars": pl.UInt32(),  # hyponyms that are right in the singular, in most answers
        "plural_if_singular": pl.Float64(),  # the share of them that are right in the plural
        "plural_if_singular_low": pl.Float64(),  # its 95 % interval over categories (Wilson's, of the effective number)
        "plural_if_singular_high": pl.Float64(),
        "note": pl.String(),  # the reason why phi or its interval is missing
    }
)


def consistency(metrics: Mapping[str, Metrics]) -> pl.DataFrame:
    """Return per set and agent how the answers in the singular and in the plural go together (CONSISTENCY).

    `metrics`: agent -> its values. The hyponyms are those that the agent has answered in both numbers. Of an agent that has
    answered several times (people's task in several orders), the shares are over its answers, two of one order each.

    >>> values = {"condition": "extended", "unit": ["robin"] * 2, "cluster": ["bird"] * 2, "value": [1, 0]}
    >>> table = consistency({"m": pl.DataFrame({**values, "metric": ["singular", "plural"]})})
    >>> table.select("set", "agent", "both", "singular_only", "plural_only", "neither", "hyponyms").row(0)
    ('extended', 'm', 0.0, 1.0, 0.0, 0.0, 1)
    """
    rows = []
    for agent, values in metrics.items():
        of_numbers = values.filter(pl.col("metric").is_in(["singular", "plural", "singular_plural"]))
        for (condition,), of_set in of_numbers.group_by("condition", maintain_order=True):
            wide = of_set.pivot("metric", index=["unit", "cluster"], values="value").drop_nulls()
            if {"singular", "plural"} <= set(wide.columns) and wide.height:
                # An agent with one answer to each may have no values of both numbers at once, which follow from the two.
                both = wide.get_column("singular_plural", default=wide["singular"] * wide["plural"])
                columns = (wide["singular"], wide["plural"], both, wide["cluster"])
                of_agent = _agent_columns(*(column.to_numpy() for column in columns))
                rows.append({"set": condition, "agent": agent, **of_agent})
    table = pl.DataFrame(rows, schema=CONSISTENCY)
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def _agent_columns(singular: Values, plural: Values, both: Values, category: NDArray[np.str_]) -> dict[str, Any]:
    """Return the columns from `both` on; `singular`, `plural`, `both`: the share of right answers, (hyponyms,).

    `category`: that of each hyponym. Categories are resampled, as their hyponyms share an answer.
    """
    cells = np.column_stack([both, singular - both, plural - both, 1 - singular - plural + both])
    names = ("both", "singular_only", "plural_only", "neither")
    row = {**dict(zip(names, cells.mean(axis=0).tolist(), strict=True)), "hyponyms": len(cells)}
    correlation = float(phi(np.ones((1, len(cells))) @ cells)[0])
    if np.isnan(correlation):
        row |= {"note": "no phi: all answers in one number are right, or all are wrong"}
    else:
        of_categories = _by_category(cells, category)
        interval = statistic_interval(lambda weights: phi(weights @ of_categories), len(of_categories), SEED)
        row |= {"phi": correlation, "phi_low": interval.low, "phi_high": interval.high, "note": interval.note}
    right = int((singular > MOST).sum())
    if singular.any():
        among = share_interval(*_by_category(np.column_stack([both, singular]), category).T)
        row |= {"plural_if_singular": float(both.sum() / singular.sum())}
        row |= {"plural_if_singular_low": among.low, "plural_if_singular_high": among.high}
    return {**row, "right_singulars": right}


def _by_category(cells: Values, category: NDArray[np.str_]) -> Values:
    """Return the sums of the rows of each category, (categories, columns)."""
    numbers = np.unique(category, return_inverse=True)[1]
    sums: Values = np.zeros((numbers.max() + 1, cells.shape[1]))
    np.add.at(sums, numbers, cells)
    return sums


def interval_among(first: Values, second: Values, category: NDArray[np.str_]) -> Interval:
    """Return Wilson's interval of the share of hyponyms with `second` among those with `first`, over their categories.

    The arguments are of shape (hyponyms,), the first two from 0 to 1. With one category there is no interval, and a
    note says so.
    """
    both = np.column_stack([first * second, first])
    sums, sizes = _by_category(both, category).T
    return share_interval(sums, sizes)


def phi(counts: Values) -> Values:
    """Return phi, the correlation of two binary variables, NaN where one is constant.

    `counts`: those of both, the first alone, the second alone, neither, of shape (tables, 4).

    >>> phi(np.array([[2.0, 0.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]])).tolist()
    [1.0, 0.0]
    """
    both, first, second, neither = counts.T
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    difference = both * neither - first * second
    phi: Values = np.divide(difference, np.sqrt(margins), out=np.full(len(counts), np.nan), where=margins > 0)
    return phi


# The frequency of the hyponyms that an agent recognises, and of the others (section 3.4).


FACTORS = {"raw": 1e6, "zipf": 1}
"""Scale -> the factor of its frequencies: raw ones are those per million words."""
RECOGNISED = ("singular", "plural", "open@1")
"""The metrics that say whether a hyponym is recognised, in the order of the table."""

FREQUENCY = pl.Schema(
    {
        "agent": pl.String(),
        "set": pl.String(),
        "metric": pl.String(),
        "recognised": pl.UInt32(),  # hyponyms
        "unrecognised": pl.UInt32(),
        "zero": pl.UInt32(),  # hyponyms among both whose frequency is 0: wordfreq does not know them
        "frequency_recognised": pl.Float64(),  # mean, on the scale
        "frequency_unrecognised": pl.Float64(),
        "normal_p_recognised": pl.Float64(),  # Shapiro-Wilk
        "normal_p_unrecognised": pl.Float64(),
        "effect": pl.Float64(),  # Kruskal-Wallis: epsilon squared
        "p": pl.Float64(),
        "family": pl.String(),  # whether the agent is a model or a control; p is adjusted over its own tests
        "p_holm": pl.Float64(),  # p adjusted within the family by Holm's method
        "note": pl.String(),  # why p is missing
    }
)


def frequency(metrics: Mapping[str, Metrics], controls: Collection[str], scale: Scale = "raw") -> pl.DataFrame:
    """Test whether recognised hyponyms are more frequent than others (FREQUENCY).

    The test is that of Kruskal and Wallis; Shapiro and Wilk's says whether the frequencies are normal. A hyponym is one
    observation, so that the tests have no clusters. Frequencies are those of `wordfreq`, where the paper counts in
    Wikipedia; a hyponym that `wordfreq` does not know has the frequency 0. An agent that has answered
    several times recognises a hyponym if most answers are right. `controls`: the agents that are no models.
    """
    rows = []
    for agent, values in metrics.items():
        of_metrics = values.filter(pl.col("metric").is_in(RECOGNISED)).sort("unit")
        family = "controls" if agent in controls else "models"
        for (condition, metric), units in of_metrics.group_by("condition", "metric", maintain_order=True):
            about = {"agent": agent, "set": condition, "metric": metric, "family": family}
            rows.append({**about, **_test(units, scale)})
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("metric").cast(pl.Enum(RECOGNISED))]
    table = pl.DataFrame(rows, schema=FREQUENCY).sort(*order, maintain_order=True)
    return with_holm(table, ["agent", "metric"])


def _test(units: pl.DataFrame, scale: Scale) -> dict[str, Any]:
    known = frequencies(units["unit"], scale, language="en").rename({"word": "unit"})
    frequent = units.join(known, on="unit", how="left", maintain_order="left")
    frequent = frequent.with_columns(pl.col("frequency").fill_null(0) * FACTORS[scale])
    right = pl.col("value") > MOST
    groups = {
        name: frequent.filter(which)["frequency"] for name, which in (("recognised", right), ("unrecognised", ~right))
    }
    test = kruskal_wallis([group.to_numpy() for group in groups.values()])
    return {
        **{name: len(group) for name, group in groups.items()},
        "zero": int((frequent["frequency"] == 0).sum()),
        **{f"frequency_{name}": ordered_mean(group) for name, group in groups.items()},
        **{f"normal_p_{name}": shapiro(group.to_numpy()).p for name, group in groups.items()},
        "effect": test.effect,
        "p": test.p,
        "note": test.note,
    }


# Is a robin a bird? Hits, false alarms, and the share of hyponyms with both answers right.


YESES = ("hits", "false_alarms")
"""The share of yes to the right category, and to the foil."""
VERIFICATION_MEASURES = tuple(Metric(name, cluster=("cluster",), share=True) for name in (*YESES, "verified"))
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
        {"set": of_set, "agent": agent, "number": number, "note": absence(table)}
        for agent, table in choices.items()
        if agent not in readable
        for of_set, number in table.select("set", "kind").unique(maintain_order=True).rows()
    ]
    if values:
        means = metric_averages(values, VERIFICATION_MEASURES, ("set", "number"), targets="own")
        rows += [_row(names, part) for names, part in means.group_by("set", "agent", "number", maintain_order=True)]
    table = pl.DataFrame(rows, schema=VERIFICATION)
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(list(choices))), pl.col("number")]
    return table.sort(*order, descending=[False, False, True])


def _values(choices: ReplyChoices, metrics: Metrics, items: Items) -> pl.DataFrame:
    """Return the values of MEASURES of an agent, a row per metric, set, number and hyponym."""
    name = pl.when("foil").then(pl.lit(YESES[1])).otherwise(pl.lit(YESES[0]))
    said = choices.with_columns(metric=name, number="kind", unit="hyponym")
    yes = said.group_by("metric", "set", "number", "unit").agg(value=(pl.col("choice") == YES).mean())
    clusters = items.select("set", unit="hyponym", cluster="category")
    numbers = {metric: number for number, metric in VERIFIED.items()}
    both = metrics.filter(pl.col("metric").is_in(list(numbers))).select(
        metric=pl.lit("verified"),
        set="condition",
        number=pl.col("metric").replace_strict(numbers, return_dtype=pl.String),
        unit="unit",
        value="value",
    )
    return pl.concat([yes, both]).join(clusters, on=["set", "unit"], maintain_order="left")


def _row(names: tuple[object, ...], part: pl.DataFrame) -> dict[str, object]:
    row: dict[str, object] = dict(zip(("set", "agent", "number"), names, strict=True))
    for mean in part.iter_rows(named=True):
        name = mean["metric"]
        row |= {name: mean["value"], f"{name}_low": mean["low"], f"{name}_high": mean["high"]}
        row |= {"hyponyms": mean["units"], "note": mean["note"]}
    return row


# The layers of models as series: how well a classifier recognises hypernymy in the states after each of them.


LAYER_SETTINGS = ("seen", "unseen")
READER = "a classifier of each layer"
"""What reads the states of a layer."""
CHANCE = 0.5
"""What guessing gets, as half of the pairs are true."""


def layers(
    layered: dict[str, LayerMetrics],
    metrics: dict[str, Metrics],
    averages: Averages,
    *,
    targets: Literal["common", "own"] = "common",
) -> ShownTables:
    """Average and test the accuracy of the classifiers after each layer (`layer_tables`), in both settings.

    `metrics`: of the baselines, which are the controls; `averages`: of all agents.
    """
    names = set(OF_INPUT.values())
    measures = [metric for metric in MEASURES if metric.name in names]
    chance = dict.fromkeys(names, CHANCE)
    return layer_tables(
        layered, metrics, averages, measures, tested=LAYER_SETTINGS, chance=chance, reader=READER, targets=targets
    )
