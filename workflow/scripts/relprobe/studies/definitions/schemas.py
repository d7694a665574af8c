"""The tables of the definitions study; each is written with exactly these columns and types."""

import polars as pl

from relprobe.core.units import AVERAGES, TESTS, UNITS
from relprobe.studies.definitions.requests import PROBES

__all__ = ["AVERAGES", "GROUPS", "PROBES", "RESPONSES", "SIZES", "TESTS", "UNITS"]

GROUPS = pl.Schema(
    {
        "group": pl.String(),  # the target synset, beckon.v.01
        "pos": pl.String(),
        "word": pl.String(),
        "definition": pl.String(),
        "depth": pl.UInt8(),  # synsets on the shortest path to the root
        "zipf": pl.Float32(),  # log10 of the word's uses in a billion words
        # The candidates of the two tasks, as numbers of pairs of PROBES, the right one first; none if there is no choice.
        "w2d": pl.List(pl.UInt32()),
        "d2w": pl.List(pl.UInt32()),
    }
)

RESPONSES = pl.Schema(
    {
        "task": pl.String(),
        "group": pl.String(),
        "candidates": pl.UInt16(),
        "rank": pl.UInt16(),  # of the right candidate, 1 is best
        "answer": pl.String(),  # the candidate ranked first: a definition (W2D) or a word (D2W)
    }
)

SIZES = pl.Schema(
    {
        "groups_of": pl.String(),  # WordNet (before duplicates count), all (the benchmark), this run (its sample)
        "condition": pl.String(),
        "groups": pl.UInt32(),
        "candidates": pl.Float64(),  # synsets in a group, on average
        "smallest": pl.UInt16(),
        "largest": pl.UInt16(),
        "w2d_candidates": pl.Float64(),  # different definitions, on average
        "d2w_candidates": pl.Float64(),  # different words
        "w2d_random": pl.Float64(),  # P@1 expected of a guess: the average of 1 / candidates
        "d2w_random": pl.Float64(),
    }
)
