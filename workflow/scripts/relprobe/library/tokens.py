"""The tokens of a model that are words, and the likeliest of them at the slots of texts."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from relprobe.library.texts import slot_is_unspaced
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.layers import View, slot_top_k_of_layers
from relprobe.lm.primitives.slots import slot_top_k
from relprobe.lm.requests import LayersResponse, SlotProbe, SlotResponse
from relprobe.lm.words.lexicon import lexicon, unspaced_words
from relprobe.lm.words.unknown import null_unknown

if TYPE_CHECKING:
    from relprobe.lm.settings import Model

logger = logging.getLogger("relprobe")
Bar = Callable[..., Iterator[Any]]
"""Yields items, and shows how far they are."""


class WordTokens:
    """The tokens of a model that are words.

    >>> from relprobe.lm.loading.example import bigram_model
    >>> sorted(WordTokens(bigram_model({"a": {"robin": 0.25, "bird": 0.75}})).words_of(unspaced=False).values())
    ['a', 'bird', 'robin']
    """

    def __init__(self, engine: Model) -> None:
        self._engine = engine
        self._words: dict[bool, dict[int, str]] = {}  # token id -> word; True: in texts of a script without spaces

    def top(
        self, texts: Sequence[str], probes: Sequence[SlotProbe], k: int, bar: Bar, layers: Sequence[int] | None = None
    ) -> list[tuple[dict[int, str], Any, Any]]:
        """Return the likeliest tokens that are words, in texts of scripts with spaces and of scripts without.

        The answer to a text: what tokens are words, the tokens, and their log-probabilities, both with one row a layer if
        there are `layers`. `bar` shows how far they are.
        """
        without = [slot_is_unspaced(text) and bool(self.words_of(unspaced=True)) for text in texts]
        if any(without):
            logger.warning(
                "%d of the texts are in a script without spaces, where the tokens of %s do not show where a word begins or "
                "ends: their answers are tokens of such scripts. Give a list, `words`, for whole words",
                sum(without), self._engine.encoder.tokenizer.name_or_path,
            )  # fmt: skip
        order = sorted(range(len(texts)), key=without.__getitem__)  # those of scripts with spaces first
        responses = itertools.chain.from_iterable(
            self._responses([probes[i] for i in order if without[i] is kind], k, layers, unspaced=kind)
            for kind in (False, True)
        )
        answers = {}
        for i, response in zip(order, bar(responses, len(texts), "texts"), strict=True):
            answers[i] = (self.words_of(unspaced=without[i]), response.token_ids, response.logprobs)
        return [answers[i] for i in range(len(texts))]

    def _responses(
        self, probes: Sequence[SlotProbe], k: int, layers: Sequence[int] | None, *, unspaced: bool
    ) -> Iterator[SlotResponse | LayersResponse]:
        other_tokens = sorted(self._engine.encoder.token_ids - self.words_of(unspaced=unspaced).keys())
        if not isinstance(self._engine, LanguageModel):
            engine = self._engine
            tokenizer = engine.encoder.tokenizer
            return null_unknown(tokenizer, probes, lambda asked: engine.likeliest([*asked], k, other_tokens))
        size = self._engine.net.config.get_text_config().vocab_size  # the tokenizer may have added tokens beyond it
        excluded = [token for token in other_tokens if token < size]
        if layers is not None:
            return slot_top_k_of_layers(self._engine, probes, k, list(map(View, layers)), excluded)
        return slot_top_k(self._engine, probes, k, excluded)

    def words_of(self, *, unspaced: bool) -> dict[int, str]:
        """Return the tokens that are answers, id -> word: letters of a script without spaces, or words after a space."""
        if unspaced not in self._words:
            tokenizer = self._engine.encoder.tokenizer
            table = lexicon(tokenizer, 0).drop_nulls("word")
            spaced = dict(zip(table["token_id"], table["word"], strict=True))
            self._words[unspaced] = unspaced_words(tokenizer) if unspaced else spaced
        return self._words[unspaced]
