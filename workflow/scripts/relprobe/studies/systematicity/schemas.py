"""The tables of the systematicity study; each is written with exactly these columns and types."""

import polars as pl

from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.requests import CONTEXTS, EMBEDDINGS, PROBES, SCORES

__all__ = ["CONTEXTS", "DETECTIONS", "EMBEDDINGS", "INPUTS", "ITEMS", "PAIRS", "PARTS", "PROBES", "SCORES", "SETS"]

SETS = ("diagnostic", "extended", "wordnet")
"""The sets of items, in the order of the report: the two released ones, and the one that is built from WordNet."""
PARTS = ("train", "dev", "test")
"""The parts of a fold."""
INPUTS = {"full": "", "partial": ", hypernym alone"}
"""Input of the classifier -> what the report adds to the name of an agent: both words, or the hypernym alone (section 4)."""

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
        "input": pl.String(),  # one of INPUTS
        "hyponym": pl.String(),
        "hypernym": pl.String(),
        "label": pl.UInt8(),
        "p": pl.Float64(),  # the classifier's probability of hypernymy
    }
)
