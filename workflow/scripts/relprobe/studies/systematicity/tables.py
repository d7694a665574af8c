"""The tables of the agents' metrics: overview (Table 2), consistency, frequency (section 3.4) and detection (Table 4)."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from relprobe.studies.systematicity.metrics import METRICS, decided_right
from relprobe.studies.systematicity.schemas import SETS

MAJORITY = "majority"
"""The agent that always gives the most frequent answer (baselines.py)."""
RECOGNISED = ("singular", "plural", "open@1")
"""The metrics that say whether a hyponym is recognised, in the order of the frequency table."""

FREQUENCY = pl.Schema(
    {
        "agent": pl.String(),
        "set": pl.String(),
        "metric": pl.String(),
        "recognised": pl.UInt32(),  # hyponyms with a frequency
        "unrecognised": pl.UInt32(),
        "without": pl.UInt32(),  # hyponyms without a frequency: wordfreq does not know them
        "frequency_recognised": pl.Float64(),  # mean, per million words
        "frequency_unrecognised": pl.Float64(),
        "normal_p_recognised": pl.Float64(),  # Shapiro-Wilk
        "normal_p_unrecognised": pl.Float64(),
        "effect": pl.Float64(),  # Kruskal-Wallis: epsilon squared
        "p": pl.Float64(),
        "note": pl.String(),  # why p is missing
    }
)


def of_agents(
    metrics: Mapping[str, pl.DataFrame],
    detections: Mapping[str, pl.DataFrame],
    averages: pl.DataFrame,
    tests: pl.DataFrame,
) -> dict[str, pl.DataFrame]:
    """Return the tables of all agents by their names; `metrics` and `detections`: agent -> UNITS, DETECTIONS."""
    return {
        "overview": overview(averages, list(metrics)),
        "averages": averages,
        "tests": tests,
        "detection": detection(detections, metrics[MAJORITY]),
        "consistency": consistency(metrics),
        "frequency": frequency({agent: table for agent, table in metrics.items() if agent != MAJORITY}),
    }


def overview(averages: pl.DataFrame, agents: Sequence[str]) -> pl.DataFrame:
    """Return Table 2: a row per set and agent, in the order of `agents`, and a column per metric.

    >>> row = {"agent": "static", "metric": "singular", "condition": "extended", "value": 0.5}
    >>> overview(pl.DataFrame([row]), ["static"]).row(0, named=True)
    {'set': 'extended', 'agent': 'static', 'singular': 0.5}
    """
    columns = [metric.name for metric in METRICS if not metric.input]
    rows = averages.join(pl.DataFrame({"metric": columns}), on="metric", how="inner", maintain_order="right")
    wide = rows.pivot("metric", index=["condition", "agent"], values="value").rename({"condition": "set"})
    return wide.sort(pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(agents)))


def consistency(metrics: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return per set and agent the share of hyponyms that are right in both numbers, in one, in neither (section 3.5).

    >>> units = {"condition": "extended", "unit": ["robin", "robin"], "metric": ["singular", "plural"], "value": [1, 0]}
    >>> consistency({"m": pl.DataFrame(units)}).row(0)
    ('extended', 'm', 0.0, 1.0, 0.0, 0.0, 1)
    """
    key = ["set", "agent"]
    long = pl.concat([table.with_columns(agent=pl.lit(agent)) for agent, table in metrics.items()])
    long = long.rename({"condition": "set"}).filter(pl.col("metric").is_in(["singular", "plural"]))
    right = pl.col("value") == 1
    one, several = ((right & (pl.col("metric") == number)).any() for number in ("singular", "plural"))
    units = long.group_by(*key, "unit", maintain_order=True).agg(one=one, several=several, answers=pl.len())
    of_both = units.filter(answers=2).group_by(key, maintain_order=True)
    table = of_both.agg(
        both=(pl.col("one") & pl.col("several")).mean(),
        singular_only=(pl.col("one") & ~pl.col("several")).mean(),
        plural_only=(~pl.col("one") & pl.col("several")).mean(),
        neither=(~pl.col("one") & ~pl.col("several")).mean(),
        hyponyms=pl.len(),
    )
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def frequency(metrics: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Test whether recognised hyponyms are more frequent than others (section 3.4; FREQUENCY).

    The test is that of Kruskal and Wallis; Shapiro and Wilk's says whether the frequencies are normal. Frequencies are those
    of `wordfreq`, where the paper counts in Wikipedia. Hyponyms that `wordfreq` does not know are counted, but not tested.
    """
    rows = []
    for agent, values in metrics.items():
        of_metrics = values.filter(pl.col("metric").is_in(RECOGNISED)).sort("unit")
        for (condition, metric), units in of_metrics.group_by("condition", "metric", maintain_order=True):
            rows.append({"agent": agent, "set": condition, "metric": metric, **_frequency(units)})
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("metric").cast(pl.Enum(RECOGNISED))]
    return pl.DataFrame(rows, schema=FREQUENCY).sort(*order, maintain_order=True)


def _frequency(units: pl.DataFrame) -> dict[str, Any]:
    import wordfreq

    from relprobe.core.stats import kruskal_wallis, shapiro

    per_million = [wordfreq.word_frequency(word, "en") * 1e6 or None for word in units["unit"]]
    frequent = units.with_columns(frequency=pl.Series(per_million, dtype=pl.Float64)).drop_nulls("frequency")
    values = (("recognised", 1), ("unrecognised", 0))
    groups = {name: frequent.filter(value=value)["frequency"] for name, value in values}
    test = kruskal_wallis([group.to_numpy() for group in groups.values()])
    return {
        **{name: len(group) for name, group in groups.items()},
        "without": units.height - frequent.height,
        **{f"frequency_{name}": group.mean() for name, group in groups.items()},
        **{f"normal_p_{name}": shapiro(group.to_numpy()).p for name, group in groups.items()},
        "effect": test.effect,
        "p": test.p,
        "note": test.note,
    }


def detection(detections: Mapping[str, pl.DataFrame], majority: pl.DataFrame) -> pl.DataFrame:
    """Return Table 4: per setting, agent and input the mean accuracy over folds, its standard deviation, and the errors.

    `false_positives` is the share of the errors in which a pair is taken for hypernymy (section 4). `majority` are the
    metrics of the majority baseline, whose input is "none".
    """
    parts = [
        table.select("setting", "fold", "input", "label", right=decided_right(), agent=pl.lit(agent))
        for agent, table in detections.items()
    ]
    constant = majority.filter(metric="detection").select(
        agent=pl.lit(MAJORITY),
        setting="condition",
        fold=pl.col("unit").str.split(":").list.first().cast(pl.UInt8),
        input=pl.lit("none"),
        right=pl.col("value") == 1,
    )
    long = pl.concat([constant, *parts], how="diagonal_relaxed")
    key = ["setting", "agent", "input"]
    folds = long.group_by(*key, "fold", maintain_order=True).agg(pl.col("right").mean())
    folds = folds.group_by(key, maintain_order=True).agg(
        accuracy=pl.col("right").mean(), sd=pl.col("right").std(), folds=pl.len()
    )
    wrong = (
        long.filter(~pl.col("right")).group_by(key).agg(false_positives=(pl.col("label") == 0).mean(), errors=pl.len())
    )
    pairs = long.group_by(key).agg(pairs=pl.len())
    table = folds.join(pairs, on=key, how="left").join(wrong, on=key, how="left")
    return table.sort("setting", maintain_order=True)
