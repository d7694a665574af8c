"""The ratings of each agent, and how well they agree with people's."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.errors import DataError
from relprobe.core.manifest import fetched_folder
from relprobe.core.metric import Metric
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.sources.semeval2012 import Subcategory
from relprobe.sources.semeval2012_ratings import baseline as supplied_ratings
from relprobe.sources.static_vectors import StaticVectors, Vectors, cosine
from relprobe.stats import TestResult, spearman
from relprobe.stats.schemas import RAW
from relprobe.studies.degrees.ask import Probes, Scores, slots, words
from relprobe.studies.degrees.data import Relations
from relprobe.studies.degrees.schemas import (
    LAYER_METRICS,
    METRICS,
    RATINGS,
    TRAINING,
    Gold,
    LayerMetrics,
    Metrics,
    Questions,
    Ratings,
)

# How well an agent's ratings agree with people: Spearman's rho, MaxDiff accuracy, and the ranks of reversed pairs.


WITHOUT = "_without_reversals"
HEADLINES = ("rho", "maxdiff")
"""The metrics that agents are tested in and raters are chosen by, each with and without the reversed pairs."""
COUNTED = ("significant_05", "significant_01", "negative_05")
MEASURES = (
    *(Metric(name + pairs, items="subcategories") for name in HEADLINES for pairs in ("", WITHOUT)),
    *(Metric(f"p{pairs}", less_is_better=True, test=None, items="subcategories") for pairs in ("", WITHOUT)),
    *(
        Metric(name + pairs, test=None, items="subcategories", share=True)
        for name in COUNTED
        for pairs in ("", WITHOUT)
    ),
    *(Metric(name, test=None, items="subcategories") for name in ("least", "most")),
    Metric("rated", test=None, items="subcategories", share=True),
    Metric("constant", less_is_better=True, test=None, items="subcategories", share=True),
    Metric(
        "reversal_error",
        less_is_better=True,
        test=None,
        items="reversed pairs",
        cluster=("cluster",),
        clusters="subcategories",
    ),
)
"""The metrics of the study; `units` says what each of them is. A subcategory is a cluster in all of them."""
Question = Mapping[str, Sequence[str]]


def units(ratings: Ratings, gold: Gold, questions: Questions) -> pl.DataFrame:
    """Measure the ratings of one agent against people's (METRICS without the agent).

    Metrics, with the subcategory as unit:
    - "rho": Spearman's rank correlation with the gold ratings, "p": its two-sided p-value, which takes pairs as independent;
      equal ratings of all pairs have a rho of 0 and a p of 1, as the task counts them;
    - "significant_05", "significant_01": 1 if p is below 0.05 and 0.01, else 0; "negative_05": 1 if rho is also negative;
    - "least", "most": the percentage of MaxDiff questions in which the agent picks the majority's least or most illustrative
      pair, with equal ratings by the mean over all their orders; "maxdiff": the mean of both;
    - these, except least and most, with the ending "_without_reversals": without the pairs whose words the authors exchanged
      (Table 5), and without the questions about these;
    - "rated": the share of pairs that the agent rates; "constant": 1 if all of its ratings are equal, else 0;
    and with the reversed pair as unit:
    - "reversal_error": the squared error in the difference of ranks between a pair and its reversal (Table 6).
    Unrated pairs, and questions about them, take no part. A value that cannot be computed has no row: rho if fewer than
    three pairs are rated, or if the gold ratings of the rated pairs are equal.
    """
    rated = gold.join(ratings.drop_nulls("rating"), on=["subcategory", "pair"], how="left", suffix="_agent")
    questions_of = dict(iter(questions.group_by("subcategory", maintain_order=True)))
    rows: list[tuple[str, str, str, str, float]] = []
    for (name,), pairs in rated.group_by("subcategory", maintain_order=True):
        condition = TRAINING if pairs["training"][0] else pairs["relation_class"][0]
        rated_pairs = pairs.drop_nulls("rating_agent")
        asked = questions_of.get((name,), questions.head(0)).to_dicts()
        values = [("rated", rated_pairs.height / pairs.height)]
        if rated_pairs.height:
            values.append(("constant", float(rated_pairs["rating_agent"].n_unique() == 1)))
        for ending, subset in (("", rated_pairs), (WITHOUT, rated_pairs.filter(pl.col("reverses").is_null()))):
            rating_of = dict(subset.select("pair", "rating_agent").iter_rows())
            of_subset = [*_correlation_values(subset), *_maxdiff(rating_of, asked)]
            values += [(metric + ending, v) for metric, v in of_subset if not ending or metric not in ("least", "most")]
        rows += [(metric, condition, name, name, value) for metric, value in values]
        rows += [("reversal_error", condition, f"{name} {pair}", name, e) for pair, e in reversal_errors(rated_pairs)]
    schema = {column: kind for column, kind in METRICS.items() if column != "agent"}
    return pl.DataFrame(rows, schema=schema, orient="row")


def rater_metrics(ratings: Ratings, gold: Gold, questions: Questions) -> Metrics:
    """Measure the ratings of one or several agents against people."""
    agents = ratings.partition_by("agent", as_dict=True, maintain_order=True)
    tables = [units(table, gold, questions).with_columns(agent=pl.lit(agent)) for (agent,), table in agents.items()]
    return pl.concat(tables).select(list(METRICS))


def _correlation_values(pairs: pl.DataFrame) -> Iterator[tuple[str, float]]:
    result = correlation(pairs)
    if result.effect is not None and result.p is not None:
        yield "rho", result.effect
        yield "p", result.p
        yield "significant_05", float(result.p < 0.05)
        yield "significant_01", float(result.p < 0.01)
        yield "negative_05", float(result.p < 0.05 and result.effect < 0)


def correlation(pairs: pl.DataFrame) -> TestResult:
    """Return Spearman's rank correlation of the columns `rating` and `rating_agent` (section 4.1).

    The ratings are ranked as they are, without rounding: 1e-13 is more than 5e-14. If the agent's ratings are all equal and
    the gold ratings are not, rho is 0 and p is 1, as the task counts them.

    >>> correlation(pl.DataFrame({"rating": [1.0, 2.0, 3.0, 4.0], "rating_agent": [4.0, 6.0, 8.0, 7.0]})).effect
    0.8
    >>> correlation(pl.DataFrame({"rating": [1.0, 2.0, 3.0], "rating_agent": [5.0, 5.0, 5.0]})).effect
    0.0
    """
    result = spearman(pairs["rating"].rank().to_numpy(), pairs["rating_agent"].rank().to_numpy())
    constant = pairs["rating_agent"].n_unique() == 1 < pairs["rating"].n_unique()
    return TestResult(result.name, result.n, 0.0, 1.0) if constant and result.n > 2 else result


def _maxdiff(ratings: Mapping[str, float], questions: Sequence[Question]) -> Iterator[tuple[str, float]]:
    answered = [question for question in questions if set(question["pairs"]) <= set(ratings)]
    if answered:
        sides = (("least", min), ("most", max))
        yield from _accuracies([[chosen_share(ratings, one, *side) for one in answered] for side in sides])


def _accuracies(right: Sequence[Sequence[float]]) -> Iterator[tuple[str, float]]:
    """Yield the percentages of right answers, `right`: from 0 to 1, (2, questions), of both sides and of all."""
    shares = 100 * np.array(right, dtype=float).mean(axis=1)
    yield from zip(("least", "most", "maxdiff"), [*shares.tolist(), float(shares.mean())], strict=True)


def answer_metrics(
    answers: pl.DataFrame, questions: Questions, reversed_pairs: Mapping[str, Collection[str]]
) -> pl.DataFrame:
    """Measure MaxDiff answers (ANSWERS) against the majority's: METRICS but agent and condition.

    The metrics are least, most and maxdiff, and maxdiff_without_reversals, which leaves out the questions that show one of
    the `reversed_pairs` of their subcategory. An answer without a choice is wrong. Only the answered questions count.
    """
    joined = answers.join(
        questions, on=["subcategory", "pairs"], how="inner", suffix="_majority", maintain_order="left"
    )
    rows: list[tuple[str, str, str, float]] = []
    for (name,), table in joined.group_by("subcategory", maintain_order=True):
        exchanged = list(reversed_pairs[str(name)])
        without = table.filter(pl.col("pairs").list.set_intersection(exchanged).list.len() == 0)
        for ending, part in (("", table), (WITHOUT, without)):
            if part.is_empty():
                continue
            right = [[row[s] in row[f"{s}_majority"] for row in part.iter_rows(named=True)] for s in ("least", "most")]
            rows += [
                (metric + ending, str(name), str(name), value)
                for metric, value in _accuracies(right)
                if not ending or metric == "maxdiff"
            ]
    schema = {column: METRICS[column] for column in ("metric", "unit", "cluster", "value")}
    return pl.DataFrame(rows, schema=schema, orient="row")


def chosen_share(ratings: Mapping[str, float], question: Question, side: str, extreme: Callable[..., float]) -> float:
    """Return how often the pair that the ratings choose in a MaxDiff question is the majority's, over all orders of ties.

    `side`, `extreme`: "least" and min, or "most" and max. The task breaks ties arbitrarily; here each of the pairs with the
    extreme rating is the choice in as many orders, so that no order of the pairs changes the value.

    >>> question = {"pairs": ["a:b", "c:d", "e:f", "g:h"], "least": ["c:d"], "most": ["g:h"]}
    >>> ratings = {"a:b": 1.0, "c:d": 1.0, "e:f": 2.0, "g:h": 3.0}
    >>> chosen_share(ratings, question, "least", min), chosen_share(ratings, question, "most", max)
    (0.5, 1.0)
    """
    best = extreme(ratings[pair] for pair in question["pairs"])
    tied = [pair for pair in question["pairs"] if ratings[pair] == best]
    return sum(pair in question[side] for pair in tied) / len(tied)


def reversal_errors(pairs: pl.DataFrame) -> list[tuple[str, float]]:
    """Return ((r - r') - (g - g'))² for each reversed pair, with its rank r by the agent and g by the gold ratings.

    r' and g' are the ranks of the pair that it reverses. Ranks are within the subcategory, and ties have their mean rank.

    >>> pairs = {"pair": ["a:b", "c:d", "b:a"], "reverses": [None, None, "a:b"]}
    >>> reversal_errors(pl.DataFrame({**pairs, "rating": [9.0, 5.0, 1.0], "rating_agent": [9.0, 1.0, 5.0]}))
    [('b:a', 1.0)]
    """
    agent = dict(zip(pairs["pair"], pairs["rating_agent"].rank(), strict=True))
    people = dict(zip(pairs["pair"], pairs["rating"].rank(), strict=True))
    both = [(pair, original) for pair, original in pairs.select("pair", "reverses").iter_rows() if original in agent]
    return [(pair, float(agent[pair] - agent[was] - people[pair] + people[was]) ** 2) for pair, was in both]


# Ratings without a language model: random numbers, the ratings that the authors supply, and static vectors.


SubcategoryRatings = Mapping[str, Mapping[str, float | None]]
"""Subcategory -> pair -> rating"""
Control = Literal["random", "pmi", "static", "typical"]
"""An agent that is no language model."""


def baseline(
    relations: Relations,
    supplied: Path | None = None,
    vectors: Vectors | None = None,
    *,
    agent: Control,
    seed: int,
) -> Ratings:
    """Rate the pairs without a language model: by the authors' PMI ratings, by static vectors, or else at random.

    `supplied`: the manifest of the task's packages, for the PMI ratings. Vectors compare the pairs with the paradigms:
    static their offsets, and typical their words.
    """
    if supplied is not None:
        return table(agent, supplied_pmi(relations, fetched_folder(supplied)))
    if vectors is None:
        return table(agent, random(relations, seed))
    return table(agent, (typical_words if agent == "typical" else static_offsets)(relations, vectors))


def random(subcategories: Sequence[Subcategory], seed: int) -> SubcategoryRatings:
    """Rate every pair by a number between 0 and 100 drawn at random (section 4.2)."""
    draws = np.random.default_rng(seed)
    return {one.id: {pair: float(draws.uniform(0, 100)) for pair in one.pairs} for one in subcategories}


def supplied_pmi(subcategories: Sequence[Subcategory], folder: Path) -> SubcategoryRatings:
    """Return the authors' ratings by pointwise mutual information in a corpus of 50 billion tokens (section 4.2)."""
    return supplied_ratings(folder, "PMI", {one.id: one for one in subcategories})


def static_offsets(subcategories: Sequence[Subcategory], vectors: StaticVectors) -> SubcategoryRatings:
    """Rate a pair by the mean cosine of its offset v(y) - v(x) with those of the other paradigms.

    A pair that is a paradigm itself is not compared with itself. A pair has no rating if one of its words has no vector, if
    both words have the same vector, or if this holds for all other paradigms.
    """
    return {one.id: {pair: _similarity(pair, one.others(pair), vectors) for pair in one.pairs} for one in subcategories}


def typical_words(subcategories: Sequence[Subcategory], vectors: StaticVectors) -> SubcategoryRatings:
    """Rate a pair by how near its words are to those of the other paradigms: the mean of cos(x, x') + cos(y, y').

    This knows what the first and the second words of a relation look like, and nothing of what connects the two. A pair has
    no rating if one of its words has no vector, or if this holds for all other paradigms.
    """
    return {one.id: {pair: _nearness(pair, one.others(pair), vectors) for pair in one.pairs} for one in subcategories}


def _nearness(pair: str, paradigms: Sequence[str], vectors: StaticVectors) -> float | None:
    x, y = vectors.unit(pair.split(":"))
    sums = [float(x @ first + y @ second) for first, second in (vectors.unit(one.split(":")) for one in paradigms)]
    known = [value for value in sums if not np.isnan(value)]
    return float(np.mean(known)) if known else None


def _similarity(pair: str, paradigms: Sequence[str], vectors: StaticVectors) -> float | None:
    offset = _offset(pair, vectors)
    others = [other for other in (_offset(paradigm, vectors) for paradigm in paradigms) if other is not None]
    if offset is None:
        return None
    cosines = [value for value in (cosine(offset, other) for other in others) if value is not None]
    return float(np.mean(cosines)) if cosines else None


def _offset(pair: str, vectors: StaticVectors) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]] | None:
    x, y = (vectors.of(word) for word in pair.split(":"))
    return None if x is None or y is None else y - x


def table(agent: str, ratings: SubcategoryRatings) -> Ratings:
    """Return ratings as the table of one agent.

    >>> table("random", {"1b": {"tool:hammer": 40.0}}).rows()
    [('random', '1b', 'tool:hammer', 40.0)]
    """
    rows = [(agent, name, pair, value) for name, of_pair in ratings.items() for pair, value in of_pair.items()]
    return pl.DataFrame(rows, schema=RATINGS, orient="row")


# The raters: each is a function that turns the scores of a model into ratings of pairs.


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
    return {_key(probe_id): _known_rows(np.nansum, values) for probe_id, values in _values(scores).items()}


def mean_log_probability(_: Probes, scores: Scores) -> Rated:
    """Rate by the mean log-probability of the sentence's tokens: minus the log of its (pseudo-)perplexity.

    >>> scores = pl.DataFrame({"probe_id": ["1b tool:hammer"], "values": [[None, -1.0, -2.0]]})
    >>> mean_log_probability(pl.DataFrame(), scores)
    {('1b', 'tool:hammer'): -1.5}
    """
    return {_key(probe_id): _known_rows(np.nanmean, values) for probe_id, values in _values(scores).items()}


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


def _known_rows(
    average: Callable[[NDArray[np.float32]], np.floating[Any]], values: NDArray[np.float32]
) -> float | None:
    return None if _is_missing(values) else float(average(values))


def _is_missing(values: NDArray[np.float32]) -> bool:
    """Say whether no value is there: the model cannot read the text."""
    return bool(np.isnan(values).all())


def _log_mean(rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
    """Return the log of the mean of probabilities, from the logs of these; without rows there is no value to read."""
    from scipy.special import logsumexp  # which takes a quarter of a second, and one of the steps needs it

    mean: NDArray[np.float64] = logsumexp(list(rows), axis=0) - np.log(len(rows)) if rows else np.empty(0)
    return mean


def _values(scores: Scores) -> dict[str, NDArray[np.float32]]:
    return {probe_id: np.array(values, np.float32) for probe_id, values in scores.iter_rows()}


def _key(probe_id: str) -> tuple[str, str]:
    subcategory, _, rest = probe_id.partition(" ")
    return subcategory, rest


# The agreement of the rater `hidden` with people after each layer of a model.


MEASURED = [name + pairs for name in HEADLINES for pairs in ("", WITHOUT)]


def layer_metrics(scores: ScoreFile, probes: Probes, gold: Gold, questions: Questions) -> LayerMetrics:
    """Measure the ratings of the rater `hidden` after each layer against people's, as those of its one layer are measured.

    `scores`: the states after each layer; one layer is read at a time. DataError: there
    are no scores.
    """
    layers = scores.layers()
    if not layers:
        raise DataError(f"{scores.path} holds no states: the study has no pair to rate.")
    parts = [pl.DataFrame(schema=LAYER_METRICS)]
    for layer in layers:
        of_layer = scores.where(["probe_id", "values"], layer=layer)
        rows = [("", *key, rating) for key, rating in hidden_similarity(probes, of_layer).items()]
        values = units(pl.DataFrame(rows, schema=RATINGS, orient="row"), gold, questions)
        place = {"layer": pl.lit(layer, pl.UInt16), "variant": pl.lit(RAW)}
        parts.append(values.filter(pl.col("metric").is_in(MEASURED)).with_columns(**place).select(list(LAYER_METRICS)))
    return pl.concat(parts)
