"""A language model: it computes the states at the read positions of many inputs, and log-probabilities from states."""

import inspect
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from torch import Tensor

from relprobe.core.errors import ModelError
from relprobe.lm.network.batching import Batch, length_key, mask_dtype, sliding_window, take_batch
from relprobe.lm.network.blocks import attention_in_blocks
from relprobe.lm.network.cpu import ROWS_IN_CACHE
from relprobe.lm.network.devices import input_device, move, unless_out_of_memory
from relprobe.lm.network.heads import Head, body_of, float32_logits
from relprobe.lm.network.last_layer import ReadPositions
from relprobe.lm.network.layers import LayerStates, select_reads
from relprobe.lm.network.lens import Lens
from relprobe.lm.network.pairs import PairStates
from relprobe.lm.network.products import ProductLibrary, products_by
from relprobe.lm.network.trie import sort_key
from relprobe.lm.requests import Query
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokens import ids_without_token

logger = logging.getLogger("relprobe")
CHUNK = 4096
"""The most states in memory at once. It bounds the memory of a run of any length, and is the step of its progress."""
LOGITS = 2**25
"""The most logits at once: 134 MB in float32. As each product reads the whole matrix of the head, few products are best."""

ComputePath = Literal["packed", "grouped", "plain"]
Forward = Callable[..., Tensor]
Result = TypeVar("Result")


@dataclass
class LanguageModel:
    """A network with its encoder, and the way it computes its inputs (its `path`).

    - "packed": causal inputs as a token trie, with attention in blocks of nodes;
    - "grouped": inputs of one length together;
    - "plain": one input at a time through the whole network.

    The inputs of an encoder-decoder network are grouped by the lengths of their texts (`relprobe.lm.network.pairs`).

    On the plain path a state is a row of logits. On the others a state is the body's last hidden state; the head runs at
    the read positions only, and with `last_layer` so do most matrix products of the last layer. Logits are in float32, in
    whatever format the network computes. Between two calls the network is as it was.
    """

    net: Any
    encoder: Encoder
    path: ComputePath
    budget: int  # tokens of a batch; halved whenever memory runs out, and not raised again
    last_layer: ReadPositions | None = None  # None: the last layer computes every position
    head_rows: int = 0  # states that go through the head at once; 0: as many as make LOGITS; halved like the budget
    locks: tuple[Any, ...] = ()  # the locks on its devices: they last as long as the model
    head: Head | None = field(default=None, repr=False)  # None: that of the network
    products: ProductLibrary = "torch"  # what computes its products in float32
    inputs: int = field(default=0, init=False)  # how many inputs the network has computed
    tokens: int = field(default=0, init=False)  # how many tokens it has computed; a shared beginning counts once

    def __post_init__(self) -> None:
        if self.path != "plain" and (self.head is None or self.head.net is not self.net):
            self.head = Head(self.net)
        pairs = self.encoder.blank is not None
        self._pairs = PairStates(self.net) if pairs else None
        self._body = self.net if self.path == "plain" or pairs else body_of(self.net)
        self._device = input_device(self.net)
        self._window = sliding_window(self.net.config)
        self._keeps_logits = "logits_to_keep" in inspect.signature(self.net.forward).parameters
        vocabulary = self.net.config.get_text_config().vocab_size
        self.head_rows = self.head_rows or max(1, LOGITS // vocabulary)
        # The ids from `tokens_end` on only pad the matrices of the network.
        no_tokens, self.tokens_end = ids_without_token(self.encoder.tokenizer, vocabulary)
        self._no_tokens = torch.tensor(no_tokens, dtype=torch.long, device=self._device)
        self._unchecked: list[tuple[str, Tensor]] = []  # where values may be wrong, and whether they are
        self._checks_later = False

    @property
    def chunk(self) -> int:
        """The most states in memory at once; on the plain path a state is as wide as the vocabulary, so they are fewer."""
        return min(self.head_rows, CHUNK) if self.path == "plain" else CHUNK

    @property
    def rows_at_once(self) -> int:
        """How many rows of logits to normalise and rank at once: on a CPU as many as fit into its cache."""
        return ROWS_IN_CACHE if self._device.type == "cpu" else self.head_rows

    @torch.inference_mode()
    def states(self, queries: Sequence[Query]) -> Tensor:
        """Return the states at the queries' read positions, shape (all positions, width), in the order of the queries.

        They are the input of the head. Equal queries are computed once, and in a trie equal beginnings are computed once.
        Two queries with one and two read positions give three rows: row 0 is that of the first query.
        ModelError: out of memory, or NaN or infinite states.
        """
        states, rows = self.distinct_states(queries)
        return states[move(rows, states.device)]

    @torch.inference_mode()
    def distinct_states(self, queries: Sequence[Query]) -> tuple[Tensor, Tensor]:
        """Return the states of different positions, shape (states, width), and the row of each read position, on the CPU.

        "a robin is" and "a robin sings", read at each token, have four states; the rows of six positions are 0 1 2 0 1 3.
        """
        return self._states(queries, lambda _: self._last, narrow=True)

    @torch.inference_mode()
    def hidden_states(self, queries: Sequence[Query], layers: Sequence[int]) -> Tensor:
        """Return the hidden states after several layers, shape (layers, all positions, width), from one forward pass.

        They are as transformers has them (`LayerStates`), and not as the head takes them (`lens`); 0 is the embeddings, and
        -1 the last layer. ModelError: as in `states`, or no such layer.
        """
        states, rows = self._states(queries, lambda trial: self._hidden(layers, trial), narrow=False)
        return states[move(rows, states.device)].transpose(0, 1)

    @torch.inference_mode()
    def lens(self, queries: Sequence[Query], layers: Sequence[int]) -> Tensor:
        """Return the states after several layers, each as the head takes it, shape (layers, all positions, width).

        They come from one forward pass (`Lens`); those of the last layer are what `states` returns.
        ModelError: as in `states`, or nothing is known of what the network does between a layer and its head.
        """
        if self.path == "plain" or self._pairs is not None:
            fault = "its head cannot be computed alone" if self._pairs is None else "it has an encoder and a decoder"
            raise ModelError(
                f"{self._name()} has no answers of single layers, as {fault}: ask for its last layer alone."
            )
        states, rows = self._states(queries, lambda trial: self._lens(layers, trial), narrow=True)
        return states[move(rows, states.device)].transpose(0, 1)

    def _states(
        self, queries: Sequence[Query], make_forward: Callable[[Tensor], Forward], *, narrow: bool
    ) -> tuple[Tensor, Tensor]:
        """Return what the forward pass of `make_forward` gives at distinct positions, and the row of each read position."""
        packed = self.path == "packed"
        order = sorted(set(queries), key=sort_key if packed else length_key)
        forward = make_forward(torch.tensor([order[0].ids], device=self._device))
        first: dict[Query, int] = {}  # the place in `rows` of its first read position
        rows: list[int] = []
        parts: list[Tensor] = []
        with self._way(), products_by(self.products):
            while len(first) < len(order):
                batch = take_batch(order, len(first), 1 if self.path == "plain" else self.budget, packed=packed)
                reads, inverse = np.unique(batch.reads.numpy(), return_inverse=True)
                part = unless_out_of_memory(self._device, self._read, batch, torch.from_numpy(reads), forward, narrow)
                if part is None:
                    self._halve_budget(batch)
                    continue
                self.inputs += len(batch.queries)
                self.tokens += batch.tokens.numel()
                starts = accumulate((len(query.positions) for query in batch.queries), initial=len(rows))
                first.update(zip(batch.queries, starts, strict=False))
                rows += (inverse + sum(map(len, parts))).tolist()
                parts.append(part)
        states = torch.cat(parts)
        if self.path != "plain":
            self._check(type(self._body).__name__, ~states.isfinite().all(), later=narrow)
        return states, torch.tensor([rows[first[query] + i] for query in queries for i in range(len(query.positions))])

    @torch.inference_mode()
    def logits(self, states: Tensor) -> Tensor:
        """Return the logits, float32, shape (states, vocabulary)."""
        if self.path == "plain" or self.head is None:
            return states
        with products_by(self.products):
            return self.head(states)

    @torch.inference_mode()
    def log_softmax(self, logits: Tensor) -> Tensor:
        """Return natural-log probabilities, float32, shape (states, vocabulary). ModelError: NaN or infinite logits.

        Ids without a token, which only pad the matrices of a network, count in the softmax as in the plain forward, but get
        log 0, so that they are no answer.
        """
        logprobs = torch.log_softmax(logits, -1, dtype=torch.float32)
        # One NaN or infinite logit makes its whole row NaN.
        self._check("network" if self.path == "plain" else "head", logprobs[:, 0].isnan().any(), later=False)
        logprobs[:, self.tokens_end :] = -torch.inf  # a slice takes a tenth of the time of a list of its ids
        if len(self._no_tokens):
            logprobs.index_fill_(1, self._no_tokens.to(logprobs.device), -torch.inf)
        return logprobs

    def log_probs(self, states: Tensor) -> Tensor:
        """Return the natural-log probabilities that states predict, as `log_softmax` does, shape (states, vocabulary)."""
        return self.log_softmax(self.logits(states))

    def in_blocks(self, sizes: Sequence[int], compute: Callable[[int, int, slice], Result]) -> Iterator[Result]:
        """Yield the results of `compute(first item, last item + 1, slice of their rows)` for consecutive items.

        Item i has `sizes[i]` rows of states. A call gets items of up to `head_rows` rows together, or one item. With the
        sizes 1 2 2 and 3 `head_rows` the calls are compute(0, 2, slice(0, 3)) and compute(2, 3, slice(3, 5)). When memory
        runs out, `head_rows` is halved. On a GPU, values that are NaN show after the last result, so that nothing waits
        for the device before. ModelError: one item does not fit into memory, or NaN or infinite values.
        """
        item = row = 0
        while item < len(sizes):
            stop, rows = item + 1, sizes[item]
            while stop < len(sizes) and rows + sizes[stop] <= self.head_rows:
                rows += sizes[stop]
                stop += 1
            self._checks_later = self._device.type != "cpu"
            try:
                result = unless_out_of_memory(self._device, compute, item, stop, slice(row, row + rows))
            finally:
                self._checks_later = False
            if result is None:
                self._halve_head_rows(rows, stop - item)
                continue
            item, row = stop, row + rows
            yield result
        self._check_now()

    def origin(self) -> dict[str, Any]:
        """Return what provenance says of the way the network computes: its number format and its path."""
        return {"dtype": str(self.net.dtype).removeprefix("torch."), "path": self.path}

    def log_work(self) -> None:
        """Log how many tokens and inputs the network has computed: the cost of a larger study follows from them."""
        tokens = self.tokens + (0 if self._pairs is None else self._pairs.tokens)
        logger.info("the network computed %s tokens of %s inputs", f"{tokens:,}", f"{self.inputs:,}")

    def _way(self) -> AbstractContextManager[None]:
        """Return the context in which the network computes this path."""
        if self.path == "packed":
            return attention_in_blocks(self.net)
        return float32_logits(self.net) if self.path == "plain" else nullcontext()

    def _hidden(self, layers: Sequence[int], trial: Tensor) -> Forward:
        body = self._body if self._pairs is None else self.net.get_encoder()
        try:
            return LayerStates(self.net, body, layers, trial)
        except IndexError as error:
            raise ModelError(f"{self._name()} has {error}.") from error

    def _last(self, reads: Tensor, **inputs: Any) -> Tensor:
        """Return the states of a batch at positions `reads` as the head takes them or, on the plain path, their logits."""
        if self._pairs is not None:
            return select_reads(self._pairs.logits(**inputs) if self.path == "plain" else self._pairs(**inputs), reads)
        if self.path != "plain":
            return select_reads(self._body(**inputs, use_cache=False).last_hidden_state, reads)
        # Of 262,144 words the logits of all positions are half of the time of a forward pass.
        few = {"logits_to_keep": reads.cpu()} if self._keeps_logits else {}
        logits: Tensor = self.net(**inputs, use_cache=False, **few).logits.float()
        return logits[0] if few and logits.shape[:2] == (1, len(reads)) else select_reads(logits, reads)

    def _lens(self, layers: Sequence[int], trial: Tensor) -> Forward:
        try:
            return Lens(self.net, self._body, layers, trial)
        except ValueError as error:
            raise ModelError(
                f"{self._name()} has no answers of single layers, as it has {error}: ask for its last layer alone."
            ) from error

    def _read(self, batch: Batch, reads: Tensor, forward: Forward, narrow: bool) -> Tensor:
        """Return the states of a batch at positions `reads`; `narrow`: the last layer may leave out the others."""
        inputs = batch.inputs(self._device, mask_dtype(self.net), self._window)
        reads = move(reads, self._device)
        scope: AbstractContextManager[None] = nullcontext()
        if self.last_layer is not None and narrow:
            scope = self.last_layer.restrict_to(reads, batch.tokens.numel())
        with scope:
            return forward(reads, **inputs)

    def _check(self, where: str, wrong: Tensor, *, later: bool) -> None:
        """Raise a ModelError if the values of a part of the network are wrong: now, or on a GPU `later` with others."""
        self._unchecked.append((where, wrong))
        if self._device.type == "cpu" or not (later or self._checks_later):
            self._check_now()

    def _check_now(self) -> None:
        unchecked, self._unchecked = self._unchecked, []
        if len(unchecked) > 1 and not torch.stack([wrong.to(self._device) for _, wrong in unchecked]).any():
            return  # a GPU was waited for once
        for where, wrong in unchecked:
            if wrong:
                remedy = "its weights are broken" if self.net.dtype == torch.float32 else "try `dtype: float32`"
                raise ModelError(
                    f"{self._name()} computes NaN or infinite values, in its {where} in {self.net.dtype}: {remedy}."
                )

    def _halve_budget(self, batch: Batch) -> None:
        if len(batch.queries) == 1:
            raise ModelError(
                f"{self._name()}: not even one input of {batch.tokens.numel()} tokens fits into memory: "
                "shorten it, or use a larger device."
            )
        if self._pairs is not None:
            self._pairs.forget()
        self.budget = max(1, min(self.budget, batch.tokens.numel()) // 2)
        logger.warning("out of memory: continuing with batches of %d tokens", self.budget)

    def _halve_head_rows(self, rows: int, items: int) -> None:
        if items == 1:
            raise ModelError(
                f"{self._name()}: the logits of {rows} positions do not fit into memory: use a larger device."
            )
        self.head_rows = max(1, rows // 2)
        logger.warning("out of memory: continuing with the logits of %d positions at once", self.head_rows)

    def _name(self) -> str:
        return f"{type(self.net).__name__} {self.net.name_or_path}".strip()
