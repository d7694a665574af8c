"""Words that a tokenizer cannot write: it puts its unknown token in their place, or leaves characters or all of them out.

To a model, "a ☃ is a ☃" and "a 鳥 is a 鳥" may be one text, "a [UNK] is a [UNK]", which says nothing about the word.
So such a text has no answer, in every primitive alike, and a warning names the words.
"""

import itertools
import logging
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, singledispatch
from typing import Any, TypeVar

import numpy as np

from relprobe.core.errors import ModelError
from relprobe.lm.requests import (
    SLOT,
    Continuation,
    ContinuationResponse,
    LayersResponse,
    Sentence,
    SentenceResponse,
    SlotProbe,
    SlotResponse,
    SpanResponse,
    SpanText,
    Surprisal,
    WordResponse,
)
from relprobe.lm.words.tokens import encode_texts

logger = logging.getLogger("relprobe")

WORD = re.compile(r"\S+")
RARE = "\N{SNOWMAN}\N{MUSICAL SYMBOL G CLEF}\N{EGYPTIAN HIEROGLYPH A001}"
"""Characters that a vocabulary lacks, unless it can write every byte."""
SPACES = frozenset("▁Ġ ")
"""How tokenizers write a space."""
Request = TypeVar("Request", bound=SlotProbe | Continuation | Sentence | SpanText)
Response = TypeVar("Response")
AT_ONCE = 64
"""The requests whose words are looked at together."""
NAMED = 20
"""The most words that a warning names."""


@lru_cache(8)
def unknown_tokens(tokenizer: Any) -> dict[int, str]:
    """Return the tokens, id -> token, that stand for what a tokenizer does not know; one that writes all bytes has none."""
    backend = tokenizer.backend_tokenizer
    names = {tokenizer.unk_token, getattr(backend.model, "unk_token", None)} - {None}
    ids = {backend.token_to_id(name): name for name in names}
    written = _ids(tokenizer, RARE)
    return {token_id: name for token_id, name in ids.items() if token_id in written}


@lru_cache(8)
def writes_everything(tokenizer: Any) -> bool:
    """Return whether a tokenizer can write every text, as those can that have a token for each byte."""
    return not unknown_tokens(tokenizer) and all(_ids(tokenizer, f"x{character}")[1:] for character in RARE)


def _ids(tokenizer: Any, text: str) -> list[int]:
    """Return the ids of a text, none if the tokenizer fails on it, as one without a token for what it does not know."""
    try:
        return list(encode_texts(tokenizer, [text], spans=False)[0].ids)
    except ModelError:
        return []


def unknown_words(tokenizer: Any, texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the words of each text, between spaces, that a tokenizer cannot write, in their order.

    A text that names the unknown token itself means this token.
    """
    if writes_everything(tokenizer):
        return [()] * len(texts)
    encodings = encode_texts(tokenizer, texts)
    return [_unknown(tokenizer, text, encoding) for text, encoding in zip(texts, encodings, strict=True)]


def _unknown(tokenizer: Any, text: str, encoding: Any) -> tuple[str, ...]:
    unknown, drops = unknown_tokens(tokenizer), not unknown_tokens(tokenizer)
    plain = text.isascii() and text.isprintable()  # no tokenizer leaves such characters out that has an unknown token
    if not drops and plain and unknown.keys().isdisjoint(encoding.ids):
        return ()
    lost, written = set[int](), set[int]()
    for token_id, token, (start, stop) in zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True):
        if not drops or token not in SPACES:  # the mark of a space before a text has the place of its first character
            written.update(range(start, stop))
        if token_id in unknown and text[start:stop].strip() != unknown[token_id]:
            lost.update(range(start, stop))
    if drops:
        lost = set(range(len(text))) - written
    words = ((match.group(), range(*match.span())) for match in WORD.finditer(text))
    return tuple(dict.fromkeys(word for word, span in words if not lost.isdisjoint(span) or written.isdisjoint(span)))


def null_unknown(
    tokenizer: Any,
    requests: Iterable[Request],
    ask: Callable[[Iterable[Request]], Iterator[Response]],
    texts: Callable[[Request], tuple[str, ...]] | None = None,
) -> Iterator[Response]:
    """Yield the responses that `ask` gives to the requests; those to texts with unknown words have no values.

    `texts`: what of a request must be known; without it all that a model reads (`texts_of`). A value that is missing is NaN,
    and a list of the likeliest answers is empty. A candidate that the tokenizer cannot write is missing alone, and its text
    has values for the others. Each word is named in a warning once.
    """
    if writes_everything(tokenizer):
        yield from ask(requests)
        return
    passed: deque[list[tuple[str, ...]]] = deque()  # the unknown words of each text of the requests that were asked

    def noted() -> Iterator[Request]:
        named: set[str] = set()
        remaining = iter(requests)
        while group := list(itertools.islice(remaining, AT_ONCE)):
            words = _words(tokenizer, group, texts or texts_of)
            _warn(
                tokenizer, sorted({word for request_words in words for part in request_words for word in part} - named)
            )
            named.update(word for request_words in words for part in request_words for word in part)
            for request, request_words in zip(group, words, strict=True):
                passed.append(request_words)
                yield request

    for response in ask(noted()):
        text, *candidates = passed.popleft()
        lost = [bool(text) or bool(candidate) for candidate in candidates] or [bool(text)]
        yield missing(response, lost) if any(lost) else response


def keep_known(tokenizer: Any, requests: Iterable[Request]) -> Iterator[Request]:
    """Yield the requests whose texts a model can read; a warning names the unknown words and counts the others.

    Their candidates are not looked at.
    """
    named: dict[str, None] = {}
    count = 0
    remaining = iter(requests)
    while group := list(itertools.islice(remaining, AT_ONCE)):
        for request, (text, *_) in zip(group, _words(tokenizer, group, texts_of), strict=True):
            named.update(dict.fromkeys(text))
            count += bool(text)
            if not text:
                yield request
    _warn(tokenizer, sorted(named), f" ({count:,} of them)")


def require_known(tokenizer: Any, requests: Iterable[SpanText], where: str) -> Iterator[SpanText]:
    """Yield the requests, whose texts are those of `where`. A warning names the unknown words around the spans.

    ModelError: the tokenizer cannot write a word of a span.
    """
    around: dict[str, None] = {}
    remaining = iter(requests)
    while group := list(itertools.islice(remaining, AT_ONCE)):
        for spans, *_ in _words(tokenizer, group, spans_of):
            if spans:
                raise ModelError(
                    f"the tokenizer of {tokenizer.name_or_path} has no tokens for {', '.join(map(repr, spans))}, asked "
                    f"about in {where}, where no vector may be missing: leave these words or this model out of the study."
                )
        around.update((word, None) for text, *_ in _words(tokenizer, group, texts_of) for word in text)
        yield from group
    if around:
        logger.warning(
            "the tokenizer of %s has no tokens for %s, which stand in %s: the words beside them have vectors, as the model "
            "reads a token for what is unknown there",
            tokenizer.name_or_path, _listed(sorted(around)), where,
        )  # fmt: skip


def texts_of(request: SlotProbe | Continuation | Sentence | SpanText) -> tuple[str, ...]:
    """Return what a model reads for a request, without its context and its slot, and then the candidates, if it has any.

    >>> texts_of(Continuation("x", "a robin is a [V].", ("bird", "owl")))
    ('a robin is a  .', 'bird', 'owl')
    """
    if isinstance(request, SlotProbe):
        return (" ".join(variant.text.replace(SLOT, " ") for variant in request.variants),)
    if isinstance(request, Continuation):
        return (request.text.replace(SLOT, " "), *request.candidates)
    return (f"{request.before}{request.text}" if isinstance(request, Sentence) else request.text,)


def spans_of(request: SpanText) -> tuple[str, ...]:
    """Return what of a text has a vector of its own: another unknown word stands beside it and changes no span.

    >>> spans_of(SpanText("x", "a robin sings", ((2, 7), (8, 13))))
    ('robin sings',)
    """
    return (" ".join(request.text[start:stop] for start, stop in request.spans),)


def _words(
    tokenizer: Any, requests: Sequence[Request], texts_of: Callable[[Request], tuple[str, ...]]
) -> list[list[tuple[str, ...]]]:
    """Return the unknown words of each of the texts of each request."""
    texts = [texts_of(request) for request in requests]
    words = iter(unknown_words(tokenizer, [text for request_texts in texts for text in request_texts]))
    return [list(itertools.islice(words, len(request_texts))) for request_texts in texts]


def _warn(tokenizer: Any, words: Sequence[str], count: str = "") -> None:
    if words:
        logger.warning(
            "the tokenizer of %s has no tokens for %s: texts and candidates with such a word%s have no answer",
            tokenizer.name_or_path, _listed(words), count,
        )  # fmt: skip


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    return f"{', '.join(map(repr, words[:NAMED]))}{more}"


@singledispatch
def missing(response: Any, lost: Sequence[bool]) -> Any:
    """Return a response without its values. `lost`: for each candidate, or for the text, whether its values are missing.

    >>> missing(SlotResponse("x", np.array([7], np.int32), np.array([-1], np.float32)), [True]).token_ids.tolist()
    []
    """
    raise TypeError(f"{type(response).__name__} is no response")


@missing.register
def _(response: SentenceResponse, lost: Sequence[bool]) -> SentenceResponse:
    return replace(response, logprobs=np.full_like(response.logprobs, np.nan))


@missing.register
def _(response: ContinuationResponse, lost: Sequence[bool]) -> ContinuationResponse:
    values = zip(response.logprobs, lost, strict=True)
    return replace(
        response,
        logprobs=tuple(np.full_like(logprobs, np.nan) if is_lost else logprobs for logprobs, is_lost in values),
    )


@missing.register
def _(response: SpanResponse, lost: Sequence[bool]) -> SpanResponse:
    return replace(response, vectors=np.full_like(response.vectors, np.nan))


@missing.register
def _(response: Surprisal, lost: Sequence[bool]) -> Surprisal:
    nothing = np.full_like(response.nats, np.nan)
    return replace(response, nats=nothing, correction=nothing)


@missing.register
def _(response: SlotResponse, lost: Sequence[bool]) -> SlotResponse:
    return replace(response, token_ids=response.token_ids[:0], logprobs=response.logprobs[:0])


@missing.register
def _(response: LayersResponse, lost: Sequence[bool]) -> LayersResponse:
    return replace(response, token_ids=response.token_ids[:, :0], logprobs=response.logprobs[:, :0])


@missing.register
def _(response: WordResponse, lost: Sequence[bool]) -> WordResponse:
    return replace(response, word_ids=response.word_ids[:0], logprobs=response.logprobs[:0], outside=None)
