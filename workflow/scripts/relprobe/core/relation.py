"""The semantic relations and the form of a tuple, in the words of the field.

A tuple (target, relation, relatum) says that the relatum is an r of the target: (robin, HYP, bird) reads
"bird is a hypernym of robin".
"""

from dataclasses import dataclass

import polars as pl


@dataclass(frozen=True)
class Relation:
    """A relation: its code, its name, and the code of its reverse.

    (w, r, v) holds if and only if (v, reverse of r, w) does (Eq. 4 and 5 of Cao et al.): robin has the hypernym bird, so
    bird has the hyponym robin. A symmetric relation is its own reverse.
    """

    code: str
    name: str
    reverse: str


TABLE = (
    Relation("HYP", "hypernymy", "HPO"),
    Relation("HPO", "hyponymy", "HYP"),
    Relation("HOL", "holonymy", "MER"),
    Relation("MER", "meronymy", "HOL"),
    Relation("ANT", "antonymy", "ANT"),
    Relation("SYN", "synonymy", "SYN"),
)
"""All relations, in the order of tables and figures."""
RELATIONS = tuple(relation.code for relation in TABLE)
NAMES = {relation.code: relation.name for relation in TABLE}
REVERSE = {relation.code: relation.reverse for relation in TABLE}
SYMMETRIC = tuple(relation.code for relation in TABLE if relation.reverse == relation.code)
ASYMMETRIC = tuple(relation.code for relation in TABLE if relation.reverse != relation.code)

TUPLES = pl.Schema(
    {"target": pl.String(), "relation": pl.String(), "relatum": pl.String(), "sources": pl.List(pl.String())}
)


def augment(tuples: pl.DataFrame) -> pl.DataFrame:
    """Add the reverse of every tuple (Cao et al., Eq. 4, 6 and 7) and merge equal tuples (TUPLES).

    >>> table = pl.DataFrame([("robin", "HYP", "bird", ["wordnet"])], schema=TUPLES, orient="row")
    >>> [row[:3] for row in augment(table).rows()]
    [('bird', 'HPO', 'robin'), ('robin', 'HYP', 'bird')]
    """
    reverse = tuples.select(
        target="relatum",
        relation=pl.col("relation").replace_strict(REVERSE),
        relatum="target",
        sources="sources",
    )
    return merge(pl.concat([tuples, reverse]))


def merge(tuples: pl.DataFrame) -> pl.DataFrame:
    """Merge equal tuples (TUPLES). The result is sorted, and a tuple has the sources of all its duplicates, sorted."""
    key = ["target", "relation", "relatum"]
    united = tuples.explode("sources").group_by(key).agg(pl.col("sources").unique().sort())
    return united.sort(key).select(list(TUPLES))


def in_lexicon(pairs: pl.DataFrame, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of `pairs` whose target and relatum are both words of the shared lexicon (column `word`)."""
    words = lexicon["word"].implode()
    return pairs.filter(pl.col("target").is_in(words) & pl.col("relatum").is_in(words))
