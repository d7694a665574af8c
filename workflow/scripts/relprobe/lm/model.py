"""A language model ready to score: the states at chosen positions of many inputs, and the log-probabilities they mean."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor

from relprobe.errors import ModelError
from relprobe.lm.batching import Batch, take_grouped, take_packed
from relprobe.lm.encode import Encoder
from relprobe.lm.heads import head_of
from relprobe.lm.requests import Query

logger = logging.getLogger("relprobe")


ComputePath = Literal["packed", "grouped", "plain"]


@dataclass
class LanguageModel:
    """A network with its encoder, and the way its inputs are computed.

    `path` is "packed" (causal inputs as token tries), "grouped" (inputs of one length together) or "plain" (one input at
    a time through the whole network). On the first two a state is the body's last hidden state, and the head runs on the
    read positions only; on "plain" a state is the logits themselves.
    """

    net: Any
    encoder: Encoder
    path: ComputePath
    budget: int  # tokens of one batch; halved for good when memory runs out

    def __post_init__(self) -> None:
        self._body = self.net if self.path == "plain" else self.net.base_model
        self._head = head_of(self.net)

    @torch.inference_mode()
    def states(self, queries: Sequence[Query]) -> Tensor:
        """Return the states at the queries' positions, shape (all positions, width), in the order of the queries.

        Equal queries are computed once; on the packed path so are shared beginnings. ModelError: out of memory.
        """
        order = sorted(set(queries), key=self._sort_key)
        rows: dict[Query, Tensor] = {}
        while len(rows) < len(order):
            batch = self._take(order, len(rows))
            try:
                states = self._read(batch)
            except RuntimeError as error:
                self._halve_budget(batch, error)
                continue
            rows.update(
                zip(batch.queries, states.split_with_sizes([len(q.positions) for q in batch.queries]), strict=True)
            )
        return torch.cat([rows[query] for query in queries])

    @torch.inference_mode()
    def log_probs(self, states: Tensor) -> Tensor:
        """Return natural-log probabilities over the vocabulary, float32, shape (states, vocabulary).

        ModelError: the model computes no numbers.
        """
        logits = states if self.path == "plain" else self._head(inputs_embeds=states[None]).logits[0]
        logprobs = torch.log_softmax(logits.float(), -1)
        if logprobs[:, 0].isnan().any():
            raise ModelError(
                f"{type(self.net).__name__} in {self.net.dtype} gives logits that are no numbers: try float32."
            )
        return logprobs

    def _sort_key(self, query: Query) -> tuple[Any, ...]:
        return query.ids if self.path == "packed" else (len(query.ids), query.ids)

    def _take(self, order: Sequence[Query], start: int) -> Batch:
        if self.path == "packed":
            return take_packed(order, start, self.budget)
        return take_grouped(order, start, 1 if self.path == "plain" else self.budget)

    def _read(self, batch: Batch) -> Tensor:
        output = self._body(**batch.inputs(self.net.device, self.net.dtype), use_cache=False)
        states = output.logits if self.path == "plain" else output.last_hidden_state
        return states.flatten(0, 1)[batch.reads.to(states.device)]

    def _halve_budget(self, batch: Batch, error: RuntimeError) -> None:
        """Go on with half the budget if `error` says that memory ran out and the batch can be smaller."""
        if not isinstance(error, torch.OutOfMemoryError) and "allocate memory" not in str(error):
            raise error
        if len(batch.queries) == 1:
            raise ModelError(f"not even one input of {batch.tokens.numel()} tokens fits into memory.") from error
        self.budget = max(1, self.budget // 2)
        if self.net.device.type == "cuda":
            torch.cuda.empty_cache()
        logger.warning("out of memory: going on with batches of %d tokens", self.budget)
