"""How frequent words are in a language: the only module that asks `wordfreq`. A language is named by its code there."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Literal

import polars as pl

from relprobe.core.errors import DataError

Scale = Literal["raw", "zipf"]
"""The scale of word frequencies: the share of the words of the language, or Zipf values, their logarithms."""


def frequency(word: str, scale: Scale = "raw", *, language: str) -> float:
    """Return the frequency of a word, 0 if `wordfreq` does not know it; of several words, it joins their frequencies.

    "raw": the share of all words of the language, as the counts of a corpus are. "zipf": the logarithm to base 10 of the
    occurrences per billion words. The two scales rank words alike, but not the means and differences of words. DataError: a
    package is missing, such as that which finds the words of a Japanese text.

    >>> round(frequency("dog", language="en"), 5), frequency("qqzzxv", language="en")  # 10^5.1 per billion
    (0.00013, 0.0)
    """
    with _wordfreq() as wordfreq:
        word_frequency = wordfreq.zipf_frequency if scale == "zipf" else wordfreq.word_frequency
        return float(word_frequency(word, language))


def frequencies(words: pl.Series, scale: Scale = "raw", *, language: str) -> pl.DataFrame:
    """Return word and frequency for the different words of a series; null where `wordfreq` does not know the word.

    Scales and errors are as in `frequency`.

    >>> table = frequencies(pl.Series(["dog", "dog", "qqzzxv"]), "zipf", language="en")
    >>> table.with_columns(pl.col("frequency").round(1)).rows()
    [('dog', 5.1), ('qqzzxv', None)]
    """
    distinct = words.drop_nulls().unique().sort()
    values = [frequency(word, scale, language=language) or None for word in distinct]
    return pl.DataFrame({"word": distinct.cast(pl.String), "frequency": pl.Series(values, dtype=pl.Float64)})


def most_frequent(number: int, *, language: str) -> list[str]:
    """Return the most frequent words of a language, the most frequent first, without numbers.

    >>> most_frequent(3, language="en")
    ['the', 'to', 'and']
    """
    with _wordfreq() as wordfreq:
        return list(wordfreq.top_n_list(language, number))


def by_frequency(*, language: str) -> Iterator[str]:
    """Yield all words of a language, the most frequent first."""
    with _wordfreq() as wordfreq:
        yield from wordfreq.iter_wordlist(language)


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that `wordfreq` has; of another one it takes the nearest of them.

    >>> "en" in languages(), "tlh" in languages()
    (True, False)
    """
    with _wordfreq() as wordfreq:
        return tuple(sorted(wordfreq.available_languages()))


@contextmanager
def _wordfreq() -> Iterator[Any]:
    try:
        import wordfreq

        yield wordfreq
    except ImportError as error:
        raise DataError(
            f"the frequencies of words need the package {error.name}, which is not installed: run "
            "`pip install 'wordfreq[cjk]'`, which brings it."
        ) from error
