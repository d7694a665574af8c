"""The table of probes, and its rows as requests to the primitives; scoring reads nothing else of the study."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import polars as pl

from relprobe.core.files import parquet
from relprobe.lm.requests import SLOT, Continuation, Sentence, SpanText
from relprobe.lm.words.examples import join_examples
from relprobe.studies.degrees.ask.prompts import clause

PROBES = pl.Schema(
    {
        "subcategory": pl.String(),
        "pair": pl.String(),
        "paradigm": pl.Boolean(),
        "text": pl.String(),  # the relation schema about the pair, such as "hammer functions as tool"
        "x_start": pl.UInt16(),  # start and stop of the pair's words in the text, in characters
        "x_stop": pl.UInt16(),
        "y_start": pl.UInt16(),
        "y_stop": pl.UInt16(),
        "analogy": pl.String(),  # the other paradigms, and a slot for the pair; null for a pair that is only a paradigm
    }
)
Probes = Annotated[pl.DataFrame, parquet(PROBES, "subcategory", "pair")]

SCORES = pl.Schema({"probe_id": pl.String(), "values": pl.List(pl.Float32())})
Scores = Annotated[pl.DataFrame, parquet(SCORES)]


def schemas(probes: pl.DataFrame, shots: int = 0) -> Iterator[Sentence]:
    """Yield a request for the tokens' probabilities in every pair's schema sentence.

    `shots`: how many sentences about paradigms of the subcategory stand before it (`_before`).
    """
    for subcategory, pair, text in _rated(probes).select("subcategory", "pair", "text").iter_rows():
        yield Sentence(f"{subcategory} {pair}", text, _before(probes, subcategory, {*pair.split(":")}, shots))


def analogies(probes: pl.DataFrame) -> Iterator[Continuation]:
    """Yield a request for the probability that every pair continues the analogy of its subcategory's other paradigms."""
    for subcategory, pair, text in _rated(probes).select("subcategory", "pair", "analogy").iter_rows():
        yield Continuation(f"{subcategory} {pair}", text, (clause(pair),))


def spans(probes: pl.DataFrame) -> Iterator[SpanText]:
    """Yield a request for the vectors of the two words of every pair and paradigm in their schema sentence."""
    columns = ["subcategory", "pair", "text", "x_start", "x_stop", "y_start", "y_stop"]
    for subcategory, pair, text, *bounds in probes.select(columns).iter_rows():
        yield SpanText(f"{subcategory} {pair}", text, ((bounds[0], bounds[1]), (bounds[2], bounds[3])))


def slots(probes: pl.DataFrame, *, both_sides: bool, shots: int = 0) -> Iterator[Continuation]:
    """Yield a request per first word of a subcategory's sentences, with all second words as candidates.

    The text of a causal model ends at the slot, because the model cannot read beyond it. `shots`: how many sentences about
    paradigms stand before it, none of them with a word of the pairs that have this first word.
    """
    for (subcategory,), rows in _rated(probes).group_by("subcategory", maintain_order=True):
        pairs = [(*words(row), *_around_second(row)) for row in rows.iter_rows(named=True)]
        candidates = tuple(dict.fromkeys(second for _, second, _, _ in pairs))
        for word, (before, after) in {first: around for first, _, *around in pairs}.items():
            taboo = {one for pair in pairs if pair[0] == word for one in pair[:2]}
            examples = _before(probes, str(subcategory), taboo, shots)
            text = examples + before + SLOT + (after if both_sides else "")
            yield Continuation(f"{subcategory} {word}", text, candidates)


def _before(probes: pl.DataFrame, subcategory: str, taboo: set[str], shots: int) -> str:
    """Return the first `shots` sentences about paradigms without a word of `taboo`, or as many as there are.

    A subcategory has about three paradigms, and some share a word with a pair, so that some pairs have fewer examples.
    """
    if not shots:
        return ""
    paradigms = probes.filter(pl.col("paradigm"), subcategory=subcategory)
    texts = [text for pair, text in paradigms.select("pair", "text").iter_rows() if taboo.isdisjoint(pair.split(":"))]
    return join_examples(texts[:shots])


def words(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the two words of a probe in the order of its sentence.

    >>> words({"pair": "tool:hammer", "x_start": 20, "y_start": 0})  # hammer functions as tool
    ('hammer', 'tool')
    """
    x, y = row["pair"].split(":")
    return (x, y) if row["x_start"] < row["y_start"] else (y, x)


def _around_second(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return what precedes and what follows the second word."""
    start, stop = max((row["x_start"], row["x_stop"]), (row["y_start"], row["y_stop"]))
    return row["text"][:start], row["text"][stop:]


def _rated(probes: pl.DataFrame) -> pl.DataFrame:
    return probes.filter(pl.col("analogy").is_not_null())
