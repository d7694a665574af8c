"""The tables of the definitions study; each is written with exactly these columns and types."""

from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.files import Format, parquet, read_parquet, read_table, write_table
from relprobe.stats.schemas import CONTRASTS, with_groups

TASKS = ("w2d", "d2w")
"""Match word to definition, match definition to word (section 2.2)."""
TASK_NAMES = {"w2d": "word to definition", "d2w": "definition to word"}
POS = ("noun", "verb", "adjective")
"""The parts of speech that a dictionary may have."""
GUESS = "random"
"""The agent that guesses."""
HUMANS = "humans"
"""The agent of people's answers."""
FEW = 10
"""The most candidates of the groups that people rank (Table 8)."""
SMALL = f"groups of up to {FEW} candidates"
"""The condition of these groups, of all parts of speech."""

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),  # pos:number
        "pos": pl.String(),
        "definition": pl.String(),
        # The words to score with the definition. A pair is a definition with one of its words; pairs are numbered through
        # the table.
        "words": pl.List(pl.String()),
        "questions": pl.UInt32(),  # candidates of all groups whose score is the score of one of these pairs
    }
)

SCORES = pl.Schema(
    {
        "probe_id": pl.String(),
        "pattern": pl.String(),
        # A value per word of the probe; null where the model's vocabulary cannot write the word.
        "logprobs": pl.List(pl.Float32()),  # natural log of the whole word's probability
        "first": pl.List(pl.Float32()),  # natural log of its first token's probability
        "tokens": pl.List(pl.UInt16()),
        # Natural log of the whole word's probability and that the word ends there; null where it was not asked for.
        "whole": pl.List(pl.Float32()),
        "inputs": pl.UInt32(),  # different model inputs behind these values
    }
)

Probes = Annotated[pl.DataFrame, parquet(PROBES, "probe_id")]
Scores = Annotated[pl.DataFrame, parquet(SCORES, "probe_id", "pattern")]

GROUPS = pl.Schema(
    {
        "group": pl.String(),  # the target synset, beckon.v.01
        "pos": pl.String(),
        "word": pl.String(),
        "definition": pl.String(),
        "depth": pl.UInt8(),  # synsets on the shortest path to the root; null in own dictionaries
        "family": pl.String(),  # the hypernym whose hyponyms the group consists of, gesticulate.v.01
        # The candidates of each task, as numbers of pairs of PROBES, the right one first; an empty list: there is no choice.
        "w2d": pl.List(pl.UInt32()),
        "d2w": pl.List(pl.UInt32()),
    }
)
Groups = Annotated[pl.DataFrame, parquet(GROUPS, "group")]

_ABOUT = {
    "group": pl.String(),
    "pos": pl.String(),
    "word": pl.String(),
    "depth": pl.UInt8(),
    "family": pl.String(),
    "synsets": pl.UInt16(),  # members of the group, the target among them
    "kept": pl.Boolean(),  # True: it is in the benchmark; False: too few or too many different words or definitions
    "drawn": pl.Boolean(),  # True: averages count it; False: it is not in the sample, or it is asked as a named target alone
    "w2d": pl.UInt16(),  # candidates of the task; null: there is no choice, or the group is not in the benchmark
    "d2w": pl.UInt16(),
}


def read_properties(path: Path) -> pl.DataFrame:
    """Read a table of PROPERTIES, which may have further columns. DataError: it lacks one of these, or is damaged."""
    table = read_parquet(path)
    return table if PROPERTIES.items() <= table.schema.items() else read_table(path, PROPERTIES)


def write_properties(table: pl.DataFrame, path: Path) -> None:
    """Write a table of PROPERTIES with the columns that analyses have added."""
    write_table(table, pl.Schema({**table.schema, **PROPERTIES}), path)


BENCHMARK = pl.Schema({**_ABOUT, "definition": pl.String()})
"""A row per group with enough synsets, whether it is in the benchmark and in this run's sample or not."""
Benchmark = Annotated[pl.DataFrame, parquet(BENCHMARK, "group")]

PROPERTIES = pl.Schema(
    {
        **_ABOUT,
        "uses": pl.Float64(),  # of the word: in the file of counts, or in a billion words; null: unknown
        "joined": pl.Float64(),  # the same in a billion words, if a phrase is as frequent as wordfreq joins its words
        "tokens": pl.UInt8(),  # of the word, as NLTK counts them
    }
)
"""The groups of BENCHMARK with what the conditions of the results depend on; analyses add columns (`describe`)."""
Properties = Annotated[pl.DataFrame, Format(read_properties, write_properties)]

WORDS = pl.Schema({"word": pl.String(), "uses": pl.Float64()})
"""The words of all candidates and of their definitions, and their uses; null: unknown."""
Words = Annotated[pl.DataFrame, parquet(WORDS, "word")]

REPLY_CHOICES = pl.Schema(
    {
        "task": pl.String(),
        "group": pl.String(),
        "candidates": pl.UInt16(),  # the number of candidates of the task, of which those shown may be a sample
        "shown": pl.List(pl.String()),  # the candidates in the order in which they were shown
        "order": pl.UInt8(),  # the number of that order, from 1
        "sample": pl.UInt8(),  # from 1
        "text": pl.String(),  # the reply
        "choice": pl.String(),  # one of the candidates, or "" for no choice
        "right": pl.Boolean(),
    }
)
"""What a model that only chats has chosen."""
ReplyChoices = Annotated[pl.DataFrame, parquet(REPLY_CHOICES, "task", "group", "order", "sample", per_agent=True)]

RESPONSES = pl.Schema(
    {
        "task": pl.String(),
        "group": pl.String(),
        "candidates": pl.UInt16(),
        "better": pl.UInt16(),  # candidates that score higher than the right one
        "tied": pl.UInt16(),  # others that score as high as the right one; of people's answers, all that were not ranked
        # Of the right candidate, its place among those with its score drawn; 1 is the best. Null: a person did not rank it.
        "rank": pl.UInt16(),
        "answer": pl.String(),  # the candidate ranked first: a definition (W2D) or a word (D2W)
    }
)
"""A row per task and group, and of people one per participant."""
Responses = Annotated[pl.DataFrame, parquet(RESPONSES, per_agent=True)]

METRICS = pl.Schema(
    {
        "metric": pl.String(),
        "condition": pl.String(),
        "unit": pl.String(),  # the group
        "cluster": pl.String(),  # its family
        "value": pl.Float64(),
    }
)
"""A row per metric, condition and unit, and of people one per participant."""
Metrics = Annotated[pl.DataFrame, parquet(METRICS, per_agent=True)]

TASK_CONTRASTS = with_groups(CONTRASTS, METRICS, ["condition"])
TaskContrasts = Annotated[pl.DataFrame, parquet(TASK_CONTRASTS, "agent", "metric", "condition")]

BENCHMARK_GROUPS, SAMPLE_GROUPS = "the benchmark", "this run's sample"
SIZES = pl.Schema(
    {
        "groups_of": pl.String(),  # "at least 5 synsets" (`enough`), BENCHMARK_GROUPS or, if groups are drawn, SAMPLE_GROUPS
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
Sizes = Annotated[pl.DataFrame, parquet(SIZES, "groups_of", "condition")]


def enough(minimum: int) -> str:
    """Return the name of all groups with as many synsets as a group of the benchmark must have candidates.

    >>> enough(5)
    'at least 5 synsets'
    """
    return f"at least {minimum} synsets"
