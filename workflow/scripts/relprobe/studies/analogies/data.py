"""The data of the study: relations and their pairs, and the positive and negative tuples made of them."""

import itertools
import logging
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import Format, Text
from relprobe.core.manifest import fetched_folder, only_file
from relprobe.sources import bats
from relprobe.sources.own import analogies as own_analogies
from relprobe.studies.analogies.schemas import INSTANCES, PROBE_TYPES, TUPLES, Instances, Tuples

# A template of own analogies, which `own` reads.


TEMPLATE = """relation,group,head,tails,marks
capital,countries,paris,france,
capital,countries,rome,italy,
capital,countries,oslo,norway,
capital,countries,cairo,egypt,
capital,countries,lima,peru,
capital,countries,tokyo,japan,
opposite,adjectives,hot,cold,many bidirectional
opposite,adjectives,big,small/little,many bidirectional
opposite,adjectives,wet,dry,many bidirectional
opposite,adjectives,old,young/new,many bidirectional
opposite,adjectives,fast,slow,many bidirectional
opposite,adjectives,rich,poor,many bidirectional
"""
"""Two relations of six pairs: the least that can be divided into training and test."""


def template() -> Text:
    """Write a template of own analogies, a CSV file with two relations."""
    return TEMPLATE


# The relations of the study, their groups, and the marks of those in which a negative tuple may well be right (Table 2).


GROUPS = {"E": "ES", "L": "LS", "D": "DM", "I": "IM"}
"""First letter of a relation's code in BATS -> its group."""
GROUP_NAMES = {
    "ES": "encyclopedic semantics",
    "LS": "lexicographic semantics",
    "DM": "derivational morphology",
    "IM": "inflectional morphology",
}
MANY, BOTH_WAYS = "∗", "†"
"""The marks of Table 2. ∗ stands for a one-to-many or many-to-many relation, whose random probe cannot be fair, and † for a
relation that holds in both directions, whose reverse probe cannot be fair."""
MANY_TO_MANY = ("E06", "E07", "E08", "E09", *(f"L{number:02}" for number in range(1, 11)))
"""BATS' one-to-many and many-to-many relations."""
BIDIRECTIONAL = ("L08", "L10")
"""BATS' relations that hold in both directions."""


@dataclass(frozen=True)
class Relation:
    """A relation: its code, its name, its group and its marks."""

    code: str
    name: str
    group: str
    marks: str

    @property
    def label(self) -> str:
        """Code and name; a relation of own data has its name alone.

        >>> Relation("E01", "country - capital", "ES", "").label, Relation("size", "size", "own", "").label
        ('E01 country - capital', 'size')
        """
        return self.code if self.code == self.name else f"{self.code} {self.name}"


def mark(relation: str) -> str:
    """Return the marks of a relation of BATS in Table 2: "∗", "†", both or none.

    >>> [mark(relation) for relation in ("E01", "E06", "L08")]
    ['', '∗', '∗†']
    """
    return (MANY if relation in MANY_TO_MANY else "") + (BOTH_WAYS if relation in BIDIRECTIONAL else "")


def bats_analogies(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return BATS' pairs (`sources.bats.PAIRS`) with the group and marks of their relations (ANALOGIES)."""
    code = pl.col("relation")
    return pairs.with_columns(
        group=code.str.head(1).replace_strict(GROUPS, return_dtype=pl.String),
        marks=code.map_elements(mark, return_dtype=pl.String),
    )


def group_order(groups: Iterable[str]) -> list[str]:
    """Return the different groups: those of BATS in the order of Table 1, then others in theirs.

    >>> group_order(["birds", "LS", "ES", "LS"])
    ['ES', 'LS', 'birds']
    """
    different = list(dict.fromkeys(groups))
    return [group for group in GROUP_NAMES if group in different] + [
        group for group in different if group not in GROUP_NAMES
    ]


def relation_names(tuples: pl.DataFrame) -> dict[str, str]:
    """Return relation -> its name, of TUPLES."""
    return dict(tuples.select("relation", "name").iter_rows())


def relations_of(tuples: pl.DataFrame) -> list[Relation]:
    """Return the relations of TUPLES, by group and then by code."""
    rows = tuples.select("relation", "name", "group", "marks").unique(maintain_order=True).iter_rows()
    every = [Relation(*row) for row in rows]
    groups = group_order(one.group for one in every)
    return sorted(every, key=lambda one: (groups.index(one.group), one.code))


# The pairs of words of the study: BATS, a user's own analogies, or the project's demonstration.


OWN = "own_analogies"
"""The resource with own analogies; it takes the place of BATS."""
DEMONSTRATION = "demonstration_analogies"
"""The resource with this project's own ten relations, in the form of own analogies; a run that lacks BATS may have it."""


def read(manifest: Path) -> pl.DataFrame:
    """Read the pairs of a fetched resource (ANALOGIES).

    `manifest`: that of resources.own_analogies, whose order does not matter, of the demonstration, or of resources.bats.

    DataError: see own_analogies.read and bats.read.
    """
    if manifest.stem == OWN:
        return own(only_file(manifest)).sort("group", "relation", "head")  # draws are of places
    return (
        own(only_file(manifest))
        if manifest.stem == DEMONSTRATION
        else bats_analogies(bats.read(fetched_folder(manifest)))
    )


Analogies = Annotated[pl.DataFrame, Format(read)]


def own(path: Path) -> pl.DataFrame:
    """Read own analogies, their marks as Table 2 writes them (ANALOGIES)."""
    table = own_analogies.read(path)
    marks = pl.concat_str(
        *(
            pl.when(pl.col("marks").list.contains(word)).then(pl.lit(sign)).otherwise(pl.lit(""))
            for word, sign in zip(own_analogies.MARKS, (MANY, BOTH_WAYS), strict=True)
        )
    )
    return table.with_columns(marks=marks)


# The negative tuples of each probe type (section 2.2), and the choices that the paper leaves open about them.
# *random*: the paper writes (h_j, t_i) and (h_i, t_j), where i is the input's index. Read literally, a word of the query
# is replaced, and the negative shares its other word with the query. Then the difference vectors of the negative and the
# query are alike for that word alone. GloVe vectors on all of BATS, one draw: 78.5 % supervised and 24.2 % unsupervised,
# which is far below a guess, but 69.5 and 63.5 % if a word of the positive is replaced. The paper's static vectors
# (fastText) have 69.3 and 65.7 %. So the positive is the default.
# *reverse*: the paper writes "simply a random tuple from R in which the positions of head and tail are reversed", and
# (t_i, h_i) in the same sentence. With GloVe, unsupervised, ES, LS, DM and IM have 93.3, 64.6, 95.5 and 97.2 % with a
# random tuple, and 89.8, 61.4, 92.2 and 94.6 % with the positive's own words (one draw). The paper's fastText has 92.4,
# 68.1, 96.0 and 96.8 %. So the random tuple is the default.
# *type*: "any two tuples (h_j, h_k) (h_i ≠ h_j ≠ h_k) and (t_j, t_k)" has no word of the input. Here a word of the
# positive stands beside that of another tuple, so that both tuples of an instance share a word, as in *random*; `printed`
# has none.
# *filter*: in one-to-many relations, a negative may be right. BATS lists several answers, and no negative is one of them,
# unless the filter is off. The paper does not say whether it filters.


Pair = tuple[str, str]


@dataclass(frozen=True)
class Choices:
    """How negatives are made where the paper leaves it open; the module says what speaks for each.

    `random`: the tuple of which one word is replaced. `reverse`: whether another tuple is reversed, drawn at random, or
    the positive itself. `type`: whether one of the two heads or tails is the positive's, or none, as printed. `filter`:
    whether a negative that BATS lists as right is left out.
    """

    random: Literal["positive", "query"] = "positive"
    reverse: Literal["random", "own"] = "random"
    type: Literal["positive", "printed"] = "positive"
    filter: bool = True


@dataclass(frozen=True)
class Partition:
    """The tuples of one partition of a relation, and the pairs that may not be its negatives.

    `answers`: head -> all its answers, over the whole relation; `forbidden`: pairs of words that belong to the other
    partition.
    """

    name: str
    pairs: Sequence[Pair]
    answers: Mapping[str, frozenset[str]]
    forbidden: frozenset[Pair]
    choices: Choices = field(default_factory=Choices)

    def negative(self, probe: str, query: int, positive: int, chance: random.Random) -> Pair | None:
        """Return a negative for the tuple number `positive` with the tuple number `query`, or None if there is none.

        - random_head (h', t) and random_tail (h, t'): one word of the positive (h, t) is replaced by that of another tuple.
        - reverse (t', h'): another tuple in the other order, drawn at random; the positive itself if no other is allowed.
        - type (h, h') or (t, t'): two heads or two tails, in turns. If no pair of the one kind is allowed, the other is
          taken.
        If no such negative of the positive is allowed, the negative is made from another tuple in the same way. `choices`
        makes them otherwise.

        >>> tuples = [("paris", "france"), ("rome", "italy"), ("oslo", "norway")]
        >>> partition = Partition("test", tuples, {head: frozenset([tail]) for head, tail in tuples}, frozenset())
        >>> partition.negative("reverse", query=0, positive=1, chance=random.Random(1))
        ('norway', 'oslo')
        >>> partition.negative("random_head", query=0, positive=1, chance=random.Random(1))
        ('oslo', 'italy')
        """
        others = [number for number in range(len(self.pairs)) if number not in (query, positive)]
        chance.shuffle(others)
        heads_first = (query + positive) % 2 == 1
        first = query if self.choices.random == "query" and probe.startswith("random") else positive
        for number in (first, *others):
            rest = [self.pairs[other] for other in others if other != number]
            for pair in _candidates(probe, self.pairs[number], rest, heads_first, self.choices):
                if self._allows(pair):
                    return pair
        return None

    def _allows(self, pair: Pair) -> bool:
        first, second = pair
        is_true = self.choices.filter and second in self.answers.get(first, ())
        return first != second and not is_true and pair not in self.forbidden


def _candidates(probe: str, pair: Pair, rest: Sequence[Pair], heads_first: bool, choices: Choices) -> Iterator[Pair]:
    """Yield the negatives that one tuple gives with the words of the `rest`, the likeliest choice first."""
    head, tail = pair
    if probe == "random_head":
        return ((other, tail) for other, _ in rest)
    if probe == "random_tail":
        return ((head, other) for _, other in rest)
    if probe == "reverse":
        of_others = () if choices.reverse == "own" else ((other_tail, other) for other, other_tail in rest)
        return itertools.chain(of_others, [(tail, head)])
    heads = itertools.chain(_printed([other for other, _ in rest], choices), ((head, other) for other, _ in rest))
    tails = itertools.chain(_printed([other for _, other in rest], choices), ((tail, other) for _, other in rest))
    return itertools.chain(heads, tails) if heads_first else itertools.chain(tails, heads)


def _printed(words: Sequence[str], choices: Choices) -> Iterator[Pair]:
    """Yield the pairs of two words of other tuples, if the type probe is to be as printed."""
    return itertools.permutations(words, 2) if choices.type == "printed" else iter(())


def shared_pairs(words: set[str], chance: random.Random) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """Divide the ordered pairs of the words that both partitions have; return those that training and test may not use.

    >>> train, test = shared_pairs({"a", "b", "c"}, random.Random(1))
    >>> len(train), len(test), train & test
    (3, 3, frozenset())
    """
    pairs = list(itertools.permutations(sorted(words), 2))
    chance.shuffle(pairs)
    return frozenset(pairs[::2]), frozenset(pairs[1::2])


# Families of tuples: tuples that are linked by words that they share, such as two animals with the same sound.
# What an agent knows of a shared word decides about all tuples of a family. In 23 of the 40 relations of BATS no two
# tuples share a word; in E09 (things and colours) the 50 tuples make eight families.


def families(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return for each pair of words the name of its family, which is that of the family's first pair.

    >>> families([("ant", "black"), ("blood", "red"), ("bat", "black"), ("rose", "red")])
    ['ant : black', 'blood : red', 'ant : black', 'blood : red']
    """
    family_of: dict[str, int] = {}  # word -> the number of a family
    merged: dict[int, int] = {}  # the number of a family -> that of the one that took it in

    def first(number: int) -> int:
        while number in merged:
            number = merged[number]
        return number

    for number, pair in enumerate(pairs):
        linked = {first(family_of[word]) for word in pair if word in family_of} | {number}
        merged.update(dict.fromkeys(linked - {min(linked)}, min(linked)))
        family_of.update(dict.fromkeys(pair, min(linked)))
    return [" : ".join(pairs[first(family_of[pair[0]])]) for pair in pairs]


def nearest_sum(sizes: Sequence[int], target: int) -> list[int]:
    """Return places of sizes whose sum is as near to the target as any choice's; of equal ones, the first that is found.

    >>> nearest_sum([5, 2, 4], 6), nearest_sum([5, 5], 4)
    ([1, 2], [0])
    """
    choices: dict[int, list[int]] = {0: []}
    for place, size in enumerate(sizes):
        for total, chosen in list(choices.items()):
            choices.setdefault(total + size, [*chosen, place])
    return choices[min(choices, key=lambda total: abs(total - target))]


# The tuples of all relations in two partitions, and a negative tuple for every positive one (sections 2.2 and 2.3).
# All of it is done in several draws: each draw divides the tuples anew, and draws other negatives.


MIN_TUPLES = 3
"""A partition needs three tuples: the query, the positive, and one that gives the negative its words."""


@dataclass(frozen=True)
class Split:
    """How the tuples of a relation are divided into training and test.

    `train_share`: the share of the tuples for training; `draws`: how many times they are divided. `lexical`: tuples that
    share a word stay together, so that no word of a test tuple is seen in training.
    """

    train_share: float
    seed: int
    draws: int = 1
    lexical: bool = False


def tuples(pairs: pl.DataFrame, size: int | None, split: Split) -> pl.DataFrame:
    """Split the tuples of every relation (ANALOGIES) at random into training and test (TUPLES).

    `size`: how many tuples of each relation are sampled (None: all of them). All draws divide the same sample. The sample
    and the draws of a relation depend only on the seed and on the tuples of this relation. DataError: a partition has fewer
    than three tuples, or a relation fewer than `size`.
    """
    parts = []
    for (code,), rows in pairs.group_by("relation", maintain_order=True):
        if size is not None and rows.height < size:
            raise DataError(f"{code} has {rows.height} tuples, but the config samples {size}: lower `sample.tuples`.")
        chance = random.Random(f"{split.seed} {code}")  # noqa: S311
        places = sorted(chance.sample(range(rows.height), size or rows.height))
        sampled = rows[places].with_columns(tail=pl.col("answers").list.first())
        family = families(sampled.select("head", "tail").rows())
        for draw in range(1, split.draws + 1):
            train = _training(str(code), family, split, draw)
            partition = pl.Series(["train" if place in train else "test" for place in range(len(places))])
            parts.append(sampled.with_columns(family=pl.Series(family), draw=pl.lit(draw), partition=partition))
    return pl.concat(parts).select(list(TUPLES)).cast(TUPLES)


def _training(code: str, family: Sequence[str], split: Split, draw: int) -> set[int]:
    """Return the places of the training tuples of a draw, among tuples of these families; DataError as in `tuples`."""
    count = len(family)
    chance = random.Random(f"{split.seed} {code} draw {draw}")  # noqa: S311
    order = chance.sample(range(count), count)
    train = set(order[: round(count * split.train_share)])
    if split.lexical:
        members = {name: [place for place in order if family[place] == name] for name in dict.fromkeys(family)}
        together = chance.sample(list(members.values()), len(members))
        chosen = nearest_sum([len(group) for group in together], len(train))
        train = {place for number in chosen for place in together[number]}
    if min(len(train), count - len(train)) < MIN_TUPLES:
        raise DataError(
            f"{code}: {len(train)} of {count} tuples are for training, but both partitions need {MIN_TUPLES}: "
            "raise `sample.tuples` or change `split.train_share`."
        )
    return train


def instances(
    table: pl.DataFrame, pairs: pl.DataFrame, size: int | None, seed: int, choices: Choices | None = None
) -> pl.DataFrame:
    """Pair every tuple of a partition, as the query, with every other as the positive, and add a negative (INSTANCES).

    `table`: the tuples of the study (TUPLES); `pairs`: all relations (ANALOGIES). `choices`: how negatives are made. A
    partition of n tuples has n(n-1) instances per draw and probe type. If `size` is smaller, `size` of them are drawn at
    random, the same for all probe types. Unless `choices` says otherwise, a negative is never a tuple of the relation:
    all answers count, and so do tuples that the sample left out. Within a draw, no pair of words is judged in both
    partitions; the same two words in the other order may be, for example as a negative of the type probe. DataError: a
    positive has no negative.
    """
    rows: list[tuple[str | int | None, ...]] = []
    for (code,), relation in table.group_by("relation", maintain_order=True):
        answers = {
            head: frozenset(words) for head, words in pairs.filter(relation=code).select("head", "answers").iter_rows()
        }
        for (draw,), of_draw in relation.group_by("draw", maintain_order=True):
            name = f"{code} draw {draw}"
            for partition in _partitions(of_draw, answers, f"{seed} {name}", choices or Choices()):
                for probe, *words in _partition_instances(name, partition, size, f"{seed} {name} {partition.name}"):
                    rows.append((code, draw, partition.name, probe, *words))
    return pl.DataFrame(rows, schema=INSTANCES, orient="row")


def _partitions(
    of_draw: pl.DataFrame, answers: Mapping[str, frozenset[str]], seed: str, choices: Choices
) -> list[Partition]:
    pairs_of: dict[str, list[Pair]] = {
        name: of_draw.filter(partition=name).select("head", "tail").rows() for name in ("train", "test")
    }
    words = [{word for pair in pairs for word in pair} for pairs in pairs_of.values()]
    forbidden = shared_pairs(words[0] & words[1], random.Random(f"{seed} shared"))  # noqa: S311
    return [
        Partition(name, pairs, answers, of_other, choices)
        for (name, pairs), of_other in zip(pairs_of.items(), forbidden, strict=True)
    ]


def _partition_instances(
    where: str, partition: Partition, size: int | None, seed: str
) -> Iterator[tuple[str | None, ...]]:
    """Yield the columns of INSTANCES from the probe on, of one partition of a relation in one draw."""
    pairs = partition.pairs
    numbers = list(itertools.permutations(range(len(pairs)), 2))
    if size is not None and size < len(numbers):
        numbers = sorted(random.Random(seed).sample(numbers, size))  # noqa: S311
    for probe in PROBE_TYPES:
        chance = random.Random(f"{seed} {probe}")  # noqa: S311
        for query, positive in numbers:
            negative = partition.negative(probe, query, positive, chance)
            if negative is None:
                raise DataError(
                    f"{where}, {partition.name}: {' : '.join(pairs[positive])} has no negative for the probe {probe!r} "
                    "that is not in the relation: raise `sample.tuples`, change `split.seed`, or leave this relation out."
                )
            yield probe, *pairs[query], *pairs[positive], *negative, None


# The control of the swapped query: instances whose query is made of two tuples of the same relation, Paris : Italy for
# Berlin : Germany. Its words are of the right kind and in the usual order, but nothing connects them, so that whatever an
# agent gets right comes from the two tuples that it judges, or from what all words of the relation look like. The accuracy
# with the right query says something about the pair of words only as far as it is above that with the swapped query.


logger = logging.getLogger("relprobe")
QUERY, POSITIVE = ["query_head", "query_tail"], ["head", "tail"]
NEGATIVE = ["negative_head", "negative_tail"]


def swapped_queries(instances: pl.DataFrame, tuples: pl.DataFrame, size: int, seed: int) -> pl.DataFrame:
    """Return controls (INSTANCES, with `instead_of`) of `size` test instances of each relation and draw, or of all of them.

    The instances of a relation and draw are the same in all probes, and so are their queries. The query is the head of a
    test tuple of the relation and draw (TUPLES) with the tail of another one, drawn at random; neither way round is it a
    tuple of the relation, and it has no word of the tuples that are judged. The log counts the instances without one.
    """
    parts, without = [], 0
    test, pairs = instances.filter(partition="test"), tuples.filter(partition="test")
    for (code, draw), rows in test.group_by("relation", "draw", maintain_order=True):
        chance = random.Random(f"{seed} {code} draw {draw} swapped")  # noqa: S311
        own = pairs.filter(relation=code, draw=draw).select(POSITIVE).rows()
        held = set(tuples.filter(relation=code).explode("answers").select("head", "answers").rows())
        swaps = _swaps(rows, _mixed(own, held), size, chance)
        without += swaps.filter(pl.col("other_head").is_null()).height
        parts.append(_with_queries(rows, swaps.drop_nulls("other_head")))
    if without:
        logger.info("no two tuples of the relation can make the query of %s test instances", f"{without:,}")
    return pl.concat([pl.DataFrame(schema=INSTANCES), *parts])


def _mixed(pairs: Sequence[Pair], held: AbstractSet[Pair]) -> list[Pair]:
    """Return all heads of pairs with the tails of others that are no pair of the relation (`held`), either way round.

    >>> _mixed([("paris", "france"), ("rome", "italy")], {("paris", "france"), ("rome", "italy")})
    [('paris', 'italy'), ('rome', 'france')]
    """
    heads, tails = (list(dict.fromkeys(words)) for words in zip(*pairs, strict=True))
    mixed = itertools.product(heads, tails)
    return [(head, tail) for head, tail in mixed if head != tail and held.isdisjoint([(head, tail), (tail, head)])]


def _swaps(rows: pl.DataFrame, others: Sequence[Pair], size: int, chance: random.Random) -> pl.DataFrame:
    """Draw `size` of a relation's queries with their positives, and for each a query of `others`, null if none fits."""
    words = rows.with_columns(words=pl.concat_list(*POSITIVE, *NEGATIVE))
    judged = words.group_by(*QUERY, *POSITIVE, maintain_order=True).agg("words")
    drawn = sorted(chance.sample(range(judged.height), min(size, judged.height)))
    chosen = judged[drawn]
    queries = [_query(others, set(itertools.chain(*of_probes)), chance) for of_probes in chosen["words"].to_list()]
    columns = {"other_head": pl.Series([head for head, _ in queries], dtype=pl.String)}
    columns["other_tail"] = pl.Series([tail for _, tail in queries], dtype=pl.String)
    return chosen.select(*QUERY, *POSITIVE).with_columns(**columns)


def _query(others: Sequence[Pair], taboo: AbstractSet[str], chance: random.Random) -> Pair | tuple[None, None]:
    """Return one of the `others` without a word of `taboo`."""
    fitting = [pair for pair in others if taboo.isdisjoint(pair)]
    return chance.choice(fitting) if fitting else (None, None)


def _with_queries(rows: pl.DataFrame, swaps: pl.DataFrame) -> pl.DataFrame:
    """Return the instances of the drawn queries and positives with the other queries in place of theirs."""
    joined = rows.join(swaps, on=[*QUERY, *POSITIVE], maintain_order="left")
    right = pl.format("{} : {}", *QUERY)
    return joined.with_columns(query_head="other_head", query_tail="other_tail", instead_of=right).select(
        list(INSTANCES)
    )


# What the study is about: the tuples of all relations, and the instances that ask about them.


class InstanceTables(NamedTuple):
    """The tuples of every relation and draw, and the instances that they make."""

    tuples: Tuples
    instances: Instances


def build(
    pairs: Analogies,
    split: Split,
    choices: Choices,
    *,
    sample_tuples: int | None = None,
    sample_instances: int | None = None,
    sample_swapped: int = 0,
) -> InstanceTables:
    """Split the tuples into training and test, and pair every positive with a negative per probe (sections 2.2, 2.3).

    Below them stand controls: `sample_swapped` test instances of each relation, draw and probe, with a query made
    of two other tuples. `pairs`: the manifest of BATS or of own analogies. `sample_tuples` of each relation are taken, and
    `sample_instances` of each relation, draw, partition and probe; without them all are taken. The samples and the
    negatives have the seed of the split.
    """
    sampled = tuples(pairs, sample_tuples, split)
    asked = instances(sampled, pairs, sample_instances, split.seed, choices)
    return InstanceTables(sampled, pl.concat([asked, swapped_queries(asked, sampled, sample_swapped, split.seed)]))
