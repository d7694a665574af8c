"""What is lost between the sources and the metrics: the counts of all losses, and the prompts and answers that are lost."""

from collections.abc import Collection, Iterable, Sequence
from typing import Annotated

import polars as pl

from relprobe.core.files import ShownTables, parquet
from relprobe.core.relation import Relations
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import Words
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.ask.prompts import SLOT, Prompt, Prompts
from relprobe.studies.relations.data.losses import KEY, Losses
from relprobe.studies.relations.data.losses import losses as losses_of
from relprobe.studies.relations.measure.responses.ranked_lists import LISTS, UNMATCHED
from relprobe.studies.relations.schemas import Probes, Relata, Tuples
from relprobe.studies.relations.show.data_tables import study_counts

Unmatched = Annotated[pl.DataFrame, parquet(UNMATCHED)]
Lists = Annotated[pl.DataFrame, parquet(LISTS)]
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


def attrition(
    losses: Losses,
    given: Tuples,
    tuples: Tuples,
    relata: Relata,
    shared_lexicon: Words,
    probes: Probes,
    prompts: Prompts,
    relations: RelationsFile,
    unmatched: Unmatched | None = None,
    lists: Lists | None = None,
    scores: list[ScoreFile] | None = None,
    *,
    causal: list[str] | None = None,
) -> ShownTables:
    """Name every tuple, target, relatum, prompt, probe and answer that was lost, and count them, and what is left.

    `causal`: the causal models, which are not asked prompts whose slot is not last. `unmatched` and `lists`: the answers to
    no probe, and the annotators' lists, where there are people. `scores`: the answers of the models that are scored.
    """
    lost = [losses]
    if causal:
        lost.append(of_prompts(prompts))
    lost.append(of_models(scores or [], probes, causal or []))
    if unmatched is not None and lists is not None:
        lost.append(of_answers(unmatched, probes, lists))
    every = pl.concat(lost)
    return {
        "attrition": every,
        "attrition_counts": counts(every, relations),
        "counts": study_counts(given, tuples, relata, shared_lexicon, probes),
    }


def of_prompts(prompts: Iterable[Prompt]) -> pl.DataFrame:
    """Return the prompts that causal models are not asked (ATTRITION)."""
    inside = [(prompt.relation, prompt.id, SLOT_INSIDE) for prompt in prompts if not prompt.text.endswith(SLOT)]
    schema = dict.fromkeys(("relation", "word", "reason"), pl.String)
    rows = pl.DataFrame(inside, schema=schema, orient="row")
    return losses_of(rows.with_columns(target=pl.lit(None, pl.String)), "scores", "prompt")


def of_models(scores: Sequence[ScoreFile], probes: pl.DataFrame, causal: Collection[str]) -> pl.DataFrame:
    """Return the probes that a model was not asked because of their words (ATTRITION); `detail` names the model."""
    parts = []
    for file in scores:
        meant = probes.filter(kind="main")
        if file.agent in causal:  # the other prompts are losses themselves
            meant = meant.filter(pl.col("text").str.ends_with(SLOT))
        asked = pl.DataFrame(
            {"probe_id": file.columns("probe_id")["probe_id"].to_pylist()}, schema={"probe_id": pl.String}
        )
        parts.append(
            meant.join(asked, on="probe_id", how="anti", maintain_order="left").with_columns(detail=pl.lit(file.agent))
        )
    rows = pl.concat([probes.clear().with_columns(detail=pl.lit(None, pl.String)), *parts])
    return losses_of(rows.select(*KEY, "detail", word="prompt_id", reason=pl.lit(NOT_ASKED)), "scores", "probe")


def of_answers(unmatched: pl.DataFrame, probes: pl.DataFrame, lists: pl.DataFrame) -> pl.DataFrame:
    """Return what is lost among people's answers (ATTRITION): answers to no probe, and probes without an answer."""
    answers = unmatched.select(*KEY, word="answer", reason=pl.lit(NO_PROBE), detail="reason")
    silent = probes.filter(kind="main").join(lists, on="probe_id", how="anti", maintain_order="left")
    parts = [
        losses_of(answers, "answers", "answer"),
        losses_of(silent.select(*KEY, word="prompt_id", reason=pl.lit(NO_ANSWER)), "answers", "probe"),
    ]
    return pl.concat(parts)


def counts(attrition: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Return how much is lost per step, kind, relation and reason (COUNTS), in the order of the steps and relations."""
    table = attrition.group_by("step", "kind", "relation", "reason", maintain_order=True).agg(lost=pl.len())
    places = {code: number for number, code in enumerate(relations.codes)}
    relation = pl.col("relation").replace_strict(places, default=len(places), return_dtype=pl.UInt32)
    parts = {row: number for number, row in enumerate(table.select("step", "kind").unique(maintain_order=True).rows())}
    order = [parts[row] for row in table.select("step", "kind").rows()]
    rows = table.with_columns(pl.Series("part", order, pl.UInt32), place=relation)
    return rows.sort("part", "place", "reason").select(list(COUNTS)).cast(COUNTS)
