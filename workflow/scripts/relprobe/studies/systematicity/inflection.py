"""The plurals of words and their indefinite articles."""

import unicodedata
from collections.abc import Mapping
from typing import cast

from relprobe.sources.language import inflector

Plurals = Mapping[str, str]
"""Word -> its plural, where it is irregular in a way that `inflect` does not know."""


def plural(word: str, irregular: Plurals = {}) -> str:  # noqa: B006 (it is only read)
    """Return the plural of a noun or phrase: that in `irregular`, or `inflect`'s.

    >>> plural("fly"), plural("musical instrument"), plural("passerby", {"passerby": "passersby"})
    ('flies', 'musical instruments', 'passersby')
    """
    return irregular.get(word) or cast(str, inflector().plural_noun(word))


def with_article(word: str) -> str:
    """Return a word after its indefinite article; letters count without their diacritics.

    >>> with_article("hour"), with_article("éclair")
    ('an hour', 'an éclair')
    """
    return f"{article(word)} {word}"


def article(word: str) -> str:
    """Return the indefinite article of a word, "a" or "an"."""
    plain = "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
    return cast(str, inflector().a(plain)).split()[0]


def capitalise(text: str) -> str:
    """Return a text with a capital first letter; the others stay as they are.

    >>> capitalise("a McIntosh is")
    'A McIntosh is'
    """
    return text[:1].upper() + text[1:]
