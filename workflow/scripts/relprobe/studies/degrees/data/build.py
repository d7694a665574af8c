"""The gold ratings and the MaxDiff questions, made from the package of the task."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import polars as pl

from relprobe.sources.semeval2012 import Answer, Subcategory
from relprobe.studies.degrees.data.subcategories import Relations
from relprobe.studies.degrees.schemas import GOLD, QUESTIONS, Gold, Questions


class People(NamedTuple):
    """What people say about the pairs; own ratings have no questions."""

    gold: Gold
    questions: Questions


def people(relations: Relations) -> People:
    """Count the answers of people: gold ratings, and MaxDiff questions with the choices of the majority (section 3.1)."""
    return People(gold(relations), questions(relations))


def prototypicality(answers: Sequence[Answer]) -> dict[str, float]:
    """Return the prototypicality of every pair in the questions (section 3.1), from -100 to 100.

    It is the percentage of answers to the pair's questions that choose it as most illustrative, minus the percentage that
    choose it as least illustrative, rounded to one decimal as in the authors' gold files. An answer without a choice
    counts among the answers.

    >>> question = ("a:b", "c:d", "e:f", "g:h")
    >>> answers = [Answer(question, least=least, most="a:b", relation="1b") for least in ("c:d", "")]
    >>> prototypicality(answers)
    {'a:b': 100.0, 'c:d': -50.0, 'e:f': 0.0, 'g:h': 0.0}
    """
    answers_about = Counter(pair for answer in answers for pair in answer.question)
    most = Counter(answer.most for answer in answers)
    least = Counter(answer.least for answer in answers)
    # This is the order of the authors' script, whose floating-point error decides how x.x5 is rounded.
    return {pair: round(100 * most[pair] / n - 100 * least[pair] / n, 1) for pair, n in answers_about.items()}


def majority(choices: Iterable[str]) -> list[str]:
    """Return the most frequent choice, or all that tie (section 4.1); "" stands for an answer without a choice.

    >>> majority(["c:d", "a:b", "a:b", ""]), majority(["c:d", "a:b"])
    (['a:b'], ['a:b', 'c:d'])
    """
    counts = Counter(choice for choice in choices if choice)
    return sorted(pair for pair, n in counts.items() if n == max(counts.values()))


def mean_ratings(one: Subcategory) -> dict[str, float]:
    """Return the gold rating of every pair: the mean of people's ratings, or else what their answers say."""
    if one.ratings:
        return {pair: sum(values) / len(values) for pair, values in one.ratings.items()}
    return prototypicality(one.answers)


def gold(subcategories: Sequence[Subcategory]) -> Gold:
    """Return the gold rating of every pair."""
    rows = [
        (one.id, one.relation_class, one.training, pair, one.reversals.get(pair), ratings[pair], one.name)
        for one in subcategories
        for ratings in [mean_ratings(one)]
        for pair in one.pairs
    ]
    return pl.DataFrame(rows, schema=GOLD, orient="row")


def questions(subcategories: Sequence[Subcategory]) -> Questions:
    """Return the MaxDiff questions with the choices of the majority."""
    rows = []
    for one in subcategories:
        answers: dict[tuple[str, ...], list[Answer]] = {question: [] for question in one.questions}
        for answer in one.answers:
            answers[answer.question].append(answer)
        for question, group in answers.items():
            least, most = (majority(choices) for choices in zip(*((a.least, a.most) for a in group), strict=True))
            rows.append((one.id, list(question), least, most, len(group)))
    return pl.DataFrame(rows, schema=QUESTIONS, orient="row")
