"""The raters: each is a function that turns the scores of a model into ratings of pairs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import logsumexp

from relprobe.sources.static_vectors import cosine
from relprobe.studies.degrees.ask.requests import Probes, Scores, slots, words
from relprobe.studies.degrees.schemas import RATINGS, Ratings

Rated = dict[tuple[str, str], float | None]
"""(subcategory, pair) -> rating"""


def ratings(scores: list[Scores], probes: Probes, *, model: str, raters: list[str]) -> Ratings:
    """Turn the scores of a model into the ratings of its raters; there are scores for each rater, in their order."""
    rows = [
        (f"{model} {rater}", *key, value)
        for rater, of_kind in zip(raters, scores, strict=True)
        for key, value in RATERS[rater](probes, of_kind).items()
    ]
    return pl.DataFrame(rows, schema=RATINGS, orient="row")


def log_probability(_: Probes, scores: Scores) -> Rated:
    """Rate by the (pseudo-)log-probability of the pair's sentence: the sum over its tokens, natural log.

    A token without probability does not count: the first one of a causal model without BOS token. A sentence with a word
    that the tokenizer cannot write has no probabilities, and the pair no rating.

    >>> log_probability(pl.DataFrame(), pl.DataFrame({"probe_id": ["1b tool:hammer"], "values": [[None, -1.0, -2.0]]}))
    {('1b', 'tool:hammer'): -3.0}
    """
    return {_key(probe_id): _of_known(np.nansum, values) for probe_id, values in _values(scores).items()}


def mean_log_probability(_: Probes, scores: Scores) -> Rated:
    """Rate by the mean log-probability of the sentence's tokens: minus the log of its (pseudo-)perplexity.

    >>> scores = pl.DataFrame({"probe_id": ["1b tool:hammer"], "values": [[None, -1.0, -2.0]]})
    >>> mean_log_probability(pl.DataFrame(), scores)
    {('1b', 'tool:hammer'): -1.5}
    """
    return {_key(probe_id): _of_known(np.nanmean, values) for probe_id, values in _values(scores).items()}


def mutual_information(probes: Probes, scores: Scores) -> Rated:
    """Rate by the pointwise mutual information of the two words under the schema S, in natural log.

    Let u be the word that stands first in the sentence and v the other. The rating is log P(v | S, u) - log P(v | S), where
    P(v | S) is the mean of P(v | S, u') over the first words u' of the subcategory's pairs. A word that the tokenizer cannot
    write is no u', and its pairs have no rating.
    """
    candidates = {request.id: request.candidates for request in slots(probes, both_sides=True)}
    table: dict[str, dict[str, NDArray[np.float32]]] = {}  # subcategory -> first word -> log P of all candidates
    for probe_id, values in _values(scores).items():
        subcategory, first = _key(probe_id)
        table.setdefault(subcategory, {})[first] = values
    marginal = {name: _log_mean([row for row in rows.values() if not _is_missing(row)]) for name, rows in table.items()}
    rated: Rated = {}
    for row in probes.filter(pl.col("analogy").is_not_null()).iter_rows(named=True):
        name, (first, second) = row["subcategory"], words(row)
        place = candidates[f"{name} {first}"].index(second)
        own = table[name][first]
        rated[name, row["pair"]] = None if np.isnan(own[place]) else float(own[place] - marginal[name][place])
    return rated


def hidden_similarity(probes: Probes, scores: Scores) -> Rated:
    """Rate by the mean cosine of the pair's offset h(y) - h(x) with the offsets of the other paradigms.

    h is the hidden state of a word in the schema sentence. A pair that is a paradigm itself is not compared with itself. A
    pair whose offset is zero has no rating, and neither has one with a word that the tokenizer cannot write.
    """
    offsets = {}
    for probe_id, values in _values(scores).items():
        x, y = np.split(values, 2)
        offsets[_key(probe_id)] = y - x
    paradigms: dict[str, list[str]] = {}
    for name, pair in probes.filter("paradigm").select("subcategory", "pair").iter_rows():
        paradigms.setdefault(name, []).append(pair)
    rated = probes.filter(pl.col("analogy").is_not_null()).select("subcategory", "pair")
    ratings: Rated = {}
    for name, pair in rated.iter_rows():
        others = [offsets[name, other] for other in paradigms[name] if other != pair]
        ratings[name, pair] = _mean_cosine(offsets[name, pair], others)
    return ratings


RATERS: Mapping[str, Callable[[Probes, Scores], Rated]] = {
    "schema": log_probability,
    "schema-mean": mean_log_probability,
    "analogy": log_probability,
    "analogy-mean": mean_log_probability,
    "pmi": mutual_information,
    "hidden": hidden_similarity,
}


def _mean_cosine(vector: NDArray[np.float32], others: list[NDArray[np.float32]]) -> float | None:
    if _is_missing(vector):
        return None
    known = (other for other in others if not _is_missing(other))
    cosines = [value for value in (cosine(vector, other) for other in known) if value is not None]
    return float(np.mean(cosines)) if cosines else None


def _of_known(average: Callable[[NDArray[np.float32]], np.floating[Any]], values: NDArray[np.float32]) -> float | None:
    return None if _is_missing(values) else float(average(values))


def _is_missing(values: NDArray[np.float32]) -> bool:
    """Say whether no value is there: the model cannot read the text."""
    return bool(np.isnan(values).all())


def _log_mean(rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
    """Return the log of the mean of probabilities, from the logs of these; without rows there is no value to read."""
    mean: NDArray[np.float64] = logsumexp(list(rows), axis=0) - np.log(len(rows)) if rows else np.empty(0)
    return mean


def _values(scores: Scores) -> dict[str, NDArray[np.float32]]:
    return {probe_id: np.array(values, np.float32) for probe_id, values in scores.iter_rows()}


def _key(probe_id: str) -> tuple[str, str]:
    subcategory, _, rest = probe_id.partition(" ")
    return subcategory, rest
