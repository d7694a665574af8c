"""The self-check before a model's first use, that a fast way of computing it agrees with the plain forward."""

import logging
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from relprobe.core.errors import ModelError, first_line
from relprobe.lm.network.model import LanguageModel, sliding_window
from relprobe.lm.requests import SLOT, Query
from relprobe.lm.words.encode import Encoder

logger = logging.getLogger("relprobe")
TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 0.25, torch.float16: 0.05}
"""How far natural-log probabilities of likely tokens may lie from the plain forward; measured in fp32: 5e-5."""
FAILURES = (RuntimeError, TypeError, ValueError, AttributeError, KeyError, ModelError)
"""What a network raises that cannot be computed in some way."""
LONG, LONGEST = 300, 1040
"""Tokens of the longest samples, without and with a sliding window to outgrow."""
SAMPLES = (
    "a robin is a kind of a",
    "a robin is a kind of an",
    "the word bird has a more general meaning than the word",
    "it is",
    "the opposite of hot is",
    "it is not the case that stones can be found in",
    "a small bird that sings at night is called a",
)
"""Short inputs that share beginnings, enough of them for more than one block of a trie."""


@dataclass(frozen=True)
class SelfCheck:
    """Samples, their log-probabilities by the plain forward (samples, vocabulary), and each one's likely tokens."""

    queries: list[Query]
    expected: Tensor
    likely: Tensor

    @classmethod
    def of(cls, plain: LanguageModel) -> "SelfCheck":
        """Return the check of a model that is on the plain path. ModelError: it computes no numbers."""
        queries = _samples(plain.net, plain.encoder)
        expected = plain.log_probs(plain.states(queries))
        return cls(queries, expected, expected.topk(min(100, expected.shape[1])).indices)

    def passes(self, model: LanguageModel, name: str) -> bool:
        """Return whether a model agrees with the plain forward (TOLERANCE); if not, say so of what `name` describes."""
        kind = type(model.net).__name__
        try:
            found = model.log_probs(model.states(self.queries))
        except FAILURES as error:
            logger.warning("%s: %s fails (%s): falling back", kind, name, first_line(error))
            return False
        worst = self._difference(found)
        if worst <= TOLERANCE[model.net.dtype]:
            return True
        logger.warning("%s: %s is %.1e off the plain forward: falling back", kind, name, worst)
        return False

    def _difference(self, found: Tensor) -> float:
        """Return the largest difference in log-probability over the likely tokens; infinite if the shapes differ."""
        if found.shape != self.expected.shape:
            return float("inf")
        return float((found.gather(1, self.likely) - self.expected.gather(1, self.likely)).abs().max())


def _samples(net: Any, encoder: Encoder) -> list[Query]:
    """Return a few short probes, and two long ones that begin alike: longer than a sliding window and than a block."""
    short = replace(encoder, context="")
    queries = [short.slot(text, f"{text} {SLOT}") for text in SAMPLES]
    window = sliding_window(net.config)
    length = min(encoder.max_length, max(LONG, min(window.size + 8, LONGEST) if window else 0))
    words = [
        token for query in queries for token in query.ids[len(encoder.before) : len(query.ids) - len(encoder.after)]
    ]
    ids = (words * (length // len(words) + 1))[: length - len(encoder.before) - len(encoder.after)]
    twin = [*ids[: -len(ids) // 3], *reversed(ids[-len(ids) // 3 :])]
    for body in (ids, twin):
        whole = (*encoder.before, *body, *encoder.after)
        queries.append(Query(whole, (len(whole) - len(encoder.after) - 1,)))
    return queries
