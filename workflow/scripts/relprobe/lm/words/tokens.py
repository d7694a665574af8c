"""The tokens of a text: their ids, the characters that they cover, and the words that they belong to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from relprobe.core.errors import ModelError

CANDIDATE_CACHE_SIZE = 1 << 16
"""How many candidates stay tokenized: a study asks about the same words in many texts."""


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text; each field has one entry per token.

    `ids` are token ids, `spans` the characters (start, stop) that a token covers, and `words` the number of the word that
    the token belongs to. The tokenizer's own first step splits a text into words: at spaces, and with most tokenizers at
    punctuation. For "a hippopotamus" and the tokens a hip ##po ##potamus the spans are (0, 1) (2, 5) (5, 7) (7, 14) and
    the words are 0 1 1 1.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...]


def tokens_of(tokenizer: Any, texts: Sequence[str]) -> list[Tokens]:
    """Tokenize texts without special tokens; a span leaves out spaces at its ends (" bird" in "a bird" is (2, 6))."""
    encodings = tokenizer.backend_tokenizer.encode_batch(texts, add_special_tokens=False)
    return [_aligned(text, encoding) for text, encoding in zip(texts, encodings, strict=True)]


def _aligned(text: str, encoding: Any) -> Tokens:
    spans = tuple(_without_spaces(text, start, stop) for start, stop in encoding.offsets)
    words = tuple(-1 if word is None else word for word in encoding.word_ids)
    return Tokens(tuple(encoding.ids), spans, words)


def _without_spaces(text: str, start: int, stop: int) -> tuple[int, int]:
    part = text[start:stop]
    if not part.strip():
        return start, stop
    return stop - len(part.lstrip()), start + len(part.rstrip())


@lru_cache(CANDIDATE_CACHE_SIZE)
def after_piece(tokenizer: Any, piece: str, candidate: str) -> Tokens | None:
    """Tokenize `candidate` as it stands after `piece`; None if one token covers the end of `piece` and its start."""
    alone, both = tokens_of(tokenizer, [piece.rstrip(" "), piece + candidate])
    count = len(alone.ids)
    if both.ids[:count] != alone.ids:
        return None
    return Tokens(both.ids[count:], both.spans[count:], both.words[count:])


@lru_cache(8)
def ids_without_token(tokenizer: Any, vocabulary: int) -> list[int]:
    """Return the ids of a network's `vocabulary` that its tokenizer does not know: they only pad the network's matrices."""
    return sorted(set(range(vocabulary)).difference(tokenizer.get_vocab().values()))


def special_tokens(tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids that the tokenizer puts before and after a text by default."""
    plain = tokenizer("a", add_special_tokens=False).input_ids
    whole = tokenizer("a").input_ids
    starts = [i for i in range(len(whole) - len(plain) + 1) if whole[i : i + len(plain)] == plain]
    if not starts:
        raise ModelError(f"the tokenizer of {tokenizer.name_or_path} changes a text when it adds special tokens.")
    return tuple(whole[: starts[0]]), tuple(whole[starts[0] + len(plain) :])


def bos_token(tokenizer: Any) -> tuple[int, ...]:
    """Return the id of the BOS token. ModelError: the tokenizer has none."""
    if tokenizer.bos_token_id is None:
        raise ModelError(
            f"the tokenizer of {tokenizer.name_or_path} has no BOS token: remove `bos: true` from the config."
        )
    return (tokenizer.bos_token_id,)
