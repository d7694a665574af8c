"""How the scores of a model become the ratings of its raters; the systems of the paper (section 5) read corpora instead."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from relprobe.studies.degrees.method import PairRatings, rating_table
from relprobe.studies.degrees.requests import Vector, is_missing, log_mean, mean_cosine, slots, values_by_probe, words
from relprobe.studies.degrees.schemas import RATINGS, Probes, Ratings, Scores


def log_probability(_: Probes, scores: Scores) -> PairRatings:
    """Rate by the (pseudo-)log-probability of the pair's sentence: Σ log P(t_i), in natural log.

    A token without probability does not count: the first one of a causal model without BOS token. A sentence with a word
    that the tokenizer cannot write has no probabilities, and the pair no rating.

    >>> log_probability(pl.DataFrame(), pl.DataFrame({"probe_id": ["1b tool:hammer"], "values": [[None, -1.0, -2.0]]}))
    {('1b', 'tool:hammer'): -3.0}
    """
    return {
        pair: None if is_missing(logs) else float(np.nansum(logs)) for pair, logs in values_by_probe(scores).items()
    }


def mean_log_probability(_: Probes, scores: Scores) -> PairRatings:
    """Rate by the mean log-probability of the sentence's n tokens, 1/n Σ log P(t_i): minus its log-perplexity.

    >>> scores = pl.DataFrame({"probe_id": ["1b tool:hammer"], "values": [[None, -1.0, -2.0]]})
    >>> mean_log_probability(pl.DataFrame(), scores)
    {('1b', 'tool:hammer'): -1.5}
    """
    return {
        pair: None if is_missing(logs) else float(np.nanmean(logs)) for pair, logs in values_by_probe(scores).items()
    }


def mutual_information(probes: Probes, scores: Scores) -> PairRatings:
    """Rate by the pointwise mutual information of the two words under the sentence S, in natural log.

    Let u be the word that stands first in the sentence and v the other. The rating is log P(v | S, u) - log P(v | S), where
    P(v | S) is the mean of P(v | S, u') over the first words u' of the subcategory's pairs. A word that the tokenizer cannot
    write is no u', and its pairs have no rating.
    """
    candidates = {request.id: request.candidates for request in slots(probes, both_sides=True)}
    logs: dict[str, dict[str, Vector]] = {}  # subcategory -> first word -> log P of all candidates
    for (subcategory, first), values in values_by_probe(scores).items():
        logs.setdefault(subcategory, {})[first] = values
    marginal = {
        subcategory: log_mean([values for values in logs_by_word.values() if not is_missing(values)])
        for subcategory, logs_by_word in logs.items()
    }
    ratings: dict[tuple[str, str], float | None] = {}
    for row in probes.drop_nulls("analogy").iter_rows(named=True):
        subcategory, (first, second) = row["subcategory"], words(row)
        index = candidates[f"{subcategory} {first}"].index(second)
        conditional = logs[subcategory][first][index]
        is_rated = not np.isnan(conditional)
        ratings[subcategory, row["pair"]] = float(conditional - marginal[subcategory][index]) if is_rated else None
    return ratings


def hidden_similarity(probes: Probes, scores: Scores) -> PairRatings:
    """Rate by the mean cosine of the pair's offset h(y) - h(x) with the offsets of the paradigms, without the pair itself.

    h is the hidden state of a word in the sentence. A pair that is a paradigm itself is not compared with itself. A pair
    whose offset is zero has no rating, and neither has one with a word that the tokenizer cannot write.
    """
    states = {pair: np.split(values, 2) for pair, values in values_by_probe(scores).items()}
    offsets = {pair: y - x for pair, (x, y) in states.items()}
    paradigms: dict[str, list[str]] = {}
    for subcategory, pair in probes.filter("paradigm").select("subcategory", "pair").iter_rows():
        paradigms.setdefault(subcategory, []).append(pair)
    return {
        (subcategory, pair): mean_cosine(
            offsets[subcategory, pair],
            [offsets[subcategory, paradigm] for paradigm in paradigms[subcategory] if paradigm != pair],
        )
        for subcategory, pair in probes.drop_nulls("analogy").select("subcategory", "pair").iter_rows()
    }


RATERS: Mapping[str, Callable[[Probes, Scores], PairRatings]] = {
    "schema": log_probability,  # of `schemas`
    "schema-mean": mean_log_probability,
    "analogy": log_probability,  # of `analogies`
    "analogy-mean": mean_log_probability,
    "pmi": mutual_information,  # of `slots`
    "hidden": hidden_similarity,  # of `spans`
}
"""Rater -> what makes ratings of the answers to a kind of requests."""


def ratings(scores: Sequence[Scores], probes: Probes, *, model: str, raters: Sequence[str]) -> Ratings:
    """Turn the scores of a model into the ratings of its raters; there are scores for each rater, in their order."""
    parts = [
        rating_table(f"{model} {rater}", RATERS[rater](probes, rater_scores))
        for rater, rater_scores in zip(raters, scores, strict=True)
    ]
    return pl.concat([pl.DataFrame(schema=RATINGS), *parts])
