"""Closed lists as answers: the words of each list, which may belong to a relation, or to a relation and a target.

The own list of a target takes the place of its relation's.
"""

import polars as pl

from relprobe.studies.relations.data.own_words import CANDIDATES

KEY = ["relation", "target"]


def of_relata(tuples: pl.DataFrame, linked: pl.DataFrame) -> pl.DataFrame:
    """Return the default lists (CANDIDATES): for each relation all words that are its relata for any target.

    `tuples` (TUPLES) and `linked`, what a lexical resource adds (LINKED), whatever any lexicon holds.

    >>> links = pl.DataFrame({"target": ["robin", "ant"], "relation": ["HYP", "HYP"], "relatum": ["bird", "ant"]})
    >>> of_relata(links.clear(), links).rows()
    [('HYP', None, 'bird')]
    """
    pairs = pl.concat([table.select(*KEY, "relatum") for table in (tuples, linked)])
    words = pairs.filter(pl.col("target") != pl.col("relatum")).select("relation", word="relatum").unique()
    return words.select("relation", pl.lit(None, pl.String).alias("target"), "word").cast(CANDIDATES).sort(pl.all())


def listed(pairs: pl.DataFrame, candidates: pl.DataFrame) -> pl.DataFrame:
    """Return the `pairs` (columns target, relation and relatum) whose relatum is a candidate for the relation and target.

    `candidates`: CANDIDATES.

    >>> rows = [("HYP", None, "animal"), ("HYP", "robin", "bird")]
    >>> candidates = pl.DataFrame(rows, schema=CANDIDATES, orient="row")
    >>> words = {"target": ["ant", "robin", "robin"], "relation": ["HYP"] * 3, "relatum": ["animal", "animal", "bird"]}
    >>> listed(pl.DataFrame(words), candidates).rows()
    [('ant', 'HYP', 'animal'), ('robin', 'HYP', 'bird')]
    """
    lists = candidates.rename({"word": "relatum"})
    own, general = lists.filter(pl.col("target").is_not_null()), lists.filter(pl.col("target").is_null())
    places = pairs.with_row_index("row")
    with_own = places.join(own, on=KEY, how="semi")
    parts = [
        with_own.join(own, on=[*KEY, "relatum"], how="semi"),
        places.join(with_own, on="row", how="anti").join(general, on=["relation", "relatum"], how="semi"),
    ]
    return pl.concat(parts).sort("row").drop("row")


def words_of(candidates: pl.DataFrame, *pairs: pl.DataFrame) -> pl.DataFrame:
    """Return all words of the lists and of `pairs` (target, relatum), sorted (column word)."""
    words = [candidates["word"], *(table[name] for table in pairs for name in ("target", "relatum"))]
    return pl.DataFrame({"word": pl.concat([column.rename("word") for column in words]).unique().sort()})
