"""The agents side by side: averages, tests, the primary test, and how well people agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.metric import by_name
from relprobe.core.unmade import table_or_reason
from relprobe.report.analyses import tables_by_layer
from relprobe.stats.samples import Tables
from relprobe.stats.schemas import TESTS, Tests
from relprobe.stats.side_by_side import AgentComparison, judge_groups
from relprobe.studies.pairs.ceiling import ceiling
from relprobe.studies.pairs.measures import MEASURES, PRIMARY, TARGET_METRICS, TESTED
from relprobe.studies.pairs.method import links
from relprobe.studies.pairs.results import LayerResults, by_agent
from relprobe.studies.pairs.schemas import ALL, GROUPS, Ceilings, Items, LayerMetrics, Metrics, PairAverages, Raters


class ComparisonTables(NamedTuple):
    """The averages of all agents, the tests between them, how well people agree, and the primary test."""

    averages: PairAverages
    tests: Tests
    ceiling: Ceilings
    tables: ShownTables


@dataclass(frozen=True, kw_only=True)
class Files:
    """The files of a run that are compared: the values of each agent, the items that they are of, and people's ratings.

    `layered`: the values after each layer of an agent, and `shared` those of the controls of all models, where there are
    such agents.
    """

    metrics: list[Metrics]
    item_table: Items
    raters: Raters
    layered: dict[str, LayerMetrics] | None = None
    shared: list[Metrics] | None = None


def compare(
    files: Files, comparing: AgentComparison, *, table_names: list[str] | None = None, seed: int
) -> ComparisonTables:
    """Average and test the metrics of all agents, and measure how well people agree.

    `table_names`: the tables in which an analysis compares the agents with layers. `seed`: of the halves of people's
    ratings. A table beside the averages and tests that cannot be made says why.
    """
    item_table = files.item_table
    values, linked = by_agent(files.metrics), {"links": links(item_table)}
    judge_comparison = comparing.with_judges(values)
    means = averages(values, item_table, linked, judge_comparison)
    tests = agent_tests(values, linked, judge_comparison)
    layers = LayerResults(files.layered or {}, files.shared or [], means, linked["links"], comparing.targets)
    tables = tables_by_layer("pairs", layers, table_names or []) if files.layered else {}
    tables |= {"primary": table_or_reason("primary", primary, values, linked, judge_comparison)}
    return ComparisonTables(means, tests, table_or_reason("ceiling", ceiling, files.raters, seed=seed), tables)


def averages(values: Mapping[str, Metrics], items: Items, linked: Tables, comparing: AgentComparison) -> PairAverages:
    """Average the metrics of every agent per condition and kind of foils, and those of targets also over a whole set.

    Of a set of several conditions, such as the relations of WordNet, all targets count alike. `linked`: what items
    share.
    """
    condition_averages = comparing.averages(values, MEASURES, GROUPS, links=linked)
    wholes = dict(items.select("condition", "set").unique(maintain_order=True).iter_rows())
    several = [name for name in set(wholes.values()) if list(wholes.values()).count(name) > 1]
    named = pl.format("{}: {}", "condition", "unit")
    set_name = pl.col("condition").replace_strict(wholes, default=None, return_dtype=pl.String)

    def by_set(table: pl.DataFrame) -> pl.DataFrame:
        return table.with_columns(unit=named, condition=set_name).filter(pl.col("condition").is_in(several))

    target_values = {
        name: by_set(table.filter(pl.col("metric").is_in(TARGET_METRICS))) for name, table in values.items()
    }
    tables = {name: table for name, table in target_values.items() if table.height}
    if not tables:
        return condition_averages
    shared = {"links": by_set(linked["links"])}
    set_averages = comparing.averages(tables, MEASURES, GROUPS, links=shared)
    return pl.concat([condition_averages, set_averages]).sort("metric", maintain_order=True)


def agent_tests(values: Mapping[str, Metrics], linked: Tables, comparing: AgentComparison) -> Tests:
    """Test the differences between the models with one judge, and between the judges of one model, against all foils.

    Each agent stands beside its own controls and those of all models, and beside people. `comparing`: that of the judges
    (`AgentComparison.with_judges`).
    """
    groups = judge_groups(values)
    compared = [
        *([*judge_agents, *groups.without_model] for judge_agents in groups.judges.values()),
        *groups.models.values(),
    ]
    tested = {agent: table.filter(pl.col("metric").is_in(TESTED), foils=ALL) for agent, table in values.items()}
    tables = [pl.DataFrame(schema=TESTS)]
    tables += [
        comparing.tests({agent: tested[agent] for agent in group}, MEASURES, links=linked)
        for group in compared
        if len(group) > 1
    ]
    return pl.concat(tables).unique(["metric", "condition", "agent_a", "agent_b"], keep="first", maintain_order=True)


def primary(values: Mapping[str, Metrics], linked: Tables, comparing: AgentComparison) -> pl.DataFrame:
    """Return what each agent has beyond its controls in average precision, pooled over conditions (CONTROLS).

    `comparing`: that of the judges.
    """
    tested = {agent: table.filter(metric=PRIMARY, foils=ALL) for agent, table in values.items()}
    return comparing.primary(tested, by_name(MEASURES)[PRIMARY], links=linked)
