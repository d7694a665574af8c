"""What a test and an interval return."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
DECIMALS = 9
"""Values are rounded to this number of decimals before they are compared. Without that, float noise breaks ties between
values that should be equal: it moved a p of Wilcoxon's test from 0.014 to 0.0003."""

FEWEST = 6
"""Below this effective number of items or clusters there is no p, as even six independent differences of one sign have
p = 2 / 2⁶; resamples say too little, and the interval of a mean is at least that of t."""


def too_few(effective: float) -> bool:
    """Return whether an effective number is below FEWEST, apart from the noise of floats.

    Six items of two conditions, weighted, count as 5.999999999999998:

    >>> too_few(5.999999999999998), too_few(5.9)
    (False, True)
    """
    return round(effective, DECIMALS) < FEWEST


@dataclass(frozen=True)
class TestResult:
    """The result of a two-sided test.

    `n` is the number of units; for a paired test it is the number of pairs. `p` lies between 0 and 1. If `p` is None, `note`
    says why; otherwise `note` is None.
    """

    name: str
    n: int
    effect: float | None
    p: float | None
    note: str | None = None


@dataclass(frozen=True)
class Interval:
    """A confidence interval of a statistic over `n` clusters. If its bounds are None, `note` says why."""

    n: int
    low: float | None
    high: float | None
    note: str | None = None
