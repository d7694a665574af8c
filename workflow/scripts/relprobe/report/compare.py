"""The page that compares two results folders."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import write_csv
from relprobe.core.words import amount
from relprobe.report.configurations import configuration_changes
from relprobe.report.differences import adjust_over_all, changes, common_agents, links_of, read_metrics, studies_of
from relprobe.report.differences import differences as study_differences
from relprobe.report.page import Around, Section, write
from relprobe.report.words.headline import Headline
from relprobe.report.words.summary import ALPHA, UNADJUSTED, difference_of, found_size

TITLE = "Two runs side by side"
LEAD = (
    "The same agents in two results folders. An item, such as a target, is compared with itself, so that a "
    "small difference of "
    "many items can be told from chance. Prompts need not be the same in both runs."
)


@dataclass(frozen=True)
class Folders:
    """The two results folders.

    `inputs`: files that the comparison is made of, so that a workflow makes them first; the folders are what is read.
    """

    before: Path
    after: Path
    inputs: list[Path] | None = None

    @property
    def paths(self) -> tuple[Path, Path]:
        """The two folders, in this order."""
        return self.before, self.after


@dataclass(frozen=True)
class Outputs:
    """The files that are written: the page, and its two tables (DIFFERENCES and CHANGED of report/differences.py)."""

    page: Path
    differences: Path
    changed: Path


@dataclass(frozen=True)
class Settings:
    """What the configuration of this run says.

    `studies`: those of this run. `renamed`: the name of an agent after -> its name before. `configuration`: all of it, and
    `run` the title; empty: the name of the folder.
    """

    studies: list[str]
    renamed: dict[str, Any] | None = None
    configuration: dict[str, Any] | None = None
    run: str = ""


def compare(folders: Folders, settings: Settings, template: Path, outputs: Outputs) -> None:
    """Write the page that compares two results folders, with its two tables."""
    tables, rows = [], []
    for study in studies_of(settings.studies, *folders.paths):
        table, changed = _differences(study, folders, settings.renamed or {})
        tables.append(table)
        rows.append(changed)
    table, units = adjust_over_all(pl.concat(tables)), pl.concat(rows)
    write_csv(table, outputs.differences)
    write_csv(units, outputs.changed)
    lead = f"{LEAD} Before: {folders.before}. After: {folders.after}."
    keys, context = configuration_changes(folders.before, settings.configuration or {})
    parts, links = [configurations(keys, context), *sections(table, units)], {"All studies": "report.html"}
    around = Around(run=settings.run, headline=Headline((summary(table),)))
    write(TITLE, lead, parts, template, outputs.page, links, around)


def _differences(study: str, folders: Folders, renamed: Mapping[str, str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return DIFFERENCES and CHANGED of the agents of a study that both runs have. `renamed`: as in `Settings`."""
    values, words = (
        [read_metrics(folder / study / part) for folder in folders.paths] for part in ("metrics", "top_words")
    )
    agents = common_agents(values[0], values[1], renamed)
    earlier = {agent: words[0][name] for agent in agents if (name := renamed.get(agent, agent)) in words[0]}
    return study_differences(study, agents, links_of(study, folders.after)), changes(study, agents, (earlier, words[1]))


def summary(table: pl.DataFrame) -> str:
    """Return what has changed, in sentences, from DIFFERENCES: they count all of its rows, and so go by p_holm_all."""
    tested = table.drop_nulls("p_holm_all")
    if tested.is_empty():
        return "The two runs have no agent with values of the same items."
    clear = tested.filter(pl.col("p_holm_all") < ALPHA)
    test = f"p < {ALPHA} after Holm's adjustment over all of them"
    verb = "differs" if clear.height == 1 else "differ"
    counts = f"{clear.height} of {amount(tested.height, 'comparison')} {verb} ({test}"
    if clear.is_empty():
        changed = tested.filter(pl.col("changed") > 0)
        sizes = found_size(changed.to_dicts())
        return f"{counts}{sizes}). {changed.height} have any item whose value changed."
    up = clear.filter(pl.col("difference") > 0).height
    largest = clear.sort(pl.col("difference").abs(), descending=True, maintain_order=True).row(0, named=True)
    return (
        f"{counts}; {UNADJUSTED}): {up} are higher after the change, {clear.height - up} are lower. The largest is "
        f"{largest['metric']} of {largest['agent']} ({largest['condition']}): {largest['before']:.3f} before, "
        f"{largest['after']:.3f} after, {difference_of(largest)}."
    )


def configurations(keys: pl.DataFrame, lead: str) -> Section:
    """Return the section on what differs between the configurations (`configurations.configuration_changes`)."""
    return Section(
        "configurations", "What differs in the configurations", lead, None, table=keys if keys.height else None
    )


def sections(table: pl.DataFrame, changed: pl.DataFrame) -> list[Section]:
    """Return the sections of the page: DIFFERENCES, the clearest first, and CHANGED."""
    lead = (
        "A row per agent, metric and condition, over the items that both runs have; the values of an item are averaged "
        "over its prompts. p is that of the test of two agents (the page “Tests and intervals” of the documentation). "
        "p_holm and p_bh are over the agents of one study, metric and condition, and p_holm_all over all rows, as the "
        "sentence at the top counts them. Intervals are of one difference each, and are not adjusted. detectable, "
        "detectable all: the smallest difference that p_holm and p_holm_all find in 80 of 100 such comparisons. only "
        "before, only after: items that one run alone has."
    )
    where = "The values that differ, of the metrics that have a figure; of the relations study with the first answers."
    significant = table.sort(pl.col("p_holm_all"), -pl.col("difference").abs(), nulls_last=True, maintain_order=True)
    return [
        Section("differences", "How much the agents have changed", lead, "differences.csv", table=significant),
        Section("changed", "Which probes have changed", where, "changed.csv", table=changed),
    ]
