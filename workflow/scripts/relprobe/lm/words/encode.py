"""From texts to model inputs: special tokens, the slot, candidates, spans, and the length a model can take."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.requests import SLOT, Query

CACHED_CANDIDATES = 1 << 16


@dataclass(frozen=True)
class Tokens:
    """A text's tokens, shape (tokens,) each: ids, the characters they cover, and the number of the word they belong to.

    Words are those of the tokenizer's own first step (spaces, and with most tokenizers punctuation, part them).
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...]


@dataclass(frozen=True)
class Encoder:
    """Turns texts into token ids for one model.

    The special tokens around a text are those the tokenizer itself adds; `bos` overrides what a causal model's input
    starts with (True: its BOS token, False: nothing). `context` is a text placed before every other, with a space
    between unless it ends in one. The slot of a masked model is one mask token; that of a causal model is what comes
    after the text, so nothing may follow it.
    """

    tokenizer: Any
    masked: bool
    max_length: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    context: str = ""

    @classmethod
    def of(
        cls, tokenizer: Any, *, masked: bool, max_length: int, bos: bool | None = None, context: str = ""
    ) -> "Encoder":
        """Find out which special tokens the tokenizer puts around a text, and check that a masked one has a mask."""
        if masked and tokenizer.mask_token_id is None:
            raise ModelError(
                f"the tokenizer of {tokenizer.name_or_path} has no mask token, so `type: masked` does not fit: "
                "is this a causal model?"
            )
        if not tokenizer.is_fast:
            raise ModelError(
                f"the tokenizer of {tokenizer.name_or_path} cannot say which characters a token covers: "
                "save it with a tokenizer.json."
            )
        if SLOT in context:
            raise ModelError(f"the `context` of {tokenizer.name_or_path} holds a slot {SLOT}: solve its examples.")
        tokenizer.backend_tokenizer.no_truncation()  # some tokenizer.json files ask for it
        tokenizer.backend_tokenizer.no_padding()
        before, after = _special_tokens(tokenizer)
        if not masked:
            after = ()
            if bos is not None:
                before = _bos(tokenizer) if bos else ()
        separator = " " if context and not context[-1].isspace() else ""
        return cls(tokenizer, masked, max_length, before, after, context + separator)

    def slot(self, probe_id: str, text: str) -> Query:
        """Encode a text with one slot; the state is read where the slot's token is predicted.

        ProbeError: no slot or several, text after the slot of a causal model, nothing before it, or too long an input.
        """
        left, right = self._around_slot(probe_id, text)
        if self.masked:
            ids = self._plain(left + self.tokenizer.mask_token + right)
            if ids.count(self.tokenizer.mask_token_id) != 1:
                raise ProbeError(f"probe {probe_id!r} holds the mask token beside its slot {SLOT}: {text!r}.")
            position = len(self.before) + ids.index(self.tokenizer.mask_token_id)
            return self.checked(probe_id, Query((*self.before, *ids, *self.after), (position,)))
        if right.strip():
            raise ProbeError(f"probe {probe_id!r} goes on after its slot, where a causal model cannot look: {text!r}.")
        whole = (*self.before, *self._plain(left.rstrip(" ")))
        if not whole:
            raise ProbeError(
                f"probe {probe_id!r} has nothing before its slot, and the model adds no BOS token: set `bos: true`."
            )
        return self.checked(probe_id, Query(whole, (len(whole) - 1,)))

    def candidate(self, probe_id: str, text: str, candidate: str) -> Tokens:
        """Encode what fills the slot of `text`, in the form it has there: " bird" after a space, "bird" after a quote.

        ProbeError: it is empty, unknown to the vocabulary, or merges with the character before the slot.
        """
        left, _ = self._around_slot(probe_id, text)
        before = len(left.rstrip(" ").rpartition(" ")[0])  # one word is enough to see what the candidate follows
        tokens = _after(self.tokenizer, left[before:], candidate.strip())
        if not candidate.strip():
            raise ProbeError(f"a candidate of probe {probe_id!r} is empty: {candidate!r}.")
        if tokens is None or not tokens.ids or self.tokenizer.unk_token_id in tokens.ids:
            raise ProbeError(
                f"the candidate {candidate!r} of probe {probe_id!r} has no token of its own in the vocabulary of "
                f"{self.tokenizer.name_or_path}: leave it out for this model."
            )
        return tokens

    def sentence(self, probe_id: str, text: str) -> tuple[Tokens, int]:
        """Encode a text as the whole model input; return its tokens and how many of them precede the text.

        Special tokens cover no characters, (0, 0), and are of word -1; so are those of the model's context. The spans of
        the others count from the start of `text`. ProbeError: no tokens.
        """
        if not text.strip():
            raise ProbeError(f"the text of {probe_id!r} is empty.")
        offset = len(self.context)
        tokens = _tokens(self.tokenizer, self.context + text)
        first = next((i for i, (_, stop) in enumerate(tokens.spans) if stop > offset), len(tokens.ids))
        if first == len(tokens.ids):
            raise ProbeError(f"the text of {probe_id!r} has no tokens: {text!r}.")
        skipped = len(self.before) + first
        spans = [(max(start - offset, 0), stop - offset) for start, stop in tokens.spans[first:]]
        none = len(self.after)
        whole = Tokens(
            (*self.before, *tokens.ids, *self.after),
            (*[(0, 0)] * skipped, *spans, *[(0, 0)] * none),
            (*[-1] * skipped, *tokens.words[first:], *[-1] * none),
        )
        return whole, skipped

    def checked(self, probe_id: str, query: Query) -> Query:
        """Return `query` if the model can take it. ProbeError: it is too long; nothing is ever cut off."""
        if len(query.ids) > self.max_length:
            raise ProbeError(
                f"probe {probe_id!r} is {len(query.ids)} tokens long, but the model takes {self.max_length}: shorten it."
            )
        return query

    def _around_slot(self, probe_id: str, text: str) -> tuple[str, str]:
        """Return what stands before the slot, the model's context included, and what stands after it."""
        if text.count(SLOT) != 1:
            raise ProbeError(
                f"probe {probe_id!r} has {text.count(SLOT)} slots {SLOT} where exactly one is needed: {text!r}."
            )
        left, _, right = text.partition(SLOT)
        return self.context + left, right

    def _plain(self, text: str) -> list[int]:
        # The tokenizer itself, without its wrapper, which takes five times as long for one short text.
        ids: list[int] = self.tokenizer.backend_tokenizer.encode(text, add_special_tokens=False).ids
        return ids


def _tokens(tokenizer: Any, text: str) -> Tokens:
    """Tokenize a text without special tokens; spaces at the ends of a token's span are not counted to it."""
    made = tokenizer.backend_tokenizer.encode(text, add_special_tokens=False)
    spans = tuple(_without_spaces(text, start, stop) for start, stop in made.offsets)
    words = tuple(-1 if word is None else word for word in made.word_ids)
    return Tokens(tuple(made.ids), spans, words)


def _without_spaces(text: str, start: int, stop: int) -> tuple[int, int]:
    covered = text[start:stop]
    if not covered.strip():
        return start, stop
    return stop - len(covered.lstrip()), start + len(covered.rstrip())


@lru_cache(CACHED_CANDIDATES)
def _after(tokenizer: Any, piece: str, candidate: str) -> Tokens | None:
    """Tokenize `candidate` as it stands after `piece`; None if a token covers the end of one and the start of the other."""
    alone = _tokens(tokenizer, piece.rstrip(" "))
    both = _tokens(tokenizer, piece + candidate)
    count = len(alone.ids)
    if both.ids[:count] != alone.ids:
        return None
    return Tokens(both.ids[count:], both.spans[count:], both.words[count:])


def _special_tokens(tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what the tokenizer puts before and after a text by default."""
    plain = tokenizer("a", add_special_tokens=False).input_ids
    whole = tokenizer("a").input_ids
    starts = [i for i in range(len(whole) - len(plain) + 1) if whole[i : i + len(plain)] == plain]
    if not starts:
        raise ModelError(f"the tokenizer of {tokenizer.name_or_path} changes a text when it adds special tokens.")
    return tuple(whole[: starts[0]]), tuple(whole[starts[0] + len(plain) :])


def _bos(tokenizer: Any) -> tuple[int, ...]:
    if tokenizer.bos_token_id is None:
        raise ModelError(
            f"the tokenizer of {tokenizer.name_or_path} has no BOS token: remove `bos: true` from the config."
        )
    return (tokenizer.bos_token_id,)
