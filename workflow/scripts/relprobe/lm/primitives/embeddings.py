"""The vectors of words and phrases in their sentences."""

import itertools
from collections.abc import Iterable, Iterator, Sequence

import torch
from torch import Tensor

from relprobe.core.errors import ProbeError
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import chunked
from relprobe.lm.requests import Query, SpanResponse, SpanText
from relprobe.lm.words.encode import Encoder, Tokens


def embeddings(model: LanguageModel, texts: Iterable[SpanText], layer: int) -> Iterator[SpanResponse]:
    """Yield for each text, in order, one vector per span: the mean hidden state of the tokens that overlap it, float32.

    `layer` 0 is the embedding layer and n the output of the n-th block, of the last one after the model's final norm if
    it has one; negative numbers count from the end. In a causal model a token's state knows only what precedes it.
    ModelError: no such layer. ProbeError: a text without tokens or too long for the model, or a span without tokens.
    """
    encoded = ((text, *_encode(model.encoder, text)) for text in texts)
    for chunk in chunked(encoded, lambda item: len(item[1].positions), model.chunk):
        states = model.states([query for _, query, _ in chunk], layer)
        means = _means(states, [count for *_, counts in chunk for count in counts])
        vectors = means.split_with_sizes([len(counts) for *_, counts in chunk])
        for (text, *_), rows in zip(chunk, vectors, strict=True):
            yield SpanResponse(text.id, rows.cpu().numpy())


def _encode(encoder: Encoder, text: SpanText) -> tuple[Query, list[int]]:
    """Return the input, which reads the tokens of all spans one after the other, and how many tokens each span has."""
    tokens, _ = encoder.sentence(text.id, text.text)
    covered = [_covered(text, tokens, span) for span in text.spans]
    query = Query(tokens.ids, tuple(itertools.chain.from_iterable(covered)))
    return encoder.checked(text.id, query), [len(positions) for positions in covered]


def _covered(text: SpanText, tokens: Tokens, span: tuple[int, int]) -> list[int]:
    start, stop = span
    positions = [i for i, (left, right) in enumerate(tokens.spans) if left < stop and right > start]
    if not positions or not 0 <= start < stop <= len(text.text):
        raise ProbeError(f"the span {span} of {text.id!r} covers no token of its text: {text.text!r}.")
    return positions


@torch.inference_mode()
def _means(states: Tensor, counts: Sequence[int]) -> Tensor:
    """Average consecutive rows (all tokens, width) into (spans, width)."""
    sizes = torch.tensor(counts, device=states.device)
    owner = torch.repeat_interleave(torch.arange(len(counts), device=states.device), sizes)
    sums = torch.zeros(len(counts), states.shape[1], device=states.device)
    return sums.index_add_(0, owner, states.float()) / sizes[:, None]
