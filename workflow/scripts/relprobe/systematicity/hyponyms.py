"""Hyponyms of a category from WordNet, as the authors chose those of LM Diagnostic Extended (section 2.1.2)."""

from collections.abc import Mapping, Sequence

import wordfreq
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from relprobe.errors import ConfigError


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


def check_hyponyms(hyponyms: Mapping[str, Sequence[str]]) -> None:
    """Check that every category has hyponyms. ConfigError: one has none."""
    without = next((category for category, words in hyponyms.items() if not words), None)
    if without is not None:
        raise ConfigError(
            f"config: systematicity.categories names {without!r}, which has no hyponyms of a single sense in WordNet: "
            "take another word, or a lower systematicity.minimum_zipf."
        )
