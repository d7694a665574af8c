"""The tables of the systematicity study; each is written with exactly these columns and types."""

import polars as pl

from relprobe.sources.systematicity import ITEMS
from relprobe.systematicity.requests import CHOICES, CONTEXTS, EMBEDDINGS, PROBES
from relprobe.units import UNITS

__all__ = ["CHOICES", "CONTEXTS", "DETECTIONS", "EMBEDDINGS", "ITEMS", "PAIRS", "PROBES", "RESPONSES", "UNITS"]

PAIRS = pl.Schema(
    {
        "setting": pl.String(),  # seen or unseen: whether the test's hypernyms occur in training
        "fold": pl.UInt8(),
        "part": pl.String(),  # train, dev, test
        "hyponym": pl.String(),
        "hypernym": pl.String(),
        "label": pl.UInt8(),  # 1: it is the hyponym's hypernym
        "hyponym_context": pl.UInt32(),  # numbers of CONTEXTS
        "hypernym_context": pl.UInt32(),
    }
)

RESPONSES = pl.Schema(
    {
        "probe_id": pl.String(),
        "method": pl.String(),  # open: the vocabulary's first words; slot, sentence: all candidates
        "words": pl.List(pl.String()),  # open: best first; else in the probe's order
        "scores": pl.List(pl.Float32()),  # natural-log probabilities; cosines of the static vectors
        "unknown": pl.List(pl.String()),  # open: candidates that are no one word of the vocabulary
    }
)

DETECTIONS = pl.Schema(
    {
        "setting": pl.String(),
        "fold": pl.UInt8(),
        "input": pl.String(),  # full, or partial: the hypernym alone
        "hyponym": pl.String(),
        "hypernym": pl.String(),
        "label": pl.UInt8(),
        "p": pl.Float64(),  # the classifier's probability of hypernymy
    }
)
