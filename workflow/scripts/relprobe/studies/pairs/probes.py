"""The items of the study as files, and what models are asked about them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import polars as pl

from relprobe.core.files import Format
from relprobe.core.manifest import fetched_folder, manifest_format, only_file
from relprobe.lm.words.lexicon import Words
from relprobe.sources.hyperlex import Split
from relprobe.sources.language import LanguageFile
from relprobe.sources.lexical import wordnet
from relprobe.sources.lexical.resource import Resource, first_sense_tuples, linked_words
from relprobe.sources.lexical.wordnet import Princeton
from relprobe.sources.own import judged_pairs
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.sources.relations import RelationsFile
from relprobe.studies.pairs import data, method
from relprobe.studies.pairs.data import Data, Sample
from relprobe.studies.pairs.prompts import PromptFile
from relprobe.studies.pairs.schemas import KNOWN, RATERS, Items, Probes, Raters


def read_wordnet(manifest: Path, language: LanguageFile) -> Resource:
    """Open the WordNet that a manifest describes, with the words of a language."""
    return Princeton(wordnet.load(fetched_folder(manifest)), language)


def read_own(manifest: Path) -> list[JudgedPair]:
    """Read the only file of a fetched resource as judged pairs."""
    return judged_pairs.read(only_file(manifest))


WordNet = Annotated[Resource, Format(read_wordnet)]
OwnPairs = Annotated[list[JudgedPair], Format(read_own)]
HyperLexFolder = Annotated[Path, manifest_format(lambda folder: folder)]


def items(
    relations: RelationsFile,
    language: LanguageFile,
    wordnet: WordNet | None = None,
    hyperlex: HyperLexFolder | None = None,
    judged: OwnPairs | None = None,
    lexicon: Words | None = None,
    *,
    sample: dict[str, Any] | None = None,
    split: Split = "none",
    part: str | None = None,
) -> Data:
    """Make the items of all sets: pairs with foils from WordNet, HyperLex, and own pairs.

    `lexicon`: the words that pairs of WordNet may have; without it they may have any length. `sample`: how these are
    drawn, as in the configuration. `split`, `part`: of HyperLex.
    """
    known_relata, parts = pl.DataFrame(schema=KNOWN), list[tuple[Items, Raters]]()
    if wordnet is not None and sample is not None:
        pairs, known_relata = wordnet_pairs(wordnet, relations, lexicon, sample)
        parts.append((pairs, pl.DataFrame(schema=RATERS)))
    if hyperlex is not None:
        parts.append(data.hyperlex(hyperlex, split, part))
    if judged is not None:
        parts.append(data.own_pairs(judged))
    return data.join_parts(parts, known_relata)


def wordnet_pairs(
    resource: Resource, relations: RelationsFile, lexicon: Words | None, sample: Mapping[str, Any]
) -> tuple[Items, pl.DataFrame]:
    """Return the pairs of a lexical resource with foils, and what it knows of the relations (KNOWN).

    The words are the most frequent ones of each part of speech, as many as `sample` says, and of these those of the
    lexicon.
    """
    parts = dict.fromkeys(relation.part_of_speech for relation in relations.entries)
    words = resource.frequent_words(parts, sample["words"])
    allowed = None if lexicon is None else set(lexicon["word"])
    allowed_words = {
        part: [word for word in part_words if allowed is None or word in allowed] for part, part_words in words.items()
    }
    tuples = first_sense_tuples(resource, allowed_words, relations.entries, data.WORDNET)
    sets = linked_words(resource, words, relations.entries)
    drawn = Sample(sample["targets"], sample["each"], sample["seed"], sample["shared_relata"])
    ranked = list(dict.fromkeys(word for part_words in allowed_words.values() for word in part_words))
    return data.with_foils(tuples, sets, ranked, relations, drawn), data.known_of(sets)


def probe_table(item_table: Items, prompts: PromptFile, language: LanguageFile) -> Probes:
    """Put the pairs, and each of their words alone, into the prompts of their relations (`method.probes`)."""
    return method.probes(item_table, prompts, language.articles.chooser)
