"""The likeliest tokens at a probe's slot."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import chunks, encoded_chunks, fetch
from relprobe.lm.requests import Query, SlotProbe, SlotResponse
from relprobe.lm.words.encode import Encoder

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

Values = NDArray[np.float32]
Best = tuple[Tensor, Tensor]
"""The largest values of some rows, float32, and their columns, int32; both have the shape (rows, k)."""


def slot_top_k(
    model: Model, probes: Iterable[SlotProbe], k: int, excluded: Sequence[int] = ()
) -> Iterator[SlotResponse]:
    """Yield for each probe, in order, the `k` likeliest tokens of the whole vocabulary at its slot (a SlotResponse).

    The variants of a probe are mixed as probabilities, p(v) = Σ weight · p_variant(v), before the ranking
    (Cao et al., section 7.2). The tokens in `excluded`, which are ids, get probability 0, and so do ids that are no token
    of the tokenizer, which only pad the matrices of a network.
    ProbeError: a probe cannot be encoded (`Encoder.slot`).

    >>> from relprobe.lm.network.example import bigram_model
    >>> from relprobe.lm.requests import Variant
    >>> model = bigram_model({"a": {"bird": 1}, "an": {"animal": 0.5, "owl": 0.5}})
    >>> probe = SlotProbe("robin", (Variant("a [V]", 0.75), Variant("an [V]", 0.25)))
    >>> response = next(slot_top_k(model, [probe], k=2))
    >>> model.encoder.tokenizer.convert_ids_to_tokens(response.token_ids)
    ['bird', 'animal']
    >>> np.exp(response.logprobs).round(3).tolist()
    [0.75, 0.125]
    """
    if not isinstance(model, LanguageModel):
        return model.slot_top_k(probes, k, excluded)
    chunks_ahead = encoded_chunks(model, probes, lambda group: _queries(model, group), len)
    return _responses(model, chunks_ahead, k, excluded)


def _queries(model: LanguageModel, probes: Sequence[SlotProbe]) -> Iterator[list[Query]]:
    """Yield the queries of each probe, one for each of its variants."""
    queries = iter(model.encoder.slots([(probe.id, variant.text) for probe in probes for variant in probe.variants]))
    for probe in probes:
        yield list(itertools.islice(queries, len(probe.variants)))


def _responses(
    model: LanguageModel, chunks_ahead: Iterable[list[tuple[SlotProbe, list[Query]]]], k: int, excluded: Sequence[int]
) -> Iterator[SlotResponse]:
    for chunk in chunks_ahead:
        probes = [probe for probe, _ in chunk]
        blocks = _blocks(model, probes, [query for _, queries in chunk for query in queries], k, excluded)
        arrays = fetch([tensor for block in blocks for tensor in block])
        values, ids = (itertools.chain.from_iterable(arrays[i::2]) for i in range(2))
        for probe, logprobs, token_ids in zip(probes, values, ids, strict=True):
            yield SlotResponse(probe.id, token_ids, logprobs)


def _blocks(
    model: LanguageModel, probes: Sequence[SlotProbe], queries: Sequence[Query], k: int, excluded: Sequence[int]
) -> list[Best]:
    """Return the best tokens of consecutive probes, in blocks whose logits are in memory at once."""
    states = model.states(queries)  # (variants, width)

    def rank(first: int, stop: int, rows: slice) -> Best:
        return _rank(model, model.logits(states[rows]), probes[first:stop], k, excluded)

    return list(model.in_blocks([len(probe.variants) for probe in probes], rank))


@torch.inference_mode()
def _rank(model: LanguageModel, logits: Tensor, probes: Sequence[SlotProbe], k: int, excluded: Sequence[int]) -> Best:
    """Rank the vocabulary for each probe by `logits` (variants, vocabulary)."""
    mixtures = []  # each of shape (some probes, vocabulary)
    no_answers = _no_answers(model.encoder, logits.shape[1], tuple(excluded)).to(logits.device, non_blocking=True)
    row = 0
    for group in chunks(probes, lambda probe: len(probe.variants), model.rows_at_once):
        count = sum(len(probe.variants) for probe in group)
        mixtures.append(_mixture(model.log_softmax(logits[row : row + count]), group))
        mixtures[-1].index_fill_(1, no_answers, -torch.inf)
        row += count
    return _top(mixtures, min(k, logits.shape[1]))


@lru_cache(1)
def _no_answers(encoder: Encoder, width: int, excluded: tuple[int, ...]) -> Tensor:
    """Return the ids below `width` that cannot be an answer: those in `excluded` and those that are no token."""
    return torch.tensor(
        sorted({*excluded, *range(width)}.difference(encoder.token_ids - {*excluded})), dtype=torch.long
    )


def _mixture(logprobs: Tensor, probes: Sequence[SlotProbe]) -> Tensor:
    """Mix rows of log-probabilities (variants, vocabulary) into one row per probe (probes, vocabulary); weights sum to 1.

    >>> from relprobe.lm.requests import Variant
    >>> probe = SlotProbe("x", (Variant("a [V]", 0.75), Variant("an [V]", 0.25)))
    >>> _mixture(torch.tensor([[0.8, 0.2], [0.4, 0.6]]).log(), [probe]).exp()
    tensor([[0.7000, 0.3000]])
    """
    if len(logprobs) == len(probes):
        return logprobs
    rows = [torch.tensor([[variant.weight for variant in probe.variants]]) for probe in probes]
    weights: Tensor = torch.block_diag(*rows)  # type: ignore[no-untyped-call]  # (probes, variants)
    return (weights.to(logprobs.device, non_blocking=True) @ logprobs.exp_()).log_()


def _top(scores: Sequence[Tensor], k: int) -> Best:
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

    Of equal values the lower column comes first. It takes less than half the time of torch's topk on a CPU.

    >>> values, columns = np.empty((1, 3), np.float32), np.empty((1, 3), np.int32)
    >>> _top_of(np.array([[-1, -3, -1, -2]], np.float32), 0, values, columns)
    >>> values.tolist(), columns.tolist()
    ([[-1.0, -1.0, -2.0]], [[0, 2, 3]])
    """
    k = values.shape[1]
    bounds = np.partition(rows, -k)[:, -k]  # the k-th largest value of each row
    for i, (row, bound) in enumerate(zip(rows, bounds, strict=True), start):
        best = _ordered(row, np.flatnonzero(row >= bound))[:k]
        values[i], columns[i] = row[best], best


def _ordered(row: Values, columns: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return these columns of a row, those of larger values first, and of equal values the lower column."""
    scores = row[columns]
    order = np.argsort(-scores)
    ordered = scores[order]
    if (ordered[1:] == ordered[:-1]).any():  # rare; a stable sort takes three times as long
        order = np.argsort(-scores, kind="stable")
    return columns[order]
