"""The tables of the study: Tables 1 and 2, the sizes of the sets, and what could not be judged."""

from collections.abc import Mapping, Sequence

import polars as pl

from relprobe.studies.analogies.metrics import EVERY, UNMARKED
from relprobe.studies.analogies.relations import GROUP_NAMES, GROUPS, mark
from relprobe.studies.analogies.schemas import COLUMNS, PROBES, SETTINGS

METRICS = [f"{setting} {column}" for setting in SETTINGS for column in COLUMNS]


def by_group(averages: pl.DataFrame) -> pl.DataFrame:
    """Return Table 1 of the averages (units.AVERAGES): group, agent, and the accuracy per setting and probe.

    Below the groups and all relations come the means without the one/many-to-many and bidirectional relations.
    """
    plain = [*GROUP_NAMES, EVERY]
    return _wide(averages, [*plain, UNMARKED, *(f"{group} {UNMARKED}" for group in GROUP_NAMES)], "group")


def by_relation(averages: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """Return Table 2 for all agents and both settings: group, relation, its marks, agent, accuracies.

    `names`: relation -> its name. ∗ marks one/many-to-many relations, whose random probe can be no fair one, and †
    bidirectional ones, whose reverse probe cannot.
    """
    wide = _wide(averages, sorted(names, key=lambda code: (list(GROUPS).index(code[0]), code)), "code")
    code = pl.col("code")
    return wide.select(
        group=code.str.head(1).replace_strict(GROUPS),
        relation=code + " " + code.replace_strict(dict(names)),
        marks=code.map_elements(mark, return_dtype=pl.String),
        **{column: pl.col(column) for column in wide.columns if column != "code"},
    )


def _wide(averages: pl.DataFrame, conditions: list[str], name: str) -> pl.DataFrame:
    rows = averages.filter(pl.col("condition").is_in(conditions) & pl.col("metric").is_in(METRICS))
    wide = rows.pivot("metric", index=["condition", "agent"], values="value")
    columns = [metric for metric in METRICS if metric in wide.columns]
    return wide.sort(pl.col("condition").cast(pl.Enum(conditions)), maintain_order=True).select(
        pl.col("condition").alias(name), "agent", *columns
    )


def data(tuples: pl.DataFrame, instances: pl.DataFrame) -> pl.DataFrame:
    """Return the sizes of the sets per relation: tuples and, for one probe, positives (as many as negatives)."""
    counts = tuples.pivot("partition", index=["relation", "name"], values="tail", aggregate_function="len")
    probe = instances.filter(probe=PROBES[0])
    positives = probe.pivot("partition", index="relation", values="tail", aggregate_function="len")
    more = tuples.group_by("relation").agg(tails=pl.col("tail").n_unique())
    return (
        counts.join(positives, on="relation", suffix="_positives")
        .join(more, on="relation")
        .select(
            group=pl.col("relation").str.head(1).replace_strict(GROUPS),
            relation="relation",
            name="name",
            marks=pl.col("relation").map_elements(mark, return_dtype=pl.String),
            train_tuples="train",
            test_tuples="test",
            different_tails="tails",
            train_positives="train_positives",
            test_positives="test_positives",
        )
        .sort(pl.col("group").cast(pl.Enum(list(GROUP_NAMES))), "relation")
    )


def unjudged(settings: Sequence[Mapping[str, pl.DataFrame]]) -> pl.DataFrame:
    """Return how many decisions each agent could not make, for want of a vector: agent, setting, decisions, unjudged.

    `settings`: agent -> DECISIONS, of each setting.
    """
    rows = [
        table.group_by("setting", maintain_order=True)
        .agg(decisions=pl.len(), unjudged=pl.col("value").null_count())
        .select(agent=pl.lit(agent), setting="setting", decisions="decisions", unjudged="unjudged")
        for decisions in settings
        for agent, table in decisions.items()
    ]
    return pl.concat(rows)
