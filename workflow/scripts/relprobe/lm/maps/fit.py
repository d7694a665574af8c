"""The maps of a model's layers, fitted on the states at the tokens of sentences."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence

import torch

from relprobe.core.errors import DataError
from relprobe.core.progress import track
from relprobe.lm.maps.ridge import Fit, Sums, ridge, solve
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.primitives.stream import encoded_chunks, rows_of_layers
from relprobe.lm.requests import Query
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokens import Tokens

logger = logging.getLogger("relprobe")
PENALTIES = tuple(10.0**power for power in range(-6, 3))
"""The penalties, as multiples of the mean variance of the states' columns, of which held-out sentences choose one."""
HELD_OUT = 5
"""One of this many sentences is held out."""
MASKED_SHARE = 7
"""A masked model reads one token of this many in the place of which a mask stands, as in its pretraining."""
SUMS_BYTES = 2 * 2**30
"""The most memory for the sums of layers; the sentences are read again for further layers."""
SEED = 1


def fit_maps(
    model: LanguageModel, sentences: Sequence[str], layers: Sequence[int], untrained: LanguageModel | None = None
) -> dict[int, tuple[Fit, ...]]:
    """Return for each layer the map of its states to the last layer's, and the same fitted on shuffled pairs.

    With an `untrained` model of the same shape, a third map leads from its states after the layer to the last layer's states
    of the model, in the same sentences. Its penalty is chosen as that of the first map is.

    States are as the head takes them (`LanguageModel.lens`). Those of a causal model are read at all tokens of a sentence
    but the first, which attention treats unlike any other; those of a masked model at masks in the place of tokens. `layers`
    has the last layer, whose first map is that of a state to itself. The penalty is chosen on held-out sentences. In the
    shuffled pairs a state of the layer goes with the last layer's state of another token. Their penalty is that of the
    first map, so that both maps are as free.

    Memory does not grow with the sentences. DataError: there are too few of them. ModelError: see `LanguageModel.lens`.
    """
    width = int(model.net.config.get_text_config().hidden_size)
    at_once = max(1, SUMS_BYTES // ((5 if untrained is None else 8) * 8 * width**2))
    last = max(layers)
    fits: dict[int, tuple[Fit, ...]] = {}
    for start in range(0, len(layers), at_once):
        group = layers[start : start + at_once]
        sums = _sums(model, sentences, [*group, last], untrained)
        for layer in group:
            fitted, held_out, shuffled, *untrained_sums = sums[layer]
            if min(fitted.n, held_out.n) <= 1:
                raise DataError("there are too few sentences to fit the maps of layers on: give more of them.")
            fit = ridge(fitted, held_out, PENALTIES)
            weights, offset = solve(shuffled, fit.penalty)
            fits[layer] = fit, Fit(weights, offset, fit.penalty, 0.0)
            if untrained_sums:
                fits[layer] = *fits[layer], ridge(untrained_sums[0], untrained_sums[1], PENALTIES)
    read = next(iter(sums.values()))
    logger.info("fitted the maps of %d layers on %s states", len(fits), f"{read[0].n + read[1].n:,}")
    return fits


def _sums(
    model: LanguageModel, sentences: Sequence[str], layers: Sequence[int], untrained: LanguageModel | None
) -> dict[int, tuple[Sums, ...]]:
    """Return for each layer the sums over the fitted, the held-out and the shuffled pairs; `layers` ends in the last one.

    With an `untrained` model, those over its fitted and held-out pairs follow.
    """
    distinct_layers = sorted(set(layers))
    numbered = track(enumerate(sentences), len(sentences), "sentences")
    rows = rows_of_layers(model, len(distinct_layers))
    chunks = encoded_chunks(
        model,
        numbered,
        lambda group: _queries(model.encoder, group),
        lambda query: max(1, len(query.positions) * rows),
    )
    sums: dict[int, tuple[Sums, ...]] = {}
    shuffle = torch.Generator().manual_seed(SEED)
    for chunk in chunks:
        asked = [(number, query) for (number, _), query in chunk if query.positions]
        if not asked:
            continue
        queries = [query for _, query in asked]
        states = model.lens(queries, distinct_layers).float()
        untrained_states = None if untrained is None else untrained.lens(queries, distinct_layers).float()
        held = torch.tensor([number % HELD_OUT == 0 for number, query in asked for _ in query.positions])
        order = torch.randperm(len(held), generator=shuffle)
        for layer in dict.fromkeys(layers):
            x, y = states[distinct_layers.index(layer)], states[-1]
            new_sums: tuple[Sums, ...] = (Sums.of(x[~held], y[~held]), Sums.of(x[held], y[held]), Sums.of(x, y[order]))
            if untrained_states is not None:
                u = untrained_states[distinct_layers.index(layer)]
                new_sums = *new_sums, Sums.of(u[~held], y[~held]), Sums.of(u[held], y[held])
            sums[layer] = tuple(map(Sums.__add__, sums[layer], new_sums)) if layer in sums else new_sums
    if not sums:
        raise DataError("no sentence has two tokens to fit the maps of layers on: give other sentences.")
    return sums


def _queries(encoder: Encoder, sentences: Sequence[tuple[int, str]]) -> Iterator[Query]:
    """Yield the query of each numbered sentence, without read positions where nothing can be read."""
    texts = encoder.sentences([(str(number), text) for number, text in sentences])
    for (number, _), (tokens, start) in zip(sentences, texts, strict=True):
        stop = len(tokens.ids) - len(encoder.after)
        if len(tokens.ids) > encoder.max_length:
            yield Query(tokens.ids[: encoder.max_length], ())
        elif encoder.masked:
            yield _masked(encoder, tokens, start, stop, number)
        else:
            yield Query(tokens.ids, tuple(range(max(start, 1), stop)))


def _masked(encoder: Encoder, tokens: Tokens, start: int, stop: int, number: int) -> Query:
    """Return a sentence with masks in the place of some of its tokens, which are read."""
    first = random.Random(f"{SEED} {number}").randrange(MASKED_SHARE)  # noqa: S311
    positions = tuple(range(start + first, stop, MASKED_SHARE))
    ids = list(tokens.ids)
    for position in positions:
        ids[position] = encoder.tokenizer.mask_token_id
    return Query(tuple(ids), positions)
