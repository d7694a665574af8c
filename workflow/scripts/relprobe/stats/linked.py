"""Tests and intervals of items that are linked, such as targets that share a right answer.

An agent that likes the answer "body" is right for all parts of a body, so these targets say little more than one of them.
Links overlap: *arm* shares an answer with *leg*, and *leg* another one with *table*. So there are no groups to resample.
Links follow from the right answers alone, and not from what agents answer. With values d₁ … dₙ, their mean m, and the sum
over all ordered pairs (i, j) that are linked, i = j among them, the variance of Σ d is

    V = max(Σ (dᵢ - m)(dⱼ - m), Σ (dᵢ - m)²),

and that of the mean V / n² · n_eff / (n_eff - 1), as the values are centred on their own mean. The first sum is that of
Aronow, Samii and Assenova (2015, "Cluster-robust variance estimation for dyadic data", Political Analysis 23), who sum over
the pairs of dyads that have a member in common. The rest is this project's own choice: the maximum with the sum of squares,
as the first sum may be below 0; the effective number of items, n_eff = n² / (number of linked pairs, both ways and with
i = j), which for groups that do not overlap is that of Kish (1965), (Σ sizes)² / Σ sizes²; and the t distribution with
n_eff - 1 degrees. Near to it are two studies of asymptotics: Tabord-Meehan (2019, "Inference with dyadic data: asymptotic
behavior of the dyadic-robust t-statistic", Journal of Business & Economic Statistics 37), on when t of a dyadic variance is
normal; and Carter, Schnepel and Steigerwald (2017, "Asymptotic behavior of a t-test robust to cluster heterogeneity", Review
of Economics and Statistics 99), whose effective number of clusters says when t over clusters is normal. docs/simulations.md
shows that the test holds from n_eff = 6 on. Where nothing is linked, it is Student's t-test.

The functions take the values of one agent, or the differences of two, without NaN, of shape (items,), and the links among
these items (`linked_items`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from relprobe.stats.intervals import FEW, wilson_interval
from relprobe.stats.results import DECIMALS, Interval, Values, too_few

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class Links:
    """Which of n items are linked.

    `matrix`: of shape (n, n), symmetric, 1 where two items are linked and on the diagonal, without stored zeros.
    """

    matrix: csr_array

    @property
    def effective(self) -> float:
        """The effective number of items: items² / linked pairs."""
        return float(self.matrix.shape[0] ** 2 / self.matrix.nnz) if self.matrix.nnz else 0.0

    @property
    def any(self) -> bool:
        """Whether two different items are linked."""
        return bool(self.matrix.nnz > self.matrix.shape[0])

    def among(self, present: NDArray[np.bool_]) -> Links:
        """Return the links among the items that are `present`, (n,)."""
        return self if present.all() else Links(self.matrix[present][:, present])


def linked_items(items: NDArray[np.int64], values: NDArray[np.int64], n: int) -> Links:
    """Return which items share a value. `items`, `values`: the numbers of an item and of a value that it has, from 0.

    An item may have several values, or none. `n`: the number of items.

    Items 0 and 1 share the value 0, and 1 and 2 the value 1, but 0 and 2 share none. Of the 3² pairs 7 are linked:

    >>> links = linked_items(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]), 3)
    >>> links.matrix.toarray().astype(int).tolist(), links.effective == 9 / 7
    ([[1, 1, 0], [1, 1, 1], [0, 1, 1]], True)
    """
    from scipy.sparse import csr_array

    own_values = np.arange(n) + values.max(initial=-1) + 1  # a value of its own links each item to itself
    rows, columns = np.concatenate([items, np.arange(n)]), np.concatenate([values, own_values])
    member = csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, int(columns.max(initial=-1)) + 1))
    shared = csr_array(member @ member.T)
    shared.data[:] = 1.0
    return Links(shared)


def linked_variance(values: Values, links: Links) -> float:
    """Return the variance V of the sum of linked values (see the module).

    The mean of 1, 1, -2 is 0. Where the first two are linked, V = (1 + 1)² + (-2)² = 8; without links it is 6:

    >>> values = np.array([1.0, 1.0, -2.0])
    >>> linked_variance(values, linked_items(np.array([0, 1]), np.array([0, 0]), 3))
    8.0
    >>> linked_variance(values, linked_items(np.array([], int), np.array([], int), 3))
    6.0
    """
    centred = values - values.mean()
    return float(max(centred @ (links.matrix @ centred), centred @ centred))


def linked_error(values: Values, links: Links) -> float:
    """Return the standard error of the mean of linked values, √(V · n_eff / (n_eff - 1)) / n.

    The values are centred on their own mean, which is nearer to them than the true one; the factor corrects for that, as
    n / (n - 1) does for independent values. ValueError: the items count as one independent item or less.

    Two pairs are linked, so that V = 3² + 3² = 18 and n_eff = 2. The error is √36 / 4:

    >>> linked_error(np.array([0.0, 0, 3, 3]), linked_items(np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1]), 4))
    1.5
    """
    if links.effective <= 1:
        raise ValueError(
            f"the linked items count as {links.effective:.1f} independent ones: an error needs more than one"
        )
    return float(np.sqrt(linked_variance(values, links) * links.effective / (links.effective - 1)) / len(values))


def linked_p(values: Values, links: Links) -> float | None:
    """Test whether the mean of linked differences is 0: p of t = mean / `linked_error`, n_eff - 1 degrees, two-sided.

    None: the effective number of items, n_eff, is below FEWEST. Where all differences are equal, V says nothing; p is then
    that of n_eff independent differences of one sign, 2 / 2 to the power of n_eff. Without any difference it is 1.

    Eight items, of which none is linked: Σ d = 4 and V = 8 - 4² / 8 = 6, so that t² = 16 / (6 · 8/7) with 7 degrees:

    >>> none = linked_items(np.array([], int), np.array([], int), 8)
    >>> round(linked_p(np.array([1.0, 1, 1, 1, 1, 1, -1, -1]), none), 3)
    0.17
    >>> linked_p(np.ones(8), none) == 2 / 2**8
    True
    """
    from scipy.stats import t

    if too_few(links.effective):
        return None
    rounded = np.round(values, DECIMALS)
    if not rounded.any():
        return 1.0
    if np.ptp(rounded) == 0:
        return float(2.0 ** (1 - links.effective))
    return float(2 * t.sf(abs(values.mean()) / linked_error(values, links), links.effective - 1))


def linked_interval(values: Values, links: Links, level: float = 0.95) -> Interval:
    """Return the interval of the mean of linked values or differences: mean ± t · `linked_error`, t with n_eff - 1 degrees.

    The mean of 0, 0, 3, 3 is 1.5. Two pairs are linked, so that V = 3² + 3² = 18 and n_eff = 2; t of one degree is 12.7:

    >>> links = linked_items(np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1]), 4)
    >>> interval = linked_interval(np.array([0.0, 0, 3, 3]), links)
    >>> round((interval.high - 1.5) * 4 / 36**0.5, 1)
    12.7
    """
    from scipy.stats import t

    n = len(values)
    if links.effective < 2:
        return Interval(n, None, None, too_linked(links))
    if np.ptp(np.round(values, DECIMALS)) == 0:
        return Interval(n, None, None, "no interval: the value is the same in all items")
    half = float(t.ppf((1 + level) / 2, links.effective - 1)) * linked_error(values, links)
    mean = float(values.mean())
    return Interval(n, mean - half, mean + half)


def linked_share_interval(values: Values, links: Links, level: float = 0.95) -> Interval:
    """Return Wilson's interval of the mean of linked values from 0 to 1, with t of n_eff - 1 degrees in place of z.

    The number of trials is the number of independent values 0 and 1 that would vary as much, p (1 - p) / `linked_error`²
    (Korn and Graubard 1998). If fewer than FEW items have any 1,
    or any 0, that number is uncertain; there are then at most n_eff trials, with Wilson's z.

    Four of eight items are right, none is linked: the error² is 8/4 · 8/7 / 64 = 1/28, so that the trials are 1/4 · 28 = 7,
    and t² = 2.365²:

    >>> none = linked_items(np.array([], int), np.array([], int), 8)
    >>> interval = linked_share_interval(np.array([1.0, 1, 1, 1, 0, 0, 0, 0]), none)
    >>> round(interval.high, 3) == round(0.5 + 2.365 / (1 + 2.365**2 / 7) * (1 / 28 + 2.365**2 / 196) ** 0.5, 3)
    True
    """
    from scipy.stats import norm, t

    n, share = len(values), float(np.clip(values.mean(), 0, 1)) if len(values) else 0.0
    if links.effective < 2:
        return Interval(n, None, None, too_linked(links))
    variance = linked_error(values, links) ** 2
    trials = links.effective
    if variance > 1e-18 and 0 < share < 1:
        narrowing = (norm.ppf((1 + level) / 2) / t.ppf((1 + level) / 2, links.effective - 1)) ** 2  # z becomes t
        trials = share * (1 - share) / variance * float(narrowing)
    if min((values > 0).sum(), (values < 1).sum()) < FEW:
        trials = min(trials, links.effective)
    return Interval(n, *wilson_interval(share, trials, level))


def too_linked(links: Links) -> str:
    """Return the reason why so few independent items give no interval."""
    return f"no interval: the linked items count as {links.effective:.1f} independent ones"
