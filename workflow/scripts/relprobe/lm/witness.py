"""Witnesses: what a served model answers to fixed texts. Two of them tell whether they may be of one model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Witness = list[dict[str, Any]]
"""For each text the likeliest next tokens, best first: `token_ids` and natural-log probabilities, `logprobs`."""
WITNESS = "witness"
"""The key of provenance for the witness of a served model."""
COMPARED = 10
"""How many of the likeliest tokens of two lists are compared."""
ALIKE = 0.1
"""The mean difference, in natural log, of two answers to the same request. Batches of other sizes round otherwise."""


def same_model(first: Witness, second: Witness) -> bool:
    """Return whether two witnesses may be those of one model: each two lists differ by no more than ALIKE on average.

    >>> bird = {"token_ids": [7, 8], "logprobs": [-1.0, -2.0]}
    >>> same_model([bird], [{**bird, "logprobs": [-1.05, -1.95]}]), same_model([bird], [{**bird, "token_ids": [7, 9]}])
    (True, False)
    """
    if len(first) != len(second):
        return False
    return all(difference(values(a), values(b)) <= ALIKE for a, b in zip(first, second, strict=True))


def values(answer: Mapping[str, Any]) -> dict[int, float]:
    """Return token id -> natural-log probability of one text of a witness."""
    return dict(zip(answer["token_ids"], answer["logprobs"], strict=True))


def difference(first: Mapping[int, float], second: Mapping[int, float]) -> float:
    """Return the mean difference of two lists (id -> natural-log probability) over the COMPARED best tokens of the first.

    A token that the other list lacks counts as if it stood at that list's end, but as one nat at least.

    >>> difference({7: -1.0, 8: -2.0}, {8: -2.5, 7: -1.5})
    0.5
    """
    best = sorted(first, key=lambda token: -first[token])[:COMPARED]
    last = min(second.values(), default=0.0)
    differences = [
        abs(first[token] - second[token]) if token in second else max(1.0, abs(first[token] - last)) for token in best
    ]
    return float(np.mean(differences)) if differences else 0.0
