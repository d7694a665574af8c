"""A language model: it computes the states at the read positions of many inputs, and log-probabilities from states."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import torch
from torch import Tensor

from relprobe.core.errors import ModelError
from relprobe.lm.network.batching import Batch, Window, take_group, take_trie
from relprobe.lm.network.blocks import attend_in_blocks
from relprobe.lm.network.heads import head_of
from relprobe.lm.network.last_layer import ReadPositions
from relprobe.lm.network.trie import sort_key
from relprobe.lm.requests import Query
from relprobe.lm.words.encode import Encoder

logger = logging.getLogger("relprobe")
CHUNK = 4096
"""The most states in memory at once. It bounds the memory of a run of any length, and is the step of its progress."""
LOGITS = 2**25
"""The most logits at once: 134 MB in float32. As each product reads the whole matrix of the head, few products are best."""
ROWS_IN_CACHE = 16
"""The rows of logits that fit into a CPU's second-level cache: 16 rows of 50,000 tokens are 3 MB."""

ComputePath = Literal["blocks", "trie", "grouped", "plain"]
TRIES = ("blocks", "trie")
Result = TypeVar("Result")


@dataclass
class LanguageModel:
    """A network with its encoder, and the way it computes its inputs (its `path`).

    - "blocks": causal inputs as a token trie, with attention in blocks of nodes;
    - "trie": causal inputs as a token trie, with attention between all nodes;
    - "grouped": inputs of one length together;
    - "plain": one input at a time through the whole network.

    On the plain path a state is a row of logits. On the others a state is the body's last hidden state; the head runs at
    the read positions only, and with `last_layer` so do most matrix products of the last layer.
    """

    net: Any
    encoder: Encoder
    path: ComputePath
    budget: int  # tokens of a batch; halved whenever memory runs out, and not raised again
    last_layer: ReadPositions | None = None  # None: the last layer computes every position
    head_rows: int = 0  # states that go through the head at once; 0: as many as make LOGITS; halved like the budget
    locks: tuple[Any, ...] = ()  # the locks on its devices: they last as long as the model
    inputs: int = field(default=0, init=False)  # how many inputs the network has computed
    tokens: int = field(default=0, init=False)  # how many tokens it has computed; a shared beginning counts once

    def __post_init__(self) -> None:
        self._body = self.net if self.path == "plain" else self.net.base_model
        self._head = head_of(self.net)
        self._device = input_device(self.net)
        self._window = sliding_window(self.net.config)
        self.head_rows = self.head_rows or max(1, LOGITS // self.net.config.get_text_config().vocab_size)
        if self.path == "blocks":
            attend_in_blocks(self.net)

    @property
    def chunk(self) -> int:
        """The most states in memory at once; on the plain path a state is as wide as the vocabulary, so they are fewer."""
        return min(self.head_rows, CHUNK) if self.path == "plain" else CHUNK

    @property
    def rows_at_once(self) -> int:
        """How many rows of logits to normalise and rank at once: on a CPU as many as fit into its cache."""
        return ROWS_IN_CACHE if self._device.type == "cpu" else self.head_rows

    @torch.inference_mode()
    def states(self, queries: Sequence[Query], layer: int | None = None) -> Tensor:
        """Return the states at the queries' read positions, shape (all positions, width), in the order of the queries.

        They are the input of the head, or with `layer` the hidden states after that layer (0: the embeddings, -1: the last
        layer). Equal queries are computed once, and in a trie equal beginnings are computed once.
        Two queries with one and two read positions give three rows: row 0 is that of the first query.
        ModelError: out of memory, NaN or infinite states, or no such layer.
        """
        order = sorted(set(queries), key=sort_key if self.path in TRIES else _by_length)
        rows: dict[Query, Tensor] = {}
        while len(rows) < len(order):
            batch = self._take(order, len(rows))
            states = self._unless_out_of_memory(self._read, batch, layer)
            if states is None:
                self._halve_budget(batch)
                continue
            self.inputs += len(batch.queries)
            self.tokens += batch.tokens.numel()
            counts = [len(query.positions) for query in batch.queries]
            rows.update(zip(batch.queries, states.split_with_sizes(counts), strict=True))
        return torch.cat([rows[query] for query in queries])

    @torch.inference_mode()
    def logits(self, states: Tensor) -> Tensor:
        """Return the logits, shape (states, vocabulary)."""
        logits: Tensor = states if self.path == "plain" else self._head(inputs_embeds=states[None]).logits[0]
        return logits

    @torch.inference_mode()
    def log_softmax(self, logits: Tensor) -> Tensor:
        """Return natural-log probabilities, float32, shape (states, vocabulary). ModelError: NaN or infinite logits."""
        logprobs = torch.log_softmax(logits, -1, dtype=torch.float32)
        if logprobs[:, 0].isnan().any():  # one NaN or infinite logit makes its whole row NaN
            self._refuse("network" if self.path == "plain" else "head")
        return logprobs

    def log_probs(self, states: Tensor) -> Tensor:
        """Return the natural-log probabilities that states predict, as `log_softmax` does, shape (states, vocabulary)."""
        return self.log_softmax(self.logits(states))

    def in_blocks(self, sizes: Sequence[int], compute: Callable[[int, int, slice], Result]) -> Iterator[Result]:
        """Yield the results of `compute(first item, last item + 1, slice of their rows)` for consecutive items.

        Item i has `sizes[i]` rows of states. A call gets items of up to `head_rows` rows together, or one item. With the
        sizes 1 2 2 and 3 `head_rows` the calls are compute(0, 2, slice(0, 3)) and compute(2, 3, slice(3, 5)). When memory
        runs out, `head_rows` is halved. ModelError: one item does not fit into memory.
        """
        item = row = 0
        while item < len(sizes):
            stop, rows = item + 1, sizes[item]
            while stop < len(sizes) and rows + sizes[stop] <= self.head_rows:
                rows += sizes[stop]
                stop += 1
            result = self._unless_out_of_memory(compute, item, stop, slice(row, row + rows))
            if result is None:
                self._halve_head_rows(rows, stop - item)
                continue
            item, row = stop, row + rows
            yield result

    def log_work(self) -> None:
        """Log how many tokens and inputs the network has computed: the cost of a larger study follows from them."""
        logger.info("the network computed %s tokens of %s inputs", f"{self.tokens:,}", f"{self.inputs:,}")

    def _take(self, order: Sequence[Query], start: int) -> Batch:
        if self.path in TRIES:
            return take_trie(order, start, self.budget, in_blocks=self.path == "blocks")
        return take_group(order, start, 1 if self.path == "plain" else self.budget)

    def _read(self, batch: Batch, layer: int | None) -> Tensor:
        inputs = batch.inputs(self._device, self.net.dtype, self._window)
        narrow: AbstractContextManager[None] = nullcontext()
        if self.last_layer is not None and layer is None:
            narrow = self.last_layer.restrict_to(batch.reads.to(self._device), batch.tokens.numel())
        with narrow:
            output = self._body(**inputs, use_cache=False, output_hidden_states=layer is not None)
        if layer is not None:
            states = self._layer(output.hidden_states, layer)
        else:
            states = output.logits if self.path == "plain" else output.last_hidden_state
        read = states.flatten(0, 1)[batch.reads.to(states.device)]
        if self.path != "plain" and not read.isfinite().all():
            self._refuse(type(self._body).__name__)
        return read

    def _layer(self, hidden_states: Sequence[Tensor], layer: int) -> Tensor:
        if not -len(hidden_states) <= layer < len(hidden_states):
            raise ModelError(f"{self._name()} has the layers 0 to {len(hidden_states) - 1}, but not {layer}.")
        return hidden_states[layer]

    def _unless_out_of_memory(self, compute: Callable[..., Result], *args: Any) -> Result | None:
        """Return the result of `compute`, or None if memory has run out; by then its tensors are freed."""
        try:
            return compute(*args)
        except RuntimeError as error:
            if not isinstance(error, torch.OutOfMemoryError) and "allocate memory" not in str(error):
                raise
        if self._device.type == "cuda":
            torch.cuda.empty_cache()
        return None

    def _halve_budget(self, batch: Batch) -> None:
        if len(batch.queries) == 1:
            raise ModelError(
                f"{self._name()}: not even one input of {batch.tokens.numel()} tokens fits into memory: "
                "shorten it, or use a larger device."
            )
        self.budget = max(1, min(self.budget, batch.tokens.numel()) // 2)
        logger.warning("out of memory: continuing with batches of %d tokens", self.budget)

    def _halve_head_rows(self, rows: int, items: int) -> None:
        if items == 1:
            raise ModelError(
                f"{self._name()}: the logits of {rows} positions do not fit into memory: use a larger device."
            )
        self.head_rows = max(1, rows // 2)
        logger.warning("out of memory: continuing with the logits of %d positions at once", self.head_rows)

    def _refuse(self, where: str) -> None:
        remedy = "its weights are broken" if self.net.dtype == torch.float32 else "try `dtype: float32`"
        raise ModelError(
            f"{self._name()} computes NaN or infinite values, in its {where} in {self.net.dtype}: {remedy}."
        )

    def _name(self) -> str:
        return f"{type(self.net).__name__} {self.net.name_or_path}".strip()


def input_device(net: Any) -> torch.device:
    """Return the device of a network's inputs; if accelerate has spread the network, the first device that computes."""
    spread: dict[str, Any] = getattr(net, "hf_device_map", None) or {}
    if not spread:
        return torch.device(net.device)
    return torch.device(next((place for place in spread.values() if place not in ("cpu", "disk")), "cpu"))


def sliding_window(config: Any) -> Window | None:
    """Return the window of a network's sliding-window layers, or None if it has no such layers."""
    text = config.get_text_config()
    kinds = getattr(text, "layer_types", None)
    size = getattr(text, "sliding_window", None)
    if not size or (kinds is not None and "sliding_attention" not in kinds):
        return None
    return Window(int(size), per_layer=kinds is not None)


def _by_length(query: Query) -> tuple[int, tuple[int, ...]]:
    return len(query.ids), query.ids
