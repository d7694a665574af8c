"""A served model: it answers the requests of the studies from a server's log-probabilities, as a network here would."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.requests import (
    Continuation,
    ContinuationResponse,
    Sentence,
    SentenceResponse,
    SlotProbe,
    SlotResponse,
    SpanResponse,
    SpanText,
)
from relprobe.lm.served import validation
from relprobe.lm.served.asking import Asking, Ids
from relprobe.lm.served.client import RefusalError
from relprobe.lm.served.dialect import (
    AnswerError,
    TopList,
)
from relprobe.lm.served.mixture import TOLERANCE, mix
from relprobe.lm.witness import WITNESS

logger = logging.getLogger("relprobe")
Request = TypeVar("Request")
Result = TypeVar("Result")

GROUP = 256
"""The requests that are encoded and asked together: equal prompts among them are asked once."""
WIDER = 4
"""How many times as long as the response the lists of several wordings are, if the server allows it."""
LENGTHS = (10_000, 4000, 1000, 500, 200, 100, 50, 20)
"""The lengths of lists that are tried where any length will do: 20 is the limit of vLLM, and what the start needs."""
CERTAIN = 10
"""How many of the first ranks of a mixture must be certain: the largest cut-off of metrics that compare first answers."""
PROBING_ATTEMPTS = 5
"""The attempts of a request that finds out what a server can do."""


@dataclass
class ServedModel(Asking):
    """A model behind a server.

    The texts of its `witness` are asked again among the others at random and after the last of a group
    (`relprobe.lm.served.validation`).
    """

    net: None = field(default=None, init=False)  # there is no network on this machine
    prompts: int = field(default=0, init=False)  # the prompts that the server has answered
    tokens: int = field(default=0, init=False)  # their tokens
    _prompts_checked: bool = field(default=False, init=False)  # whether those of prompts have passed
    controls: int = field(default=0, init=False)  # how often it was asked what it was asked at the start
    _random: Random = field(default_factory=Random, init=False, repr=False)  # when that is asked
    _width: int = field(default=0, init=False)  # the length of the lists that the server gives
    _shorter: list[int] = field(default_factory=list, init=False)  # the lengths of the responses that end before k
    _error: float = field(default=0.0, init=False)  # the most by which a log-probability of a mixture can be off

    def slot_top_k(self, probes: Iterable[SlotProbe], k: int, excluded: Sequence[int] = ()) -> Iterator[SlotResponse]:
        """Answer as `relprobe.lm.primitives.slots.slot_top_k`.

        A probe of one wording gets exactly the server's numbers. The mixture of several wordings is exact for the tokens in
        all lists, and bounded for the others (`mix`). So the server is asked for lists WIDER times as long, if it allows
        that, and the first CERTAIN ranks must be certain. A response lacks the tokens that the server names by a text that
        several tokens have. ModelError: the server gives no k tokens, or too few are certain.
        """
        size = min(k + len(set(excluded)), len(self.encoder.token_ids))
        answers = self.encoder.token_ids - set(excluded)
        for group in _groups(probes):
            self._width = self._width or self._mixed_size(size)
            texts = [(probe.id, variant.text) for probe in group for variant in probe.variants]
            prompts = [query.ids for query in self.encoder.slots(texts)]
            single = [size if len(probe.variants) == 1 else self._width for probe in group for _ in probe.variants]
            lists = iter(self._lists(prompts, single))
            for probe in group:
                yield self._slot_response(probe, list(itertools.islice(lists, len(probe.variants))), k, answers)

    def likeliest(self, probes: Iterable[SlotProbe], k: int, excluded: Sequence[int]) -> Iterator[SlotResponse]:
        """Answer probes of one wording as `slot_top_k`, but from lists that are as long as the server gives them.

        A response has fewer than `k` tokens where too many of those in its list are excluded; a warning says so at the end.
        ModelError: the server gives no lists.
        """
        answers = np.array(sorted(self.encoder.token_ids - set(excluded)))
        size = self.longest_lists(min(k + len(set(excluded)), len(self.encoder.token_ids)))
        counts = []
        for group in _groups(probes):
            prompts = [
                query.ids for query in self.encoder.slots([(probe.id, probe.variants[0].text) for probe in group])
            ]
            for probe, top_list in zip(group, self.top_lists(prompts, size), strict=True):
                allowed = np.isin(top_list.ids, answers)
                counts.append(min(k, int(allowed.sum())))
                yield SlotResponse(probe.id, top_list.ids[allowed][:k], top_list.logprobs[allowed][:k])
        fewer = [count for count in counts if count < min(k, len(answers))]
        if fewer:
            logger.warning(
                "%s lists %d tokens, so %d of %d texts have fewer than %d words, the fewest %d: start it with longer lists "
                "(--max-logprobs of vLLM), or ask for fewer words",
                self, size, len(fewer), len(counts), k, min(fewer),
            )  # fmt: skip

    def _mixed_size(self, size: int) -> int:
        """Return how long the lists that are mixed are: up to WIDER times `size`."""
        vocabulary = len(self.encoder.token_ids)
        lengths = (min(WIDER * size, vocabulary), min(2 * size, vocabulary), size)
        remedy = f"start it with --max-logprobs {size} (vLLM), or ask for fewer with `top_k`"
        return self._longest(lengths, f"no list of the {size} likeliest tokens", remedy)

    def longest_lists(self, size: int) -> int:
        """Return the length of the longest lists that the server gives, up to `size`, of those that are tried."""
        lengths = [size, *(length for length in LENGTHS if length < size)]
        return self._longest(lengths, "no list of likely tokens", "use another server")

    def _longest(self, lengths: Iterable[int], fault: str, remedy: str) -> int:
        """Return the first of the lengths that the server gives a list of.

        ModelError: it gives none, or it refuses a list for another reason than its length.
        """
        for length in lengths:
            reason = self._refusal_of(length)
            if reason is None:
                return length
            logger.info("lists of %d tokens: %s", length, reason)
            refusal = reason
        raise ModelError(f"{self} gives {fault} ({_reason(refusal)}): {remedy}.") from refusal

    def _refusal_of(self, length: int) -> ModelError | None:
        """Return why the server gives no list of a length; None if it gives one.

        Servers say in many ways that a list is too long. So the text is asked again with a list as short as those of the
        start, and then once more as before: another fault shows in the first of these, and a passing one in the second.
        ModelError: the fault is another one.
        """
        if self._declines(length) is None:
            return None
        if fault := self._declines(min(length, validation.LIST)):
            raise fault
        return self._declines(length)

    def _declines(self, length: int) -> ModelError | None:
        try:
            self.ask_top(self._sample(), length, PROBING_ATTEMPTS)
        except AnswerError as error:
            return error
        except RefusalError as error:
            if not error.is_request_fault:
                raise
            return error
        return None

    def _sample(self) -> Ids:
        return self.encoder.slot("sample", f"{validation.TEXTS[0]} [V]").ids

    def _slot_response(
        self, probe: SlotProbe, lists: Sequence[TopList], k: int, answers: frozenset[int]
    ) -> SlotResponse:
        complete = all(len(top_list.ids) >= len(self.encoder.token_ids) for top_list in lists)
        mixture = mix(lists, [variant.weight for variant in probe.variants], complete=complete)
        if mixture.certain < min(CERTAIN, k):
            raise ModelError(
                f"{self}: only the first {mixture.certain} answers of probe {probe.id!r} are certain, as the lists of its "
                f"wordings end after {min(top_list.count for top_list in lists)} tokens: start the server with longer ones "
                f"(--max-logprobs {WIDER * k} of vLLM)."
            )
        allowed = np.isin(mixture.ids, list(answers))
        ids, logprobs = mixture.ids[allowed][:k], mixture.logprobs[allowed][:k]
        if len(ids) < min(k, len(answers)):
            self._shorter.append(len(ids))
        self._error = max(self._error, float(mixture.errors[allowed][:k].max(initial=0.0)))
        return SlotResponse(probe.id, ids, logprobs)

    def continuation_logprob(
        self, requests: Iterable[Continuation], method: str | None = None
    ) -> Iterator[ContinuationResponse]:
        """Answer as `relprobe.lm.primitives.continuation.continuation_logprob`, from the log-probabilities of prompts."""
        if method not in (None, "chain", "first_token"):
            raise ModelError(f"{method!r} is no method for a causal model: use 'chain' or 'first_token'.")
        stop = 1 if method == "first_token" else None
        for group in _groups(requests):
            slots = self.encoder.slots([(request.id, request.text) for request in group])
            candidates = [self._candidates(request, stop) for request in group]
            prompts = [
                (*slot.ids, *ids) for slot, group_ids in zip(slots, candidates, strict=True) for ids in group_ids
            ]
            values = iter(self.token_logprobs(prompts))
            for request, slot, group_ids in zip(group, slots, candidates, strict=True):
                logprobs = [next(values)[len(slot.ids) :] for _ in group_ids]
                yield ContinuationResponse(
                    request.id, tuple(np.array(ids, np.int32) for ids in group_ids), tuple(logprobs)
                )

    def _candidates(self, request: Continuation, stop: int | None) -> list[Ids]:
        if not request.candidates:
            raise ProbeError(f"probe {request.id!r} has no candidates.")
        tokens = self.encoder.candidates(request.id, request.text, request.candidates, unknown=True)
        return [candidate.ids[:stop] for candidate in tokens]

    def pseudo_logprob(self, sentences: Iterable[Sentence]) -> Iterator[SentenceResponse]:
        """Answer as `relprobe.lm.primitives.sentences.pseudo_logprob` for causal models."""
        for group in _groups(sentences):
            texts = self.encoder.sentences(
                [(sentence.id, sentence.text) for sentence in group], [sentence.before for sentence in group]
            )
            values = self.token_logprobs([tokens.ids for tokens, _ in texts])
            for sentence, (tokens, start), logprobs in zip(group, texts, values, strict=True):
                yield SentenceResponse(sentence.id, np.array(tokens.ids[start:], np.int32), logprobs[start:])

    def embeddings(self, _texts: Iterable[SpanText], _layer: int) -> Iterator[SpanResponse]:
        """Raise a ModelError: servers of completions give no hidden states."""
        raise ModelError(
            f"{self}: a server gives no hidden states, so a served model has no embeddings: leave it out of this study, or "
            "give its weights and no `endpoint`."
        )

    def top_lists(self, prompts: Sequence[Ids], k: int) -> list[TopList]:
        """Return the `k` likeliest tokens after each prompt, with fewer only where the vocabulary has fewer."""
        return self._lists(prompts, [k] * len(prompts))

    def _lists(self, prompts: Sequence[Ids], sizes: Sequence[int]) -> list[TopList]:
        controls = validation.list_controls(self, max(sizes)) if prompts else []
        return self._ask(self.ask_top, list(zip(prompts, sizes, strict=True)), controls)

    def token_logprobs(self, prompts: Sequence[Ids]) -> list[NDArray[np.float32]]:
        """Return the log-probability of each token of each prompt, shape (tokens,); that of a first token is NaN.

        ModelError: the server gives none, or wrong ones (`relprobe.lm.served.validation`).
        """
        if not self._prompts_checked:
            self.echo = self._echo_form()
            validation.check_prompt_logprobs(self)
            self._prompts_checked = True
        return self._ask(self.ask_prompt, [(prompt,) for prompt in prompts], validation.prompt_controls(self))

    def _ask(
        self, ask: Callable[..., Result], questions: Sequence[tuple[Any, ...]], controls: Sequence[validation.Control]
    ) -> list[Result]:
        """Ask each of the different questions once, several at a time; return the answers to all of them, in order.

        ModelError: the answer to one of the `controls`, which are asked among them and at the end, is not the known one.
        """
        different = list(dict.fromkeys(questions))
        if not different:
            return []
        mixed = validation.mixed_in(different, controls, self._random)
        answers: dict[tuple[Any, ...], Result] = {}
        results = self.client.in_parallel(lambda pair: ask(*pair[0]), mixed)
        for (question, control), answer in zip(mixed, results, strict=True):
            if control is None:
                answers[question] = answer
            else:
                control.check(answer)
        self.prompts += len(different)
        self.controls += len(mixed) - len(different)
        self.tokens += sum(len(question[0]) for question in different)
        return [answers[question] for question in questions]

    def _echo_form(self) -> bool:
        """Find out how the server gives the log-probabilities of a prompt: vLLM's way (False) or `echo` (True)."""
        for echo in (False, True):
            self.echo = echo
            try:
                self.ask_prompt(self._sample(), PROBING_ATTEMPTS)
            except AnswerError as error:
                fault: ModelError = error
            except RefusalError as error:
                if not error.is_request_fault:
                    raise
                fault = error
            else:
                return echo
        raise ModelError(
            f"{self} gives no log-probabilities of a prompt, which this study needs ({_reason(fault)}): use vLLM, or start "
            "llama-cpp-python with --logits_all true; llama-server has none."
        ) from fault

    def origin(self) -> dict[str, Any]:
        """Return what provenance says of the server, and what it answered at the start."""
        return {"server": self.facts, WITNESS: self.witness}

    def log_work(self) -> None:
        """Log how many prompts the server has answered, and the responses that are shorter than the study asks for."""
        logger.info(
            "%s answered %s prompts of %s tokens, and %s times the same as at the start",
            self, f"{self.prompts:,}", f"{self.tokens:,}", f"{self.controls:,}",
        )  # fmt: skip
        if self._error:
            logger.info(
                "the log-probabilities of probes with several wordings are off by up to %.2f at late ranks, as lists of %d "
                "tokens were mixed; the first %d are certain within %.1f",
                self._error, self._width, CERTAIN, TOLERANCE,
            )  # fmt: skip
        if self._shorter:
            logger.warning(
                "%d responses have fewer tokens than the study asks for, the shortest %d: the server names some tokens by "
                "a text that several have, or its lists end", len(self._shorter), min(self._shorter),
            )  # fmt: skip


def _reason(error: ModelError) -> str:
    """Return what a server says in an error, or else the error without its full stop."""
    return error.message if isinstance(error, RefusalError) else str(error).rstrip(".")


def _groups(requests: Iterable[Request]) -> Iterator[list[Request]]:
    iterator = iter(requests)
    while group := list(itertools.islice(iterator, GROUP)):
        yield group
