"""From texts to model inputs: special tokens, the slot, and the length a model can take."""

from dataclasses import dataclass
from typing import Any

from relprobe.errors import ModelError, ProbeError
from relprobe.lm.requests import SLOT, Query


@dataclass(frozen=True)
class Encoder:
    """Turns texts into token ids for one model.

    The special tokens around a text are those the tokenizer itself adds; `bos` overrides what a causal model's input
    starts with (True: its BOS token, False: nothing). The slot of a masked model is one mask token; that of a causal
    model is what comes after the text, so nothing may follow it.
    """

    tokenizer: Any
    masked: bool
    max_length: int
    before: tuple[int, ...]
    after: tuple[int, ...]

    @classmethod
    def of(cls, tokenizer: Any, *, masked: bool, max_length: int, bos: bool | None = None) -> "Encoder":
        """Find out which special tokens the tokenizer puts around a text, and check that a masked one has a mask."""
        if masked and tokenizer.mask_token_id is None:
            raise ModelError(
                f"the tokenizer of {tokenizer.name_or_path} has no mask token, so `type: masked` does not fit: "
                "is this a causal model?"
            )
        before, after = _special_tokens(tokenizer)
        if not masked:
            after = ()
            if bos is not None:
                before = _bos(tokenizer) if bos else ()
        return cls(tokenizer, masked, max_length, before, after)

    def slot(self, probe_id: str, text: str) -> Query:
        """Encode a text with one slot; the state is read where the slot's token is predicted.

        ProbeError: no slot or several, text after the slot of a causal model, nothing before it, or too long an input.
        """
        if text.count(SLOT) != 1:
            raise ProbeError(
                f"probe {probe_id!r} has {text.count(SLOT)} slots {SLOT} where exactly one is needed: {text!r}."
            )
        if self.masked:
            ids = self._plain(text.replace(SLOT, self.tokenizer.mask_token))
            position = len(self.before) + ids.index(self.tokenizer.mask_token_id)
            return self._checked(probe_id, Query((*self.before, *ids, *self.after), (position,)))
        left, _, right = text.partition(SLOT)
        if right.strip():
            raise ProbeError(f"probe {probe_id!r} goes on after its slot, where a causal model cannot look: {text!r}.")
        whole = (*self.before, *self._plain(left.rstrip()))
        if not whole:
            raise ProbeError(
                f"probe {probe_id!r} has nothing before its slot, and the model adds no BOS token: set `bos: true`."
            )
        return self._checked(probe_id, Query(whole, (len(whole) - 1,)))

    def _plain(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False).input_ids
        return ids

    def _checked(self, probe_id: str, query: Query) -> Query:
        if len(query.ids) > self.max_length:
            raise ProbeError(
                f"probe {probe_id!r} is {len(query.ids)} tokens long, but the model takes {self.max_length}: shorten it."
            )
        return query


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
