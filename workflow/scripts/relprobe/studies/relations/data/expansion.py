"""The words that a lexical resource adds to the relatum sets, as the relations file says and under other choices."""

import polars as pl

from relprobe.core.relation import Relations
from relprobe.sources.lexical.resource import LINKED, Resource, linked_words
from relprobe.studies.relations.data import build
from relprobe.studies.relations.schemas import ALTERNATIVES


def expansions(
    resource: Resource | None, gold: pl.DataFrame, relations: Relations
) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Return the words that a lexical resource adds for the targets of `gold` (LINKED), and those under other choices.

    The choices are those of `build.other_expansions`. Without a resource no words are added, and there are no choices.
    """
    if resource is None:
        return pl.DataFrame(schema=LINKED), {}
    targets = build.targets_of(gold, relations)
    own = linked_words(resource, targets, relations.entries)
    others = build.other_expansions(relations).items()
    return own, {
        name: own.clear() if one is None else linked_words(resource, targets, one.entries) for name, one in others
    }


def alternatives(
    gold: pl.DataFrame, others: dict[str, pl.DataFrame], lexicon: pl.DataFrame, relations: Relations
) -> pl.DataFrame:
    """Return the relatum sets under other choices of the expansion (ALTERNATIVES); `others`: choice -> LINKED."""
    tables = [
        build.relata(gold, words, lexicon, relations).select(pl.lit(choice).alias("choice"), pl.all())
        for choice, words in others.items()
    ]
    return pl.concat([pl.DataFrame(schema=ALTERNATIVES), *tables])
