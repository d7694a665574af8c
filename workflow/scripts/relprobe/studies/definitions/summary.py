"""The paragraph at the top of the study's page, from its tables."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from relprobe.report.summary import Claim, paragraph
from relprobe.studies.definitions.metrics import metric_name
from relprobe.studies.definitions.prompts import POS

VERBS = {"w2d": "finds a word's definition in", "d2w": "finds a definition's word in"}
BASELINES = ("random", "static")


def summary(tables: Sequence[Path]) -> str:
    """Return what came out of both tasks: the best model, the next one, and where their difference holds.

    `tables`: the files of the page, among them overview.csv and tests.csv.
    """
    read = {
        path.stem: pl.read_csv(path, infer_schema_length=None) for path in tables if path.stem in ("overview", "tests")
    }
    sentences = []
    for task, verb in VERBS.items():
        metric = metric_name(task, "P@1")
        if metric in read["overview"].columns:
            values = read["overview"].select("agent", condition="part_of_speech", metric=pl.lit(metric), value=metric)
            claim = Claim(metric, tuple(POS), verb, "tasks", test="sign flips over families")
            sentences.append(paragraph(values, read["tests"], claim, BASELINES))
    return " ".join(sentences)
