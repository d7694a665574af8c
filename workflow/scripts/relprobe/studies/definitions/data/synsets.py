"""The synsets of the study: those of WordNet, or a user's own dictionary."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.files import Format
from relprobe.core.manifest import fetched_folder, only_file
from relprobe.sources.lexical.wordnet import load
from relprobe.sources.lexical.wordnet_synsets import POS as LETTERS
from relprobe.sources.lexical.wordnet_synsets import SYNSETS, synsets
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own.definitions import Entry
from relprobe.studies.definitions.data.template import OWN

ENGLISH = "en"


def read(manifest: Path, parts_of_speech: list[str]) -> dict[str, pl.DataFrame]:
    """Return part of speech -> its synsets (SYNSETS) in a fetched resource.

    `manifest`: that of resources.own_definitions, whose own parts of speech are taken, or that of the prepared WordNet.
    """
    if manifest.stem == OWN:
        return of_entries(own_definitions.read(only_file(manifest)))
    wordnet = load(fetched_folder(manifest))
    return {pos: synsets(wordnet, pos) for pos in parts_of_speech}


Synsets = Annotated[dict[str, pl.DataFrame], Format(read)]
"""Part of speech -> its synsets (SYNSETS)."""


def of_entries(entries: Iterable[Entry]) -> dict[str, pl.DataFrame]:
    """Return the senses of an own dictionary as synsets (SYNSETS), numbered like those of WordNet; groups are hypernyms.

    >>> rows = [Entry("nod", "verb", "lower the head", "gesture"), Entry("nod", "verb", "agree", "gesture")]
    >>> of_entries(rows)["verb"].select("synset", "word", "hypernyms").rows()
    [('nod.v.01', 'nod', ['gesture']), ('nod.v.02', 'nod', ['gesture'])]
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for entry in entries:
        groups.setdefault((entry.pos, entry.word, entry.definition), []).append(entry.group)
    senses: Counter[tuple[str, str]] = Counter()
    rows: dict[str, list[tuple[object, ...]]] = {}
    for (pos, word, definition), of_sense in groups.items():
        senses[pos, word] += 1
        name = f"{word.replace(' ', '_')}.{LETTERS[pos]}.{senses[pos, word]:02}"
        rows.setdefault(pos, []).append((name, pos, word, definition, None, sorted(of_sense)))
    return {pos: pl.DataFrame(rows[pos], schema=SYNSETS, orient="row") for pos in LETTERS if pos in rows}


def counts_of(entries: Iterable[Entry]) -> Mapping[str, int]:
    """Return word -> its uses, of the entries that say so."""
    return {entry.word: entry.count for entry in entries if entry.count is not None}
