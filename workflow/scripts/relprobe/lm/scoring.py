"""The likeliest tokens at a probe's slot."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.model import LanguageModel
from relprobe.lm.requests import SlotProbe, SlotResponse
from relprobe.lm.stream import chunked


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

    def best(first: int, stop: int, rows: slice) -> tuple[Sequence[SlotProbe], NDArray[np.float32], NDArray[np.int32]]:
        block = probes[first:stop]
        return block, *_best(model, states[rows], block, k, excluded)

    for block, values, ids in model.in_blocks([len(probe.variants) for probe in probes], best):
        for probe, row_values, row_ids in zip(block, values, ids, strict=True):
            yield SlotResponse(probe.id, row_ids, row_values)


@torch.inference_mode()
def _best(
    model: LanguageModel, states: Tensor, probes: Sequence[SlotProbe], k: int, excluded: Sequence[int]
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Return the k largest log-probabilities per probe and their tokens, both (probes, k), largest first."""
    mixed = _mixture(model.log_probs(states), probes)
    mixed[:, list(excluded)] = -torch.inf
    values, ids = mixed.topk(min(k, mixed.shape[1]), dim=-1)
    return values.cpu().numpy(), ids.to(torch.int32).cpu().numpy()


def _mixture(logprobs: Tensor, probes: Sequence[SlotProbe]) -> Tensor:
    """Mix the rows (variants, vocabulary) into one row per probe (probes, vocabulary)."""
    counts = torch.tensor([len(probe.variants) for probe in probes], device=logprobs.device)
    if bool((counts == 1).all()):
        return logprobs
    weights = torch.tensor([variant.weight for probe in probes for variant in probe.variants], device=logprobs.device)
    owner = torch.repeat_interleave(torch.arange(len(probes), device=logprobs.device), counts)
    mixed = torch.zeros(len(probes), logprobs.shape[1], device=logprobs.device)
    return mixed.index_add_(0, owner, logprobs.exp_().mul_(weights[:, None])).log_()
