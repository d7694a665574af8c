"""The tables of the method: the overview, the size of the data, and what is lost and left out."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

import polars as pl

from relprobe.core.analyses import take
from relprobe.core.relation import Relations, in_lexicon
from relprobe.core.series import series_of
from relprobe.core.sums import ordered_deviation, ordered_mean
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.tables import sent_texts
from relprobe.stats.controls import beyond_controls
from relprobe.studies.relations.measures import MEASURES
from relprobe.studies.relations.prompts import SLOT, Prompt
from relprobe.studies.relations.relata import KEY
from relprobe.studies.relations.relata import losses as losses_of
from relprobe.studies.relations.results import Results

# The size of the study: its probes (Table 1), its relatum sets (Table 2), and the shares that the models' lexicons hold.


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
        probe_numbers = probes.join(targets, on=KEY, how="semi").group_by("relation").agg(pl.len().alias(name))
        counts = counts.join(probe_numbers, on="relation", how="left").with_columns(pl.col(name).fill_null(0))
    targets = main.group_by("relation").agg(targets=pl.len())
    counts = counts.join(targets, on="relation", how="left").with_columns(pl.col("targets").fill_null(0))
    return counts.select("relation", "prompts", "candidate_targets", "targets", "probes", "trick_probes")


def losses(gold: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return what the removal of ambiguous words costs: relation, tuples, ambiguous_tuples and targets_without_relata.

    A word that stands in two relations to a target is in neither relatum set (section 4.3). A target whose words all are
    ambiguous has no set, and so no metric but symmetry and asymmetry, which look for the words of the tuples.
    """
    pair = ["relation", "target", "relatum"]
    in_sets = gold.select(pair).unique().join(relata.select(pair), on=pair, how="semi")
    tuples = gold.group_by("relation").agg(tuples=pl.struct("target", "relatum").n_unique())
    unambiguous = in_sets.group_by("relation").agg(unambiguous=pl.len())
    empty = gold.select(KEY).unique().join(relata, on=KEY, how="anti")
    without = empty.group_by("relation").agg(targets_without_relata=pl.len())
    table = tuples.join(unambiguous, on="relation", how="left").join(without, on="relation", how="left")
    return table.select(
        "relation",
        "tuples",
        ambiguous_tuples=pl.col("tuples") - pl.col("unambiguous").fill_null(0),
        targets_without_relata=pl.col("targets_without_relata").fill_null(0),
    )


def set_sizes(gold: pl.DataFrame, relata: pl.DataFrame) -> pl.DataFrame:
    """Return Table 2: mean and standard deviation of the relatum sets per relation, before and after expansion.

    Over the targets of the relation's tuples whose set is not empty.
    """
    sizes = _sizes(gold, gold, "before")
    return sizes.join(_sizes(relata, gold, "after"), on="relation", how="left")


def _sizes(sets: pl.DataFrame, gold: pl.DataFrame, name: str) -> pl.DataFrame:
    targets = gold.select("target", "relation").unique()
    counts = sets.join(targets, on=["target", "relation"], how="semi").group_by("target", "relation").len()
    # In another order the deviation would have other last digits.
    return (
        counts.sort("target", "relation")
        .group_by("relation")
        .agg(
            ordered_mean("len").alias(f"{name}_mean"),
            ordered_deviation("len").alias(f"{name}_sd"),
            pl.len().alias(f"{name}_targets"),
        )
    )


def study_counts(
    raw_tuples: pl.DataFrame, tuples: pl.DataFrame, relata: pl.DataFrame, lexicon: pl.DataFrame, probes: pl.DataFrame
) -> pl.DataFrame:
    """Return the counts of sections 4.1 to 4.3 as quantity and value: tuples, targets, and relations per target.

    `raw_tuples`: the sources' tuples; `tuples`: after augmentation; both are counted in the shared lexicon, the
    former by relation, too. A target has a
    relation if it has a tuple or, after the expansion, a relatum set that is not empty. Last come the targets that `probes`
    ask for several relations of which they have relata: those whose answers can say whether an agent uses the relation.
    """
    raw, augmented = (
        in_lexicon(raw_tuples.filter(pl.col("target") != pl.col("relatum")), lexicon),
        in_lexicon(tuples, lexicon),
    )
    codes = augmented["relation"].unique().sort()
    targets = augmented["target"].n_unique()
    pairs = {"before": augmented, "after": relata.join(augmented.select("target").unique(), on="target", how="semi")}
    per_target = {
        f"relations per target {when} expansion": table.select("target", "relation").n_unique() / targets
        if targets
        else None
        for when, table in pairs.items()
    }
    given_tuples = raw.select("target", "relation", "relatum").unique()
    rows: dict[str, float | None] = {
        "tuples before augmentation": given_tuples.height,
        **{f"tuples before augmentation: {code}": given_tuples.filter(relation=code).height for code in codes},
        "tuples after augmentation": augmented.height,
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


# What is lost between the sources and the metrics: the counts of all losses, and the prompts and answers that are lost.


COUNTS = pl.Schema(
    {
        "step": pl.String(),
        "kind": pl.String(),
        "relation": pl.String(),
        "reason": pl.String(),
        "lost": pl.UInt32(),
    }
)
NO_PROBE = "no probe of the study is meant"
SLOT_INSIDE = "its slot is not last, so that causal models are not asked"
NO_ANSWER = "nobody answered"
NOT_ASKED = "its tokenizer has no single token for the target, or cannot write a word"
NOT_WRITTEN = "its tokenizer cannot write a word"


def prompt_losses(prompts: Iterable[Prompt]) -> pl.DataFrame:
    """Return the prompts that causal models are not asked (ATTRITION)."""
    inside = [(prompt.relation, prompt.id, SLOT_INSIDE) for prompt in prompts if not prompt.text.endswith(SLOT)]
    schema = dict.fromkeys(("relation", "word", "reason"), pl.String)
    rows = pl.DataFrame(inside, schema=schema, orient="row")
    return losses_of(rows.with_columns(target=pl.lit(None, pl.String)), "scores", "prompt")


def model_losses(scores: Sequence[ScoreFile], probes: pl.DataFrame, causal: Collection[str]) -> pl.DataFrame:
    """Return the probes that a model was not asked because of their words (ATTRITION); `detail` names the model.

    Only where tokens are the answers must a target be one token.
    """
    parts = []
    for file in scores:
        reason = NOT_ASKED if "token_ids" in file.names else NOT_WRITTEN
        meant = probes.filter(kind="main")
        if file.agent in causal:  # the other prompts are losses themselves
            meant = meant.filter(pl.col("text").str.ends_with(SLOT))
        asked = pl.DataFrame(
            {"probe_id": file.columns("probe_id")["probe_id"].to_pylist()}, schema={"probe_id": pl.String}
        )
        parts.append(
            meant.join(asked, on="probe_id", how="anti", maintain_order="left").with_columns(
                detail=pl.lit(file.agent), reason=pl.lit(reason)
            )
        )
    none = probes.clear().with_columns(detail=pl.lit(None, pl.String), reason=pl.lit(None, pl.String))
    rows = pl.concat([none, *parts])
    return losses_of(rows.select(*KEY, "detail", "reason", word="prompt_id"), "scores", "probe")


def answer_losses(unmatched: pl.DataFrame, probes: pl.DataFrame, lists: pl.DataFrame) -> pl.DataFrame:
    """Return what is lost among people's answers (ATTRITION): answers to no probe, and probes without an answer."""
    answers = unmatched.select(*KEY, word="answer", reason=pl.lit(NO_PROBE), detail="reason")
    silent = probes.filter(kind="main").join(lists, on="probe_id", how="anti", maintain_order="left")
    parts = [
        losses_of(answers, "answers", "answer"),
        losses_of(silent.select(*KEY, word="prompt_id", reason=pl.lit(NO_ANSWER)), "answers", "probe"),
    ]
    return pl.concat(parts)


def counts(attrition: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Return the number of losses per step, kind, relation and reason (COUNTS), in the order of the steps and relations."""
    table = attrition.group_by("step", "kind", "relation", "reason", maintain_order=True).agg(lost=pl.len())
    numbers = {code: number for number, code in enumerate(relations.codes)}
    relation = pl.col("relation").replace_strict(numbers, default=len(numbers), return_dtype=pl.UInt32)
    parts = {row: number for number, row in enumerate(table.select("step", "kind").unique(maintain_order=True).rows())}
    order = [parts[row] for row in table.select("step", "kind").rows()]
    rows = table.with_columns(pl.Series("part", order, pl.UInt32), number=relation)
    return rows.sort("part", "number", "reason").select(list(COUNTS)).cast(COUNTS)


# The tables of all agents' results: metrics per relation, and what open choices and prompts change.


def overview(averages: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return the averages (AVERAGES) per agent and relation, a column per metric (and k), and what they are over.

    targets and coverage are those of soundness: the number of targets, and the share that they make up of those which any
    agent has answered. own_targets: the agent lacks many of the others' targets, and is averaged over its own. tuples: the
    number of tuples, or pairs, of symmetry and asymmetry. prototypicality_targets: the number of targets with an answer of
    people that prototypicality can be compared with, if it is measured.
    """
    names = pl.DataFrame({"metric": [measure.name for measure in MEASURES]})
    rows = averages.join(names, on="metric", how="inner", maintain_order="right")
    name = pl.when(pl.col("k").is_null()).then("metric").otherwise(pl.format("{}@{}", "metric", "k"))
    key = ["relation", "agent"]
    wide = rows.with_columns(name=name).pivot("name", index=key, values="value")
    sound = rows.filter(metric="soundness")
    over = sound.select(*key, targets="units", coverage="coverage", own_targets="own_units")
    pairs = rows.filter(pl.col("k").is_not_null()).group_by(key).agg(tuples=pl.col("units").max())
    table = wide.join(over, on=key, how="left", maintain_order="left")
    table = table.join(pairs, on=key, how="left", maintain_order="left")
    ranked = rows.filter(metric="prototypicality").select(*key, prototypicality_targets="units")
    if ranked.height:
        table = table.join(ranked, on=key, how="left", maintain_order="left")
    return table.sort(pl.col("relation").cast(relations.order), maintain_order=True)


def _messages(writing: Sequence[ScoreFile], replies: Sequence[ScoreFile]) -> list[ScoreFile]:
    """Return the files whose metadata say what was sent for lists: of an agent that only chats, that of its replies."""
    chatting = {file.agent: file for file in replies}
    return [chatting.get(file.agent, file) for file in writing]


# The entropy of lists of words (Table 3).


def by_relation(values: pl.DataFrame, words: pl.DataFrame, *, relations: Relations) -> pl.DataFrame:
    """Return Table 3 and sections 6.1 and 6.2 per relation, and a row without relation for all of them.

    `values`: entropy and words of each response; `words`: a row per answered word. The columns count the responses, those of
    entropy 0 and 1, their different words (mean), the answered words and the different ones among these.
    `mean_without_zeros` is the mean entropy of Figure 2, which leaves out the responses of entropy 0.
    """
    entropy = pl.col("entropy")
    response_columns = {
        "responses": pl.len(),
        "entropy_0": (entropy == 0).sum(),
        "entropy_0_share": (entropy == 0).mean(),
        "entropy_1": (entropy == 1).sum(),
        "words": ordered_mean("words"),
        "mean_without_zeros": ordered_mean(entropy.filter(entropy > 0)),
        "sd_without_zeros": ordered_deviation(entropy.filter(entropy > 0)),
    }
    word_columns = {"answered_words": pl.len(), "different_words": pl.col("word").n_unique()}
    rows = (
        values.group_by("relation")
        .agg(**response_columns)
        .join(words.group_by("relation").agg(**word_columns), on="relation")
    )
    everything = pl.concat([values.select(**response_columns), words.select(**word_columns)], how="horizontal")
    ordered = rows.sort(pl.col("relation").cast(relations.order))
    return pl.concat([ordered, everything], how="diagonal")


# All tables of the page that no analysis makes.


@cache
def attrition(results: Results) -> pl.DataFrame:
    """Return every tuple, target, relatum, prompt, probe and answer that was lost (ATTRITION)."""
    causal, probes = results.settings.causal or [], results.gold.probes
    lost = [results.losses]
    if causal:
        lost.append(prompt_losses(results.prompts))
    lost.append(model_losses(results.counted or [], probes, causal))
    if results.unmatched is not None and results.lists is not None:
        lost.append(answer_losses(results.unmatched, probes, results.lists))
    return pl.concat(lost)


def _data(results: Results) -> pl.DataFrame:
    gold = results.gold
    return data_table(gold.probes, gold.inside(), gold.relata, relations=gold.relations)


def _counts(results: Results) -> pl.DataFrame:
    gold = results.gold
    return study_counts(results.raw_tuples, gold.tuples, gold.relata, gold.shared_lexicon, gold.probes)


def _sent(results: Results) -> pl.DataFrame:
    return sent_texts([*(results.scores or []), *_messages(results.writing or [], results.replies or [])])


LEFT_OUT = pl.Schema({"table": pl.String(), "reason": pl.String()})


def omissions(results: Results) -> pl.DataFrame:
    """Return what the run does not allow to compare, and why (LEFT_OUT); analyses say it with their functions `left_out`."""
    rows = [row for analysis_rows in take("relations", "left_out").values() for row in analysis_rows(results)]
    rows += [("tests", _series_row(name, [*members])) for name, members in series_of(results.models()).items()]
    return pl.DataFrame(rows, schema=LEFT_OUT, orient="row")


def _series_row(name: str, members: Sequence[str]) -> str:
    *earlier, last = members
    return (
        f"{', '.join(earlier)}: the last of the series {name}, {last}, stands for it among the models; the tables trends "
        "and against_last have the tests of the others."
    )


TABLES: dict[str, Callable[[Results], pl.DataFrame]] = {
    "data": _data,
    "counts": _counts,
    "overview": lambda results: overview(results.averages, relations=results.gold.relations),
    "averages": lambda results: results.averages,
    "tests": lambda results: results.tests,
    "controls": lambda results: beyond_controls(results.tests, results.settings.controls or []),
    "contrasts": lambda results: results.contrasts,
    "left_out": omissions,
    "sent": _sent,
    "attrition": attrition,
    "attrition_counts": lambda results: counts(attrition(results), results.gold.relations),
}
"""Name -> the table of the page; the other ones are those of analyses."""
