"""The tables of the systematicity study; each is written with exactly these columns and types."""

from typing import Annotated

import polars as pl

from relprobe.core.files import parquet
from relprobe.sources.systematicity import ITEMS
from relprobe.stats.schemas import CONTRASTS, LAYER_COLUMNS, with_groups

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),  # set:kind:hyponym; with :prompt if it is not main
        "set": pl.String(),
        "kind": pl.String(),  # singular, plural, contextual, control_singular, control_plural
        "prompt": pl.String(),  # its id; of contextual probes the reading of the sentence; of controls ""
        "main": pl.Boolean(),  # false: another prompt or reading, which is asked beside the main one
        "hyponym": pl.String(),
        "word": pl.String(),  # the hyponym in the number that the text has it in
        "text": pl.String(),  # with one slot [V]
        "candidates": pl.List(pl.String()),  # the categories, in the number that the text asks for
        "texts": pl.List(
            pl.String()
        ),  # one per candidate, where the text holds the candidate beside the slot; else empty
    }
)

Probes = Annotated[pl.DataFrame, parquet(PROBES, "probe_id")]

CONTEXTS = pl.Schema(
    {
        "context": pl.UInt32(),
        "word": pl.String(),
        "text": pl.String(),
        "start": pl.UInt32(),  # of the word, in characters
        "stop": pl.UInt32(),
    }
)

Contexts = Annotated[pl.DataFrame, parquet(CONTEXTS, "context")]

SCORES = pl.Schema(
    {
        "probe_id": pl.String(),
        "method": pl.String(),  # open: the first words of the vocabulary; slot, sentence: all candidates, in their order
        "words": pl.List(pl.String()),  # open: best first; a token that starts no word stands as "##token"
        "scores": pl.List(pl.Float32()),  # natural-log probabilities; cosines of static vectors
        "tokens": pl.List(pl.UInt16()),  # slot, sentence: of each candidate's sum
        "unknown": pl.List(pl.String()),  # open: candidates that are no word of the vocabulary
    }
)

Scores = Annotated[pl.DataFrame, parquet(SCORES)]
"""A probe with a text per candidate has a row per candidate, all with the same method."""

EMBEDDINGS = pl.Schema({"context": pl.UInt32(), "vector": pl.List(pl.Float32())})

Embeddings = Annotated[pl.DataFrame, parquet(EMBEDDINGS, "context")]

MAJORITY = "majority"
"""The agent that always gives the most frequent answer (baselines.py)."""
NEAREST = "nearest"
"""The agent that answers with the category of the most similar of the other hyponyms (baselines.py)."""

SETS = ("diagnostic", "extended", "wordnet", "own")
"""The sets of items, in the order of the report: the two released ones, the one that is built from WordNet, a user's own."""
PARTS = ("train", "dev", "test")
"""The parts of a fold."""
INPUTS = {"full": "", "partial": ", hypernym alone"}
"""Input of the classifier -> what the report adds to the name of an agent: both words, or the hypernym alone (section 4)."""

Items = Annotated[pl.DataFrame, parquet(ITEMS, "set", "hyponym")]

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
Pairs = Annotated[pl.DataFrame, parquet(PAIRS)]

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
Detections = Annotated[
    pl.DataFrame, parquet(DETECTIONS, "setting", "fold", "input", "seed", "hyponym", "hypernym", per_agent=True)
]

DETECTION = pl.Schema(
    {
        "setting": pl.String(),
        "agent": pl.String(),
        "input": pl.String(),  # one of INPUTS, or "none" of the majority baseline
        "accuracy": pl.Float64(),  # mean over folds and seeds
        "sd": pl.Float64(),  # standard deviation over the folds
        "folds": pl.UInt32(),
        "sd_seeds": pl.Float64(),  # standard deviation over the seeds
        "seeds": pl.UInt32(),
        "pairs": pl.UInt32(),
        "false_positives": pl.Float64(),  # the share of the errors in which a pair is taken for hypernymy
        "errors": pl.Float64(),  # per seed
        "low": pl.Float64(),  # lower bound of the 95 % interval of the mean over pairs
        "high": pl.Float64(),
        "categories": pl.UInt32(),
    }
)
"""The accuracy of each agent's classifiers (Table 4)."""
Detection = Annotated[pl.DataFrame, parquet(DETECTION, "setting", "agent", "input")]

METRICS = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),  # a set of items, or the setting of the classifier
        "unit": pl.String(),  # the hyponym, or the fold and the pair
        "cluster": pl.String(),  # the category of the hyponym
        "value": pl.Float64(),
    }
)
Metrics = Annotated[pl.DataFrame, parquet(METRICS, "metric", "condition", "unit", per_agent=True)]

LAYER_METRICS = pl.Schema({**LAYER_COLUMNS, **METRICS})
"""The metrics of the classifiers of an agent with `layers`."""
LayerMetrics = Annotated[pl.DataFrame, parquet(LAYER_METRICS, "layer", "metric", "condition", "unit", per_agent=True)]

COMPLETE, VERIFY = "complete", "verify"
"""The tasks of agents that choose as people do: which category completes the sentence, and is a robin a bird."""
VERIFIED = {"singular": "verified_singular", "plural": "verified_plural"}
"""Number -> the metric of agents that are asked whether a hyponym is of a category (`chat.choice_metrics`)."""
REPLY_CHOICES = pl.Schema(
    {
        "question": pl.String(),  # what names it in all of its orders
        "task": pl.String(),  # COMPLETE or VERIFY
        "set": pl.String(),
        "hyponym": pl.String(),
        "kind": pl.String(),  # singular, plural, contextual
        "category": pl.String(),  # about which VERIFY asks, in the singular; of COMPLETE the right one
        "foil": pl.Boolean(),  # whether this category is not that of the hyponym
        "shown": pl.List(pl.String()),  # the options in the order in which they were shown
        "order": pl.UInt8(),  # the number of that order, from 1
        "sample": pl.UInt8(),  # from 1
        "text": pl.String(),  # the reply
        "choice": pl.String(),  # one of the options, or "" for no choice
        "right": pl.Boolean(),
    }
)
"""What an agent with people's task has chosen."""
ReplyChoices = Annotated[pl.DataFrame, parquet(REPLY_CHOICES, "question", "order", "sample", per_agent=True)]

OCCURRENCES = pl.Schema(
    {
        "pattern": pl.String(),
        "hyponym": pl.String(),
        "category": pl.String(),  # its own
        "count": pl.UInt32(),  # in the corpus
    }
)
Occurrences = Annotated[pl.DataFrame, parquet(OCCURRENCES, "pattern", "hyponym", "category")]

OWN_CONTRASTS = with_groups(CONTRASTS, METRICS, ["condition"])
OwnContrasts = Annotated[pl.DataFrame, parquet(OWN_CONTRASTS)]
