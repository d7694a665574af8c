"""The tables of the systematicity study; each is written with exactly these columns and types."""

import polars as pl

from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.requests import CONTEXTS, EMBEDDINGS, PROBES, RESPONSES

__all__ = ["CONTEXTS", "DETECTIONS", "EMBEDDINGS", "ITEMS", "PAIRS", "PROBES", "RESPONSES", "SETS"]

SETS = ("diagnostic", "extended", "wordnet")
"""The sets of items, in the order of the report: the two released ones, and the one that is built."""

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
