"""What the primitives share: requests come in, results go out in the same order, and memory is bounded."""

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


def chunks(items: Iterable[Item], rows: Callable[[Item], int], limit: int) -> Iterator[list[Item]]:
    """Yield lists of items that together have up to `limit` rows, but at least one item, and read no further than needed.

    >>> list(chunks(["a", "bb", "c", "dddd"], rows=len, limit=3))
    [['a', 'bb'], ['c'], ['dddd']]
    """
    chunk: list[Item] = []
    total = 0
    for item in items:
        if chunk and total + rows(item) > limit:
            yield chunk
            chunk, total = [], 0
        chunk.append(item)
        total += rows(item)
    if chunk:
        yield chunk


def split(values: NDArray[np.float32], lengths: Iterable[int]) -> Iterator[NDArray[np.float32]]:
    """Cut an array into consecutive parts of these lengths.

    >>> [part.tolist() for part in split(np.array([1, 2, 3], np.float32), [2, 0, 1])]
    [[1.0, 2.0], [], [3.0]]
    """
    stop = 0
    for length in lengths:
        start, stop = stop, stop + length
        yield values[start:stop]


def score(
    model: LanguageModel, requests: Iterable[Request], encode: Callable[[Request], list[Targets]]
) -> Iterator[tuple[Request, NDArray[np.float32]]]:
    """Yield each request, in order, with the natural-log probabilities of all tokens of its targets, shape (tokens,)."""
    pairs = ((request, encode(request)) for request in requests)
    for chunk in chunks(pairs, lambda pair: _count_tokens(pair[1]), model.chunk):
        values = target_logprobs(model, [target for _, targets in chunk for target in targets])
        parts = split(values, (_count_tokens(targets) for _, targets in chunk))
        for (request, _), part in zip(chunk, parts, strict=True):
            yield request, part


@torch.inference_mode()
def target_logprobs(model: LanguageModel, targets: Sequence[Targets]) -> NDArray[np.float32]:
    """Return log P(token) of all tokens of the targets at their read positions, shape (all tokens,), in their order.

    Each position of a query goes through the head once, however many tokens are needed there.

    >>> from relprobe.lm.network.example import bigram_model
    >>> from relprobe.lm.requests import Query
    >>> model = bigram_model({"a": {"bird": 0.75, "robin": 0.25}})  # ids: a 0, bird 1, robin 2
    >>> query = Query((2, 0), (1,))  # "robin a", read at "a"
    >>> np.exp(target_logprobs(model, [Targets(query, (1,)), Targets(query, (2,))])).round(2).tolist()
    [0.75, 0.25]
    """
    queries = list(dict.fromkeys(target.query for target in targets))
    if not queries:
        return np.empty(0, np.float32)
    states = model.states(queries)  # (positions, width)
    sizes = [len(query.positions) for query in queries]
    first_row = dict(zip(queries, itertools.accumulate(sizes, initial=0), strict=False))
    rows = torch.tensor([first_row[target.query] + i for target in targets for i in range(len(target.tokens))])
    tokens = torch.tensor([token for target in targets for token in target.tokens])

    def gather(_first: int, _stop: int, block: slice) -> list[tuple[Tensor, Tensor]]:
        logits = model.logits(states[block])
        starts = range(0, len(logits), model.rows_at_once)
        return [pick(model.log_softmax(logits[i : i + model.rows_at_once]), block.start + i) for i in starts]

    def pick(logprobs: Tensor, start: int) -> tuple[Tensor, Tensor]:
        inside = ((rows >= start) & (rows < start + len(logprobs))).nonzero()[:, 0]
        cells = (rows[inside] - start).to(logprobs.device), tokens[inside].to(logprobs.device)
        return inside, logprobs[cells].cpu()

    values = torch.empty(len(rows))
    for parts in model.in_blocks([1] * len(states), gather):
        for inside, logprobs in parts:
            values[inside] = logprobs
    return values.numpy()


def _count_tokens(targets: Sequence[Targets]) -> int:
    return sum(len(target.tokens) for target in targets)
