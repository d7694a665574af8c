"""The figures along series in words."""

import polars as pl

from relprobe.report.words.series import along_in_words
from relprobe.studies.relations.compare.series import AXES_OF


def series_in_words(figure: str, table: pl.DataFrame) -> str:
    """Say where each series begins and ends, and what people and the best control reach; empty if it is no such figure.

    `figure`: the name of a figure, such as training_soundness. `table`: SERIES.

    >>> rows = [("step", "gpt", "1", "raw", "soundness", "HYP", 0.0), ("step", "gpt", "9K", "raw", "soundness", "HYP", 0.25)]
    >>> rows.append(("step", "gpt", None, "control", "soundness", "HYP", 0.125))
    >>> names = ["axis", "series", "label", "variant", "metric", "relation", "value"]
    >>> table = pl.DataFrame(rows, schema=names, orient="row").with_columns(agent=pl.lit("frequency"), versus=None, k=None)
    >>> series_in_words("training_soundness", table)
    'HYP: gpt from 0.000 (1) to 0.250 (9K), best control (frequency) 0.125.'
    """
    kind, _, metric = figure.partition("_")
    if metric.startswith("layers_"):  # over training and layers
        kind, _, metric = metric.partition("_")
    if kind not in AXES_OF:
        return ""
    rows = table.filter(pl.col("axis").is_in(AXES_OF[kind]), pl.col("metric") == metric)
    rows = rows.with_columns(pl.col("relation", "versus", "k").cast(pl.String))
    beginning = pl.concat_str(
        pl.col("relation").fill_null("all relations"),
        pl.when(pl.col("versus").is_not_null()).then(pl.format(" from {}", "versus")).otherwise(pl.lit("")),
        pl.when(pl.col("k").is_not_null()).then(pl.format(" (k = {})", "k")).otherwise(pl.lit("")),
    )
    return along_in_words(rows.with_columns(beginning=beginning), "beginning")
