"""Semantic relations and the form of a tuple, in the words of the field. Which relations there are, a file says.

A tuple (target, relation, relatum) says that the relatum is an r of the target: (robin, HYP, bird) reads
"bird is a hypernym of robin".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import polars as pl


@dataclass(frozen=True)
class Links:
    """How a lexical resource gives the words of a relation.

    `pointers`: the links to follow (sources/lexical/pointers.py names them), of all senses of the target or of the first
    one, up to `depth` steps. `spelling`: "written" takes a word as it is written, so that a lemma has its own senses alone;
    "any" passes over capitals and adds the senses of what it may be an inflected form of, as nltk does and the paper did.
    `tuples`: whether the direct links between the first senses of two words are also tuples of the study.
    """

    pointers: tuple[str, ...]
    depth: int = 1
    senses: Literal["all", "first"] = "all"
    spelling: Literal["written", "any"] = "written"
    tuples: bool = False


@dataclass(frozen=True)
class Relation:
    """A relation: its code, its name, the code of its inverse, and where its words come from.

    (w, r, v) holds if and only if (v, inverse of r, w) does (Eq. 4 and 5 of Cao et al.): robin has the hypernym bird, so
    bird has the hyponym robin. A symmetric relation is its own inverse. `part_of_speech` is that of the target. `wordnet`:
    how a lexical resource gives its words; without it, a relatum set holds only the words of the tuples. `shares_words_with`
    names the relations whose relatum sets may hold the same word; a word in the sets of other relations too is dropped.
    `prototypical`: whether people's answers are ranked, so that prototypicality is measured. `answers`: its name in the
    authors' file of people's answers. `sources`: source of tuples -> its name there, for sources with names of their own.
    """

    code: str
    name: str
    inverse: str
    part_of_speech: str = "noun"
    wordnet: Links | None = None
    shares_words_with: tuple[str, ...] = ()
    prototypical: bool = False
    answers: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Relations:
    """The relations of a study, in the order of its tables and figures."""

    entries: tuple[Relation, ...]

    @cached_property
    def by_code(self) -> Mapping[str, Relation]:
        """Code -> relation."""
        return {relation.code: relation for relation in self.entries}

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """All codes."""
        return tuple(self.by_code)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Code -> name."""
        return {relation.code: relation.name for relation in self.entries}

    @cached_property
    def inverse(self) -> Mapping[str, str]:
        """Code -> code of the inverse."""
        return {relation.code: relation.inverse for relation in self.entries}

    @cached_property
    def symmetric(self) -> tuple[str, ...]:
        """The codes of the relations that are their own inverse."""
        return tuple(relation.code for relation in self.entries if relation.inverse == relation.code)

    @cached_property
    def prototypical(self) -> tuple[str, ...]:
        """The codes of the relations whose prototypicality is measured."""
        return tuple(relation.code for relation in self.entries if relation.prototypical)

    @cached_property
    def answer_keys(self) -> Mapping[str, str]:
        """The names that relations have in a file of people's answers, their keys `answers` or their codes -> codes."""
        return {
            name: relation.code
            for relation in self.entries
            for name in (relation.answers or relation.code, relation.code)
        }

    @property
    def pairs(self) -> int:
        """The number of ordered pairs of different relations, which is the highest possible AuDC."""
        return len(self.entries) * (len(self.entries) - 1)

    @property
    def order(self) -> pl.Enum:
        """The type of a column of codes that sorts in the order of the relations."""
        return pl.Enum(self.codes)

    def exclude(self, first: str, second: str) -> bool:
        """Return whether no word may be in the relatum sets of both relations of one target."""
        shared = second in self.by_code[first].shares_words_with or first in self.by_code[second].shares_words_with
        return first != second and not shared


TUPLES = pl.Schema(
    {"target": pl.String(), "relation": pl.String(), "relatum": pl.String(), "sources": pl.List(pl.String())}
)


def augment(tuples: pl.DataFrame, inverse: Mapping[str, str]) -> pl.DataFrame:
    """Add the inverse of every tuple (Cao et al., Eq. 4, 6 and 7) and merge equal tuples (TUPLES).

    `inverse`: code of a relation -> code of its inverse.

    >>> table = pl.DataFrame([("robin", "HYP", "bird", ["wordnet"])], schema=TUPLES, orient="row")
    >>> [row[:3] for row in augment(table, {"HYP": "HPO", "HPO": "HYP"}).rows()]
    [('bird', 'HPO', 'robin'), ('robin', 'HYP', 'bird')]
    """
    reverse = tuples.select(
        target="relatum",
        relation=pl.col("relation").replace_strict(inverse, return_dtype=pl.String),
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
