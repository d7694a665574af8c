"""The table of agents and their controls, the same in all studies."""

from relprobe.core.files import Csv, Parquet
from relprobe.stats.controls import beyond_controls


def controls(tests: Parquet, *, controls: list[str]) -> Csv:
    """Return what every agent has beyond its best control, from the tests of a study. `controls`: their names."""
    return beyond_controls(tests, controls)
