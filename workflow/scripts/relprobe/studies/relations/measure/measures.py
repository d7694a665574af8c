"""What a metric of the study is. Above its function in metrics.py, `computes` declares it, once for all that read it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import polars as pl

from relprobe.core.metric import Metric

RECIPROCITY = "[as/s]ymmetry"
"""The paper's name for symmetry on symmetric relations and asymmetry on the others, merged into one metric."""


@dataclass(frozen=True)
class Measure(Metric):
    """A metric of this study.

    Every metric has averages and a column of the overview. A metric with a title also has a figure of bars, a figure of
    model sizes, and rows in the sensitivity tables; with a test as well, it enters the comparisons between models.
    `choices`: the fields of metrics.Choices that change the values, and RELATA if the relatum sets do. `of_humans`: the
    gold standard is the responses of humans, so that only a run with these has the metric, and not for every prompt of a
    target. `compared_as`: the name in comparisons between models, where these merge several metrics. `printed`: the
    paper's name of the average over all probes alike, if the paper prints that.
    """

    choices: tuple[str, ...] = ()
    of_humans: bool = False
    compared_as: str = ""
    printed: str = ""


Function = TypeVar("Function", bound=Callable[..., pl.DataFrame])
_DECLARED: dict[Callable[..., pl.DataFrame], tuple[Measure, ...]] = {}


def computes(*measures: Measure) -> Callable[[Function], Function]:
    """Declare the metrics whose values a function returns, as a decorator; `measures_of` returns them.

    >>> @computes(Measure("length"))
    ... def length(answers, choices): ...
    >>> [measure.name for measure in measures_of(length)]
    ['length']
    """

    def declare(function: Function) -> Function:
        _DECLARED[function] = measures
        return function

    return declare


def measures_of(function: Callable[..., pl.DataFrame]) -> tuple[Measure, ...]:
    """Return the metrics whose values a function returns."""
    return _DECLARED[function]


RELATA = "relata"
"""The choice of a metric whose values change with the relatum sets."""
OF_TARGETS = ("target",)
PROMPTS = "prompt_id"
OF_PROBES = ("target", PROMPTS)
OF_TUPLES = ("target", "relatum")
OF_SETS = ("target", "relata_mean", "relata_max")
OF_PAIRS = ("pair_mean", "pair_difference")
SHARED_RELATA = "relata"
"""Links of targets: the relata of the prompted relation."""
RELATED_WORDS = "related words"
"""Links of targets: the relata of any relation."""

DISTINGUISHABILITY = Measure(
    "distinguishability",
    test=None,
    unit=OF_PROBES,
    crossed=PROMPTS,
    item=OF_TARGETS,
    items="targets",
    links=(SHARED_RELATA,),
    linked_by="a relatum",
    choices=("ties", "rank", RELATA),
)
"""Its values are ranks of other relations' relata. distances.py makes distances between relations of them (Eq. 26)."""
AUDC = Measure("audc", title="AuDC", test=None, items="target words", clusters="target words")
"""The sum of the distances: one number per agent (Eq. 28). The paper has no test of it (section 7.3); areas.py has."""
AUDC_PRINTED = Measure("audc_printed", title="AuDC as printed", test=None)
"""AuDC of distances that are cut off at 0 and compare means over different targets, as Eq. 26 is printed."""
