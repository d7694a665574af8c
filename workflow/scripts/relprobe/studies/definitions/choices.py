"""What the paper leaves open, and other readings of what it says: how scores are read, and how equal ones rank."""

from dataclasses import dataclass
from typing import Literal

Reading = Literal["first", "sum", "mean", "whole"]
"""What is taken of the tokens of a word: the first, all, their mean, or all and the word's end."""
Ties = Literal["expected", "drawn"]
SEED = 1
"""Seed of the order among candidates with equal scores, which is the same for all agents."""


@dataclass(frozen=True)
class Choices:
    """How the scores of a model are read in D2W, and what equal scores count as. The defaults are the paper's way.

    `causal_d2w`, `masked_d2w`: how D2W reads the tokens of a word; a model that is not masked is read as a causal one.
    `patterns`: "scores" averages probabilities over the patterns, and logs only for the mean token; "logs" averages logs
    everywhere. `ties`: "expected" takes the mean over all orders of equal scores; "drawn" ranks them in an order drawn once
    for all agents.
    """

    causal_d2w: Reading = "first"
    masked_d2w: Reading = "mean"
    patterns: Literal["scores", "logs"] = "scores"
    ties: Ties = "expected"

    def d2w(self, *, masked: bool) -> Reading:
        """Return how D2W reads the tokens for one type of model."""
        return self.masked_d2w if masked else self.causal_d2w


PAPER = Choices()
