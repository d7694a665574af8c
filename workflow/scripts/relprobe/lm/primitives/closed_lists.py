"""Closed lists of candidates: every word of a probe's own list, after the probe and after its premise."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.top_words import slot_top_words
from relprobe.lm.requests import ClosedProbe, ClosedResponse, SlotProbe, WordResponse
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.word_list import Spelling, WordList, anchor, spell


def slot_candidates(
    model: LanguageModel, probes: Iterable[ClosedProbe], lists: Sequence[WordList]
) -> Iterator[ClosedResponse]:
    """Yield for each probe, in order, the log-probabilities of all words of its list, best first (ClosedResponse).

    `lists`: the lists that the probes name by their numbers. The probabilities are those of `slot_top_words`. A masked model
    is asked with as many masks as the longest word of the list has tokens, so that no word is too long. Words that the model
    cannot spell are left out; `unspellable` names them. Probes of one list should stand together: they are answered
    together, and a premise that they share is read once.

    "bird" follows "a" three times as often as "robin" does, but after "no" neither is likelier:

    >>> from relprobe.lm.loading.example import bigram_model
    >>> from relprobe.lm.requests import Variant
    >>> model = bigram_model({"a": {"bird": 0.75, "robin": 0.25}, "no": {"bird": 0.5, "robin": 0.5}})
    >>> probe, premise = (SlotProbe(text, (Variant(f"{text} [V]"),)) for text in ("a", "no"))
    >>> response = next(slot_candidates(model, [ClosedProbe(probe, premise, 0)], [WordList(("robin", "bird"))]))
    >>> response.words.word_ids.tolist(), np.exp(response.words.logprobs).round(2).tolist()
    ([1, 0], [0.75, 0.25])
    >>> np.exp(response.premise).round(2).tolist()
    [0.5, 0.5]
    """
    for number, group in itertools.groupby(probes, key=attrgetter("words")):
        closed = list(group)
        premises = list(dict.fromkeys(question.premise for question in closed if question.premise is not None))
        answers = _all_words(model, [*(question.probe for question in closed), *premises], lists[number])
        size = len(lists[number].words)
        logprobs_by_premise = {
            premise: _word_logprobs(answer, size)
            for premise, answer in zip(premises, answers[len(closed) :], strict=True)
        }
        for question, words in zip(closed, answers, strict=False):
            yield ClosedResponse(
                words, None if question.premise is None else logprobs_by_premise[question.premise][words.word_ids]
            )


def unspellable(encoder: Encoder, words: Sequence[str]) -> list[str]:
    """Return the words that a model cannot spell after a space, such as one with a letter that its tokenizer lacks."""
    spelled = spell(encoder, "x ", tuple(words))
    return [word for word, spelling in zip(words, spelled, strict=True) if spelling is None]


def _word_logprobs(answer: WordResponse, size: int) -> NDArray[np.float32]:
    """Return the log-probability of every word of a list, NaN where the answer lacks it."""
    values = np.full(size, np.nan, np.float32)
    values[answer.word_ids] = answer.logprobs
    return values


def _all_words(model: LanguageModel, probes: Sequence[SlotProbe], words: WordList) -> list[WordResponse]:
    """Return the answers of all spellable words; those whose words are spelled alike are asked together."""
    answers: dict[int, WordResponse] = {}
    starts = [anchor(model.encoder, probe.id, probe.variants[0].text) for probe in probes]
    for start in dict.fromkeys(starts):
        indices = [i for i, probe_start in enumerate(starts) if probe_start == start]
        spelled = spell(model.encoder, start, words.words)
        asked = _asked(model, [probes[i] for i in indices], words, spelled)
        answers.update(zip(indices, asked, strict=True))
    return [answers[i] for i in range(len(probes))]


def _asked(
    model: LanguageModel, probes: Sequence[SlotProbe], words: WordList, spelled: Sequence[Spelling | None]
) -> Iterator[WordResponse]:
    """Yield the answers of the words that have a spelling; where no word has one, an answer has none."""
    ids = np.array([i for i, spelling in enumerate(spelled) if spelling is not None], np.int32)
    if not len(ids):
        nothing = np.empty(0, np.int32), np.empty(0, np.float32)
        yield from (WordResponse(probe.id, *nothing, 1.0) for probe in probes)
        return
    spellable = WordList(tuple(words.words[i] for i in ids), tuple(words.frequencies[i] for i in ids))
    masks = max(len(spelling) for spelling in spelled if spelling is not None)
    for answer in slot_top_words(model, probes, spellable, len(ids), masks=masks):
        yield WordResponse(answer.id, ids[answer.word_ids], answer.logprobs, answer.outside)
