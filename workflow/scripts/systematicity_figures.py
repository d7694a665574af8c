"""Draw the figures of the systematicity study."""

import argparse
import json

import polars as pl
from relprobe.core.cli import parser, run
from relprobe.report.figures import save
from relprobe.studies.systematicity.figures import accuracies, category_panels, detection_bars


def main(args: argparse.Namespace) -> None:
    """Draw the accuracies, the categories' log-probabilities, and the classifier's accuracies."""
    metrics = pl.read_csv(args.metrics, infer_schema_length=None)
    logprobs = pl.read_csv(args.category_logprobs, infer_schema_length=None)
    for name in args.sets:
        save(accuracies(metrics.filter(condition=name), args.kinds), args.folder / f"accuracy_{name}")
        save(category_panels(logprobs.filter(set=name), list(args.kinds)), args.folder / f"category_logprobs_{name}")
    save(detection_bars(pl.read_csv(args.detection), args.kinds), args.folder / "detection")


if __name__ == "__main__":
    arguments = parser(__doc__, "metrics", "category-logprobs", "detection", "folder")
    arguments.add_argument("--sets", required=True, nargs="+")
    arguments.add_argument(
        "--kinds", required=True, type=json.loads, help="agent -> masked, causal or baseline, as JSON"
    )
    run(main, arguments)
