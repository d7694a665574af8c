"""The declaration of a metric. A study declares its metrics in one table, which its tests, figures and captions read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Metric:
    """A metric of a study.

    The values of an item, such as those of a target under several prompts, are averaged before averages and differences are
    computed over the items. The paper's test compares the values of a unit, which may be smaller than an item. Items of one
    cluster, such as the groups of a family of sister words, may depend on each other: our tests and intervals take each
    cluster as one observation. Every item lies in one cluster.

    >>> Metric("soundness", unit=("target", "prompt_id"), item=("target",), test="McNemar").cluster_columns
    ('target',)
    >>> Metric("W2D P@1", cluster=("cluster",), clusters="families").cluster_columns
    ('cluster',)
    """

    name: str  # as in the results
    title: str = ""  # of its figure in the report
    caption: str = ""
    test: Literal["McNemar", "Wilcoxon"] | None = "Wilcoxon"  # the paper's; McNemar: values are 0 or 1; None: no test
    unit: tuple[str, ...] = ("unit",)  # the columns that name one value of the test
    item: tuple[str, ...] = ("unit",)  # the columns that name one value of an average and its interval
    items: str = "units"  # the noun for items in a sentence
    cluster: tuple[str, ...] = ()  # the columns that name the cluster of an item; none: each item is a cluster
    clusters: str = ""  # the noun for clusters in a sentence; empty: that for items
    share: bool = False  # True: values are 0 or 1, or means of such, as those of McNemar's test always are
    cutoffs: bool = False  # True: measured at several lengths k of the response
    frequencies: tuple[str, ...] = ()  # the word frequencies that it is correlated with

    @property
    def cluster_columns(self) -> tuple[str, ...]:
        """The columns that name a cluster."""
        return self.cluster or self.item

    @property
    def cluster_noun(self) -> str:
        """The noun for clusters in a sentence."""
        return self.clusters or self.items

    @property
    def is_share(self) -> bool:
        """Whether all values are 0 or 1, or means of such."""
        return self.share or self.test == "McNemar"


def by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """Return the metrics as a mapping: name -> metric.

    >>> list(by_name([Metric("W2D P@1"), Metric("W2D RS")]))
    ['W2D P@1', 'W2D RS']
    """
    return {metric.name: metric for metric in metrics}
