"""The conditions that values are averaged under: the class of a subcategory, all test subcategories, and training."""

from collections.abc import Iterable

import polars as pl

from relprobe.studies.degrees.schemas import TRAINING, Gold, Metrics

TEST = "test"
"""The condition of all test subcategories together."""


def with_test(values: pl.DataFrame) -> pl.DataFrame:
    """Return values with those of the test subcategories under the condition "test", too."""
    test = values.filter(pl.col("condition") != TRAINING)
    return pl.concat([values, test.with_columns(condition=pl.lit(TEST))])


def by_agent(values: Iterable[Metrics]) -> dict[str, pl.DataFrame]:
    """Return agent -> values of some tables, with the test subcategories also under the condition "test"."""
    parts = with_test(pl.concat(values)).partition_by("agent", as_dict=True, include_key=False, maintain_order=True)
    return {str(agent): part for (agent,), part in parts.items()}


def class_order(gold: Gold) -> list[str]:
    """Return the relation classes of the test subcategories in the order of the task."""
    return gold.filter(~pl.col("training"))["relation_class"].unique(maintain_order=True).to_list()
