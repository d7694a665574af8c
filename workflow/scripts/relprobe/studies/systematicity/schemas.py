"""The tables of the systematicity study; each is written with exactly these columns and types."""

import polars as pl

from relprobe.sources.systematicity import ITEMS
from relprobe.stats.schemas import AVERAGES, CONTRASTS, TESTS, with_groups
from relprobe.studies.systematicity.ask.requests import CONTEXTS, EMBEDDINGS, PROBES, SCORES

__all__ = [
    "AVERAGES",
    "CONTEXTS",
    "DETECTIONS",
    "EMBEDDINGS",
    "INPUTS",
    "ITEMS",
    "MAJORITY",
    "METRICS",
    "OCCURRENCES",
    "OWN_CONTRASTS",
    "PAIRS",
    "PARTS",
    "PATTERNS",
    "PROBES",
    "SCORES",
    "SETS",
    "TESTS",
]

MAJORITY = "majority"
"""The agent that always gives the most frequent answer (baselines.py)."""

SETS = ("diagnostic", "extended", "wordnet", "own")
"""The sets of items, in the order of the report: the two released ones, the one that is built from WordNet, a user's own."""
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
        "category": pl.String(),  # the hyponym's own category, which is the hypernym of its true pair
        "seed": pl.Int64(),  # that of the classifier
        "p": pl.Float64(),  # the classifier's probability of hypernymy
    }
)

METRICS = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),  # a set of items, or the setting of the classifier
        "unit": pl.String(),  # the hyponym, or the fold and the pair
        "cluster": pl.String(),  # the category of the hyponym
        "value": pl.Float64(),
    }
)
OCCURRENCES = pl.Schema(
    {
        "pattern": pl.String(),
        "hyponym": pl.String(),
        "category": pl.String(),  # its own
        "count": pl.UInt32(),  # in the corpus
    }
)
PATTERNS = pl.Schema(
    {
        "set": pl.String(),
        "agent": pl.String(),
        "pairs_in": pl.UInt32(),  # hyponyms that the corpus holds in a pattern with their category
        "recognised_in": pl.Float64(),  # the share of them whose category is right in the singular
        "recognised_in_low": pl.Float64(),  # its 95 % interval (Wilson)
        "recognised_in_high": pl.Float64(),
        "pairs_out": pl.UInt32(),  # the other hyponyms
        "recognised_out": pl.Float64(),
        "recognised_out_low": pl.Float64(),
        "recognised_out_high": pl.Float64(),
    }
)
OWN_CONTRASTS = with_groups(CONTRASTS, METRICS, ["condition"])
