"""The number of groups, their sizes, and how often a guess is right (Tables 2, 4, 5)."""

import polars as pl

from relprobe.studies.definitions.measure.conditions import LIMITS, conditions, names
from relprobe.studies.definitions.schemas import SIZES, TASKS, Properties, Sizes

BENCHMARK = "the benchmark"
SAMPLE = "this run's sample"


def enough(minimum: int) -> str:
    """Return the name of all groups with as many synsets as a group of the benchmark must have candidates.

    >>> enough(5)
    'at least 5 synsets'
    """
    return f"at least {minimum} synsets"


def sizes(properties: Properties, *, minimum: int = 5, bands: list[int] | None = None) -> Sizes:
    """Count the groups and their candidates, and how often a guess is right (Table 2).

    The benchmark has the groups with enough different strings and definitions, whose number Table 2 prints, and the sample
    those of them that are drawn. Table 2 prints the averages of the groups with "at least 5 synsets".
    `minimum`: the candidates that a group of the benchmark has at least. `bands`: the uses from which a word is medium, and
    frequent.
    """
    benchmark, sample, limits = properties.filter("kept"), properties.filter("drawn"), bands or LIMITS
    parts = [
        _rows(enough(minimum), properties, properties.select("group", condition="pos"), tasks=False),
        _rows(BENCHMARK, benchmark, conditions(benchmark, limits)),
    ]
    if sample.height < benchmark.height:
        parts.append(_rows(SAMPLE, sample, conditions(sample, limits)))
    return pl.concat([pl.DataFrame(schema=SIZES), *parts], how="diagonal_relaxed").cast(SIZES)


def _rows(name: str, groups: pl.DataFrame, of_groups: pl.DataFrame, *, tasks: bool = True) -> pl.DataFrame:
    """Return a row per condition. Without `tasks`, the tasks have no sizes."""
    of_tasks = [pl.col(task).mean().alias(f"{task}_candidates") for task in TASKS]
    of_tasks += [(1 / pl.col(task)).mean().alias(f"{task}_random") for task in TASKS]
    size = pl.col("synsets")
    averages = [size.mean().alias("candidates"), size.min().alias("smallest"), size.max().alias("largest")]
    counts = [pl.len().alias("groups"), *_families()]
    rows = groups.join(of_groups, on="group").group_by("condition")
    table = rows.agg(*counts, *averages, *(of_tasks if tasks else []))
    return table.with_columns(groups_of=pl.lit(name)).sort(pl.col("condition").cast(pl.Enum(names())))


def _families() -> list[pl.Expr]:
    """Count the families, and as how many families of one size they count: n² / Σ n_f², n_f groups in family f (Kish)."""
    members = pl.col("family").unique_counts()
    return [
        pl.col("family").n_unique().alias("families"),
        (members.sum() ** 2 / (members.cast(pl.Float64) ** 2).sum()).alias("effective_families"),
    ]
