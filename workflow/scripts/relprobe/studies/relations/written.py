"""The lists that models have written: how much of them could be read."""

from collections.abc import Mapping

import polars as pl


def summary(writing: Mapping[str, pl.DataFrame], probes: pl.DataFrame) -> pl.DataFrame:
    """Return per agent and relation how much of its answers could be read: agent -> WRITING.

    answers: their number; words: the mean number of words of an answer; empty: the share of answers without any word;
    unreadable: the share of all entries that are no word.
    """
    relation = probes.select("probe_id", "relation")
    columns = pl.col("words").list.len()
    parts = [
        rows.join(relation, on="probe_id")
        .group_by("relation")
        .agg(
            agent=pl.lit(agent).first(),
            probes=pl.col("probe_id").n_unique(),
            answers=pl.len(),
            words=columns.mean(),
            empty=(columns == 0).mean(),
            unreadable=pl.col("unreadable").sum() / (columns.sum() + pl.col("unreadable").sum()),
        )
        for agent, rows in writing.items()
    ]
    order = ["agent", "relation", "probes", "answers", "words", "empty", "unreadable"]
    return pl.concat(parts).select(order).sort("agent", "relation")
