"""The one door of the suite: what a blind agent is, what it may know, and when a page praises it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from relprobe.core.relation import Relations
from relprobe.report.words.finding import Finding
from relprobe.report.words.headline import Headline, Verdict
from relprobe.sources.static_vectors import StaticVectors

STUDIES = ("relations", "definitions", "systematicity", "degrees", "analogies", "pairs")
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """What a blind agent may know: words, their vectors and frequencies, and the relata of words that are not asked about.

    `words`: those that may be answers. `sets`: the relatum sets (RELATA) of the words. `uses`: word -> its frequency.
    """

    words: pl.Series
    vectors: StaticVectors
    sets: pl.DataFrame
    relations: Relations
    uses: Mapping[str, float]
    known: dict[str, tuple[NDArray[np.float64], float]] = field(default_factory=dict)
    """Text -> its unit vector and its frequency, as far as they were asked for."""

    def without(self, words: Iterable[str]) -> "World":
        """Return the world without the relata of some words, which are those that a study asks about."""
        return replace(self, sets=self.sets.filter(~pl.col("target").is_in(list(words))))

    @cached_property
    def counts(self) -> Mapping[str, Mapping[str, float]]:
        """Relation -> word -> how many words have it as a relatum."""
        table = self.sets.group_by("relation", "relatum").len()
        result: dict[str, dict[str, float]] = {code: {} for code in self.relations.codes}
        for code, word, number in table.iter_rows():
            result[code][word] = float(number)
        return result

    @cached_property
    def members(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """Relation -> word -> its relata."""
        result: dict[str, dict[str, Sequence[str]]] = {code: {} for code in self.relations.codes}
        for code, word, relata in (
            self.sets.group_by("relation", "target", maintain_order=True).agg("relatum").iter_rows()
        ):
            result[code][word] = relata
        return result

    def unit(self, texts: Sequence[str]) -> Weights:
        """Return the vectors of texts, or of pairs "head:tail", at length 1: (texts, width); NaN where there is none."""
        return np.array([self._of(text)[0] for text in texts])

    def use(self, texts: Sequence[str]) -> Weights:
        """Return the mean frequency of the words of each text."""
        return np.array([self._of(text)[1] for text in texts])

    def _of(self, text: str) -> tuple[Weights, float]:
        if text not in self.known:
            plain = text.replace(":", " ")
            use = float(np.mean([self.uses.get(word, 0.0) for word in plain.split()]))
            self.known[text] = self.vectors.unit([plain])[0].astype(np.float64), use
        return self.known[text]


@dataclass(frozen=True)
class Question:
    """What an agent is asked: to weigh some options.

    study        what is asked           words                        options
    relations    HYP, MER, …             the target                   all words of the world
    definitions  w2d or d2w              the word or the definition   definitions or words
    systematicity  singular, plural; "" names no relation: the hyponym  the categories
    degrees      the subcategory         its paradigms "x:y"          its pairs "x:y"
    analogies    the probe               head and tail of the query   two pairs "head:tail"
    pairs        HYP, MER, …             the first word of pairs      the second words

    `prompt`: the id of the prompt; "" where a study has one.
    """

    study: str
    asked: str
    words: tuple[str, ...]
    options: Sequence[str]
    prompt: str = ""


Answer = Callable[[Question], Weights | Sequence[float] | None]
"""Return the weight of each option of a question: NaN where it is no answer, None for no answer at all."""
Agent = Callable[[World], Answer]
AGENTS: dict[str, dict[str, Agent]] = {study: {} for study in STUDIES}
"""Study -> name -> agent."""


def blind(*studies: str) -> Callable[[Agent], Agent]:
    """Take an agent into the suite of some studies, or of all, by the name of its function."""

    def take(agent: Agent) -> Agent:
        for study in studies or STUDIES:
            AGENTS[study][agent.__name__.replace("_", " ")] = agent
        return agent

    return take


def weights_of(answer: Answer, question: Question) -> Weights | None:
    """Return what an agent answers, as an array."""
    found = answer(question)
    return None if found is None else np.asarray(found, dtype=np.float64)


# What a page says in praise of an agent.


PRAISES = {
    "ahead": r"is ahead of|has more than (?:its|the) best control|is above the control"
    r"|over all \w[\w ]* together the difference is \+|; the difference is \+",
    "uses": r"uses the (relation|query)",
    "together": r"answers by the relation and the target together",
    "best": r"agree best with people's",
    "with a value": r"^AGENT,?[\w ,]* (gives|finds|ranks|chooses|has|agrees)\b",
}
"""Name -> the words that praise, in a sentence without DENIALS; AGENT is its name."""
DENIALS = re.compile(
    r"[Tt]he data (?:do not show|leave open)[^.;]*|For no model[^.;]* do the data show[^.;]*"
    r"|[^.;]*but the data do not show[^.;]*"
)
NO_MORE = re.compile(
    r"which of the two is better is open\.|^Its best control, .*, has more|^It is no more than|^In none of"
    r"|has the same answers|^The data are too few|it is behind its best control"
)
"""What a finding says of a control that may have as much as the agent, whose value then is no praise."""


def praises_in(agent: str, said: Finding, headline: Headline) -> list[str]:
    """Return the names of PRAISES that are in a finding and a headline, and "verdict" for one of its table.

    >>> value, more = "m finds 9 of 10 words.", "It has more than its best control, static (8)."
    >>> as_good = "Its best control, static, has 8; which of the two is better is open."
    >>> praises_in("m", Finding((value, as_good)), Headline(("The data do not show that m is ahead of its best control.",)))
    []
    >>> praises_in("m", Finding((value, more)), Headline(()))
    ['ahead', 'with a value']
    >>> praises_in("m", Finding((value, as_good, "m uses the relation that it is asked for.")), Headline(()))
    ['uses']
    """
    is_no_more = any(map(NO_MORE.search, said.sentences))
    finding = said.sentences[1:] if is_no_more else said.sentences  # its first sentence has the value alone
    sentences = [*finding, *headline.sentences, *headline.more]
    left = [DENIALS.sub("", sentence) for text in sentences for sentence in re.split(r"(?<=[a-z0-9)]\.) ", text)]
    patterns = {name: words.replace("AGENT", re.escape(agent)) for name, words in PRAISES.items()}
    found = [name for name, words in patterns.items() if any(re.search(words, sentence) for sentence in left)]
    if headline.verdicts is not None and Verdict.AHEAD in headline.verdicts["kind"].to_list():
        found.append("verdict")
    return found
