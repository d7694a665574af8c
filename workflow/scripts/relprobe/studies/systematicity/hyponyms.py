"""Hyponyms of a category from WordNet, as the authors chose those of LM Diagnostic Extended (section 2.1.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

from relprobe.core.errors import ConfigError
from relprobe.studies.systematicity.categories import Categories, flat

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader


def single_sense_hyponyms(wordnet: WordNetCorpusReader, category: str, minimum_zipf: float) -> list[str]:
    """Return the hyponyms of all noun senses of a category, at any depth: nouns of a single sense that are no names.

    The paper takes nouns with a single sense in WordNet that are no named entities. Here the single sense is the single one
    as a noun, and instances and words in capitals count as names. The 576 released words meet three more conditions: each
    is a single word; each is the first word of its synset (all but five, which are names in lower case); none contains its
    category, as "sailfish" does. Words with a frequency below `minimum_zipf` are left out (zipf scale of `wordfreq`: the
    logarithm to base 10 of occurrences per billion words; 0 leaves out none).
    """
    import wordfreq

    names = {
        synset.lemma_names()[0]
        for sense in wordnet.synsets(category, "n")
        for synset in sense.closure(lambda synset: synset.hyponyms())
    }
    words = [name for name in sorted(names) if name.isalpha() and name.islower() and category not in name]
    single = [word for word in words if len(wordnet.synsets(word, "n")) == 1]
    return [word for word in single if wordfreq.zipf_frequency(word, "en") >= minimum_zipf]


def hyponyms_of(wordnet: WordNetCorpusReader, categories: Categories, minimum_zipf: float) -> dict[str, list[str]]:
    """Return category -> its hyponyms (`single_sense_hyponyms`), for all categories in order."""
    return {category: single_sense_hyponyms(wordnet, category, minimum_zipf) for category in flat(categories)}


def check_hyponyms(hyponyms: Mapping[str, Sequence[str]], items: pl.DataFrame) -> None:
    """Check that every category of `hyponyms` has an item (ITEMS). ConfigError: a category has none."""
    with_items = set(items["category"])
    without = next((category for category in hyponyms if category not in with_items), None)
    if without is None:
        return
    if hyponyms[without]:
        raise ConfigError(
            f"config: systematicity.categories names {without!r}, all of whose hyponyms are in other categories too, so "
            "that none has a single answer: leave one of these categories out."
        )
    raise ConfigError(
        f"config: systematicity.categories names {without!r}, which has no hyponyms of a single sense in WordNet: "
        "take another word, or a lower systematicity.minimum_zipf."
    )
