"""Score a rating file of SemEval-2012 Task 2, or a folder of them (MyRatings-1b.txt, …), without a model."""

import argparse
from pathlib import Path

import polars as pl
from relprobe.cli import parser, run
from relprobe.degrees.evaluate import evaluate
from relprobe.files import write_csv


def main(args: argparse.Namespace) -> None:
    """Print the scores and, with --out, write those of every subcategory as CSV."""
    scores, averages = evaluate(args.package, args.ratings, args.seed)
    with pl.Config(tbl_formatting="ASCII_MARKDOWN", tbl_hide_column_data_types=True, float_precision=3) as shown:
        shown.set_tbl_rows(-1).set_tbl_cols(-1).set_tbl_width_chars(200).set_tbl_hide_dataframe_shape()
        print(scores, averages, sep="\n\n")
    if args.out:
        write_csv(scores, args.out)


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--package", required=True, type=Path, help="folder with SemEval-2012-Complete-Data-Package")
    arguments.add_argument("--ratings", required=True, type=Path, help="a rating file or a folder of them")
    arguments.add_argument("--seed", type=int, default=1, help="of the order that breaks ties in MaxDiff answers")
    arguments.add_argument("--out", type=Path, help="CSV file of the scores per subcategory")
    run(main, arguments)
