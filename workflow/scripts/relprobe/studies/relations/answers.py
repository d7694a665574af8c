"""The page of all answers: its probes, its relatum sets and its agents' first words."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import polars as pl

from relprobe.core.words import amount
from relprobe.report.answers import FIRST_ANSWERS, GOLD, PROBES, Agent, Labels, Texts, publish
from relprobe.sources.language import Language
from relprobe.sources.word_frequency import frequencies
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.schemas import Control

TITLE = "Answers: semantic relations"
LEAD = (
    "The first ten answers of every agent to every probe. Bold answers on green are right: they are in the target's relatum "
    "set of the relation that the probe asks for. An answer in the relatum set of another relation has that relation's "
    "name. {numbers}"
)
NUMBERS = (
    "The number behind an answer is a model's probability, or the share of the people asked who named it; of agents "
    "that write lists and of norms it is the share of all their answers, and of the controls majority and frequency it says "
    "how common the word is, among right answers and in texts."
)
NUMBERS_OF_LISTS = (
    "The number behind an answer of a model is its share among the candidates of the probe: of all words of its closed list "
    "the shares sum to 100 %. Of people it is the share of those asked who named the word, and of agents that write lists "
    "and of norms the share of all their answers. Controls have no such number."
)
HEAD_OF_LISTS = "answers, those of models with their share among the candidates of the probe"
SIMILARITIES = ("neighbours", "typical")
"""The controls whose weights are cosines, and no shares, so that the page has no numbers of them."""
CONTROLS: tuple[str, ...] = get_args(Control)
"""The controls, none of which has shares among candidates."""


@dataclass(frozen=True)
class AnswerPage:
    """What a run has on the page of answers.

    `people`, `models`: the agents that are these. `run`: the title of the run. `closed`: the answers are words of closed
    lists.
    """

    people: Collection[str] = ()
    models: Collection[str] = ()
    run: str = ""
    closed: bool = False


def answers(
    top_words: Mapping[str, pl.DataFrame],
    gold: GoldStandard,
    language: Language,
    page: AnswerPage,
    template: Path,
    out: Path,
) -> None:
    """Write the page of all agents' first answers to each probe. `template`: the file of the page's form."""
    shown = main_probes(gold.probes, language.wordfreq)
    labels = Labels(names=gold.relations.names)
    if page.closed:
        labels = replace(labels, weight="share_among_candidates", head=HEAD_OF_LISTS)
    lead = LEAD.format(numbers=NUMBERS_OF_LISTS if page.closed else NUMBERS)
    lead = f"{lead} {_other_probes(gold.probes)}".strip()
    all_agents = agents(top_words, page.people, CONTROLS if page.closed else SIMILARITIES)
    right = right_answers(gold.relata)
    publish(Texts(TITLE, lead, labels, run=page.run), shown, right, all_agents, template, out, page.models)


def _other_probes(probes: pl.DataFrame) -> str:
    """Return the sentence on the number of probes of the study that are not on the page.

    >>> _other_probes(pl.DataFrame({"kind": ["main", "trick"]}))
    'The study also asks 1 trick probe, a prompt of a relation with a target of its reverse, which is not shown here.'
    """
    tricks = probes.filter(pl.col("kind") != "main").height
    if not tricks:
        return ""
    what = "a prompt of a relation with a target" if tricks == 1 else "the prompts of a relation with targets"
    verb = "is" if tricks == 1 else "are"
    return f"The study also asks {amount(tricks, 'trick probe')}, {what} of its reverse, which {verb} not shown here."


def main_probes(table: pl.DataFrame, language: str) -> pl.DataFrame:
    """Return the main probes of the study (PROBES of report.answers), from its table of probes.

    `language`: its code in wordfreq.

    >>> row = {"probe_id": "hyp-is:robin", "relation": "HYP", "target": "robin", "prompt_id": "hyp-is", "kind": "main"}
    >>> main_probes(pl.DataFrame([{**row, "text": "a robin is [DET] [V]"}]), "en").select("group", "text").row(0)
    ('HYP', 'a robin is a(n) …')
    """
    main = table.filter(kind="main")
    text = pl.col("text").str.replace("[DET]", "a(n)", literal=True).str.replace("[V]", "…", literal=True)
    zipf = frequencies(main["target"], "zipf", language=language).select(target="word", zipf="frequency")
    with_zipf = main.join(zipf, on="target", how="left", maintain_order="left")
    return with_zipf.with_columns(text, group="relation").select(list(PROBES)).cast(PROBES)


def right_answers(relata: pl.DataFrame) -> pl.DataFrame:
    """Return the correct answers (GOLD of report.answers), from the relatum sets."""
    source = pl.col("sources").list.sort().list.join(", ")
    return relata.select("target", group="relation", word="relatum", source=source).cast(GOLD)


def agents(
    words: Mapping[str, pl.DataFrame], people: Collection[str], without: Collection[str] = SIMILARITIES
) -> list[Agent]:
    """Return the agents. `words`: agent -> TOP_WORDS. `without`: the agents whose weights are no numbers to be shown.

    A single annotator has no words of its own, and is left out.
    """
    shares = {
        name: table.with_columns(weight=pl.lit(None, pl.Float32)) if name in without else table
        for name, table in words.items()
    }
    return [
        Agent(name, table.select(list(FIRST_ANSWERS)).cast(FIRST_ANSWERS), name in people)
        for name, table in shares.items()
        if not (name in people and table.is_empty())
    ]
