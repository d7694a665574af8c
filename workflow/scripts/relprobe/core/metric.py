"""The declaration of a metric. A study declares its metrics in one table, which its tests, figures and captions read."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Literal


@dataclass(frozen=True)
class Metric:
    """A metric of a study.

    The values of an item, such as those of a target under several prompts, are averaged before averages and differences are
    computed over the items. The paper's test compares the values of a unit, which may be smaller than an item.

    Items may depend on each other, and a metric says which do. Items of one cluster, such as the groups of a family of
    sister words, do: our tests and intervals take each cluster as one observation. Every item lies in one cluster. Where
    there are no such groups, as a target shares an answer with one target and another answer with a third one, the metric
    names `links`: two items that have a link in common depend on each other. Then the clusters are those of the test that
    stands beside ours for comparison.

    >>> Metric("soundness", unit=("target", "prompt_id"), item=("target",), test="McNemar").cluster_columns
    ('target',)
    >>> Metric("W2D P@1", cluster=("cluster",), clusters="families").cluster_columns
    ('cluster',)
    >>> Metric("symmetry", item=("target", "relatum"), links=("target", "relatum"), linked_by="a word").links
    ('target', 'relatum')
    """

    name: str  # as in the results
    title: str = ""  # of its figure in the report
    caption: str = ""  # of this figure, as a page says it (report/shown.py)
    test: Literal["McNemar", "Wilcoxon"] | None = "Wilcoxon"  # the paper's; McNemar: values are 0 or 1; None: no test
    unit: tuple[str, ...] = ("unit",)  # the columns that name one value of the test
    item: tuple[str, ...] = ("unit",)  # the columns that name one value of an average and its interval
    items: str = "units"  # the noun for items in a sentence
    verb: str = ""  # of the sentence "an agent … 31 of 100 items", as in "is right in"; empty: the study's page says it
    cluster: tuple[str, ...] = ()  # the columns that name the cluster of an item; none: each item is a cluster
    clusters: str = ""  # the noun for clusters in a sentence; empty: that for items
    links: tuple[
        str, ...
    ] = ()  # columns whose values link items, or the name of a table of links that the study passes
    linked_by: str = ""  # what linked items share, in a sentence
    crossed: str = ""  # the column of units whose values are a sample, too, such as the prompts that all items share
    less_is_better: bool = (
        False  # True: smaller values are better, or it counts what is lost; such a metric has no test
    )
    share: bool = False  # True: values are 0 or 1, or means of such, as those of McNemar's test always are
    bounds: tuple[float, float] = (-inf, inf)  # the least and the greatest mean that can be; a share has 0 and 1
    cutoffs: bool = False  # True: measured at several lengths k of the response
    frequencies: tuple[str, ...] = ()  # the word frequencies that it is correlated with

    def __post_init__(self) -> None:
        """Refuse a test where smaller values are better: best controls and verdicts take larger values for better."""
        if self.less_is_better and self.test is not None:
            raise ValueError(
                f"{self.name} has a test, and its smaller values are better: turn them round, or set test=None."
            )

    @property
    def cluster_columns(self) -> tuple[str, ...]:
        """The columns that name a cluster."""
        return self.cluster or self.item

    @property
    def cluster_noun(self) -> str:
        """The noun for clusters in a sentence."""
        return self.clusters or self.items

    @property
    def needs(self) -> str:
        """What a run must have for its figures: a name in the `may_lack` of the study's page; empty: nothing."""
        return ""

    @property
    def is_share(self) -> bool:
        """Whether all values are 0 or 1, or means of such."""
        return self.share or self.test == "McNemar"

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest mean that can be.

        >>> Metric("right", share=True).ends, Metric("rho", bounds=(-1, 1)).ends, Metric("rank").ends
        ((0.0, 1.0), (-1, 1), (-inf, inf))
        """
        return (0.0, 1.0) if self.is_share else self.bounds

    @property
    def span(self) -> float:
        """The largest difference of two means that can be, either way.

        >>> Metric("rho", bounds=(-1, 1)).span, Metric("rank").span
        (2, inf)
        """
        least, greatest = self.ends
        return greatest - least


def by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    """Return the metrics as a mapping: name -> metric.

    >>> list(by_name([Metric("W2D P@1"), Metric("W2D RS")]))
    ['W2D P@1', 'W2D RS']
    """
    return {metric.name: metric for metric in metrics}
