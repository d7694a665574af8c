"""The primitives that all studies are written against."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.model import LanguageModel
from relprobe.lm.requests import SlotProbe, SlotResponse

Item = TypeVar("Item")
CHUNK = 2048
"""Requests whose states are held at once: what bounds the memory of a run of any length, and the step of its progress."""
HEAD_ROWS = 256
"""States that go through the head at once: 256 rows of a 50,000-word vocabulary are 50 MB."""


def slot_top_k(
    model: LanguageModel, probes: Iterable[SlotProbe], k: int, excluded: Sequence[int] = ()
) -> Iterator[SlotResponse]:
    """Yield for each probe, in order, the `k` likeliest tokens of the whole vocabulary at its slot.

    The variants of a probe are mixed as probabilities, p(v) = Σ weight · p_variant(v), before the ranking
    (Cao et al., section 7.2). Tokens in `excluded` get probability 0.
    ProbeError: a probe that cannot be encoded (`Encoder.slot`).
    """
    for chunk in batched(probes, CHUNK):
        queries = [model.encoder.slot(probe.id, variant.text) for probe in chunk for variant in probe.variants]
        states = model.states(queries)
        stop = 0
        for block in batched(chunk, HEAD_ROWS // 2):
            start, stop = stop, stop + sum(len(probe.variants) for probe in block)
            values, ids = _best(model, states[start:stop], block, k, excluded)
            for probe, row_ids, row_values in zip(block, ids, values, strict=True):
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


def batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of `size` items, the last one shorter."""
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk
