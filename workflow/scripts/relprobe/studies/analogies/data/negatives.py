"""The negative tuples of each probe type (section 2.2), and the choices that the paper leaves open about them.

*random*: the paper writes (h_j, t_i) and (h_i, t_j), where i is the input's index. Read literally, a word of the query
is replaced, and the negative shares its other word with the query. Then the difference vectors of the negative and the
query are alike for that word alone. GloVe vectors on all of BATS, one draw: 78.5 % supervised and 24.2 % unsupervised,
which is far below a guess, but 69.5 and 63.5 % if a word of the positive is replaced. The paper's static vectors (fastText)
have 69.3 and 65.7 %. So the positive is the default.

*reverse*: the paper writes "simply a random tuple from R in which the positions of head and tail are reversed", and
(t_i, h_i) in the same sentence. With GloVe, unsupervised, ES, LS, DM and IM have 93.3, 64.6, 95.5 and 97.2 % with a random
tuple, and 89.8, 61.4, 92.2 and 94.6 % with the positive's own words (one draw). The paper's fastText has 92.4, 68.1, 96.0
and 96.8 %. So the random tuple is the default.

*type*: "any two tuples (h_j, h_k) (h_i ≠ h_j ≠ h_k) and (t_j, t_k)" has no word of the input. Here a word of the positive
stands beside that of another tuple, so that both tuples of an instance share a word, as in *random*; `printed` has none.

*filter*: in one-to-many relations, a negative may be right. BATS lists several answers, and no negative is one of them,
unless the filter is off. The paper does not say whether it filters.
"""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

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
