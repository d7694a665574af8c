"""The tuples of the study, and the sources that they come from, by the name of the resource."""

from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from relprobe.core.manifest import only_file
from relprobe.core.relation import Relations, merge
from relprobe.sources import category_norms, hyperlex
from relprobe.sources.language import Language, LanguageFile
from relprobe.sources.lexical.resource import first_sense_tuples
from relprobe.sources.own import tuples as own_tuples
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.data import build
from relprobe.studies.relations.data.lexical_resource import PRINCETON, lexical_resource
from relprobe.studies.relations.data.tuple_sample import sample
from relprobe.studies.relations.schemas import Tuples


class Sources(NamedTuple):
    """The tuples of the sources (`given`), and all tuples of the study."""

    given: Tuples
    out: Tuples


def tuples(
    sources: list[Path],
    relations: RelationsFile,
    language: LanguageFile,
    *,
    exemplar_frequency: int,
    wordnet_sample: dict[str, Any] | None = None,
) -> Sources:
    """Unite the tuples of the sources (`given`) and add the reverse of each (section 4.1).

    `sources` are manifests with the names of the resources. `relations` and `language`: the files of the study's relations
    and language, here and in all later steps. `exemplar_frequency`: how many people must have named an exemplar of a
    category norm. `wordnet_sample`: words of each part of speech, seed, and tuples per relation.
    """
    tables = [read(manifest, relations, language, exemplar_frequency, wordnet_sample) for manifest in sources]
    return Sources(merge(pl.concat(tables)), build.tuples(tables, relations))


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
