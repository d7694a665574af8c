"""The sources of tuples, by the name of the resource."""

from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.manifest import fetched_folder, only_file
from relprobe.core.relation import Relations
from relprobe.sources import category_norms, hyperlex, own_tuples, wordnet
from relprobe.studies.relations.build import sample


def read(
    manifest: Path, relations: Relations, exemplar_frequency: int, wordnet_sample: dict[str, Any] | None
) -> pl.DataFrame:
    """Return the tuples (TUPLES) of the resource that `manifest` describes.

    Of the category norms, the exemplars that at least `exemplar_frequency` people named; of WordNet a sample of its
    frequent words.
    """
    if manifest.stem == "category_norms":
        codes = {one.category_norms: one.code for one in relations.entries if one.category_norms}
        return category_norms.read(only_file(manifest), codes, exemplar_frequency)
    if manifest.stem == "hyperlex":
        return hyperlex.read(only_file(manifest), relations.entries)
    if manifest.stem == "own_tuples":
        return own_tuples.read(only_file(manifest), relations.codes)
    assert wordnet_sample is not None, "the configuration has been validated"
    reader = wordnet.load(fetched_folder(manifest))
    parts = dict.fromkeys(relation.part_of_speech for relation in relations.entries)
    words = wordnet.frequent_words(reader, parts, wordnet_sample["words"])
    links = wordnet.first_sense_tuples(reader, words, relations.entries)
    return sample(links, wordnet_sample["tuples"], wordnet_sample["seed"], relations)
