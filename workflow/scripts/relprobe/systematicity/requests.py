"""The tables of probes and contexts, and their rows as requests to the engine: all that scoring knows of the study."""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
import pyarrow as pa

from relprobe.lm.requests import (
    SLOT,
    Continuation,
    ContinuationResponse,
    SlotProbe,
    SpanResponse,
    SpanText,
    Variant,
)

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),  # set:kind:hyponym
        "set": pl.String(),
        "kind": pl.String(),  # singular, plural, contextual, control_singular, control_plural
        "hyponym": pl.String(),
        "text": pl.String(),  # with one slot [V]
        "candidates": pl.List(pl.String()),  # the categories, in the number that the text asks for
    }
)
CONTEXTS = pl.Schema(
    {
        "context": pl.UInt32(),
        "word": pl.String(),
        "text": pl.String(),
        "start": pl.UInt32(),  # of the word, in characters
        "stop": pl.UInt32(),
    }
)
OPEN = ("singular", "control_singular")
"""Kinds of probes that are answered from the whole vocabulary, too (Table 2)."""

CHOICES = pl.Schema(
    {
        "probe_id": pl.String(),
        "method": pl.String(),  # slot: log P(candidate); sentence: log P(candidate and all that follows it)
        "words": pl.List(pl.String()),
        "scores": pl.List(pl.Float32()),  # natural-log probabilities, in the order of the words
        "tokens": pl.List(pl.UInt16()),  # that were summed
    }
)
CHOICES_FILE = pa.schema(
    [
        ("probe_id", pa.large_string()),
        ("method", pa.large_string()),
        ("words", pa.large_list(pa.large_string())),
        ("scores", pa.large_list(pa.float32())),
        ("tokens", pa.large_list(pa.uint16())),
    ]
)
EMBEDDINGS = pl.Schema({"context": pl.UInt32(), "vector": pl.List(pl.Float32())})
EMBEDDINGS_FILE = pa.schema([("context", pa.uint32()), ("vector", pa.large_list(pa.float32()))])


def open_requests(probes: pl.DataFrame, masked: bool) -> Iterator[SlotProbe]:
    """Yield the probes that are answered from the whole vocabulary; a causal model sees no more than precedes the slot."""
    for probe_id, text in probes.filter(pl.col("kind").is_in(OPEN)).select("probe_id", "text").iter_rows():
        yield SlotProbe(probe_id, (Variant(text if masked else _until_slot(text)),))


def closed_requests(probes: pl.DataFrame, masked: bool) -> Iterator[Continuation]:
    """Yield the probes with their candidates; the id of a request is METHOD:PROBE_ID.

    The method "slot" asks for the candidates alone: all that a masked model is asked. A causal model is asked so only
    where the slot ends the prompt, but for its period. By the method "sentence" it is asked for each candidate with the
    rest of the text: the log-probability of the full sentence less that of what precedes the slot, which all candidates
    share.
    """
    for probe_id, kind, text, words in probes.select("probe_id", "kind", "text", "candidates").iter_rows():
        rest = text.partition(SLOT)[2]
        if masked or kind != "contextual":
            yield Continuation(f"slot:{probe_id}", text if masked else _until_slot(text), tuple(words))
        if not masked and rest:
            yield Continuation(f"sentence:{probe_id}", _until_slot(text), tuple(word + rest for word in words))


def _until_slot(text: str) -> str:
    return text.partition(SLOT)[0] + SLOT


def closed_table(responses: Sequence[ContinuationResponse], words: dict[str, list[str]]) -> pa.Table:
    """Return the answers to `closed_requests` as a table (CHOICES); `words`: probe_id -> candidates.

    A candidate of several tokens has the sum of their log-probabilities.
    """
    methods, probe_ids = (
        zip(*(response.id.split(":", 1) for response in responses), strict=True) if responses else ((), ())
    )
    columns = [
        list(probe_ids),
        list(methods),
        [words[probe_id] for probe_id in probe_ids],
        [response.sums() for response in responses],
        [[len(ids) for ids in response.token_ids] for response in responses],
    ]
    return pa.table(
        [pa.array(column, kind) for column, kind in zip(columns, CHOICES_FILE.types, strict=True)], CHOICES_FILE
    )


def context_requests(contexts: pl.DataFrame) -> Iterator[SpanText]:
    """Yield the contexts with the span of their word."""
    for number, text, start, stop in contexts.select("context", "text", "start", "stop").iter_rows():
        yield SpanText(str(number), text, ((start, stop),))


def embeddings_table(responses: Sequence[SpanResponse]) -> pa.Table:
    """Return the vectors of the contexts' words as a table (EMBEDDINGS)."""
    if not responses:
        return EMBEDDINGS_FILE.empty_table()
    vectors = np.concatenate([response.vectors for response in responses])  # (contexts, width)
    offsets = np.arange(len(responses) + 1, dtype=np.int64) * vectors.shape[1]
    numbers = pa.array([int(response.id) for response in responses], pa.uint32())
    return pa.table([numbers, pa.LargeListArray.from_arrays(offsets, vectors.ravel())], EMBEDDINGS_FILE)
