"""What sampled studies of one pool find varies as much as their intervals say."""

import polars as pl
import pytest

from benchmarks.blind.worlds import simulated
from benchmarks.spread import found, spread

STUDIES = 60


@pytest.mark.slow("it samples sixty studies")
def test_estimates_of_sampled_studies_vary_as_their_intervals_say():
    """Of 60 intervals that hold the mean in 95 of 100 studies, fewer than 52 hold it in less than 1 of 100 such tests."""
    world = simulated()
    table = spread(pl.concat(found(world, seed) for seed in range(1, STUDIES + 1)))
    assert table["relation"].to_list() == ["ANT", "HOL", "HPO", "HYP", "MER", "SYN", "all"]
    assert table.filter(pl.col("holds") < 52 / STUDIES).is_empty(), table
    (pooled,) = table.filter(relation="all").to_dicts()
    assert 0.75 < pooled["deviation"] / pooled["error"] < 1.3, pooled
