"""What the primitives share: requests come in, results go out in the same order, and memory is bounded."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.threads import ahead
from relprobe.lm.requests import Targets

Item = TypeVar("Item")
Request = TypeVar("Request")
Inputs = TypeVar("Inputs")

ENCODED_AT_ONCE = 512
"""The requests that the tokenizer gets together: it divides the texts among the cores."""


def encoded_chunks(
    model: LanguageModel,
    requests: Iterable[Request],
    encode: Callable[[Sequence[Request]], Iterable[Inputs]],
    rows: Callable[[Inputs], int],
) -> Iterator[list[tuple[Request, Inputs]]]:
    """Yield the requests and what each becomes, in order, in lists of up to `model.chunk` rows, but at least one request.

    `encode` turns requests into inputs, one for each, and `rows` says how many states an input needs. A thread encodes the
    next list while this one is in use, so that the network does not wait for the tokenizer.
    """
    limit = model.chunk
    pairs = (
        pair
        for group in chunks(requests, lambda _: 1, min(ENCODED_AT_ONCE, limit))
        for pair in zip(group, encode(group), strict=True)
    )
    return ahead(chunks(pairs, lambda pair: rows(pair[1]), limit))


def chunks(items: Iterable[Item], rows: Callable[[Item], int], limit: int) -> Iterator[list[Item]]:
    """Yield lists of items that together have up to `limit` rows, but at least one item, and read no further than needed.

    >>> list(chunks(["a", "bb", "c", "dddd"], rows=len, limit=3))
    [['a', 'bb'], ['c'], ['dddd']]
    """
    chunk: list[Item] = []
    total = 0
    for item in items:
        count = rows(item)
        if chunk and total + count > limit:
            yield chunk
            chunk, total = [], 0
        chunk.append(item)
        total += count
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


def fetch(tensors: Sequence[Tensor]) -> list[NDArray[Any]]:
    """Return tensors as arrays; those of a GPU are copied together, and the program waits once for all of them.

    >>> fetch([torch.tensor([1, 2]), torch.tensor([0.5])])
    [array([1, 2]), array([0.5], dtype=float32)]
    """
    copies = [_pinned_copy(tensor) if tensor.is_cuda else tensor for tensor in tensors]
    for device in {tensor.device for tensor in tensors if tensor.is_cuda}:
        torch.cuda.current_stream(device).synchronize()
    return [copy.numpy() for copy in copies]


def _pinned_copy(tensor: Tensor) -> Tensor:
    """Begin to copy a tensor of a GPU into memory that the GPU can write while the program goes on."""
    return torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True).copy_(tensor, non_blocking=True)


def score(
    model: LanguageModel, chunks: Iterable[list[tuple[Request, Inputs]]], targets: Callable[[Inputs], Sequence[Targets]]
) -> Iterator[tuple[Request, Inputs, NDArray[np.float32]]]:
    """Yield each request and its inputs, in order, with the natural-log probabilities of all tokens of its targets.

    `targets` returns the targets of a request's inputs. The array of a request has shape (tokens of its targets,).
    """
    for chunk in chunks:
        wanted = [targets(inputs) for _, inputs in chunk]
        values = target_logprobs(model, list(itertools.chain.from_iterable(wanted)))
        parts = split(values, map(count_tokens, wanted))
        for (request, inputs), part in zip(chunk, parts, strict=True):
            yield request, inputs, part


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
    rows = np.array([first_row[target.query] + i for target in targets for i in range(len(target.tokens))])
    tokens = np.array([token for target in targets for token in target.tokens])
    order = np.argsort(rows, kind="stable")  # the tokens by the row that they are read in
    rows, tokens = rows[order], tokens[order]

    def gather(_first: int, _stop: int, block: slice) -> list[Tensor]:
        logits = model.logits(states[block])
        starts = range(0, len(logits), model.rows_at_once)
        return [pick(model.log_softmax(logits[i : i + model.rows_at_once]), block.start + i) for i in starts]

    def pick(logprobs: Tensor, start: int) -> Tensor:
        inside = slice(*np.searchsorted(rows, [start, start + len(logprobs)]))
        cells = torch.from_numpy(np.stack([rows[inside] - start, tokens[inside]]))
        row, token = cells.to(logprobs.device, non_blocking=True)
        return logprobs[row, token]

    picks = fetch([one for block in model.in_blocks([1] * len(states), gather) for one in block])
    values = np.empty(len(rows), np.float32)
    values[order] = np.concatenate(picks)
    return values


def count_tokens(targets: Sequence[Targets]) -> int:
    """Count the tokens whose log-probabilities the targets need."""
    return sum(len(target.tokens) for target in targets)
