"""The size of the study: its probes (Table 1), its relatum sets (Table 2), and the shares that the models' lexicons hold."""

import itertools
from collections.abc import Mapping

import polars as pl

from relprobe.core.relation import Relations, in_lexicon
from relprobe.studies.relations.data.losses import KEY


def data_table(probes: pl.DataFrame, gold: pl.DataFrame, relata: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return Tables 1 and 2 in one, a row per relation: prompts, targets, probes, and sizes of the relatum sets.

    `probes` are of all candidate tuples, `gold` the tuples in the shared lexicon.
    """
    table = probe_counts(probes, gold, relations=relations).join(losses(gold, relata), on="relation", how="left")
    table = table.join(set_sizes(gold, relata), on="relation", how="left")
    named = table.with_columns(name=pl.col("relation").replace_strict(relations.names, return_dtype=pl.String))
    return named.select("relation", "name", pl.exclude("relation", "name")).sort(
        pl.col("relation").cast(relations.order)
    )


def probe_counts(probes: pl.DataFrame, gold: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return Table 1 per relation: prompts, candidate targets, and those in the shared lexicon with their probes.

    A candidate's tuple need not be in the shared lexicon; each model gets the probes on the candidates that are one token
    of its own. `trick_probes` are those on targets of the reverse relation alone (section 5.2).
    """
    main = gold.select(KEY).unique()
    inverse = pl.col("relation").replace_strict(relations.inverse, return_dtype=pl.String)
    trick = gold.select(inverse, "target").unique().join(main, on=KEY, how="anti")
    by_relation = probes.filter(kind="main").group_by("relation")
    counts = by_relation.agg(prompts=pl.col("prompt_id").n_unique(), candidate_targets=pl.col("target").n_unique())
    for name, targets in (("probes", main), ("trick_probes", trick)):
        of_targets = probes.join(targets, on=KEY, how="semi").group_by("relation").agg(pl.len().alias(name))
        counts = counts.join(of_targets, on="relation", how="left").with_columns(pl.col(name).fill_null(0))
    targets = main.group_by("relation").agg(targets=pl.len())
    counts = counts.join(targets, on="relation", how="left").with_columns(pl.col("targets").fill_null(0))
    return counts.select("relation", "prompts", "candidate_targets", "targets", "probes", "trick_probes")


def losses(gold: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return what the removal of ambiguous words costs: relation, tuples, ambiguous_tuples and targets_without_relata.

    A word that stands in two relations to a target is in neither relatum set (section 4.3). A target whose words all are
    ambiguous has no set, and so no metric but symmetry and asymmetry, which look for the words of the tuples.
    """
    pair = ["relation", "target", "relatum"]
    kept = gold.select(pair).unique().join(relata.select(pair), on=pair, how="semi")
    tuples = gold.group_by("relation").agg(tuples=pl.struct("target", "relatum").n_unique())
    unambiguous = kept.group_by("relation").agg(kept=pl.len())
    empty = gold.select(KEY).unique().join(relata, on=KEY, how="anti")
    without = empty.group_by("relation").agg(targets_without_relata=pl.len())
    table = tuples.join(unambiguous, on="relation", how="left").join(without, on="relation", how="left")
    return table.select(
        "relation",
        "tuples",
        ambiguous_tuples=pl.col("tuples") - pl.col("kept").fill_null(0),
        targets_without_relata=pl.col("targets_without_relata").fill_null(0),
    )


def set_sizes(gold: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return Table 2: mean and standard deviation of the relatum sets per relation, before and after expansion.

    Over the targets of the relation's tuples whose set is not empty.
    """
    before = _sizes(gold, gold, "before")
    return before.join(_sizes(relata, gold, "after"), on="relation", how="left")


def _sizes(sets: pl.DataFrame, gold: pl.DataFrame, name: str) -> pl.DataFrame:
    targets = gold.select("target", "relation").unique()
    counts = sets.join(targets, on=["target", "relation"], how="semi").group_by("target", "relation").len()
    # In another order the deviation would have other last digits.
    return (
        counts.sort("target", "relation")
        .group_by("relation")
        .agg(
            pl.col("len").mean().alias(f"{name}_mean"),
            pl.col("len").std().alias(f"{name}_sd"),
            pl.len().alias(f"{name}_targets"),
        )
    )


def lexicon_coverage(
    lexicons: Mapping[str, pl.DataFrame],
    shared: pl.DataFrame,
    candidates: pl.DataFrame,
    gold: pl.DataFrame,
    relata: pl.DataFrame,
) -> pl.DataFrame:
    """Return, per model, the number of words that are one token of it, and the shares that these make up.

    `lexicons`: agent -> LEXICON. The shares are of the shared lexicon, of `candidates` (tuples of the sources, whatever the
    lexicon), of `gold` (tuples in the shared lexicon) and of `relata`. Models of the panel hold all of the shared lexicon; a
    model outside the panel can answer about its share of the targets, and name its share of the relata.
    """
    shares = ("shared_lexicon", "candidate_targets", "targets", "tuples", "relata")
    columns = {"agent": pl.String(), "words": pl.Int64(), **dict.fromkeys(shares, pl.Float64())}
    rows = []
    for agent, lexicon in lexicons.items():
        words = lexicon["word"].drop_nulls().unique().implode()
        target, relatum = pl.col("target").is_in(words), pl.col("relatum").is_in(words)
        rows.append(
            {
                "agent": agent,
                "words": len(words.item()),
                "shared_lexicon": _share(shared, pl.col("word").is_in(words)),
                "candidate_targets": _share(candidates.select(KEY).unique(), target),
                "targets": _share(gold.select(KEY).unique(), target),
                "tuples": _share(gold, target & relatum),
                "relata": _share(relata, target & relatum),
            }
        )
    return pl.DataFrame(rows, schema=columns)


def _share(table: pl.DataFrame, held: pl.Expr) -> float | None:
    share: float | None = table.select(held.mean()).item()
    return share


def study_counts(
    given: pl.DataFrame, tuples: pl.DataFrame, relata: pl.DataFrame, lexicon: pl.DataFrame, probes: pl.DataFrame
) -> pl.DataFrame:
    """Return the counts of sections 4.1 to 4.3 as quantity and value: tuples, targets, and relations per target.

    `given`: the sources' tuples; `tuples`: after augmentation; both are counted in the shared lexicon, the
    former by relation, too. A target has a
    relation if it has a tuple or, after the expansion, a relatum set that is not empty. Last come the targets that `probes`
    ask for several relations of which they have relata: those whose answers can say whether an agent uses the relation.
    """
    before, after = (
        in_lexicon(given.filter(pl.col("target") != pl.col("relatum")), lexicon),
        in_lexicon(tuples, lexicon),
    )
    codes = after["relation"].unique().sort()
    targets = after["target"].n_unique()
    pairs = {"before": after, "after": relata.join(after.select("target").unique(), on="target", how="semi")}
    per_target = {
        f"relations per target {when} expansion": table.select("target", "relation").n_unique() / targets
        if targets
        else None
        for when, table in pairs.items()
    }
    given_tuples = before.select("target", "relation", "relatum").unique()
    rows: dict[str, float | None] = {
        "tuples before augmentation": given_tuples.height,
        **{f"tuples before augmentation: {code}": given_tuples.filter(relation=code).height for code in codes},
        "tuples after augmentation": after.height,
        "different targets": targets,
        **per_target,
        "targets asked for several relations": _asked_for_several(probes, relata),
        "targets asked for several relations, without trick probes": _asked_for_several(
            probes.filter(kind="main"), relata
        ),
    }
    return pl.DataFrame({"quantity": list(rows), "value": list(rows.values())}, schema_overrides={"value": pl.Float64})


def _asked_for_several(probes: pl.DataFrame, relata: pl.DataFrame) -> int:
    asked = probes.select(KEY).unique().join(relata, on=KEY, how="semi")
    return asked.group_by("target").len().filter(pl.col("len") > 1).height


VOCABULARIES = pl.Schema(
    {
        "model_a": pl.String(),
        "model_b": pl.String(),
        "tokens_a": pl.UInt32(),
        "tokens_b": pl.UInt32(),
        "words_a": pl.UInt32(),
        "words_b": pl.UInt32(),
        "common": pl.UInt32(),
        "jaccard": pl.Float64(),  # common words as a share of the words of either
    }
)


def vocabularies(lexicons: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return how alike the vocabularies of the models are, pair by pair (VOCABULARIES; section 7.1 and Table 4).

    `lexicons`: model -> LEXICON. The tokens of a model are its whole vocabulary, and its words are those that are one token.
    On the words of its tokenizers we get the means that the paper prints: 0.41 for BERT, RoBERTa and ALBERT (0.40), and 0.51
    with OPT (0.50).

    >>> words = {"a": ["bird", "wing"], "b": ["bird", "wall", None]}
    >>> vocabularies({name: pl.DataFrame({"word": held}) for name, held in words.items()})["jaccard"].round(3).to_list()
    [0.333]
    """
    held = {model: set(table["word"].drop_nulls()) for model, table in lexicons.items()}
    rows = [
        (
            a,
            b,
            lexicons[a].height,
            lexicons[b].height,
            len(held[a]),
            len(held[b]),
            len(held[a] & held[b]),
            _ratio(len(held[a] & held[b]), len(held[a] | held[b])),
        )
        for a, b in itertools.combinations(held, 2)
    ]
    return pl.DataFrame(rows, schema=VOCABULARIES, orient="row")


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
