"""AuDC per agent, with its interval."""

import numpy as np
import polars as pl
import pytest
from relprobe.core.stats import mean_intervals
from relprobe.studies.relations.areas import SEED, area_averages

GAPS = np.array([0.9, 0.1, 0.8, 0.0, 0.7, 0.9, 0.2, 1.0])


def test_of_one_pair_of_relations_it_is_the_mean_gap_with_the_interval_of_differences():
    rows = [("HYP", "MER", f"word-{i}", gap) for i, gap in enumerate(GAPS)]
    table = pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")
    area = area_averages({"m": table})[0]
    assert area["value"] == pytest.approx(4.6 / 8)
    interval = mean_intervals(GAPS[:, None], np.ones((8, 1)), SEED, differences=True)[0]
    assert (area["low"], area["high"]) == pytest.approx((interval.low, interval.high))
