"""The slot of a network that reads both sides: what stands in it, and what an encoder-decoder's decoder begins with."""

from dataclasses import dataclass
from typing import Any

from relprobe.core.errors import ModelError

SENTINEL = "<extra_id_0>"
"""The token of T5 and its kin (mT5, UL2) for the first part of a text that the decoder writes."""
SLOT_TEXTS = (("a robin is a", ""), ("it is", " and it is"))
"""Texts before and after a slot, in which the tokens beside a mask are compared with those beside a word."""


@dataclass(frozen=True)
class Blank:
    """The `token` in the slot, and the decoder's beginning, whose first token is `start`.

    T5's decoder writes what stands in the place of a sentinel, after that sentinel. BART's decoder writes the whole text
    again (`again`), so that it begins with the text before the mask. In both, what comes next fills the slot:

        T5      encoder   a robin is a <extra_id_0> . </s>      decoder   <pad> <extra_id_0>
        BART    encoder   <s> a robin is a <mask> . </s>        decoder   </s> <s> a robin is a
    """

    token: str
    token_id: int
    start: int
    again: bool

    @classmethod
    def of(cls, tokenizer: Any, start: int | None) -> "Blank":
        """Find the blank of a tokenizer; `start` is the token that the network's decoder begins with.

        ModelError: the tokenizer has neither a sentinel nor a mask, or the network has no such token.
        """
        if start is None:
            raise ModelError(
                f"the config of {tokenizer.name_or_path} has no `decoder_start_token_id`, with which its decoder begins: "
                "add it, or choose another model."
            )
        sentinel = tokenizer(SENTINEL, add_special_tokens=False).input_ids
        if len(sentinel) == 1 and sentinel[0] != tokenizer.unk_token_id:
            return cls(SENTINEL, sentinel[0], start, again=False)
        if tokenizer.mask_token_id is None:
            raise ModelError(
                f"the tokenizer of {tokenizer.name_or_path} has neither {SENTINEL} nor a mask token, one of which stands in "
                "the slot of an encoder-decoder network: choose one that was trained to fill blanks, such as T5 or BART."
            )
        return cls(tokenizer.mask_token, tokenizer.mask_token_id, start, again=True)

    def beginning(self, source: tuple[int, ...], position: int) -> tuple[int, ...]:
        """Return the decoder's input up to the slot, which is at `position` in the encoder's input `source`.

        >>> source = (0, 7, 8, 99, 2)  # 99 is the blank
        >>> Blank("<extra_id_0>", 99, 1, again=False).beginning(source, 3)
        (1, 99)
        >>> Blank("<mask>", 99, 2, again=True).beginning(source, 3)
        (2, 0, 7, 8)
        """
        return (self.start, *(source[:position] if self.again else (self.token_id,)))


def check_slot_token(tokenizer: Any, token: str, token_id: int) -> None:
    """Raise a ModelError if the tokens of a text with `token` in its slot are not those of the text and of `token`.

    A slot stands for a word with the blank before it, as the token " bird" has it. So "a robin is a[MASK] and" must have the
    tokens of "a robin is a", the mask, and the tokens that " and" has after a word. Whether a tokenizer takes a blank before
    the mask (`lstrip`) makes no difference, as no blank is left there; one that takes the blank after it (`rstrip`) writes
    "and" as the rest of a word, and is refused.
    """
    for before, after in SLOT_TEXTS:
        plain, joined, ids = (
            tokenizer(text, add_special_tokens=False).input_ids
            for text in (before, f"{before}{after}", f"{before}{token}{after}")
        )
        if joined[: len(plain)] == plain and ids != [*plain, token_id, *joined[len(plain) :]]:
            raise ModelError(
                f"the tokenizer of {tokenizer.name_or_path} makes {tokenizer.convert_ids_to_tokens(ids)} of "
                f"{before + token + after!r}, so that the text beside {token} would be another than that beside a word: set "
                f"`rstrip`, `single_word` and `normalized` of {token} to false in its tokenizer.json."
            )
