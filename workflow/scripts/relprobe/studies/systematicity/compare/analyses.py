"""The tests of the study: between agents, and the contrasts of sections 3.5 and 4 within each agent."""

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from relprobe.core.metric import by_name
from relprobe.stats.comparisons import contrast_tests, paired_tests
from relprobe.stats.schemas import Kind
from relprobe.studies.systematicity.measure.metrics import MEASURES
from relprobe.studies.systematicity.schemas import MAJORITY, OWN_CONTRASTS

NUMBERS = (("singular", "plural"), ("singular_sentence", "plural_sentence"))
"""Metrics of the two numbers, which are compared on the same hyponyms."""
INPUTS = (("detection", "detection_partial"),)
"""The metric of the classifier of both words, and that of the hypernym alone."""
SETTINGS = (("seen", "unseen"),)
"""The settings of the classifier. They test different pairs, so the means of the categories are compared."""


def compare(values: Mapping[str, pl.DataFrame], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Compare every pair of agents on every metric and set, or setting of the classifier (TESTS).

    `values`: agent -> METRICS. `kinds`: agent -> model or control.
    """
    return paired_tests(values, MEASURES, kinds=kinds)


def contrasts(values: Mapping[str, pl.DataFrame], kinds: Mapping[str, Kind]) -> pl.DataFrame:
    """Compare within each agent singular with plural, both words with the hypernym alone, and seen with unseen hypernyms.

    The result has the columns OWN_CONTRASTS; seen and unseen are conditions themselves, so `condition` is null there. The
    majority baseline gives one answer to all, so it has no rows.
    """
    others = {agent: table for agent, table in values.items() if agent != MAJORITY}
    metrics = by_name(MEASURES)
    number, detection = replace(metrics["singular"], name="accuracy"), metrics["detection"]
    of_category = replace(detection, unit=("cluster",), item=("cluster",), cluster=())
    parts = [
        contrast_tests(others, number, NUMBERS, "metric", ["condition"], kinds=kinds),
        contrast_tests(others, detection, INPUTS, "metric", ["condition"], kinds=kinds),
        contrast_tests(others, of_category, SETTINGS, kinds=kinds),
    ]
    return pl.concat(parts, how="diagonal").select(list(OWN_CONTRASTS)).cast(OWN_CONTRASTS)
