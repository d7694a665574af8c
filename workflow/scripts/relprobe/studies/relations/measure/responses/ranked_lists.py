"""Responses: a ranked list of words per probe, in one form for models and humans."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from relprobe.core.files import parquet
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.relations.ask.prompts import Prompt, names_of

UNREADABLE = "##"
"""What stands for an answer without a readable word; it is no word, as a token that starts none."""
LISTS = pl.Schema({"probe_id": pl.String(), "annotator": pl.UInt16(), "words": pl.List(pl.Categorical())})
"""Each annotator's words in the order of typing. In a CSV file of answers, an annotator is the same person everywhere. In
the authors' file the number only tells the lists of one probe apart: the published answers do not say which person gave
them, so that the first list of one probe need not be by the person of the first of another."""
Lists = Annotated[pl.DataFrame, parquet(LISTS, "probe_id", "annotator")]
UNMATCHED = pl.Schema(
    {
        "target": pl.String(),
        "relation": pl.String(),
        "prompt": pl.String(),
        "participant": pl.String(),
        "answer": pl.String(),
        "reason": pl.String(),
    }
)
"""Answers to no main probe of the study, and why: its table unmatched_answers."""


def of_model(scores: ScoreFile, lexicon: pl.DataFrame, *, spoken: bool = False) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) from its score file (`of_scores`)."""
    return of_scores(scores.columns("probe_id", "token_ids", "logprobs").combine_chunks(), lexicon, spoken=spoken)


def of_scores(scores: pa.Table, lexicon: pl.DataFrame, *, spoken: bool = False) -> pl.DataFrame:
    """Return a model's responses (RESPONSES) from its scores, each column in one chunk.

    A token that starts a word becomes that word. Any other token is written "##token", which is no word. The weights are
    probabilities. `spoken`: the tokens are the first of an answer, where no space comes before a word and a capital letter
    may begin it; "Bird" and "bird" are then the word "bird", and a token that begins a longer word counts as a word, too.
    """
    no_word = pl.lit("##") + pl.col("token").str.strip_prefix("##")
    word = pl.col("word")
    if spoken:
        start = pl.when(pl.col("token").str.contains("^[A-Za-z]+$")).then("token")
        word = pl.coalesce("word", start).str.to_lowercase()
    words = lexicon.sort("token_id").select(pl.coalesce(word, no_word)).to_series().to_arrow().cast(pa.string())
    ids, logprobs = (scores[name].chunk(0) for name in ("token_ids", "logprobs"))
    columns = {
        "probe_id": scores["probe_id"],
        "words": pa.ListArray.from_arrays(ids.offsets, pa.DictionaryArray.from_arrays(ids.values, words)),
        "weights": pa.ListArray.from_arrays(ids.offsets, _float_array(np.exp(logprobs.values.to_numpy()))),
    }
    return pl.DataFrame(pl.from_arrow(pa.table(columns)))


def _float_array(values: NDArray[np.float32]) -> pa.Array:
    """Return an Arrow array of the same memory; `pa.array` would import pandas to look at the values."""
    return pa.Array.from_buffers(pa.float32(), len(values), [None, pa.py_buffer(values)])


def _wordings(prompts: list[Prompt]) -> pl.DataFrame:
    """Return prompt_id, relation and prompt: all that answers may call a prompt (`names_of`)."""
    rows = [(prompt_id, relation, name) for (relation, name), prompt_id in names_of(prompts).items()]
    return pl.DataFrame(rows, schema=dict.fromkeys(("prompt_id", "relation", "prompt"), pl.String), orient="row")


def answered_words(answers: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return the answers to the study's prompts: probe_id, relation, annotator, word; a row per answered word.

    An answer names its prompt by the text for people (`human_text`), by the text or by the id.
    """
    wording = _wordings(prompts)
    of_study = answers.join(wording, on=["relation", "prompt"], maintain_order="left")
    return of_study.select(pl.format("{}:{}", "prompt_id", "target").alias("probe_id"), "relation", "annotator", "word")


def pooled_responses(words: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of all annotators together, from their words (`answered_words`).

    A word's weight is its share of all answers to the probe (section 5), and words of equal weight keep the order in
    which they were first named.

    >>> rows = [("hyp:robin", "HYP", "animal"), ("hyp:robin", "HYP", "bird"), ("hyp:robin", "HYP", "bird")]
    >>> words = pl.DataFrame(rows, schema=["probe_id", "relation", "word"], orient="row")
    >>> pooled_responses(words)["words"].to_list()
    [['bird', 'animal']]
    """
    counts = words.group_by("probe_id", "word", maintain_order=True).agg(count=pl.len())
    share = (pl.col("count") / pl.col("count").sum().over("probe_id")).cast(pl.Float32)
    ranked = counts.with_columns(weight=share).sort("probe_id", "count", descending=[False, True], maintain_order=True)
    return ranked.group_by("probe_id", maintain_order=True).agg(
        words=pl.col("word").cast(pl.Categorical), weights="weight"
    )


def annotator_lists(answers: pl.DataFrame, probes: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return each annotator's answers to the main probes (LISTS); answers to anything else are left out."""
    words = answered_words(answers, prompts).join(probes.filter(kind="main"), on="probe_id", how="semi")
    return words.group_by("probe_id", "annotator", maintain_order=True).agg(words=pl.col("word").cast(pl.Categorical))


def unmatched_answers(answers: pl.DataFrame, probes: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return the answers to no main probe of the study, each with the reason (UNMATCHED)."""
    known, relations = _wordings(prompts), {prompt.relation for prompt in prompts}
    rows = answers.join(known, on=["relation", "prompt"], how="left", maintain_order="left")
    rows = rows.with_columns(probe_id=pl.format("{}:{}", "prompt_id", "target"))
    lost = rows.join(probes.filter(kind="main"), on="probe_id", how="anti", maintain_order="left")
    texts = {code: sorted(known.filter(relation=code)["prompt"]) for code in relations}
    names = ("relation", "prompt", "prompt_id", "target")
    rows_lost = lost.select(names).iter_rows()
    reasons = [_reason(relation, prompt, asked, target, texts) for relation, prompt, asked, target in rows_lost]
    table = lost.with_columns(pl.Series("reason", reasons, pl.String), answer="word")
    return table.select(list(UNMATCHED)).cast(UNMATCHED)


def _reason(relation: str, prompt: str, prompt_id: str | None, target: str, texts: Mapping[str, Sequence[str]]) -> str:
    if relation not in texts:
        return f"the study asks nothing about a relation {relation}"
    if prompt_id is None:
        near = difflib.get_close_matches(prompt, texts[relation], 1)
        return f"no prompt of {relation} reads so" + (f"; the nearest is {near[0]!r}" if near else "")
    return f"{target} is no target of {relation} in this study"


def model_lists(writing: pl.DataFrame) -> pl.DataFrame:
    """Return the lists that a model has written (WRITING) in the form of the annotators' (LISTS).

    A list without a readable word holds UNREADABLE, so that such an answer counts as a wrong one.
    """
    words = pl.when(pl.col("words").list.len() > 0).then("words").otherwise([UNREADABLE])
    return writing.select("probe_id", annotator="sample", words=words.cast(pl.List(pl.Categorical)))


def of_annotators(lists: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of several annotators together (`pooled_responses`), from their lists (LISTS)."""
    return pooled_responses(lists.explode("words").rename({"words": "word"}))


def of_each_annotator(lists: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of each `annotator`, one after another: the words in the order of typing, from LISTS.

    A word that was typed twice stands at its first place. The weights 1, 1/2, 1/3, … only give the order.
    """
    own = lists.sort("annotator", maintain_order=True)
    own = own.with_columns(words=pl.col("words").list.unique(maintain_order=True))
    ranks = pl.int_ranges(1, pl.col("words").list.len() + 1)
    return own.with_columns(weights=ranks.list.eval(1 / pl.element()).cast(pl.List(pl.Float32)))


def of_annotator(lists: pl.DataFrame, annotator: int) -> pl.DataFrame:
    """Return the responses (RESPONSES) of one annotator (`of_each_annotator`)."""
    return of_each_annotator(lists.filter(annotator=annotator)).drop("annotator")


def of_humans(answers: pl.DataFrame, probes: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return the humans' responses (RESPONSES) to the main probes; answers to anything else are left out."""
    return of_annotators(annotator_lists(answers, probes, prompts))
