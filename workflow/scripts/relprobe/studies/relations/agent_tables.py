"""The tables of one agent: its metrics, their sensitivity to choices, its distances beside chance, and its best words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from relprobe.studies.relations.answer_space import Ranking
from relprobe.studies.relations.gold import GoldStandard
from relprobe.studies.relations.metrics import Choices
from relprobe.studies.relations.people import Measured, measured
from relprobe.studies.relations.schemas import TOP_WORDS
from relprobe.studies.relations.sensitivity import sensitivity
from relprobe.studies.relations.top_words import top_words


@dataclass(frozen=True)
class Agent:
    """An agent as its files give it.

    `responses`: RESPONSES, or None for one of the annotators. `lists`: the annotators' lists (LISTS), if there are people.
    `left_out`: what the responses of a model leave out (LEFT_OUT). `rankings`: name of a choice -> the answers of a model if
    they are ranked in another way, or if others count as answers. `people` and `pooled` as in `measured`.
    """

    responses: pl.DataFrame | None
    lists: pl.DataFrame | None = None
    left_out: pl.DataFrame | None = None
    rankings: Mapping[str, Ranking] = field(default_factory=dict)
    people: bool = False
    pooled: bool = False

    def measured(self, gold: GoldStandard) -> Measured:
        """Return what is measured of the agent beside a gold standard."""
        return measured(
            self.responses, self.lists, gold, people=self.people, pooled=self.pooled, left_out=self.left_out
        )

    def others(self) -> Iterator[tuple[str, "Agent"]]:
        """Yield the name of each choice of `rankings`, and the agent with those answers."""
        for name, other in self.rankings.items():
            yield name, replace(self, responses=other.responses, left_out=other.left_out, rankings={})


def agent_tables(
    agent: Agent, gold: GoldStandard, alternatives: pl.DataFrame, choices: Choices
) -> dict[str, pl.DataFrame]:
    """Return the tables of an agent by their names: metrics, sensitivity, chance and top_words.

    `alternatives`: the relatum sets under other choices (ALTERNATIVES). One annotator has no best words, because they are
    single people's.
    """
    own = agent.measured(gold)
    values = own.metrics(choices)
    sets = {name: rows.drop("choice") for (name,), rows in alternatives.group_by("choice", maintain_order=True)}
    with_sets = {str(name): agent.measured(replace(gold, relata=rows)).metrics for name, rows in sets.items()}
    rankings = {name: other.measured(gold).metrics(choices) for name, other in agent.others()}
    best = pl.DataFrame(schema=TOP_WORDS)
    if agent.responses is not None:
        best = top_words(agent.responses, gold.probes, gold.relata)
    return {
        "metrics": values,
        "sensitivity": sensitivity(own.metrics, values, choices, own.tied, with_sets, rankings),
        "chance": own.chance(choices),
        "top_words": best,
    }
