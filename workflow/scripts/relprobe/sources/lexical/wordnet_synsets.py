"""WordNet's taxonomy: the synsets of a part of speech with their names, definitions, hypernyms and depths.

It is read from the database files of one part of speech. nltk makes an object of each lemma and opens all parts of speech,
which takes three times as long. Names, definitions and links are those of nltk, to the letter.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from relprobe.core.errors import SourceError
from relprobe.core.files import read_text

POS = {"noun": "n", "verb": "v", "adjective": "a"}
SYNSETS = pl.Schema(
    {
        "synset": pl.String(),  # warm_up.v.04
        "pos": pl.String(),
        "word": pl.String(),  # the string of the synset, such as "warm up"
        "definition": pl.String(),  # the gloss without its examples
        "depth": pl.UInt8(),  # synsets on the shortest path to the root, both ends included
        # Sorted; an instance has none. Adjectives have no hypernyms: one that is similar to a head word has this head.
        "hypernyms": pl.List(pl.String()),
    }
)


SATELLITE = "s"
"""The letter of an adjective that is similar to a head word."""
HYPERNYM, INSTANCE, SIMILAR = "@", "@i", "&"
"""How the files write that a synset has a hypernym, is an instance of another one, and is similar to another one."""
WANTED = {HYPERNYM, INSTANCE, SIMILAR}
QUOTED = re.compile(r'".*?"')


class Entry(NamedTuple):
    """A line of a data file: its letter (n, v, a or s), its first lemma, its definition, and its links between synsets.

    `links`: one of the symbols WANTED, and where the other synset begins in the file.
    """

    pos: str
    lemma: str
    definition: str
    links: list[tuple[str, int]]


def synsets(folder: Path, pos: str) -> pl.DataFrame:
    """Return all synsets of a part of speech ("noun", "verb" or "adjective"), in WordNet's order (SYNSETS).

    `folder`: the WordNet that `wordnet.prepare` made. SourceError: a file is not in the form of WordNet 3.0.
    """
    home, suffix = folder / "corpora" / "wordnet", pos.removesuffix("ective")
    try:
        entries = dict(map(_entry, _lines(home / f"data.{suffix}")))
        names = _names(entries, _lines(home / f"index.{suffix}"))
        above = [sorted({names[hypernym] for hypernym in _hypernyms(entry, entries)}) for entry in entries.values()]
    except (ValueError, LookupError) as error:
        raise SourceError(
            f"{home}: data.{suffix} or index.{suffix} is not in WordNet's form ({error!r}): get it anew."
        ) from error
    parents = {
        names[offset]: hypernyms + [names[linked] for symbol, linked in entry.links if symbol == INSTANCE]
        for (offset, entry), hypernyms in zip(entries.items(), above, strict=True)
    }
    depth = depths(parents)
    rows = [
        (name, pos, string(name), entry.definition, depth[name], hypernyms)
        for name, entry, hypernyms in zip(parents, entries.values(), above, strict=True)
    ]
    return pl.DataFrame(rows, schema=SYNSETS, orient="row")


def _lines(file: Path) -> Iterator[str]:
    """Yield the lines of a file but those of the licence, which begin with a blank."""
    return (line for line in read_text(file).split("\n") if line and not line.startswith(" "))


def _entry(line: str) -> tuple[int, Entry]:
    """Read a line: the offset, the lexicographer's file, the letter, the lemmas, the links, and after a bar the gloss.

    >>> _entry('00001740 03 n 01 robin 0 002 @ 00002000 n 0000 ! 00003000 n 0101 | a red bird; "robins sing"')
    (1740, Entry(pos='n', lemma='robin', definition='a red bird', links=[('@', 2000)]))
    """
    columns, gloss = line.split("|")
    fields = columns.split()
    first = 4 + 2 * int(fields[3], 16)  # each lemma has a number beside it
    end = first + 1 + 4 * int(fields[first])
    symbols, targets, lemmas = (fields[first + offset : end : 4] for offset in (1, 2, 4))
    links = [
        (symbol, int(linked))
        for symbol, linked, lemma_numbers in zip(symbols, targets, lemmas, strict=True)
        if symbol in WANTED and lemma_numbers == "0000"  # or else it is between lemmas
    ]
    definition = QUOTED.sub("", gloss).strip().strip("; ")
    return int(fields[0]), Entry(fields[2], fields[4].partition("(")[0].lower(), definition, links)


def _names(entries: Mapping[int, Entry], index: Iterable[str]) -> dict[int, str]:
    """Return the name of each synset: its first lemma, its letter, and which sense of the lemma it is, as robin.n.02.

    `index`: a line for each lemma, with its senses in their order. Satellites are numbered among themselves.
    """
    lines = map(str.split, index)
    senses = {fields[0]: [int(offset) for offset in fields[-int(fields[2]) :]] for fields in lines}
    names = {}
    for offset, entry in entries.items():
        alike = senses[entry.lemma]
        if entry.pos == SATELLITE:
            alike = [sense for sense in alike if entries[sense].pos == SATELLITE]
        names[offset] = f"{entry.lemma}.{entry.pos}.{alike.index(offset) + 1:02}"
    return names


def _hypernyms(entry: Entry, entries: Mapping[int, Entry]) -> list[int]:
    """Return the hypernyms of a synset; of a satellite, the heads that it is similar to."""
    if entry.pos == SATELLITE:
        return [linked for symbol, linked in entry.links if symbol == SIMILAR and entries[linked].pos != SATELLITE]
    return [linked for symbol, linked in entry.links if symbol == HYPERNYM]


def depths(parents: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the number of synsets on the shortest path from each synset to a root, both ends included.

    nltk's `min_depth` is one less. It goes up the whole path for every synset, which takes a quarter of the reading time.

    >>> depths({"bird": ["animal"], "pet": ["animal"], "goose": ["bird", "animal"], "animal": []})
    {'animal': 1, 'bird': 2, 'pet': 2, 'goose': 2}
    """
    children: dict[str, list[str]] = {}
    for name, above in parents.items():
        for parent in above:
            children.setdefault(parent, []).append(name)
    level = [name for name, above in parents.items() if not above]
    depth = dict.fromkeys(level, 1)
    while level:
        below = {child: depth[name] + 1 for name in level for child in children.get(name, []) if child not in depth}
        depth |= below
        level = list(below)
    return depth


def string(synset: str) -> str:
    """Return the string of a synset: its name without part of speech and sense, with blanks in place of underscores.

    >>> string("warm_up.v.04")
    'warm up'
    """
    return synset.rsplit(".", 2)[0].replace("_", " ")
