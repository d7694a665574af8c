"""What counts as right: the tuples and the relatum sets (sections 4.1 and 4.3 of Cao et al.)."""

from dataclasses import replace

import polars as pl

from relprobe.core.relation import Relations, augment, in_lexicon, merge
from relprobe.studies.relations.schemas import RELATA


def tuples(sources: list[pl.DataFrame], relations: Relations) -> pl.DataFrame:
    """Unite the sources' tuples and augment them (Eq. 4 to 7), whatever any model's lexicon holds.

    A tuple of a word with itself is left out.
    """
    united = augment(merge(pl.concat(sources)), relations.inverse)
    return united.filter(pl.col("target") != pl.col("relatum"))


def targets_of(gold: pl.DataFrame, relations: Relations) -> dict[str, list[str]]:
    """Return the words that a lexical resource is asked about: part of speech -> targets of the relations that have it."""
    parts = {relation.code: relation.part_of_speech for relation in relations.entries}
    words = gold.select("target", part=pl.col("relation").replace_strict(parts, return_dtype=pl.String)).unique()
    return {part: words.filter(part=part)["target"].sort().to_list() for part in dict.fromkeys(parts.values())}


def relata(gold: pl.DataFrame, wordnet: pl.DataFrame, lexicon: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Return the relatum sets Y (section 4.3): the tuples and WordNet's relata of their targets, in the shared lexicon.

    A word that lands in two relations of one target is dropped from both, so the sets of a target are disjoint; but
    relations that name each other in `shares_words_with` may both have it.
    """
    targets = in_lexicon(gold, lexicon).select("target").unique()
    expansion = wordnet.select("target", "relation", "relatum", sources=pl.lit(["wordnet"]))
    pairs = merge(pl.concat([gold, expansion])).join(targets, on="target", how="semi")
    pairs = in_lexicon(pairs, lexicon).filter(pl.col("target") != pl.col("relatum"))
    return unambiguous(pairs, relations).select(list(RELATA))


def other_expansions(relations: Relations) -> dict[str, Relations | None]:
    """Return the relations under other choices of the expansion, by the choice's name; None stands for no expansion.

    "depth: 1" follows one link only, and "senses: first" the links of the first sense. A choice that changes no relation is
    left out.
    """
    choices: dict[str, Relations | None] = {"expansion: none": None}
    for name, change in (("depth: 1", {"depth": 1}), ("senses: first", {"senses": "first"})):
        entries = tuple(
            replace(one, wordnet=replace(one.wordnet, **change)) if one.wordnet else one for one in relations.entries
        )
        if entries != relations.entries:
            choices[name] = Relations(entries)
    return choices


def unambiguous(pairs: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Leave out the pairs whose words stand in another relation as well, unless the two relations may share words."""
    codes = relations.codes
    excluding = [(one, other) for one in codes for other in codes if relations.exclude(one, other)]
    exclusions = pl.DataFrame(excluding, schema=["relation", "other"], orient="row")
    several = pairs.filter(pl.len().over("target", "relatum") > 1).select("target", "relatum", "relation")
    others = several.rename({"relation": "other"})
    ambiguous = several.join(others, on=["target", "relatum"]).join(exclusions, on=["relation", "other"], how="semi")
    return pairs.join(ambiguous, on=["target", "relatum", "relation"], how="anti", maintain_order="left")
