"""Pairs of the symmetric relations: which of them depend on each other."""

from collections.abc import Sequence

import polars as pl


def linked_pairs(tuples: pl.DataFrame, symmetric: Sequence[str]) -> pl.DataFrame:
    """Return relation, target, relatum and cluster of the tuples of the `symmetric` relations.

    Pairs with a common word share probes, so their values depend on each other. The cluster of a pair is the first word, in
    the alphabet, of all pairs that are linked to it by common words. `tuples`: target, relation and relatum of all tuples of
    the study, so that a pair has the same cluster for every agent.

    >>> rows = [("day", "ANT", "night"), ("day", "ANT", "dark"), ("dark", "ANT", "light"), ("up", "ANT", "down")]
    >>> table = linked_pairs(pl.DataFrame(rows, schema=["target", "relation", "relatum"], orient="row"), ["ANT"])
    >>> dict(table.select("relatum", "cluster").sort("relatum").iter_rows())
    {'dark': 'dark', 'down': 'down', 'light': 'dark', 'night': 'dark'}
    """
    pairs = tuples.filter(pl.col("relation").is_in(symmetric)).select("relation", "target", "relatum").unique()
    parts = [
        of_relation.with_columns(cluster=_first_words(of_relation))
        for (_,), of_relation in pairs.sort(pl.all()).group_by("relation", maintain_order=True)
    ]
    return pl.concat(parts) if parts else pairs.with_columns(cluster=pl.lit(None, pl.String))


def _first_words(pairs: pl.DataFrame) -> pl.Series:
    """Return the first word of the words that each pair is linked to."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    words = pl.concat([pairs["target"], pairs["relatum"]]).unique().sort()
    number = pl.Enum(words)
    ends = [pairs[name].cast(number).to_physical().to_numpy() for name in ("target", "relatum")]
    links = coo_array(([1] * len(pairs), ends), shape=(len(words), len(words)))
    group = pl.Series(connected_components(links, directed=False)[1])
    first = pl.DataFrame({"word": words, "group": group}).with_columns(pl.col("word").first().over("group"))["word"]
    return first.gather(ends[0])
