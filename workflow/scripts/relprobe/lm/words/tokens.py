"""The tokens of a text: their ids, the characters that they cover, and the words that they belong to."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from relprobe.core.errors import ModelError, ProbeError, first_line

CANDIDATE_CACHE_SIZE = 1 << 16
"""How many candidates stay tokenized: a study asks about the same words in many texts."""
HALF = re.compile("[\ud800-\udfff]")
"""A half of a character of UTF-16, which is no character."""

COMPARED = (
    "a robin is a bird",
    " A Robin sang in 2023, on Main Street.",
    "schön, café, naïve, Ärger, İstanbul, Ελλάδα, Москва, עברית, العربية, हिन्दी, ไทย",
    "DON'T  pay 1,000.50 € or 7%!\n\tit isn't x_y-z (a noun) [see] #1 @home; we've, they'll",
    "the word \"bird\" “bird” ‘bird’ 'bird'... merry-go-round/ice cream",
    "大きい鳥、東京 새 ½ ﬁsh ① Ｂｉｒｄ e\u0301 🐦👩‍🚀",
)
"""Texts whose tokens show case, accents, digits, blanks, marks, contractions and other scripts."""
Reading = Mapping[str, list[str]]
"""A text of COMPARED -> its tokens, without special ones."""


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
    encodings = encode_texts(tokenizer, texts)
    return [_aligned(text, encoding) for text, encoding in zip(texts, encodings, strict=True)]


def encode_texts(tokenizer: Any, texts: Sequence[str], *, spans: bool = True) -> list[Any]:
    """Return the encodings of texts without special tokens; without `spans`, which take half of the time, they have none.

    ModelError, which names the first such text: the tokenizer fails on it. ProbeError: a text holds half of a character.
    """
    backend = tokenizer.backend_tokenizer
    encode = backend.encode_batch if spans else backend.encode_batch_fast
    try:
        return list(encode(texts, add_special_tokens=False))
    except BaseException as error:
        if len(texts) > 1 and (isinstance(error, Exception) or is_panic(error)):
            return [encoding for text in texts for encoding in encode_texts(tokenizer, [text], spans=spans)]
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        if HALF.search(str(texts[0])):
            raise ProbeError(f"the text {texts[0]!r} holds half of a character: write the whole character.") from error
        raise ModelError(
            f"the tokenizer of {tokenizer.name_or_path} fails on {texts[0]!r} ({first_line(error)}): leave the text out, or "
            "get the tokenizer's files anew."
        ) from error


def reading_of(tokenizer: Any) -> Reading:
    """Return how a tokenizer reads COMPARED, which shows whether two tokenizers are the same for a study.

    A text that it cannot read has no tokens.
    """
    if tokenizer.is_fast:
        return reading_of_backend(tokenizer.backend_tokenizer)
    return {text: tokenizer.tokenize(text) for text in COMPARED}


def reading_of_backend(backend: Any) -> Reading:
    """Return how a backend of the library tokenizers reads COMPARED (`reading_of`). It neither cuts nor pads from now on."""
    backend.no_truncation()  # some tokenizer.json files turn it on
    backend.no_padding()
    return {text: tokens_in(backend, text) for text in COMPARED}


def tokens_in(backend: Any, text: str) -> list[str]:
    """Return the tokens of a text; none if the tokenizer fails on it, as one without a token for unknown letters does."""
    return list(getattr(_encoding(backend, text), "tokens", ()))


def ids_in(backend: Any, text: str) -> list[int]:
    """Return the ids of a text; none if the tokenizer fails on it."""
    return list(getattr(_encoding(backend, text), "ids", ()))


def _encoding(backend: Any, text: str) -> Any:
    try:
        return backend.encode(text, add_special_tokens=False)
    except Exception:  # no fault until somebody asks about such a text, which `encode_texts` then names
        return None


def is_panic(error: BaseException) -> bool:
    """Return whether an error is a failure inside of the library tokenizers, which Python takes for an order to end."""
    return type(error).__name__ == "PanicException"


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
    alone, joined = tokens_of(tokenizer, [piece.rstrip(" "), piece + candidate])
    count = len(alone.ids)
    if joined.ids[:count] != alone.ids:
        return None
    return Tokens(joined.ids[count:], joined.spans[count:], joined.words[count:])


@lru_cache(8)
def ids_without_token(tokenizer: Any, vocabulary: int) -> tuple[list[int], int]:
    """Return the ids of a network's `vocabulary` that its tokenizer does not know: they only pad the network's matrices.

    They are those between its tokens, sorted, and the first of those after its last token, which are most of them.

    >>> from unittest.mock import Mock
    >>> ids_without_token(Mock(get_vocab=lambda: {"a": 0, "robin": 2}), 64)
    ([1], 3)
    """
    used = {token_id for token_id in tokenizer.get_vocab().values() if token_id < vocabulary}
    end = max(used, default=-1) + 1
    return sorted(set(range(end)) - used), end


def special_tokens(tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids that the tokenizer puts before and after a text by default."""
    plain = tokenizer("a", add_special_tokens=False).input_ids
    ids = tokenizer("a").input_ids
    starts = [i for i in range(len(ids) - len(plain) + 1) if ids[i : i + len(plain)] == plain]
    if not starts:
        raise ModelError(f"the tokenizer of {tokenizer.name_or_path} changes a text when it adds special tokens.")
    return tuple(ids[: starts[0]]), tuple(ids[starts[0] + len(plain) :])


def bos_token(tokenizer: Any) -> tuple[int, ...]:
    """Return the id of the BOS token. ModelError: the tokenizer has none."""
    if tokenizer.bos_token_id is None:
        raise ModelError(
            f"the tokenizer of {tokenizer.name_or_path} has no BOS token: remove `bos: true` from the config."
        )
    return (tokenizer.bos_token_id,)
