"""Responses: what an agent answers to a probe, in one form for models and static vectors."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from relprobe.systematicity.schemas import RESPONSES


def of_model(slots: Path, choices: pl.DataFrame, probes: pl.DataFrame, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) from its scores of open slots and of candidates.

    In open responses a token that starts a word becomes that word; any other is written "##token", as no word is.
    """
    table = pl.DataFrame(pl.from_arrow(pq.read_table(slots, columns=["probe_id", "token_ids", "logprobs"])))
    no_word = pl.lit("##") + pl.col("token").str.strip_prefix("##")
    words = lexicon.select("token_id", words=pl.coalesce("word", no_word))
    long = table.explode("token_ids", "logprobs").join(
        words, left_on="token_ids", right_on="token_id", how="left", maintain_order="left"
    )
    opened = long.group_by("probe_id", maintain_order=True).agg("words", scores="logprobs")
    opened = opened.with_columns(method=pl.lit("open")).join(_unknown(probes, lexicon["word"]), on="probe_id")
    closed = choices.drop("tokens").with_columns(unknown=pl.lit([], pl.List(pl.String)))
    return pl.concat([part.select(list(RESPONSES)) for part in (opened, closed)]).cast(RESPONSES)


def _unknown(probes: pl.DataFrame, vocabulary: pl.Series) -> pl.DataFrame:
    """Return, per probe, the candidates that are no word of the vocabulary."""
    known = vocabulary.drop_nulls().implode()
    return probes.select(
        "probe_id", unknown=pl.col("candidates").list.eval(pl.element().filter(~pl.element().is_in(known)))
    )


def several_tokens(choices: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the candidates that are several tokens of a model at a slot: agent, word, tokens."""
    parts = [table.with_columns(agent=pl.lit(agent)).filter(method="slot") for agent, table in choices.items()]
    long = pl.concat(parts).select("agent", word="words", tokens="tokens").explode("word", "tokens")
    return long.filter(pl.col("tokens") > 1).unique().sort("agent", "word")
