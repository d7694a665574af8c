"""The tables of one agent: its metrics, what analyses have of it, and its best words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.report.analyses import ByAgent, tables_by_agent
from relprobe.sources.language import LanguageFile
from relprobe.studies.relations.answer_spaces import Ranking
from relprobe.studies.relations.controls import ControlFiles, control
from relprobe.studies.relations.lists import Lists, human_responses
from relprobe.studies.relations.method import Choices, GoldStandard, JudgedAnswers, judge
from relprobe.studies.relations.people import norms as people_norms
from relprobe.studies.relations.responses import ScoreFiles, ScoreReading, by_choice, kind_of, responses
from relprobe.studies.relations.results import AgentResults, Measurement
from relprobe.studies.relations.schemas import (
    CONFIGURED,
    RESPONSES,
    TOP_WORDS,
    UNDIVIDED,
    Alternatives,
    AnswerKind,
    Answers,
    Control,
    Metrics,
    Pairs,
    TopWords,
)
from relprobe.studies.relations.values import (
    all_metrics,
    annotator_answers,
    annotator_metrics,
    top_words,
    with_probabilities,
)

TIED: tuple[AnswerKind, ...] = ("lists", "unreadable", "people")
"""The kinds whose words tie if equally many lists have them."""


class AgentTables(NamedTuple):
    """All that is measured of one agent."""

    metrics: Metrics
    top_words: TopWords
    by_agent: ByAgent | None = None


class AnsweringTables(NamedTuple):
    """The responses of an agent, and all that is measured of it (`AgentTables`)."""

    responses: Answers
    metrics: Metrics
    top_words: TopWords
    by_agent: ByAgent | None = None


@dataclass(frozen=True)
class Reference:
    """What the answers of an agent are measured against.

    `lists`: those of the annotators, if there are people: prototypicality compares with them. `pairs`: the pairs of
    relations that AuDC counts.
    """

    alternatives: Alternatives
    pairs: Pairs
    lists: Lists | None = None


def model_metrics(
    files: ScoreFiles, gold: GoldStandard, reference: Reference, choices: Choices, reading: ScoreReading
) -> AnsweringTables:
    """Bring what a model has answered into the form of all agents (`responses`), and measure it (`agent_metrics`)."""
    return _measured(responses(files, gold, reading), gold, reference, choices)


def control_metrics(
    gold: GoldStandard,
    language: LanguageFile,
    reference: Reference,
    choices: Choices,
    files: ControlFiles,
    *,
    agent: Control,
    top_k: int,
) -> AnsweringTables:
    """Answer the probes as a control that knows nothing of the pair (`control`), and measure it (`agent_metrics`)."""
    answered = control(gold, language, files, agent=agent, top_k=top_k)
    return _measured(answered, gold, reference, choices)


def norm_metrics(
    norms: Path,
    gold: GoldStandard,
    reference: Reference,
    choices: Choices,
    *,
    form: Literal["associations", "feature_norms"],
) -> AnsweringTables:
    """Turn norms of people, of which `norms` is the manifest, into responses, and measure these (`agent_metrics`)."""
    return _measured(people_norms(norms, gold.probes, form=form), gold, reference, choices)


def _measured(responses: Answers, gold: GoldStandard, reference: Reference, choices: Choices) -> AnsweringTables:
    return AnsweringTables(responses, *agent_metrics(responses, gold, reference, choices))


def agent_metrics(responses: Answers, gold: GoldStandard, reference: Reference, choices: Choices) -> AgentTables:
    """Compute the metrics of one agent per probe or tuple (section 5), its best words, and what analyses have of it.

    `responses`: those of the agent, which say of which kind it is. An agent whose lists are "unreadable" has no values, but
    its best words are there to be looked at. DataError: the responses are annotators', and there are no lists.
    """
    agent = agent_of(responses, reference.lists)
    results = agent_tables(agent, gold, reference.alternatives, reference.pairs, choices)
    if agent.kind != "unreadable":
        return results
    empty = {name: table.clear() for name, table in (results.by_agent or {}).items()}
    return AgentTables(results.metrics.clear(), results.top_words, empty)


@dataclass(frozen=True)
class Measurements:
    """What is measured of an agent, whatever the choices.

    `metrics`: a function of the choices and, if not all are wanted, the metrics; it returns METRICS. `tied`: the choice of
    ties changes the agent's values. `respondents`: what the agent has answered, or what each of the annotators has.
    """

    metrics: Callable[..., pl.DataFrame]
    tied: bool
    respondents: Sequence[JudgedAnswers]


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
        """Return the function that measures the agent against a gold standard, and its answers.

        People are not compared with themselves: the pooled humans have no prototypicality. One annotator's words do not tie.
        DataError: of one annotator, the lists of the others are missing.
        """
        if self.kind == "annotator":
            if self.lists is None:
                raise DataError(
                    "the responses of annotators are compared with the lists of all: name their file (lists)."
                )
            respondents = annotator_answers(self.responses, self.lists, gold)
            return Measurements(partial(annotator_metrics, respondents), tied=False, respondents=respondents)
        standards = {} if self.kind == "people" or self.lists is None else human_responses(self.lists, gold)
        alike = self.kind in TIED
        answered = judge(self.responses, gold, standards, people=alike, left_out=self.left_out)
        tied = alike and bool(((answered.hits["first"] == 1) & (answered.hits["last"] > 1)).any())
        return Measurements(partial(all_metrics, answered), tied, [answered])

    def reranked(self) -> Iterator[tuple[str, "Agent"]]:
        """Yield the name of each choice of `rankings`, and the agent with those answers."""
        for name, ranking in self.rankings.items():
            yield name, replace(self, responses=ranking.responses, left_out=ranking.left_out, rankings={})


def agent_of(responses: Answers, lists: pl.DataFrame | None) -> Agent:
    """Return the agent that has given these responses. `lists`: those of the annotators (LISTS), if there are people."""
    kind = kind_of(responses)
    if kind == "annotator":
        return Agent(kind, responses.select("annotator", *RESPONSES), lists)
    rankings = by_choice(responses)
    ranked = rankings.pop(CONFIGURED)
    return Agent(kind, ranked.responses, lists, ranked.left_out if ranked.left_out.height else None, rankings)


def agent_tables(
    agent: Agent, gold: GoldStandard, alternatives: pl.DataFrame, pairs: pl.DataFrame, choices: Choices
) -> AgentTables:
    """Return the tables of an agent.

    `alternatives`: the relatum sets under other choices (ALTERNATIVES). `pairs`: the pairs of relations of AuDC (PAIRS).
    One annotator has no best words: each list is by another person.
    """
    measured = agent.measure(gold)
    values = measured.metrics(choices)

    def relatum_sets() -> dict[str, Measurement]:
        sets = alternatives.group_by("choice", maintain_order=True)
        return {str(name): agent.measure(replace(gold, relata=rows.drop("choice"))).metrics for (name,), rows in sets}

    rankings = {name: alternative.measure(gold).metrics(choices) for name, alternative in agent.reranked()}
    best = pl.DataFrame(schema=TOP_WORDS)
    if agent.kind != "annotator":
        ties = choices.ties if agent.kind in TIED else "listed"
        lists = agent.lists if agent.kind == "people" else None
        best = top_words(agent.responses, gold.probes, gold.relata, ties, lists)
        if UNDIVIDED in agent.rankings:
            best = with_probabilities(best, agent.rankings[UNDIVIDED].responses).select(list(TOP_WORDS)).cast(TOP_WORDS)
    alone = None if agent.kind == "annotator" else measured.respondents[0]
    analysed = AgentResults(
        measured.metrics, values, choices, measured.tied, relatum_sets, rankings, pairs, alone, measured.respondents
    )
    return AgentTables(values, best, tables_by_agent("relations", analysed))
