"""WordNet's taxonomy: the synsets of a part of speech with their names, definitions, hypernyms and depths."""

import polars as pl
from nltk.corpus.reader.wordnet import Synset, WordNetCorpusReader

POS = {"noun": "n", "verb": "v"}
SYNSETS = pl.Schema(
    {
        "synset": pl.String(),  # warm_up.v.04
        "pos": pl.String(),
        "word": pl.String(),  # its string: "warm up"
        "definition": pl.String(),  # the gloss without its examples
        "depth": pl.UInt8(),  # synsets on the shortest path to the root, both ends included
        "hypernyms": pl.List(pl.String()),  # instances have none
    }
)


def synsets(wordnet: WordNetCorpusReader, pos: str) -> pl.DataFrame:
    """Return all synsets of a part of speech ("noun" or "verb"), in WordNet's order (SYNSETS)."""
    rows = (_row(synset, pos) for synset in wordnet.all_synsets(POS[pos]))
    return pl.DataFrame(rows, schema=SYNSETS, orient="row")


def _row(synset: Synset, pos: str) -> tuple[str, str, str, str, int, list[str]]:
    hypernyms = sorted(hypernym.name() for hypernym in synset.hypernyms())  # nltk has them in no fixed order
    return synset.name(), pos, string(synset.name()), synset.definition(), synset.min_depth() + 1, hypernyms


def string(synset: str) -> str:
    """Return the string that stands for a synset: its name without part of speech and sense, blanks for underscores."""
    return synset.rsplit(".", 2)[0].replace("_", " ")
