"""The dictionary whose synsets make the groups: WordNet, or one of the user, with an example of its files."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

import polars as pl

from relprobe.core.files import Format, Text
from relprobe.core.manifest import fetched_folder, only_file
from relprobe.sources.lexical.wordnet_synsets import POS as LETTERS
from relprobe.sources.lexical.wordnet_synsets import SYNSETS, synsets
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own.definitions import Entry

OWN = "own_definitions"
"""The resource with an own dictionary; it takes the place of WordNet."""
DICTIONARY = """word,part_of_speech,definition,group,language,count
beckon,verb,signal with the hands or nod,gesture,en,57
nod,verb,express or signify by nodding,gesture,en,310
wink,verb,signal by winking,gesture,en,140
bow,verb,"bend one's knee or body, or lower one's head",gesture,en,880
shrug,verb,raise one's shoulders to show that one does not know,gesture,en,120
hammer,noun,a tool with a heavy head that drives nails,tool,en,2100
saw,noun,a tool with a blade of teeth that cuts wood,tool,en,5200
drill,noun,a tool with a turning point that makes holes,tool,en,1900
file,noun,a tool with a rough surface that smooths metal,tool,en,9400
pair of pliers,noun,a tool with two jaws that holds small things,tool,en,4
"""
"""Two groups of five sisters, the least that a group has by default."""
COUNTS = """word,count
beckon,57
nod,310
pair of pliers,4
"""


class Template(NamedTuple):
    """A dictionary and a file of counts, both as CSV."""

    dictionary: Text
    counts: Text


def template() -> Template:
    """Write an example of an own dictionary, and of a file of counts: two CSV files to change."""
    return Template(DICTIONARY, COUNTS)


# The synsets of the study.

ENGLISH_CODE = "en"


def read(manifest: Path, parts_of_speech: list[str]) -> dict[str, pl.DataFrame]:
    """Return part of speech -> its synsets (SYNSETS) in a fetched resource.

    `manifest`: that of resources.own_definitions, whose own parts of speech are taken, or that of the prepared WordNet.
    """
    if manifest.stem == OWN:
        return entry_synsets(own_definitions.read(only_file(manifest)))
    folder = fetched_folder(manifest)
    return {pos: synsets(folder, pos) for pos in parts_of_speech}


Synsets = Annotated[dict[str, pl.DataFrame], Format(read)]
"""Part of speech -> its synsets (SYNSETS)."""


def entry_synsets(entries: Iterable[Entry]) -> dict[str, pl.DataFrame]:
    """Return the senses of an own dictionary as synsets (SYNSETS), numbered like those of WordNet; groups are hypernyms.

    >>> rows = [Entry("nod", "verb", "lower the head", "gesture"), Entry("nod", "verb", "agree", "gesture")]
    >>> entry_synsets(rows)["verb"].select("synset", "word", "hypernyms").rows()
    [('nod.v.01', 'nod', ['gesture']), ('nod.v.02', 'nod', ['gesture'])]
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for entry in entries:
        groups.setdefault((entry.pos, entry.word, entry.definition), []).append(entry.group)
    senses: Counter[tuple[str, str]] = Counter()
    rows: dict[str, list[tuple[object, ...]]] = {}
    for (pos, word, definition), sense_groups in groups.items():
        senses[pos, word] += 1
        name = f"{word.replace(' ', '_')}.{LETTERS[pos]}.{senses[pos, word]:02}"
        rows.setdefault(pos, []).append((name, pos, word, definition, None, sorted(sense_groups)))
    return {pos: pl.DataFrame(rows[pos], schema=SYNSETS, orient="row") for pos in LETTERS if pos in rows}


def counts_of(entries: Iterable[Entry]) -> Mapping[str, int]:
    """Return word -> its uses, of the entries that say so."""
    return {entry.word: entry.count for entry in entries if entry.count is not None}
