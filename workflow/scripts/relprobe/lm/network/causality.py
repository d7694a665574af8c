"""A causal network is causal: what it computes at a token does not change with the tokens after it.

Slots come at the end of a text, so a network that reads on both sides gives right slots, and wrong scores of sentences and
of candidates of several tokens. Its config does not always tell: XLM and BERT load as causal networks.
"""

from typing import Any

import torch
from transformers import MODEL_FOR_MASKED_LM_MAPPING

from relprobe.core.errors import ModelError
from relprobe.lm.network.batching import mask_dtype
from relprobe.lm.network.model import LanguageModel
from relprobe.lm.network.self_check import (
    LIKELY_TOKENS,
    NOISE,
    PROOF_TOLERANCE,
    ROUNDING,
    Proof,
    samples,
)
from relprobe.lm.precision import TOLERANCE
from relprobe.lm.requests import Query

BEGINNING = 8
"""The tokens whose predictions are compared with and without as many tokens after them."""
PROOF_INPUT = tuple(range(5, 5 + 4 * BEGINNING))
"""The input of a small network."""


def require_causality(plain: LanguageModel, proof: Proof | None) -> None:
    """Raise a ModelError, which says what fits, if the network of a model on the plain path reads later tokens.

    A small random network of its kind (`proof`) shows in float32 whether the architecture is causal. The network itself
    predicts after each token of the beginning of a text, with and without the tokens after it. The means over the likely
    tokens may differ by as much as rounding makes in its number format. If its architecture is causal, it may be as much as
    in quantised weights, because some networks round by the largest value of all tokens.
    """
    sample = samples(plain.net, plain.encoder)[-1]
    change = _change(plain, sample._replace(ids=sample.ids[: 2 * BEGINNING]))
    small = 0.0 if proof is None else change_of_small(proof)
    if small <= PROOF_TOLERANCE and change <= _rounding(plain.net, proof):
        return
    name = f"{type(plain.net).__name__} {plain.net.name_or_path}".strip()
    raise ModelError(
        f"{name} is no causal network: what it predicts after a token changes by {max(change, small):.2g} nats with the "
        f"tokens after it, so that its scores of sentences would be wrong: {_remedy(plain)}."
    )


def change_of_small(proof: Proof) -> float:
    """Return the change of a small random network, in natural-log probability; that of a causal one is rounding, 1e-5."""
    query = Query(PROOF_INPUT[: proof.encoder.max_length], (0,), () if proof.encoder.blank is None else PROOF_INPUT)
    return _change(LanguageModel(proof.small, proof.encoder, "plain", 1), query)


def _change(plain: LanguageModel, query: Query) -> float:
    """Return the largest mean change of the likely tokens after a token of the first half, when the second half follows."""
    first_half = query.ids[: len(query.ids) // 2]
    positions = tuple(range(len(first_half)))
    if not positions:
        return 0.0
    logprobs_alone = plain.log_probs(plain.states([query._replace(ids=first_half, positions=positions)]))
    logprobs_in_whole = plain.log_probs(plain.states([query._replace(positions=positions)]))
    count = min(LIKELY_TOKENS, int((logprobs_alone[0] > -torch.inf).sum()))
    likely = logprobs_alone.topk(count).indices
    return float((logprobs_in_whole.gather(1, likely) - logprobs_alone.gather(1, likely)).abs().mean(1).max())


def _rounding(net: Any, proof: Proof | None) -> float:
    """Return the mean change of a network that may be rounding: in quantised weights four times that of bfloat16."""
    coarse = proof is not None or getattr(net, "is_quantized", False)
    dtype = torch.bfloat16 if coarse else mask_dtype(net)
    return NOISE * ROUNDING[dtype] if dtype in ROUNDING else TOLERANCE


def _remedy(plain: LanguageModel) -> str:
    config = plain.net.config
    if getattr(config.get_text_config(), "use_bidirectional_attention", False):
        return "its config sets `use_bidirectional_attention`, as that of an embedding model does: use another model"
    if type(config) in MODEL_FOR_MASKED_LM_MAPPING and plain.encoder.tokenizer.mask_token_id is not None:
        return 'it is a masked model: say `type: masked` (kind="masked")'
    return "it reads on both sides, but is no masked model: use another model"
