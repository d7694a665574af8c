"""The words that may be answers of any length."""

import re
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from relprobe.lm.words.lexicon import Words
from relprobe.sources.language import LanguageFile
from relprobe.sources.word_frequency import most_frequent
from relprobe.studies.relations.data.lexical_resource import LexicalResource
from relprobe.studies.relations.data.own_words import read_words

JOINTS = re.compile(r"[ '’-]")
"""What stands between the words of an expression, such as "ice cream" and "merry-go-round"."""


def word_list(
    language: LanguageFile,
    wordnet: LexicalResource | None = None,
    own: Path | None = None,
    *,
    frequent: int,
    lemmas: bool,
    expressions: bool = False,
) -> Words:
    """List the words that may be answers of any length.

    They are the `frequent` most frequent words of the language, with `lemmas` those of the resource (with `expressions` also
    lemmas of several words), and the words of the file `own`.
    """
    names = wordnet.lemmas() if lemmas and wordnet is not None else set[str]()
    words = read_words(own) if own else []
    return list_words(names, frequent, language.wordfreq, words, expressions=expressions)


def list_words(
    lemmas: Iterable[str], frequent: int, language: str, own: Iterable[str] = (), *, expressions: bool = False
) -> pl.DataFrame:
    """Return the `frequent` most frequent alphabetic words of a language, the lemmas and the `own` words, sorted.

    The column is word. `language`: its code in wordfreq. Of the lemmas, the alphabetic ones are taken; with `expressions`
    also those of several words, which have blanks, hyphens or apostrophes between their letters.

    >>> list_words(["robin", "ice cream", "U.S."], frequent=2, language="en")["word"].to_list()
    ['robin', 'the', 'to']
    >>> list_words(["robin", "ice cream", "U.S."], 0, "en", ["42nd Street"], expressions=True)["word"].to_list()
    ['42nd Street', 'ice cream', 'robin']
    """
    common = (word for word in most_frequent(2 * frequent, language=language) if word.isalpha())
    words = {word for word, _ in zip(common, range(frequent), strict=False)}
    parts = JOINTS.split if expressions else lambda lemma: [lemma]
    named = {lemma for lemma in lemmas if all(part.isalpha() for part in parts(lemma))}
    return pl.DataFrame({"word": sorted(words | named | set(own))})
