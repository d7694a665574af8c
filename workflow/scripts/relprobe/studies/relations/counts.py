"""What else is counted of a response: unrelated words, the first related one, and what is no word (sections 6.1 and 8)."""

import polars as pl

from relprobe.core.sums import ordered_product
from relprobe.studies.relations.method import Choices, JudgedAnswers, rows_of
from relprobe.studies.relations.ranks import PROMPTED, map_unique, none_within, rank_bounds
from relprobe.studies.relations.schemas import UNIT

OR = "/"  # between the relations of words that tie for the first related one


def unrelated(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return, per probe, 1 if none of the first |Y| words is a relatum of the prompted relation, else 0.

    This gives what the paper prints: 20 % of people's responses "consist solely of OOR words" (section 6.1). It is not what
    the paper calls OOR (`outside`): of the 10,244 published responses about targets with relata, 5 have no word of any
    relatum set, 468 (5 %) none that is related to their target, and 1,238 (12 %) no such word among the first |Y|.
    Responses of models are as long as their vocabulary.

    >>> from relprobe.studies.relations.values import example
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


def first_related(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return, per probe, the rank of the first word that is in any relatum set of the target.

    `versus` is the relation whose set that is. A probe without such a word in the response has no row. If related words tie
    with others, the rank is its expected value: of n words, the first of m is at place (n + 1)/(m + 1) on average. Each of
    the m words is then as likely the first one, and `versus` has the relations of all of them, such as "HYP/HYP/MER".

    >>> from relprobe.studies.relations.values import example
    >>> first_related(example(hyp_robin="x wing bird"), Choices()).select("versus", "value").rows()
    [('MER', 2.0)]
    """
    main = answers.hits.filter(kind="main").drop_nulls("versus")
    related = main.join(answers.units.select(UNIT), on=UNIT, how="semi")
    placed = related.with_columns(_listed(choices)).filter(pl.col("low") == pl.col("low").min().over(UNIT))
    first = placed.group_by(UNIT).agg(
        pl.col("versus").sort().str.join(OR), pl.col("low", "high").first(), tied=pl.col("word").n_unique()
    )
    expected = (pl.col("high") - pl.col("low") + 2) / (pl.col("tied") + 1)
    return rows_of(first.with_columns(value=pl.col("low") - 1 + expected), "first_related")


def _listed(choices: Choices) -> list[pl.Expr]:
    """Return low and high of a hit, as the paper counts unrelated words: in the listed order, unless ties are expected."""
    return rank_bounds("expected" if choices.ties == "expected" else "listed", [], PROMPTED)


def misses(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return, per probe, 1 if no word of the response is in any relatum set of the target, so that it has no first rank.

    The mean of `first_related` leaves these probes out.

    >>> from relprobe.studies.relations.values import example
    >>> misses(example(hyp_robin="x y", hol_wing="x robin"), Choices()).sort("target").select("target", "value").rows()
    [('robin', 1.0), ('wing', 0.0)]
    """
    first = first_related(answers, choices).select(*UNIT, value=pl.lit(0.0))
    rows = answers.units.select(UNIT).join(first, on=UNIT, how="left")
    return rows_of(rows.with_columns(pl.col("value").fill_null(1.0)), "misses")


def left_out(answers: JudgedAnswers, choices: Choices) -> pl.DataFrame:
    """Return, per probe of a model, no_word and outside: what a ranking of words leaves out.

    no_word is 1 if the likeliest token is no word (a quote, a number, a piece of a word), else 0. outside is the probability
    of all that is no word of the lexicon, among the answers that are stored. People have neither.

    >>> from relprobe.studies.relations.values import example
    >>> left_out(example(hyp_robin="x"), Choices()).height
    0
    """
    if answers.left_out is None:
        return rows_of(answers.units.select(UNIT).clear().with_columns(value=pl.lit(0.0)), "no_word")
    probes = answers.probes.select("probe_id", *UNIT).join(answers.left_out, on="probe_id")
    unit_shares = probes.join(answers.units.select(UNIT), on=UNIT, how="semi")
    values = (unit_shares.select(*UNIT, value=name).drop_nulls("value") for name in ("no_word", "outside"))
    return pl.concat([rows_of(part, name) for part, name in zip(values, ("no_word", "outside"), strict=True)])
