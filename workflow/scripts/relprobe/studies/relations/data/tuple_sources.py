"""The sources of tuples, by the name of the resource."""

from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.manifest import fetched_folder, only_file
from relprobe.core.relation import Relations
from relprobe.sources import category_norms, hyperlex
from relprobe.sources.language import Language
from relprobe.sources.lexical import wordnet
from relprobe.sources.lexical.resource import Resource, first_sense_tuples
from relprobe.sources.own import tuples as own_tuples
from relprobe.studies.relations.data.tuple_sample import sample

PRINCETON = "nltk_wordnet"
"""The manifest of Princeton WordNet in nltk's form. Others are databases of WN-LMF files."""


def read(
    manifest: Path,
    relations: Relations,
    language: Language,
    exemplar_frequency: int,
    wordnet_sample: dict[str, Any] | None,
) -> pl.DataFrame:
    """Return the tuples (TUPLES) of the resource that `manifest` describes.

    Of the category norms, the exemplars that at least `exemplar_frequency` people named; of a lexical resource a sample of
    its frequent words.
    """
    if manifest.stem == "category_norms":
        codes = {one.category_norms: one.code for one in relations.entries if one.category_norms}
        return category_norms.read(only_file(manifest), codes, exemplar_frequency)
    if manifest.stem == "hyperlex":
        return hyperlex.read(only_file(manifest), relations.entries)
    if manifest.stem == "own_tuples":
        return own_tuples.read(only_file(manifest), relations.codes)
    assert wordnet_sample is not None, "the configuration has been validated"
    resource = lexical_resource(manifest, language)
    parts = dict.fromkeys(relation.part_of_speech for relation in relations.entries)
    words = resource.frequent_words(parts, wordnet_sample["words"])
    source = "wordnet" if manifest.stem == PRINCETON else manifest.stem
    links = first_sense_tuples(resource, words, relations.entries, source)
    several = wordnet_sample["several_relations"]
    return sample(links, wordnet_sample["tuples"], wordnet_sample["seed"], relations, several=several)


def lexical_resource(manifest: Path, language: Language) -> Resource:
    """Open the lexical resource that a manifest describes: Princeton WordNet, or a database of WN-LMF files."""
    folder = fetched_folder(manifest)
    if manifest.stem == PRINCETON:
        return wordnet.Princeton(wordnet.load(folder), language)
    from relprobe.sources.lexical.wn_lmf import WnLmf

    return WnLmf(folder, language)
