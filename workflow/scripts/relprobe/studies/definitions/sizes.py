"""How many groups there are, how large they are and how often a guess is right (Tables 2, 4, 5)."""

import polars as pl

from relprobe.studies.definitions.build import LEAST, TASKS, candidates, targets
from relprobe.studies.definitions.conditions import conditions, names
from relprobe.studies.definitions.schemas import SIZES


def sizes(pairs: pl.DataFrame, kept: pl.DataFrame, asked: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the sizes of one part of speech's groups (SIZES): of all `pairs`, of those `kept` and of those `asked` about.

    "at least five synsets" are the groups whose averages Table 2 prints, "the benchmark" those whose number it prints.
    """
    five = pairs.filter(pl.len().over("target") >= LEAST)
    about = targets(synsets).with_columns(group="row")
    parts = [_rows("at least five synsets", five, about), _rows("the benchmark", kept, about, synsets)]
    if asked.height < kept.height:
        parts.append(_rows("this run's sample", asked, about, synsets))
    return pl.concat([pl.DataFrame(schema=SIZES), *parts], how="diagonal_relaxed").cast(SIZES)


def _rows(name: str, pairs: pl.DataFrame, about: pl.DataFrame, synsets: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return a row per condition; without synsets only the part of speech, and nothing of the tasks."""
    numbers = pairs.group_by(group="target").agg(members=pl.len())
    of_tasks = []
    under = about.select("group", condition="pos")
    if synsets is not None:
        lengths = candidates(pairs, synsets).group_by("target", "task").len()
        numbers = numbers.join(lengths.pivot("task", index="target", values="len"), left_on="group", right_on="target")
        under = conditions(about)
        of_tasks = [pl.col(task).mean().alias(f"{task}_candidates") for task in TASKS]
        of_tasks += [(1 / pl.col(task)).mean().alias(f"{task}_random") for task in TASKS]
    size = pl.col("members")
    averages = [size.mean().alias("candidates"), size.min().alias("smallest"), size.max().alias("largest"), *of_tasks]
    rows = numbers.join(under, on="group").group_by("condition").agg(pl.len().alias("groups"), *averages)
    return rows.with_columns(groups_of=pl.lit(name)).sort(pl.col("condition").cast(pl.Enum(names())))
