"""Where in the responses the relata stand: the frame that the metrics read, columnar, without a loop over probes.

A word of a response that is in no relatum set leaves no row, but it takes up its rank.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from relprobe.core.relation import Relations
from relprobe.studies.relations.schemas import UNIT

PROMPTED = pl.col("versus") == pl.col("relation")
"""Whether a hit stands in the relation that was prompted for."""


@dataclass(frozen=True)
class Answers:
    """An agent's responses beside the gold standard: what the metrics read, whatever the choices.

    `responses`, `probes` and `relata` are RESPONSES, PROBES and RELATA. `tuples`: those in the shared lexicon that
    symmetry and asymmetry are about. `hits` and `units`: what `hits` and `main_probes` return. `golds`: the human responses
    that prototypicality compares with, by the choice `gold`; the value is the mean over those of a choice. `relations`: all
    relations of the study. `people`: the responses are those of people, whose words tie because equally many people named
    them. `left_out`: what a model's responses leave out (LEFT_OUT of answer_space.py).
    """

    responses: pl.DataFrame
    probes: pl.DataFrame
    relata: pl.DataFrame
    tuples: pl.DataFrame
    hits: pl.DataFrame
    units: pl.DataFrame
    golds: Mapping[str, Sequence[pl.DataFrame]]
    relations: Relations
    people: bool = False
    left_out: pl.DataFrame | None = None


def hits(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, tuples: pl.DataFrame) -> pl.DataFrame:
    """Return the words of each response that are relata of its target, in its relatum sets or its tuples.

    Columns: UNIT and kind of the probe; word; versus, the relation whose relatum set holds the word, which is null for a
    word that was dropped as ambiguous; and position, first and last: the word's rank, and the ranks that it could take
    among the words of equal weight. Rank 1 is the best.
    """
    sets = relata.select("target", word="relatum", versus="relation")
    ambiguous = tuples.select("target", word="relatum").unique().join(sets, on=["target", "word"], how="anti")
    words = pl.concat([sets, ambiguous.with_columns(versus=pl.lit(None, pl.String))]).with_columns(
        pl.col("target", "word").cast(pl.Categorical)
    )
    rows = responses.join(probes.select("probe_id", "kind", *UNIT), on="probe_id").with_row_index("row")
    ranked = _ranked_words(rows)
    # Comparing one number per word first leaves few rows for the join: a third of the time on full-size responses.
    pair = pl.col("target").to_physical().cast(pl.UInt64) * 2**32 + pl.col("word").to_physical()
    ranked = ranked.filter(pair.is_in(words.select(pair).to_series().implode()))
    related = ranked.join(words, on=["target", "word"], maintain_order="left").drop("target", "weight")
    related = related.unique(["row", "word", "versus"], keep="first", maintain_order=True)  # two tokens can be one word
    about = rows.select("row", "kind", *UNIT)
    return related.join(about, on="row").drop("row").with_columns(pl.col("word").cast(pl.String))


def _ranked_words(rows: pl.DataFrame) -> pl.DataFrame:
    """Return a row per word of each response: row, target, word, weight, position, first and last (see `hits`)."""
    words = rows.select(
        "row",
        pl.col("target").cast(pl.Categorical),
        word="words",
        weight="weights",
        position=pl.int_ranges(1, pl.col("words").list.len() + 1, dtype=pl.UInt32),
    ).explode("word", "weight", "position")
    starts = (pl.col("position") == 1) | (pl.col("weight") != pl.col("weight").shift())
    return words.with_columns(
        first=pl.when(starts).then("position").forward_fill(),
        last=pl.when(starts.shift(-1).fill_null(True)).then("position").backward_fill(),
    )


def places(ties: str, group: Sequence[str], first: pl.Expr) -> list[pl.Expr]:
    """Return the columns low and high: the ranks that a hit can take, all of them equally likely.

    `ties`: "expected" takes all orders of the words of equal weight as equally likely, so that low and high are the first
    and the last rank of these words. The others fix one order, so that low and high are the same: "favourable" puts the
    words for which `first` is true before the words of equal weight, "unfavourable" after them, and "listed" keeps the order
    of the response. The other words keep their order. Words are ranked for each value of the columns `group` as if the other
    hits were no relata.
    """
    if ties == "expected":
        return [pl.col("first").cast(pl.Float64).alias("low"), pl.col("last").cast(pl.Float64).alias("high")]
    fixed = _fixed_rank(ties, group, first).cast(pl.Float64)
    return [fixed.alias("low"), fixed.alias("high")]


def _fixed_rank(ties: str, group: Sequence[str], first: pl.Expr) -> pl.Expr:
    within = [*UNIT, *group, "first"]
    so_far = first.cast(pl.UInt32).cum_sum().over(within, order_by="position")
    before, after = so_far - first, first.sum().over(within) - so_far
    if ties == "favourable":
        return pl.when(first).then(pl.col("first") + before).otherwise(pl.col("position") + after)
    if ties == "unfavourable":
        return pl.when(first).then(pl.col("last") - after).otherwise(pl.col("position") - before)
    return pl.col("position")


def within(k: pl.Expr) -> pl.Expr:
    """Return the probability that a hit is among the first k words, from its columns low and high (`places`).

    Of the ranks 2 and 3, one is among the first two:

    >>> pl.DataFrame({"low": [2.0], "high": [3.0]}).select(within(pl.lit(2))).item()
    0.5
    """
    return ((k - pl.col("low") + 1) / (pl.col("high") - pl.col("low") + 1)).clip(0.0, 1.0)


def main_probes(
    responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, tuples: pl.DataFrame
) -> pl.DataFrame:
    """Return the answered main probes about targets with tuples and a relatum set: UNIT, relata (|Y|), size (|L|).

    `tuples` are those in the shared lexicon. A target whose relata are all ambiguous has an empty set and is left out.
    """
    sizes = relata.group_by("target", "relation").agg(relata=pl.len())
    sizes = sizes.join(tuples, on=["target", "relation"], how="semi")
    lengths = responses.select("probe_id", size=pl.col("words").list.len())
    main = probes.filter(kind="main").join(lengths, on="probe_id")
    return main.join(sizes, on=["target", "relation"]).select(*UNIT, "relata", "size")
