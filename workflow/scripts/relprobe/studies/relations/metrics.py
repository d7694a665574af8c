"""The metrics of Cao et al., section 5, but for prototypicality: one row per unit (METRICS), columnar, no loop over probes.

All of them read the same frame, `hits`: where in the response to a probe the words stand that have any relation to its
target. A word of the top K that is in no relatum set leaves no row, but takes up its rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from relprobe.core.relation import ASYMMETRIC, SYMMETRIC
from relprobe.studies.relations.schemas import METRICS

UNIT = ["relation", "target", "prompt_id"]
PROMPTED = pl.col("versus") == pl.col("relation")
"""Whether a hit stands in the relation that was prompted for."""


@dataclass(frozen=True)
class Choices:
    """What the paper leaves open (each a key of the config).

    ties: what rank words of equal weight get (humans): "favourable" puts those of the prompted relation (of the tuple
    for [a]symmetry) before their equals, "unfavourable" after them, the others in the order of the response, which
    "listed" keeps for all. rank: a relation's rank in a response is that of its "best" relatum or
    the "mean" over its relata. recall: completeness counts the relata found as a share of the "cutoff" k = min(|Y|,
    |L|) or of the "relata" |Y|; the two differ for responses shorter than |Y| only, so for humans (the paper prints
    0.38 to 0.49 for them outside antonymy; over the cutoff its data give 0.36 to 0.45, over the relata 0.16 to 0.43).
    k: the length of the response that distinguishability looks at; 0 is |Y^r| of the target.
    """

    ties: Literal["favourable", "unfavourable", "listed"] = "favourable"
    recall: Literal["cutoff", "relata"] = "cutoff"
    rank: Literal["best", "mean"] = "best"
    k: int = 0
    symmetry_k: Sequence[int] = (1, 5, 10)


def hits(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, tuples: pl.DataFrame) -> pl.DataFrame:
    """Return the words of each response that are relata of its target, in its relatum sets or its tuples.

    Columns: UNIT and kind of the probe, word, versus (the relation whose relatum set holds the word; null if none, as for
    a word dropped as ambiguous), and the word's position, first and last: the ranks it
    could take among the words of equal weight; 1 is the best.
    """
    sets = relata.select("target", word="relatum", versus="relation")
    named = tuples.select("target", word="relatum").unique().join(sets, on=["target", "word"], how="anti")
    wanted = pl.concat([sets, named.with_columns(versus=pl.lit(None, pl.String))]).with_columns(
        pl.col("target", "word").cast(pl.Categorical)
    )
    rows = responses.join(probes.select("probe_id", "kind", *UNIT), on="probe_id").with_row_index("row")
    long = rows.select(
        "row",
        pl.col("target").cast(pl.Categorical),
        word="words",
        weight="weights",
        position=pl.int_ranges(1, pl.col("words").list.len() + 1, dtype=pl.UInt32),
    ).explode("word", "weight", "position")
    starts = (pl.col("position") == 1) | (pl.col("weight") != pl.col("weight").shift())
    ranked = long.with_columns(
        first=pl.when(starts).then("position").forward_fill(),
        last=pl.when(starts.shift(-1).fill_null(True)).then("position").backward_fill(),
    )
    # Comparing one number per word first leaves few rows for the join: a third of the time on full-size responses.
    pair = pl.col("target").to_physical().cast(pl.UInt64) * 2**32 + pl.col("word").to_physical()
    ranked = ranked.filter(pair.is_in(wanted.select(pair).to_series().implode()))
    found = ranked.join(wanted, on=["target", "word"], maintain_order="left").drop("target", "weight")
    found = found.unique(["row", "word"], keep="first", maintain_order=True)  # two tokens can be one word
    return (
        found.join(rows.select("row", "kind", *UNIT), on="row").drop("row").with_columns(pl.col("word").cast(pl.String))
    )


def rank(ties: str, group: Sequence[str], wanted: pl.Expr) -> pl.Expr:
    """Return the rank of a hit when the `wanted` words come first ("favourable") or last among their equals.

    The others keep their order. Words are ranked for each value of `group` as if the other hits were no relata.
    """
    within = [*UNIT, *group, "first"]
    so_far = wanted.cast(pl.UInt32).cum_sum().over(within, order_by="position")
    before, after = so_far - wanted, wanted.sum().over(within) - so_far
    if ties == "favourable":
        return pl.when(wanted).then(pl.col("first") + before).otherwise(pl.col("position") + after)
    if ties == "unfavourable":
        return pl.when(wanted).then(pl.col("last") - after).otherwise(pl.col("position") - before)
    return pl.col("position")


def asked(responses: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, tuples: pl.DataFrame) -> pl.DataFrame:
    """Return the main probes that were answered, on targets with tuples and a relatum set: UNIT, relata (|Y|), size (|L|).

    `tuples` are those in the shared lexicon; a target whose relata are all ambiguous has an empty set and is left out.
    """
    sizes = relata.group_by("target", "relation").agg(relata=pl.len())
    sizes = sizes.join(tuples, on=["target", "relation"], how="semi")
    lengths = responses.select("probe_id", size=pl.col("words").list.len())
    main = probes.filter(kind="main").join(lengths, on="probe_id")
    return main.join(sizes, on=["target", "relation"]).select(*UNIT, "relata", "size")


def soundness(units: pl.DataFrame, found: pl.DataFrame, choices: Choices) -> pl.DataFrame:
    """Return Precision@1 per probe (Eq. 11): 1 if the top word is a relatum of the prompted relation, else 0."""
    right = _of_relation(found, choices).filter(pl.col("rank") == 1).select(UNIT).unique()
    value = units.select(UNIT).join(right.with_columns(value=1.0), on=UNIT, how="left")
    return rows_of(value.with_columns(pl.col("value").fill_null(0.0)), "soundness")


def completeness(units: pl.DataFrame, found: pl.DataFrame, choices: Choices) -> pl.DataFrame:
    """Return Recall@k per probe (Eq. 13), k = min(|Y|, |L|), as a share of k or of |Y| (`choices.recall`)."""
    cutoff = pl.min_horizontal("relata", "size")
    inside = _of_relation(found, choices).join(units, on=UNIT).filter(pl.col("rank") <= cutoff)
    counts = inside.group_by(UNIT).agg(right=pl.len())
    share = pl.col("right").fill_null(0) / (cutoff if choices.recall == "cutoff" else pl.col("relata"))
    return rows_of(units.join(counts, on=UNIT, how="left").with_columns(value=share), "completeness")


def distinguishability(
    units: pl.DataFrame, found: pl.DataFrame, relata: pl.DataFrame, choices: Choices
) -> pl.DataFrame:
    """Return δ(w, p, s) per probe and relation s with relata of the target (Eq. 24): their relative rank, 0 to 1.

    A word at rank i of the first k has (i - 1)/k, an absent one 1. By `choices.rank`, δ is that of the best s-relatum or,
    as Eq. 24 is printed, the mean over all of them. Ties are between the relations, too: humans reach the paper's AuDC
    of 21.3 and its curve (30 pairs until past 0.5, none from 0.9) if a relatum of r goes before an equal one of s.
    """
    sizes = relata.group_by("target", versus="relation").agg(others=pl.len())
    depth = pl.lit(choices.k) if choices.k else pl.col("relata")
    pairs = units.join(sizes, on="target").with_columns(k=depth)
    ranked = found.filter(pl.col("kind") == "main").drop_nulls("versus")
    ranked = ranked.with_columns(rank=rank(choices.ties, [], PROMPTED)).join(pairs, on=[*UNIT, "versus"])
    near = ranked.filter(pl.col("rank") <= pl.col("k")).with_columns(relative=(pl.col("rank") - 1) / pl.col("k"))
    agg = near.group_by(*UNIT, "versus").agg(
        best=pl.col("relative").min(), total=pl.col("relative").sum(), seen=pl.len()
    )
    joined = pairs.join(agg, on=[*UNIT, "versus"], how="left")
    mean = (pl.col("total").fill_null(0.0) + pl.col("others") - pl.col("seen").fill_null(0)) / pl.col("others")
    value = pl.col("best").fill_null(1.0) if choices.rank == "best" else mean
    return rows_of(joined.with_columns(value=value).drop("k"), "distinguishability")


def reciprocity(
    responses: pl.DataFrame, probes: pl.DataFrame, found: pl.DataFrame, tuples: pl.DataFrame, choices: Choices
) -> pl.DataFrame:
    """Return symmetry μ (Eq. 1) and asymmetry α (Eq. 2) per tuple, prompt and k.

    μ = [v among the first k for w] x [w among the first k for v], for symmetric relations; α is the same with [w not among
    them], for the others, where the probe on v is a trick probe.
    """
    answered = probes.join(responses.select("probe_id"), on="probe_id", how="semi").select(UNIT)
    back = answered.select("relation", "prompt_id", relatum="target")
    pairs = tuples.select("target", "relation", "relatum").join(answered, on=["relation", "target"])
    pairs = pairs.join(back, on=["relation", "prompt_id", "relatum"], how="semi")
    places = found.with_columns(rank=rank(choices.ties, ["word"], pl.col("word").is_not_null())).select(
        *UNIT, "word", "rank"
    )
    both = pairs.join(places, left_on=[*UNIT, "relatum"], right_on=[*UNIT, "word"], how="left").join(
        places.rename({"target": "relatum", "word": "target", "rank": "back"}),
        on=["relation", "prompt_id", "relatum", "target"],
        how="left",
    )
    return pl.concat([_reciprocal(both, k) for k in choices.symmetry_k])


def _reciprocal(both: pl.DataFrame, k: int) -> pl.DataFrame:
    forward = pl.col("rank").fill_null(k + 1) <= k
    backward = pl.col("back").fill_null(k + 1) <= k
    values = both.with_columns(
        k=pl.lit(k, pl.UInt16),
        value=(forward & pl.when(pl.col("relation").is_in(SYMMETRIC)).then(backward).otherwise(~backward)).cast(
            pl.Float64
        ),
    )
    parts = (("symmetry", SYMMETRIC), ("asymmetry", ASYMMETRIC))
    return pl.concat([rows_of(values.filter(pl.col("relation").is_in(names)), metric) for metric, names in parts])


def _of_relation(found: pl.DataFrame, choices: Choices) -> pl.DataFrame:
    """Keep the hits of the prompted relation in main probes, with their rank."""
    right = found.filter((pl.col("kind") == "main") & PROMPTED)
    return right.with_columns(rank=rank(choices.ties, [], PROMPTED))


def rows_of(values: pl.DataFrame, metric: str) -> pl.DataFrame:
    """Bring the values of one metric into the columns of METRICS."""
    missing = [pl.lit(None, kind).alias(name) for name, kind in METRICS.items() if name not in values.columns]
    return values.with_columns(*missing).with_columns(metric=pl.lit(metric)).select(list(METRICS)).cast(METRICS)
