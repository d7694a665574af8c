"""The paragraph at the top of the study's page, from its tables."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from relprobe.report.summary import Claim, paragraph

VERBS = {
    "singular": "chooses the right category for",
    "singular_plural": "chooses it in the singular and in the plural for",
}
NO_MODELS = ("majority", "static")
CONTROL = "+control"


def summary(tables: Sequence[Path]) -> str:
    """Return what came out: the best model in the singular, and in the singular and the plural at once.

    `tables`: the files of the page, among them overview.csv and tests.csv.
    """
    read = {
        path.stem: pl.read_csv(path, infer_schema_length=None) for path in tables if path.stem in ("overview", "tests")
    }
    overview = read["overview"]
    sets = tuple(dict.fromkeys(overview["set"]))
    controls = [agent for agent in dict.fromkeys(overview["agent"]) if agent.endswith(CONTROL)]
    sentences = []
    for metric, verb in VERBS.items():
        if metric in overview.columns:
            values = overview.select("agent", condition="set", metric=pl.lit(metric), value=metric)
            claim = Claim(metric, sets, verb, "hyponyms", test="sign flips over hyponyms")
            sentences.append(paragraph(values, read["tests"], claim, [*NO_MODELS, *controls]))
    return " ".join(sentences)
