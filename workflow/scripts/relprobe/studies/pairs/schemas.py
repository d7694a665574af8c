"""The tables of the pairs study; each is written with exactly these columns and types."""

from typing import Annotated

import polars as pl

from relprobe.core.files import parquet
from relprobe.stats.schemas import AVERAGES, LAYER_COLUMNS, with_groups

RIGHT, REVERSED = "right", "reversed"
"""The kinds of a pair that is related, and of the same pair turned round."""
ALL = "all"
"""All foils of a target together, whatever their kinds."""

ITEMS = pl.Schema(
    {
        "set": pl.String(),  # wordnet, hyperlex or own
        "condition": pl.String(),  # what averages are over: the relation and, but for wordnet, its set
        "relation": pl.String(),  # whose prompts ask about the pair
        "target": pl.String(),  # whose pairs are ranked together
        "first": pl.String(),  # the two words of the pair: is FIRST a kind of SECOND?
        "second": pl.String(),
        "kind": pl.String(),  # right, or the kind of foil; of own pairs what the file says
        "label": pl.Boolean(),  # whether the pair is related; null: it has ratings alone, or its raters are of two minds
        "rating": pl.Float64(),  # the mean of people's ratings; null: it has none
        "spread": pl.Float64(),  # their standard deviation, as the source prints it or as single ratings have it
        "part": pl.String(),  # of the published split: training, dev or test; null: there is none
    }
)
Items = Annotated[pl.DataFrame, parquet(ITEMS, "condition", "target", "first", "second")]

RATERS = pl.Schema(
    {
        "condition": pl.String(),
        "first": pl.String(),
        "second": pl.String(),
        "rater": pl.String(),  # null: the source does not say whose rating it is
        "rating": pl.Float64(),
    }
)
"""The single ratings of people: numbers of a scale, or 1 for yes and 0 for no."""
Raters = Annotated[pl.DataFrame, parquet(RATERS)]

KNOWN = pl.Schema({"relation": pl.String(), "target": pl.String(), "relatum": pl.String()})
"""What the resource knows of the relations, of all of its words: what the control typical has read."""
Known = Annotated[pl.DataFrame, parquet(KNOWN, "relation", "target", "relatum")]

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),  # the prompt and the two words, of which one or both may be empty: nothing stands there
        "relation": pl.String(),
        "prompt": pl.String(),
        "first": pl.String(),
        "second": pl.String(),
        "statement": pl.String(),  # the prompt about the first word, which ends in a slot for the second
        "candidate": pl.String(),  # what stands in the slot: the second word, or the word for nothing
        "sentence": pl.String(),  # the statement with both words
        "first_start": pl.UInt16(),  # start and stop of the words in the sentence, in characters
        "first_stop": pl.UInt16(),
        "second_start": pl.UInt16(),
        "second_stop": pl.UInt16(),
        "question": pl.String(),  # the same as a question, which yes or no answers
    }
)
Probes = Annotated[pl.DataFrame, parquet(PROBES, "probe_id")]

SCORES = pl.Schema({"probe_id": pl.String(), "values": pl.List(pl.Float32())})
Scores = Annotated[pl.DataFrame, parquet(SCORES)]

JUDGMENTS = pl.Schema(
    {
        "agent": pl.String(),  # a model and its judge, such as "smollm2-135m pmi", or a control
        "relation": pl.String(),
        "prompt": pl.String(),  # "" for an agent that reads none
        "first": pl.String(),
        "second": pl.String(),
        "score": pl.Float64(),  # the larger, the surer the agent is that the pair is related; null: it cannot judge it
        "probability": pl.Float64(),  # of yes, of an agent that says yes or no; else null
    }
)
Judgments = Annotated[pl.DataFrame, parquet(JUDGMENTS, "agent", "prompt", "relation", "first", "second")]

METRICS = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "condition": pl.String(),
        "foils": pl.String(),  # the kind of the foils that a target's pairs are ranked against, or all of them
        "unit": pl.String(),  # a target, or a pair "first:second"
        "prompt": pl.String(),
        "value": pl.Float64(),
    }
)
Metrics = Annotated[pl.DataFrame, parquet(METRICS, "agent", "metric", "condition", "foils", "unit", "prompt")]

GROUPS = ("condition", "foils")
"""The columns that divide the values."""
PAIR_AVERAGES = with_groups(AVERAGES, METRICS, GROUPS)
PairAverages = Annotated[pl.DataFrame, parquet(PAIR_AVERAGES)]

LAYER_METRICS = pl.Schema({**LAYER_COLUMNS, **{name: kind for name, kind in METRICS.items() if name != "agent"}})
"""The metrics of the judge `embedding` after each layer of an agent with `layers`, whose name is that of the file."""
LayerMetrics = Annotated[
    pl.DataFrame, parquet(LAYER_METRICS, "layer", "metric", "condition", "foils", "unit", "prompt", per_agent=True)
]

LINKS = pl.Schema({"condition": pl.String(), "unit": pl.String(), "link": pl.String()})
"""What items share: a target has its right words, and a pair its two words."""
Links = Annotated[pl.DataFrame, parquet(LINKS, "condition", "unit", "link")]

REPLY_CHOICES = pl.Schema(
    {
        "task": pl.String(),  # judge, pick or rate
        "condition": pl.String(),  # of pick; "" else, as a pair may stand under several
        "relation": pl.String(),
        "first": pl.String(),  # the target
        "second": pl.String(),  # the other word of the pair; of pick the right one
        "shown": pl.List(pl.String()),  # the options in the order in which they were shown; of rate none
        "order": pl.UInt8(),  # the number of that order, from 1
        "sample": pl.UInt8(),  # from 1
        "text": pl.String(),  # the reply
        "choice": pl.String(),  # an option, or a number of the scale as it is written; "" for an unreadable reply
    }
)
ReplyChoices = Annotated[
    pl.DataFrame,
    parquet(REPLY_CHOICES, "task", "condition", "relation", "first", "second", "order", "sample", per_agent=True),
]

CEILING = pl.Schema(
    {
        "condition": pl.String(),
        "pairs": pl.UInt32(),
        "people": pl.Float64(),  # mean number of ratings of a pair
        "pairwise": pl.Float64(),  # mean Spearman's rho of two raters or, where they have no names, of two single ratings
        "one_with_rest": pl.Float64(),  # mean Spearman's rho of a single rating with the mean of the others
        "split_half": pl.Float64(),  # mean Spearman's rho between the means of random halves of the ratings
        "reliability": pl.Float64(),  # of all ratings together, by Spearman and Brown
        "ceiling": pl.Float64(),  # √reliability: the rho with the means that judgments without noise can expect
        "note": pl.String(),  # the reason why these are missing
    }
)
"""How well people agree; the paper of HyperLex has pairwise and one_with_rest as its two inter-annotator agreements."""
Ceilings = Annotated[pl.DataFrame, parquet(CEILING, "condition")]
