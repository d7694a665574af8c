"""What the primitives share: requests come in, results go out in the same order, and memory is bounded."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relprobe.lm.network.devices import move
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.threads import prefetch
from relprobe.lm.requests import Targets
from relprobe.lm.words.boundary import boundary_ids

Item = TypeVar("Item")
Request = TypeVar("Request")
Inputs = TypeVar("Inputs")

Ids = NDArray[np.int64]
Values = NDArray[np.float32]

ENCODED_AT_ONCE = 512
"""The requests that the tokenizer gets together: it divides the texts among the cores."""
LAYER_VALUES = 2**25
"""The most numbers in the states of all layers at once: 134 MB in float32."""


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
    return prefetch(chunks(pairs, lambda pair: rows(pair[1]), limit))


def rows_of_layers(model: LanguageModel, layers: int) -> int:
    """Return how many states a read position counts as in `encoded_chunks`, if those after several layers are kept."""
    width = model.net.config.get_text_config().hidden_size
    return max(1, -(-model.chunk * layers * width // LAYER_VALUES))


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
    model: LanguageModel,
    chunks: Iterable[list[tuple[Request, Inputs]]],
    targets: Callable[[Inputs], Sequence[Targets]],
    boundary: Tensor | None = None,
) -> Iterator[tuple[Request, Inputs, NDArray[np.float32]]]:
    """Yield each request and its inputs, in order, with the natural-log probabilities of all tokens of its targets.

    `targets` returns the targets of a request's inputs. The array of a request has shape (tokens of its targets,).
    `boundary` as in `target_logprobs`.
    """
    for chunk in chunks:
        wanted = [targets(inputs) for _, inputs in chunk]
        values = target_logprobs(model, list(itertools.chain.from_iterable(wanted)), boundary)
        parts = split(values, map(count_tokens, wanted))
        for (request, inputs), part in zip(chunk, parts, strict=True):
            yield request, inputs, part


def target_logprobs(
    model: LanguageModel, targets: Sequence[Targets], boundary: Tensor | None = None
) -> NDArray[np.float32]:
    """Return log P(token) of all tokens of the targets at their read positions, shape (all tokens,), in their order.

    These are the second values of `read_targets`.
    """
    return read_targets(model, targets, boundary)[1]


def read_targets(
    model: LanguageModel, targets: Sequence[Targets], boundary: Tensor | None = None
) -> tuple[Values, Values]:
    """Return log P(token) of all tokens of the targets at their read positions, shape (all tokens,), in their order: twice.

    The second values count the ends of words; without a `boundary` they are the first.

    A position goes through the head once, however many tokens are needed there, and however many queries of a trie share it.
    With a `boundary` (`boundary_tokens`) each query has one read position more than the target has tokens, and the ends of
    words count (`_with_word_ends`).

    >>> from relprobe.lm.loading.example import bigram_model
    >>> from relprobe.lm.requests import Query
    >>> model = bigram_model({"a": {"bird": 0.75, "robin": 0.25}})  # ids: a 0, bird 1, robin 2
    >>> query = Query((2, 0), (1,))  # "robin a", read at "a"
    >>> np.exp(read_targets(model, [Targets(query, (1,)), Targets(query, (2,))])[0]).round(2).tolist()
    [0.75, 0.25]
    """
    queries = list(dict.fromkeys(target.query for target in targets))
    if not queries:
        return np.empty(0, np.float32), np.empty(0, np.float32)
    states, rows = model.distinct_states(queries)  # (states, width) and (read positions,)
    first = dict(
        zip(queries, itertools.accumulate((len(query.positions) for query in queries), initial=0), strict=False)
    )
    positions = np.array([first[target.query] + i for target in targets for i in range(len(target.tokens))])
    tokens = np.array([token for target in targets for token in target.tokens])
    token_rows = rows.numpy()[positions]
    order = np.argsort(token_rows, kind="stable")  # the tokens by the row that they are read in
    values = np.empty(len(positions), np.float32)
    values[order], ends = read_logprobs(model, states, token_rows[order], tokens[order], boundary)
    if boundary is None:
        return values, values
    lasts = np.cumsum([len(target.tokens) for target in targets]) - 1
    return values, _with_word_ends(values, tokens, positions, lasts, ends[rows.numpy()], boundary.numpy())


def _with_word_ends(values: Values, tokens: Ids, positions: Ids, lasts: Ids, ends: Values, boundary: Ids) -> Values:
    """Return the log-probabilities `values` of tokens, with the end of each word counted where the word ends.

    A token that is a boundary says two things: the word before it has ended, and which token comes next. The first part,
    whose log-probability is in `ends` at the token's place, is taken from the token and given to the token before it, if
    that has a value. The last token of a target, which is at one of `lasts`, gets the end after it, from the place after its
    own. So the sum over the tokens of a word is log P(the word, and it ends | the words before it, and they have ended).

    Two words of two and one tokens, 1 2 and 1, where the token 1 is a boundary, as those are that begin with a space:

    >>> values, tokens, boundary = np.array([-1, -2, -1.5]), np.array([1, 2, 1]), np.array([1])
    >>> ends = np.array([-0.5, -9, -0.25, -0.75])
    >>> _with_word_ends(values, tokens, np.arange(3), np.array([2]), ends, boundary).tolist()
    [-0.5, -2.25, -2.0]
    """
    leads = np.isin(tokens, boundary)
    moved = np.where(leads, ends[positions], 0)
    result = values - moved
    follows = np.ones(len(values), bool)
    follows[lasts] = False  # the next value is that of another target
    inner = np.flatnonzero(follows)
    result[inner] += moved[inner + 1]
    result[lasts] += ends[positions[lasts] + 1]
    return result


@torch.inference_mode()
def read_logprobs(
    model: LanguageModel, states: Tensor, rows: Ids, tokens: Ids, boundary: Tensor | None = None
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the natural-log probability of each of the `tokens`, read in the state of its row, in their order.

    `rows` and `tokens` have the same length, and the rows ascend. The second array has the log-probability that one of the
    tokens in `boundary` comes next (`boundary_tokens`), shape (states,); it is empty without a boundary.
    """
    boundary = None if boundary is None else move(boundary, states.device)  # once, and not for every block

    def gather(_first: int, _stop: int, block: slice) -> list[Tensor]:
        logits = model.logits(states[block])
        starts = range(0, len(logits), model.rows_at_once)
        parts = [pick(model.log_softmax(logits[i : i + model.rows_at_once]), block.start + i) for i in starts]
        return [torch.cat(part) for part in zip(*parts, strict=True)]

    def pick(logprobs: Tensor, start: int) -> tuple[Tensor, Tensor]:
        inside = slice(*np.searchsorted(rows, [start, start + len(logprobs)]))
        cells = torch.from_numpy(np.stack([rows[inside] - start, tokens[inside]]))
        row, token = move(cells, logprobs.device)
        ends = logprobs[:, 0][:0] if boundary is None else boundary_logprobs(logprobs, boundary)
        return logprobs[row, token], ends

    arrays = fetch([tensor for block in model.in_blocks([1] * len(states), gather) for tensor in block])
    return np.concatenate(arrays[::2]), np.concatenate(arrays[1::2])


def boundary_tokens(model: LanguageModel) -> Tensor:
    """Return the ids of the tokens that cannot continue a word (`boundary_ids`), shape (boundaries,)."""
    width = model.net.config.get_text_config().vocab_size  # some tokenizers have tokens that the network lacks
    return torch.tensor([token_id for token_id in boundary_ids(model.encoder.tokenizer) if token_id < width])


def boundary_logprobs(logprobs: Tensor, boundary: Tensor) -> Tensor:
    """Return the log-probability of a boundary after each row of log-probabilities (rows, vocabulary), shape (rows,).

    >>> boundary_logprobs(torch.tensor([[0.5, 0.25, 0.25]]).log(), torch.tensor([0, 2])).exp()
    tensor([0.7500])
    """
    # A mask of -inf in place of the other columns would take ten times as long on a CPU.
    return logprobs.index_select(1, boundary.to(logprobs.device)).logsumexp(-1)


def count_tokens(targets: Sequence[Targets]) -> int:
    """Count the tokens whose log-probabilities the targets need."""
    return sum(len(target.tokens) for target in targets)
