"""The table of probes, and its rows as requests to the scoring engine: all that scoring knows of the study."""

from collections.abc import Iterator

import polars as pl

from relprobe.lm.requests import SlotProbe, Variant

PROBES = pl.Schema(
    {
        "probe_id": pl.String(),  # prompt_id:target
        "relation": pl.String(),
        "target": pl.String(),
        "prompt_id": pl.String(),
        "kind": pl.String(),  # main: the target has the relation; trick: its reverse has it (section 5.2)
        "text": pl.String(),  # ends with the slot [V]
        "variants": pl.List(pl.Struct({"text": pl.String(), "weight": pl.Float64()})),  # weights sum to 1
    }
)


def answerable(probes: pl.DataFrame, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Keep the probes whose target is one token of the model: the paper's condition, per model."""
    return probes.filter(pl.col("target").is_in(lexicon["word"].drop_nulls().implode()))


def requests(probes: pl.DataFrame) -> Iterator[SlotProbe]:
    """Turn rows of PROBES into requests to the engine."""
    for probe_id, variants in probes.select("probe_id", "variants").iter_rows():
        yield SlotProbe(probe_id, tuple(Variant(variant["text"], variant["weight"]) for variant in variants))
