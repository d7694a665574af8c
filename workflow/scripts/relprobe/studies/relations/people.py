"""People as agents: norms, the lists of those who were asked the probes, and the rankings that others are compared with."""

import logging
from pathlib import Path
from typing import Any, Literal, NamedTuple

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.manifest import only_file
from relprobe.core.unmade import table_or_reason
from relprobe.sources.exported import Layout
from relprobe.sources.human_responses import Answer, check_prompts, failed_answers, is_table
from relprobe.sources.language import LanguageFile
from relprobe.sources.own import norms as readers
from relprobe.studies.relations.lists import (
    UNMATCHED,
    Lists,
    annotator_lists,
    each_annotators_responses,
    people_responses,
    read_answers,
    to_unknown_prompts,
    unmatched_answers,
)
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.prompts import Prompts, names_of
from relprobe.studies.relations.responses import plain_answers
from relprobe.studies.relations.schemas import RESPONSES, Answers, Probes

logger = logging.getLogger("relprobe")

# Norms of people as an agent: what they named for a target is the response to all its probes that it fits.


def norms(norms: Path, probes: Probes, *, form: Literal["associations", "feature_norms"]) -> Answers:
    """Turn norms of people, who were asked without prompts, into the responses of an agent. `norms`: their manifest."""
    read = {"associations": readers.associations, "feature_norms": readers.feature_norms}[form]
    with pl.StringCache():
        return plain_answers("lists", norm_responses(read(only_file(norms)), probes))


def norm_responses(norms: pl.DataFrame, probes: pl.DataFrame) -> pl.DataFrame:
    """Return the responses (RESPONSES) of norms (NORMS) to the main probes of a study.

    An answer about a relation is one to the probes of this relation, and an answer about none to all probes of its target.
    The weight of a word is its share of all that people named for the target and relation. Words with equal weights are in
    the order of the alphabet, and count as tied.

    >>> from relprobe.sources.own.norms import NORMS
    >>> norms = pl.DataFrame([("robin", "HYP", "bird", 3), ("robin", "HYP", "animal", 1)], schema=NORMS, orient="row")
    >>> probes = pl.DataFrame({"probe_id": ["p", "q"], "relation": ["HYP", "MER"], "target": "robin", "kind": "main"})
    >>> norm_responses(norms, probes).rows()
    [('p', ['bird', 'animal'], [0.75, 0.25])]
    """
    main = probes.filter(pl.col("kind") == "main").select("probe_id", "target", "relation")
    relation_answers = main.join(norms.drop_nulls("relation"), on=["target", "relation"])
    target_answers = main.join(norms.filter(pl.col("relation").is_null()).drop("relation"), on="target")
    columns = ["probe_id", "word", "people"]
    answers = pl.concat([relation_answers.select(columns), target_answers.select(columns)])
    ranked = answers.sort("probe_id", -pl.col("people").cast(pl.Int64), "word")
    share = pl.col("people") / pl.col("people").sum()
    table = ranked.group_by("probe_id", maintain_order=True).agg(words="word", weights=share)
    return table.select(list(RESPONSES)).cast(RESPONSES)  # type: ignore[arg-type]


# People who were asked the probes: their lists, and the responses of all of them together.


class People(NamedTuple):
    """The annotators' lists, the answers of all together and of each annotator, and the answers to no probe of the study.

    `reading`: how many answers there are (READING).
    """

    lists: Lists
    humans: Answers
    annotator: Answers
    unmatched: pl.DataFrame
    reading: pl.DataFrame


READING = pl.Schema(
    {
        "participants": pl.UInt32(),  # in the authors' file, the most of one probe
        "answers": pl.UInt32(),
        "respelled": pl.UInt32(),  # answers that differ from a word of the study in capitals alone, and count as it
        "unmatched": pl.UInt32(),  # answers to no probe of the study
    }
)


def people(
    answers: Path, gold: GoldStandard, prompts: Prompts, language: LanguageFile, layout: dict[str, Any] | None = None
) -> People:
    """Turn the annotators' answers into lists, and these into the answers of two agents (section 5).

    All lists of a probe together are one response of `humans`, and each list alone is one of an `annotator`.

    `answers`: the manifest of the answers. `layout`: what the configuration says of their table (`Layout`). DataError: all
    answers are to no probe of the study, one is to an unknown prompt,
    or a participant gives a rank twice to a prompt.
    """
    file, probes, relations, form = only_file(answers), gold.probes, gold.relations, Layout.of(layout)
    if is_table(file):
        check_prompts(file, relations, names_of(prompts), form)
    words, count = read_answers(file, gold, language, form)
    failed = failed_answers(file, relations.answer_keys, language.answer_articles, form)
    if words.is_empty() and failed:
        raise DataError(
            f"{file}: all participants failed a catch item; of the first one, {failed[0][1]}: correct the file."
        )
    lost = unmatched_answers(words, probes, prompts)
    if lost.height == words.height:
        why = f" Of the first one, {lost['reason'][0]}." if lost.height else ""
        raise DataError(
            f"{file}: none of its answers ({words.height:,}) is to a probe of the study.{why} Compare the two."
        )
    logger.info("%d of %d answers are to no probe of the study.", lost.height, words.height)
    _warn_of_prompts(file, lost)
    lists = annotator_lists(words, probes, prompts)
    humans, annotator = (
        plain_answers("people", people_responses(lists)),
        plain_answers("annotator", each_annotators_responses(lists)),
    )
    unmatched = table_or_reason("unmatched_answers", lambda: pl.concat([lost, _excluded(failed)]))
    return People(lists, humans, annotator, unmatched, table_or_reason("people_reading", _reading, words, count, lost))


def _reading(words: pl.DataFrame, respelled: int, lost: pl.DataFrame) -> pl.DataFrame:
    row = (words["annotator"].n_unique(), words.height, respelled, lost.height)
    return pl.DataFrame([row], schema=READING, orient="row")


def _warn_of_prompts(file: Path, lost: pl.DataFrame) -> None:
    """Warn of answers to prompts that the study does not have, among the answers to no probe (UNMATCHED)."""
    unknown = to_unknown_prompts(lost)
    if unknown.height:
        logger.warning(
            "%s: %d answers are to prompts that the study does not have, and are left out; of the first one, %s",
            file, unknown.height, unknown["reason"][0],
        )  # fmt: skip


def _excluded(failed: list[tuple[Answer, str]]) -> pl.DataFrame:
    """Return the answers of those who failed a catch item as UNMATCHED."""
    rows = [
        (target, relation, prompt, participant, word, reason)
        for (target, relation, prompt, participant, _, word), reason in failed
    ]
    return pl.DataFrame(rows, schema=UNMATCHED, orient="row")
