"""How frequent words are in a language."""

from typing import Literal

import polars as pl

Scale = Literal["raw", "zipf"]
"""The scale of word frequencies: the share of the words of the language, or Zipf values, their logarithms."""


def frequencies(words: pl.Series, scale: Scale = "raw", *, language: str) -> pl.DataFrame:
    """Return word and frequency for the different words of a series; null where `wordfreq` does not know the word.

    `language`: its code in wordfreq. "raw": the share of all words of the language, as the counts of a corpus are. "zipf":
    the logarithm to base 10 of the occurrences per billion words. The two scales rank words alike, but not the means and
    differences of words.

    >>> table = frequencies(pl.Series(["dog", "dog", "qqzzxv"]), "zipf", language="en")
    >>> table.with_columns(pl.col("frequency").round(1)).rows()
    [('dog', 5.1), ('qqzzxv', None)]
    >>> frequencies(pl.Series(["dog"]), language="en")["frequency"].round(5).item()  # 10^5.1 per billion
    0.00013
    """
    import wordfreq

    distinct = words.drop_nulls().unique().sort()
    of_word = wordfreq.zipf_frequency if scale == "zipf" else wordfreq.word_frequency
    known = [of_word(word, language) or None for word in distinct]  # an unknown word has 0 there
    return pl.DataFrame({"word": distinct.cast(pl.String), "frequency": pl.Series(known, dtype=pl.Float64)})
