"""From units to results: the overview (Table 2), consistency, frequency, detection (Table 4), categories (Figure 2)."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
import wordfreq

from relprobe.core.stats import kruskal_wallis, shapiro
from relprobe.core.units import paired_tests
from relprobe.studies.systematicity.metrics import INPUTS, answered
from relprobe.studies.systematicity.schemas import SETS

COLUMNS = [
    *("open@1", "open@5", "singular", "plural", "contextual", "singular_plural", "aggregate"),
    *("singular_slot", "plural_slot", "singular_plural_slot"),
]
RECOGNISED = ("singular", "plural", "open@1")
"""The metrics by which hyponyms are recognised or not."""

FREQUENCY = pl.Schema(
    {
        "agent": pl.String(),
        "set": pl.String(),
        "metric": pl.String(),
        "recognised": pl.UInt32(),  # hyponyms that wordfreq knows
        "unrecognised": pl.UInt32(),
        "without": pl.UInt32(),  # hyponyms that it does not know
        "frequency_recognised": pl.Float64(),  # mean, per million words
        "frequency_unrecognised": pl.Float64(),
        "normal_p_recognised": pl.Float64(),  # Shapiro-Wilk
        "normal_p_unrecognised": pl.Float64(),
        "effect": pl.Float64(),  # Kruskal-Wallis: epsilon squared
        "p": pl.Float64(),
        "note": pl.String(),  # why p is missing
    }
)


def overview(averages: pl.DataFrame, agents: Sequence[str]) -> pl.DataFrame:
    """Return Table 2: a row per set and agent, in the order given, a column per metric."""
    rows = averages.join(pl.DataFrame({"metric": COLUMNS}), on="metric", how="inner", maintain_order="right")
    wide = rows.pivot("metric", index=["condition", "agent"], values="value").rename({"condition": "set"})
    return wide.sort(pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(agents)))


def tests(metrics: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare every pair of agents on every metric (TESTS): all say right or wrong, so McNemar's test it is."""
    return paired_tests(metrics, binary=(*COLUMNS, *INPUTS.values()))


def consistency(metrics: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return section 3.5: per agent and set the share of hyponyms right in both numbers, in one alone, in neither."""
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
    """Return section 3.4 (FREQUENCY): are recognised hyponyms more frequent? Kruskal-Wallis, and Shapiro-Wilk before it.

    Frequencies are those of `wordfreq`, where the paper counts in Wikipedia; hyponyms that it does not know have none,
    and are counted, but not tested.
    """
    rows = []
    for agent, values in metrics.items():
        wanted = values.filter(pl.col("metric").is_in(RECOGNISED)).sort("unit")
        for (condition, metric), units in wanted.group_by("condition", "metric", maintain_order=True):
            rows.append({"agent": agent, "set": condition, "metric": metric, **_frequency(units)})
    order = [pl.col("set").cast(pl.Enum(SETS)), pl.col("metric").cast(pl.Enum(RECOGNISED))]
    return pl.DataFrame(rows, schema=FREQUENCY).sort(*order, maintain_order=True)


def _frequency(units: pl.DataFrame) -> dict[str, Any]:
    per_million = [wordfreq.word_frequency(word, "en") * 1e6 or None for word in units["unit"]]
    known = units.with_columns(frequency=pl.Series(per_million, dtype=pl.Float64)).drop_nulls("frequency")
    groups = {name: known.filter(value=value)["frequency"] for name, value in (("recognised", 1), ("unrecognised", 0))}
    test = kruskal_wallis([group.to_numpy() for group in groups.values()])
    return {
        **{name: len(group) for name, group in groups.items()},
        "without": units.height - known.height,
        **{f"frequency_{name}": group.mean() for name, group in groups.items()},
        **{f"normal_p_{name}": shapiro(group.to_numpy()).p for name, group in groups.items()},
        "effect": test.effect,
        "p": test.p,
        "note": test.note,
    }


def detection(detections: Mapping[str, pl.DataFrame], majority: pl.DataFrame) -> pl.DataFrame:
    """Return Table 4: per setting, agent and input the mean accuracy over folds, its standard deviation, and the errors.

    `false_positives` is the share of the errors in which a pair is taken for hypernymy (section 4). `majority` are the
    metrics of the majority baseline.
    """
    parts = [
        table.select(
            *("setting", "fold", "input", "label"),
            right=(pl.col("p") > 0.5) == (pl.col("label") == 1),
            agent=pl.lit(agent),
        )
        for agent, table in detections.items()
    ]
    constant = majority.filter(metric="detection").select(
        agent=pl.lit("majority"),
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


def category_logprobs(responses: Mapping[str, pl.DataFrame], probes: pl.DataFrame, items: pl.DataFrame) -> pl.DataFrame:
    """Return Figure 2: the mean natural-log probability of the right category at the slot, per category and number."""
    parts = []
    for agent, table in responses.items():
        slots = table.filter(method="slot")
        asked = answered(slots, probes, items).filter(~pl.col("control") & pl.col("kind").is_in(["singular", "plural"]))
        parts.append(asked.with_columns(agent=pl.lit(agent)))
    long = pl.concat(parts).explode("words", "scores").filter(pl.col("words") == pl.col("gold"))
    table = long.group_by("set", "agent", "category", "kind", maintain_order=True).agg(
        logprob=pl.col("scores").mean(), hyponyms=pl.len()
    )
    return table.sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def several_tokens(responses: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the candidates that are several tokens of a model at a slot: agent, word, tokens."""
    parts = [table.with_columns(agent=pl.lit(agent)).filter(method="slot") for agent, table in responses.items()]
    long = pl.concat(parts).select("agent", word="words", tokens="tokens").explode("word", "tokens")
    return long.filter(pl.col("tokens") > 1).unique().sort("agent", "word")
