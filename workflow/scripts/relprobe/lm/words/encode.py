"""An encoder turns texts into model inputs: it adds special tokens, finds the slot, and checks the length of an input."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from relprobe.core.errors import ModelError, ProbeError
from relprobe.lm.requests import SLOT, Query
from relprobe.lm.words.blank import Blank, check_slot_token
from relprobe.lm.words.chat import Frame
from relprobe.lm.words.tokens import Tokens, after_piece, bos_token, encode_texts, special_tokens, tokens_of

ModelKind = Literal["masked", "causal", "encoder-decoder"]


@dataclass(frozen=True)
class Encoder:
    """Turns texts into token ids for one model.

    `before` and `after` are the ids of the special tokens around a text. `context` is a text that stands before every
    other text; in a chat it holds the conversation up to the text. `closing` is what stands between the text and the slot
    of a model that is asked in words (`chat: answer`). The slot of a masked model is one mask token. The slot of a causal
    model is what comes after the text, so nothing may follow it:

        masked   "a robin is a [V]."  ->  [CLS] a robin is a [MASK] . [SEP]    read at position 5, the mask
        causal   "a robin is a [V]"   ->  a robin is a                         read at position 3, the last token

    An encoder-decoder network has a `blank` in its slot. Its query has the whole text as its source, and is read at the last
    token of the decoder's beginning (`Blank`).
    """

    tokenizer: Any
    masked: bool
    max_length: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    context: str = ""
    closing: str = ""
    blank: Blank | None = None
    width: int | None = None  # how many ids the network has, if it is known

    @classmethod
    def of(
        cls,
        tokenizer: Any,
        *,
        masked: bool,
        max_length: int,
        bos: bool | None = None,
        context: str = "",
        frame: Frame | None = None,
        blank: Blank | None = None,
    ) -> "Encoder":
        """Make the encoder of a model: find out which special tokens its tokenizer puts around a text.

        `bos` overrides the start of a causal model's input (True: the BOS token, False: nothing). A space separates
        `context` from the text, unless the context ends in white space. `frame`: the conversation around a text, which has
        all special tokens, so that none are added. `blank`: that of an encoder-decoder network.
        ModelError: a masked model whose tokenizer has no mask token, or changes the text beside it (`check_slot_token`), a
        tokenizer without spans, a context with a slot, a masked model in a conversation.
        """
        if masked and tokenizer.mask_token_id is None:
            raise ModelError(
                f"the tokenizer of {tokenizer.name_or_path} has no mask token, so `type: masked` does not fit: "
                "is this a causal model?"
            )
        if not tokenizer.is_fast:
            raise ModelError(
                f"the tokenizer of {tokenizer.name_or_path} is a {type(tokenizer).__name__}, which is written in Python and "
                "has no form as a tokenizer.json, so that it cannot say which characters a token covers: choose a model "
                "whose tokenizer is a tokenizer.json."
            )
        if (masked or blank is not None) and frame is not None:
            kind = "a masked model" if masked else "an encoder-decoder model"
            raise ModelError(f"{tokenizer.name_or_path} is {kind}, which cannot chat: leave `chat` out.")
        if SLOT in context:
            raise ModelError(
                f"the `context` of {tokenizer.name_or_path} holds a slot {SLOT}: write the answers into its examples."
            )
        tokenizer.backend_tokenizer.no_truncation()  # some tokenizer.json files turn it on
        tokenizer.backend_tokenizer.no_padding()
        if masked:
            check_slot_token(tokenizer, tokenizer.mask_token, tokenizer.mask_token_id)
        elif blank is not None:
            check_slot_token(tokenizer, blank.token, blank.token_id)
        before, after = special_tokens(tokenizer)
        if not masked and blank is None:
            after = ()
            if frame is not None:
                before = ()
            elif bos is not None:
                before = bos_token(tokenizer) if bos else ()
        separator = " " if context and not context[-1].isspace() else ""
        frame = frame or Frame("")
        return cls(
            tokenizer, masked, max_length, before, after, f"{frame.before}{context}{separator}", frame.after, blank
        )

    @property
    def kind(self) -> ModelKind:
        """The kind of the model."""
        if self.blank is not None:
            return "encoder-decoder"
        return "masked" if self.masked else "causal"

    @property
    def kind_in_words(self) -> str:
        """The kind of the model as errors say it."""
        return "an encoder-decoder model" if self.blank is not None else f"a {self.kind} model"

    @property
    def both_sides(self) -> bool:
        """Whether the model reads the text after the slot, too."""
        return self.masked or self.blank is not None

    @cached_property
    def token_ids(self) -> frozenset[int]:
        """The ids that stand for a token of the tokenizer."""
        return frozenset(self.tokenizer.get_vocab().values())

    @cached_property
    def _beyond(self) -> frozenset[int]:
        """The ids of tokens that were added to the tokenizer, and that the network lacks."""
        return frozenset(i for i in self.token_ids if self.width is not None and i >= self.width)

    def require_tokens(self, what: str, ids: Iterable[int]) -> None:
        """Raise a ProbeError if the network lacks one of the tokens of `what`."""
        if self._beyond and (lost := self._beyond.intersection(ids)):
            tokens = ", ".join(map(repr, self.tokenizer.convert_ids_to_tokens(sorted(lost))))
            raise ProbeError(
                f"{what} holds {tokens}, added to the tokenizer of {self.tokenizer.name_or_path}, but the network has no "
                f"vector for it, as it has {self.width:,} tokens: leave it out, or take the network that was saved with it."
            )

    @cached_property
    def _mask(self) -> tuple[str, int]:
        """The mask token and its id, which transformers looks up anew at each call."""
        return self.tokenizer.mask_token, self.tokenizer.mask_token_id

    def slot(self, probe_id: str, text: str) -> Query:
        """Encode a text with one slot; the read position is where the model predicts the token of the slot.

        ProbeError: no slot or several slots, text after the slot of a causal model, nothing before it, too long an input.
        """
        return self.slots([(probe_id, text)])[0]

    def slots(self, probes: Sequence[tuple[str, str]]) -> list[Query]:
        """Encode many texts, each with the id of its probe, as `slot` does; together they take a third of the time."""
        inputs = [self._slot_input(probe_id, text) for probe_id, text in probes]
        all_ids = self._plain(inputs)
        return [self._slot_query(*probe, ids) for probe, ids in zip(probes, all_ids, strict=True)]

    def _slot_input(self, probe_id: str, text: str) -> str:
        """Return what the tokenizer gets: the text with the mask in the slot, or for a causal model the text before it."""
        left, right = self._around_slot(probe_id, text)
        left = left.rstrip(" ")  # the blank belongs to the word in the slot: " bird" is one token
        if self.masked:
            return f"{left}{self._mask[0]}{right}"
        if self.blank is not None:
            return f"{left}{self.blank.token}{right}"
        if right.strip():
            raise ProbeError(f"probe {probe_id!r} has text after its slot, where a causal model cannot look: {text!r}.")
        return left

    def _slot_query(self, probe_id: str, text: str, ids: list[int]) -> Query:
        sequence = (*self.before, *ids, *self.after)
        if self.blank is not None:
            return self.check_length(probe_id, self._pair(probe_id, text, sequence, self.blank))
        if self.masked:
            mask = self._mask[1]
            if ids.count(mask) != 1:
                raise ProbeError(f"probe {probe_id!r} holds the mask token beside its slot {SLOT}: {text!r}.")
            return self.check_length(probe_id, Query(sequence, (len(self.before) + ids.index(mask),)))
        if not sequence:
            raise ProbeError(
                f"probe {probe_id!r} has nothing before its slot, and the model adds no BOS token: set `bos: true`."
            )
        return self.check_length(probe_id, Query(sequence, (len(sequence) - 1,)))

    def _pair(self, probe_id: str, text: str, source: tuple[int, ...], blank: Blank) -> Query:
        if source.count(blank.token_id) != 1:
            raise ProbeError(f"probe {probe_id!r} holds {blank.token} beside its slot {SLOT}: {text!r}.")
        ids = blank.beginning(source, source.index(blank.token_id))
        return Query(ids, (len(ids) - 1,), source)

    def whole_text(self, text: str) -> str:
        """Return what the model reads for a text with one slot, special tokens included; of a pair, the encoder's text."""
        query = self.slot(text, text)
        ids = query.source or query.ids
        return str(self.tokenizer.decode(ids, skip_special_tokens=False, clean_up_tokenization_spaces=False))

    def candidate(self, probe_id: str, text: str, candidate: str) -> Tokens:
        """Encode a candidate in the form that it has in the slot of `text`: " bird" after a space, "bird" after a quote.

        ProbeError: the candidate is empty, has an unknown token, or merges with the character before the slot.
        """
        return self.candidates(probe_id, text, [candidate])[0]

    def candidates(self, probe_id: str, text: str, candidates: Sequence[str], *, unknown: bool = False) -> list[Tokens]:
        """Encode several candidates for the slot of one text, each as `candidate` does; `unknown` tokens may be allowed."""
        piece = self.piece(probe_id, text)
        return [self._candidate(probe_id, piece, candidate, unknown) for candidate in candidates]

    def piece(self, probe_id: str, text: str) -> str:
        """Return the last word before the slot, and the spaces around it: it decides the form of a word in the slot."""
        left, _ = self._around_slot(probe_id, text)
        return left[len(left.rstrip(" ").rpartition(" ")[0]) :]

    def _candidate(self, probe_id: str, piece: str, candidate: str, unknown: bool) -> Tokens:
        tokens = after_piece(self.tokenizer, piece, candidate.strip())
        if not candidate.strip():
            raise ProbeError(f"a candidate of probe {probe_id!r} is empty: {candidate!r}.")
        if tokens is None:
            raise ProbeError(
                f"the candidate {candidate!r} of probe {probe_id!r} shares a token with the text before it, "
                f"{piece.strip()!r}, in {self.tokenizer.name_or_path}: put a space between them, or leave it "
                "out for this model."
            )
        if not tokens.ids or (not unknown and self.tokenizer.unk_token_id in tokens.ids):
            raise ProbeError(
                f"the candidate {candidate!r} of probe {probe_id!r} has no token of its own in the vocabulary of "
                f"{self.tokenizer.name_or_path}: leave it out for this model."
            )
        self.require_tokens(f"the candidate {candidate!r} of probe {probe_id!r}", tokens.ids)
        return tokens

    def sentence(self, probe_id: str, text: str) -> tuple[Tokens, int]:
        """Encode a text as the whole model input; return its tokens and how many of them precede the text.

        Special tokens and the tokens of the model's context have the span (0, 0) and the word -1. The spans of the others
        count from the start of `text`. "a bird" becomes [CLS] a bird [SEP] with the spans (0, 0) (0, 1) (2, 6) (0, 0) and
        the words -1 0 1 -1; one token precedes the text. ProbeError: the text has no tokens.
        """
        return self.sentences([(probe_id, text)])[0]

    def sentences(
        self, texts: Sequence[tuple[str, str]], befores: Sequence[str] | None = None
    ) -> list[tuple[Tokens, int]]:
        """Encode many texts, each with the id of its probe, as `sentence` does; together they take half the time.

        `befores`: a text that stands before each, such as solved examples, and counts as a part of the context.
        """
        if self.closing:
            raise ProbeError(
                "a model that is asked in words (`chat: answer`) scores no whole sentences: use `chat: true`."
            )
        befores = list(befores or [""] * len(texts))
        for probe_id, text in texts:
            if not text.strip():
                raise ProbeError(f"the text of {probe_id!r} is empty.")
        full_texts = [f"{self.context}{before}{text}" for before, (_, text) in zip(befores, texts, strict=True)]
        rows = zip(texts, befores, tokens_of(self.tokenizer, full_texts), strict=True)
        return [self._sentence(*text, len(self.context) + len(before), tokens) for text, before, tokens in rows]

    def _sentence(self, probe_id: str, text: str, offset: int, tokens: Tokens) -> tuple[Tokens, int]:
        first = next((i for i, (_, stop) in enumerate(tokens.spans) if stop > offset), len(tokens.ids))
        if first == len(tokens.ids):
            raise ProbeError(f"the text of {probe_id!r} has no tokens: {text!r}.")
        self.require_tokens(f"the text of {probe_id!r}", tokens.ids)
        count_before = len(self.before) + first
        spans = [(max(start - offset, 0), stop - offset) for start, stop in tokens.spans[first:]]
        count_after = len(self.after)
        sentence = Tokens(
            (*self.before, *tokens.ids, *self.after),
            (*[(0, 0)] * count_before, *spans, *[(0, 0)] * count_after),
            (*[-1] * count_before, *tokens.words[first:], *[-1] * count_after),
        )
        return sentence, count_before

    def check_length(self, probe_id: str, query: Query) -> Query:
        """Return `query` as it is. ProbeError: it is longer than the model can take, or has a token that the model lacks."""
        self.require_tokens(f"probe {probe_id!r}", itertools.chain(query.ids, query.source))
        length = max(len(query.ids), len(query.source))
        if length > self.max_length:
            raise ProbeError(
                f"probe {probe_id!r} is {length} tokens long, but the model takes {self.max_length}: shorten it."
            )
        return query

    def _around_slot(self, probe_id: str, text: str) -> tuple[str, str]:
        """Return what stands before the slot, the model's context included, and what stands after it."""
        if text.count(SLOT) != 1:
            raise ProbeError(
                f"probe {probe_id!r} has {text.count(SLOT)} slots {SLOT} where exactly one is needed: {text!r}."
            )
        left, _, right = text.partition(SLOT)
        if self.closing:
            left = left.rstrip(" ") + self.closing
        return self.context + left, right

    def _plain(self, texts: Sequence[str]) -> list[list[int]]:
        # The wrapper of transformers takes five times as long as the tokenizer inside it, and spans take half of the rest.
        return [encoding.ids for encoding in encode_texts(self.tokenizer, texts, spans=False)]
