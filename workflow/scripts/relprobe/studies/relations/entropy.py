"""How prototypical the humans' answers are: the analysis of their response entropy (section 6.2)."""

import itertools

import polars as pl

from relprobe.core.relation import RELATIONS
from relprobe.core.stats import mann_whitney


def by_relation(values: pl.DataFrame, words: pl.DataFrame) -> pl.DataFrame:
    """Return Table 3 and sections 6.1 and 6.2 per relation, and a row without relation for all of them.

    `values`: entropy and words of each response; `words`: a row per answered word. Of the responses: how many, those of
    entropy 0 and 1, different words each, mean entropy; `mean_without_zeros` is that of Figure 2, which leaves out the
    responses of entropy 0. Then the answered words and how many different ones there are.
    """
    entropy = pl.col("entropy")
    of_responses = {
        "responses": pl.len(),
        "entropy_0": (entropy == 0).sum(),
        "entropy_0_share": (entropy == 0).mean(),
        "entropy_1": (entropy == 1).sum(),
        "words": pl.col("words").mean(),
        "mean_without_zeros": entropy.filter(entropy > 0).mean(),
        "sd_without_zeros": entropy.filter(entropy > 0).std(),
    }
    of_words = {"answered_words": pl.len(), "different_words": pl.col("word").n_unique()}
    rows = (
        values.group_by("relation").agg(**of_responses).join(words.group_by("relation").agg(**of_words), on="relation")
    )
    everything = pl.concat([values.select(**of_responses), words.select(**of_words)], how="horizontal")
    ordered = rows.sort(pl.col("relation").cast(pl.Enum(RELATIONS)))
    return pl.concat([ordered, everything], how="diagonal")


def differences(values: pl.DataFrame) -> pl.DataFrame:
    """Test every pair of relations for a different distribution of entropies (Mann-Whitney U; footnotes 15 and 16)."""
    groups = {relation: values.filter(relation=relation)["entropy"].to_numpy() for relation in RELATIONS}
    rows = []
    for r, s in itertools.combinations(RELATIONS, 2):
        test = mann_whitney(groups[r], groups[s])
        rows.append((r, s, test.n, test.effect, test.p, test.note))
    kinds = {"effect": pl.Float64(), "p": pl.Float64(), "note": pl.String()}
    names = ["relation", "versus", "responses", "effect", "p", "note"]
    return pl.DataFrame(rows, schema=names, schema_overrides=kinds, orient="row")
