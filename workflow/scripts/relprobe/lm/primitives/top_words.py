"""The likeliest words of a word list at a probe's slot: words of any number of tokens."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.causal_words import FIRST_TOKENS, best_causal_words
from relprobe.lm.primitives.masked_words import look_up, search_left_to_right
from relprobe.lm.primitives.stream import boundary_tokens, encoded_chunks
from relprobe.lm.requests import Query, SlotProbe, WordResponse
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.unknown import null_unknown
from relprobe.lm.words.word_list import WordList, anchor

Method = Literal["chain", "all_masks", "left_to_right"]
CAUSAL: tuple[Method, ...] = ("chain",)
MASKED: tuple[Method, ...] = ("all_masks", "left_to_right")
MASKS = 4
NODES_AT_ONCE = 2**19
"""The most nodes that the searches of a chunk begin with: some 25 MB."""


@dataclass(frozen=True)
class _Question:
    """A probe, the slots of its wordings, and the text that decides how words are spelled there (`anchor`)."""

    probe: SlotProbe
    slots: Sequence[Query]
    start: str


def slot_top_words(
    model: LanguageModel,
    probes: Iterable[SlotProbe],
    words: WordList,
    k: int,
    method: Method | None = None,
    masks: int = MASKS,
) -> Iterator[WordResponse]:
    """Yield for each probe, in order, the `k` likeliest words of a word list at its slot (a WordResponse), exactly.

    Words have any number of tokens, and their probabilities can be compared between models of different tokenizers. Let
    t_1 … t_n be the tokens that the tokenizer makes of the word w in the slot of the context c. `method` is, for causal
    models,

    - "chain": P(w | c) = Π P(t_i | c, t_1 … t_{i-1}) x P(boundary | c, w) / P(boundary | c), where a boundary is any token
      that cannot continue a word (`relprobe.lm.words.boundary`). A word that does not begin with a boundary, such as one
      right after a quote, has no denominator;

    and for masked models, where P(n) is the share of the word list's frequency that words of n tokens have, n up to `masks`,

    - "all_masks" (default): P(w | c) = P(n) x Π P(t_i | c with n masks);
    - "left_to_right": P(w | c) = P(n) x Π P(t_i | c, t_1 … t_{i-1} and then n - i + 1 masks).

    The variants of a probe are mixed as probabilities, as `slot_top_k` does. Of equally likely words the first of the list
    comes first.
    ModelError: a method of the other kind of model. ProbeError: a probe cannot be encoded (`Encoder.slot`), or words are
    spelled differently in its variants.

    Every token of the example is a word, so that a boundary is certain:

    >>> from relprobe.lm.loading.example import bigram_model
    >>> from relprobe.lm.requests import Variant
    >>> model = bigram_model({"a": {"steering": 0.5, "wheel": 0.5}, "steering": {"wheel": 0.5, "a": 0.5}})
    >>> words = WordList(("wheel", "steering wheel", "a"))
    >>> response = next(slot_top_words(model, [SlotProbe("x", (Variant("a [V]"),))], words, k=2))
    >>> import numpy as np
    >>> [words.words[i] for i in response.word_ids], np.exp(response.logprobs).round(3).tolist()
    (['wheel', 'steering wheel'], [0.5, 0.25])
    """
    methods = MASKED if model.encoder.masked else CAUSAL
    method = method or methods[0]
    if method not in methods:
        raise ModelError(
            f"{method!r} is no method for {model.encoder.kind_in_words}: use {' or '.join(map(repr, methods))}."
        )
    # So many states, or the nodes of a search that take up as much room, of one wording.
    nodes = max(1, FIRST_TOKENS * k * model.chunk // NODES_AT_ONCE)
    states = {"chain": nodes, "all_masks": masks * (masks + 1) // 2, "left_to_right": nodes}[method]
    if method == "chain":
        find = partial(best_causal_words, model, boundary_tokens(model), words, k)
    else:
        find = partial(look_up if method == "all_masks" else search_left_to_right, model, words, k, masks)

    def answer(asked: Iterable[SlotProbe]) -> Iterator[WordResponse]:
        chunks = encoded_chunks(
            model,
            asked,
            lambda group: _questions(model.encoder, group, masks if model.encoder.masked else 1),
            lambda question: states * len(question.slots),
        )
        return _responses(chunks, find)

    return null_unknown(model.encoder.tokenizer, probes, answer)


def _questions(encoder: Encoder, probes: Sequence[SlotProbe], masks: int) -> Iterator[_Question]:
    slots = iter(encoder.slots([(probe.id, variant.text) for probe in probes for variant in probe.variants]))
    for probe in probes:
        starts = {anchor(encoder, probe.id, variant.text) for variant in probe.variants}
        if len(starts) > 1:
            raise ProbeError(
                f"the words in the slot of probe {probe.id!r} are spelled differently in its wordings, after "
                f"{' and '.join(map(repr, sorted(starts)))}: make a probe of each."
            )
        probe_slots = list(itertools.islice(slots, len(probe.variants)))
        for slot in probe_slots:
            encoder.check_length(probe.id, slot._replace(ids=slot.ids + slot.ids[:1] * (masks - 1)))
        yield _Question(probe, probe_slots, *starts)


def _responses(
    chunks: Iterable[list[tuple[SlotProbe, _Question]]],
    answer: Callable[[str, Sequence[SlotProbe], Sequence[Sequence[Query]]], list[WordResponse]],
) -> Iterator[WordResponse]:
    """Yield the responses in the order of the probes; those whose words are spelled alike are answered together."""
    for chunk in chunks:
        responses: dict[int, WordResponse] = {}
        starts = dict.fromkeys(question.start for _, question in chunk)
        for start in starts:
            indices = [i for i, (_, question) in enumerate(chunk) if question.start == start]
            questions = [chunk[i][1] for i in indices]
            probes, slots = [question.probe for question in questions], [question.slots for question in questions]
            responses.update(zip(indices, answer(start, probes, slots), strict=True))
        yield from (responses[i] for i in range(len(chunk)))
