"""The frequency of words and phrases: in a file of counts, or in wordfreq's estimate of a billion words."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import polars as pl

from relprobe.sources.word_frequency import frequency, languages
from relprobe.studies.definitions.data.texts import tokens
from relprobe.studies.definitions.schemas import WORDS, Probes, Words


@dataclass(frozen=True)
class Frequencies:
    """Where frequencies come from.

    `own`: word -> uses, of a dictionary that says so; they come first. `counts`: word or phrase -> uses in a corpus; without
    it, `wordfreq` is asked for words of the language. `joined`: a phrase is as frequent as wordfreq joins its words.

    >>> counted = Frequencies("en", {"nod": 310, "warm up": 12})
    >>> [counted.uses(word) for word in ("nod", "Nod", "beckon", "warm up", "come to life")]
    [310.0, 310.0, 0.0, 12.0, None]
    """

    language: str = "en"
    counts: Mapping[str, int] | None = None
    own: Mapping[str, int] = field(default_factory=dict)
    joined: bool = False

    def uses(self, text: str) -> float | None:
        """Return the uses of a word or phrase, or None if they are unknown.

        A single word that a file of counts lacks has no uses. A phrase that it lacks is unknown, since most files count
        single words only; wordfreq has no phrases at all.
        """
        if text in self.own:
            return float(self.own[text])
        if self.joined:
            return in_a_billion(text, self.language)
        phrase = " " in text
        if self.counts is None:
            return None if phrase else in_a_billion(text, self.language)
        count = self.counts.get(text, self.counts.get(text.lower()))
        return float(count) if count is not None else None if phrase else 0.0

    def table(self, texts: Iterable[str]) -> Words:
        """Return the uses of texts."""
        rows = [(text, self.uses(text)) for text in texts]
        return pl.DataFrame(rows, schema=WORDS, orient="row")


@cache
def in_a_billion(text: str, language: str) -> float | None:
    """Return wordfreq's estimate of the uses in a billion words, 0 for a word that is not in its list.

    It has no phrases, and joins the frequencies of their words. None: it has no list of the language.

    >>> in_a_billion("the", "en") > 1e7, in_a_billion("zzxqv", "en"), in_a_billion("the", "tlh")
    (True, 0.0, None)
    """
    if language not in languages():
        return None
    zipf = frequency(text, "zipf", language=language)
    return 10.0**zipf if zipf else 0.0


def candidate_words(probes: Probes) -> list[str]:
    """Return the different words of all candidates, and those of the definitions."""
    of_definitions = [token for definition in probes["definition"] for token in tokens(definition)]
    return list(dict.fromkeys([*probes["words"].explode().unique(maintain_order=True), *of_definitions]))


def mean_log(definition: str, uses: Mapping[str, float | None]) -> float:
    """Return the mean log10 of 1 + the uses of a definition's words, -inf if all of these are unknown.

    >>> mean_log("lower the head", {"lower": 9.0, "the": 999.0, "head": None})
    2.0
    """
    logs = [math.log10(1 + number) for token in tokens(definition) if (number := uses.get(token)) is not None]
    return sum(logs) / len(logs) if logs else -math.inf
