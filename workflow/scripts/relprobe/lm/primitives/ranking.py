"""Mixtures of wordings, and the likeliest columns of rows, with equal values in a fixed order."""

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.devices import move
from relprobe.lm.requests import SlotProbe

Values = NDArray[np.float32]
GROUPS = 3
"""The groups of columns for each column that is wanted: with more of them a bound is nearer and takes longer to find."""
Best = tuple[Tensor, Tensor]
"""The largest values of some rows, float32, and their columns, int32; both have the shape (rows, k)."""


def mixture(logprobs: Tensor, probes: Sequence[SlotProbe]) -> Tensor:
    """Mix rows of log-probabilities (variants, vocabulary) into one row per probe (probes, vocabulary); weights sum to 1.

    >>> from relprobe.lm.requests import Variant
    >>> probe = SlotProbe("x", (Variant("a [V]", 0.75), Variant("an [V]", 0.25)))
    >>> mixture(torch.tensor([[0.8, 0.2], [0.4, 0.6]]).log(), [probe]).exp()
    tensor([[0.7000, 0.3000]])
    """
    if len(logprobs) == len(probes):
        return logprobs
    weights = torch.zeros(len(probes), len(logprobs))  # (probes, variants)
    rows = [row for row, probe in enumerate(probes) for _ in probe.variants]
    weights[rows, range(len(rows))] = torch.tensor([variant.weight for probe in probes for variant in probe.variants])
    return (move(weights, logprobs.device) @ logprobs.exp_()).log_()


def log_mixture(logprobs: Tensor, probes: Sequence[SlotProbe]) -> Tensor:
    """Mix rows as `mixture` does, without leaving the logarithms, so that products of many probabilities stay above 0.

    >>> from relprobe.lm.requests import Variant
    >>> probe = SlotProbe("x", (Variant("a [V]", 0.75), Variant("an [V]", 0.25)))
    >>> log_mixture(torch.tensor([[-500.0, -1000.0], [-500.0, -torch.inf]]), [probe])
    tensor([[ -500.0000, -1000.2877]])
    """
    counts = [len(probe.variants) for probe in probes]
    if max(counts) == 1:
        return logprobs
    owners = torch.arange(len(probes)).repeat_interleave(torch.tensor(counts))
    columns = torch.cat([torch.arange(count) for count in counts])
    weights = torch.tensor([variant.weight for probe in probes for variant in probe.variants]).log()
    shape = (len(probes), max(counts), logprobs.shape[1])
    wordings = torch.full(shape, -torch.inf, device=logprobs.device)
    wordings[owners, columns] = logprobs + move(weights[:, None], logprobs.device)
    return wordings.logsumexp(1)


def best_of_rows(scores: Sequence[Tensor], k: int) -> Best:
    """Return the k largest values of each row of all `scores`, largest first, and their columns; lower columns first."""
    if scores[0].device.type != "cpu":
        values, columns = zip(*(_top_on_device(part, k) for part in scores), strict=True)
        return torch.cat(values), torch.cat(columns)
    rows = sum(len(part) for part in scores)
    best = np.empty((rows, k), np.float32), np.empty((rows, k), np.int32)
    stops = itertools.accumulate(len(part) for part in scores)
    # All parts in one go: torch's threads spin for a while after each operation and would take time from these threads.
    with ThreadPoolExecutor(torch.get_num_threads()) as pool:
        for _ in pool.map(lambda part, stop: _top_of(part.numpy(), stop - len(part), *best), scores, stops):
            pass
    return torch.from_numpy(best[0]), torch.from_numpy(best[1])


def _top_on_device(scores: Tensor, k: int) -> Best:
    """Return the k largest values of each row, largest first, and their columns; of equal values the lower column first.

    `topk` orders equal values as it likes. So it gets whole numbers that are all different: the bits of the value, which
    order as the values do, before the bits of the column.

    >>> _top_on_device(torch.tensor([[-1.0, -3.0, -1.0, -2.0]]), k=3)
    (tensor([[-1., -1., -2.]]), tensor([[0, 2, 3]], dtype=torch.int32))
    """
    bits = (scores + 0.0).view(torch.int32)  # -0.0 becomes 0.0
    ordered = torch.where(bits < 0, bits ^ 0x7FFFFFFF, bits).long()
    last = scores.shape[1] - 1
    keys = (ordered << 32) + torch.arange(last, -1, -1, device=scores.device)
    columns = last - (keys.topk(k).values & 0xFFFFFFFF)
    return scores.gather(1, columns), columns.int()


def _top_of(rows: Values, start: int, values: Values, columns: NDArray[np.int32]) -> None:
    """Put the largest values of each row into `values` (all rows, k) from the row `start` on, and their columns likewise.

    Of equal values the lower column comes first. It takes a fifth of the time of torch's topk on a CPU.

    >>> values, columns = np.empty((1, 3), np.float32), np.empty((1, 3), np.int32)
    >>> _top_of(np.array([[-1, -3, -1, -2]], np.float32), 0, values, columns)
    >>> values.tolist(), columns.tolist()
    ([[-1.0, -1.0, -2.0]], [[0, 2, 3]])
    """
    k = values.shape[1]
    for i, (row, bound) in enumerate(zip(rows, _lower_bounds(rows, k), strict=True), start):
        best = _ordered(row, np.flatnonzero(row >= bound))[:k]
        values[i], columns[i] = row[best], best


def _lower_bounds(rows: Values, k: int) -> Values:
    """Return for each row a value that at least k of its values reach, and not many more, shape (rows,).

    It is the k-th largest of the maxima of groups of columns, as k groups have k values. There are GROUPS * k groups, and
    they are as far apart in their columns as possible. For 1,000 of 50,000 columns, 1,190 reach this value, and it takes a
    twelfth of the time of finding the k-th largest value itself. A group is one column where there are fewer columns.

    >>> _lower_bounds(np.array([[-9, -8, -7, -6, -5, -4, -3, -2, -1]], np.float32), k=1).tolist()
    [-1.0]
    """
    width = rows.shape[1]
    size = max(1, width // (GROUPS * k))
    groups = width // size
    maxima = rows[:, : groups * size].reshape(len(rows), size, groups).max(1)
    maxima.partition(groups - k, axis=1)
    bounds: Values = maxima[:, groups - k]
    return bounds


def _ordered(row: Values, columns: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return these columns of a row, those of larger values first, and of equal values the lower column.

    One sort of whole numbers, as in `_top_on_device`, takes less time than a stable sort of the values.

    >>> _ordered(np.array([0.5, -1, 2, 0.5], np.float32), np.array([0, 1, 2, 3])).tolist()
    [2, 0, 3, 1]
    """
    bits = (row[columns] + np.float32(0)).view(np.int32).astype(np.int64)  # -0.0 becomes 0.0
    ascending = np.where(bits < 0, bits ^ 0x7FFFFFFF, bits)
    keys = (~ascending << 32) | columns
    keys.sort()
    best: NDArray[np.int64] = keys & 0xFFFFFFFF
    return best
