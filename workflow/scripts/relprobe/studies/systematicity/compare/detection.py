"""The accuracy of the agents' classifiers: hypernymy detection (Table 4)."""

from collections.abc import Mapping

import polars as pl

from relprobe.stats.schemas import Averages
from relprobe.studies.systematicity.measure.metrics import OF_INPUT, decided_right
from relprobe.studies.systematicity.schemas import MAJORITY, Detection, Detections, Metrics


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
    accuracy = long.group_by(*key, "fold", "seed", maintain_order=True).agg(pl.col("right").mean())
    folds = accuracy.group_by(*key, "fold", maintain_order=True).agg(pl.col("right").mean())
    seeds = accuracy.group_by(*key, "seed", maintain_order=True).agg(pl.col("right").mean()).group_by(key)
    missed = 1 - pl.col("right")
    wrong = long.group_by(key).agg(wrong=missed.sum(), false=(missed * (1 - pl.col("label"))).sum())
    wrong = wrong.with_columns(false_positives=pl.when(pl.col("wrong") > 0).then(pl.col("false") / pl.col("wrong")))
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
