"""The words that may be answers of any length, and how frequent they are."""

from collections.abc import Sequence

import polars as pl
import wordfreq

from relprobe.lm.words.word_list import WordList

RARE = 1e-9
"""The frequency of a word that wordfreq does not know: less than once in its corpus."""


def word_list(lemmas: Sequence[str], frequent: int, language: str) -> pl.DataFrame:
    """Return the `frequent` most frequent alphabetic words of a language and the alphabetic lemmas, sorted (column word).

    `language`: its code in wordfreq.

    >>> word_list(["robin", "ice_cream", "U.S."], frequent=2, language="en")["word"].to_list()
    ['robin', 'the', 'to']
    """
    common = (word for word in wordfreq.top_n_list(language, 2 * frequent) if word.isalpha())
    words = {word for word, _ in zip(common, range(frequent), strict=False)}
    return pl.DataFrame({"word": sorted(words | {lemma for lemma in lemmas if lemma.isalpha()})})


def weighted(words: pl.DataFrame, language: str) -> WordList:
    """Return a list of words (column word) with their frequencies, RARE where these are unknown.

    >>> weighted(pl.DataFrame({"word": ["the", "qqzzxv"]}), "en").frequencies
    (0.0537, 1e-09)
    """
    names = words["word"].to_list()
    return WordList(tuple(names), tuple(max(wordfreq.word_frequency(name, language), RARE) for name in names))
