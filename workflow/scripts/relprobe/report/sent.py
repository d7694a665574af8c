"""What exactly was sent to each model for one probe, from the metadata of the files that models have answered with."""

import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq


def sent(files: Sequence[Path]) -> pl.DataFrame:
    """Return what exactly was sent to each model for one probe, special tokens included: agent, probe, text.

    `files`: the files that the models have answered with; each has the name of its agent.
    """
    rows = []
    for path in files:
        about = json.loads(pq.read_schema(path).metadata[b"relprobe"])
        rows += [(path.stem, probe, text) for probe, text in about["sent"].items()]
    return pl.DataFrame(rows, schema={"agent": pl.String, "probe": pl.String, "text": pl.String}, orient="row")
