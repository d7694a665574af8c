"""The likeliest tokens at a probe's slot."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import chunked
from relprobe.lm.requests import SlotProbe, SlotResponse

Best = tuple[NDArray[np.float32], NDArray[np.int32]]


def slot_top_k(
    model: LanguageModel, probes: Iterable[SlotProbe], k: int, excluded: Sequence[int] = ()
) -> Iterator[SlotResponse]:
    """Yield for each probe, in order, the `k` likeliest tokens of the whole vocabulary at its slot.

    The variants of a probe are mixed as probabilities, p(v) = Σ weight · p_variant(v), before the ranking
    (Cao et al., section 7.2). Tokens in `excluded` get probability 0.
    ProbeError: a probe that cannot be encoded (`Encoder.slot`).
    """
    for chunk in chunked(probes, lambda probe: len(probe.variants), model.chunk):
        yield from _answer(model, chunk, k, excluded)


def _answer(
    model: LanguageModel, probes: Sequence[SlotProbe], k: int, excluded: Sequence[int]
) -> Iterator[SlotResponse]:
    queries = [model.encoder.slot(probe.id, variant.text) for probe in probes for variant in probe.variants]
    states = model.states(queries)  # (variants, width)

    def best(first: int, stop: int, rows: slice) -> list[SlotResponse]:
        return list(_best(model, model.logits(states[rows]), probes[first:stop], k, excluded))

    for responses in model.in_blocks([len(probe.variants) for probe in probes], best):
        yield from responses


@torch.inference_mode()
def _best(
    model: LanguageModel, logits: Tensor, probes: Sequence[SlotProbe], k: int, excluded: Sequence[int]
) -> Iterator[SlotResponse]:
    """Rank the vocabulary for each probe by `logits` (variants, vocabulary)."""
    mixed = []  # (some probes, vocabulary)
    row = 0
    for group in chunked(probes, lambda probe: len(probe.variants), model.ranked_rows):
        count = sum(len(probe.variants) for probe in group)
        mixed.append(_mixture(model.normalised(logits[row : row + count]), group))
        mixed[-1][:, list(excluded)] = -torch.inf
        row += count
    best = _top(mixed, min(k, logits.shape[1]))
    for probe, (values, ids) in zip(probes, best, strict=True):
        yield SlotResponse(probe.id, ids, values)


def _mixture(logprobs: Tensor, probes: Sequence[SlotProbe]) -> Tensor:
    """Mix the rows (variants, vocabulary) into one row per probe (probes, vocabulary)."""
    if len(logprobs) == len(probes):
        return logprobs
    rows = [torch.tensor([[variant.weight for variant in probe.variants]]) for probe in probes]
    weights: Tensor = torch.block_diag(*rows)  # type: ignore[no-untyped-call]  # (probes, variants)
    return (weights.to(logprobs.device) @ logprobs.exp_()).log_()


def _top(scores: Sequence[Tensor], k: int) -> Iterator[Best]:
    """Return for each row of all `scores` its k largest and their columns, largest first."""
    if scores[0].device.type != "cpu":
        for part in scores:
            largest, columns = part.topk(k)
            yield from zip(largest.cpu().numpy(), columns.to(torch.int32).cpu().numpy(), strict=True)
        return
    # All in one go: after each of its operations torch's threads wait for the next one, busily, in the way of these.
    with ThreadPoolExecutor(torch.get_num_threads()) as pool:
        for best in pool.map(lambda part: _top_of(part.numpy(), k), scores):
            yield from best


def _top_of(rows: NDArray[np.float32], k: int) -> list[Best]:
    """Do in less than half the time what torch's topk does on a CPU; of equal scores the lower column is first."""
    least = np.partition(rows, -k)[:, -k]
    return [_ordered(row, np.flatnonzero(row >= bound), k) for row, bound in zip(rows, least, strict=True)]


def _ordered(row: NDArray[np.float32], columns: NDArray[np.intp], k: int) -> Best:
    """Return the `k` largest scores of a row among these of its `columns`, largest first, and their columns."""
    scores = row[columns]
    order = np.argsort(-scores)
    ordered = scores[order]
    if (ordered[1:] == ordered[:-1]).any():  # rare; a sort that keeps the order of equals takes three times as long
        order = np.argsort(-scores, kind="stable")
    best = order[:k]
    return scores[best], columns[best].astype(np.int32)
