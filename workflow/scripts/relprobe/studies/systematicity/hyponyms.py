"""The sources of the items: categories, and their hyponyms of a user, of the authors' data or of WordNet (section 2.1.2)."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from relprobe.core.errors import ConfigError, DataError
from relprobe.core.files import Text
from relprobe.sources.own.hyponyms import Hyponym
from relprobe.sources.systematicity import ITEMS
from relprobe.sources.word_frequency import frequency
from relprobe.studies.systematicity.inflection import Plurals, plural
from relprobe.studies.systematicity.schemas import Items

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

    from relprobe.sources.lexical.wordnet import WordNetReader


# The categories that hyponyms are to be recognised as.


Entry = str | Mapping[str, str]
"""A category in the configuration: a word, the id of a synset, or both as `word` and `sense`."""
Categories = Mapping[str, Sequence[str]]
"""Superordinate category (animals) -> the words of the categories below it (bird, insect, fish)."""
SENSE = re.compile(r"(.+)\.n\.\d\d")


def words_of(categories: Mapping[str, Sequence[Entry]]) -> dict[str, list[str]]:
    """Return the words of the configured categories, by superordinate category.

    >>> words_of({"things": ["tool", "musical_instrument.n.01", {"word": "car", "sense": "motor_vehicle.n.01"}]})
    {'things': ['tool', 'musical instrument', 'car']}
    """
    return {group: [_word(entry) for entry in entries] for group, entries in categories.items()}


def senses_of(categories: Mapping[str, Sequence[Entry]]) -> dict[str, str]:
    """Return word -> id of its synset, of the categories that have one; the others are meant in all of their senses.

    >>> senses_of({"things": ["tool", "musical_instrument.n.01", {"word": "car", "sense": "motor_vehicle.n.01"}]})
    {'musical instrument': 'musical_instrument.n.01', 'car': 'motor_vehicle.n.01'}
    """
    entries = itertools.chain.from_iterable(categories.values())
    return {_word(entry): sense for entry in entries if (sense := _sense(entry)) is not None}


def _word(entry: Entry) -> str:
    if not isinstance(entry, str):
        return entry["word"]
    match = SENSE.fullmatch(entry)
    return match[1].replace("_", " ") if match else entry


def _sense(entry: Entry) -> str | None:
    if not isinstance(entry, str):
        return entry["sense"]
    return entry if SENSE.fullmatch(entry) else None


def flat(categories: Categories) -> list[str]:
    """Return all categories, in order.

    >>> flat({"animals": ["bird", "fish"], "plants": ["tree"]})
    ['bird', 'fish', 'tree']
    """
    return list(itertools.chain.from_iterable(categories.values()))


# A user's own hyponyms: the resource, and an example of its file.


RESOURCE = "own_hyponyms"
"""The resource with own hyponyms; it takes the place of WordNet's and of the released ones."""
TEMPLATE = """hyponym,category,plural,sentence
robin,bird,robins,A robin sat on the fence and sang.
wren,bird,wrens,
goose,bird,geese,The geese flew south in autumn.
heron,bird,herons,
ant,insect,ants,An ant carried the crumb into its hill.
wasp,insect,wasps,
louse,insect,lice,
moth,insect,moths,
violin,musical instrument,violins,She tuned her violin before the concert.
grand piano,musical instrument,grand pianos,
cello,musical instrument,cellos,
flute,musical instrument,flutes,
éclair,pastry,éclairs,He ate an éclair with his coffee.
croissant,pastry,croissants,
strudel,pastry,strudels,
baklava,pastry,baklavas,
"""
"""Four words of each category, which is enough for three folds of training, development and test."""


def template() -> Text:
    """Write a template of own hyponyms, a CSV file with four categories."""
    return TEMPLATE


# Items: hyponyms with their categories and plurals.


BUILT = "wordnet"
"""The set of items that is built from WordNet."""
OWN = "own"
"""The set of a user's own items."""


def built_items(hyponyms: Mapping[str, Sequence[str]], plurals: Plurals = {}) -> Items:  # noqa: B006
    """Return the items of category -> hyponyms; they have no sentence, and no prompt of their own.

    A hyponym of two categories has no single answer and gets no item.

    >>> built_items({"insect": ["wasp"]}).select("hyponym_plural", "category_plural").row(0)
    ('wasps', 'insects')
    """
    pairs = [(hyponym, category) for category, words in hyponyms.items() for hyponym in words]
    table = pl.DataFrame(pairs, schema=["hyponym", "category"], orient="row").filter(pl.len().over("hyponym") == 1)
    rows = [
        (BUILT, word, category, plural(word, plurals), plural(category, plurals), None, None, None)
        for word, category in table.iter_rows()
    ]
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def own_items(
    hyponyms: Sequence[Hyponym],
    categories: Categories,
    path: Path,
    plurals: Plurals = {},  # noqa: B006
) -> Items:
    """Return the items of a user's own hyponyms; `path` is their file.

    DataError: the category of a line is not in the configuration, or a category of it has no line.
    """
    category_names = flat(categories)
    rows = []
    for hyponym in hyponyms:
        if hyponym.category not in category_names:
            raise DataError(
                f"{path}, line {hyponym.line}: the category {hyponym.category!r} is not in systematicity.categories of the "
                "config: add it there."
            )
        several = hyponym.plural or plural(hyponym.word, plurals)
        columns = (OWN, hyponym.word, hyponym.category, several, plural(hyponym.category, plurals))
        rows.append((*columns, None, None, hyponym.sentence or None))
    if missing := [
        category for category in category_names if category not in {hyponym.category for hyponym in hyponyms}
    ]:
        raise DataError(
            f"{path} has no hyponym of the category {missing[0]!r}: add some, or take it out of the config."
        )
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


def check_categories(items: Items, categories: Categories, plurals: Plurals = {}) -> Items:  # noqa: B006
    """Return the items. DataError: the configuration lacks the category of an item, or an item has another plural of it."""
    plural_by_category = {category: plural(category, plurals) for category in flat(categories)}
    for hyponym, category, category_plural in items.select("hyponym", "category", "category_plural").iter_rows():
        if category not in plural_by_category:
            raise DataError(
                f"the released item {hyponym!r} is of the category {category!r}, which systematicity.categories of the "
                "config lacks: add it."
            )
        if category_plural != plural_by_category[category]:
            raise DataError(
                f"the released item {hyponym!r} has {category_plural!r} as the plural of its category {category!r}, which "
                f"is {plural_by_category[category]!r} here: correct plural.tsv, or systematicity.plurals of the config."
            )
    return items


# Hyponyms of a category from WordNet, as the authors chose those of LM Diagnostic Extended (section 2.1.2).


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
        candidates = ", ".join(synset.name() for synset in wordnet.senses(category, "n")) or "none"
        raise ConfigError(
            f"config: systematicity.categories names the sense {senses[category]!r}, which WordNet lacks: correct it "
            f"(senses of {category!r}: {candidates})."
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
    hyponyms_by_category: dict[str, list[str]] = {}
    for category, words in frequent.items():
        single = [word for word in everything[category] if categories_of[word] == 1]
        rarer = sorted(set(single).difference(words), key=lambda word: (-_zipf(word), word))
        missing = choice.minimum_hyponyms - len(set(single).intersection(words))
        hyponyms_by_category[category] = sorted([*words, *rarer[: max(0, missing)]])
    return hyponyms_by_category


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
