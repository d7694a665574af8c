"""The study's size: what is asked of whom (Table 1), the relatum sets (Table 2), and what a lexicon holds of them."""

from collections.abc import Mapping

import polars as pl

from relprobe.core.relation import RELATIONS, REVERSE

KEY = ["relation", "target"]


def data_table(probes: pl.DataFrame, gold: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return Tables 1 and 2 in one, a row per relation: prompts, targets, probes, and sizes of the relatum sets.

    `probes` are of all candidate tuples, `gold` the tuples in the shared lexicon.
    """
    table = probe_counts(probes, gold).join(set_sizes(gold, relata), on="relation", how="left")
    return table.sort(pl.col("relation").cast(pl.Enum(RELATIONS)))


def probe_counts(probes: pl.DataFrame, gold: pl.DataFrame) -> pl.DataFrame:
    """Return Table 1 per relation: prompts, candidate targets, and those in the shared lexicon with their probes.

    A candidate's tuple need not be in the shared lexicon; each model is asked about the candidates that are one token of
    its own. `trick_probes` are those on targets of the reverse relation alone (section 5.2).
    """
    main = gold.select(KEY).unique()
    trick = gold.select(pl.col("relation").replace_strict(REVERSE), "target").unique().join(main, on=KEY, how="anti")
    asked = probes.filter(kind="main").group_by("relation")
    counts = asked.agg(prompts=pl.col("prompt_id").n_unique(), candidate_targets=pl.col("target").n_unique())
    for name, targets in (("probes", main), ("trick_probes", trick)):
        found = probes.join(targets, on=KEY, how="semi").group_by("relation").agg(pl.len().alias(name))
        counts = counts.join(found, on="relation", how="left").with_columns(pl.col(name).fill_null(0))
    targets = main.group_by("relation").agg(targets=pl.len())
    counts = counts.join(targets, on="relation", how="left").with_columns(pl.col("targets").fill_null(0))
    return counts.select("relation", "prompts", "candidate_targets", "targets", "probes", "trick_probes")


def set_sizes(gold: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return Table 2: mean and standard deviation of the relatum sets per relation, before and after expansion.

    Over the targets of the relation's tuples whose set is not empty.
    """
    before = _sizes(gold, gold, "before")
    return before.join(_sizes(relata, gold, "after"), on="relation", how="left")


def _sizes(sets: pl.DataFrame, gold: pl.DataFrame, name: str) -> pl.DataFrame:
    targets = gold.select("target", "relation").unique()
    counts = sets.join(targets, on=["target", "relation"], how="semi").group_by("target", "relation").len()
    return counts.group_by("relation").agg(
        pl.col("len").mean().alias(f"{name}_mean"),
        pl.col("len").std().alias(f"{name}_sd"),
        pl.len().alias(f"{name}_targets"),
    )


def lexicon_coverage(
    lexicons: Mapping[str, pl.DataFrame],
    shared: pl.DataFrame,
    candidates: pl.DataFrame,
    gold: pl.DataFrame,
    relata: pl.DataFrame,
) -> pl.DataFrame:
    """Return, per model, the words that are one token of it, and the shares of the study's words that these hold.

    `lexicons`: agent -> LEXICON. Of the shared lexicon, and of `candidates` (tuples of the sources, whatever the lexicon),
    `gold` (tuples in the shared lexicon) and `relata`: models of the panel hold all of the shared lexicon and what is in
    it; a model outside it can answer about its share of the targets, and give its share of the relata.
    """
    rows = []
    for agent, lexicon in lexicons.items():
        words = lexicon["word"].drop_nulls().unique().implode()
        asked, given = pl.col("target").is_in(words), pl.col("relatum").is_in(words)
        rows.append(
            {
                "agent": agent,
                "words": len(words.item()),
                "shared_lexicon": _share(shared, pl.col("word").is_in(words)),
                "candidate_targets": _share(candidates.select(KEY).unique(), asked),
                "targets": _share(gold.select(KEY).unique(), asked),
                "tuples": _share(gold, asked & given),
                "relata": _share(relata, asked & given),
            }
        )
    return pl.DataFrame(rows)


def _share(table: pl.DataFrame, held: pl.Expr) -> float | None:
    share: float | None = table.select(held.mean()).item()
    return share
