"""The lists that models have written: how much of them could be read, and how prototypical their words are."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.relation import Relations
from relprobe.studies.relations.compare.lists.entropy import by_relation
from relprobe.studies.relations.measure.prototypicality import response_entropy
from relprobe.studies.relations.measure.responses.ranked_lists import pooled_responses
from relprobe.studies.relations.measure.responses.unreadable import absence


def summary(writing: Mapping[str, pl.DataFrame], probes: pl.DataFrame) -> pl.DataFrame:
    """Return per agent and relation how much of its answers could be read: agent -> WRITING.

    answers: their number; words: the mean number of words of an answer; empty: the share of answers without any word;
    unreadable: the share of all entries that are no word; note: why the agent has no value (`absence`).
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
            note=pl.lit(absence(rows), pl.String).first(),
        )
        for agent, rows in writing.items()
    ]
    order = ["agent", "relation", "probes", "answers", "words", "empty", "unreadable", "note"]
    return pl.concat(parts).select(order).sort("agent", "relation")


def entropies(writing: Mapping[str, pl.DataFrame], probes: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return Table 3 for the words of each agent's lists, as for people (`entropy.by_relation`): agent -> WRITING.

    The words of all answers to a probe are pooled. A probe without a readable word is no response.
    """
    relation = probes.select("probe_id", "relation")
    parts = []
    for agent, rows in writing.items():
        words = rows.select("probe_id", word="words").explode("word").join(relation, on="probe_id")
        values = response_entropy(pooled_responses(words)).join(relation, on="probe_id")
        parts.append(by_relation(values, words, relations=relations).select(pl.lit(agent).alias("agent"), pl.all()))
    return pl.concat(parts)
