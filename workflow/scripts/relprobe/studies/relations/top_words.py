"""The best words of each response, and the relation each stands in to the target."""

import polars as pl

from relprobe.studies.relations.schemas import TOP_WORDS

FIRST = 10
"""The words of a response that the answers page shows."""


def top_words(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return the first words of each response to a main probe and the relations they stand in (TOP_WORDS)."""
    main = probes.filter(kind="main").select("probe_id", "target")
    first = responses.select(
        "probe_id", word=pl.col("words").list.head(FIRST), weight=pl.col("weights").list.head(FIRST)
    )
    words = first.join(main, on="probe_id").explode("word", "weight")
    words = words.with_columns(pl.col("word").cast(pl.String)).drop_nulls("word")
    ranked = words.with_columns(rank=pl.int_range(1, pl.len() + 1, dtype=pl.UInt8).over("probe_id"))
    shared = relata.group_by("target", word="relatum", maintain_order=True)
    sets = shared.agg(pl.col("relation").str.join("/"))
    table = ranked.join(sets, on=["target", "word"], how="left", maintain_order="left")
    return table.select(list(TOP_WORDS)).cast(TOP_WORDS)
