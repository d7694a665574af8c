"""The number of groups, their sizes, and how often a guess is right (Tables 2, 4, 5)."""

import polars as pl

from relprobe.studies.definitions.build import MIN_SIZE, candidates, targets
from relprobe.studies.definitions.conditions import conditions, names
from relprobe.studies.definitions.schemas import SIZES, TASKS


def sizes(pairs: pl.DataFrame, large: pl.DataFrame, sampled: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the sizes of the groups of one part of speech (SIZES).

    `pairs` are those of all groups, `large` those of the groups with five different strings and definitions ("the
    benchmark", whose number Table 2 prints), and `sampled` those of the groups of this run. Table 2 prints the averages of
    the groups with "at least five synsets".
    """
    five = pairs.filter(pl.len().over("target") >= MIN_SIZE)
    about = targets(synsets).with_columns(group="row")
    parts = [_rows("at least five synsets", five, about), _rows("the benchmark", large, about, synsets)]
    if sampled.height < large.height:
        parts.append(_rows("this run's sample", sampled, about, synsets))
    return pl.concat([pl.DataFrame(schema=SIZES), *parts], how="diagonal_relaxed").cast(SIZES)


def _rows(name: str, pairs: pl.DataFrame, about: pl.DataFrame, synsets: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return a row per condition. Without synsets, the part of speech is the only condition, and the tasks have no sizes."""
    numbers = pairs.group_by(group="target").agg(members=pl.len())
    of_tasks = []
    families = about.select("group", "family")
    of_groups = about.select("group", condition="pos")
    if synsets is not None:
        lengths = candidates(pairs, synsets).group_by("target", "task").len()
        numbers = numbers.join(lengths.pivot("task", index="target", values="len"), left_on="group", right_on="target")
        of_groups = conditions(about)
        of_tasks = [pl.col(task).mean().alias(f"{task}_candidates") for task in TASKS]
        of_tasks += [(1 / pl.col(task)).mean().alias(f"{task}_random") for task in TASKS]
    size = pl.col("members")
    counts = [pl.len().alias("groups"), *_families()]
    averages = [size.mean().alias("candidates"), size.min().alias("smallest"), size.max().alias("largest"), *of_tasks]
    rows = numbers.join(of_groups, on="group").join(families, on="group").group_by("condition").agg(*counts, *averages)
    return rows.with_columns(groups_of=pl.lit(name)).sort(pl.col("condition").cast(pl.Enum(names())))


def _families() -> list[pl.Expr]:
    """Count the families, and as how many families of one size they count: n² / Σ n_f², n_f groups in family f (Kish)."""
    members = pl.col("family").unique_counts()
    return [
        pl.col("family").n_unique().alias("families"),
        (members.sum() ** 2 / (members.cast(pl.Float64) ** 2).sum()).alias("effective_families"),
    ]
