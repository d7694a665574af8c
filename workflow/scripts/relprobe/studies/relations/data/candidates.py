"""Closed lists of candidates as answers: the words of each list, which belongs to a relation, or to a relation and a target.

The own list of a target takes the place of its relation's.
"""

import logging
from pathlib import Path
from typing import NamedTuple

import polars as pl

from relprobe.lm.words.lexicon import Words
from relprobe.sources.lexical.resource import LINKED, linked_words
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.data import build
from relprobe.studies.relations.data.lexical_resource import LexicalResource
from relprobe.studies.relations.data.own_words import CANDIDATES, Candidates, read_candidates
from relprobe.studies.relations.schemas import Tuples

logger = logging.getLogger("relprobe")
KEY = ["relation", "target"]


class Lists(NamedTuple):
    """The closed lists, the tuples whose relatum is a candidate, and all words of lists, tuples and their expansion."""

    lists: Candidates
    listed: Tuples
    words: Words


def candidates(
    tuples: Tuples, relations: RelationsFile, wordnet: LexicalResource | None = None, own: Path | None = None
) -> Lists:
    """Make the closed lists of candidates: those of the file `own`, or all relata of each relation.

    `wordnet`: the lexical resource whose relata count, if there is one.
    """
    expansion = pl.DataFrame(schema=LINKED)
    if wordnet is not None:
        expansion = linked_words(wordnet, build.targets_of(tuples, relations), relations.entries)
    table = read_candidates(own, relations.codes) if own else of_relata(tuples, expansion)
    for (relation,), rows in table.group_by("relation", maintain_order=True):
        logger.info("%s has %s candidates", relation, f"{rows['word'].n_unique():,}")
    return Lists(table, keep_candidates(tuples, table), words_of(table, tuples, expansion))


def of_relata(tuples: pl.DataFrame, linked: pl.DataFrame) -> pl.DataFrame:
    """Return the default lists (CANDIDATES): for each relation all words that are its relata for any target.

    `tuples` (TUPLES) and `linked_words`, what a lexical resource adds (LINKED), whatever any lexicon holds.

    >>> links = pl.DataFrame({"target": ["robin", "ant"], "relation": ["HYP", "HYP"], "relatum": ["bird", "ant"]})
    >>> of_relata(links.clear(), links).rows()
    [('HYP', None, 'bird')]
    """
    pairs = pl.concat([table.select(*KEY, "relatum") for table in (tuples, linked)])
    words = pairs.filter(pl.col("target") != pl.col("relatum")).select("relation", word="relatum").unique()
    return words.select("relation", pl.lit(None, pl.String).alias("target"), "word").cast(CANDIDATES).sort(pl.all())


def keep_candidates(pairs: pl.DataFrame, lists: pl.DataFrame) -> pl.DataFrame:
    """Return the `pairs` (columns target, relation and relatum) whose relatum is a candidate for the relation and target.

    `lists`: CANDIDATES.

    >>> rows = [("HYP", None, "animal"), ("HYP", "robin", "bird")]
    >>> lists = pl.DataFrame(rows, schema=CANDIDATES, orient="row")
    >>> words = {"target": ["ant", "robin", "robin"], "relation": ["HYP"] * 3, "relatum": ["animal", "animal", "bird"]}
    >>> keep_candidates(pl.DataFrame(words), lists).rows()
    [('ant', 'HYP', 'animal'), ('robin', 'HYP', 'bird')]
    """
    renamed = lists.rename({"word": "relatum"})
    own, general = renamed.filter(pl.col("target").is_not_null()), renamed.filter(pl.col("target").is_null())
    places = pairs.with_row_index("row")
    with_own = places.join(own, on=KEY, how="semi")
    parts = [
        with_own.join(own, on=[*KEY, "relatum"], how="semi"),
        places.join(with_own, on="row", how="anti").join(general, on=["relation", "relatum"], how="semi"),
    ]
    return pl.concat(parts).sort("row").drop("row")


def words_of(lists: pl.DataFrame, *pairs: pl.DataFrame) -> pl.DataFrame:
    """Return all words of the lists and of `pairs` (target, relatum), sorted (column word)."""
    words = [lists["word"], *(table[name] for table in pairs for name in ("target", "relatum"))]
    return pl.DataFrame({"word": pl.concat([column.rename("word") for column in words]).unique().sort()})
