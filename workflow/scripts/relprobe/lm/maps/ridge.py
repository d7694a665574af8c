"""Ridge regression in closed form, from sums over the pairs, so that its memory does not grow with their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass
class Sums:
    """Sums over pairs of rows x and y, both of shape (pairs, width), in float64. They are added up part by part."""

    n: int
    x: Tensor
    y: Tensor
    xx: Tensor  # Σ x xᵀ
    xy: Tensor  # Σ x yᵀ
    yy: Tensor  # Σ |y|², one number

    @classmethod
    def of(cls, x: Tensor, y: Tensor) -> Sums:
        """Return the sums over some pairs.

        >>> Sums.of(torch.tensor([[1.0], [2.0]]), torch.tensor([[3.0], [5.0]])).xy
        tensor([[13.]], dtype=torch.float64)
        """
        x, y = x.double(), y.double()
        return cls(len(x), x.sum(0), y.sum(0), x.T @ x, x.T @ y, (y * y).sum())

    def __add__(self, other: Sums) -> Sums:
        """Return the sums over the pairs of both."""
        return Sums(
            self.n + other.n,
            self.x + other.x,
            self.y + other.y,
            self.xx + other.xx,
            self.xy + other.xy,
            self.yy + other.yy,
        )


@dataclass(frozen=True)
class Fit:
    """A linear map: y is about x @ weights + offset. `penalty`: the one that it was fitted with.

    `explained_share`: the share of the variance of y that the map explains in pairs that it was not fitted on; below 0 where
    it is worse than the mean of those that it was fitted on.
    """

    weights: Tensor
    offset: Tensor
    penalty: float
    explained_share: float


def ridge(fitted: Sums, held_out: Sums, penalties: Sequence[float]) -> Fit:
    """Return the ridge regression of y on x: the penalty is the best of `penalties` for the pairs that are held out.

    The map minimises Σ |y - B x - b|² + λ n |B|², where λ is the penalty times the mean variance of the columns of x, so
    that the penalties do not depend on the scale. With the penalty that explains most of the pairs held out, the map is
    fitted once more, to all pairs.

    >>> x = torch.linspace(-1, 1, 40)[:, None]
    >>> fit = ridge(Sums.of(x[::2], 3 * x[::2] + 1), Sums.of(x[1::2], 3 * x[1::2] + 1), [1e-6, 1.0])
    >>> fit.penalty, round(fit.weights.item(), 3), round(fit.offset.item(), 3), round(fit.explained_share, 3)
    (1e-06, 3.0, 1.0, 1.0)
    """
    explained = _explained(fitted, held_out, penalties)
    best = max(range(len(penalties)), key=explained.__getitem__)
    weights, offset = solve(fitted + held_out, penalties[best])
    return Fit(weights, offset, penalties[best], explained[best])


def solve(sums: Sums, penalty: float) -> tuple[Tensor, Tensor]:
    """Return the weights (width of x, width of y) and the offset of the ridge regression with one penalty (`ridge`)."""
    xx, xy = _about_means(sums)
    damped = xx + penalty * xx.diagonal().mean() * torch.eye(len(xx), dtype=xx.dtype, device=xx.device)
    weights = torch.linalg.solve(damped, xy)
    return weights, (sums.y - sums.x @ weights) / sums.n


def _about_means(sums: Sums) -> tuple[Tensor, Tensor]:
    """Return the covariances of x with x and with y, about their means."""
    x, y = sums.x / sums.n, sums.y / sums.n
    return sums.xx / sums.n - torch.outer(x, x), sums.xy / sums.n - torch.outer(x, y)


def _explained(fitted: Sums, held_out: Sums, penalties: Sequence[float]) -> list[float]:
    """Return the share of the variance of the pairs held out that the regression with each penalty explains.

    In the eigenvectors V of the covariance of x, the weights are V D P with D = 1 / (eigenvalue + λ) on the diagonal, so
    that a penalty costs no matrix product. All sums are about the means of the fitted pairs.
    """
    xx, xy = _about_means(fitted)
    mean_x, mean_y, n = fitted.x / fitted.n, fitted.y / fitted.n, held_out.n
    x, y = held_out.x / n - mean_x, held_out.y / n - mean_y
    own_x, own_y = held_out.x / n, held_out.y / n
    held_xx = held_out.xx / n - torch.outer(own_x, own_x) + torch.outer(x, x)
    held_xy = held_out.xy / n - torch.outer(own_x, own_y) + torch.outer(x, y)
    total = held_out.yy / n - own_y @ own_y + y @ y
    values, vectors = torch.linalg.eigh(xx)
    projected = vectors.T @ xy
    crossed = (projected * (vectors.T @ held_xy)).sum(1)
    squared = (vectors.T @ held_xx @ vectors) * (projected @ projected.T)
    shares = []
    for penalty in penalties:
        damped = 1 / (values.clamp_min(0) + penalty * xx.diagonal().mean())
        left = total - 2 * damped @ crossed + damped @ squared @ damped
        shares.append(float(1 - left / total))
    return shares
