"""The trials of a run: one row for each answer of each agent to each question, as programs for mixed models read them."""

import json
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import polars as pl

from relprobe.core.csv_schema import real_number
from relprobe.core.files import Csv, Format, parquet, write_table

TRIALS = pl.Schema(
    {
        "study": pl.String(),
        "agent": pl.String(),
        "task": pl.String(),  # what the agent was asked to do, such as cloze, w2d or singular
        "relation": pl.String(),  # the code of the relation that the question is about
        "relation_name": pl.String(),
        "condition": pl.String(),  # what else divides the questions, such as a part of speech or a kind of probe
        "prompt": pl.String(),  # the code of the prompt
        "prompt_text": pl.String(),  # the prompt in words, in which a dash stands for the target
        "target": pl.String(),  # the word or pair that the question is about
        "item": pl.String(),  # what names the question, the same for all agents
        "respondent": pl.String(),  # which of several answers to the question: of people, their number
        "answer": pl.String(),  # the first answer
        "right": pl.Float64(),  # 1 right, 0 wrong; between them if answers tie, or as the mean of several classifiers
        "probability": pl.Float64(),  # of the first answer, from 0 to 1, no logarithm; of people, its share
        "right_probability": pl.Float64(),  # the same of the best right answer
        "rank": pl.UInt32(),  # of the best right answer; 1 is the best, and answers that tie share the best place
        "candidates": pl.UInt32(),  # how many answers there were to choose from
        "frequency": pl.Float64(),  # of the target: its Zipf value, the logarithm to base 10 per billion words
        "cluster": pl.String(),  # the cluster of the target, whose members share right answers or sources
        "counted": pl.UInt8(),  # 1: the averages of the study count the trial; 0: they do not
        "further": pl.String(),  # what further columns of people's table say, as a JSON object
    }
)
"""The columns of trials. A study leaves missing what it does not have."""
Trials = Annotated[pl.DataFrame, parquet(TRIALS)]
KEY = ("study", "agent", "task", "relation", "condition", "prompt", "item", "respondent")
"""The columns that tell the trials apart."""


FURTHER = "further"
"""The column of a study's trials in whose place those of all studies have the columns that it names."""
AllTrials = Annotated[pl.DataFrame, Format(write=lambda table, path: write_table(table, table.schema, path))]
"""TRIALS without FURTHER, and with the columns that it names."""


class TrialFiles(NamedTuple):
    """The trials of all studies in two files."""

    csv: Csv
    parquet: AllTrials


def trials(study_trials: list[Trials]) -> TrialFiles:
    """Put the trials of some studies one below the other.

    The file parquet keeps the types; the other is for R and for spreadsheets.
    """
    rows = with_further(pl.concat([pl.DataFrame(schema=TRIALS), *study_trials]))
    return TrialFiles(rows, rows)


def with_further(table: Trials) -> pl.DataFrame:
    """Return trials with the further columns of people in the place of FURTHER: numbers where all cells are some.

    >>> rows = pl.DataFrame({"agent": ["people", "people", "gpt2"], "further": ['{"rt": "512"}', '{"rt": ""}', None]})
    >>> with_further(rows).to_dict(as_series=False)
    {'agent': ['people', 'people', 'gpt2'], 'rt': [512.0, None, None]}
    """
    cells = [json.loads(text) if text else {} for text in table[FURTHER]]
    columns = []
    for name in dict.fromkeys(name for row in cells for name in row):
        texts = [row.get(name) or None for row in cells]
        numbers = [None if text is None else real_number(text) for text in texts]
        is_number = all(number is not None for text, number in zip(texts, numbers, strict=True) if text is not None)
        columns.append(pl.Series(name, numbers, pl.Float64) if is_number else pl.Series(name, texts, pl.String))
    return table.drop(FURTHER).with_columns(columns)


def as_trials(rows: pl.DataFrame, **constants: Any) -> pl.DataFrame:
    """Return rows as TRIALS: with `constants` as columns, missing values where they have no column, and the right types.

    ValueError: a column is none of TRIALS.

    >>> as_trials(pl.DataFrame({"target": ["robin"]}), study="relations").select("study", "target", "rank").row(0)
    ('relations', 'robin', None)
    """
    table = rows.with_columns(pl.lit(value).alias(name) for name, value in constants.items())
    if strange := set(table.columns) - set(TRIALS):
        raise ValueError(f"trials have no columns {sorted(strange)}")
    missing = [pl.lit(None, kind).alias(name) for name, kind in TRIALS.items() if name not in table.columns]
    return table.with_columns(missing).select(list(TRIALS)).cast(TRIALS)  # type: ignore[arg-type]


def agent_of(path: Path) -> str:
    """Return the agent that a file is named after; its name may have dots.

    >>> agent_of(Path("metrics/smollm2-1.7b.parquet"))
    'smollm2-1.7b'
    """
    return path.name.removesuffix(".parquet")
