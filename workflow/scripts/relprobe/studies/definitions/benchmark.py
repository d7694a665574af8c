"""The study's data from WordNet: groups of nouns and verbs, what is asked for them, and their sizes."""

from typing import Any

import polars as pl
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from relprobe.sources.wordnet_synsets import synsets
from relprobe.studies.definitions.build import large, sample, sisters, tables
from relprobe.studies.definitions.prompts import POS
from relprobe.studies.definitions.sizes import sizes


def benchmark(
    wordnet: WordNetCorpusReader, sampled: dict[str, Any] | None
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the tables GROUPS, PROBES and SIZES of all groups, or of a sample: groups per part of speech, and seed."""
    parts, counts = {}, []
    for pos in POS:
        of_pos = synsets(wordnet, pos)
        pairs = sisters(of_pos)
        kept = large(pairs, of_pos)
        asked = sample(kept, sampled[pos], pos, sampled["seed"]) if sampled else kept
        counts.append(sizes(pairs, kept, asked, of_pos))
        parts[pos] = of_pos, asked
    return *tables(parts), pl.concat(counts)
