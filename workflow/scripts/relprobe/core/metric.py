"""The declaration of a metric. A study declares its metrics in one table, which its tests, figures and captions read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Metric:
    """A metric of a study.

    The values of an item, such as those of a target under several prompts, are averaged before averages and intervals are
    computed over the items. A test compares the values of a unit, which may be smaller than an item.

    >>> Metric("soundness", unit=("target", "prompt_id"), item=("target",), test="McNemar").item
    ('target',)
    """

    name: str  # as in the results
    title: str = ""  # of its figure in the report
    caption: str = ""
    test: Literal["McNemar", "Wilcoxon"] | None = "Wilcoxon"  # the paper's; McNemar: values are 0 or 1; None: no test
    unit: tuple[str, ...] = ("unit",)  # the columns that name one value of the test
    item: tuple[str, ...] = ("unit",)  # the columns that name one value of an average and its interval
    items: str = "units"  # the noun for items in a sentence
    cutoffs: bool = False  # True: measured at several lengths k of the response
    frequencies: tuple[str, ...] = ()  # the word frequencies that it is correlated with


def by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """Return the metrics as a mapping: name -> metric.

    >>> list(by_name([Metric("W2D P@1"), Metric("W2D RS")]))
    ['W2D P@1', 'W2D RS']
    """
    return {metric.name: metric for metric in metrics}
