"""How prototypical is a pair of words for its relation? SemEval-2012 Task 2 (Jurgens et al., 2012), from words to numbers.

A relation, such as "Y functions as an X", has a few paradigms, such as weapon:knife, and some forty pairs, such as
tool:hammer. People chose of four pairs at a time the most and the least illustrative one (a MaxDiff question). An agent
rates all pairs of the relation, and its ratings are compared with people's. Four tables follow from each other:

    items      subcategory, pair, reverses, rating                a row per pair, with people's rating (the file `gold`)
               subcategory, pairs, least, most                    a row per question, with people's choices (`questions`)
    scores     probe_id, values                                   a row per text: log-probabilities, or hidden states
    responses  agent, subcategory, pair, rating                   a row per pair, with the agent's rating (`ratings`)
    values     agent, metric, condition, unit, cluster, value     what averages and tests read (relprobe.stats)

A relation is called a subcategory in the task. It is the unit of a value, and its cluster; the error of reversals has a unit
per reversed pair. The condition is the class of the subcategory or, of the ten that the task has for training, "training".
An agent is a baseline, such as "random", or a model with a rater, such as "gpt2 pmi": a way to make ratings of its scores.

The probes of a subcategory are its sentence and its analogy with a pair in them. A model answers `schemas` and `analogies`
with the natural-log probability of each token, `slots` with that of each candidate, and `spans` with a vector of each word.

The task has the ratings of people, the MaxDiff questions, both measures, and their values without reversals (Table 5). The
raters are this study's. So are the expected value of ties in MaxDiff, rho = 0 for an agent whose ratings are all equal, and
the examples before a text. A question that nobody answered has no majority, and counts as wrong for every agent.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.lm.requests import SLOT, Continuation, Sentence, SpanText
from relprobe.lm.words.examples import join_examples
from relprobe.sources.semeval2012 import Answer, Subcategory
from relprobe.sources.static_vectors import cosine
from relprobe.stats import TestResult, spearman
from relprobe.studies.degrees.schemas import (
    GOLD,
    METRICS,
    PROBES,
    QUESTIONS,
    RATINGS,
    TRAINING,
    Gold,
    Metrics,
    Probes,
    Questions,
    Ratings,
    Scores,
)

# 3.1 Prototypicality: what people's choices say of each pair. Of each subcategory, five pairs are the reversals of others:
# hammer:tool reverses tool:hammer.


def prototypicality(answers: Sequence[Answer]) -> dict[str, float]:
    """Return the prototypicality of every pair in the questions, from -100 to 100.

    It is the percentage of answers to the pair's questions that choose it as most illustrative, minus the percentage that
    choose it as least illustrative, rounded to one decimal as in the authors' gold files. An answer without a choice
    counts among the answers.

    >>> question = ("a:b", "c:d", "e:f", "g:h")
    >>> answers = [Answer(question, least=least, most="a:b", relation="1b") for least in ("c:d", "")]
    >>> prototypicality(answers)
    {'a:b': 100.0, 'c:d': -50.0, 'e:f': 0.0, 'g:h': 0.0}
    """
    shown = Counter(pair for answer in answers for pair in answer.question)
    most = Counter(answer.most for answer in answers)
    least = Counter(answer.least for answer in answers)
    # This is the order of the authors' script, whose floating-point error decides how x.x5 is rounded.
    return {pair: round(100 * most[pair] / n - 100 * least[pair] / n, 1) for pair, n in shown.items()}


def gold(subcategories: Sequence[Subcategory]) -> Gold:
    """Return people's rating of every pair: its prototypicality or, of own data, the mean of people's ratings."""
    rows = []
    for subcategory in subcategories:
        ratings = {pair: sum(numbers) / len(numbers) for pair, numbers in subcategory.ratings.items()}
        ratings = ratings or prototypicality(subcategory.answers)
        relation = subcategory.id, subcategory.relation_class, subcategory.training
        rows += [
            (*relation, pair, subcategory.reversals.get(pair), ratings[pair], subcategory.name)
            for pair in subcategory.pairs
        ]
    return pl.DataFrame(rows, schema=GOLD, orient="row")


def questions(subcategories: Sequence[Subcategory]) -> Questions:
    """Return the MaxDiff questions with the choices of the majority."""
    rows = []
    for subcategory in subcategories:
        answers: dict[tuple[str, ...], list[Answer]] = {question: [] for question in subcategory.questions}
        for answer in subcategory.answers:
            answers[answer.question].append(answer)
        for question, group in answers.items():
            least, most = majority(answer.least for answer in group), majority(answer.most for answer in group)
            rows.append((subcategory.id, list(question), least, most, len(group)))
    return pl.DataFrame(rows, schema=QUESTIONS, orient="row")


def majority(choices: Iterable[str]) -> list[str]:
    """Return the most frequent choice, or all that tie (section 4.1); "" stands for an answer without a choice.

    >>> majority(["c:d", "a:b", "a:b", ""]), majority(["c:d", "a:b"])
    (['a:b'], ['a:b', 'c:d'])
    """
    counts = Counter(choice for choice in choices if choice)
    return sorted(pair for pair, n in counts.items() if n == max(counts.values()))


# 2.1 What a model is asked: a relation is given by its sentence, with the pair as [X] and [Y], or by its paradigms.


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
            analogous = analogy(subcategory.others(pair)) if pair in subcategory.pairs else None
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
        for word, (before, after) in {first: around for first, _, *around in pairs}.items():
            taboo = {one for pair in pairs if pair[0] == word for one in pair[:2]}
            examples = _example_sentences(probes, str(subcategory), taboo, shots)
            text = examples + before + SLOT + (after if both_sides else "")
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
    return probes.filter(pl.col("analogy").is_not_null())


# From scores to ratings: the raters of a model. They are this study's; the paper's systems (section 5) read corpora.


PairRatings = Mapping[tuple[str, str], float | None]
"""(subcategory, pair) -> rating; None: the agent does not know the words."""
Vector = NDArray[np.float32]


def ratings(scores: Sequence[Scores], probes: Probes, *, model: str, raters: Sequence[str]) -> Ratings:
    """Turn the scores of a model into the ratings of its raters; there are scores for each rater, in their order."""
    parts = [
        rating_table(f"{model} {rater}", RATERS[rater](probes, of_rater))
        for rater, of_rater in zip(raters, scores, strict=True)
    ]
    return pl.concat([pl.DataFrame(schema=RATINGS), *parts])


def rating_table(agent: str, ratings: PairRatings) -> Ratings:
    """Return ratings as the table of one agent.

    >>> rating_table("random", {("1b", "tool:hammer"): 40.0}).rows()
    [('random', '1b', 'tool:hammer', 40.0)]
    """
    rows = [(agent, subcategory, pair, rating) for (subcategory, pair), rating in ratings.items()]
    return pl.DataFrame(rows, schema=RATINGS, orient="row")


def model_of(agent: str) -> str | None:
    """Return the model of an agent, or None for a baseline.

    >>> model_of("smollm2-135m schema"), model_of("random")
    ('smollm2-135m', None)
    """
    return agent.rpartition(" ")[0] or None


def rater_of(agent: str) -> str:
    """Return the rater of an agent; the rater of a baseline is the baseline's name.

    >>> rater_of("smollm2-135m schema"), rater_of("random")
    ('schema', 'random')
    """
    return agent.rpartition(" ")[2]


def log_probability(_: Probes, scores: Scores) -> PairRatings:
    """Rate by the (pseudo-)log-probability of the pair's sentence: Σ log P(t_i), in natural log.

    A token without probability does not count: the first one of a causal model without BOS token. A sentence with a word
    that the tokenizer cannot write has no probabilities, and the pair no rating.

    >>> log_probability(pl.DataFrame(), pl.DataFrame({"probe_id": ["1b tool:hammer"], "values": [[None, -1.0, -2.0]]}))
    {('1b', 'tool:hammer'): -3.0}
    """
    return {pair: None if is_missing(logs) else float(np.nansum(logs)) for pair, logs in of_probes(scores).items()}


def mean_log_probability(_: Probes, scores: Scores) -> PairRatings:
    """Rate by the mean log-probability of the sentence's n tokens, 1/n Σ log P(t_i): minus its log-perplexity.

    >>> scores = pl.DataFrame({"probe_id": ["1b tool:hammer"], "values": [[None, -1.0, -2.0]]})
    >>> mean_log_probability(pl.DataFrame(), scores)
    {('1b', 'tool:hammer'): -1.5}
    """
    return {pair: None if is_missing(logs) else float(np.nanmean(logs)) for pair, logs in of_probes(scores).items()}


def mutual_information(probes: Probes, scores: Scores) -> PairRatings:
    """Rate by the pointwise mutual information of the two words under the sentence S, in natural log.

    Let u be the word that stands first in the sentence and v the other. The rating is log P(v | S, u) - log P(v | S), where
    P(v | S) is the mean of P(v | S, u') over the first words u' of the subcategory's pairs. A word that the tokenizer cannot
    write is no u', and its pairs have no rating.
    """
    candidates = {request.id: request.candidates for request in slots(probes, both_sides=True)}
    logs: dict[str, dict[str, Vector]] = {}  # subcategory -> first word -> log P of all candidates
    for (subcategory, first), values in of_probes(scores).items():
        logs.setdefault(subcategory, {})[first] = values
    marginal = {
        subcategory: log_mean([values for values in of_firsts.values() if not is_missing(values)])
        for subcategory, of_firsts in logs.items()
    }
    ratings: dict[tuple[str, str], float | None] = {}
    for row in _rated(probes).iter_rows(named=True):
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
    states = {pair: np.split(values, 2) for pair, values in of_probes(scores).items()}
    offsets = {pair: y - x for pair, (x, y) in states.items()}
    paradigms: dict[str, list[str]] = {}
    for subcategory, pair in probes.filter("paradigm").select("subcategory", "pair").iter_rows():
        paradigms.setdefault(subcategory, []).append(pair)
    return {
        (subcategory, pair): mean_cosine(
            offsets[subcategory, pair],
            [offsets[subcategory, other] for other in paradigms[subcategory] if other != pair],
        )
        for subcategory, pair in _rated(probes).select("subcategory", "pair").iter_rows()
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


def of_probes(scores: Scores) -> dict[tuple[str, str], Vector]:
    """Return (subcategory, pair or first word) -> the values of a probe, whose id is both with a blank between them."""
    ids = {probe_id: probe_id.partition(" ") for probe_id in scores["probe_id"]}
    return {
        (ids[probe_id][0], ids[probe_id][2]): np.array(values, np.float32) for probe_id, values in scores.iter_rows()
    }


def is_missing(values: Vector) -> bool:
    """Return whether no value is there: the model cannot read the text."""
    return bool(np.isnan(values).all())


def mean_cosine(vector: Vector, others: Iterable[Vector]) -> float | None:
    """Return the mean cosine of a vector with others; None if it, or all of them, are missing or zero."""
    if is_missing(vector):
        return None
    cosines = [cosine(vector, other) for other in others if not is_missing(other)]
    present = [value for value in cosines if value is not None]
    return float(np.mean(present)) if present else None


def log_mean(rows: Sequence[Vector]) -> NDArray[np.float64]:
    """Return the log of the mean of probabilities, from the logs of these; without rows there is no value to read."""
    from scipy.special import logsumexp  # which takes a quarter of a second, and one of the steps needs it

    mean: NDArray[np.float64] = logsumexp(list(rows), axis=0) - np.log(len(rows)) if rows else np.empty(0)
    return mean


# 4.1 Values: how well an agent's ratings agree with people's. Each is also taken without the reversed pairs (Table 5).


WITHOUT = "_without_reversals"
"""The ending of a metric that is taken without the reversed pairs, and without the questions about these."""
SIDES: Mapping[str, Callable[..., float]] = {"least": min, "most": max}
"""What a MaxDiff question asks for, and which rating of its pairs answers it."""
Question = Mapping[str, Sequence[str]]


def values(ratings: Ratings, gold: Gold, questions: Questions) -> Metrics:
    """Measure the ratings of one or several agents against people's.

    Metrics, with the subcategory as unit:
    - "rho": Spearman's rank correlation with people's ratings, "p": its two-sided p-value, which takes pairs as independent;
    - "significant_05", "significant_01": 1 if p is below 0.05 and 0.01, else 0; "negative_05": 1 if rho is also negative;
    - "least", "most": the percentage of MaxDiff questions in which the agent picks the majority's least or most illustrative
      pair; "maxdiff": the mean of both;
    - these, except least and most, with the ending "_without_reversals";
    - "rated": the share of pairs that the agent rates; "constant": 1 if all of its ratings are equal, else 0;
    and with the reversed pair as unit "reversal_error" (section 6). Unrated pairs, and questions about them, take no part. A
    value that cannot be computed has no row: rho if fewer than three pairs are rated, or if people's ratings are equal.
    """
    agents = ratings.partition_by("agent", as_dict=True, include_key=False, maintain_order=True)
    questions_of = questions.partition_by("subcategory", as_dict=True, maintain_order=True)
    rows: list[tuple[str, str, str, str, str, float]] = []
    for (agent,), of_agent in agents.items():
        pairs = gold.join(of_agent.drop_nulls("rating"), on=["subcategory", "pair"], how="left", suffix="_agent")
        for (subcategory,), of_subcategory in pairs.group_by("subcategory", maintain_order=True):
            condition = TRAINING if of_subcategory["training"][0] else of_subcategory["relation_class"][0]
            asked = questions_of.get((subcategory,), questions.head(0)).to_dicts()
            for metric, pair, value in subcategory_values(of_subcategory, asked):
                unit = f"{subcategory} {pair}" if pair else subcategory
                rows.append((agent, metric, condition, unit, subcategory, value))
    return pl.DataFrame(rows, schema=METRICS, orient="row")


def subcategory_values(pairs: pl.DataFrame, questions: Sequence[Question]) -> Iterator[tuple[str, str, float]]:
    """Yield (metric, reversed pair or "", value) of a subcategory.

    `pairs`: its rows of GOLD with the agent's ratings as `rating_agent`, null where it has none; `questions`: its rows.
    """
    rated = pairs.drop_nulls("rating_agent")
    yield "rated", "", rated.height / pairs.height
    if rated.height:
        yield "constant", "", float(rated["rating_agent"].n_unique() == 1)
    for ending, subset in (("", rated), (WITHOUT, rated.filter(pl.col("reverses").is_null()))):
        yield from ((metric + ending, "", value) for metric, value in correlation_values(subset))
        rating_of = dict(subset.select("pair", "rating_agent").iter_rows())
        for metric, value in maxdiff_values(rating_of, questions):
            if not ending or metric == "maxdiff":
                yield metric + ending, "", value
    yield from (("reversal_error", pair, error) for pair, error in reversal_errors(rated))


def correlation_values(pairs: pl.DataFrame) -> Iterator[tuple[str, float]]:
    """Yield the metrics that are made of `correlation`."""
    result = correlation(pairs)
    if result.effect is not None and result.p is not None:
        yield "rho", result.effect
        yield "p", result.p
        yield "significant_05", float(result.p < 0.05)
        yield "significant_01", float(result.p < 0.01)
        yield "negative_05", float(result.p < 0.05 and result.effect < 0)


def correlation(pairs: pl.DataFrame) -> TestResult:
    """Return Spearman's rank correlation of the columns `rating` and `rating_agent`.

    The ratings are ranked as they are, without rounding: 1e-13 is more than 5e-14. If the agent's ratings are all equal and
    people's are not, rho is 0 and p is 1, as the task counts them.

    >>> correlation(pl.DataFrame({"rating": [1.0, 2.0, 3.0, 4.0], "rating_agent": [4.0, 6.0, 8.0, 7.0]})).effect
    0.8
    >>> correlation(pl.DataFrame({"rating": [1.0, 2.0, 3.0], "rating_agent": [5.0, 5.0, 5.0]})).effect
    0.0
    """
    result = spearman(pairs["rating"].rank().to_numpy(), pairs["rating_agent"].rank().to_numpy())
    constant = pairs["rating_agent"].n_unique() == 1 < pairs["rating"].n_unique()
    return TestResult(result.name, result.n, 0.0, 1.0) if constant and result.n > 2 else result


def maxdiff_values(ratings: Mapping[str, float], questions: Sequence[Question]) -> Iterator[tuple[str, float]]:
    """Yield the MaxDiff accuracies of ratings, over the questions all of whose pairs are rated."""
    answered = [question for question in questions if set(question["pairs"]) <= set(ratings)]
    if answered:
        yield from accuracies([[chosen_share(ratings, question, side) for question in answered] for side in SIDES])


def accuracies(right: Sequence[Sequence[float]]) -> Iterator[tuple[str, float]]:
    """Yield the percentages of right answers, `right`: from 0 to 1, (2, questions), of both sides and of all."""
    shares = 100 * np.array(right, dtype=float).mean(axis=1)
    yield from zip((*SIDES, "maxdiff"), [*shares.tolist(), float(shares.mean())], strict=True)


def chosen_share(ratings: Mapping[str, float], question: Question, side: str) -> float:
    """Return how often the pair that the ratings choose in a MaxDiff question is the majority's, over all orders of ties.

    `side`: "least", which the lowest rating is, or "most", the highest. The task breaks ties arbitrarily; here each of the
    pairs with this rating is the choice in as many orders, so that no order of the pairs changes the value.

    >>> question = {"pairs": ["a:b", "c:d", "e:f", "g:h"], "least": ["c:d"], "most": ["g:h"]}
    >>> ratings = {"a:b": 1.0, "c:d": 1.0, "e:f": 2.0, "g:h": 3.0}
    >>> chosen_share(ratings, question, "least"), chosen_share(ratings, question, "most")
    (0.5, 1.0)
    """
    chosen = chosen_pairs(ratings, question, side)
    return sum(pair in question[side] for pair in chosen) / len(chosen)


def chosen_pairs(ratings: Mapping[str, float], question: Question, side: str) -> list[str]:
    """Return the pair of a question with the lowest or the highest rating, or all that tie."""
    extreme = SIDES[side](ratings[pair] for pair in question["pairs"])
    return [pair for pair in question["pairs"] if ratings[pair] == extreme]


# 6 Sensitivity to argument reversal: by how many ranks a reversed pair lies below the pair that it reverses (Table 6).


def reversal_errors(pairs: pl.DataFrame) -> list[tuple[str, float]]:
    """Return ((r - r') - (g - g'))² for each reversed pair, with its rank r by the agent and g by people's ratings.

    r' and g' are the ranks of the pair that it reverses. Ranks are among the pairs of the subcategory that the agent rates,
    people's ranks as well, and ties have their mean rank.

    >>> pairs = {"pair": ["a:b", "c:d", "b:a"], "reverses": [None, None, "a:b"]}
    >>> reversal_errors(pl.DataFrame({**pairs, "rating": [9.0, 5.0, 1.0], "rating_agent": [9.0, 1.0, 5.0]}))
    [('b:a', 1.0)]
    """
    agent, people = (dict(zip(pairs["pair"], pairs[name].rank(), strict=True)) for name in ("rating_agent", "rating"))
    reversals = [row for row in pairs.select("pair", "reverses").iter_rows() if row[1] in agent]
    return [(pair, float(agent[pair] - agent[was] - people[pair] + people[was]) ** 2) for pair, was in reversals]
