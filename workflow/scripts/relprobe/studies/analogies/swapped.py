"""The control of the swapped query: instances whose query is made of two tuples of the same relation.

An example is Paris : Italy for Berlin : Germany. Its words are of the right kind and in the usual order, but nothing
connects them, so that whatever an agent gets right comes from the two tuples that it judges, or from what all words of the
relation look like. The accuracy with the right query says something about the pair of words only as far as it is above that
with the swapped query.
"""

import itertools
import logging
import random
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import polars as pl

from relprobe.studies.analogies.method import Pair
from relprobe.studies.analogies.schemas import INSTANCES

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
        relation_pairs = pairs.filter(relation=code, draw=draw).select(POSITIVE).rows()
        held = set(tuples.filter(relation=code).explode("answers").select("head", "answers").rows())
        swaps = _swaps(rows, _mixed(relation_pairs, held), size, chance)
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


def _swaps(rows: pl.DataFrame, other_pairs: Sequence[Pair], size: int, chance: random.Random) -> pl.DataFrame:
    """Draw `size` of a relation's queries with their positives, and for each a query of `other_pairs`, null if none fits."""
    words = rows.with_columns(words=pl.concat_list(*POSITIVE, *NEGATIVE))
    judged = words.group_by(*QUERY, *POSITIVE, maintain_order=True).agg("words")
    drawn = sorted(chance.sample(range(judged.height), min(size, judged.height)))
    chosen = judged[drawn]
    queries = [
        _query(other_pairs, set(itertools.chain(*probe_words)), chance) for probe_words in chosen["words"].to_list()
    ]
    columns = {"other_head": pl.Series([head for head, _ in queries], dtype=pl.String)}
    columns["other_tail"] = pl.Series([tail for _, tail in queries], dtype=pl.String)
    return chosen.select(*QUERY, *POSITIVE).with_columns(**columns)


def _query(other_pairs: Sequence[Pair], taboo: AbstractSet[str], chance: random.Random) -> Pair | tuple[None, None]:
    """Return one of `other_pairs` without a word of `taboo`."""
    fitting = [pair for pair in other_pairs if taboo.isdisjoint(pair)]
    return chance.choice(fitting) if fitting else (None, None)


def _with_queries(rows: pl.DataFrame, swaps: pl.DataFrame) -> pl.DataFrame:
    """Return the instances of the drawn queries and positives with the other queries in place of theirs."""
    joined = rows.join(swaps, on=[*QUERY, *POSITIVE], maintain_order="left")
    right = pl.format("{} : {}", *QUERY)
    return joined.with_columns(query_head="other_head", query_tail="other_tail", instead_of=right).select(
        list(INSTANCES)
    )
