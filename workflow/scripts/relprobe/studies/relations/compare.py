"""All agents side by side: averages, and tests between agents and between relations."""

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.relation import Relations
from relprobe.core.unmade import table_or_reason
from relprobe.stats.comparisons import adjust, contrast_tests
from relprobe.stats.schemas import CONTRASTS
from relprobe.stats.side_by_side import MODELS, AgentComparison
from relprobe.studies.relations.areas import area_tests
from relprobe.studies.relations.averages import GROUPS, Values, averages_of, design_of, linked_by, plain
from relprobe.studies.relations.lists import absence, with_absences
from relprobe.studies.relations.measures import AUDC, MEASURES, SHARED_RELATA, measures_of
from relprobe.studies.relations.method import GoldStandard, rank_gaps, soundness
from relprobe.studies.relations.schemas import TESTS, Averages, Contrasts, Metrics, Pairs, Tests, Writing


def averages(
    metrics: Values,
    gold: GoldStandard,
    pairs: pl.DataFrame,
    writing: Mapping[str, pl.DataFrame] | None = None,
    *,
    comparing: AgentComparison = MODELS,
) -> Averages:
    """Average the metrics of all agents per relation, and make distances between relations of them (section 5.3).

    `pairs`: the pairs of relations that AuDC counts. With the common targets, agents are averaged over the probes that the
    persons have answered, and without persons over those about targets in the shared lexicon. `writing`: the lists of the
    agents that write some; one whose lists cannot be read has rows that say so (lists.py).
    """
    design = design_of(gold, [metrics[agent] for agent in comparing.persons or []])
    table = averages_of(metrics, comparing, relations=gold.relations, design=design, pairs=pairs)
    reasons = {agent: why for agent, lists in (writing or {}).items() if (why := absence(lists))}
    return with_absences(table, reasons, list(metrics), gold.relations)


def between_agents(
    metrics: Values,
    relata: pl.DataFrame,
    relations: Relations,
    pairs: pl.DataFrame | None = None,
    *,
    comparing: AgentComparison = MODELS,
) -> Tests:
    """Test the differences between all pairs of agents on every metric, relation and k, and on AuDC (section 7.3).

    Two agents are compared on the units that both have. p-values are adjusted within one metric, relation and k, and within
    the families of `comparisons.paired_tests`. Targets that share a relatum (`relata`) are linked. The metrics with
    McNemar's test come first. `pairs`: the pairs of relations that AuDC counts; all without it. Prompts are a sample as well
    as targets (`Metric.crossed`), but for AuDC.
    """
    links = linked_by(relata).links
    table = comparing.tests(plain(metrics), MEASURES, GROUPS, links=links, absent=True)
    distances = {agent: rank_gaps(agent_metrics) for agent, agent_metrics in metrics.items()}
    kinds, declared = comparing.kinds(metrics), comparing.declared or []
    areas = pl.DataFrame(area_tests(distances, kinds, pairs, links[SHARED_RELATA], declared), schema=TESTS)
    areas = adjust(areas, ["metric"])
    names = [measure.name for measure in sorted(MEASURES, key=lambda measure: str(measure.test))]
    orders = {"metric": pl.Enum([*names, AUDC.name]), "relation": relations.order}
    by = [pl.col(name).cast(order) for name, order in orders.items()]
    return pl.concat([table.select(list(TESTS)), areas]).sort(*by, "k", maintain_order=True)


def primary(metrics: Values, relata: pl.DataFrame, comparing: AgentComparison) -> pl.DataFrame:
    """Return what each agent has beyond its controls in soundness, pooled over relations (CONTROLS without conditions)."""
    (measure,) = measures_of(soundness)
    return comparing.primary(metrics, measure, "relation", links=linked_by(relata).links)


def between_relations(
    metrics: Values, relata: pl.DataFrame, relations: Relations, comparing: AgentComparison = MODELS
) -> Contrasts:
    """Test the differences between all pairs of relations within each agent, on the targets that it has under both.

    Controls have no rows. Without other agents, as where all are asked layer by layer, the table is empty.

    The values of a target are averaged over prompts, as two relations have no prompt in common. Symmetry and asymmetry have
    other units in every relation, and no relation has both: they are not compared. Targets are linked that share a relatum
    of either relation (`relata`). A family is that of one agent.
    """
    answering = {agent: table for agent, table in metrics.items() if agent not in comparing.controls}
    if not answering:
        return pl.DataFrame(schema=CONTRASTS)
    links, kinds = linked_by(relata).links, comparing.kinds(answering)
    parts = [
        contrast_tests(
            answering,
            replace(measure, unit=("target",), test="Wilcoxon"),
            itertools.combinations(relations.codes, 2),
            column="relation",
            kinds=kinds,
            links=links,
        )
        for measure in MEASURES
        if measure.test and not measure.cutoffs
    ]
    return pl.concat(parts).select(list(CONTRASTS))


# All of these at once, as the step `compare` writes them.


class ComparisonTables(NamedTuple):
    """The averages of all agents, and tests between agents and between the relations of an agent."""

    averages: Averages
    tests: Tests
    contrasts: Contrasts
    tables: ShownTables


def compare(
    metrics: dict[str, Metrics],
    gold: GoldStandard,
    pairs: Pairs,
    comparing: AgentComparison,
    writing: dict[str, Writing] | None = None,
) -> ComparisonTables:
    """Average and test the metrics of all agents.

    The arguments are those of `averages`, `between_agents` and `between_relations`. A table beside the averages and tests
    that cannot be made says why.
    """
    relata, relations = gold.relata, gold.relations
    return ComparisonTables(
        averages(metrics, gold, pairs, writing, comparing=comparing),
        between_agents(metrics, relata, relations, pairs, comparing=comparing),
        table_or_reason("contrasts", between_relations, metrics, relata, relations, comparing),
        {"primary": table_or_reason("primary", primary, metrics, relata, comparing)},
    )
