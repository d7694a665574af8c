"""The negative tuples of the probes (section 2.2).

The paper leaves open whether "(hj, ti)" replaces a word of the positive tuple or of the query. It is the positive's here: a
negative that shares a word with the query would be near it for that word alone.
"""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

Pair = tuple[str, str]


@dataclass(frozen=True)
class Partition:
    """The tuples of one partition of a relation, and what may not be a negative of it.

    `known`: head -> all its answers, of the whole relation; `barred`: pairs of words that belong to the other partition.
    """

    name: str
    pairs: Sequence[Pair]
    known: Mapping[str, frozenset[str]]
    barred: frozenset[Pair]

    def negative(self, probe: str, query: int, positive: int, chance: random.Random) -> Pair | None:
        """Return a negative for the tuple number `positive`, asked with the tuple number `query`; None: there is none.

        - random_head (h', t) and random_tail (h, t'): a word of the positive (h, t) replaced by that of another tuple.
        - reverse (t, h): the positive itself the other way round.
        - type (h, h') or (t, t'), by turns: two heads or two tails; if those are all taken, the others.
        Where no such negative of the positive is allowed, it is that of another tuple.
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
        return first != second and second not in self.known.get(first, ()) and pair not in self.barred


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
    """Give every pair of words that both partitions have to one of them: return what training and test may not use."""
    pairs = list(itertools.permutations(sorted(words), 2))
    chance.shuffle(pairs)
    return frozenset(pairs[::2]), frozenset(pairs[1::2])
