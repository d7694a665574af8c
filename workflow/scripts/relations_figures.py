"""Draw the figures of the relations study."""

import argparse
import json
from pathlib import Path

from relprobe.cli import parser, run
from relprobe.figures import save
from relprobe.files import read_table
from relprobe.relations.figures import by_relation, distinguishability_curves, distinguishability_matrices
from relprobe.relations.schemas import SUMMARY


def main(args: argparse.Namespace) -> None:
    """Draw a figure per metric that the summary holds."""
    summary = read_table(args.summary, SUMMARY)
    for metric, k in sorted(
        set(summary.select("metric", "k").iter_rows()) - {("distinguishability", None), ("audc", None)}
    ):
        name = metric if k is None else f"{metric}_{k}"
        save(by_relation(summary, metric, args.kinds, k), args.folder / name)
    save(distinguishability_curves(summary, args.kinds), args.folder / "distinguishability_curves")
    save(distinguishability_matrices(summary, args.kinds), args.folder / "distinguishability_matrices")


if __name__ == "__main__":
    arguments = parser(__doc__)
    arguments.add_argument("--summary", required=True, type=Path)
    arguments.add_argument("--kinds", required=True, type=json.loads, help="agent -> masked, causal or humans, as JSON")
    arguments.add_argument("--folder", required=True, type=Path)
    run(main, arguments)
