"""The words that may be answers of any length, and how frequent they are."""

import re
from collections.abc import Iterable

import polars as pl
import wordfreq

from relprobe.lm.words.word_list import WordList

RARE = 1e-9
"""The frequency of a word that wordfreq does not know: less than once in its corpus."""
JOINTS = re.compile(r"[ '’-]")
"""What stands between the words of an expression, such as "ice cream" and "merry-go-round"."""


def word_list(
    lemmas: Iterable[str], frequent: int, language: str, own: Iterable[str] = (), *, expressions: bool = False
) -> pl.DataFrame:
    """Return the `frequent` most frequent alphabetic words of a language, the lemmas and the `own` words, sorted.

    The column is word. `language`: its code in wordfreq. Of the lemmas, the alphabetic ones are taken; with `expressions`
    also those of several words, which have blanks, hyphens or apostrophes between their letters.

    >>> word_list(["robin", "ice cream", "U.S."], frequent=2, language="en")["word"].to_list()
    ['robin', 'the', 'to']
    >>> word_list(["robin", "ice cream", "U.S."], 0, "en", ["42nd Street"], expressions=True)["word"].to_list()
    ['42nd Street', 'ice cream', 'robin']
    """
    common = (word for word in wordfreq.top_n_list(language, 2 * frequent) if word.isalpha())
    words = {word for word, _ in zip(common, range(frequent), strict=False)}
    parts = JOINTS.split if expressions else lambda lemma: [lemma]
    named = {lemma for lemma in lemmas if all(part.isalpha() for part in parts(lemma))}
    return pl.DataFrame({"word": sorted(words | named | set(own))})


def weighted(words: pl.DataFrame, language: str) -> WordList:
    """Return a list of words (column word) with their frequencies, RARE where these are unknown.

    >>> weighted(pl.DataFrame({"word": ["the", "qqzzxv"]}), "en").frequencies
    (0.0537, 1e-09)
    """
    names = words["word"].to_list()
    return WordList(tuple(names), tuple(max(wordfreq.word_frequency(name, language), RARE) for name in names))
