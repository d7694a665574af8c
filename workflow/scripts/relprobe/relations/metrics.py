"""The six metrics of Cao et al., section 5, one row per unit (METRICS): columnar, no loop over probes.

All of them read the same frame, `hits`: where in the response to a probe the words stand that have any relation to its
target. A word of the top K that is in no relatum set leaves no row, but takes up its rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from relprobe.relation import ASYMMETRIC, SYMMETRIC, in_lexicon
from relprobe.relations.schemas import METRICS

PROTOTYPICAL = ("HYP", "HOL", "ANT", "SYN")
"""The relations whose human responses show a prototypicality effect (section 6.2)."""
UNIT = ["relation", "target", "prompt_id"]


@dataclass(frozen=True)
class Choices:
    """What the paper leaves open (each a key of the config).

    ties: what rank words of equal weight get (humans): "favourable" puts a correct word first, "unfavourable" last,
    "listed" keeps the order of the response. rank: a relation's rank in a response is that of its "best" relatum or
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


def all_metrics(
    responses: pl.DataFrame,
    probes: pl.DataFrame,
    relata: pl.DataFrame,
    tuples: pl.DataFrame,
    lexicon: pl.DataFrame,
    humans: pl.DataFrame | None,
    choices: Choices,
) -> pl.DataFrame:
    """Return every metric of one agent (METRICS); prototypicality only where there are human responses.

    Agents that were asked no trick probes (the humans) have no asymmetry, as in the paper.
    """
    known = in_lexicon(tuples, lexicon)
    found = hits(responses, probes, relata, known)
    units = asked(responses, probes, relata, known)
    tricked = probes.filter(kind="trick").join(responses, on="probe_id", how="semi").height > 0
    both_ways = known if tricked else known.filter(pl.col("relation").is_in(SYMMETRIC))
    parts = [
        soundness(units, found, choices),
        completeness(units, found, choices),
        distinguishability(units, found, relata, choices),
        reciprocity(responses, probes, found, both_ways, choices),
    ]
    if humans is not None:
        asked_about = probes.join(known, on=["target", "relation"], how="semi")
        parts.append(prototypicality(responses, prototypical_probes(humans, asked_about, lexicon)))
    return pl.concat(parts)


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
    found = ranked.join(wanted, on=["target", "word"], maintain_order="left").drop("target", "weight")
    found = found.unique(["row", "word"], keep="first", maintain_order=True)  # two tokens can be one word
    return (
        found.join(rows.select("row", "kind", *UNIT), on="row").drop("row").with_columns(pl.col("word").cast(pl.String))
    )


def rank(ties: str, group: Sequence[str]) -> pl.Expr:
    """Return the rank of a hit when the words of `group` come first ("favourable") or last among their equals."""
    within = [*UNIT, *group, "first"]
    if ties == "favourable":
        return pl.col("first") + pl.int_range(pl.len(), dtype=pl.UInt32).over(within)
    if ties == "unfavourable":
        return pl.col("last") - pl.int_range(pl.len(), dtype=pl.UInt32).over(within)
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
    return _rows(value.with_columns(pl.col("value").fill_null(0.0)), "soundness")


def completeness(units: pl.DataFrame, found: pl.DataFrame, choices: Choices) -> pl.DataFrame:
    """Return Recall@k per probe (Eq. 13), k = min(|Y|, |L|), as a share of k or of |Y| (`choices.recall`)."""
    cutoff = pl.min_horizontal("relata", "size")
    inside = _of_relation(found, choices).join(units, on=UNIT).filter(pl.col("rank") <= cutoff)
    counts = inside.group_by(UNIT).agg(right=pl.len())
    share = pl.col("right").fill_null(0) / (cutoff if choices.recall == "cutoff" else pl.col("relata"))
    return _rows(units.join(counts, on=UNIT, how="left").with_columns(value=share), "completeness")


def distinguishability(
    units: pl.DataFrame, found: pl.DataFrame, relata: pl.DataFrame, choices: Choices
) -> pl.DataFrame:
    """Return δ(w, p, s) per probe and relation s with relata of the target (Eq. 24): their relative rank, 0 to 1.

    A word at rank i of the first k has (i - 1)/k, an absent one 1. By `choices.rank`, δ is that of the best s-relatum or,
    as Eq. 24 is printed, the mean over all of them.
    """
    sizes = relata.group_by("target", versus="relation").agg(others=pl.len())
    depth = pl.lit(choices.k) if choices.k else pl.col("relata")
    pairs = units.join(sizes, on="target").with_columns(k=depth)
    ranked = found.filter(pl.col("kind") == "main").drop_nulls("versus")
    ranked = ranked.with_columns(rank=rank(choices.ties, ["versus"])).join(pairs, on=[*UNIT, "versus"])
    near = ranked.filter(pl.col("rank") <= pl.col("k")).with_columns(relative=(pl.col("rank") - 1) / pl.col("k"))
    agg = near.group_by(*UNIT, "versus").agg(
        best=pl.col("relative").min(), total=pl.col("relative").sum(), seen=pl.len()
    )
    joined = pairs.join(agg, on=[*UNIT, "versus"], how="left")
    mean = (pl.col("total").fill_null(0.0) + pl.col("others") - pl.col("seen").fill_null(0)) / pl.col("others")
    value = pl.col("best").fill_null(1.0) if choices.rank == "best" else mean
    return _rows(joined.with_columns(value=value).drop("k"), "distinguishability")


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
    places = found.with_columns(rank=rank(choices.ties, ["word"])).select(*UNIT, "word", "rank")
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
    return pl.concat([_rows(values.filter(pl.col("relation").is_in(names)), metric) for metric, names in parts])


def response_entropy(humans: pl.DataFrame) -> pl.DataFrame:
    """Return the normalised entropy of each human response, 0 to 1 (Eq. 19; 0 if all answers are one word)."""
    weights = pl.element() / pl.element().sum()
    bits = -(weights * weights.log(2)).sum()
    types = pl.col("words").list.len()
    entropy = pl.col("weights").cast(pl.List(pl.Float64)).list.eval(bits).list.first() / types.cast(pl.Float64).log(2)
    return humans.select("probe_id", words=types, entropy=pl.when(types == 1).then(0.0).otherwise(entropy))


def prototypical_probes(humans: pl.DataFrame, probes: pl.DataFrame, lexicon: pl.DataFrame) -> pl.DataFrame:
    """Return the human responses that can be a gold standard of prototypicality (section 6.2), with UNIT.

    Those to main probes of PROTOTYPICAL relations, with an entropy below 1 and every word in the shared lexicon.
    """
    entropy = response_entropy(humans).filter(pl.col("entropy").round(12) < 1)
    known = pl.col("words").cast(pl.List(pl.String)).list.eval(pl.element().is_in(lexicon["word"].implode())).list.all()
    chosen = probes.filter(kind="main").filter(pl.col("relation").is_in(PROTOTYPICAL)).select("probe_id", *UNIT)
    return humans.filter(known).join(entropy.select("probe_id"), on="probe_id", how="semi").join(chosen, on="probe_id")


def prototypicality(responses: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """Return ρ per probe (Eq. 20 and 21): half for the humans' top word, half for the edit similarity of the rankings.

    Both rankings are cut at k, the number of words in the human response. Insertion and deletion cost 1, substitution 2,
    so the similarity is the longest common subsequence over k. Any of the humans' tied top words will do.
    """
    both = gold.join(responses.select("probe_id", answer="words"), on="probe_id")
    tied = pl.col("weights").list.eval(pl.element() == pl.element().max()).list.sum()
    top = pl.col("words").list.head(tied).list.contains(pl.col("answer").list.first())
    both = both.with_columns(top=top, k=pl.col("words").list.len())
    common = _common_subsequence(_codes(both["words"]), _codes(both.select(pl.col("answer").list.head("k"))["answer"]))
    value = (pl.col("top").cast(pl.Float64) + pl.Series(common, dtype=pl.Float64) / pl.col("k")) / 2
    return _rows(both.with_columns(value=value).drop("k"), "prototypicality")


def _codes(words: pl.Series) -> NDArray[np.int64]:
    """Return word lists as a matrix (lists, longest) of codes; -1 where a list has ended."""
    width = int(words.list.len().max() or 0)  # type: ignore[arg-type]
    coded = words.cast(pl.List(pl.Categorical)).list.eval(pl.element().to_physical().cast(pl.Int64))
    padded = coded.list.concat(pl.Series([[-1] * width]).new_from_index(0, len(words))).list.head(width)
    return padded.list.to_array(width).to_numpy()


def _common_subsequence(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the length of the longest common subsequence of each pair of rows; negative codes never match."""
    best = np.zeros((len(a), a.shape[1] + 1, b.shape[1] + 1), np.int64)
    for i in range(a.shape[1]):
        for j in range(b.shape[1]):
            same = (a[:, i] == b[:, j]) & (a[:, i] >= 0)
            best[:, i + 1, j + 1] = np.maximum(best[:, i, j] + same, np.maximum(best[:, i, j + 1], best[:, i + 1, j]))
    return best[:, -1, -1]


def _of_relation(found: pl.DataFrame, choices: Choices) -> pl.DataFrame:
    """Keep the hits of the prompted relation in main probes, with their rank."""
    right = found.filter((pl.col("kind") == "main") & (pl.col("versus") == pl.col("relation")))
    return right.with_columns(rank=rank(choices.ties, []))


def _rows(values: pl.DataFrame, metric: str) -> pl.DataFrame:
    """Bring the values of one metric into the columns of METRICS."""
    missing = [pl.lit(None, kind).alias(name) for name, kind in METRICS.items() if name not in values.columns]
    return values.with_columns(*missing).with_columns(metric=pl.lit(metric)).select(list(METRICS)).cast(METRICS)
