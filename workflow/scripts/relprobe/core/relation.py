"""The six semantic relations and the form of a tuple, in the words of the field.

A tuple (target, relation, relatum) says that the relatum is an r of the target: (robin, HYP, bird) reads
"bird is a hypernym of robin".
"""

import polars as pl

RELATIONS = ("HYP", "HPO", "HOL", "MER", "ANT", "SYN")

REVERSE = {"HYP": "HPO", "HPO": "HYP", "HOL": "MER", "MER": "HOL", "ANT": "ANT", "SYN": "SYN"}
"""(w, r, v) holds if and only if (v, REVERSE[r], w) does: Eq. 4 and 5 of Cao et al."""

SYMMETRIC = ("ANT", "SYN")
ASYMMETRIC = ("HYP", "HPO", "HOL", "MER")

NAMES = {
    "HYP": "hypernymy",
    "HPO": "hyponymy",
    "HOL": "holonymy",
    "MER": "meronymy",
    "ANT": "antonymy",
    "SYN": "synonymy",
}

TUPLES = pl.Schema(
    {"target": pl.String(), "relation": pl.String(), "relatum": pl.String(), "sources": pl.List(pl.String())}
)


def augment(tuples: pl.DataFrame) -> pl.DataFrame:
    """Add the reverse of every tuple (Eq. 4, 6 and 7) and merge duplicates, uniting their sources."""
    reverse = tuples.select(
        target="relatum",
        relation=pl.col("relation").replace_strict(REVERSE),
        relatum="target",
        sources="sources",
    )
    return merge(pl.concat([tuples, reverse]))


def merge(tuples: pl.DataFrame) -> pl.DataFrame:
    """Merge equal tuples, uniting their sources, and put them into a fixed order."""
    key = ["target", "relation", "relatum"]
    united = tuples.explode("sources").group_by(key).agg(pl.col("sources").unique().sort())
    return united.sort(key).select(list(TUPLES))


def in_lexicon(pairs: pl.DataFrame, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Keep the tuples whose target and relatum both stand in the shared lexicon (a column `word`)."""
    words = lexicon["word"].implode()
    return pairs.filter(pl.col("target").is_in(words) & pl.col("relatum").is_in(words))
