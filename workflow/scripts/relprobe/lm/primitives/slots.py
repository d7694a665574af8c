"""The likeliest tokens at a probe's slot."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import chunks
from relprobe.lm.requests import SlotProbe, SlotResponse

Best = tuple[NDArray[np.float32], NDArray[np.int32]]


def slot_top_k(
    model: LanguageModel, probes: Iterable[SlotProbe], k: int, excluded: Sequence[int] = ()
) -> Iterator[SlotResponse]:
    """Yield for each probe, in order, the `k` likeliest tokens of the whole vocabulary at its slot (a SlotResponse).

    The variants of a probe are mixed as probabilities, p(v) = Σ weight · p_variant(v), before the ranking
    (Cao et al., section 7.2). The tokens in `excluded`, which are ids, get probability 0.
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
    for chunk in chunks(probes, lambda probe: len(probe.variants), model.chunk):
        yield from _responses(model, chunk, k, excluded)


def _responses(
    model: LanguageModel, probes: Sequence[SlotProbe], k: int, excluded: Sequence[int]
) -> Iterator[SlotResponse]:
    queries = [model.encoder.slot(probe.id, variant.text) for probe in probes for variant in probe.variants]
    states = model.states(queries)  # (variants, width)

    def rank(first: int, stop: int, rows: slice) -> list[SlotResponse]:
        return list(_rank(model, model.logits(states[rows]), probes[first:stop], k, excluded))

    for responses in model.in_blocks([len(probe.variants) for probe in probes], rank):
        yield from responses


@torch.inference_mode()
def _rank(
    model: LanguageModel, logits: Tensor, probes: Sequence[SlotProbe], k: int, excluded: Sequence[int]
) -> Iterator[SlotResponse]:
    """Rank the vocabulary for each probe by `logits` (variants, vocabulary)."""
    mixtures = []  # each of shape (some probes, vocabulary)
    row = 0
    for group in chunks(probes, lambda probe: len(probe.variants), model.rows_at_once):
        count = sum(len(probe.variants) for probe in group)
        mixtures.append(_mixture(model.log_softmax(logits[row : row + count]), group))
        mixtures[-1][:, list(excluded)] = -torch.inf
        row += count
    best = _top(mixtures, min(k, logits.shape[1]))
    for probe, (values, ids) in zip(probes, best, strict=True):
        yield SlotResponse(probe.id, ids, values)


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
    return (weights.to(logprobs.device) @ logprobs.exp_()).log_()


def _top(scores: Sequence[Tensor], k: int) -> Iterator[Best]:
    """Yield for each row of all `scores` its k largest values and their columns, largest first."""
    if scores[0].device.type != "cpu":
        for part in scores:
            largest, columns = part.topk(k)
            yield from zip(largest.cpu().numpy(), columns.to(torch.int32).cpu().numpy(), strict=True)
        return
    # All parts in one go: torch's threads spin for a while after each operation and would take time from these threads.
    with ThreadPoolExecutor(torch.get_num_threads()) as pool:
        for best in pool.map(lambda part: _top_of(part.numpy(), k), scores):
            yield from best


def _top_of(rows: NDArray[np.float32], k: int) -> list[Best]:
    """Return the k largest values of each row and their columns; of equal values the lower column comes first.

    It takes less than half the time of torch's topk on a CPU.

    >>> _top_of(np.array([[-1, -3, -1, -2]], np.float32), k=3)
    [(array([-1., -1., -2.], dtype=float32), array([0, 2, 3], dtype=int32))]
    """
    bounds = np.partition(rows, -k)[:, -k]  # the k-th largest value of each row
    return [_ordered(row, np.flatnonzero(row >= bound), k) for row, bound in zip(rows, bounds, strict=True)]


def _ordered(row: NDArray[np.float32], columns: NDArray[np.intp], k: int) -> Best:
    """Return the `k` largest values of a row within these `columns`, largest first, and the columns of these values."""
    scores = row[columns]
    order = np.argsort(-scores)
    ordered = scores[order]
    if (ordered[1:] == ordered[:-1]).any():  # rare; a stable sort takes three times as long
        order = np.argsort(-scores, kind="stable")
    best = order[:k]
    return scores[best], columns[best].astype(np.int32)
