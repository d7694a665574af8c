"""Two results folders compared: how much each agent has changed, with paired tests, and where.

The folders may be those before and after a change of prompts, of a resource, or of a model's revision. A comparison pairs
what both runs have: the values of a target (or of another item) are averaged over its prompts, so prompts may differ. Its p
is that of the test of two agents, as everywhere (docs/statistics.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import read_parquet
from relprobe.core.metric import Metric
from relprobe.core.study import study_of
from relprobe.core.sums import ordered_mean
from relprobe.core.values import condition_text, unit_text
from relprobe.stats import with_benjamini_hochberg, with_holm
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.families import with_detectable

NO_TEXT = pl.lit(None, pl.String)
SAME = 1e-9
"""Values that differ by less are the same."""

DIFFERENCES = pl.Schema(
    {
        "study": pl.String(),
        "agent": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),  # the relation, group or part of speech; of symmetry and asymmetry with its k
        "before": pl.Float64(),  # mean over the items that both runs have
        "after": pl.Float64(),
        "difference": pl.Float64(),  # after - before
        "low": pl.Float64(),  # lower bound of its 95 % interval
        "high": pl.Float64(),
        "error": pl.Float64(),  # standard error of the difference
        "p": pl.Float64(),  # as in TESTS
        "p_holm": pl.Float64(),  # adjusted over the agents of one study, metric and condition
        "p_holm_all": pl.Float64(),  # adjusted over all rows of the table: for the sentence that counts them
        "p_bh": pl.Float64(),
        "detectable": pl.Float64(),  # the smallest difference that p_holm finds in 80 % of such comparisons
        "detectable_all": pl.Float64(),  # the same of p_holm_all
        "items": pl.UInt32(),  # that both runs have
        "clusters": pl.UInt32(),
        "effective_n": pl.Float64(),  # number of independent items that they count as
        "changed": pl.UInt32(),  # items whose value differs
        "only_before": pl.UInt32(),  # items that one run alone has
        "only_after": pl.UInt32(),
        "note": pl.String(),  # why p or the interval is missing
    }
)
CHANGED = pl.Schema(
    {
        "study": pl.String(),
        "agent": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "unit": pl.String(),  # what the value belongs to, such as target and prompt
        "before": pl.Float64(),
        "after": pl.Float64(),
        "answer_before": pl.String(),  # relations: the first answer to the probe
        "answer_after": pl.String(),
    }
)


def measures_of(study: str) -> Sequence[Metric]:
    """Return the metrics of a study that are tested."""
    return [metric for metric in study_of(study).metrics() if metric.test is not None]


def groups_of(study: str) -> list[str]:
    """Return the columns that divide the values of a study.

    >>> groups_of("relations"), groups_of("degrees")
    (['relation', 'k'], ['condition'])
    """
    return list(study_of(study).groups)


def studies_of(studies: Sequence[str], old_folder: Path, new_folder: Path) -> list[str]:
    """Return those of the studies that both results folders have metrics of. DataError: there is none."""
    folders = old_folder, new_folder
    common = [study for study in studies if all((folder / study / "metrics").is_dir() for folder in folders)]
    if not common:
        raise DataError(f"{old_folder} and {new_folder} have no study in common: name two results folders.")
    return common


def read_metrics(folder: Path) -> dict[str, pl.DataFrame]:
    """Return agent -> its values, from the folder STUDY/metrics. A file holds one agent, or names several in a column."""
    tables: dict[str, pl.DataFrame] = {}
    for path in sorted(folder.glob("*.parquet")):
        table = read_parquet(path)
        if "agent" not in table.columns or table.is_empty():
            tables[path.stem] = table.drop("agent", strict=False)
            continue
        for (agent,), rows in table.group_by("agent", maintain_order=True):
            tables[str(agent)] = rows.drop("agent")
    return tables


def common_agents(
    old_values: Mapping[str, pl.DataFrame], new_values: Mapping[str, pl.DataFrame], renamed: Mapping[str, str]
) -> dict[str, tuple[pl.DataFrame, pl.DataFrame]]:
    """Return the agents that both runs have, with their values before and after.

    `renamed`: name of an agent after -> its name before, for those that have another one.

    >>> tables = {"m-1": pl.DataFrame({"value": [1.0]})}
    >>> list(common_agents(tables, {"m-2": tables["m-1"], "new": tables["m-1"]}, {"m-2": "m-1"}))
    ['m-2']
    """
    names = {agent: renamed.get(agent, agent) for agent in new_values}
    return {agent: (old_values[name], new_values[agent]) for agent, name in names.items() if name in old_values}


def links_of(study: str, folder: Path) -> Mapping[str, pl.DataFrame]:
    """Return the tables of links between a study's items in a results folder, such as targets that share a relatum."""
    links = study_of(study).links
    return {} if links is None else links(folder / study)


def differences(
    study: str, agents: Mapping[str, tuple[pl.DataFrame, pl.DataFrame]], links: Mapping[str, pl.DataFrame]
) -> pl.DataFrame:
    """Return how much each agent of a study has changed (DIFFERENCES); p_holm_all is over the rows of the study.

    `agents`: as `common_agents` returns them. `links`: as `links_of` returns them.
    """
    groups = groups_of(study)
    agent_values = [
        _agent_values(agent, *tables, measures_of(study), groups, links) for agent, tables in agents.items()
    ]
    parts = [part for part in agent_values if part.height]  # an agent whose lists cannot be read has no values
    if not parts:
        return pl.DataFrame(schema=DIFFERENCES)
    table = pl.concat(parts).with_columns(study=pl.lit(study), condition=condition_text(groups))
    family = ["metric", *groups]
    table = pl.concat(table.partition_by(family, maintain_order=True))
    adjusted = with_benjamini_hochberg(_adjusted(table, family, "p_holm", "detectable"), family)
    return adjust_over_all(adjusted).select(list(DIFFERENCES)).cast(DIFFERENCES)


def adjust_over_all(table: pl.DataFrame) -> pl.DataFrame:
    """Fill p_holm_all and detectable_all of a table (DIFFERENCES) whose rows are all that a sentence counts.

    An agent that answers all items as before has nothing that a test could find: its p is 1, and its row does not count.

    >>> rows = [{"p": 0.01, "changed": 9}, {"p": 0.03, "changed": 9}, {"p": 1.0, "changed": 0}]
    >>> adjust_over_all(pl.DataFrame(rows, schema=DIFFERENCES))["p_holm_all"].to_list()
    [0.02, 0.03, 1.0]
    """
    return _adjusted(table, [], "p_holm_all", "detectable_all").drop("counted", "counted_holm", "number")


def _adjusted(table: pl.DataFrame, family: Sequence[str], name: str, size: str) -> pl.DataFrame:
    """Fill the column `name` with p adjusted within each family, and `size` with the difference that it would find."""
    counted = table.with_columns(counted=pl.when(pl.col("changed") > 0).then("p"))
    number = pl.col("counted").count()
    counted = counted.with_columns(number=number.over(family) if family else number)
    filled = with_holm(counted, family, "counted").with_columns(pl.coalesce("counted_holm", "p").alias(name))
    return with_detectable(filled, "number", size)


def _agent_values(
    agent: str,
    old_table: pl.DataFrame,
    new_table: pl.DataFrame,
    metrics: Sequence[Metric],
    groups: Sequence[str],
    links: Mapping[str, pl.DataFrame],
) -> pl.DataFrame:
    parts = []
    for metric in metrics:
        tables = {
            name: table.filter(metric=metric.name) for name, table in (("after", new_table), ("before", old_table))
        }
        if not all(table.height for table in tables.values()):
            continue
        tables["before"] = _in_clusters_of(tables["after"], tables["before"], metric, groups)
        by_item = replace(metric, unit=metric.item, test="Wilcoxon")
        tests = paired_tests(tables, [by_item], groups, links=links)
        counts = _alone(tables["before"], tables["after"], [*groups, *metric.item], groups)
        parts.append(tests.join(counts, on=list(groups), how="left", nulls_equal=True, maintain_order="left"))
    if not parts:
        return pl.DataFrame(schema=DIFFERENCES)
    names = {"value_b": "before", "value_a": "after", "units": "items", "discordant": "changed"}
    return pl.concat(parts).rename(names).with_columns(agent=pl.lit(agent))


def _in_clusters_of(
    new_table: pl.DataFrame, old_table: pl.DataFrame, metric: Metric, groups: Sequence[str]
) -> pl.DataFrame:
    """Give the items of `old_table` the clusters of `new_table`, as clusters may have other names in each run."""
    cluster_columns = [name for name in metric.cluster if name not in metric.item]
    if not cluster_columns:
        return old_table
    key = [*groups, *metric.item]
    item_clusters = new_table.select(*key, *cluster_columns).unique(key, keep="first", maintain_order=True)
    joined = old_table.join(item_clusters, on=key, how="left", nulls_equal=True, maintain_order="left", suffix="_after")
    filled_columns = [pl.coalesce(f"{name}_after", name).alias(name) for name in cluster_columns]
    return joined.with_columns(filled_columns).select(old_table.columns)


def _alone(old_table: pl.DataFrame, new_table: pl.DataFrame, key: Sequence[str], groups: Sequence[str]) -> pl.DataFrame:
    """Count, per group, the items that one run alone has."""
    sides = [
        table.select(key).unique().with_columns(pl.lit(value=True).alias(name))
        for name, table in (("before", old_table), ("after", new_table))
    ]
    joined = sides[0].join(sides[1], on=list(key), how="full", coalesce=True, nulls_equal=True)
    counts = {
        f"only_{side}": pl.col(opposite).is_null().sum()
        for side, opposite in (("before", "after"), ("after", "before"))
    }
    return joined.group_by(list(groups)).agg(**counts)


def changes(
    study: str,
    agents: Mapping[str, tuple[pl.DataFrame, pl.DataFrame]],
    answers: tuple[Mapping[str, pl.DataFrame], Mapping[str, pl.DataFrame]] = ({}, {}),
) -> pl.DataFrame:
    """Return the units (CHANGED) whose value differs between the runs, of the metrics that have a figure.

    `answers`: agent -> TOP_WORDS of the relations study, before and after.
    """
    groups = groups_of(study)
    columns = ("before", "after", "agent", "metric", "condition", "unit", "probe_id")
    empty = pl.DataFrame(schema={name: CHANGED.get(name, pl.String()) for name in columns})
    parts = [
        _changed_units(
            agent, metric, old_table.filter(metric=metric.name), new_table.filter(metric=metric.name), groups
        )
        for agent, (old_table, new_table) in agents.items()
        for metric in measures_of(study)
        if metric.title
    ]
    table = pl.concat([empty, *parts])
    for name, words in zip(("answer_before", "answer_after"), answers, strict=True):
        table = table.join(_first_words(words, name), on=["probe_id", "agent"], how="left", maintain_order="left")
    return table.with_columns(study=pl.lit(study)).select(list(CHANGED)).cast(CHANGED)


def _first_words(words: Mapping[str, pl.DataFrame], name: str) -> pl.DataFrame:
    """Return the first answer of each agent to each probe: probe_id, agent, and the answer in the column `name`."""
    schema = pl.Schema({"probe_id": pl.String(), "agent": pl.String(), name: pl.String()})
    firsts = [
        table.filter(rank=1).select("probe_id", pl.lit(agent).alias("agent"), pl.col("word").alias(name)).cast(schema)
        for agent, table in words.items()
    ]
    return pl.concat([pl.DataFrame(schema=schema), *firsts])


def _changed_units(
    agent: str, metric: Metric, old_table: pl.DataFrame, new_table: pl.DataFrame, groups: Sequence[str]
) -> pl.DataFrame:
    unit = [name for name in metric.unit if name not in groups]
    key = [*groups, *unit]
    means = [
        table.group_by(key).agg(ordered_mean("value").alias(name))
        for name, table in (("before", old_table), ("after", new_table))
    ]
    joined = means[0].join(means[1], on=key, nulls_equal=True)
    rows = joined.filter((pl.col("before") - pl.col("after")).abs() > SAME).sort(key)
    return rows.select(
        "before",
        "after",
        agent=pl.lit(agent),
        metric=pl.lit(metric.name),
        condition=condition_text(groups),
        unit=unit_text(unit),
        probe_id=pl.format("{}:{}", "prompt_id", "target") if {"prompt_id", "target"} == set(unit) else NO_TEXT,
    )
