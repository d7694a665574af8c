"""Lists of words with their frequencies, which is how the engine takes them."""

import polars as pl

from relprobe.lm.words.word_list import WordList
from relprobe.sources.word_frequency import frequency

RARE = 1e-9
"""The frequency of a word that wordfreq does not know: less than once in its corpus."""


def weigh(words: pl.DataFrame, language: str) -> WordList:
    """Return a list of words (column word) with their frequencies, RARE where these are unknown.

    >>> weigh(pl.DataFrame({"word": ["the", "qqzzxv"]}), "en").frequencies
    (0.0537, 1e-09)
    """
    names = words["word"].to_list()
    return WordList(tuple(names), tuple(max(frequency(name, language=language), RARE) for name in names))
