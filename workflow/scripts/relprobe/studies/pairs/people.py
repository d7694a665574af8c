"""People as an agent: their own judgments of the pairs, from a user's file."""

from collections.abc import Sequence
from statistics import mean

import polars as pl

from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.method import judgment_table
from relprobe.studies.pairs.schemas import Judgments, Probes

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
    labels = all(one.rating is None for one in answers)
    for one in answers:
        value = one.rating if one.rating is not None else float(bool(one.label))
        numbers.setdefault((one.relation, one.target, one.candidate), []).append(value)
    table = judgment_table(HUMANS, {pair: mean(of_pair) for pair, of_pair in numbers.items()}, probes)
    return table.with_columns(probability=pl.col("score")) if labels else table
