"""People as an agent: their own judgments and choices, from a user's file."""

from collections.abc import Sequence
from statistics import mean

import polars as pl

from relprobe.core.errors import DataError
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.chat import PICK
from relprobe.studies.pairs.method import choices, judgment_table
from relprobe.studies.pairs.schemas import REPLY_CHOICES, Items, Judgments, Probes, ReplyChoices

HUMANS = "humans"
"""The agent of people's judgments."""


def people(answers: Sequence[JudgedPair], probes: Probes) -> Judgments:
    """Return the judgments of people: the mean of their ratings or, of yes and no, the share of yes, over raters.

    A share of yes is the probability of yes as well. Pairs that are none of the study take no part.

    >>> rows = [JudgedPair("HYP", "robin", "bird", label, None, "", rater) for label, rater in ((True, "a"), (False, "b"))]
    >>> asked = pl.DataFrame({"relation": ["HYP"], "prompt": "kind", "first": "robin", "second": "bird"})
    >>> people(rows, asked).select("agent", "score", "probability").rows()
    [('humans', 0.5, 0.5)]
    """
    numbers: dict[tuple[str, str, str], list[float]] = {}
    judged = [answer for answer in answers if answer.label is not None or answer.rating is not None]
    labels = all(answer.rating is None for answer in judged)
    for answer in judged:
        value = answer.rating if answer.rating is not None else float(bool(answer.label))
        numbers.setdefault((answer.relation, answer.target, answer.candidate), []).append(value)
    table = judgment_table(HUMANS, {pair: mean(pair_numbers) for pair, pair_numbers in numbers.items()}, probes)
    return table.with_columns(probability=pl.col("score")) if labels else table


def people_choices(answers: Sequence[JudgedPair], items: Items) -> ReplyChoices:
    """Return the words that people chose, as answers to the choice that a target gives (`method.choices`).

    The number of a sample is that of its rater, in the order of their names. A target under several conditions counts
    under those that show all of its chosen words; one that is no target of the study takes no part. DataError: a chosen
    word is nowhere among those that its target is shown with.

    >>> rows = {"condition": "HYP", "relation": "HYP", "target": "robin", "first": "robin", "second": ["bird", "fish"]}
    >>> items = pl.DataFrame({**rows, "kind": ["right", "random"], "label": [True, False]})
    >>> answers = [JudgedPair("HYP", "robin", "fish", None, None, "", name, True) for name in ("ann", "bob")]
    >>> people_choices(answers, items).select("second", "choice", "sample").rows()
    [('bird', 'fish', 1), ('bird', 'fish', 2)]
    """
    raters = {name: number for number, name in enumerate(sorted({answer.rater for answer in answers}), 1)}
    chosen: dict[tuple[str, str], list[JudgedPair]] = {}
    for answer in answers:
        if answer.chosen:
            chosen.setdefault((answer.relation, answer.target), []).append(answer)
    rows: list[tuple[object, ...]] = []
    shown: dict[tuple[str, str], tuple[str, ...]] = {}
    counted = set()
    for condition, relation, target, right, words in choices(items):
        target_answers = chosen.get((relation, target), [])
        shown[relation, target] = words
        if {answer.candidate for answer in target_answers} <= set(words):
            counted.add((relation, target))
            key = PICK, condition, relation, target, right, [*words], 1
            rows += [(*key, raters[answer.rater], answer.candidate, answer.candidate) for answer in target_answers]
    for asked, target_answers in chosen.items():
        if asked in shown and asked not in counted:
            unlisted = next(answer.candidate for answer in target_answers if answer.candidate not in shown[asked])
            raise DataError(
                f"pair_answers: {unlisted!r} is chosen for {asked[1]!r} ({asked[0]}), but the study shows the words "
                f"{', '.join(shown[asked])}: ask people about these, so that they answer what models are asked."
            )
    return pl.DataFrame(rows, schema=REPLY_CHOICES, orient="row")
