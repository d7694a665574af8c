"""The tables of the agents' metrics: overview (Table 2) and detection (Table 4), with those of other modules."""

from collections.abc import Collection, Mapping, Sequence

import polars as pl

from relprobe.studies.systematicity.compare.consistency import consistency
from relprobe.studies.systematicity.compare.frequency import Scale, frequency
from relprobe.studies.systematicity.measure.metrics import MEASURES, OF_INPUT, decided_right
from relprobe.studies.systematicity.schemas import MAJORITY, SETS


def of_agents(
    metrics: Mapping[str, pl.DataFrame],
    detections: Mapping[str, pl.DataFrame],
    averages: pl.DataFrame,
    controls: Collection[str],
    scale: Scale,
) -> dict[str, pl.DataFrame]:
    """Return the tables of all agents by their names; `metrics` and `detections`: agent -> METRICS, DETECTIONS.

    `controls`: the agents that are no language models. `scale`: that of the frequencies.
    """
    answering = {agent: table for agent, table in metrics.items() if agent != MAJORITY}
    return {
        "overview": overview(averages, list(metrics)),
        "averages": averages,
        "detection": with_intervals(detection(detections, metrics[MAJORITY]), averages),
        "consistency": consistency(metrics),
        "frequency": frequency(answering, controls, scale),
    }


def overview(averages: pl.DataFrame, agents: Sequence[str]) -> pl.DataFrame:
    """Return Table 2: a row per set and agent, in the order of `agents`, and a column per metric.

    `hyponyms` and `answered` count those of the singular: in its average, and those that the agent has answered.
    `own_hyponyms`: some average is over other hyponyms than those of the other agents.

    >>> counts = {"units": 18, "answered": 20, "own_units": False}
    >>> row = {"agent": "static", "metric": "singular", "condition": "extended", "value": 0.5, **counts}
    >>> overview(pl.DataFrame([row]), ["static"]).row(0)
    ('extended', 'static', 0.5, 18, 20, False)
    """
    columns = [metric.name for metric in MEASURES if not metric.input]
    rows = averages.join(pl.DataFrame({"metric": columns}), on="metric", how="inner", maintain_order="right")
    key = ["condition", "agent"]
    of_singular = rows.filter(metric="singular").select(*key, hyponyms="units", answered="answered")
    wide = rows.pivot("metric", index=key, values="value").join(of_singular, on=key, how="left")
    own = rows.group_by(key).agg(own_hyponyms=pl.col("own_units").any())
    wide = wide.join(own, on=key).rename({"condition": "set"})
    return wide.sort(pl.col("set").cast(pl.Enum(SETS)), pl.col("agent").cast(pl.Enum(agents)))


def detection(detections: Mapping[str, pl.DataFrame], majority: pl.DataFrame) -> pl.DataFrame:
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
    accuracy = long.group_by(*key, "fold", "seed", maintain_order=True).agg(pl.col("right").mean())
    folds = accuracy.group_by(*key, "fold", maintain_order=True).agg(pl.col("right").mean())
    seeds = accuracy.group_by(*key, "seed").agg(pl.col("right").mean()).group_by(key)
    wrong = (
        long.filter(~pl.col("right")).group_by(key).agg(false_positives=(pl.col("label") == 0).mean(), wrong=pl.len())
    )
    table = (
        folds.group_by(key, maintain_order=True)
        .agg(accuracy=pl.col("right").mean(), sd=pl.col("right").std(), folds=pl.len())
        .join(seeds.agg(sd_seeds=pl.col("right").std(), seeds=pl.len()), on=key, maintain_order="left")
        .join(long.group_by(key).agg(answers=pl.len()), on=key, maintain_order="left")
        .join(wrong, on=key, how="left", maintain_order="left")
    )
    per_seed = {name: pl.col(column) / pl.col("seeds") for name, column in (("pairs", "answers"), ("errors", "wrong"))}
    per_seed["pairs"] = per_seed["pairs"].cast(pl.UInt32)
    columns = [*key, "accuracy", "sd", "folds", "sd_seeds", "seeds", "pairs", "false_positives", "errors"]
    return table.with_columns(**per_seed).select(columns).sort("setting", maintain_order=True)


def _constant(majority: pl.DataFrame) -> pl.DataFrame:
    """Return the decisions of the majority baseline, which has no seeds, as those of one seed."""
    return majority.filter(metric="detection").select(
        agent=pl.lit(MAJORITY),
        setting="condition",
        fold=pl.col("unit").str.split(":").list.first().cast(pl.UInt8),
        input=pl.lit("none"),
        seed=pl.lit(0, pl.Int64),
        right=pl.col("value") == 1,
    )


def with_intervals(detection: pl.DataFrame, averages: pl.DataFrame) -> pl.DataFrame:
    """Add to the table `detection` the 95 % interval of the mean over pairs, low and high, and the number of categories.

    The majority baseline has no interval, since its accuracy follows from how the pairs are built.
    """
    inputs = {metric: name for name, metric in OF_INPUT.items()}
    rows = averages.filter(pl.col("metric").is_in(list(inputs)) & (pl.col("agent") != MAJORITY))
    of_input = pl.col("metric").replace_strict(inputs)
    intervals = rows.select("agent", "low", "high", setting="condition", input=of_input, categories="clusters")
    return detection.join(intervals, on=["setting", "agent", "input"], how="left", maintain_order="left")
