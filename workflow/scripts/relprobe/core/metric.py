"""What a study measures, declared once: its tests, tables, figures and captions read the same table of metrics."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Metric:
    """A metric of a study.

    `name`: as in the results. `title` and `caption`: what the report says of its figure. `test`: the paper's test of a
    difference between two agents, McNemar's where a value is 0 or 1, Wilcoxon's signed-rank test elsewhere; None: there is
    none. `unit`: the columns that name one value of the test; `item`: the columns that name what averages and intervals are
    over, such as a target, whose values under several prompts are averaged first. `items`: what to call these in a sentence.
    `cutoffs`: is it measured at several lengths k of the response? `frequencies`: which word frequencies it is correlated
    with.

    >>> Metric("soundness", unit=("target", "prompt_id"), item=("target",), test="McNemar").item
    ('target',)
    """

    name: str
    title: str = ""
    caption: str = ""
    test: Literal["McNemar", "Wilcoxon"] | None = "Wilcoxon"
    unit: tuple[str, ...] = ("unit",)
    item: tuple[str, ...] = ("unit",)
    items: str = "units"
    cutoffs: bool = False
    frequencies: tuple[str, ...] = ()


def by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """Return the metrics by their names.

    >>> list(by_name([Metric("W2D P@1"), Metric("W2D RS")]))
    ['W2D P@1', 'W2D RS']
    """
    return {metric.name: metric for metric in metrics}
