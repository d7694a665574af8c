"""The table of probes, and its rows as requests to the scoring engine: all that scoring knows of the study."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from relprobe.core.errors import DataError
from relprobe.lm.requests import SLOT, Continuation
from relprobe.studies.definitions.prompts import DEFINITION, Patterns

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),  # pos:number
        "pos": pl.String(),
        "definition": pl.String(),
        # The words asked for with it. A pair is a definition with one of its words; pairs are numbered through the table.
        "words": pl.List(pl.String()),
        "questions": pl.UInt32(),  # candidates of groups whose score is that of one of these pairs
    }
)
ROWS = 256
"""Probes read at a time, so that the whole benchmark is never held."""


def numbers(probes: Path, patterns: Patterns) -> tuple[int, int]:
    """Return how many requests the probes make, and how many questions of groups they answer. DataError: no probes."""
    try:
        found = pl.read_parquet_schema(probes)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"{probes} cannot be read as Parquet ({error}): delete it and run again.") from error
    if dict(found) != dict(PROBES):
        raise DataError(f"{probes} has {dict(found)} instead of {dict(PROBES)}: delete it and run again.")
    table = pl.read_parquet(probes, columns=["pos", "questions"])
    times = table.select(
        pl.col("pos").replace_strict({pos: len(texts) for pos, texts in patterns.items()}), "questions"
    )
    return int(times["pos"].sum()), int((times["pos"] * times["questions"]).sum())


def requests(probes: Path, patterns: Patterns, *, capitals: bool) -> Iterator[Continuation]:
    """Yield a request per probe and pattern, the patterns of a probe together, named "probe_id pattern_id".

    `capitals`: words that stand at the beginning of the text get a capital letter, as RoBERTa expects them (section 2.3).
    """
    for batch in pq.ParquetFile(probes).iter_batches(ROWS, columns=["probe_id", "pos", "definition", "words"]):
        for probe in batch.to_pylist():
            for pattern_id, text in patterns[probe["pos"]].items():
                words = _capitals(probe["words"]) if capitals and text.startswith(SLOT) else probe["words"]
                yield Continuation(
                    f"{probe['probe_id']} {pattern_id}", text.replace(DEFINITION, probe["definition"]), tuple(words)
                )


def _capitals(words: Sequence[str]) -> list[str]:
    return [word[:1].upper() + word[1:] for word in words]
