"""The data of the study: the groups of words and definitions, and what is known of each."""

import math
import random
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Format, Text
from relprobe.core.manifest import fetched_file, fetched_folder, only_file
from relprobe.sources.lexical.wordnet import load
from relprobe.sources.lexical.wordnet_synsets import POS as LETTERS
from relprobe.sources.lexical.wordnet_synsets import SYNSETS, synsets
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own import word_counts
from relprobe.sources.own.definitions import Entry
from relprobe.sources.word_frequency import frequency, languages
from relprobe.studies.definitions.schemas import (
    BENCHMARK,
    PROPERTIES,
    TASKS,
    WORDS,
    Benchmark,
    Probes,
    Properties,
    Words,
)

# A user's own dictionary: the resource, and examples of its files.


OWN = "own_definitions"
"""The resource with an own dictionary; it takes the place of WordNet."""
DICTIONARY = """word,part_of_speech,definition,group,language,count
beckon,verb,signal with the hands or nod,gesture,en,57
nod,verb,express or signify by nodding,gesture,en,310
wink,verb,signal by winking,gesture,en,140
bow,verb,"bend one's knee or body, or lower one's head",gesture,en,880
shrug,verb,raise one's shoulders to show that one does not know,gesture,en,120
hammer,noun,a tool with a heavy head that drives nails,tool,en,2100
saw,noun,a tool with a blade of teeth that cuts wood,tool,en,5200
drill,noun,a tool with a turning point that makes holes,tool,en,1900
file,noun,a tool with a rough surface that smooths metal,tool,en,9400
pair of pliers,noun,a tool with two jaws that holds small things,tool,en,4
"""
"""Two groups of five sisters, the least that a group has by default."""
COUNTS = """word,count
beckon,57
nod,310
pair of pliers,4
"""


class Template(NamedTuple):
    """A dictionary and a file of counts, both as CSV."""

    dictionary: Text
    counts: Text


def template() -> Template:
    """Write an example of an own dictionary, and of a file of counts: two CSV files to change."""
    return Template(DICTIONARY, COUNTS)


# The groups of sister synsets, and the candidates of their two tasks (section 2).


@dataclass(frozen=True)
class Limits:
    """How many different strings, and how many different definitions, a group of the benchmark has: both inclusive.

    With five of each at least, WordNet 3.0 has exactly the groups of Table 2.
    """

    minimum: int = 5
    maximum: int | None = None


BENCHMARK_LIMITS = Limits()


def sisters(synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the groups G(t) = {x | ∃y: t < y ∧ x < y} of one part of speech (section 2.1), a row per target and member.

    Targets and members are row numbers of `synsets`. Every synset with a hypernym has a group, of any size, and is a member
    of it. In this example, the first and the second synset are sisters, and the third has no hypernym:

    >>> sisters(pl.DataFrame({"hypernyms": [["bird"], ["bird"], []]}, schema={"hypernyms": pl.List(pl.String)})).rows()
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    links = synsets.select(pl.int_range(pl.len(), dtype=pl.UInt32).alias("target"), "hypernyms").explode("hypernyms")
    links = links.drop_nulls("hypernyms")
    members = links.rename({"target": "member"})
    return links.join(members, on="hypernyms").select("target", "member").unique().sort("target", "member")


def large_groups(pairs: pl.DataFrame, synsets: pl.DataFrame, limits: Limits = BENCHMARK_LIMITS) -> pl.DataFrame:
    """Keep the pairs of the groups with as many different strings, and different definitions, as the limits allow."""
    codes = _codes(synsets)
    sizes = pairs.join(codes, left_on="member", right_on="row").group_by("target").agg(pl.exclude("member").n_unique())
    least, most = pl.min_horizontal("word", "definition"), pl.max_horizontal("word", "definition")
    kept = sizes.filter(
        (least >= limits.minimum) & (pl.lit(True) if limits.maximum is None else most <= limits.maximum)
    )
    return pairs.join(kept.select("target"), on="target", how="semi", maintain_order="left")


def sample(pairs: pl.DataFrame, size: int, pos: str, seed: int) -> pl.DataFrame:
    """Draw `size` groups without replacement and keep their pairs; the same seed draws the same groups.

    Samples are nested: with the same seed, a larger one holds all groups of a smaller one. DataError: there are fewer than
    `size` groups.
    """
    targets = pairs["target"].unique().sort()
    if len(targets) < size:
        raise DataError(
            f"definitions.sample: there are only {len(targets)} groups of {pos}s, but the config asks for {size}: "
            "take fewer, or all with `sample: null`."
        )
    drawn, draws = set[int](), random.Random(f"{seed} {pos}")  # noqa: S311
    while len(drawn) < size:
        drawn.add(draws.randrange(len(targets)))
    return _pairs_of(pairs, targets[sorted(drawn)])


def keep_targets(pairs: pl.DataFrame, synsets: pl.DataFrame, names: Collection[str]) -> pl.DataFrame:
    """Keep the pairs of the groups whose target has one of these names: a synset such as beckon.v.01, or its string."""
    targets = synsets.with_row_index("row").filter(pl.col("synset").is_in(names) | pl.col("word").is_in(names))
    return _pairs_of(pairs, targets["row"])


def _pairs_of(pairs: pl.DataFrame, targets: pl.Series) -> pl.DataFrame:
    wanted = pl.DataFrame({"target": targets.cast(pl.UInt32)})
    return pairs.join(wanted, on="target", how="semi", maintain_order="left")


def candidates(pairs: pl.DataFrame, synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the candidates of both tasks: the columns task, target, word, definition (as codes) and right.

    W2D: the candidates are the target's definition and the different definitions of the members with another string than
    the target's; a definition of the same string would be right as well. D2W: the candidates are the target's string and
    the different strings of the members with another definition. With these candidates, a guess is right as often as Tables
    4 and 5 say. A task whose only candidate is the right one is left out.
    """
    codes = _codes(synsets)
    both = pairs.join(codes, left_on="member", right_on="row").join(
        codes, left_on="target", right_on="row", suffix="_target"
    )
    own = pl.col("member") == pl.col("target")
    w2d = both.filter(own | (pl.col("word") != pl.col("word_target"))).with_columns(word="word_target")
    d2w = both.filter(own | (pl.col("definition") != pl.col("definition_target")))
    d2w = d2w.with_columns(definition="definition_target")
    key = ["target", "word", "definition"]
    right = (pl.col("word") == pl.col("word_target")) & (pl.col("definition") == pl.col("definition_target"))
    parts = [
        part.with_columns(task=pl.lit(task), right=right).select("task", *key, "right").unique()
        for task, part in zip(TASKS, (w2d, d2w), strict=True)
    ]
    return pl.concat(parts).filter(pl.len().over("task", "target") > 1)


def targets(synsets: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of GROUPS that describe a target, for every synset, and `row`, the number of the synset."""
    row = pl.int_range(pl.len(), dtype=pl.UInt32)
    about = synsets.select(row.alias("row"), "pos", "word", "definition", "depth", group="synset")
    return about.with_columns(families(synsets))


def families(synsets: pl.DataFrame) -> pl.Series:
    """Return the family of each synset's group, which is the synset's hypernym; null: it has none, and no group.

    The groups of a family have nearly the same candidates, so the tests and the intervals take a family as one observation.
    Of several hypernyms the first by name counts. Such a group shares candidates with a second family (1,234 of the 51,260
    groups of nouns do). In this example, goose and robin are of one family:

    >>> families(pl.DataFrame({"synset": ["robin", "goose"], "hypernyms": [["bird"], ["pet", "bird"]]})).to_list()
    ['bird', 'bird']
    """
    return synsets["hypernyms"].list.sort().list.first().alias("family")


def _codes(synsets: pl.DataFrame) -> pl.DataFrame:
    """Give every different string and definition a number, in the order of their first synsets."""
    parts = []
    for name in ("word", "definition"):
        distinct = synsets.select(name).unique(maintain_order=True).with_row_index("code")
        parts.append(synsets.join(distinct, on=name, how="left", maintain_order="left")["code"].alias(name))
    return pl.DataFrame(parts).with_columns(pl.int_range(pl.len(), dtype=pl.UInt32).alias("row"))


# What the study asks of each part of speech, and what groups the benchmark has.


class Part(NamedTuple):
    """The synsets of a part of speech, the pairs of its groups that are asked (`sisters`), and its rows of BENCHMARK."""

    synsets: pl.DataFrame
    pairs: pl.DataFrame
    benchmark: pl.DataFrame


def part(
    pos: str, synsets: pl.DataFrame, sampling: Mapping[str, Any] | None, names: Sequence[str], limits: Limits
) -> Part:
    """Draw the groups of one part of speech, and add those of some names; `synsets`: SYNSETS.

    `sampling` holds the number of groups to draw per part of speech, and the seed; None takes all groups. DataError: there
    are fewer groups.
    """
    pairs = sisters(synsets)
    large = large_groups(pairs, synsets, limits)
    drawn = sample(large, sampling[pos], pos, sampling["seed"]) if sampling else large
    asked = pl.concat([drawn, keep_targets(large, synsets, names)]).unique().sort("target", "member")
    return Part(synsets, asked, _rows(pairs, large, drawn, synsets, limits))


def _rows(
    pairs: pl.DataFrame, large: pl.DataFrame, drawn: pl.DataFrame, synsets: pl.DataFrame, limits: Limits
) -> pl.DataFrame:
    """Return a row of BENCHMARK per group of one part of speech with enough synsets."""
    members = pairs.group_by(row="target").agg(synsets=pl.len().cast(pl.UInt16))
    members = members.filter(pl.col("synsets") >= limits.minimum)
    lengths = candidates(large, synsets).group_by("target", "task").agg(length=pl.len().cast(pl.UInt16))
    of_tasks = [lengths.filter(task=task).select(row="target", **{task: pl.col("length")}) for task in TASKS]
    table = targets(synsets).join(members, on="row", maintain_order="left")
    for lists in of_tasks:
        table = table.join(lists, on="row", how="left", maintain_order="left")
    kept, sampled = (pl.col("row").is_in(part["target"].unique().to_list()) for part in (large, drawn))
    return table.with_columns(kept=kept, drawn=sampled).select(list(BENCHMARK))


# The synsets of the study: those of WordNet, or a user's own dictionary.


ENGLISH_CODE = "en"


def read(manifest: Path, parts_of_speech: list[str]) -> dict[str, pl.DataFrame]:
    """Return part of speech -> its synsets (SYNSETS) in a fetched resource.

    `manifest`: that of resources.own_definitions, whose own parts of speech are taken, or that of the prepared WordNet.
    """
    if manifest.stem == OWN:
        return entry_synsets(own_definitions.read(only_file(manifest)))
    wordnet = load(fetched_folder(manifest))
    return {pos: synsets(wordnet, pos) for pos in parts_of_speech}


Synsets = Annotated[dict[str, pl.DataFrame], Format(read)]
"""Part of speech -> its synsets (SYNSETS)."""


def entry_synsets(entries: Iterable[Entry]) -> dict[str, pl.DataFrame]:
    """Return the senses of an own dictionary as synsets (SYNSETS), numbered like those of WordNet; groups are hypernyms.

    >>> rows = [Entry("nod", "verb", "lower the head", "gesture"), Entry("nod", "verb", "agree", "gesture")]
    >>> entry_synsets(rows)["verb"].select("synset", "word", "hypernyms").rows()
    [('nod.v.01', 'nod', ['gesture']), ('nod.v.02', 'nod', ['gesture'])]
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for entry in entries:
        groups.setdefault((entry.pos, entry.word, entry.definition), []).append(entry.group)
    senses: Counter[tuple[str, str]] = Counter()
    rows: dict[str, list[tuple[object, ...]]] = {}
    for (pos, word, definition), of_sense in groups.items():
        senses[pos, word] += 1
        name = f"{word.replace(' ', '_')}.{LETTERS[pos]}.{senses[pos, word]:02}"
        rows.setdefault(pos, []).append((name, pos, word, definition, None, sorted(of_sense)))
    return {pos: pl.DataFrame(rows[pos], schema=SYNSETS, orient="row") for pos in LETTERS if pos in rows}


def counts_of(entries: Iterable[Entry]) -> Mapping[str, int]:
    """Return word -> its uses, of the entries that say so."""
    return {entry.word: entry.count for entry in entries if entry.count is not None}


# The tokens of words and definitions, and whether a definition names its word.


NAMES, INFLECTS, SHARES = "names", "inflects", "shares"
"""What a definition says of its word: the word itself, another form of it, or a content word of a phrase."""
LEAKS = (NAMES, INFLECTS, SHARES)
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
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
CONTRACTIONS = {"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"}
"""The words of letters alone that NLTK parts, such as can + not."""


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation.

    >>> tokens("a well-known sign (of St. John's)")
    ['a', 'well-known', 'sign', 'of', 'st', "john's"]
    """
    return WORD.findall(text.lower())


def count_tokens(word: str) -> int:
    """Count the tokens of a word or phrase as NLTK does (footnote 5 of the paper): "'s" is a token of its own.

    >>> count_tokens("St. John's wort"), count_tokens("cannot"), count_tokens("barn owl")
    (4, 2, 2)
    """
    words = word.split()
    # NLTK tries two dozen patterns, 0.2 ms a word; letters and spaces need none of them.
    if "".join(words).isalpha() and CONTRACTIONS.isdisjoint(map(str.lower, words)):
        return len(words)
    return len(_nltk().tokenize(word))


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
    of_word, of_definition = ([_stem(token, language) for token in text] for text in (words, tokens(definition)))
    places = range(len(of_definition) - len(of_word) + 1)
    if of_word and any(of_definition[place : place + len(of_word)] == of_word for place in places):
        return INFLECTS
    content = {stem for token, stem in zip(words, of_word, strict=True) if _is_content(token, language)}
    return SHARES if len(words) > 1 and content & set(of_definition) else None


def _is_content(token: str, language: str) -> bool:
    known = FUNCTION_WORDS.get(language)
    return len(token) >= SHORTEST if known is None else token not in known


@cache
def _nltk() -> Any:
    from nltk.tokenize import NLTKWordTokenizer  # which imports scipy.stats, a second

    return NLTKWordTokenizer()


@cache
def _stemmer(language: str) -> Any:
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer(STEMMERS[language]) if language in STEMMERS else None


@cache
def _stem(token: str, language: str) -> str:
    stemmer = _stemmer(language)
    return token if stemmer is None else str(stemmer.stem(token))


# The frequency of words and phrases: in a file of counts, or in wordfreq's estimate of a billion words.


@dataclass(frozen=True)
class Frequencies:
    """Where frequencies come from.

    `own`: word -> uses, of a dictionary that says so; they come first. `counts`: word or phrase -> uses in a corpus; without
    it, `wordfreq` is asked for words of the language. `joined`: a phrase is as frequent as wordfreq joins its words.

    >>> counted = Frequencies("en", {"nod": 310, "warm up": 12})
    >>> [counted.uses(word) for word in ("nod", "Nod", "beckon", "warm up", "come to life")]
    [310.0, 310.0, 0.0, 12.0, None]
    """

    language: str = "en"
    counts: Mapping[str, int] | None = None
    own: Mapping[str, int] = field(default_factory=dict)
    joined: bool = False

    def uses(self, text: str) -> float | None:
        """Return the uses of a word or phrase, or None if they are unknown.

        A single word that a file of counts lacks has no uses. A phrase that it lacks is unknown, since most files count
        single words only; wordfreq has no phrases at all.
        """
        if text in self.own:
            return float(self.own[text])
        if self.joined:
            return in_a_billion(text, self.language)
        phrase = " " in text
        if self.counts is None:
            return None if phrase else in_a_billion(text, self.language)
        count = self.counts.get(text, self.counts.get(text.lower()))
        return float(count) if count is not None else None if phrase else 0.0

    def table(self, texts: Iterable[str]) -> Words:
        """Return the uses of texts."""
        rows = [(text, self.uses(text)) for text in texts]
        return pl.DataFrame(rows, schema=WORDS, orient="row")


@cache
def in_a_billion(text: str, language: str) -> float | None:
    """Return wordfreq's estimate of the uses in a billion words, 0 for a word that is not in its list.

    It has no phrases, and joins the frequencies of their words. None: it has no list of the language.

    >>> in_a_billion("the", "en") > 1e7, in_a_billion("zzxqv", "en"), in_a_billion("the", "tlh")
    (True, 0.0, None)
    """
    if language not in languages():
        return None
    zipf = frequency(text, "zipf", language=language)
    return 10.0**zipf if zipf else 0.0


def candidate_words(probes: Probes) -> list[str]:
    """Return the different words of all candidates, and those of the definitions."""
    of_definitions = [token for definition in probes["definition"] for token in tokens(definition)]
    return list(dict.fromkeys([*probes["words"].explode().unique(maintain_order=True), *of_definitions]))


def mean_log(definition: str, uses: Mapping[str, float | None]) -> float:
    """Return the mean log10 of 1 + the uses of a definition's words, -inf if all of these are unknown.

    >>> mean_log("lower the head", {"lower": 9.0, "the": 999.0, "head": None})
    2.0
    """
    logs = [math.log10(1 + number) for token in tokens(definition) if (number := uses.get(token)) is not None]
    return sum(logs) / len(logs) if logs else -math.inf


# What the results of a group depend on beside its scores: the frequency of its word, and whether its definition leaks.


Counts = Annotated[dict[str, int], fetched_file(word_counts.read)]
Dictionary = Annotated[list[own_definitions.Entry], fetched_file(own_definitions.read)]


class PropertyTables(NamedTuple):
    """What is known of the groups, and of the words of their candidates and definitions."""

    properties: Properties
    words: Words


def property_tables(
    benchmark: Benchmark,
    probes: Probes,
    counts: Counts | None = None,
    dictionary: Dictionary | None = None,
    *,
    phrases: Literal["own", "joined"] = "own",
) -> PropertyTables:
    """Look up how frequent the words are, and find the definitions that tell their word.

    `counts`: those of a file; without it, wordfreq is asked. `dictionary`: an own dictionary, which may have counts and a
    language of its own. `phrases`: what is taken for their frequency.
    """
    entries = dictionary or []
    language = entries[0].language if entries else ENGLISH_CODE
    frequencies = Frequencies(language, counts, counts_of(entries), phrases == "joined")
    return PropertyTables(group_properties(benchmark, frequencies), frequencies.table(candidate_words(probes)))


def group_properties(benchmark: Benchmark, frequencies: Frequencies) -> Properties:
    """Return the groups of the benchmark with the frequency of their word and the leak of their definition."""
    rows = [
        (
            frequencies.uses(word),
            in_a_billion(word, frequencies.language),
            count_tokens(word),
            leak(word, definition, frequencies.language),
        )
        for word, definition in benchmark.select("word", "definition").iter_rows()
    ]
    names = ("uses", "joined", "tokens", "leak")
    added = pl.DataFrame(rows, schema={name: PROPERTIES[name] for name in names}, orient="row")
    return pl.concat([benchmark, added], how="horizontal").select(list(PROPERTIES))
