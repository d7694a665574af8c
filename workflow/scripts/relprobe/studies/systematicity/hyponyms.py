"""Hyponyms of a category from WordNet, as the authors chose those of LM Diagnostic Extended (section 2.1.2)."""

from collections.abc import Mapping, Sequence

import polars as pl
import wordfreq
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from relprobe.core.errors import ConfigError
from relprobe.studies.systematicity.categories import Categories, flat


def single_sense_hyponyms(wordnet: WordNetCorpusReader, category: str, minimum_zipf: float) -> list[str]:
    """Return the hyponyms of all noun senses of a category, at any depth: nouns of a single sense that are no names.

    The paper asks for nouns, no named entities, with a single sense in WordNet; instances and words in capitals are taken
    for names, and the single sense is one as a noun. Three more conditions are those that the 576 released words show:
    they are single words, the first of their synset (all but five, which are names in lower case), and none contains its
    category ("sailfish"). `minimum_zipf` leaves out words rarer than that (zipf scale of `wordfreq`: the logarithm to base
    10 of occurrences per billion words; 0 leaves out none).
    """
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
    """Check that every category has an item (ITEMS) of its hyponyms. ConfigError: one has none."""
    filled = set(items["category"])
    without = next((category for category in hyponyms if category not in filled), None)
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
