"""The agents side by side: averages, tests, the primary test, and how well people agree."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.metric import by_name
from relprobe.core.unmade import table_or_reason
from relprobe.report.analyses import tables_by_layer
from relprobe.stats.averages import averages as averages_of
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import beyond_controls, owner
from relprobe.stats.pooled import pooled_tests
from relprobe.stats.samples import Tables
from relprobe.stats.schemas import TESTS, AgentKind, Tests
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.pairs.ceiling import ceiling
from relprobe.studies.pairs.measures import MEASURES, OF_TARGETS, PRIMARY, TESTED
from relprobe.studies.pairs.method import judge_of, links, model_of
from relprobe.studies.pairs.people import HUMANS
from relprobe.studies.pairs.results import OfLayers, by_agent
from relprobe.studies.pairs.schemas import ALL, GROUPS, Ceilings, Items, LayerMetrics, Metrics, PairAverages, Raters


class ComparisonTables(NamedTuple):
    """The averages of all agents, the tests between them, how well people agree, and the primary test."""

    averages: PairAverages
    tests: Tests
    ceiling: Ceilings
    tables: ShownTables


def compare(
    metrics: list[Metrics],
    item_table: Items,
    raters: Raters,
    comparing: AgentComparison,
    layered: dict[str, LayerMetrics] | None = None,
    shared: list[Metrics] | None = None,
    *,
    table_names: list[str] | None = None,
    seed: int,
) -> ComparisonTables:
    """Average and test the metrics of all agents, and measure how well people agree.

    `layered`: the values after each layer of an agent, and `shared` those of the controls of all models, where there
    are such agents; an analysis compares them in `table_names`. `seed`: of the halves of people's ratings. A table beside
    the averages and tests that cannot be made says why.
    """
    values, linked = by_agent(metrics), {"links": links(item_table)}
    kinds = kinds_of(values, comparing)
    means = averages(values, item_table, linked, comparing)
    tests = agent_tests(values, kinds, linked, comparing.declared or [])
    layers = OfLayers(layered or {}, shared or [], means, linked["links"], comparing.targets)
    tables = tables_by_layer("pairs", layers, table_names or []) if layered else {}
    tables |= {"primary": table_or_reason("primary", primary, values, kinds, linked, comparing.controls)}
    return ComparisonTables(means, tests, table_or_reason("ceiling", ceiling, raters, seed=seed), tables)


def kinds_of(values: Mapping[str, Metrics], comparing: AgentComparison) -> dict[str, AgentKind]:
    """Return the kind of each agent: a member of a series is every judge of a model that is one."""
    members = [agent for agent in values if model_of(agent) in (comparing.members or []) and owner(agent) is None]
    return replace(comparing, members=members).kinds(values, people=[HUMANS])


def averages(values: Mapping[str, Metrics], items: Items, linked: Tables, comparing: AgentComparison) -> PairAverages:
    """Average the metrics of every agent per condition and kind of foils, and those of targets also over a whole set.

    Of a set of several conditions, such as the relations of WordNet, all targets count alike. `linked`: what items
    share.
    """
    of_conditions = averages_of(values, MEASURES, GROUPS, targets=comparing.targets, links=linked)
    wholes = dict(items.select("condition", "set").unique(maintain_order=True).iter_rows())
    several = [name for name in set(wholes.values()) if list(wholes.values()).count(name) > 1]
    named = pl.format("{}: {}", "condition", "unit")
    into = pl.col("condition").replace_strict(wholes, default=None, return_dtype=pl.String)

    def whole(table: pl.DataFrame) -> pl.DataFrame:
        return table.with_columns(unit=named, condition=into).filter(pl.col("condition").is_in(several))

    of_targets = {name: whole(table.filter(pl.col("metric").is_in(OF_TARGETS))) for name, table in values.items()}
    tables = {name: table for name, table in of_targets.items() if table.height}
    if not tables:
        return of_conditions
    shared = {"links": whole(linked["links"])}
    of_sets = averages_of(tables, MEASURES, GROUPS, targets=comparing.targets, links=shared)
    return pl.concat([of_conditions, of_sets]).sort("metric", maintain_order=True)


def agent_tests(
    values: Mapping[str, Metrics],
    kinds: Mapping[str, AgentKind],
    linked: Tables,
    declared: Sequence[Sequence[str]] = (),
) -> Tests:
    """Test the differences between the models with one judge, and between the judges of one model, against all foils.

    Each agent stands beside its own controls and those of all models, and beside people. `declared`: pairs of models,
    which stand for all judges that both have.
    """
    judges = dict.fromkeys(judge_of(agent) for agent in values if model_of(agent) is not None)
    of_judges = [[f"{model} {judge}" for model in pair] for pair in declared for judge in judges]
    without_model = [agent for agent in values if model_of(agent) is None]
    groups = [
        [*(agent for agent in values if model_of(agent) is not None and judge_of(agent) == judge), *without_model]
        for judge in judges
    ]
    models = dict.fromkeys(model_of(agent) for agent in values if model_of(agent) is not None)
    groups += [
        [agent for agent in values if model_of(agent) == model and owner(agent) is None and kinds[agent] == "model"]
        for model in models
    ]
    tested = {agent: _tested(table) for agent, table in values.items()}
    tables = [pl.DataFrame(schema=TESTS)]
    tables += [
        paired_tests({agent: tested[agent] for agent in group}, MEASURES, kinds=kinds, links=linked, declared=of_judges)
        for group in groups
        if len(group) > 1
    ]
    return pl.concat(tables).unique(["metric", "condition", "agent_a", "agent_b"], keep="first", maintain_order=True)


def _tested(table: Metrics) -> pl.DataFrame:
    return table.filter(pl.col("metric").is_in(TESTED), foils=ALL)


def primary(
    values: Mapping[str, Metrics], kinds: Mapping[str, AgentKind], linked: Tables, controls: Sequence[str]
) -> pl.DataFrame:
    """Return what each agent has beyond its controls in average precision, pooled over conditions (CONTROLS)."""
    tested = {agent: table.filter(metric=PRIMARY, foils=ALL) for agent, table in values.items()}
    tests = pooled_tests(tested, by_name(MEASURES)[PRIMARY], kinds=kinds, links=linked)
    return beyond_controls(tests, list(controls))
