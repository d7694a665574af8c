"""How well people agree on a subcategory: the noise ceiling of the agents' agreement with them.

The package does not say which person gave an answer, so that the answers to each question are split by themselves. Own
ratings are split pair by pair.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.core.sums import ordered_mean
from relprobe.sources.semeval2012 import Subcategory
from relprobe.stats import Values
from relprobe.stats.ceiling import Ceiling, Mask, split_half
from relprobe.studies.degrees.relations import Relations
from relprobe.studies.degrees.schemas import CEILING, TRAINING, Ceilings

DRAWS = 100
"""Random halves of a subcategory: their mean correlation moves by about 0.003 between seeds."""


def ceiling(relations: Relations, *, seed: int) -> Ceilings:
    """Measure how well people agree on every subcategory, with and without the reversed pairs. `seed` is of the halves."""
    rows = [row for subcategory in relations for row in _ceiling_rows(subcategory, seed)]
    return pl.DataFrame(rows, schema=CEILING, orient="row")


def _ceiling_rows(subcategory: Subcategory, seed: int) -> Iterator[tuple[object, ...]]:
    condition = TRAINING if subcategory.training else subcategory.relation_class
    for reversals in (True, False):
        pairs = [pair for pair in subcategory.pairs if reversals or pair not in subcategory.reversals]
        halves = (_split_ratings if subcategory.ratings else _split_half)(subcategory, pairs, seed)
        maxdiff = one_against_the_others(_counts(subcategory, pairs))
        yield subcategory.id, condition, reversals, len(pairs), *halves, None if np.isnan(maxdiff) else 100 * maxdiff


def _split_half(subcategory: Subcategory, pairs: Sequence[str], seed: int) -> tuple[object, ...]:
    """Return the columns people to note of CEILING."""
    column = {pair: number for number, pair in enumerate(pairs)}
    question = {pairs: number for number, pairs in enumerate(subcategory.questions)}
    shown, chosen = (np.zeros((len(subcategory.answers), len(pairs))) for _ in range(2))
    for row, answer in enumerate(subcategory.answers):
        for pair in column.keys() & set(answer.question):
            shown[row, column[pair]] = 1
            chosen[row, column[pair]] = (answer.most == pair) - (answer.least == pair)

    def prototypicality(mask: Mask) -> Values:
        count = mask.astype(float) @ shown
        rating: Values = np.divide(
            mask.astype(float) @ chosen, count, out=np.full(count.shape, np.nan), where=count > 0
        )
        return rating

    groups = np.array([question[answer.question] for answer in subcategory.answers])
    return _agreement(split_half(prototypicality, groups, seed, draws=DRAWS, ranks=True))


def _split_ratings(subcategory: Subcategory, pairs: Sequence[str], seed: int) -> tuple[object, ...]:
    """Return the columns people to note of CEILING for ratings of people, whose means are the gold ratings."""
    groups = np.array([number for number, pair in enumerate(pairs) for _ in subcategory.ratings[pair]])
    values = np.array([value for pair in pairs for value in subcategory.ratings[pair]])
    is_of_pair = groups[:, None] == np.arange(len(pairs))

    def means(mask: Mask) -> Values:
        counts = mask.astype(float) @ is_of_pair
        sums = (mask * values) @ is_of_pair
        rating: Values = np.divide(sums, counts, out=np.full(counts.shape, np.nan), where=counts > 0)
        return rating

    return _agreement(split_half(means, groups, seed, draws=DRAWS, ranks=True))


def _agreement(agreement: Ceiling) -> tuple[object, ...]:
    """Return the columns people to note of CEILING."""
    return agreement.people, agreement.split_half, agreement.reliability, agreement.limit, agreement.note


def _counts(subcategory: Subcategory, pairs: Sequence[str]) -> NDArray[np.int64]:
    """Return how many people chose each option, (2 × questions, 4): least, then most illustrative.

    Only questions about `pairs` alone count.
    """
    questions = [question for question in subcategory.questions if set(question) <= set(pairs)]
    counts = np.zeros((2, len(questions), 4), dtype=np.int64)
    row = {question: number for number, question in enumerate(questions)}
    for answer in subcategory.answers:
        if answer.question in row:
            for side, choice in enumerate((answer.least, answer.most)):
                if choice:
                    counts[side, row[answer.question], answer.question.index(choice)] += 1
    return counts.reshape(-1, 4)


def one_against_the_others(counts: NDArray[np.int64]) -> float:
    """Return how often a person's choice is the majority's among the other people, as the task scores an agent's choice.

    `counts`: how many people chose each option, (questions, options). Any choice counts that ties for the majority of the
    others. Questions that fewer than two people answered do not count; NaN if there is no other.

    Of three people two chose the first option. Each of these two sees the others tie, and so is right; the third is wrong.

    >>> round(one_against_the_others(np.array([[2, 1, 0], [1, 0, 0]])), 3)
    0.667
    """
    answered = counts[counts.sum(axis=1) > 1]
    right = 0
    for option in range(counts.shape[1]):
        other_counts = answered.copy()
        other_counts[:, option] -= 1
        right += int((answered[:, option] * (other_counts[:, option] == other_counts.max(axis=1))).sum())
    return right / int(answered.sum()) if len(answered) else float("nan")


def mean_ceiling(ceilings: Ceilings, conditions: Sequence[str], *, reversals: bool) -> dict[str, float | None]:
    """Return the means of a table over the subcategories of some conditions: split_half, ceiling, annotator_maxdiff.

    `reversals`: whether the reversed pairs take part.
    """
    rows = ceilings.filter(pl.col("condition").is_in(list(conditions)), reversals=reversals)
    return rows.select(ordered_mean(pl.col("split_half", "ceiling", "annotator_maxdiff"))).row(0, named=True)
