"""The self-check before a model's first use: a fast way of computing must agree with the plain forward.

It has two parts. Whether a way is right is a matter of the architecture, so it is proven in float32, where rounding is
small, on a small random network of the same class and config (`Proof`). Then the model itself is compared in the number
format that it runs in (`SelfCheck`), which finds what the small network cannot show, such as quantised weights.
"""

import logging
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from relprobe.core.errors import ModelError, first_line
from relprobe.lm import precision
from relprobe.lm.network.batching import mask_dtype, sliding_window, take_trie
from relprobe.lm.network.blocks import attend, attention_in_blocks
from relprobe.lm.network.devices import input_device
from relprobe.lm.network.heads import body_of
from relprobe.lm.network.model import ComputePath, LanguageModel
from relprobe.lm.network.small import VOCABULARY, small_network
from relprobe.lm.precision import TOLERANCE
from relprobe.lm.requests import SLOT, Query
from relprobe.lm.words.encode import Encoder

logger = logging.getLogger("relprobe")
PROOF_TOLERANCE = 1e-4
"""The largest difference of a small network in float32 from its plain forward, in natural-log probability."""
ROUNDING = {getattr(torch, dtype): value for dtype, value in precision.ROUNDING.items()}
"""What rounding makes of a sample's likely tokens on average."""
NOISE = 4
"""How many times as far as the grouped path, whose differences are rounding alone, another path may be off."""
FAILURES = (
    RuntimeError,
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    AssertionError,
    ImportError,
    StopIteration,
    ModelError,
)
"""The errors that a network raises when it cannot be computed in some way; NotImplementedError is a RuntimeError."""
LIKELY_TOKENS = 100
"""How many of the likeliest tokens of each sample are compared."""
LONG_INPUT = 300
"""The tokens of a long input of a proof."""
LONG_SAMPLE = 150
"""The tokens of a long sample. The plain forward of the samples takes most of the time of the check."""
LONGEST_SAMPLE = 1040
"""The most tokens of a long sample of a network with a sliding window, which it should be longer than."""
ONE_TRIE = 8192
"""Room for all samples in one trie."""
BRANCHES = 20
"""The branches of a trie that are compared in a proof."""
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
class Proof:
    """A small random network of a model's architecture, in float32, and inputs for it."""

    small: Any
    encoder: Encoder

    @classmethod
    def of(cls, net: Any, encoder: Encoder) -> "Proof | None":
        """Return the proof for a network, or None, with a warning, if its config allows for no small network."""
        try:
            proof = cls(small_network(net).to(input_device(net)), encoder)
            plain = LanguageModel(proof.small, encoder, "plain", 1)
            plain.log_probs(plain.states(_with_sources([Query((3, 4, 5), (2,))], encoder)))
            return proof
        except FAILURES as error:
            logger.warning("%s: no small network of its config can be made (%s)", type(net).__name__, first_line(error))
            return None

    def passes(self, path: ComputePath, budget: int) -> bool:
        """Return whether the small network gives the plain results on a path; if not, log a warning.

        The inputs fill a trie of `budget` nodes, so that a result which depends on the place in a row shows. They are longer
        than the small network's window, and some are longer than a block.
        """
        way = f"the {path} path of a small network"
        try:
            if path == "packed" and not self._attends_in_every_layer():
                raise ValueError("some layers do not attend through the exchangeable function")
            model = LanguageModel(self.small, self.encoder, path, max(budget, ONE_TRIE))
            queries, compared = _random_queries(self.encoder.max_length, budget if path == "packed" else 0)
            queries = _with_sources(queries, self.encoder)
            results = model.logits(model.states(queries)[compared]).log_softmax(-1)
            plain = replace(model, path="plain")
            expected = plain.states([queries[row] for row in compared]).log_softmax(-1)
        except FAILURES as error:
            warn(self.small, way, f"fails ({first_line(error)})")
            return False
        difference = float((results - expected).abs().max())
        if difference <= PROOF_TOLERANCE:
            return True
        warn(self.small, way, f"is {difference:.1e} off the plain forward")
        return False

    def _attends_in_every_layer(self) -> bool:
        """Return whether each layer calls the exchangeable attention function once and passes the keys on."""
        calls: Counter[int] = Counter()

        def count(module: Any, *args: Any, **kwargs: Any) -> Any:
            calls[id(module)] += 1
            return attend(module, *args, **kwargs)

        inputs = take_trie([Query((1, 2, 3), (2,))], 0, ONE_TRIE).inputs(input_device(self.small), torch.float32)
        with torch.inference_mode(), attention_in_blocks(self.small, count):
            body_of(self.small)(**inputs, use_cache=False)
        return list(calls.values()) == [1] * self.small.config.get_text_config().num_hidden_layers


@dataclass(frozen=True)
class SelfCheck:
    """The samples, the likely tokens of each by the plain forward, and their log-probabilities `expected` there.

    `likely` and `expected` have the shape (samples, LIKELY_TOKENS).
    """

    queries: list[Query]
    likely: Tensor
    expected: Tensor

    @classmethod
    def of(cls, plain: LanguageModel) -> "SelfCheck":
        """Return the check of a model on the plain path. ModelError: the model computes NaN or infinite values."""
        queries = samples(plain.net, plain.encoder)
        logprobs = plain.log_probs(plain.states(queries))
        count = min(LIKELY_TOKENS, int((logprobs[0] > -torch.inf).sum()))
        expected, likely = logprobs.topk(count)
        return cls(queries, likely, expected)

    def short(self) -> "SelfCheck":
        """Return the check of the short samples alone, which takes a small part of the time."""
        count = len(SAMPLES)
        return SelfCheck(self.queries[:count], self.likely[:count], self.expected[:count])

    def passes(self, model: LanguageModel) -> bool:
        """Return whether a model agrees with the plain forward (`trouble`); if not, log a warning."""
        trouble = self.trouble(model)
        if trouble is not None:
            warn(model.net, f"the {model.path} path", trouble)
        return trouble is None

    def trouble(self, model: LanguageModel) -> str | None:
        """Return how a model disagrees with the plain forward in the number format it runs in; None if it agrees.

        In float32 no likely token of a sample may be further off than TOLERANCE. In other formats rounding moves single
        tokens by far more, so the mean over the likely tokens of each sample may be off by ROUNDING, or by NOISE times as
        much as on the grouped path.
        """
        try:
            mean, worst = self._differences(replace(model, budget=max(model.budget, ONE_TRIE)))
            if self._agrees(model.net, mean, worst) or mean <= NOISE * self._noise(model):
                return None
        except FAILURES as error:
            return f"fails ({first_line(error)})"
        return f"is {worst:.1e} off the plain forward"

    def depends_on_batch(self, net: Any, encoder: Encoder) -> bool:
        """Return whether inputs one by one through body and head agree with the plain forward; together they did not."""
        try:
            return self._agrees(net, *self._differences(LanguageModel(net, encoder, "grouped", 1)))
        except FAILURES:  # the grouped path has failed before, and that was said
            return False

    def _noise(self, model: LanguageModel) -> float:
        """Return the mean difference of the grouped path, if that is right and rounds; otherwise 0."""
        limit = ROUNDING.get(mask_dtype(model.net), 0.0)
        if not limit or (model.path == "grouped" and model.last_layer is None):
            return 0.0
        mean, _ = self._differences(replace(model, path="grouped", last_layer=None))
        return mean if mean <= limit else 0.0

    @staticmethod
    def _agrees(net: Any, mean: float, worst: float) -> bool:
        rounding = ROUNDING.get(mask_dtype(net))
        return worst <= TOLERANCE if rounding is None else mean <= rounding

    def _differences(self, model: LanguageModel) -> tuple[float, float]:
        """Return the largest mean difference of a sample and the largest difference, over the likely tokens."""
        logprobs = model.log_probs(model.states(self.queries))
        if logprobs.shape != (len(self.queries), model.net.config.get_text_config().vocab_size):
            return float("inf"), float("inf")
        differences = (logprobs.gather(1, self.likely) - self.expected).abs()
        return float(differences.mean(1).max()), float(differences.max())


def warn(net: Any, way: str, trouble: str) -> None:
    """Log that a network is not computed in a way that was tried, as it fails or disagrees with the plain forward."""
    logger.warning("%s: %s %s: falling back", type(net).__name__, way, trouble)


def _random_queries(max_length: int, budget: int) -> tuple[list[Query], list[int]]:
    """Return inputs of about `budget` tokens without their common beginnings, and the numbers of those to compare.

    Most have up to 60 tokens, and begin as the one before them does; three are long and share their first two thirds.
    """
    numbers = random.Random(0)  # noqa: S311

    def tokens(count: int) -> tuple[int, ...]:
        return tuple(numbers.randrange(3, VOCABULARY) for _ in range(count))

    short, long = min(60, max_length), min(LONG_INPUT, max_length)
    inputs, new = [tokens(short)], short
    while len(inputs) < BRANCHES or new < budget:
        shared = numbers.randrange(short // 2)
        inputs.append(inputs[-1][:shared] + tokens(numbers.randrange(1, short - shared + 1)))
        new += len(inputs[-1]) - shared
    inputs.sort()
    compared = [i * (len(inputs) - 1) // (BRANCHES - 1) for i in range(BRANCHES)]
    stem = tokens(2 * long // 3)
    compared += range(len(inputs), len(inputs) + 3)
    inputs += [stem + tokens(long - len(stem)) for _ in range(3)]
    return [Query(ids, (len(ids) - 1,)) for ids in inputs], compared


def _with_sources(queries: Sequence[Query], encoder: Encoder) -> list[Query]:
    """Give the inputs of an encoder-decoder network texts to encode, of three lengths, two of which are shared by many."""
    if encoder.blank is None:
        return list(queries)
    lengths = [min(length, encoder.max_length) for length in (5, 17, LONG_INPUT)]
    sources = [tuple(3 + (7 * i * i + length) % (VOCABULARY - 3) for i in range(length)) for length in lengths]
    sources.append(sources[0][::-1])
    return [query._replace(source=sources[i % len(sources)]) for i, query in enumerate(queries)]


def _pair_samples(encoder: Encoder, short: list[Query]) -> list[Query]:
    """Return the short samples of an encoder-decoder network, and two long ones: in its encoder, and in its decoder."""
    words = short[2].source[len(encoder.before) : -len(encoder.after) or None]
    plain = [token for token in words if encoder.blank is None or token != encoder.blank.token_id]
    longest = min(LONG_SAMPLE, encoder.max_length)
    room = longest - len(short[2].source)
    source = (*encoder.before, *(plain * longest)[: max(room, 0)], *short[2].source[len(encoder.before) :])
    ids = (*short[0].ids, *(plain * longest)[: longest - len(short[0].ids)])
    return [*short, short[2]._replace(source=source), Query(ids, (len(ids) - 1,), short[0].source)]


def samples(net: Any, encoder: Encoder) -> list[Query]:
    """Return SAMPLES, and two long samples that share their first two thirds.

    The long samples are longer than a sliding window (up to LONGEST_SAMPLE) and than a block of a trie, where the model
    takes inputs of that length.
    """
    short = replace(encoder, context="")
    queries = [short.slot(text, f"{text} {SLOT}") for text in SAMPLES]
    if encoder.blank is not None:
        return _pair_samples(encoder, queries)
    window = sliding_window(net.config)
    length = min(encoder.max_length, max(LONG_SAMPLE, min(window.size + 8, LONGEST_SAMPLE) if window else 0))
    words = [
        token for query in queries for token in query.ids[len(encoder.before) : len(query.ids) - len(encoder.after)]
    ]
    ids = (words * (length // len(words) + 1))[: length - len(encoder.before) - len(encoder.after)]
    twin = [*ids[: -len(ids) // 3], *reversed(ids[-len(ids) // 3 :])]
    for body in (ids, twin):
        sample = (*encoder.before, *body, *encoder.after)
        queries.append(Query(sample, (len(sample) - len(encoder.after) - 1,)))
    return queries
