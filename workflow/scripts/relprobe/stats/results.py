"""What a test and an interval return."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
DECIMALS = 9
"""Values are rounded to this number of decimals before they are compared. Without that, float noise breaks ties between
values that should be equal: it moved a p of Wilcoxon's test from 0.014 to 0.0003."""


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
