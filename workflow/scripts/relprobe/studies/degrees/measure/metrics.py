"""How well an agent's ratings agree with people: Spearman's rho, MaxDiff accuracy, and the ranks of reversed pairs."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from relprobe.core.metric import Metric
from relprobe.stats import TestResult, spearman
from relprobe.studies.degrees.schemas import METRICS, TRAINING, Gold, Metrics, Questions, Ratings

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


def of_raters(ratings: Ratings, gold: Gold, questions: Questions) -> Metrics:
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


def of_answers(
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
