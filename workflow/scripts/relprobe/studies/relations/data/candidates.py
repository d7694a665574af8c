"""The closed lists of candidates of the study, and the words that they and the tuples have."""

import logging
from pathlib import Path
from typing import NamedTuple

import polars as pl

from relprobe.lm.words.lexicon import Words
from relprobe.sources.lexical.resource import LINKED, linked
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.data import build, closed_lists
from relprobe.studies.relations.data.lexical_resource import LexicalResource
from relprobe.studies.relations.data.own_words import Candidates, read_candidates
from relprobe.studies.relations.schemas import Tuples

logger = logging.getLogger("relprobe")


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
        expansion = linked(wordnet, build.targets_of(tuples, relations), relations.entries)
    table = read_candidates(own, relations.codes) if own else closed_lists.of_relata(tuples, expansion)
    for (relation,), rows in table.group_by("relation", maintain_order=True):
        logger.info("%s has %s candidates", relation, f"{rows['word'].n_unique():,}")
    listed, words = closed_lists.listed(tuples, table), closed_lists.words_of(table, tuples, expansion)
    return Lists(table, listed, words)
