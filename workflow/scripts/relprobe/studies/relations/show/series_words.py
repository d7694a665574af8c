"""The figures along series in words."""

import polars as pl

from relprobe.studies.relations.compare.series import AXES_OF


def series_in_words(figure: str, table: pl.DataFrame) -> str:
    """Say where each series begins and ends, and what people and the best control reach; empty if it is no such figure.

    `figure`: the name of a figure, such as training_soundness. `table`: SERIES, as CSV files have it.

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
    rows = rows.with_columns(pl.col("value").cast(pl.Float64), pl.col("k").cast(pl.String))
    sentences = []
    for (relation, versus, k), group in rows.group_by("relation", "versus", "k", maintain_order=True):
        what = "".join(
            [str(relation or "all relations"), f" from {versus}" if versus else "", f" (k = {k})" if k else ""]
        )
        sentences.append(f"{what}: {', '.join(_said(group))}.")
    return " ".join(sentences)


def _said(group: pl.DataFrame) -> list[str]:
    """Return what is said of each series of a group, of people, and of controls."""
    said = []
    for (series, variant), line in group.drop_nulls("label").group_by("series", "variant", maintain_order=True):
        name = str(series) if variant == "raw" else f"{series} ({variant})"
        first, last = line.row(0, named=True), line.row(-1, named=True)
        said.append(f"{name} from {first['value']:.3f} ({first['label']}) to {last['value']:.3f} ({last['label']})")
    beside = group.filter(pl.col("label").is_null()).unique(["variant", "agent"], keep="first", maintain_order=True)
    names = {"people": "people", "control": "best control"}
    return said + [
        f"{names[row['variant']]} ({row['agent']}) {row['value']:.3f}" for row in beside.iter_rows(named=True)
    ]
