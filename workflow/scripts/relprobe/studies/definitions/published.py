"""Our values of the figures that the paper prints, under the names of resources/published/definitions.csv."""

import polars as pl

from relprobe.report.published import OURS
from relprobe.studies.definitions.build import TASKS
from relprobe.studies.definitions.conditions import depth_names

GUESS = "random"


def ours(averages: pl.DataFrame, sizes: pl.DataFrame) -> pl.DataFrame:
    """Return the agents' averages (AVERAGES), P@1 in percent as the paper prints it, and the sizes of the groups (OURS).

    Those of a guess are what is expected of it over the whole benchmark, not what one run of it happened to draw.
    """
    percent = pl.when(pl.col("metric").str.ends_with("P@1")).then(100).otherwise(1)
    agents = averages.filter(pl.col("agent") != GUESS)
    parts = [agents.select(quantity="metric", condition="condition", agent="agent", ours=pl.col("value") * percent)]
    benchmark = sizes.filter(groups_of="the benchmark")
    for task in TASKS:
        guess = benchmark.select("condition", agent=pl.lit(GUESS), p1=pl.col(f"{task}_random") * 100, rs=pl.lit(0.5))
        for name, column in (("P@1", "p1"), ("RS", "rs")):
            quantity = pl.lit(f"{task.upper()} {name}")
            parts.append(guess.select("condition", "agent", quantity=quantity, ours=column).select(list(OURS)))
    five = sizes.filter(groups_of="at least five synsets")  # the groups that Table 2's averages are of
    deep = benchmark.filter(pl.col("condition").is_in(depth_names()))
    parts += [
        _size(benchmark, "groups", "groups"),
        _size(pl.concat([five, deep]), "candidates", "candidates (mean)"),
        _size(benchmark, "smallest", "candidates (min)"),
        _size(benchmark, "largest", "candidates (max)"),
    ]
    return pl.concat(parts).cast(OURS)


def _size(sizes: pl.DataFrame, column: str, quantity: str) -> pl.DataFrame:
    none = pl.lit(None, dtype=pl.String)
    value = pl.col(column).cast(pl.Float64)
    return sizes.select(quantity=pl.lit(quantity), condition="condition", agent=none, ours=value)
