"""The table of probes, and its rows as requests to the scoring engine. Scoring imports nothing else of the study."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from relprobe.core.errors import DataError
from relprobe.lm.requests import SLOT, Continuation
from relprobe.studies.definitions.ask.prompts import DEFINITION, Patterns
from relprobe.studies.definitions.schemas import PROBES
from relprobe.studies.examples import Example, before_probe

BATCH_ROWS = 256
"""Probes that are read at a time; the whole benchmark need not fit into memory."""


def counts(probes: Path, patterns: Patterns) -> tuple[int, int]:
    """Return the number of requests that the probes make, and of the groups' questions that these answer.

    DataError: the file is no table of probes.
    """
    try:
        schema = pl.read_parquet_schema(probes)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"{probes} cannot be read as Parquet ({error}): delete it and run again.") from error
    if dict(schema) != dict(PROBES):
        raise DataError(f"{probes} has {dict(schema)} instead of {dict(PROBES)}: delete it and run again.")
    table = pl.read_parquet(probes, columns=["pos", "questions"])
    number_of_patterns = {pos: len(texts) for pos, texts in patterns.items()}
    times = table["pos"].replace_strict(number_of_patterns)
    return int(times.sum()), int((times * table["questions"]).sum())


def requests(
    probes: Path,
    patterns: Patterns,
    *,
    capitals: bool,
    shots: int = 0,
    examples: Mapping[str, Sequence[Example]] | None = None,
) -> Iterator[Continuation]:
    """Yield a request per probe and pattern, whose id is "probe_id pattern_id"; the requests of a probe follow one another.

    `capitals`: words at the beginning of the text get a capital letter, as RoBERTa expects them (section 2.3). `shots`: how
    many `examples` of its part of speech stand before a probe, as (word, definition) in the same pattern, none of them about
    a word of the probe. DataError: there are fewer.
    """
    for batch in pq.ParquetFile(probes).iter_batches(BATCH_ROWS, columns=["probe_id", "pos", "definition", "words"]):
        for probe in batch.to_pylist():
            for pattern_id, text in patterns[probe["pos"]].items():
                words = _capitals(probe["words"]) if capitals and text.startswith(SLOT) else probe["words"]
                request_id = f"{probe['probe_id']} {pattern_id}"
                solve = partial(_solved, text, capitals=capitals)
                before = ""
                if shots and examples:
                    taboo = {*probe["words"]}
                    before = before_probe(examples.get(probe["pos"], ()), solve, shots, pattern_id, request_id, taboo)
                yield Continuation(request_id, before + text.replace(DEFINITION, probe["definition"]), tuple(words))


def _solved(pattern: str, example: Example, *, capitals: bool) -> str:
    word, definition = example
    if capitals and pattern.startswith(SLOT):
        (word,) = _capitals([word])
    return pattern.replace(DEFINITION, definition).replace(SLOT, word)


def _capitals(words: Sequence[str]) -> list[str]:
    return [word[:1].upper() + word[1:] for word in words]
