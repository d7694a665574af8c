"""Prototypicality (section 5.3.2): how near a response comes to the ranking of the humans."""

from collections.abc import Sequence

import polars as pl

from relprobe.core.sums import ordered_mean, ordered_sum
from relprobe.studies.relations.measure.hits import RESPONSE, expected_common_within, find_wanted, map_unique
from relprobe.studies.relations.measure.responses import people_responses
from relprobe.studies.relations.schemas import UNIT

ROUNDED = 12
"""Decimals at which an entropy counts as 0 or 1: sums of logarithms miss them by float noise."""


def response_entropy(humans: pl.DataFrame) -> pl.DataFrame:
    """Return the normalised entropy of each human response (Eq. 19): probe_id, words (n different ones), entropy.

    It is -Σ p log2 p / log2 n, from 0 (all answers are one word, where the formula has no value) to 1 (all words are equally
    frequent).

    >>> humans = pl.DataFrame({"probe_id": ["a", "b"], "words": [["x", "y"], ["x"]], "weights": [[0.5, 0.5], [1.0]]})
    >>> response_entropy(humans).rows()
    [('a', 2, 1.0), ('b', 1, 0.0)]
    """
    share = pl.element() / pl.element().sum()
    bits = pl.col("weights").cast(pl.List(pl.Float64)).list.eval(-(share * share.log(2)).sum()).list.first()
    words = pl.col("words").list.len()
    entropy = pl.when(words == 1).then(0.0).otherwise(bits / words.cast(pl.Float64).log(2)).round(ROUNDED)
    return humans.select("probe_id", words=words, entropy=entropy)


def prototypical_probes(
    humans: pl.DataFrame, probes: pl.DataFrame, lexicon: pl.DataFrame, codes: Sequence[str]
) -> pl.DataFrame:
    """Return the human responses that can be a gold standard of prototypicality (section 6.2), with UNIT.

    These are the responses to main probes of the prototypical relations (`codes`) whose entropy is below 1 and whose words
    all are in the shared lexicon.
    """
    entropy = response_entropy(humans).filter(pl.col("entropy") < 1)
    known = pl.col("words").cast(pl.List(pl.String)).list.eval(pl.element().is_in(lexicon["word"].implode())).list.all()
    chosen = probes.filter(kind="main").filter(pl.col("relation").is_in(codes)).select("probe_id", *UNIT)
    return humans.filter(known).join(entropy.select("probe_id"), on="probe_id", how="semi").join(chosen, on="probe_id")


def golds(
    lists: pl.DataFrame, probes: pl.DataFrame, lexicon: pl.DataFrame, codes: Sequence[str]
) -> dict[str, list[pl.DataFrame]]:
    """Return the gold standards of prototypicality by the choice `gold`, from the annotators' lists (LISTS).

    "pooled" is one: the answers of all annotators. "rest" has one per annotator: the answers of all the others. Both are
    about the same probes (`prototypical_probes`); a probe that only one annotator answered has no rest.
    """
    everyone = prototypical_probes(people_responses(lists), probes, lexicon, codes)
    return {"pooled": [everyone], "rest": [rest(lists, everyone, one) for one in annotators(lists)]}


def rest(lists: pl.DataFrame, everyone: pl.DataFrame, annotator: int) -> pl.DataFrame:
    """Return the pooled answers of all but one annotator to the probes in `everyone` that this annotator answered."""
    own = lists.filter(annotator=annotator).select("probe_id")
    others = people_responses(lists.filter(pl.col("annotator") != annotator).join(own, on="probe_id", how="semi"))
    return others.join(everyone.select("probe_id", *UNIT), on="probe_id")


def annotators(lists: pl.DataFrame) -> list[int]:
    """Return the numbers of the annotators, which only tell the lists of one probe apart."""
    return sorted(lists["annotator"].unique())


def similarity(responses: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """Return ρ per probe of `gold` (Eq. 20 and 21) as `value`, from 0 to 1, beside the columns UNIT.

    Half of it is for the humans' top word, half for the edit similarity of the rankings. Both rankings are cut at k, the
    number of words in the human response. Insertion and deletion cost 1, substitution 2, so the similarity is the longest
    common subsequence over k. Words that equally many humans named tie, and so do words of equal weight in a response: ρ is
    its expected value over all orders of both. A word that a response has twice stands at its better rank. The words of both
    are Categorical, as in RESPONSES.

    >>> words = {"words": pl.List(pl.Categorical)}
    >>> unit = {"relation": "HYP", "target": "robin", "prompt_id": "p"}
    >>> gold = [{"probe_id": "p:robin", "words": ["bird", "animal"], "weights": [0.75, 0.25], **unit}]
    >>> responses = [{"probe_id": "p:robin", "words": ["animal", "bird", "x"], "weights": [0.5, 0.3, 0.2]}]
    >>> gold, responses = (pl.DataFrame(rows).cast(words) for rows in (gold, responses))
    >>> similarity(responses, gold)["value"].to_list()  # the wrong top word, and one of two words in common order
    [0.25]
    """
    return _rank_correlation(_places(responses, [gold]), responses, gold)


def _places(responses: pl.DataFrame, golds: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return where the words of gold standards stand in the responses: probe_id, word, first and last (`hits.listed`)."""
    words = pl.concat([gold.select(target="probe_id", word="words") for gold in golds]).explode("word").unique()
    asked = responses.join(words, left_on="probe_id", right_on="target", how="semi", maintain_order="left")
    places = find_wanted(asked, asked["probe_id"], words.cast({"word": pl.String}))
    about = asked.select("probe_id").with_row_index(RESPONSE)
    found = places.join(about, on=RESPONSE, maintain_order="left").select("probe_id", "word", "first", "last")
    return found.unique(["probe_id", "word"], keep="first", maintain_order=True)


def _rank_correlation(places: pl.DataFrame, responses: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """Return ρ of responses whose words stand at `places` (`_places`), as `similarity` does."""
    ranked = gold.select("probe_id", "weights", word="words", k=pl.col("words").list.len()).explode("weights", "word")
    ranked = ranked.with_columns(
        pl.col("word").cast(pl.String),
        group=pl.col("weights").rank("dense", descending=True).over("probe_id").cast(pl.Int64),
    )
    common = ranked.join(places, on=["probe_id", "word"]).filter(pl.col("first") <= pl.col("k"))
    top = ranked.filter(group=1).group_by("probe_id").agg(pl.col("k").first(), tied=pl.len())
    scored = gold.join(responses.select("probe_id"), on="probe_id").join(top, on="probe_id", how="left")
    scored = scored.join(_expected(common), on="probe_id", how="left")
    share = pl.col("common").fill_null(0.0) / pl.col("k")
    return scored.select(*UNIT, value=(pl.col("top").fill_null(0.0) / pl.col("tied") + share) / 2)


def _expected(common: pl.DataFrame) -> pl.DataFrame:
    """Return per probe top, how likely a top word of the gold standard stands first, and common, the expected subsequence.

    `common`: probe_id, k, group (that of the gold standard, from 1), first and last of each word that both have.
    """
    names = ("group", "first", "last")
    first = (pl.col("group") == 1) & (pl.col("first") == 1)
    words = common.sort("probe_id", *(pl.col(name) for name in ("first", "last", "group")))
    lists = words.group_by("probe_id", maintain_order=True).agg(
        *names, k=pl.col("k").first(), top=ordered_sum(first / pl.col("last"))
    )
    values = map_unique(expected_common_within, *(pl.col(name) for name in (*names, "k")))
    return lists.select("probe_id", "top", common=values)


def mean_similarity(responses: pl.DataFrame, golds: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return the mean of ρ over several gold standards, per probe: UNIT and value (`similarity`)."""
    places = _places(responses, golds)
    values = pl.concat([_rank_correlation(places, responses, gold) for gold in golds])
    return values.group_by(UNIT, maintain_order=True).agg(ordered_mean("value"))
