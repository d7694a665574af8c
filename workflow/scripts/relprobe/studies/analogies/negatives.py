"""The negative tuples of each probe type (section 2.2).

The paper leaves open whether "(hj, ti)" replaces a word of the positive tuple or of the query. Here it replaces a word of
the positive: a negative that shares a word with the query would resemble the query for that word alone.
"""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Pair = tuple[str, str]


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

    def negative(self, probe: str, query: int, positive: int, chance: random.Random) -> Pair | None:
        """Return a negative for the tuple number `positive` with the tuple number `query`, or None if there is none.

        - random_head (h', t) and random_tail (h, t'): one word of the positive (h, t) is replaced by that of another tuple.
        - reverse (t, h): the positive in the other order.
        - type (h, h') or (t, t'): two heads or two tails, in turns. If no pair of the one kind is allowed, the other is
          taken.
        If no such negative of the positive is allowed, the negative is made from another tuple in the same way.

        >>> tuples = [("paris", "france"), ("rome", "italy"), ("oslo", "norway")]
        >>> partition = Partition("test", tuples, {head: frozenset([tail]) for head, tail in tuples}, frozenset())
        >>> partition.negative("reverse", query=0, positive=1, chance=random.Random(1))
        ('italy', 'rome')
        >>> partition.negative("random_head", query=0, positive=1, chance=random.Random(1))
        ('oslo', 'italy')
        """
        others = [number for number in range(len(self.pairs)) if number not in (query, positive)]
        chance.shuffle(others)
        heads_first = (query + positive) % 2 == 1
        for number in (positive, *others):
            rest = [self.pairs[other] for other in others if other != number]
            for pair in _candidates(probe, self.pairs[number], rest, heads_first):
                if self._allows(pair):
                    return pair
        return None

    def _allows(self, pair: Pair) -> bool:
        first, second = pair
        return first != second and second not in self.answers.get(first, ()) and pair not in self.forbidden


def _candidates(probe: str, pair: Pair, rest: Sequence[Pair], heads_first: bool) -> Iterator[Pair]:
    head, tail = pair
    if probe == "random_head":
        return ((other, tail) for other, _ in rest)
    if probe == "random_tail":
        return ((head, other) for _, other in rest)
    if probe == "reverse":
        return iter([(tail, head)])
    heads = ((head, other) for other, _ in rest)
    tails = ((tail, other) for _, other in rest)
    return itertools.chain(heads, tails) if heads_first else itertools.chain(tails, heads)


def shared_pairs(words: set[str], chance: random.Random) -> tuple[frozenset[Pair], frozenset[Pair]]:
    """Divide the ordered pairs of the words that both partitions have; return those that training and test may not use.

    >>> train, test = shared_pairs({"a", "b", "c"}, random.Random(1))
    >>> len(train), len(test), train & test
    (3, 3, frozenset())
    """
    pairs = list(itertools.permutations(sorted(words), 2))
    chance.shuffle(pairs)
    return frozenset(pairs[::2]), frozenset(pairs[1::2])
