"""The tables of the report: Tables 1 and 2, the frequency tests, the sizes of the sets, and what could not be judged."""

from collections.abc import Iterable, Iterator, Mapping

import polars as pl

from relprobe.studies.analogies.metrics import ALL, METRICS, UNMARKED
from relprobe.studies.analogies.relations import GROUP_NAMES, GROUPS, mark
from relprobe.studies.analogies.schemas import PROBE_TYPES

SHOWN = [metric.name for metric in METRICS if metric.title]


def all_tables(
    averages: pl.DataFrame,
    tests: pl.DataFrame,
    frequency: pl.DataFrame,
    decisions: Iterable[tuple[str, pl.DataFrame]],
    tuples: pl.DataFrame,
    instances: pl.DataFrame,
) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield every table by its name."""
    yield "overview", by_group(averages)
    yield "relations", by_relation(averages, relation_names(tuples))
    yield "averages", averages
    yield "tests", tests
    yield "frequency", frequency
    yield "frequency_summary", frequency_summary(frequency)
    yield "unjudged", unjudged(decisions)
    yield "data", data(tuples, instances)


def relation_names(tuples: pl.DataFrame) -> dict[str, str]:
    """Return relation -> its name, of TUPLES."""
    return dict(tuples.select("relation", "name").iter_rows())


def by_group(averages: pl.DataFrame) -> pl.DataFrame:
    """Return Table 1 of the averages (AVERAGES): group, agent, and the accuracy per setting and probe.

    Below the groups and all relations come the means without the many-to-many and the bidirectional relations.
    """
    groups = [*GROUP_NAMES, ALL]
    return _wide(averages, [*groups, UNMARKED, *(f"{group} {UNMARKED}" for group in GROUP_NAMES)], "group")


def by_relation(averages: pl.DataFrame, names: Mapping[str, str]) -> pl.DataFrame:
    """Return Table 2 for all agents and both settings: group, relation, its marks, agent, accuracies.

    `names`: relation -> its name. The mark ∗ stands for a many-to-many relation, whose random probe cannot be fair, and †
    for a bidirectional one, whose reverse probe cannot be fair.
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
    """Return a row per condition and agent, the conditions in their order in a column `name`, and a column per metric."""
    rows = averages.filter(pl.col("condition").is_in(conditions) & pl.col("metric").is_in(SHOWN))
    wide = rows.pivot("metric", index=["condition", "agent"], values="value")
    columns = [metric for metric in SHOWN if metric in wide.columns]
    return wide.sort(pl.col("condition").cast(pl.Enum(conditions)), maintain_order=True).select(
        pl.col("condition").alias(name), "agent", *columns
    )


def frequency_summary(tests: pl.DataFrame) -> pl.DataFrame:
    """Return per agent in how many relations frequency plays no significant role (p > 0.05), and in which it does.

    `tests`: FREQUENCY. A relation without a test counts in neither, for example one whose tuples were all judged rightly.
    """
    p = pl.col("p")
    return tests.group_by("agent", maintain_order=True).agg(
        relations=pl.len(),
        tested=p.is_not_null().sum(),
        without_effect=(p > 0.05).sum(),
        share_without_effect=(p > 0.05).mean(),
        with_effect=pl.col("name").filter(p <= 0.05).str.join(", "),
    )


def unjudged(decisions: Iterable[tuple[str, pl.DataFrame]]) -> pl.DataFrame:
    """Return how many decisions each agent could not make, for want of a vector: agent, setting, decisions, unjudged.

    `decisions`: agents with DECISIONS of one setting, one after the other.
    """
    rows = [
        table.group_by("setting", maintain_order=True)
        .agg(decisions=pl.len(), unjudged=pl.col("value").null_count())
        .select(agent=pl.lit(agent), setting="setting", decisions="decisions", unjudged="unjudged")
        for agent, table in decisions
    ]
    return pl.concat(rows)


def data(tuples: pl.DataFrame, instances: pl.DataFrame) -> pl.DataFrame:
    """Return the sizes of the sets per relation: tuples and, for one probe, positives (there are as many negatives)."""
    counts = tuples.pivot("partition", index=["relation", "name"], values="tail", aggregate_function="len")
    probe = instances.filter(probe=PROBE_TYPES[0])
    positives = probe.pivot("partition", index="relation", values="tail", aggregate_function="len")
    tails = tuples.group_by("relation").agg(tails=pl.col("tail").n_unique())
    return (
        counts.join(positives, on="relation", suffix="_positives")
        .join(tails, on="relation")
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
