"""What the results of a group depend on beside its scores: the frequency of its word, and whether its definition leaks."""

import polars as pl

from relprobe.studies.definitions.data.texts import count_tokens, leak
from relprobe.studies.definitions.data.word_frequency import Frequencies, in_a_billion
from relprobe.studies.definitions.schemas import PROPERTIES


def properties(benchmark: pl.DataFrame, frequencies: Frequencies) -> pl.DataFrame:
    """Return the groups of BENCHMARK with the frequency of their word and the leak of their definition (PROPERTIES)."""
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
