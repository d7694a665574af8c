"""How well agents do where a definition does not tell its word, and how many definitions tell theirs.

## Without definitions that tell their word

```yaml
table: leaks
like: overview
empty: No definition tells its word, or all do.
```

noun, leak-free has the nouns whose definition neither names the word nor holds another form of it nor, for a phrase,
one of its content words. “express or signify by nodding” tells nod.

Such tasks ask for no knowledge of the meaning. The candidates are the same as in the whole.

## How many definitions tell their word

```yaml
table: told
part: Data, and what was left out
empty: No definition tells its word.
columns:
  groups: the number of groups
  names: the number of these whose definition names the word
  inflects: the number of these whose definition has another form of the word
  shares: the number of these whose definition shares a content word with the phrase
  leak_free: the number of the others
```

The groups of the benchmark whose definition names the word, inflects it (has another form of it) or, for a phrase,
shares a content word; each is counted once, in this order.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import polars as pl

from relprobe.stats.schemas import Averages
from relprobe.stats.sensitivity import Setting
from relprobe.studies.definitions.conditions import Alternative, Subsets
from relprobe.studies.definitions.properties import tokens
from relprobe.studies.definitions.results import Results
from relprobe.studies.definitions.schemas import POS, Benchmark, Properties
from relprobe.studies.definitions.tables import wide

PLACE = 1
NAMES, INFLECTS, SHARES = "names", "inflects", "shares"
"""What a definition says of its word: the word itself, another form of it, or a content word of a phrase."""
LEAKS = (NAMES, INFLECTS, SHARES)
ENGLISH_WORDS = (
    "a about above across after against along among an and any around as at away back be before behind below beneath "
    "beside between beyond but by down during each every for forth from he her his if in into is it its like near no "
    "nor not of off on one one's onto or oneself out over past per she so some than that the their them they this "
    "through till to together toward under until up upon us via we what when where which who whom with within "
    "without you your "
)
FUNCTION_WORDS = {"en": frozenset(ENGLISH_WORDS.split())}
"""Language -> words that a phrase may share with its definition without a leak."""
SHORTEST = 4
"""The letters of the shortest content word in a language without a list."""
STEMMERS = {
    **{"da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french"},
    **{"hu": "hungarian", "it": "italian", "nb": "norwegian", "nl": "dutch", "no": "norwegian", "pt": "portuguese"},
    **{"ro": "romanian", "ru": "russian", "sv": "swedish"},
}
"""The languages whose inflected forms are known. Words of others are compared as they are."""


def leak_free(pos: str) -> str:
    """Return the name of the condition of groups whose definition says nothing of its word.

    >>> leak_free("noun")
    'noun, leak-free'
    """
    return f"{pos}, leak-free"


def _select(groups: Properties, limits: Sequence[float]) -> pl.DataFrame:
    return groups.filter(pl.col("leak").is_null()).select("group", condition=pl.format("{}, leak-free", "pos"))


def _in_place_of_all(groups: Properties, limits: Sequence[float]) -> pl.DataFrame:
    return groups.filter(pl.col("leak").is_null()).select("group", condition="pos")


LEFT_OUT = Setting("definitions that tell their word", "count", "are left out")
SUBSETS = Subsets(
    _select, pos_conditions=lambda pos: [leak_free(pos)], alternative=Alternative(LEFT_OUT, POS, _in_place_of_all)
)
COLUMNS = {"leak": pl.String()}
"""What the definition says of its word: one of LEAKS, or null, nothing."""


def describe(groups: Benchmark, language: str) -> pl.DataFrame:
    """Return the column `leak` of the groups."""
    rows = groups.select("word", "definition").iter_rows()
    return pl.DataFrame({"leak": [leak(word, text, language) for word, text in rows]}, schema=COLUMNS)


def leak(word: str, definition: str, language: str = "en") -> str | None:
    """Return how a definition tells its word: NAMES, INFLECTS or SHARES; None if it does not.

    A definition names a word that stands in it between the limits of words, whatever the capitals. It inflects a word if it
    has words of the same stems in the same order (Snowball's stemmer). It shares a content word with a phrase if one of the
    phrase's words that is no function word has a stem of the definition.

    >>> [leak("nod", text) for text in ("give a nod", "signify by nodding", "lower the head")]
    ['names', 'inflects', None]
    >>> leak("barn owl", "an owl that nests in buildings"), leak("give up", "lose to one's enemy, up to the end")
    ('shares', None)
    """
    lower, text = word.lower(), definition.lower()
    if lower in text and re.search(rf"\b{re.escape(lower)}\b", text):  # the first alone is quick
        return NAMES
    words = tokens(word)
    word_stems, definition_stems = ([_stem(token, language) for token in text] for text in (words, tokens(definition)))
    starts = range(len(definition_stems) - len(word_stems) + 1)
    if word_stems and any(definition_stems[start : start + len(word_stems)] == word_stems for start in starts):
        return INFLECTS
    content = {stem for token, stem in zip(words, word_stems, strict=True) if _is_content(token, language)}
    return SHARES if len(words) > 1 and content & set(definition_stems) else None


def _is_content(token: str, language: str) -> bool:
    function_words = FUNCTION_WORDS.get(language)
    return len(token) >= SHORTEST if function_words is None else token not in function_words


@cache
def _stemmer(language: str) -> Any:
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer(STEMMERS[language]) if language in STEMMERS else None


@cache
def _stem(token: str, language: str) -> str:
    stemmer = _stemmer(language)
    return token if stemmer is None else str(stemmer.stem(token))


def by_leak(averages: Averages) -> pl.DataFrame:
    """Return a row per part of speech and agent over all groups, and over those whose definition tells nothing."""
    return wide(averages, [name for pos in POS for name in (pos, leak_free(pos))])


def leak_counts(properties: Properties) -> pl.DataFrame:
    """Count the groups of the benchmark by what their definition tells of its word, per part of speech.

    >>> from relprobe.studies.definitions.schemas import PROPERTIES
    >>> schema = {**PROPERTIES, **COLUMNS}
    >>> row = dict.fromkeys(schema) | {"pos": "verb", "kept": True}
    >>> table = leak_counts(pl.DataFrame([row | {"leak": "names"}, row], schema=schema))
    >>> table.row(0, named=True)
    {'part_of_speech': 'verb', 'groups': 2, 'names': 1, 'inflects': 0, 'shares': 0, 'leak_free': 1}
    """
    counts = [(pl.col("leak") == leak).sum().alias(leak) for leak in LEAKS]
    benchmark = properties.filter("kept").group_by(part_of_speech=pl.col("pos").cast(pl.Enum(POS)))
    table = benchmark.agg(pl.len().alias("groups"), *counts, leak_free=pl.col("leak").is_null().sum())
    return table.sort("part_of_speech").with_columns(pl.col("part_of_speech").cast(pl.String))


def _by_leak(results: Results) -> pl.DataFrame:
    return by_leak(results.averages)


def _told(results: Results) -> pl.DataFrame:
    return leak_counts(results.properties)


TABLES = {"leaks": _by_leak, "told": _told}
