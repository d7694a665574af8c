"""Hyponyms of a category from WordNet, as the authors chose those of LM Diagnostic Extended (section 2.1.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from relprobe.core.errors import ConfigError
from relprobe.sources.word_frequency import frequency
from relprobe.studies.systematicity.data.categories import Categories, flat
from relprobe.studies.systematicity.schemas import Items

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

    from relprobe.sources.lexical.wordnet import WordNetReader


@dataclass(frozen=True)
class Choice:
    """Which hyponyms of a category are taken.

    `minimum_zipf`: words that are rarer are left out (zipf scale of `wordfreq`: the logarithm to base 10 of occurrences per
    billion words; 0 leaves out none; of a phrase, the frequency of its rarest word counts). `phrases`: whether phrases such
    as "grand piano" are taken; the paper has none. `senses`: category -> id of the synset that is meant; a category without
    one is meant in all of its noun senses. `minimum_hyponyms`: a category with fewer of them gets its most frequent rarer
    ones, until it has so many or WordNet has no more.
    """

    minimum_zipf: float
    phrases: bool = False
    senses: dict[str, str] = field(default_factory=dict)
    minimum_hyponyms: int = 0


def single_sense_hyponyms(wordnet: WordNetReader, category: str, choice: Choice) -> list[str]:
    """Return the hyponyms of a category, at any depth: nouns of a single sense that are no names.

    The paper takes nouns with a single sense in WordNet that are no named entities. Here the single sense is the single one
    as a noun, whatever the case, as nltk counts them ("jay" is a name, too); instances and words in capitals count as names.
    The 576 released words meet three more conditions: each is a single word; each is the first word of its synset (all but
    five, which are names in lower case); none contains its category, as "sailfish" does. ConfigError: WordNet has no such
    synset.
    """
    names = {
        synset.lemma_names()[0]
        for sense in _senses(wordnet, category, choice.senses)
        for synset in sense.closure(lambda synset: synset.hyponyms())
    }
    words = {name: name.replace("_", " ") for name in sorted(names) if len(wordnet.synsets(name, "n")) == 1}
    return [word for word in words.values() if _is_taken(word, category, choice)]


def _is_taken(word: str, category: str, choice: Choice) -> bool:
    parts = word.split()
    if category in word or not all(part.isalpha() and part.islower() for part in parts):
        return False
    return (choice.phrases or len(parts) == 1) and _zipf(word) >= choice.minimum_zipf


def _zipf(word: str) -> float:
    """Return the zipf frequency of a word, or of the rarest word of a phrase; 0 if wordfreq does not know it."""
    return min(frequency(part, "zipf", language="en") for part in word.split())


def _senses(wordnet: WordNetReader, category: str, senses: Mapping[str, str]) -> Sequence[Synset]:
    if category not in senses:
        return list(wordnet.senses(category, "n"))
    from nltk.corpus.reader.wordnet import WordNetError

    try:
        return [wordnet.synset(senses[category])]
    except (WordNetError, ValueError):
        known = ", ".join(synset.name() for synset in wordnet.senses(category, "n")) or "none"
        raise ConfigError(
            f"config: systematicity.categories names the sense {senses[category]!r}, which WordNet lacks: correct it "
            f"(senses of {category!r}: {known})."
        ) from None


def hyponyms_of(wordnet: WordNetReader, categories: Categories, choice: Choice) -> dict[str, list[str]]:
    """Return category -> its hyponyms (`single_sense_hyponyms`), for all categories in order.

    A category with fewer than `choice.minimum_hyponyms` gets rarer ones, the most frequent first (of equal ones, the first
    by the alphabet). A word that is a hyponym of several categories does not count and is not added, as it gets no item.
    """
    frequent = {category: single_sense_hyponyms(wordnet, category, choice) for category in flat(categories)}
    if not choice.minimum_hyponyms:
        return frequent
    rarest = replace(choice, minimum_zipf=0)
    everything = {category: single_sense_hyponyms(wordnet, category, rarest) for category in frequent}
    categories_of = Counter(word for words in everything.values() for word in words)
    of_category: dict[str, list[str]] = {}
    for category, words in frequent.items():
        own = [word for word in everything[category] if categories_of[word] == 1]
        rarer = sorted(set(own).difference(words), key=lambda word: (-_zipf(word), word))
        missing = choice.minimum_hyponyms - len(set(own).intersection(words))
        of_category[category] = sorted([*words, *rarer[: max(0, missing)]])
    return of_category


def check_hyponyms(hyponyms: Mapping[str, Sequence[str]], items: Items) -> None:
    """Check that every category of `hyponyms` has an item. ConfigError: a category has none."""
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
        "take another word, a lower systematicity.minimum_zipf or a higher minimum_hyponyms."
    )
