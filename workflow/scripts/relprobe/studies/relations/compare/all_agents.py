"""All agents at once: averages, tests between agents and between relations, and their use of the relation."""

from typing import Literal, NamedTuple

from relprobe.core.files import ShownTables
from relprobe.stats.schemas import AgentKind
from relprobe.studies.relations.compare.analyses import averages, between_agents, between_relations, primary
from relprobe.studies.relations.compare.relation_use import relation_use
from relprobe.studies.relations.data import GoldStandard
from relprobe.studies.relations.schemas import Averages, Contrasts, Metrics, Pairs, Tests, Use, Writing


class ComparisonTables(NamedTuple):
    """The averages of all agents, tests between agents, and between the relations of an agent, and who uses the relation."""

    averages: Averages
    tests: Tests
    contrasts: Contrasts
    tables: ShownTables


def compare(
    metrics: dict[str, Metrics],
    gold: GoldStandard,
    pairs: Pairs,
    use: dict[str, Use],
    writing: dict[str, Writing] | None = None,
    *,
    kinds: dict[str, AgentKind],
    controls: list[str] | None = None,
    people: list[str] | None = None,
    targets: Literal["common", "own"] = "common",
    declared: list[list[str]] | None = None,
) -> ComparisonTables:
    """Average and test the metrics of all agents, and test whether they use the relation that they are asked for.

    The arguments are those of `averages`, `between_agents`, `between_relations` and `relation_use`. `controls`: the agents
    whose relations are not tested against each other. `declared`: the pairs of agents that the configuration declares.
    """
    means = averages(metrics, gold, pairs, writing, people=people, targets=targets)
    tests = between_agents(metrics, gold.relata, gold.relations, pairs, kinds=kinds, declared=declared or [])
    answering = {agent: table for agent, table in metrics.items() if agent not in (controls or [])}
    within = between_relations(gold.relata, gold.relations, answering, kinds=kinds)
    used = relation_use(use, gold.relations, gold.relata, kinds=kinds)
    return ComparisonTables(means, tests, within, {**used, "primary": primary(metrics, gold.relata, kinds=kinds)})
