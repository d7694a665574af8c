"""What two runs of the study are compared by."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from relprobe.studies.relations.compare.analyses import linked_by
from relprobe.studies.relations.measure.measures import MEASURES

__all__ = ["GROUPS", "MEASURES", "links"]

GROUPS = ("relation", "k")
"""The columns that divide the values."""


def links(folder: Path) -> Mapping[str, pl.DataFrame]:
    """Return the tables of links of targets that share a relatum. `folder`: the study's folder of results."""
    return linked_by(pl.read_parquet(folder / "relata.parquet")).links
