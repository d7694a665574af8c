"""The tables of the relations study; each is written with exactly these columns and types."""

import polars as pl

from relprobe.core.relation import TUPLES
from relprobe.core.unit_schemas import COMPARISON
from relprobe.studies.relations.requests import PROBES

__all__ = [
    "AVERAGES",
    "METRICS",
    "PROBES",
    "RELATA",
    "RESPONSES",
    "SENSITIVITY",
    "TESTS",
    "TOP_WORDS",
    "TUPLES",
    "UNIT",
]

RELATA = TUPLES

UNIT = ["relation", "target", "prompt_id"]
"""What names a probe in METRICS."""

RESPONSES = pl.Schema(
    {
        "probe_id": pl.String(),
        "words": pl.List(pl.Categorical()),  # best first; a token that starts no word stands as "##token"
        "weights": pl.List(pl.Float32()),  # models: probability; humans: share of all answers to the probe
    }
)

METRICS = pl.Schema(
    {
        "metric": pl.String(),
        "relation": pl.String(),
        "target": pl.String(),
        "prompt_id": pl.String(),
        "relatum": pl.String(),  # symmetry and asymmetry only, whose unit is a tuple
        "versus": pl.String(),  # distinguishability only: the relation whose relata are ranked
        "k": pl.UInt16(),  # symmetry and asymmetry only: the cut-off of the response
        "value": pl.Float64(),
    }
)

AVERAGES = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "relation": pl.String(),
        "versus": pl.String(),
        "k": pl.UInt16(),
        "value": pl.Float64(),
        "low": pl.Float64(),  # 95 % bootstrap interval over the units; missing if these are fewer than two
        "high": pl.Float64(),
        "units": pl.UInt32(),  # targets, or tuples for symmetry and asymmetry
        "coverage": pl.Float64(),  # share of the study's units that the agent could answer
    }
)

TESTS = pl.Schema({"metric": pl.String(), "relation": pl.String(), "k": pl.UInt16(), **COMPARISON})

SENSITIVITY = pl.Schema(
    {
        "choice": pl.String(),  # "as configured", what was changed, or "without PROMPT"
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),
        "value": pl.Float64(),
    }
)

TOP_WORDS = pl.Schema(
    {
        "probe_id": pl.String(),
        "rank": pl.UInt8(),
        "word": pl.String(),
        "relation": pl.String(),  # whose relatum set of the target holds the word; missing if none does
    }
)
