"""The figures along series in words."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.series import LAYERS
from relprobe.report.words.readable import in_digits

NAMES = {"people": "people", "control": "best control"}


def layers_in_words(figure: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return in words the values of a figure along layers; "" if it is none, or the table series is not on the page.

    `tables`: name -> table.
    """
    if not figure.startswith(LAYERS) or "series" not in tables:
        return ""
    return along_in_words(tables["series"].filter(metric=figure.removeprefix(LAYERS)), "condition")


def along_in_words(rows: pl.DataFrame, group: str) -> str:
    """Return where each series begins and ends, and what people and the best control reach, in a sentence per group.

    `rows`: the values of a figure (`stats.series.references.SERIES`). `group`: the column whose value begins a sentence.

    >>> names = ["series", "label", "variant", "condition", "value"]
    >>> values = [("0", "raw", 0.0), ("30", "raw", 0.25), (None, "control", 0.125)]
    >>> rows = [("gpt", label, variant, "test", value) for label, variant, value in values]
    >>> table = pl.DataFrame(rows, schema=names, orient="row").with_columns(agent=pl.lit("random"))
    >>> along_in_words(table, "condition")
    'test: gpt from 0.000 (0) to 0.250 (30), best control (random) 0.125.'
    """
    groups = rows.group_by(group, maintain_order=True)
    return " ".join(f"{name}: {', '.join(_series_in_words(group_rows))}." for (name,), group_rows in groups)


def _series_in_words(group: pl.DataFrame) -> list[str]:
    """Return what is said of each series of a group, of people, and of controls."""
    parts = []
    for (series, variant), line in group.drop_nulls("label").group_by("series", "variant", maintain_order=True):
        name = str(series) if variant == "raw" else f"{series} ({variant})"
        first, last = line.row(0, named=True), line.row(-1, named=True)
        ends = [f"{in_digits(end['value'], 3)} ({end['label']})" for end in (first, last)]
        parts.append(f"{name} from {' to '.join(ends)}")
    references = group.filter(pl.col("label").is_null()).unique(["variant", "agent"], keep="first", maintain_order=True)
    return parts + [
        f"{NAMES[row['variant']]} ({row['agent']}) {in_digits(row['value'], 3)}"
        for row in references.iter_rows(named=True)
    ]
