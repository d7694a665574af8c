"""The study's data from WordNet: the groups of nouns and verbs, the probes of their tasks, and their sizes."""

from typing import Any

import polars as pl
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from relprobe.sources.wordnet_synsets import synsets
from relprobe.studies.definitions.build import large_groups, sample, sisters, tables
from relprobe.studies.definitions.prompts import POS
from relprobe.studies.definitions.sizes import sizes


def benchmark(
    wordnet: WordNetCorpusReader, sampling: dict[str, Any] | None
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return the tables GROUPS, PROBES and SIZES.

    `sampling` holds the number of groups to draw per part of speech, and the seed; None keeps all groups. DataError: there
    are fewer groups than it asks for.
    """
    parts, counts = {}, []
    for pos in POS:
        of_pos = synsets(wordnet, pos)
        pairs = sisters(of_pos)
        large = large_groups(pairs, of_pos)
        sampled = sample(large, sampling[pos], pos, sampling["seed"]) if sampling else large
        counts.append(sizes(pairs, large, sampled, of_pos))
        parts[pos] = of_pos, sampled
    return *tables(parts), pl.concat(counts)
