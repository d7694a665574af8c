"""The metrics of Cao et al., section 5: above each function stands what its metric is, for all that reads it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import polars as pl

from relprobe.core.sums import ordered_product, ordered_sum
from relprobe.studies.relations.measure.hits import (
    PROMPTED,
    Answers,
    linked_pairs,
    map_unique,
    none_within,
    places,
    relative_rank,
    within,
)
from relprobe.studies.relations.measure.measures import (
    DISTINGUISHABILITY,
    OF_PAIRS,
    OF_PROBES,
    OF_SETS,
    OF_TARGETS,
    OF_TUPLES,
    PROMPTS,
    RECIPROCITY,
    RELATA,
    RELATED_WORDS,
    SHARED_RELATA,
    Measure,
    computes,
    measures_of,
)
from relprobe.studies.relations.measure.prototypicality import mean_similarity
from relprobe.studies.relations.schemas import METRICS, UNIT

# A function returns a row per probe or tuple (METRICS) of its metric, or of two.
# What a metric is stands above its function, which takes an agent's answers and the choices (values.py calls it).


OR = "/"  # between the relations of words that tie for the first related one


@dataclass(frozen=True)
class Choices:
    """What the paper leaves open. Each field is a key of the config.

    ties: the rank of words of equal weight, which humans' responses have. "expected" takes the expected value over all
    orders of these words. "favourable" puts those of the prompted relation (for symmetry and asymmetry: of the tuple) before
    their equals; so read, the published answers give the paper's 0.90 and 0.88 for soundness and symmetry of antonymy.
    "unfavourable" puts them after, and "listed" keeps the order of the response. A model's equal weights, of which there are
    hardly any, always count by their expected value. gold: prototypicality compares with the answers of the "rest", all
    annotators but one, and is the mean over who is left out; or with those of all, "pooled", as in the paper. rank: a
    relation's rank in a response is that of its "best" relatum, or the "mean" over its relata. recall: completeness is the
    share of the "cutoff" k = min(|Y|, |L|), or of the "relata" |Y|. These differ only for responses that are shorter than
    |Y|, which only humans have: the paper prints 0.38 to 0.49 for them outside antonymy; over the cutoff its data give 0.36
    to 0.45, over the relata 0.16 to 0.43. k: the length of the response that distinguishability looks at; 0 is |Y^r| of the
    target. symmetry_k: the cut-offs of symmetry and asymmetry.
    """

    ties: Literal["expected", "favourable", "unfavourable", "listed"] = "expected"
    gold: Literal["rest", "pooled"] = "rest"
    recall: Literal["cutoff", "relata"] = "cutoff"
    rank: Literal["best", "mean"] = "best"
    k: int = 0
    symmetry_k: Sequence[int] = (1, 5, 10)


@computes(
    Measure(
        "soundness",
        title="Soundness",
        caption="The share of probes whose top answer has the prompted relation to the target (Eq. 11 and 12; Figure 4 of "
        "the paper).",
        test="McNemar",
        unit=OF_PROBES,
        crossed=PROMPTS,
        item=OF_TARGETS,
        items="targets",
        links=(SHARED_RELATA,),
        linked_by="a relatum",
        frequencies=OF_SETS,
        choices=("ties", RELATA),
    ),
)
def soundness(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return Precision@1 per probe (Eq. 11): 1 if the top word is a relatum of the prompted relation, else 0.

    If several words tie for the top, its expected value is the share of relata among them.

    >>> from relprobe.studies.relations.measure.values import example  # of robin: HYP bird, animal; MER wing
    >>> values = soundness(example(hyp_robin="bird x", hol_wing="x robin"), Choices())
    >>> sorted(values.select("target", "value").rows())
    [('robin', 1.0), ('wing', 0.0)]
    """
    right = _relation_hits(answers, choices).group_by(UNIT).agg(value=ordered_sum(within(pl.lit(1))))
    value = answers.units.select(UNIT).join(right, on=UNIT, how="left")
    return rows_of(value.with_columns(pl.col("value").fill_null(0.0)), "soundness")


@computes(
    Measure(
        "completeness",
        share=True,
        title="Completeness",
        caption="The share of the relatum set found among the first |Y| answers (Eq. 13 and 14; Figure 5 of the paper).",
        unit=OF_TARGETS,
        crossed=PROMPTS,
        item=OF_TARGETS,
        items="targets",
        links=(SHARED_RELATA,),
        linked_by="a relatum",
        frequencies=OF_SETS,
        choices=("ties", "recall", RELATA),
    ),
)
def completeness(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return Recall@k per probe (Eq. 13), k = min(|Y|, |L|), as a share of k or of |Y| (`ranking.recall`).

    >>> from relprobe.studies.relations.measure.values import example
    >>> completeness(example(hyp_robin="bird x animal"), Choices())["value"].to_list()
    [0.5]
    """
    units = answers.units
    cutoff = pl.min_horizontal("relata", "size")
    counts = _relation_hits(answers, choices).join(units, on=UNIT).group_by(UNIT).agg(right=ordered_sum(within(cutoff)))
    share = pl.col("right").fill_null(0) / (cutoff if choices.recall == "cutoff" else pl.col("relata"))
    return rows_of(units.join(counts, on=UNIT, how="left").with_columns(value=share), "completeness")


@computes(DISTINGUISHABILITY)
def distinguishability(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return δ(w, p, s) per probe and relation s with relata of the target (Eq. 24): their relative rank, 0 to 1.

    A word at rank i of the first k has (i - 1)/k, an absent one 1. By `ranking.rank`, δ is that of the best s-relatum or,
    as Eq. 24 is printed, the mean over all of them. Relations tie, too: humans reach the paper's AuDC of 21.3 and its
    curve (30 pairs until past 0.5, none from 0.9) if a relatum of r goes before an equal one of s.

    >>> from relprobe.studies.relations.measure.values import example
    >>> rows = distinguishability(example(hyp_robin="x bird wing"), Choices(k=4))
    >>> sorted(rows.select("relation", "versus", "value").rows())
    [('HYP', 'HYP', 0.25), ('HYP', 'MER', 0.5)]
    """
    depth = pl.lit(choices.k) if choices.k else pl.col("relata")
    main = answers.hits.filter(kind="main")
    return rows_of(
        relative_ranks(main, answers.units.with_columns(k=depth), answers.relata, choices), "distinguishability"
    )


def relative_ranks(hits: pl.DataFrame, probes: pl.DataFrame, relata: pl.DataFrame, choices: Choices) -> pl.DataFrame:
    """Return the relative rank of each relation s with relata of a probe's target: UNIT, versus (s) and value, 0 to 1.

    `hits`: those of the probes (`hits.hits`). `probes`: UNIT and k, the number of words of the response that count.
    `relata`: the relatum sets. Of `choices`, ties and rank count.
    """
    sizes = relata.group_by("target", versus="relation").agg(others=pl.len())
    pairs = probes.join(sizes, on="target")
    ranked = (
        hits.drop_nulls("versus").with_columns(places(choices.ties, [], PROMPTED)).join(pairs, on=[*UNIT, "versus"])
    )
    near = ranked.filter(pl.col("low") <= pl.col("k"))
    ranks = (best_ranks if choices.rank == "best" else mean_ranks)(near, [*UNIT, "versus"])
    joined = pairs.join(ranks, on=[*UNIT, "versus"], how="left")
    value = (pl.col("relative").fill_null(0.0) + pl.col("others") - pl.col("seen").fill_null(0)) / pl.col("others")
    if choices.rank == "best":
        value = pl.col("relative").fill_null(1.0)
    return joined.select(*UNIT, "versus", value=value)


def best_ranks(near: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the expected relative rank of the best relatum of each `key`: the key and relative.

    `near`: the key, low and high of relata (`hits.places`), with a low rank up to k, the number of words that count.
    """
    first = near.filter(pl.col("low") == pl.col("low").min().over(key))
    ranks = first.group_by(key).agg(pl.col("low", "high", "k").first(), tied=pl.len())
    value = map_unique(relative_rank, *(pl.col(name) for name in ("low", "high", "tied", "k")))
    return ranks.select(*key, relative=value)


def mean_ranks(near: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the sum of the expected relative ranks of the relata of each `key`, and their number: relative and seen.

    `near`: as for `best_ranks`.
    """
    words = pl.col("high") - pl.col("low") + 1
    inside = (pl.col("k") - pl.col("low") + 1).clip(0, words)  # the ranks among the first k that the word can take
    before = inside * (pl.col("low") - 1) + inside * (inside - 1) / 2  # the sum of (i - 1) over these
    relative = (before / pl.col("k") + words - inside) / words
    return near.group_by(key).agg(relative=ordered_sum(relative), seen=pl.len())


@computes(
    Measure(
        "symmetry",
        title="Symmetry",
        caption="How often the agent answers v to w and w to v, for pairs of the symmetric relations (Eq. 15 and 16; "
        "Figures 6a, B1, B2 of the paper). A pair counts once, whichever way round it is written.",
        test="McNemar",
        unit=("target", "relatum", PROMPTS),
        crossed=PROMPTS,
        item=OF_TUPLES,
        items="pairs",
        cluster=("cluster",),
        clusters="groups of linked pairs",
        links=OF_TUPLES,
        linked_by="a word",
        cutoffs=True,
        frequencies=OF_PAIRS,
        choices=("ties",),
        compared_as=RECIPROCITY,
    ),
    Measure(
        "asymmetry",
        title="Asymmetry",
        caption="How often it answers v to w but not w to v, for tuples of the other relations, whose reverse probe is a "
        "trick (Eq. 17 and 18; Figures 6b, B1, B2 of the paper). An agent that never finds v has none.",
        test="McNemar",
        unit=("target", "relatum", PROMPTS),
        crossed=PROMPTS,
        item=OF_TUPLES,
        items="tuples",
        cluster=OF_TARGETS,
        clusters="targets",
        links=OF_TUPLES,
        linked_by="a word",
        cutoffs=True,
        frequencies=OF_PAIRS,
        choices=("ties",),
        compared_as=RECIPROCITY,
    ),
)
def reciprocity(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return symmetry μ (Eq. 1) and asymmetry α (Eq. 2) per tuple, prompt and k.

    μ = [v among the first k for w] x [w among the first k for v], for symmetric relations; α is the same with [w not among
    them], for the others, where the probe on v is a trick probe. Since μ of (w, v) is that of (v, w), a symmetric pair has
    one row: `target` is its first word in the alphabet, and `cluster` names the pairs that it is linked to (`linked_pairs`).

    >>> from relprobe.studies.relations.measure.values import example
    >>> rows = reciprocity(example(ant_night="day x", ant_day="x night"), Choices(symmetry_k=[1, 2]))
    >>> sorted(rows.select("metric", "k", "target", "relatum", "value").rows())
    [('symmetry', 1, 'day', 'night', 0.0), ('symmetry', 2, 'day', 'night', 1.0)]
    """
    answered = answers.probes.join(answers.responses.select("probe_id"), on="probe_id", how="semi").select(UNIT)
    reverse = answered.select("relation", "prompt_id", relatum="target")
    pairs = answers.tuples.select("target", "relation", "relatum").join(answered, on=["relation", "target"])
    pairs = pairs.join(reverse, on=["relation", "prompt_id", "relatum"], how="semi")
    ranks = _elicited(answers, choices)
    both = pairs.join(ranks, left_on=[*UNIT, "relatum"], right_on=[*UNIT, "word"], how="left").join(
        ranks.rename({"target": "relatum", "word": "target", "rank": "back"}),
        on=["relation", "prompt_id", "relatum", "target"],
        how="left",
    )
    once = _counted_once(both, answers.tuples, answers.relations.symmetric)
    return pl.concat([_reciprocal(once, k, answers.relations.symmetric) for k in choices.symmetry_k])


def _counted_once(both: pl.DataFrame, tuples: pl.DataFrame, codes: Sequence[str]) -> pl.DataFrame:
    """Leave each pair of the symmetric `codes` one way round, whatever ways the tuples have, and add its cluster."""
    symmetric = pl.col("relation").is_in(codes)
    pairs = both.filter(symmetric).join(linked_pairs(tuples, codes), on=["relation", "target", "relatum"])
    mirrored = pairs.rename({"target": "relatum", "relatum": "target", "rank": "back", "back": "rank"})
    in_order = pl.concat([pairs, mirrored.select(pairs.columns)]).filter(pl.col("target") < pl.col("relatum"))
    once = in_order.unique([*UNIT, "relatum"])
    return pl.concat([once, both.filter(~symmetric)], how="diagonal")


def _elicited(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return UNIT, word and rank of each hit; rank holds, per cut-off k, the probability to be among the first k.

    If several responses to a probe are there, as those of single annotators, it is the mean over these.
    """
    lists = (
        answers.responses.join(answers.probes.select("probe_id", *UNIT), on="probe_id")
        .group_by(UNIT)
        .agg(lists=pl.len())
    )
    # A word of two relatum sets has a row for each, and counts once.
    one_set = pl.col("versus").eq_missing(pl.col("versus").first().over([*UNIT, "word"]))
    placed = answers.hits.filter(one_set).with_columns(places(choices.ties, ["word"], pl.col("word").is_not_null()))
    shares = [(ordered_sum(within(pl.lit(k))) / pl.col("lists").first()).alias(str(k)) for k in choices.symmetry_k]
    return placed.join(lists, on=UNIT).group_by(*UNIT, "word").agg(rank=pl.struct(shares))


def _reciprocal(both: pl.DataFrame, k: int, codes: Sequence[str]) -> pl.DataFrame:
    symmetric = pl.col("relation").is_in(codes)
    forward, backward = (pl.col(name).struct.field(str(k)).fill_null(0.0) for name in ("rank", "back"))
    # Two responses have their orders independently of each other, so that the probabilities multiply.
    right = forward * pl.when(symmetric).then(backward).otherwise(1 - backward)
    values = both.with_columns(k=pl.lit(k, pl.UInt16), value=right)
    parts = (("symmetry", symmetric), ("asymmetry", ~symmetric))
    return pl.concat([rows_of(values.filter(rows), metric) for metric, rows in parts])


@computes(
    Measure(
        "prototypicality",
        share=True,
        title="Prototypicality",
        caption="How near the ranking comes to the humans': half for the same top word, half for the edit similarity (Eq. "
        "20 to 23; Figure 7 of the paper).",
        unit=OF_TARGETS,
        crossed=PROMPTS,
        item=OF_TARGETS,
        items="targets",
        links=(SHARED_RELATA,),
        linked_by="a relatum",
        frequencies=("target",),  # the gold standard is no relatum set (footnote 24)
        choices=("gold",),
        of_humans=True,
    ),
)
def prototypicality(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return ρ per probe that has a human response to compare with (Eq. 20 and 21), by `ranking.gold`; see `similarity`.

    The pooled humans have none: compared with themselves they would have 1.
    """
    golds = answers.golds.get(choices.gold, ())
    if not golds:
        return pl.DataFrame(schema=METRICS)
    return rows_of(mean_similarity(answers.responses, golds), "prototypicality")


@computes(
    Measure(
        "unrelated",
        less_is_better=True,
        share=True,
        test=None,
        unit=OF_PROBES,
        crossed=PROMPTS,
        item=OF_TARGETS,
        items="targets",
        links=(SHARED_RELATA,),
        linked_by="a relatum",
        printed="responses of unrelated words alone (share)",
    ),
)
def unrelated(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return, per probe, 1 if none of the first |Y| words is a relatum of the prompted relation, else 0.

    This gives what the paper prints: 20 % of people's responses "consist solely of OOR words" (section 6.1). It is not what
    the paper calls OOR (`outside`): of the 10,244 published responses about targets with relata, 5 have no word of any
    relatum set, 468 (5 %) none that is related to their target, and 1,238 (12 %) no such word among the first |Y|.
    Responses of models are as long as their vocabulary.

    >>> from relprobe.studies.relations.measure.values import example
    >>> unrelated(example(hyp_robin="x wing bird"), Choices())["value"].to_list()
    [1.0]
    """
    near = answers.hits.filter((pl.col("kind") == "main") & PROMPTED).join(answers.units, on=UNIT)
    near = near.with_columns(_listed(choices)).filter(pl.col("low") <= pl.col("relata"))
    tied = near.group_by(*UNIT, "low", "high", "relata").agg(tied=pl.len())
    none = map_unique(none_within, *(pl.col(name) for name in ("low", "high", "tied", "relata")))
    share = tied.with_columns(none=none).group_by(UNIT).agg(value=ordered_product("none"))
    rows = answers.units.join(share, on=UNIT, how="left")
    return rows_of(rows.with_columns(pl.col("value").fill_null(1.0)), "unrelated")


@computes(
    Measure(
        "first_related",
        less_is_better=True,
        test=None,
        unit=OF_PROBES,
        crossed=PROMPTS,
        item=OF_TARGETS,
        items="targets",
        links=(RELATED_WORDS,),
        linked_by="a related word",
        printed="rank of the first related word",
    ),
)
def first_related(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return, per probe, the rank of the first word that is in any relatum set of the target.

    `versus` is the relation whose set that is. A probe without such a word in the response has no row. If related words tie
    with others, the rank is its expected value: of n words, the first of m is at place (n + 1)/(m + 1) on average. Each of
    the m words is then as likely the first one, and `versus` has the relations of all of them, such as "HYP/HYP/MER".

    >>> from relprobe.studies.relations.measure.values import example
    >>> first_related(example(hyp_robin="x wing bird"), Choices()).select("versus", "value").rows()
    [('MER', 2.0)]
    """
    main = answers.hits.filter(kind="main").drop_nulls("versus")
    related = main.join(answers.units.select(UNIT), on=UNIT, how="semi")
    placed = related.with_columns(_listed(choices)).filter(pl.col("low") == pl.col("low").min().over(UNIT))
    first = placed.group_by(UNIT).agg(
        pl.col("versus").sort().str.join(OR), pl.col("low", "high").first(), tied=pl.col("word").n_unique()
    )
    place = (pl.col("high") - pl.col("low") + 2) / (pl.col("tied") + 1)
    return rows_of(first.with_columns(value=pl.col("low") - 1 + place), "first_related")


def _listed(choices: Choices) -> list[pl.Expr]:
    """Return low and high of a hit, as the paper counts unrelated words: in the listed order, unless ties are expected."""
    return places("expected" if choices.ties == "expected" else "listed", [], PROMPTED)


@computes(
    Measure(
        "misses",
        less_is_better=True,
        share=True,
        test=None,
        unit=OF_PROBES,
        crossed=PROMPTS,
        item=OF_TARGETS,
        items="targets",
        links=(RELATED_WORDS,),
        linked_by="a related word",
    ),
)
def misses(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return, per probe, 1 if no word of the response is in any relatum set of the target, so that it has no first rank.

    The mean of `first_related` leaves these probes out.

    >>> from relprobe.studies.relations.measure.values import example
    >>> misses(example(hyp_robin="x y", hol_wing="x robin"), Choices()).sort("target").select("target", "value").rows()
    [('robin', 1.0), ('wing', 0.0)]
    """
    first = first_related(answers, choices).select(*UNIT, value=pl.lit(0.0))
    rows = answers.units.select(UNIT).join(first, on=UNIT, how="left")
    return rows_of(rows.with_columns(pl.col("value").fill_null(1.0)), "misses")


@computes(
    *(
        Measure(
            name,
            less_is_better=True,
            share=True,
            test=None,
            unit=OF_PROBES,
            crossed=PROMPTS,
            item=OF_TARGETS,
            items="targets",
        )
        for name in ("no_word", "outside")
    ),
)
def left_out(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return, per probe of a model, no_word and outside: what a ranking of words leaves out.

    no_word is 1 if the likeliest token is no word (a quote, a number, a piece of a word), else 0. outside is the probability
    of all that is no word of the lexicon, among the answers that are stored. People have neither.

    >>> from relprobe.studies.relations.measure.values import example
    >>> left_out(example(hyp_robin="x"), Choices()).height
    0
    """
    if answers.left_out is None:
        return rows_of(answers.units.select(UNIT).clear().with_columns(value=pl.lit(0.0)), "no_word")
    about = answers.probes.select("probe_id", *UNIT).join(answers.left_out, on="probe_id")
    of_units = about.join(answers.units.select(UNIT), on=UNIT, how="semi")
    values = (of_units.select(*UNIT, value=name).drop_nulls("value") for name in ("no_word", "outside"))
    return pl.concat([rows_of(part, name) for part, name in zip(values, ("no_word", "outside"), strict=True)])


def _relation_hits(answers: Answers, choices: Choices) -> pl.DataFrame:
    """Return the hits of the prompted relation in main probes, with the ranks that they can take: low and high."""
    right = answers.hits.filter((pl.col("kind") == "main") & PROMPTED)
    return right.with_columns(places(choices.ties, [], PROMPTED))


def rows_of(values: pl.DataFrame, metric: str) -> pl.DataFrame:
    """Bring the values of one metric into the columns of METRICS."""
    missing = [pl.lit(None, kind).alias(name) for name, kind in METRICS.items() if name not in values.columns]
    return values.with_columns(*missing).with_columns(metric=pl.lit(metric)).select(list(METRICS)).cast(METRICS)


FUNCTIONS = (
    soundness,
    completeness,
    reciprocity,
    prototypicality,
    unrelated,
    first_related,
    misses,
    left_out,
)
"""The functions of the metrics, in the order of tables and pages. A new one is named here."""
MEASURES = tuple(chain.from_iterable(map(measures_of, FUNCTIONS)))
"""The metrics with a value per probe or tuple, in the order of tables and pages. The `unit` of the paper's test is a probe,
or a tuple under one prompt, where values are 0 or 1; elsewhere it is a target (the averages over prompts, Eq. 13 and 22).
Two targets that share a right answer are not independent of each other, and neither are two pairs or tuples that share a
word, as they share a probe: our tests and intervals know these links (stats/linked.py). The clusters of the sign-flip
test that stands beside them are targets. For symmetry they are groups of pairs that hang together by common words, as a pair
has no first word; the tuples of the other relations would all hang together by a few frequent words."""


def with_figures(humans: bool = True) -> list[Measure]:
    """Return the metrics with a title; without those of humans if there are no human responses.

    >>> {measure.name for measure in with_figures()} - {measure.name for measure in with_figures(humans=False)}
    {'prototypicality'}
    """
    return [measure for measure in MEASURES if measure.title and (humans or not measure.of_humans)]
