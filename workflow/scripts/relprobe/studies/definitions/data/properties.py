"""What the results of a group depend on beside its scores: the frequency of its word, and whether its definition leaks."""

from typing import Annotated, Literal, NamedTuple

import polars as pl

from relprobe.core.manifest import fetched_file
from relprobe.sources.own import definitions as own_definitions
from relprobe.sources.own import word_counts
from relprobe.studies.definitions.data.synsets import ENGLISH, counts_of
from relprobe.studies.definitions.data.texts import count_tokens, leak
from relprobe.studies.definitions.data.word_frequency import Frequencies, candidate_words, in_a_billion
from relprobe.studies.definitions.schemas import PROPERTIES, Benchmark, Probes, Properties, Words

Counts = Annotated[dict[str, int], fetched_file(word_counts.read)]
Dictionary = Annotated[list[own_definitions.Entry], fetched_file(own_definitions.read)]


class PropertyTables(NamedTuple):
    """What is known of the groups, and of the words of their candidates and definitions."""

    properties: Properties
    words: Words


def property_tables(
    benchmark: Benchmark,
    probes: Probes,
    counts: Counts | None = None,
    dictionary: Dictionary | None = None,
    *,
    phrases: Literal["own", "joined"] = "own",
) -> PropertyTables:
    """Look up how frequent the words are, and find the definitions that tell their word.

    `counts`: those of a file; without it, wordfreq is asked. `dictionary`: an own dictionary, which may have counts and a
    language of its own. `phrases`: what is taken for their frequency.
    """
    entries = dictionary or []
    language = entries[0].language if entries else ENGLISH
    frequencies = Frequencies(language, counts, counts_of(entries), phrases == "joined")
    return PropertyTables(of_groups(benchmark, frequencies), frequencies.table(candidate_words(probes)))


def of_groups(benchmark: Benchmark, frequencies: Frequencies) -> Properties:
    """Return the groups of the benchmark with the frequency of their word and the leak of their definition."""
    rows = [
        (
            frequencies.uses(word),
            in_a_billion(word, frequencies.language),
            count_tokens(word),
            leak(word, definition, frequencies.language),
        )
        for word, definition in benchmark.select("word", "definition").iter_rows()
    ]
    names = ("uses", "joined", "tokens", "leak")
    added = pl.DataFrame(rows, schema={name: PROPERTIES[name] for name in names}, orient="row")
    return pl.concat([benchmark, added], how="horizontal").select(list(PROPERTIES))
