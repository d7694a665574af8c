"""The metrics of the study, as its tests, tables and figures need them; `method.values` says what each of them is."""

import polars as pl

from relprobe.core.metric import Metric
from relprobe.studies.analogies.method import COLUMNS, RIGHT, SWAPPED
from relprobe.studies.analogies.schemas import PROBE_TYPES, SETTINGS

CLUSTERS = "families of tuples, or relations"
MEASURES = tuple(
    Metric(
        f"{setting} {probe}{end}",
        title=probe if probe in COLUMNS and not end else "",
        test=None if end else "Wilcoxon",
        items="tuples",
        cluster=("cluster",),
        clusters=CLUSTERS,
        share=True,
    )
    for setting in SETTINGS
    for end in ("", RIGHT, SWAPPED)
    for probe in (COLUMNS if end else dict.fromkeys([*COLUMNS, *PROBE_TYPES]))
)
"""The accuracy per setting and probe, and the two of the swapped query, which compare.py compares.

The tables and figures show those with a title, which is their column.
"""
SHOWN = [metric.name for metric in MEASURES if metric.title]
SUPERVISED = "supervised "
"""What the names of the metrics of classifiers begin with; the probe follows."""


def classifier_values(values: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the classifiers' metrics, named by their probes alone.

    >>> names = ["supervised random", "unsupervised random", "supervised random_head"]
    >>> classifier_values(pl.DataFrame({"metric": names}))["metric"].to_list()
    ['random']
    """
    classifier_rows = values.filter(pl.col("metric").is_in([SUPERVISED + probe for probe in COLUMNS]))
    return classifier_rows.with_columns(pl.col("metric").str.strip_prefix(SUPERVISED))
