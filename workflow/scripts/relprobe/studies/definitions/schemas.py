"""The tables of the definitions study; each is written with exactly these columns and types."""

import polars as pl

from relprobe.core.inference_schemas import AVERAGES, CONTRASTS, TESTS, with_groups
from relprobe.studies.definitions.requests import PROBES, SCORES

__all__ = [
    "AVERAGES",
    "GROUPS",
    "GUESS",
    "PROBES",
    "RESPONSES",
    "SCORES",
    "SIZES",
    "TASKS",
    "TASK_CONTRASTS",
    "TESTS",
    "VALUES",
]

TASKS = ("w2d", "d2w")
"""Match word to definition, match definition to word (section 2.2)."""
GUESS = "random"
"""The agent that guesses."""

GROUPS = pl.Schema(
    {
        "group": pl.String(),  # the target synset, beckon.v.01
        "pos": pl.String(),
        "word": pl.String(),
        "definition": pl.String(),
        "depth": pl.UInt8(),  # synsets on the shortest path to the root
        "zipf": pl.Float32(),  # log10 of the word's uses in a billion words
        "family": pl.String(),  # the hypernym whose hyponyms the group consists of (build.py), gesticulate.v.01
        # The candidates of each task, as numbers of pairs of PROBES, the right one first; an empty list: there is no choice.
        "w2d": pl.List(pl.UInt32()),
        "d2w": pl.List(pl.UInt32()),
    }
)

RESPONSES = pl.Schema(
    {
        "task": pl.String(),
        "group": pl.String(),
        "candidates": pl.UInt16(),
        "rank": pl.UInt16(),  # of the right candidate; 1 is the best
        "answer": pl.String(),  # the candidate ranked first: a definition (W2D) or a word (D2W)
    }
)

VALUES = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),
        "unit": pl.String(),  # the group
        "cluster": pl.String(),  # its family
        "value": pl.Float64(),
    }
)
TASK_CONTRASTS = with_groups(CONTRASTS, VALUES, ["condition"])

SIZES = pl.Schema(
    {
        "groups_of": pl.String(),  # "at least five synsets", "the benchmark" or, if groups are drawn, "this run's sample"
        "condition": pl.String(),
        "groups": pl.UInt32(),
        "families": pl.UInt32(),
        "effective_families": pl.Float64(),  # the number of families of one size that would count as much
        "candidates": pl.Float64(),  # synsets in a group, mean
        "smallest": pl.UInt16(),
        "largest": pl.UInt16(),
        "w2d_candidates": pl.Float64(),  # different definitions, mean
        "d2w_candidates": pl.Float64(),  # different words, mean
        "w2d_random": pl.Float64(),  # expected P@1 of a guess: the mean of 1 / candidates
        "d2w_random": pl.Float64(),
    }
)
