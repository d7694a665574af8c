"""WordNet's taxonomy: the synsets of a part of speech with their names, definitions, hypernyms and depths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import polars as pl

from relprobe.sources.lexical.wordnet import WordNetReader

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Synset

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


def synsets(wordnet: WordNetReader, pos: str) -> pl.DataFrame:
    """Return all synsets of a part of speech ("noun", "verb" or "adjective"), in WordNet's order (SYNSETS)."""
    rows, parents = [], {}
    for synset in wordnet.all_synsets(POS[pos]):
        name = synset.name()
        hypernyms = sorted(hypernym.name() for hypernym in _hypernyms(synset))  # their order in nltk varies
        parents[name] = [*hypernyms, *(hypernym.name() for hypernym in synset.instance_hypernyms())]
        rows.append((name, pos, string(name), synset.definition(), hypernyms))
    depth = depths(parents)
    return pl.DataFrame([(*row[:4], depth[row[0]], row[4]) for row in rows], schema=SYNSETS, orient="row")


def _hypernyms(synset: Synset) -> list[Synset]:
    """Return the hypernyms of a synset; of an adjective that is a satellite (s), the heads that it is similar to."""
    if synset.pos() == "s":
        return [head for head in synset.similar_tos() if head.pos() == "a"]
    above: list[Synset] = synset.hypernyms()
    return above


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
