"""What a model is asked about the pairs of a relation, and its answers as numbers, by the ids of the requests.

A relation is given by its sentence with a pair in it, or by its paradigms in an analogy. A model answers `schemas` and
`analogies` with the natural-log probability of each token, `slots` with that of each candidate, and `spans` with a vector of
each word.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.lm.requests import SLOT, Continuation, Sentence, SpanText
from relprobe.lm.words.examples import join_examples
from relprobe.sources.semeval2012 import Subcategory
from relprobe.sources.static_vectors import cosine
from relprobe.studies.degrees.schemas import PROBES, Probes, Scores

X, Y = "[X]", "[Y]"


class FilledSentence(NamedTuple):
    """A sentence with a pair in it, and the (start, stop) of its two words in characters."""

    text: str
    x: tuple[int, int]
    y: tuple[int, int]


def fill(sentence: str, x: str, y: str) -> FilledSentence:
    """Put a pair into the sentence of its relation.

    >>> fill("[Y] functions as [X]", "tool", "hammer")
    FilledSentence(text='hammer functions as tool', x=(20, 24), y=(0, 6))
    """
    x_start = len(sentence.partition(X)[0].replace(Y, y))
    y_start = len(sentence.partition(Y)[0].replace(X, x))
    text = sentence.replace(X, x).replace(Y, y)
    return FilledSentence(text, (x_start, x_start + len(x)), (y_start, y_start + len(y)))


def analogy(paradigms: Sequence[str]) -> str:
    """Return the analogy of a relation's paradigms, which ends in a slot for another pair.

    >>> analogy(["a:b", "c:d"])
    'a is to b as c is to d as [V]'
    """
    return " as ".join([*map(clause, paradigms), SLOT])


def clause(pair: str) -> str:
    """Return a pair as a clause of an analogy.

    >>> clause("x:y")
    'x is to y'
    """
    return " is to ".join(pair.split(":"))


def probes(subcategories: Sequence[Subcategory], sentences: Mapping[str, str]) -> Probes:
    """Put every pair and paradigm into the sentence of its subcategory, and every pair into an analogy.

    The analogy of a pair that is a paradigm itself has the other paradigms, as a model would only copy it.
    """
    rows = []
    for subcategory in subcategories:
        for pair in dict.fromkeys([*subcategory.paradigms, *subcategory.pairs]):
            sentence = fill(sentences[subcategory.id], *pair.split(":"))
            analogous = analogy(subcategory.other_paradigms(pair)) if pair in subcategory.pairs else None
            is_paradigm = pair in subcategory.paradigms
            rows.append((subcategory.id, pair, is_paradigm, sentence.text, *sentence.x, *sentence.y, analogous))
    return pl.DataFrame(rows, schema=PROBES, orient="row")


def schemas(probes: pl.DataFrame, shots: int = 0) -> Iterator[Sentence]:
    """Yield a request for the tokens' probabilities in every pair's schema sentence.

    `shots`: how many sentences about paradigms of the subcategory stand before it (`_example_sentences`).
    """
    for subcategory, pair, text in _rated(probes).select("subcategory", "pair", "text").iter_rows():
        yield Sentence(
            f"{subcategory} {pair}", text, _example_sentences(probes, subcategory, {*pair.split(":")}, shots)
        )


def analogies(probes: pl.DataFrame) -> Iterator[Continuation]:
    """Yield a request for the probability that every pair continues the analogy of its subcategory's other paradigms."""
    for subcategory, pair, text in _rated(probes).select("subcategory", "pair", "analogy").iter_rows():
        yield Continuation(f"{subcategory} {pair}", text, (clause(pair),))


def slots(probes: pl.DataFrame, *, both_sides: bool, shots: int = 0) -> Iterator[Continuation]:
    """Yield a request per first word of a subcategory's sentences, with all second words as candidates.

    The text of a causal model ends at the slot, because the model cannot read beyond it. `shots`: how many sentences about
    paradigms stand before it, none of them with a word of the pairs that have this first word.
    """
    for (subcategory,), rows in _rated(probes).group_by("subcategory", maintain_order=True):
        pairs = [(*words(row), *_around_second(row)) for row in rows.iter_rows(named=True)]
        candidates = tuple(dict.fromkeys(second for _, second, _, _ in pairs))
        for word, (text_before, text_after) in {first: around for first, _, *around in pairs}.items():
            taboo = {pair_word for pair in pairs if pair[0] == word for pair_word in pair[:2]}
            examples = _example_sentences(probes, str(subcategory), taboo, shots)
            text = examples + text_before + SLOT + (text_after if both_sides else "")
            yield Continuation(f"{subcategory} {word}", text, candidates)


def spans(probes: pl.DataFrame) -> Iterator[SpanText]:
    """Yield a request for the vectors of the two words of every pair and paradigm in their schema sentence."""
    columns = ["subcategory", "pair", "text", "x_start", "x_stop", "y_start", "y_stop"]
    for subcategory, pair, text, *bounds in probes.select(columns).iter_rows():
        yield SpanText(f"{subcategory} {pair}", text, ((bounds[0], bounds[1]), (bounds[2], bounds[3])))


def _example_sentences(probes: pl.DataFrame, subcategory: str, taboo: set[str], shots: int) -> str:
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
    """Return the probes of pairs that are rated: those with an analogy. The others are of paradigms alone."""
    return probes.filter(pl.col("analogy").is_not_null())


# The answers, by the ids of the requests.


Vector = NDArray[np.float32]


def values_by_probe(scores: Scores) -> dict[tuple[str, str], Vector]:
    """Return (subcategory, pair or first word) -> the values of a probe, whose id is both with a blank between them."""
    ids = {probe_id: probe_id.partition(" ") for probe_id in scores["probe_id"]}
    return {
        (ids[probe_id][0], ids[probe_id][2]): np.array(values, np.float32) for probe_id, values in scores.iter_rows()
    }


def is_missing(values: Vector) -> bool:
    """Return whether no value is there: the model cannot read the text."""
    return bool(np.isnan(values).all())


def mean_cosine(vector: Vector, vectors: Iterable[Vector]) -> float | None:
    """Return the mean cosine of a vector with other vectors; None if it, or all of them, are missing or zero."""
    if is_missing(vector):
        return None
    cosines = [cosine(vector, other) for other in vectors if not is_missing(other)]
    present = [value for value in cosines if value is not None]
    return float(np.mean(present)) if present else None


def log_mean(rows: Sequence[Vector]) -> NDArray[np.float64]:
    """Return the log of the mean of probabilities, from the logs of these; without rows there is no value to read."""
    from scipy.special import logsumexp  # which takes a quarter of a second, and one of the steps needs it

    mean: NDArray[np.float64] = logsumexp(list(rows), axis=0) - np.log(len(rows)) if rows else np.empty(0)
    return mean
