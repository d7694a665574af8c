"""The tables of the analogies study; each is written with exactly these columns and types."""

from typing import Annotated, Literal

import polars as pl
import pyarrow as pa

from relprobe.core.files import parquet
from relprobe.sources.bats import PAIRS
from relprobe.stats.schemas import CONTRASTS, LAYER_COLUMNS, with_groups

ANALOGY = ("h1", "t1", "h2", "t2")
"""The places of an analogy: head and tail of the query, head and tail of the other tuple."""
PROBE_TYPES = ("random_head", "random_tail", "reverse", "type")
"""How a negative tuple misses the relation (section 2.2); method.py says what each means."""
SETTINGS = ("supervised", "unsupervised")
Partition = Literal["train", "test"]
"""A part of the tuples of a relation."""

ANALOGIES = pl.Schema(
    {
        **PAIRS,
        "group": pl.String(),  # of the relation, such as ES
        "marks": pl.String(),  # MANY, BIDIRECTIONAL, both or none
    }
)
"""Pairs of words by relation: those of BATS, or a user's own."""

TUPLES = pl.Schema(
    {
        "relation": pl.String(),  # BATS' code, such as E01
        "name": pl.String(),
        "group": pl.String(),  # of the relation: ES, LS, DM or IM in BATS
        "draw": pl.Int64(),  # number of the split, from 1; every draw has all tuples
        "partition": pl.String(),  # train or test
        "head": pl.String(),
        "tail": pl.String(),  # the first of the answers
        "answers": pl.List(pl.String()),
        "family": pl.String(),  # the first of the tuples that are linked to this one by words that they share
        "marks": pl.String(),  # as in ANALOGIES
    }
)
Tuples = Annotated[pl.DataFrame, parquet(TUPLES, "relation", "draw", "head")]

INSTANCES = pl.Schema(
    {
        "relation": pl.String(),
        "draw": pl.Int64(),
        "partition": pl.String(),
        "probe": pl.String(),  # one of PROBE_TYPES
        "query_head": pl.String(),
        "query_tail": pl.String(),
        "head": pl.String(),  # of the positive tuple
        "tail": pl.String(),
        "negative_head": pl.String(),
        "negative_tail": pl.String(),
        "instead_of": pl.String(),  # a control: the right query (head : tail), in whose place stands one of two other tuples
    }
)
"""A query with a positive and a negative tuple: a choice of the unsupervised setting, two examples of the supervised one."""
Instances = Annotated[pl.DataFrame, parquet(INSTANCES)]

PROBES = pl.Schema(
    {
        "relation": pl.String(),
        "partition": pl.String(),
        "text": pl.String(),
        **{slot: pl.String() for slot in ANALOGY},  # the words
    }
)
"""The different sentences of the study: a row per relation, partition and text."""
Probes = Annotated[pl.DataFrame, parquet(PROBES, "relation", "partition", "text")]

SCORES = pa.schema(
    [
        ("text", pa.string()),
        ("logprob", pa.float64()),  # natural log, summed over the tokens that have a probability
        ("tokens", pa.int32()),  # how many tokens have one
    ]
)
Scores = Annotated[pl.DataFrame, parquet(pl.DataFrame(SCORES.empty_table()).schema, "text")]

EMBEDDINGS = pa.schema(
    [
        ("relation", pa.string()),
        ("text", pa.string()),
        *((slot, pa.list_(pa.float32())) for slot in ANALOGY),
    ]
)

DECISIONS = pl.Schema(
    {
        "setting": pl.String(),
        "relation": pl.String(),
        "probe": pl.String(),
        "draw": pl.Int64(),
        "query": pl.String(),  # head : tail
        "tuple": pl.String(),  # head : tail of the positive tuple of the instance
        "head": pl.String(),  # of the tuple that is judged; of the positive tuple in the unsupervised setting
        "tail": pl.String(),
        "label": pl.Boolean(),  # supervised: whether the tuple is in the relation
        "value": pl.Float64(),  # 1 right, 0 wrong, 1/2 undecided; a mean over seeds, or answers in words; null: no vector
        "instead_of": pl.String(),  # a control: the right query, as in INSTANCES
    }
)
Decisions = Annotated[pl.DataFrame, parquet(DECISIONS, per_agent=True)]

REPLY_CHOICES = pl.Schema(
    {
        "probe": pl.String(),
        "query": pl.String(),  # head : tail
        "tuple": pl.String(),  # of the right pair
        "negative": pl.String(),  # of the wrong one
        "shown": pl.List(pl.String()),  # both pairs in the order in which they were shown
        "order": pl.UInt8(),  # the number of that order, from 1
        "sample": pl.UInt8(),  # from 1
        "text": pl.String(),  # the reply
        "choice": pl.String(),  # one of the pairs, or "" for no choice
        "right": pl.Boolean(),
    }
)
"""What an agent that answers in words has chosen."""
ReplyChoices = Annotated[
    pl.DataFrame, parquet(REPLY_CHOICES, "probe", "query", "tuple", "negative", "order", "sample", per_agent=True)
]

METRICS = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),  # a relation, a group of relations, …
        "unit": pl.String(),  # a tuple, with its relation
        "cluster": pl.String(),  # under a relation: the tuple's family; under a group: the relation
        "value": pl.Float64(),
    }
)
Metrics = Annotated[pl.DataFrame, parquet(METRICS, "metric", "condition", "unit", per_agent=True)]

LAYER_METRICS = pl.Schema({**LAYER_COLUMNS, **METRICS})
"""The metrics of the classifiers of an agent with `layers`; a metric is a probe."""
LayerMetrics = Annotated[pl.DataFrame, parquet(LAYER_METRICS, "layer", "metric", "condition", "unit", per_agent=True)]

CONTRASTS_OF_CONDITIONS = with_groups(CONTRASTS, METRICS, ["condition"])
Contrasts = Annotated[pl.DataFrame, parquet(CONTRASTS_OF_CONDITIONS, "agent", "metric", "condition", "a", "b")]
