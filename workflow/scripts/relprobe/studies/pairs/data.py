"""The items of the study: pairs with foils from a lexical resource, HyperLex, and a user's own judged pairs."""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.relation import Relations
from relprobe.core.words import amount
from relprobe.sources.hyperlex import WHOLE, RatedPair, Split, parts_of, read_ratings
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.schemas import ALL, ITEMS, KNOWN, RATERS, REVERSED, RIGHT, Items, Known, Raters

WORDNET, HYPERLEX, OWN = "wordnet", "hyperlex", "own"
"""The sets of items."""
RESOURCE, PEOPLE = "judged_pairs", "pair_answers"
"""The resources with own pairs, and with people's judgments of pairs, who are an agent."""
OTHER_RELATION, OTHER_TARGET, LIKE_FREQUENT = "other relation", "other target", "random"
"""The kinds of foils beside REVERSED: relata of the target's other relations, relata of other targets, and any words."""
UNLABELLED = "unlabelled"
"""The kind of own pairs that have ratings alone, or as many yes as no."""
NEAR = 20
"""Random words are drawn among so many words whose frequency is nearest to that of a right one."""


class Data(NamedTuple):
    """The items, the single ratings of people, and what is known of the relations."""

    item_table: Items
    raters: Raters
    known_relata: Known


# From a lexical resource, with foils as in BLESS (Baroni and Lenci 2011): each target has right relata, and words that are
# wrong for one reason each.


@dataclass(frozen=True)
class Sample:
    """How many targets are drawn of each relation, how many pairs of each kind a target has, and how.

    `targets`: relation -> number; without any, all are taken. `shared_relata`: whether two targets may have a right
    word in common. Without that, each target is an observation of its own.
    """

    targets: Mapping[str, int] = field(default_factory=dict)
    each: int = 2
    seed: int = 1
    shared_relata: bool = False


def with_foils(
    tuples: pl.DataFrame, sets: pl.DataFrame, words: Sequence[str], relations: Relations, sample: Sample
) -> Items:
    """Return the pairs of targets with foils (ITEMS).

    `tuples`: target, relation and relatum of direct links, whose targets are asked. `sets`: the same of all that the
    resource knows; no foil is in the set of its target, and none is the target. `words`: those that may stand in a
    pair, the most frequent first. A target has up to `each` right words, the tuples' first, and as many foils of each
    kind: words of its other relations; right words of other targets; the right pairs turned round, unless the relation
    is symmetric; and words drawn among those of like frequency. DataError: fewer targets can be drawn than are asked
    for.

    >>> from relprobe.core.relation import Relation
    >>> codes = Relations((Relation("HYP", "kind", "HPO"), Relation("HPO", "example", "HYP")))
    >>> rows = [("robin", "HYP", "bird"), ("oak", "HYP", "tree")]
    >>> table = pl.DataFrame(rows, schema=["target", "relation", "relatum"], orient="row")
    >>> words = ["tree", "bird", "oak", "robin", "wug"]
    >>> pairs = with_foils(table, table, words, codes, Sample(each=1)).filter(target="robin")
    >>> pairs.select("first", "second", "kind").rows()[:3]
    [('robin', 'bird', 'right'), ('bird', 'robin', 'reversed'), ('robin', 'tree', 'other target')]
    """
    ranked = {word: rank for rank, word in enumerate(words)}
    resource = _Relata.of(sets, ranked)
    asked = _Relata.of(tuples, ranked)
    drawn = {
        relation: _draw(relation, asked, resource, sample)
        for relation in dict.fromkeys([*sample.targets, *asked.relata] if not sample.targets else sample.targets)
    }
    rows: list[tuple[object, ...]] = []
    for relation, targets in drawn.items():
        source = random.Random(f"foils {sample.seed} {relation}")  # noqa: S311
        for target, right in targets.items():
            pairs = [(target, word, RIGHT) for word in right]
            if relation not in relations.symmetric:
                pairs += [(word, target, REVERSED) for word in right if not resource.has(relation, word, target)]
            related = resource.all_of(target)
            foils = [(OTHER_RELATION, [*_others(resource, relation, target, ranked)])]
            target_words = {word for other, right_words in targets.items() if other != target for word in right_words}
            foils.append((OTHER_TARGET, source.sample(sorted(target_words), len(target_words))))
            foils.append((LIKE_FREQUENT, [*_like_frequent(right, words, ranked, source)]))
            taken = {target, *right}
            for kind, candidates in foils:
                excluded = taken if kind == OTHER_RELATION else taken | related
                chosen = [word for word in dict.fromkeys(candidates) if word not in excluded][: sample.each]
                taken.update(chosen)
                pairs += [(target, word, kind) for word in chosen]
            rows += [
                (WORDNET, relation, relation, target, first, second, kind, kind == RIGHT, None, None, None)
                for first, second, kind in pairs
            ]
    return pl.DataFrame(rows, schema=ITEMS, orient="row")


@dataclass(frozen=True)
class _Relata:
    """The relata of targets: relation -> target -> words, as the table has them, those that may not be asked left out."""

    relata: Mapping[str, Mapping[str, list[str]]]
    every: Mapping[str, set[str]]  # target -> all relata, whatever the relation, asked or not

    @classmethod
    def of(cls, table: pl.DataFrame, allowed: Mapping[str, int]) -> "_Relata":
        relata: dict[str, dict[str, list[str]]] = {}
        relata_of_targets: dict[str, set[str]] = {}
        for target, relation, relatum in table.select("target", "relation", "relatum").iter_rows():
            relata_of_targets.setdefault(target, set()).add(relatum)
            if target in allowed and relatum in allowed and target != relatum:
                relata.setdefault(relation, {}).setdefault(target, []).append(relatum)
        return cls(relata, relata_of_targets)

    def words(self, relation: str, target: str) -> list[str]:
        return self.relata.get(relation, {}).get(target, [])

    def has(self, relation: str, target: str, word: str) -> bool:
        return word in self.words(relation, target)

    def all_of(self, target: str) -> set[str]:
        return self.every.get(target, set())


def _draw(relation: str, asked: _Relata, resource: _Relata, sample: Sample) -> dict[str, list[str]]:
    """Return the targets that are drawn of a relation, each with its right words. DataError: there are too few."""
    targets = asked.relata.get(relation, {})
    order = sorted(targets)
    random.Random(f"targets {sample.seed} {relation}").shuffle(order)  # noqa: S311
    number = sample.targets.get(relation, len(order))
    drawn: dict[str, list[str]] = {}
    taken: set[str] = set()
    for target in order if number else ():
        right_words = dict.fromkeys([*targets[target], *resource.words(relation, target)])
        right = [*right_words][: sample.each]
        if sample.shared_relata or taken.isdisjoint({*right_words, target}):
            drawn[target] = right
            taken |= {*right_words, target}
        if len(drawn) == number:
            break
    if relation in sample.targets and len(drawn) < number:
        raise DataError(
            f"pairs.wordnet: only {amount(len(drawn), f'target of {relation} was', f'targets of {relation} were')} found"
            f"{'' if sample.shared_relata else ' that share no right word'}, but the config asks for {number}: take more "
            f"`words`, fewer targets{'' if sample.shared_relata else ', or `shared_relata: true`'}."
        )
    return drawn


def _others(resource: _Relata, relation: str, target: str, ranked: Mapping[str, int]) -> Iterator[str]:
    """Yield the relata of the target's other relations that are none of this one: one of each in turn, by frequency."""
    right_words = set(resource.words(relation, target))
    word_lists = [
        sorted(set(relata.get(target, ())) - right_words, key=ranked.__getitem__)
        for other_relation, relata in resource.relata.items()
        if other_relation != relation
    ]
    for index in range(max(map(len, word_lists), default=0)):
        yield from (words[index] for words in word_lists if index < len(words))


def _like_frequent(
    right: Sequence[str], words: Sequence[str], ranked: Mapping[str, int], source: random.Random
) -> Iterator[str]:
    """Yield words in random order that are about as frequent as right ones, one for each in turn."""
    windows = []
    for word in right:
        start = max(min(ranked[word] - NEAR // 2, len(words) - NEAR - 1), 0)
        window = [*words[start : start + NEAR + 1]]
        source.shuffle(window)
        windows.append(window)
    for index in range(max(map(len, windows), default=0)):
        yield from (window[index] for window in windows if index < len(window))


def known_of(sets: pl.DataFrame) -> Known:
    """Return what a resource knows of the relations, as a table of KNOWN."""
    return sets.select(list(KNOWN)).unique().sort(pl.all())


# HyperLex (Vulić et al. 2017): pairs with ratings from 0 to 6, whose relations in WordNet are the kinds of foils.


KINDS = {
    "hyp": RIGHT,
    "r-hyp": REVERSED,
    "cohyp": "co-hyponym",
    "mero": "meronym",
    "syn": "synonym",
    "ant": "antonym",
    "no-rel": "unrelated",
}
"""What HyperLex calls the relation of a pair in WordNet -> the kind of the pair."""
VERBS = "HYP-V"
"""The prompts of verbs, "to limp is a way to walk"."""
PARTS_OF_SPEECH = {"N": ("nouns", "HYP"), "V": ("verbs", VERBS)}
"""Part of speech in HyperLex -> what its condition is called, and the relation whose prompts ask."""


def hyperlex(folder: Path, split: Split, part: str | None = None) -> tuple[Items, Raters]:
    """Return the pairs of HyperLex and their single ratings.

    `folder`: that of the release, or a file of it alone. `split`: the published one that is noted in the column part;
    `part`: that of it which is taken, all of it by default. DataError: the folder has no file of all pairs, or none of
    the split.
    """
    files = sorted(folder.rglob(WHOLE)) or sorted(folder.rglob("hyperlex*.txt"))
    if len(files) != 1:
        raise DataError(
            f"{folder} has {amount(len(files), 'file')} of HyperLex, but no {WHOLE}: give the release, or one file of it."
        )
    parts = parts_of(folder, split)
    pairs = [(pair, parts.get((pair.first, pair.second, pair.part_of_speech))) for pair in read_ratings(files[0])]
    if split != "none":  # the lexical split leaves pairs out
        pairs = [(pair, pair_part) for pair, pair_part in pairs if pair_part is not None and part in (None, pair_part)]
    items = [_hyperlex_item(pair, pair_part) for pair, pair_part in pairs]
    ratings = [
        (condition_of(pair), pair.first, pair.second, None, rating) for pair, _ in pairs for rating in pair.ratings
    ]
    return pl.DataFrame(items, schema=ITEMS, orient="row"), pl.DataFrame(ratings, schema=RATERS, orient="row")


def condition_of(pair: RatedPair) -> str:
    """Return the condition of a pair of HyperLex: "hyperlex nouns" or "hyperlex verbs"."""
    return f"{HYPERLEX} {PARTS_OF_SPEECH[pair.part_of_speech][0]}"


def _hyperlex_item(pair: RatedPair, part: str | None) -> tuple[object, ...]:
    if pair.kind not in KINDS or pair.part_of_speech not in PARTS_OF_SPEECH:
        raise DataError(
            f"HyperLex: {pair.first} {pair.second} is {pair.part_of_speech} {pair.kind}: is this the release?"
        )
    kind, relation = KINDS[pair.kind], PARTS_OF_SPEECH[pair.part_of_speech][1]
    columns = (HYPERLEX, condition_of(pair), relation, pair.first, pair.first, pair.second)
    return (*columns, kind, kind == RIGHT, pair.mean, pair.spread, part)


# A user's own pairs: labels, ratings or both, perhaps of several raters.


def own_pairs(pairs: Sequence[JudgedPair]) -> tuple[Items, Raters]:
    """Return own pairs and the judgments of their raters. A pair is right if most of its labels say so.

    A pair with as many yes as no has no label. Ratings of raters are averaged; labels of raters are ratings as well,
    from 0 to 1, where there are no others. The reverse of a right pair is of the kind "reversed", another foil is "foil",
    and a pair without a label is "unlabelled", unless the file says otherwise. DataError: a kind is a word that the study
    has for something else.
    """
    judged: dict[tuple[str, str, str], list[JudgedPair]] = {}
    for judgment in pairs:
        judged.setdefault((judgment.relation, judgment.target, judgment.candidate), []).append(judgment)
    labels = {
        key: _label([judgment.label for judgment in judgments if judgment.label is not None])
        for key, judgments in judged.items()
    }
    rows: list[tuple[object, ...]] = []
    ratings: list[tuple[object, ...]] = []
    for (relation, target, candidate), judgments in judged.items():
        label = labels[relation, target, candidate]
        _check_kind(judgments[0], label)
        kind = RIGHT if label else judgments[0].kind or _own_kind(labels, relation, target, candidate)
        numbers = [_number(judgment) for judgment in judgments]
        has_ratings = judgments[0].rating is not None or bool(judgments[0].rater)
        rating = mean(numbers) if has_ratings else None
        spread = stdev(numbers) if has_ratings and len(numbers) > 1 else None
        owner = candidate if kind == REVERSED and labels.get((relation, candidate, target)) else target
        condition = f"{OWN} {relation}"
        rows.append((OWN, condition, relation, owner, target, candidate, kind, label, rating, spread, None))
        if has_ratings:
            ratings += [
                (condition, target, candidate, judgment.rater or None, number)
                for judgment, number in zip(judgments, numbers, strict=True)
            ]
    return pl.DataFrame(rows, schema=ITEMS, orient="row"), pl.DataFrame(ratings, schema=RATERS, orient="row")


def _own_kind(labels: Mapping[tuple[str, str, str], bool | None], relation: str, target: str, candidate: str) -> str:
    if labels[relation, target, candidate] is None:
        return UNLABELLED
    return REVERSED if labels.get((relation, candidate, target)) else "foil"


def _check_kind(judgment: JudgedPair, label: bool | None) -> None:
    """Check the kind of a pair. DataError: it is that of a right pair, and the pair is wrong, or stands for all foils."""
    if judgment.kind == ALL or (judgment.kind == RIGHT and label is False):
        reason = "all kinds of foils together have this name" if judgment.kind == ALL else "its label says no"
        raise DataError(
            f"judged_pairs: {judgment.target!r} with {judgment.candidate!r} ({judgment.relation}) is of the kind "
            f"{judgment.kind!r}, but {reason}: name what is wrong with the pair."
        )


def _label(labels: Sequence[bool]) -> bool | None:
    """Return what most labels say; None without any, or if they say both as often."""
    yes, no = labels.count(True), labels.count(False)
    return None if yes == no else yes > no


def _number(judgment: JudgedPair) -> float:
    return judgment.rating if judgment.rating is not None else float(bool(judgment.label))


# All sets together.


def join_parts(parts: Iterable[tuple[Items, Raters]], known_relata: Known) -> Data:
    """Return the items of all sets. DataError: there is none."""
    tables = [*parts]
    items = pl.concat([pl.DataFrame(schema=ITEMS), *(items for items, _ in tables)])
    if items.is_empty():
        raise DataError("pairs: there is no pair to judge: give a larger sample, or other data.")
    return Data(items, pl.concat([pl.DataFrame(schema=RATERS), *(raters for _, raters in tables)]), known_relata)
