"""Lists of words that people type and models write: how they are read, and what is ranked by them."""

import difflib
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.files import parquet
from relprobe.core.relation import Relations
from relprobe.sources.exported import Layout
from relprobe.sources.human_responses import is_table, read
from relprobe.sources.language import LanguageFile
from relprobe.sources.written import Capitals
from relprobe.studies.relations.method import GoldStandard, pooled_responses, response_entropy
from relprobe.studies.relations.prompts import Prompt, names_of
from relprobe.studies.relations.schemas import AVERAGES, UNIT
from relprobe.studies.unreadable import absence_of

logger = logging.getLogger("relprobe")

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
UNKNOWN_PROMPT = "no prompt of"
"""How the reason begins why an answer to a prompt that the study does not have is left out (`_reason`)."""


def _wordings(prompts: list[Prompt]) -> pl.DataFrame:
    """Return prompt_id, relation and prompt: all that answers may call a prompt (`names_of`)."""
    rows = [(prompt_id, relation, name) for (relation, name), prompt_id in names_of(prompts).items()]
    return pl.DataFrame(rows, schema=dict.fromkeys(("prompt_id", "relation", "prompt"), pl.String), orient="row")


def answered_words(answers: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return the answers to the study's prompts: probe_id, relation, annotator, word; a row per answered word.

    An answer names its prompt by the text for people (`human_text`), by the text or by the id.
    """
    wording = _wordings(prompts)
    study_answers = answers.join(wording, on=["relation", "prompt"], maintain_order="left")
    return study_answers.select(
        pl.format("{}:{}", "prompt_id", "target").alias("probe_id"), "relation", "annotator", "word"
    )


def annotator_lists(answers: pl.DataFrame, probes: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return each annotator's answers to the main probes (LISTS); answers to anything else are left out."""
    words = answered_words(answers, prompts).join(probes.filter(kind="main"), on="probe_id", how="semi")
    return words.group_by("probe_id", "annotator", maintain_order=True).agg(words=pl.col("word").cast(pl.Categorical))


def unmatched_answers(answers: pl.DataFrame, probes: pl.DataFrame, prompts: list[Prompt]) -> pl.DataFrame:
    """Return the answers to no main probe of the study, each with the reason (UNMATCHED)."""
    wordings, relations = _wordings(prompts), {prompt.relation for prompt in prompts}
    rows = answers.join(wordings, on=["relation", "prompt"], how="left", maintain_order="left")
    rows = rows.with_columns(probe_id=pl.format("{}:{}", "prompt_id", "target"))
    lost = rows.join(probes.filter(kind="main"), on="probe_id", how="anti", maintain_order="left")
    texts = {code: sorted(wordings.filter(relation=code)["prompt"]) for code in relations}
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
        return f"{UNKNOWN_PROMPT} {relation} reads so" + (f"; the nearest is {near[0]!r}" if near else "")
    return f"{target} is no target of {relation} in this study"


def to_unknown_prompts(table: pl.DataFrame) -> pl.DataFrame:
    """Return those of some answers to no probe (UNMATCHED) that are to prompts that the study does not have."""
    return table.filter(pl.col("reason").str.starts_with(UNKNOWN_PROMPT))


def spelled_answers(answers: pl.DataFrame, capitals: Capitals) -> pl.DataFrame:
    """Return people's answers (HUMAN_ANSWERS) with the capitals of the study's words; an answer given again counts once."""
    words = answers["word"].unique().to_list()
    spelled = answers.with_columns(pl.col("word").replace(words, [capitals.spelled(word) for word in words]))
    key = ["target", "relation", "prompt", "annotator", "word"]
    return spelled.unique(key, keep="first", maintain_order=True)


def spelled_lists(writing: pl.DataFrame, capitals: Capitals) -> pl.DataFrame:
    """Return what a model has written (WRITING), its words with the capitals of the study's words."""
    words = writing["words"].list.explode(keep_nulls=False, empty_as_null=False).unique().to_list()
    spelled = pl.element().replace(words, [capitals.spelled(word) for word in words])
    return writing.with_columns(pl.col("words").list.eval(spelled)) if words else writing


def count_respelled(words: pl.Series, capitals: Capitals) -> int:
    """Return how many of the words differ from the study's words in capitals alone, and count as these."""
    return sum(map(capitals.is_respelled, words))


def model_lists(writing: pl.DataFrame) -> pl.DataFrame:
    """Return the lists that a model has written (WRITING) in the form of the annotators' (LISTS).

    A list without a readable word holds UNREADABLE, so that such an answer counts as a wrong one.
    """
    words = pl.when(pl.col("words").list.len() > 0).then("words").otherwise([UNREADABLE])
    return writing.select("probe_id", annotator="sample", words=words.cast(pl.List(pl.Categorical)))


def people_responses(lists: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of several annotators together (`pooled_responses`), from their lists (LISTS)."""
    return pooled_responses(lists.explode("words").rename({"words": "word"}))


def each_annotators_responses(lists: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of each `annotator`, one after another: the words in the order of typing, from LISTS.

    A word that was typed twice stands at its first place. The weights 1, 1/2, 1/3, … only give the order.
    """
    sorted_lists = lists.sort("annotator", maintain_order=True)
    sorted_lists = sorted_lists.with_columns(words=pl.col("words").list.unique(maintain_order=True))
    ranks = pl.int_ranges(1, pl.col("words").list.len() + 1)
    return sorted_lists.with_columns(weights=ranks.list.eval(1 / pl.element()).cast(pl.List(pl.Float32)))


def annotator_responses(lists: pl.DataFrame, annotator: int) -> pl.DataFrame:
    """Return the responses (RESPONSES) of one annotator (`each_annotators_responses`)."""
    return each_annotators_responses(lists.filter(annotator=annotator)).drop("annotator")


def absence(answers: pl.DataFrame) -> str | None:
    """Say why the agent that has written these answers (WRITING) has no value; None if it has some.

    >>> absence(pl.DataFrame({"words": [["bird"], [], ["wing"], []]}, schema={"words": pl.List(pl.String)}))[:60]
    'no value, as 50 % of its answers hold no word that could be '
    """
    share = (answers["words"].list.len() == 0).mean()
    what = "hold no word that could be read"
    remedy = "let a model that runs here answer in its chat template (chat: true), or ask another model"
    return absence_of(share, what, remedy) if isinstance(share, float) else None


def with_absences(
    averages: pl.DataFrame, reasons: Mapping[str, str], agents: Sequence[str], relations: Relations
) -> pl.DataFrame:
    """Add rows without a value to AVERAGES, which say why an agent has none: agent -> `absence`.

    They are those of soundness, and of all metrics, relations and k that another agent has. `agents`: all in their order.
    """
    if not reasons:
        return averages
    key = ["metric", "relation", "k"]
    sound = pl.DataFrame({"relation": relations.codes}).with_columns(
        metric=pl.lit("soundness"), k=pl.lit(None, pl.UInt16)
    )
    keys = pl.concat([averages.filter(pl.col("versus").is_null()).select(key), sound.select(key)]).unique()
    empty = [keys.with_columns(agent=pl.lit(agent), note=pl.lit(reason)) for agent, reason in reasons.items()]
    rows = pl.concat([averages, *empty], how="diagonal").select(list(AVERAGES)).cast(AVERAGES)
    order = [pl.col(name).cast(relations.order) for name in ("relation", "versus")]
    return rows.sort("metric", "k", *order, pl.col("agent").cast(pl.Enum(agents)))


def read_answers(
    file: Path, gold: GoldStandard, language: LanguageFile, layout: Layout | None = None
) -> tuple[pl.DataFrame, int]:
    """Return people's answers (HUMAN_ANSWERS), and how many of them differ from the study's words in capitals alone.

    These have the study's capitals, as phones write words with others. The authors' file is taken letter by letter.
    """
    words = read(file, gold.relations.answer_keys, language.answer_articles, layout)
    if not is_table(file):
        return words, 0
    count = count_respelled(words["word"], gold.capitals)
    if count:
        logger.info("%s: %d of %d answers have other capitals than the study's words", file, count, words.height)
    return spelled_answers(words, gold.capitals), count


def annotators(lists: pl.DataFrame) -> list[int]:
    """Return the numbers of the annotators, which only tell the lists of one probe apart."""
    return sorted(lists["annotator"].unique())


# The rankings of people that prototypicality compares with (section 6.2).


def prototypical_probes(
    humans: pl.DataFrame, probes: pl.DataFrame, lexicon: pl.DataFrame, codes: Sequence[str]
) -> pl.DataFrame:
    """Return the human responses that can be a gold standard of prototypicality (section 6.2), with UNIT.

    These are the responses to main probes of the prototypical relations (`codes`) whose entropy is below 1 and whose words
    all are in the shared lexicon.
    """
    entropy = response_entropy(humans).filter(pl.col("entropy") < 1)
    in_lexicon = (
        pl.col("words").cast(pl.List(pl.String)).list.eval(pl.element().is_in(lexicon["word"].implode())).list.all()
    )
    chosen = probes.filter(kind="main").filter(pl.col("relation").is_in(codes)).select("probe_id", *UNIT)
    return (
        humans.filter(in_lexicon)
        .join(entropy.select("probe_id"), on="probe_id", how="semi")
        .join(chosen, on="probe_id")
    )


def human_responses(lists: pl.DataFrame, gold: GoldStandard) -> dict[str, list[pl.DataFrame]]:
    """Return the gold standards of prototypicality by the choice `gold`, from the annotators' lists (LISTS).

    "pooled" is one: the answers of all annotators. "rest" has one per annotator: the answers of all the others. Both are
    about the same probes (`prototypical_probes`); a probe that only one annotator answered has no rest.
    """
    probes = gold.probes.join(gold.inside(), on=["target", "relation"], how="semi")
    relations = gold.relations.prototypical
    everyone = prototypical_probes(people_responses(lists), probes, gold.shared_lexicon, relations)
    return {
        "pooled": [everyone],
        "rest": [gold_of_others(lists, everyone, annotator) for annotator in annotators(lists)],
    }


def gold_of_others(lists: pl.DataFrame, everyone: pl.DataFrame, annotator: int) -> pl.DataFrame:
    """Return the pooled answers of all but one annotator to the probes in `everyone` that this annotator answered."""
    answered = lists.filter(annotator=annotator).select("probe_id")
    pooled = people_responses(lists.filter(pl.col("annotator") != annotator).join(answered, on="probe_id", how="semi"))
    return pooled.join(everyone.select("probe_id", *UNIT), on="probe_id")
