"""Requests in, results out, in order and in bounded memory: what the primitives have in common."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.requests import Targets

Item = TypeVar("Item")
Request = TypeVar("Request")


def batched(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of `size` items, the last one shorter."""
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, size)):
        yield chunk


def chunked(items: Iterable[Item], rows: Callable[[Item], int], limit: int) -> Iterator[list[Item]]:
    """Yield lists of items that together have up to `limit` rows (at least one item), reading no further than needed."""
    chunk: list[Item] = []
    held = 0
    for item in items:
        if chunk and held + rows(item) > limit:
            yield chunk
            chunk, held = [], 0
        chunk.append(item)
        held += rows(item)
    if chunk:
        yield chunk


def split(values: NDArray[np.float32], counts: Iterable[int]) -> Iterator[NDArray[np.float32]]:
    """Cut a sequence into consecutive parts of these lengths."""
    stop = 0
    for count in counts:
        start, stop = stop, stop + count
        yield values[start:stop]


def score(
    model: LanguageModel, requests: Iterable[Request], encode: Callable[[Request], list[Targets]]
) -> Iterator[tuple[Request, NDArray[np.float32]]]:
    """Yield each request, in order, with the natural-log probabilities of all tokens of its targets, shape (tokens,)."""
    encoded = ((request, encode(request)) for request in requests)
    for chunk in chunked(encoded, lambda pair: _rows(pair[1]), model.chunk):
        values = target_logprobs(model, [target for _, targets in chunk for target in targets])
        parts = split(values, (_rows(targets) for _, targets in chunk))
        for (request, _), part in zip(chunk, parts, strict=True):
            yield request, part


@torch.inference_mode()
def target_logprobs(model: LanguageModel, wanted: Sequence[Targets]) -> NDArray[np.float32]:
    """Return log P(token) at the position it is wanted at, shape (all tokens,), in the order of `wanted`.

    Positions of equal inputs go through the head once, however many tokens are wanted there.
    """
    queries = list(dict.fromkeys(target.query for target in wanted))
    if not queries:
        return np.empty(0, np.float32)
    states = model.states(queries)  # (positions, width)
    sizes = [len(query.positions) for query in queries]
    first = dict(zip(queries, itertools.accumulate(sizes, initial=0), strict=False))
    rows = torch.tensor([first[target.query] + i for target in wanted for i in range(len(target.tokens))])
    tokens = torch.tensor([token for target in wanted for token in target.tokens])

    def gather(_first: int, _stop: int, block: slice) -> list[tuple[Tensor, Tensor]]:
        logits = model.logits(states[block])
        starts = range(0, len(logits), model.ranked_rows)
        return [pick(model.normalised(logits[i : i + model.ranked_rows]), block.start + i) for i in starts]

    def pick(logprobs: Tensor, start: int) -> tuple[Tensor, Tensor]:
        inside = ((rows >= start) & (rows < start + len(logprobs))).nonzero()[:, 0]
        wanted_here = (rows[inside] - start).to(logprobs.device), tokens[inside].to(logprobs.device)
        return inside, logprobs[wanted_here].cpu()

    values = torch.empty(len(rows))
    for parts in model.in_blocks([1] * len(states), gather):
        for inside, found in parts:
            values[inside] = found
    return values.numpy()


def _rows(targets: Sequence[Targets]) -> int:
    return sum(len(target.tokens) for target in targets)
