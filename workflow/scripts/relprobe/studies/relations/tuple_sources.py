"""The sources of tuples, by the name of the resource."""

from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.manifest import fetched_folder, only_file
from relprobe.sources import category_norms, hyperlex, own_tuples, wordnet
from relprobe.studies.relations.build import sample

READERS = {"hyperlex": hyperlex.read, "own_tuples": own_tuples.read}


def read(manifest: Path, exemplar_frequency: int, wordnet_sample: dict[str, Any] | None) -> pl.DataFrame:
    """Return the tuples (TUPLES) of the resource that `manifest` describes.

    Of the category norms, the exemplars that at least `exemplar_frequency` people named; of WordNet a sample of its
    frequent nouns.
    """
    if manifest.stem == "category_norms":
        return category_norms.read(only_file(manifest), exemplar_frequency)
    if manifest.stem in READERS:
        return READERS[manifest.stem](only_file(manifest))
    assert wordnet_sample is not None, "the configuration has been validated"
    reader = wordnet.load(fetched_folder(manifest))
    nouns = wordnet.frequent_nouns(reader, wordnet_sample["nouns"])
    return sample(wordnet.first_sense_tuples(reader, nouns), wordnet_sample["tuples"], wordnet_sample["seed"])
