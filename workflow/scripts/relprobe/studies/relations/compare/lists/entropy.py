"""How prototypical the humans' answers are: the analysis of their response entropy (section 6.2)."""

import itertools
from pathlib import Path

import polars as pl

from relprobe.core.files import ShownTables
from relprobe.core.manifest import only_file
from relprobe.core.relation import Relations
from relprobe.sources.human_responses import read
from relprobe.sources.language import LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.stats import Values, mann_whitney, with_holm
from relprobe.studies.relations.ask.prompts import Prompts
from relprobe.studies.relations.compare.lists.outside import outside
from relprobe.studies.relations.measure.prototypicality import response_entropy
from relprobe.studies.relations.measure.responses.ranked_lists import answered_words, pooled_responses
from relprobe.studies.relations.schemas import Relata

DIFFERENCES = pl.Schema(
    {
        "relation": pl.String(),
        "versus": pl.String(),
        "targets": pl.UInt32(),  # of both relations
        "effect": pl.Float64(),
        "p": pl.Float64(),
        "p_holm": pl.Float64(),
        "responses": pl.UInt32(),
        "paper_effect": pl.Float64(),
        "paper_p": pl.Float64(),
        "paper_p_holm": pl.Float64(),
        "note": pl.String(),  # why p is missing
    }
)


def entropy(
    answers: Path, prompts: Prompts, relata: Relata, relations: RelationsFile, language: LanguageFile
) -> ShownTables:
    """Analyse the entropy of all human answers to the prompts: Table 3, and tests between relations (section 6.2).

    `answers`: the manifest of the file of answers. The table `outside` counts the answers that are in no relatum set of any
    target (section 6.1).
    """
    every = read(only_file(answers), relations.answer_keys, language.answer_articles)
    words = answered_words(every, prompts)
    return entropy_tables(words, relations=relations) | {"outside": outside(words, relata, relations=relations)}


def entropy_tables(words: pl.DataFrame, *, relations: Relations) -> dict[str, pl.DataFrame]:
    """Return the entropy of each response, Table 3, and the tests between relations, by the names of their files.

    `words`: a row per answered word (`ranked_lists.answered_words`).
    """
    target = pl.col("probe_id").str.split(":").list.last()
    asked = words.select("probe_id", "relation", target=target).unique()
    values = response_entropy(pooled_responses(words)).join(asked, on="probe_id", maintain_order="left")
    return {
        "response_entropies": values.select("probe_id", "relation", "entropy"),
        "entropy": by_relation(values, words, relations=relations),
        "entropy_differences": differences(values, relations=relations),
    }


def by_relation(values: pl.DataFrame, words: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return Table 3 and sections 6.1 and 6.2 per relation, and a row without relation for all of them.

    `values`: entropy and words of each response; `words`: a row per answered word. The columns count the responses, those of
    entropy 0 and 1, their different words (mean), the answered words and the different ones among these.
    `mean_without_zeros` is the mean entropy of Figure 2, which leaves out the responses of entropy 0.
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
    ordered = rows.sort(pl.col("relation").cast(relations.order))
    return pl.concat([ordered, everything], how="diagonal")


def differences(values: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Test every pair of relations for a different distribution of entropies (Mann-Whitney U; footnotes 15 and 16).

    The paper takes every response as independent (the columns `paper_…`), but a target has one per prompt. Here p is that of
    the test of the targets' mean entropies. Both are adjusted by Holm's method over all pairs of relations. `values`:
    relation, target and entropy of each response. `effect` is the rank-biserial correlation of the targets.
    """
    means = values.group_by("relation", "target").agg(pl.col("entropy").mean()).sort("relation", "target")
    pairs = list(itertools.combinations(relations.codes, 2))
    of_targets = [mann_whitney(_entropies(means, r), _entropies(means, s)) for r, s in pairs]
    of_responses = [mann_whitney(_entropies(values, r), _entropies(values, s)) for r, s in pairs]
    rows = [
        (*pair, ours.n, ours.effect, ours.p, None, theirs.n, theirs.effect, theirs.p, None, ours.note)
        for pair, ours, theirs in zip(pairs, of_targets, of_responses, strict=True)
    ]
    return with_holm(with_holm(pl.DataFrame(rows, schema=DIFFERENCES, orient="row")), p="paper_p")


def _entropies(values: pl.DataFrame, relation: str) -> Values:
    entropies: Values = values.filter(relation=relation)["entropy"].to_numpy()
    return entropies
