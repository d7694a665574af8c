"""The tables of one agent: metrics, sensitivity to choices, distances beside chance, use of the relation, and best words."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.studies.relations.compare.distinguishability.chance import chance
from relprobe.studies.relations.compare.distinguishability.relation_use import use
from relprobe.studies.relations.compare.sensitivity import sensitivity
from relprobe.studies.relations.data.gold import GoldStandard
from relprobe.studies.relations.measure.agent import all_metrics, answers
from relprobe.studies.relations.measure.annotators import annotator_answers, annotator_metrics
from relprobe.studies.relations.measure.metrics import Choices
from relprobe.studies.relations.measure.responses.agents import by_choice, kind_of
from relprobe.studies.relations.measure.responses.answer_space import Ranking
from relprobe.studies.relations.measure.responses.ranked_lists import Lists
from relprobe.studies.relations.measure.top_words import top_words
from relprobe.studies.relations.schemas import (
    CHANCE,
    CONFIGURED,
    RESPONSES,
    TOP_WORDS,
    Alternatives,
    AnswerKind,
    Answers,
    Chance,
    Metrics,
    Pairs,
    Sensitivity,
    TopWords,
    Use,
)

TIED: tuple[AnswerKind, ...] = ("lists", "unreadable", "people")
"""The kinds whose words tie if equally many lists have them."""


class AgentTables(NamedTuple):
    """All that is measured of one agent."""

    metrics: Metrics
    sensitivity: Sensitivity
    top_words: TopWords
    chance: Chance
    use: Use


def agent_metrics(
    responses: Answers,
    gold: GoldStandard,
    alternatives: Alternatives,
    pairs: Pairs,
    choices: Choices,
    lists: Lists | None = None,
) -> AgentTables:
    """Compute the metrics of one agent per probe or tuple (section 5), their sensitivity to choices, and its best words.

    `responses`: those of the agent, which say of which kind it is. `lists`: those of the annotators, if there are people:
    prototypicality compares with them. `pairs`: the pairs of relations that AuDC counts. `chance`: the agent's distances
    beside those of chance. `use`: whether it uses the relation, per prompt. An agent whose lists are "unreadable" has no
    values, but its best words are there to be looked at. DataError: the responses are annotators', and `lists` are missing.
    """
    agent = agent_of(responses, lists)
    results = agent_tables(agent, gold, alternatives, pairs, choices)
    if agent.kind == "unreadable":
        results |= {name: table.clear() for name, table in results.items() if name != "top_words"}
    return AgentTables(**results)


@dataclass(frozen=True)
class Measurements:
    """What is measured of an agent, whatever the choices.

    `metrics`: a function of the choices and, if not all are wanted, the metrics; it returns METRICS. `chance`: one of the
    choices and PAIRS, which returns CHANCE. `use`: one that returns USE. `tied`: the choice of ties changes the agent's
    values.
    """

    metrics: Callable[..., pl.DataFrame]
    chance: Callable[[Choices, pl.DataFrame], pl.DataFrame]
    use: Callable[[Choices], pl.DataFrame]
    tied: bool


@dataclass(frozen=True)
class Agent:
    """An agent as its file gives it: its kind and its `responses` (RESPONSES; of annotators with the number `annotator`).

    `lists`: the annotators' lists (LISTS), if there are people. `left_out`: what the responses of a model leave out
    (LEFT_OUT). `rankings`: name of a choice -> the answers of a model if they are ranked in another way, or if others count
    as answers.
    """

    kind: AnswerKind
    responses: pl.DataFrame
    lists: pl.DataFrame | None = None
    left_out: pl.DataFrame | None = None
    rankings: Mapping[str, Ranking] = field(default_factory=dict)

    def measure(self, gold: GoldStandard) -> Measurements:
        """Return what is measured of the agent beside a gold standard.

        People are not compared with themselves: the pooled humans have no prototypicality. One annotator's words do not tie,
        and its distances are not compared with chance, since four lists are no response. DataError: of one annotator, the
        lists of the others are missing.
        """
        if self.kind == "annotator":
            if self.lists is None:
                raise DataError(
                    "the responses of annotators are compared with the lists of all: name their file (lists)."
                )
            each = annotator_answers(self.responses, self.lists, gold)
            return Measurements(
                partial(annotator_metrics, each), lambda *_: pl.DataFrame(schema=CHANCE), partial(use, each), tied=False
            )
        lists = None if self.kind == "people" else self.lists
        alike = self.kind in TIED
        one = answers(self.responses, gold, lists, people=alike, left_out=self.left_out)
        tied = alike and bool(((one.hits["first"] == 1) & (one.hits["last"] > 1)).any())
        return Measurements(partial(all_metrics, one), partial(chance, one), partial(use, [one]), tied)

    def others(self) -> Iterator[tuple[str, "Agent"]]:
        """Yield the name of each choice of `rankings`, and the agent with those answers."""
        for name, other in self.rankings.items():
            yield name, replace(self, responses=other.responses, left_out=other.left_out, rankings={})


def agent_of(responses: Answers, lists: pl.DataFrame | None) -> Agent:
    """Return the agent that has given these responses. `lists`: those of the annotators (LISTS), if there are people."""
    kind = kind_of(responses)
    if kind == "annotator":
        return Agent(kind, responses.select("annotator", *RESPONSES), lists)
    rankings = by_choice(responses)
    own = rankings.pop(CONFIGURED)
    return Agent(kind, own.responses, lists, own.left_out if own.left_out.height else None, rankings)


def agent_tables(
    agent: Agent, gold: GoldStandard, alternatives: pl.DataFrame, pairs: pl.DataFrame, choices: Choices
) -> dict[str, pl.DataFrame]:
    """Return the tables of an agent by their names: metrics, sensitivity, chance, use and top_words.

    `alternatives`: the relatum sets under other choices (ALTERNATIVES). `pairs`: the pairs of relations of AuDC (PAIRS).
    One annotator has no best words: each list is by another person.
    """
    own = agent.measure(gold)
    values = own.metrics(choices)
    sets = alternatives.group_by("choice", maintain_order=True)
    with_sets = {str(name): agent.measure(replace(gold, relata=rows.drop("choice"))).metrics for (name,), rows in sets}
    rankings = {name: other.measure(gold).metrics(choices) for name, other in agent.others()}
    best = pl.DataFrame(schema=TOP_WORDS)
    if agent.kind != "annotator":
        ties = choices.ties if agent.kind in TIED else "listed"
        lists = agent.lists if agent.kind == "people" else None
        best = top_words(agent.responses, gold.probes, gold.relata, ties, lists)
    return {
        "metrics": values,
        "sensitivity": sensitivity(own.metrics, values, choices, own.tied, with_sets, rankings, pairs),
        "chance": own.chance(choices, pairs),
        "use": own.use(choices),
        "top_words": best,
    }
