"""The table of probes, and its rows as requests to the scoring engine: all that scoring knows of the study."""

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from relprobe.lm.requests import SLOT, Continuation, Sentence, SpanText
from relprobe.studies.degrees.prompts import clause

PROBES = pl.Schema(
    {
        "subcategory": pl.String(),
        "pair": pl.String(),
        "paradigm": pl.Boolean(),
        "text": pl.String(),  # the relation schema about the pair, such as "hammer functions as tool"
        "x_start": pl.UInt16(),  # where the pair's words stand in it, in characters
        "x_stop": pl.UInt16(),
        "y_start": pl.UInt16(),
        "y_stop": pl.UInt16(),
        "analogy": pl.String(),  # the paradigms, and a slot for the pair; missing for what is only a paradigm
    }
)

SCORES = pl.Schema({"probe_id": pl.String(), "values": pl.List(pl.Float32())})


def schemas(probes: pl.DataFrame) -> Iterator[Sentence]:
    """Ask for every pair's schema sentence."""
    for subcategory, pair, text in _rated(probes).select("subcategory", "pair", "text").iter_rows():
        yield Sentence(f"{subcategory} {pair}", text)


def analogies(probes: pl.DataFrame) -> Iterator[Continuation]:
    """Ask how every pair goes on the analogy of its subcategory's paradigms."""
    for subcategory, pair, text in _rated(probes).select("subcategory", "pair", "analogy").iter_rows():
        yield Continuation(f"{subcategory} {pair}", text, (clause(pair),))


def spans(probes: pl.DataFrame) -> Iterator[SpanText]:
    """Ask for the vectors of the two words, in their schema sentence, of every pair and paradigm."""
    columns = ["subcategory", "pair", "text", "x_start", "x_stop", "y_start", "y_stop"]
    for subcategory, pair, text, *bounds in probes.select(columns).iter_rows():
        yield SpanText(f"{subcategory} {pair}", text, ((bounds[0], bounds[1]), (bounds[2], bounds[3])))


def slots(probes: pl.DataFrame, *, masked: bool) -> Iterator[Continuation]:
    """Ask, after each word that comes first in the sentences of a subcategory, for all words that come second in them.

    A causal model cannot look beyond the slot, so its texts end there.
    """
    for (subcategory,), rows in _rated(probes).group_by("subcategory", maintain_order=True):
        pairs = [(*words(row), *_around_second(row)) for row in rows.iter_rows(named=True)]
        candidates = tuple(dict.fromkeys(second for _, second, _, _ in pairs))
        for given, (before, after) in {first: around for first, _, *around in pairs}.items():
            yield Continuation(f"{subcategory} {given}", before + SLOT + (after if masked else ""), candidates)


def words(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the two words of a probe in the order in which they stand in its sentence."""
    x, y = row["pair"].split(":")
    return (x, y) if row["x_start"] < row["y_start"] else (y, x)


def _around_second(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return what precedes and what follows the second word."""
    start, stop = max((row["x_start"], row["x_stop"]), (row["y_start"], row["y_stop"]))
    return row["text"][:start], row["text"][stop:]


def _rated(probes: pl.DataFrame) -> pl.DataFrame:
    return probes.filter(pl.col("analogy").is_not_null())
