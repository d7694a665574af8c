"""The tables of the degrees study; each is written with exactly these columns and types."""

from typing import Annotated

import polars as pl

from relprobe.core.files import parquet
from relprobe.stats.schemas import LAYER_COLUMNS

GOLD = pl.Schema(
    {
        "subcategory": pl.String(),  # number and letter, such as 1a
        "relation_class": pl.String(),
        "training": pl.Boolean(),
        "pair": pl.String(),  # x:y
        "reverses": pl.String(),  # the pair whose words the authors exchanged to get this one
        "rating": pl.Float64(),  # percentage of answers: most minus least illustrative, to one decimal
        "name": pl.String(),  # of the subcategory, such as Functional
    }
)
Gold = Annotated[pl.DataFrame, parquet(GOLD, "subcategory", "pair")]

QUESTIONS = pl.Schema(
    {
        "subcategory": pl.String(),
        "pairs": pl.List(pl.String()),  # the four pairs of the question
        "least": pl.List(pl.String()),  # the choices of the majority: one pair, or several that tie
        "most": pl.List(pl.String()),
        "answers": pl.UInt16(),
    }
)
Questions = Annotated[pl.DataFrame, parquet(QUESTIONS, "subcategory", "pairs")]

PROBES = pl.Schema(
    {
        "subcategory": pl.String(),
        "pair": pl.String(),
        "paradigm": pl.Boolean(),
        "text": pl.String(),  # the relation schema about the pair, such as "hammer functions as tool"
        "x_start": pl.UInt16(),  # start and stop of the pair's words in the text, in characters
        "x_stop": pl.UInt16(),
        "y_start": pl.UInt16(),
        "y_stop": pl.UInt16(),
        "analogy": pl.String(),  # the other paradigms, and a slot for the pair; null for a pair that is only a paradigm
    }
)
Probes = Annotated[pl.DataFrame, parquet(PROBES, "subcategory", "pair")]

SCORES = pl.Schema({"probe_id": pl.String(), "values": pl.List(pl.Float32())})
Scores = Annotated[pl.DataFrame, parquet(SCORES)]

RATINGS = pl.Schema(
    {
        "agent": pl.String(),  # a model and its rater, such as "smollm2-135m schema", or a baseline
        "subcategory": pl.String(),
        "pair": pl.String(),
        "rating": pl.Float64(),  # null if the agent does not know the words
    }
)
Ratings = Annotated[pl.DataFrame, parquet(RATINGS, "agent", "subcategory", "pair")]

MAXDIFF_ANSWERS = pl.Schema(
    {
        "subcategory": pl.String(),
        "pairs": pl.List(pl.String()),  # the question, as in QUESTIONS
        "least": pl.String(),  # one of its pairs, or "" for no choice
        "most": pl.String(),
    }
)
"""An agent's own answers to MaxDiff questions."""

REPLY_CHOICES = pl.Schema(
    {
        "subcategory": pl.String(),
        "pairs": pl.List(pl.String()),  # the question, as in QUESTIONS
        "shown": pl.List(pl.String()),  # its pairs in the order in which they were shown
        "order": pl.UInt8(),  # the number of that order, from 1, which is the order of the task
        "sample": pl.UInt8(),  # from 1
        "text": pl.String(),  # the reply
        "least": pl.String(),  # one of the pairs, or "" for no choice
        "most": pl.String(),
    }
)
ReplyChoices = Annotated[
    pl.DataFrame, parquet(REPLY_CHOICES, "subcategory", "pairs", "order", "sample", per_agent=True)
]

TRAINING = "training"
"""The condition of the training subcategories; the condition of a test subcategory is its relation class."""
METRICS = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),  # the relation class of a test subcategory, or TRAINING
        "unit": pl.String(),  # a subcategory or, for the error of reversals, a reversed pair
        "cluster": pl.String(),  # the subcategory
        "value": pl.Float64(),
    }
)
Metrics = Annotated[pl.DataFrame, parquet(METRICS, "agent", "metric", "unit")]

LAYER_METRICS = pl.Schema({**LAYER_COLUMNS, **{name: kind for name, kind in METRICS.items() if name != "agent"}})
"""The metrics of the rater `hidden` of an agent with `layers`; the agent is the name of the file."""
LayerMetrics = Annotated[pl.DataFrame, parquet(LAYER_METRICS, "layer", "metric", "unit", per_agent=True)]

CEILING = pl.Schema(
    {
        "subcategory": pl.String(),
        "condition": pl.String(),  # as in METRICS
        "reversals": pl.Boolean(),  # whether the reversed pairs, and questions about them, take part
        "pairs": pl.UInt32(),
        "people": pl.Float64(),  # mean number of answers to a question
        "split_half": pl.Float64(),  # mean Spearman's rho between the ratings of random halves of the answers
        "reliability": pl.Float64(),  # of all answers together, by Spearman and Brown
        "ceiling": pl.Float64(),  # √reliability: the rho with the gold ratings that ratings without noise can expect
        "note": pl.String(),  # the reason why these are missing
        "annotator_maxdiff": pl.Float64(),  # per cent of one person's choices that are those of the others' majority
    }
)
Ceilings = Annotated[pl.DataFrame, parquet(CEILING, "subcategory", "reversals")]
