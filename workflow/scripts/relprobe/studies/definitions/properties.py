"""What is known of the groups and of words beside the items: how frequent a word is, and what analyses need to know."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

import polars as pl

from relprobe.core.analyses import take
from relprobe.core.manifest import fetched_file
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own import word_counts
from relprobe.sources.word_frequency import frequency, languages
from relprobe.studies.definitions.dictionary import ENGLISH_CODE, counts_of
from relprobe.studies.definitions.schemas import PROPERTIES, WORDS, Benchmark, Probes, Properties, Words

# The tokens of words and definitions.


WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
CONTRACTIONS = {"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"}
"""The words of letters alone that NLTK parts, such as can + not."""


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation.

    >>> tokens("a well-known sign (of St. John's)")
    ['a', 'well-known', 'sign', 'of', 'st', "john's"]
    """
    return WORD.findall(text.lower())


def count_tokens(word: str) -> int:
    """Count the tokens of a word or phrase as NLTK does (footnote 5 of the paper): "'s" is a token of its own.

    >>> count_tokens("St. John's wort"), count_tokens("cannot"), count_tokens("barn owl")
    (4, 2, 2)
    """
    words = word.split()
    # NLTK tries two dozen patterns, 0.2 ms a word; letters and spaces need none of them.
    if "".join(words).isalpha() and CONTRACTIONS.isdisjoint(map(str.lower, words)):
        return len(words)
    return len(_nltk().tokenize(word))


@cache
def _nltk() -> Any:
    from nltk.tokenize import NLTKWordTokenizer  # which imports scipy.stats, a second

    return NLTKWordTokenizer()


# The frequency of words and phrases: in a file of counts, or in wordfreq's estimate of a billion words.


@dataclass(frozen=True)
class Frequencies:
    """Where frequencies come from.

    `from_dictionary`: word -> uses, of a dictionary that says so; they come first. `counts`: word or phrase -> uses in a
    corpus; without it, `wordfreq` is asked for words of the language. `joined`: a phrase is as frequent as wordfreq joins
    its words.

    >>> counted = Frequencies("en", {"nod": 310, "warm up": 12})
    >>> [counted.uses(word) for word in ("nod", "Nod", "beckon", "warm up", "come to life")]
    [310.0, 310.0, 0.0, 12.0, None]
    """

    language: str = "en"
    counts: Mapping[str, int] | None = None
    from_dictionary: Mapping[str, int] = field(default_factory=dict)
    joined: bool = False

    def uses(self, text: str) -> float | None:
        """Return the uses of a word or phrase, or None if they are unknown.

        A single word that a file of counts lacks has no uses. A phrase that it lacks is unknown, since most files count
        single words only; wordfreq has no phrases at all.
        """
        if text in self.from_dictionary:
            return float(self.from_dictionary[text])
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
    definition_words = [token for definition in probes["definition"] for token in tokens(definition)]
    return list(dict.fromkeys([*probes["words"].explode().unique(maintain_order=True), *definition_words]))


def mean_log(definition: str, uses: Mapping[str, float | None]) -> float:
    """Return the mean log10 of 1 + the uses of a definition's words, -inf if all of these are unknown.

    >>> mean_log("lower the head", {"lower": 9.0, "the": 999.0, "head": None})
    2.0
    """
    logs = [math.log10(1 + number) for token in tokens(definition) if (number := uses.get(token)) is not None]
    return sum(logs) / len(logs) if logs else -math.inf


# What the results of a group depend on beside its scores: the frequency of its word, and what analyses add.


Counts = Annotated[dict[str, int], fetched_file(word_counts.read)]
Dictionary = Annotated[list[own_definitions.Entry], fetched_file(own_definitions.read)]


class PropertyTables(NamedTuple):
    """What is known of the groups, and of the words of their candidates and definitions."""

    properties: Properties
    words: Words


def property_tables(
    benchmark: Benchmark,
    probes: Probes,
    counts: Counts | None = None,
    dictionary: Dictionary | None = None,
    *,
    phrases: Literal["own", "joined"] = "own",
) -> PropertyTables:
    """Look up how frequent the words are, and what analyses need to know of the groups, such as leaks.

    `counts`: those of a file; without it, wordfreq is asked. `dictionary`: an own dictionary, which may have counts and a
    language of its own. `phrases`: what is taken for their frequency.
    """
    entries = dictionary or []
    language = entries[0].language if entries else ENGLISH_CODE
    frequencies = Frequencies(language, counts, counts_of(entries), phrases == "joined")
    return PropertyTables(group_properties(benchmark, frequencies), frequencies.table(candidate_words(probes)))


def group_properties(benchmark: Benchmark, frequencies: Frequencies) -> Properties:
    """Return the groups of the benchmark with the frequency of their word, and the columns that analyses `describe`."""
    rows = [
        (frequencies.uses(word), in_a_billion(word, frequencies.language), count_tokens(word))
        for word in benchmark["word"]
    ]
    names = ("uses", "joined", "tokens")
    added = pl.DataFrame(rows, schema={name: PROPERTIES[name] for name in names}, orient="row")
    described = pl.concat([benchmark, added], how="horizontal").select(list(PROPERTIES))
    analysis_columns = [
        describe(benchmark, frequencies.language) for describe in take("definitions", "describe").values()
    ]
    return pl.concat([described, *analysis_columns], how="horizontal")
