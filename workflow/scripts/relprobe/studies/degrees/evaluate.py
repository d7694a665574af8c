"""Scores of a user's rating and answer files in the task's own formats, without a model and without a configuration."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from relprobe.core.files import write_csv
from relprobe.core.sums import ordered_sum
from relprobe.sources.semeval2012 import Subcategory, read
from relprobe.sources.semeval2012_ratings import Choice, File, find, read_answers
from relprobe.sources.semeval2012_ratings import read as read_ratings
from relprobe.stats.side_by_side import MODELS
from relprobe.studies.degrees.chat import answer_values
from relprobe.studies.degrees.compare import averages
from relprobe.studies.degrees.conditions import TEST, by_agent
from relprobe.studies.degrees.method import gold, questions, rating_table, values
from relprobe.studies.degrees.schemas import MAXDIFF_ANSWERS, METRICS, TRAINING
from relprobe.studies.degrees.tables import subcategories

AVERAGE_METRICS = [
    "rho",
    "rho_without_reversals",
    "maxdiff",
    "maxdiff_without_reversals",
    "least",
    "most",
    "reversal_rmse",
]
COUNT_METRICS = [
    f"{name}{pairs}"
    for name in ("significant_05", "significant_01", "negative_05")
    for pairs in ("", "_without_reversals")
]
RESTS_ON = ["file", "rated_pairs", "pairs", "answered", "questions", "unrated"]
"""Columns that say what a result rests on: rated of so many pairs, answered of so many questions, and the other pairs."""


def evaluate(package: Path, ratings: Path, out: Path | None = None) -> None:
    """Score a file of ratings or of MaxDiff answers, or a folder of either, without a model.

    The formats are those of SemEval-2012 Task 2, a subcategory to a file. A file may leave out pairs or questions; each
    result says how many it rests on. `package` is the folder with SemEval-2012-Complete-Data-Package; the scores are
    printed, and those of every file are written to `out`.
    """
    scores, means = score_files(package, ratings)
    with pl.Config(tbl_formatting="ASCII_MARKDOWN", tbl_hide_column_data_types=True, float_precision=3) as shown:
        shown.set_tbl_rows(-1).set_tbl_cols(-1).set_tbl_width_chars(400).set_tbl_hide_dataframe_shape()
        shown.set_fmt_str_lengths(40)
        print(scores, means, sep="\n\n")
    if out is not None:
        write_csv(scores, out)


def score_files(package: Path, files: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Score files of ratings or of MaxDiff answers, or folders of either, against the package of the task.

    Return the values per file (kind, subcategory, condition: its class or training, rho, p, maxdiff, RESTS_ON), and the
    averages and counts over the files, a row for each kind and for the training and the test part. Pairs without a rating
    and questions without an answer take no part, and each row says how many do. DataError: the package or the files lack
    something, or a line is wrong.
    """
    by_id = {subcategory.id: subcategory for subcategory in read(package)}
    files_by_kind: dict[str, list[File]] = {}
    for file in find(files, by_id):
        files_by_kind.setdefault(file.kind, []).append(file)
    scores, means = [], []
    for kind, same in files_by_kind.items():
        chosen = [by_id[file.subcategory] for file in same]
        metrics, bases = (_ratings if kind == "ratings" else _answers)(same, chosen)
        rows = metrics.with_columns(agent=pl.lit(kind)).select(list(METRICS))
        file_values = subcategories(by_agent([rows])).drop("agent", "condition")
        joined = bases.join(file_values, on="subcategory", how="left", maintain_order="left")
        scores.append(
            joined.select(pl.lit(kind).alias("kind"), "subcategory", "condition", *file_values.columns[1:], *RESTS_ON)
        )
        means.append(_averages(kind, averages(by_agent([rows]), MODELS), bases))
    return pl.concat(scores), pl.concat(means, how="diagonal_relaxed")


def _ratings(files: Sequence[File], chosen: Sequence[Subcategory]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the values of rating files (METRICS without the agent), and the counts behind them."""
    ratings = {
        file.subcategory: read_ratings(file.path, subcategory, complete=False)
        for file, subcategory in zip(files, chosen, strict=True)
    }
    asked = questions(chosen)
    rated = {name: set(pair_ratings) for name, pair_ratings in ratings.items()}
    possible = asked.filter(
        pl.struct("subcategory", "pairs").map_elements(
            lambda row: set(row["pairs"]) <= rated[row["subcategory"]], return_dtype=pl.Boolean
        )
    )
    answered = dict(possible.group_by("subcategory").len().iter_rows())
    pair_ratings = {(name, pair): rating for name, pairs in ratings.items() for pair, rating in pairs.items()}
    measured = values(rating_table("ratings", pair_ratings), gold(chosen), asked)
    return measured, _bases(files, chosen, rated, answered)


def _answers(files: Sequence[File], chosen: Sequence[Subcategory]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the values of answer files (METRICS without the agent), and the counts behind them."""
    choices: dict[str, list[Choice]] = {
        file.subcategory: list(read_answers(file.path, subcategory))
        for file, subcategory in zip(files, chosen, strict=True)
    }
    rows = [
        (name, list(choice.question), choice.least, choice.most)
        for name, file_choices in choices.items()
        for choice in file_choices
    ]
    conditions = {
        subcategory.id: TRAINING if subcategory.training else subcategory.relation_class for subcategory in chosen
    }
    measured = answer_values(
        pl.DataFrame(rows, schema=MAXDIFF_ANSWERS, orient="row"),
        questions(chosen),
        {subcategory.id: subcategory.reversals for subcategory in chosen},
    )
    shown = {
        name: {pair for choice in file_choices for pair in choice.question} for name, file_choices in choices.items()
    }
    answered = {name: len(file_choices) for name, file_choices in choices.items()}
    return measured.with_columns(condition=pl.col("unit").replace_strict(conditions)), _bases(
        files, chosen, shown, answered
    )


def _bases(
    files: Sequence[File],
    chosen: Sequence[Subcategory],
    rated: Mapping[str, set[str]],
    answered: Mapping[str, int],
) -> pl.DataFrame:
    """Return the columns subcategory, condition, part and RESTS_ON of every file.

    `rated`: the pairs of each file; `answered`: the number of its questions.
    """
    rows = [
        {
            "subcategory": subcategory.id,
            "condition": TRAINING if subcategory.training else subcategory.relation_class,
            "part": TRAINING if subcategory.training else TEST,
            "file": file.path.name,
            "rated_pairs": len(rated[subcategory.id]),
            "pairs": len(subcategory.pairs),
            "answered": answered.get(subcategory.id, 0),
            "questions": len(subcategory.questions),
            "unrated": ", ".join(pair for pair in subcategory.pairs if pair not in rated[subcategory.id]),
        }
        for file, subcategory in zip(files, chosen, strict=True)
    ]
    return pl.DataFrame(rows)


def _averages(kind: str, rows: pl.DataFrame, bases: pl.DataFrame) -> pl.DataFrame:
    """Return the averages of one kind of files; `with_rho` and `with_maxdiff`: over how many subcategories they are."""
    parts = rows.filter(pl.col("condition").is_in([TRAINING, TEST]))
    wide = parts.pivot("metric", index="condition", values="value", maintain_order=True)
    for metric in ("rho", "maxdiff"):
        units_of = parts.filter(metric=metric).select("condition", pl.col("units").alias(f"with_{metric}"))
        wide = wide.join(units_of, on="condition", how="left", maintain_order="left")
    present = [name for name in AVERAGE_METRICS + COUNT_METRICS if name in wide.columns]
    counts = bases.group_by("part").agg(pl.len().alias("files"), *(ordered_sum(name) for name in RESTS_ON[1:5]))
    columns: list[str | pl.Expr] = [
        pl.lit(kind).alias("kind"),
        pl.col("condition").alias("part"),
        "files",
        "with_rho",
        "with_maxdiff",
    ]
    joined = wide.join(counts, left_on="condition", right_on="part", how="left", maintain_order="left")
    return joined.select(*columns, *present, *RESTS_ON[1:5]).with_columns(
        pl.col(set(COUNT_METRICS) & set(present)).round().cast(pl.UInt32),
        pl.col("with_rho", "with_maxdiff").fill_null(0),
    )
