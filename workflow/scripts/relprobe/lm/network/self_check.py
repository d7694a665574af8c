"""The self-check before a model's first use: a fast way of computing must agree with the plain forward."""

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
"""The largest difference from the plain forward, in natural-log probability of likely tokens. Measured in float32: 5e-5."""
FAILURES = (RuntimeError, TypeError, ValueError, AttributeError, KeyError, ModelError)
"""The errors that a network raises when it cannot be computed in some way."""
LIKELY_TOKENS = 100
"""How many of the likeliest tokens of each sample are compared."""
LONG_SAMPLE = 300
"""The tokens of a long sample."""
LONGEST_SAMPLE = 1040
"""The most tokens of a long sample of a network with a sliding window, which it should be longer than."""
SAMPLES = (
    "a robin is a kind of a",
    "a robin is a kind of an",
    "the word bird has a more general meaning than the word",
    "it is",
    "the opposite of hot is",
    "it is not the case that stones can be found in",
    "a small bird that sings at night is called a",
)
"""Short inputs. Some begin alike, and together they fill more than one block of a trie."""


@dataclass(frozen=True)
class SelfCheck:
    """The samples, their log-probabilities by the plain forward, and the likely tokens of each sample.

    `logprobs` has shape (samples, vocabulary) and `likely` has shape (samples, LIKELY_TOKENS).
    """

    queries: list[Query]
    logprobs: Tensor
    likely: Tensor

    @classmethod
    def of(cls, plain: LanguageModel) -> "SelfCheck":
        """Return the check of a model on the plain path. ModelError: the model computes NaN or infinite values."""
        queries = _samples(plain.net, plain.encoder)
        logprobs = plain.log_probs(plain.states(queries))
        return cls(queries, logprobs, logprobs.topk(min(LIKELY_TOKENS, logprobs.shape[1])).indices)

    def passes(self, model: LanguageModel, way: str) -> bool:
        """Return whether a model agrees with the plain forward within TOLERANCE; if not, log a warning that names `way`."""
        network = type(model.net).__name__
        try:
            logprobs = model.log_probs(model.states(self.queries))
        except FAILURES as error:
            logger.warning("%s: %s fails (%s): falling back", network, way, first_line(error))
            return False
        worst = self._difference(logprobs)
        if worst <= TOLERANCE[model.net.dtype]:
            return True
        logger.warning("%s: %s is %.1e off the plain forward: falling back", network, way, worst)
        return False

    def _difference(self, logprobs: Tensor) -> float:
        """Return the largest difference in log-probability over the likely tokens; infinity if the shapes differ."""
        if logprobs.shape != self.logprobs.shape:
            return float("inf")
        return float((logprobs.gather(1, self.likely) - self.logprobs.gather(1, self.likely)).abs().max())


def _samples(net: Any, encoder: Encoder) -> list[Query]:
    """Return SAMPLES, and two long samples that share their first two thirds.

    The long samples are longer than a sliding window (up to LONGEST_SAMPLE) and than a block of a trie, where the model
    takes inputs of that length.
    """
    short = replace(encoder, context="")
    queries = [short.slot(text, f"{text} {SLOT}") for text in SAMPLES]
    window = sliding_window(net.config)
    length = min(encoder.max_length, max(LONG_SAMPLE, min(window.size + 8, LONGEST_SAMPLE) if window else 0))
    words = [
        token for query in queries for token in query.ids[len(encoder.before) : len(query.ids) - len(encoder.after)]
    ]
    ids = (words * (length // len(words) + 1))[: length - len(encoder.before) - len(encoder.after)]
    twin = [*ids[: -len(ids) // 3], *reversed(ids[-len(ids) // 3 :])]
    for body in (ids, twin):
        whole = (*encoder.before, *body, *encoder.after)
        queries.append(Query(whole, (len(whole) - len(encoder.after) - 1,)))
    return queries
