"""Contextual sentences with a slot in the hyponym's place (section 2.1.2), as released and mended."""

import re
from collections.abc import Mapping, Sequence

from relprobe.core.errors import DataError
from relprobe.lm.requests import SLOT
from relprobe.sources.systematicity import span_of, whole_word
from relprobe.studies.systematicity.inflection import article, capitalise

BEFORE_SLOT = re.compile(r"\b(an?)(?= \[V\])", re.IGNORECASE)


def released_sentence(sentence: str, hyponym: str, hyponym_plural: str) -> str:
    """Return the sentence with the slot in the place of the first whole word that is the hyponym, and nothing else changed.

    If the sentence has the plural only, the slot takes the place of the plural. DataError: it has neither.

    >>> released_sentence("An ant met an ant", "ant", "ants")
    'An [V] met an ant'
    """
    span = span_of(sentence, [hyponym, hyponym_plural])
    if span is None:
        raise DataError(f"the sentence lacks {hyponym!r}: {sentence!r}: please report it as a defect.")
    return f"{sentence[: span[0]]}{SLOT}{sentence[span[1] :]}"


def mended_sentence(sentence: str, hyponym: str, hyponym_plural: str, category: str) -> str:
    """Return the sentence as `released_sentence` does, but with the article before the slot that the category needs.

    >>> mended_sentence("He swings an ax", "ax", "axes", "tool")
    'He swings a [V]'
    """
    text = released_sentence(sentence, hyponym, hyponym_plural)
    return BEFORE_SLOT.sub(lambda match: _like(article(category), match[0]), text)


def candidate_texts(text: str, hyponym: str, hyponym_plural: str, candidates: Mapping[str, str]) -> Sequence[str]:
    """Return one text per candidate: the candidate stands in all other places that the hyponym has in the sentence.

    `text` is one of `mended_sentence`; `candidates`: category -> its plural, which stands where the plural of the hyponym
    stood. The list is empty if the hyponym has no other place.

    >>> candidate_texts("A [V] garden grows roses", "rose", "roses", {"flower": "flowers", "fish": "fish"})
    ['A [V] garden grows flowers', 'A [V] garden grows fish']
    >>> candidate_texts("A [V] garden", "rose", "roses", {"flower": "flowers"})
    []
    """
    several = hyponym_plural if hyponym_plural != hyponym else ""
    forms = [form for form in (several, hyponym) if form]
    if not any(whole_word(form, re.IGNORECASE).search(text) for form in forms):
        return []
    return [_with_candidate(text, forms, several, category, plural) for category, plural in candidates.items()]


def _with_candidate(text: str, forms: Sequence[str], several: str, category: str, plural: str) -> str:
    for form in forms:
        word = plural if form == several else category
        text = whole_word(form, re.IGNORECASE).sub(lambda match, word=word: _like(word, match[0]), text)  # type: ignore[misc]
    return text


def _like(word: str, written: str) -> str:
    """Return the word with a capital first letter if what it replaces has one."""
    return capitalise(word) if written[:1].isupper() else word
