"""The trials of the relations study: what every agent answered first to each main probe."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.core.files import read_columns
from relprobe.core.manifest import only_file
from relprobe.core.relation import Relations
from relprobe.paper.trials import Trials, agent_of, as_trials
from relprobe.sources.exported import Layout
from relprobe.sources.human_responses import further_columns
from relprobe.sources.language import LanguageFile
from relprobe.studies.relations.answers import SIMILARITIES, main_probes
from relprobe.studies.relations.averages import MAIN, design_of
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.prompts import Prompts, names_of
from relprobe.studies.relations.ranks import RESPONSE, find_wanted, linked_pairs
from relprobe.studies.relations.schemas import ANSWERS, CONFIGURED, UNDIVIDED, UNIT, Answers, Metrics, TopWords
from relprobe.studies.relations.values import with_probabilities

ANSWER_KEY = ["probe_id", "annotator"]
ANNOTATOR = "annotator"
"""The agent whose trials are those of single persons."""


@dataclass(frozen=True)
class TrialFiles:
    """What the trials are made of.

    `responses`: the files of the agents' answers, of which one is read at a time. `metrics`: those of the agents, whose
    soundness says what is right. `top_words`: what the page of answers prints. `answers`: the manifest of people's table,
    whose prompts `prompts` know, where it has further columns.
    """

    responses: list[Path]
    metrics: dict[str, Metrics]
    top_words: dict[str, TopWords]
    language: LanguageFile
    prompts: Prompts | None = None
    answers: Path | None = None


def trials(
    files: TrialFiles, gold: GoldStandard, *, people: list[str] | None = None, layout: dict[str, Any] | None = None
) -> Trials:
    """Return a trial for each main probe that an agent has answered, and of annotators one for each of them.

    `people`: the agents that are people, whose probes are the study's. `layout`: what the configuration says of people's
    table. The rank of the best right answer is missing if it is not among the words of the response. The cluster of a target
    is the first of all targets that hang together with it by relata that they share.
    """
    design = design_of(gold, [files.metrics[agent] for agent in people or []])
    probes = _probe_facts(gold, files.language)
    right = gold.relata.select(wanted=pl.format("{} {}", "relation", "target"), word="relatum")
    tables = []
    for path in files.responses:
        agent = agent_of(path)
        sound = files.metrics[agent].filter(metric=MAIN)
        counted = design.in_common(sound).join(design.items[MAIN], on=["relation", "target"], how="semi").select(UNIT)
        chosen = pl.col("choice").is_in([CONFIGURED, UNDIVIDED])
        all_answers = read_columns(path, list(ANSWERS), chosen)
        answered = _answers(all_answers.filter(choice=CONFIGURED), probes, right, all_answers.filter(choice=UNDIVIDED))
        answered = _as_printed(answered, files.top_words[agent])
        shown = answered.with_columns(probability=None) if agent in SIMILARITIES else answered
        rows = sound.select(*UNIT, "value").join(probes, on=UNIT, how="inner").join(shown, on="probe_id", how="left")
        rows = rows.join(counted.with_columns(counted=True), on=UNIT, how="left")
        table = _columns(rows, gold.relations)
        if agent == ANNOTATOR and files.answers is not None and files.prompts is not None:
            table = table.join(
                _further(only_file(files.answers), gold, files.language, files.prompts, Layout.of(layout)),
                on=["item", "respondent"],
                how="left",
                maintain_order="left",
            )
        tables.append(as_trials(table, study="relations", agent=agent, task="cloze"))
    return pl.concat(tables)


def _columns(rows: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """Return the columns of trials of an agent's answers, with the facts on their probes and whether they are counted."""
    is_single = pl.col("single_right").is_not_null()
    return rows.select(
        relation="relation",
        relation_name=pl.col("relation").replace(relations.names),
        prompt="prompt_id",
        prompt_text="prompt_text",
        target="target",
        item="probe_id",
        respondent=pl.when(is_single).then(pl.col("annotator").cast(pl.String)),
        answer="answer",
        right=pl.coalesce("single_right", "value"),
        probability="probability",
        right_probability=pl.when(pl.col("probability").is_not_null()).then("right_probability"),
        rank="rank",
        frequency="zipf",
        cluster="cluster",
        counted=pl.col("counted").fill_null(value=False),
    )


def _further(
    file: Path, gold: GoldStandard, language: LanguageFile, prompts: Prompts, layout: Layout | None
) -> pl.DataFrame:
    """Return item, respondent, and further: what people's table says of the first answer of each to each probe."""
    ids = names_of(prompts)
    rows = further_columns(file, gold.relations.answer_keys, language.answer_articles, layout).iter_rows()
    cells_of_answers = [
        (f"{ids[relation, prompt]}:{target}", str(annotator), cells)
        for target, relation, prompt, annotator, cells in rows
        if (relation, prompt) in ids
    ]
    return pl.DataFrame(
        cells_of_answers, schema=dict.fromkeys(("item", "respondent", "further"), pl.String), orient="row"
    )


def _probe_facts(gold: GoldStandard, language: LanguageFile) -> pl.DataFrame:
    """Return the main probes: UNIT, probe_id, prompt_text, the frequency of the target (zipf) and its cluster."""
    probes = main_probes(gold.probes, language.wordfreq)
    texts = [text.replace(target, "–", 1) for target, text in probes.select("target", "text").iter_rows()]
    # A relatum is no target of the same spelling: a sign before it keeps the two apart, and sorts it last.
    pairs = gold.relata.select("relation", "target", relatum=pl.format("\uffff{}", "relatum"))
    clusters = linked_pairs(pairs, gold.relations.codes).select("relation", "target", "cluster").unique()
    named = probes.with_columns(pl.Series("prompt_text", texts, pl.String)).rename({"group": "relation"})
    return named.join(clusters, on=["relation", "target"], how="left").select(
        *UNIT, "probe_id", "prompt_text", "zipf", "cluster"
    )


def _answers(responses: Answers, probes: pl.DataFrame, right: pl.DataFrame, probabilities: Answers) -> pl.DataFrame:
    """Return the first word of each response to a main probe, and the best right one.

    `probabilities`: the same responses with probabilities, where `responses` are ranked by a ratio; else none.

    Columns: probe_id, annotator, answer, probability, right_probability, rank, and single_right: of single
    annotators, 1 if the first word is right, else 0. `right`: wanted, which is "RELATION TARGET", and word.
    """
    asked = responses.join(probes.select("probe_id", "relation", "target"), on="probe_id", maintain_order="left")
    owners = asked.select(pl.format("{} {}", "relation", "target")).to_series()
    ranks = find_wanted(asked, owners, right.rename({"wanted": "target"}))
    best = ranks.group_by(RESPONSE).agg(rank=pl.col("first").min(), position=pl.col("position").min())
    single = pl.col("kind") == "annotator"
    table = (
        asked.with_row_index(RESPONSE)
        .join(best, on=RESPONSE, how="left", maintain_order="left")
        .select(
            *ANSWER_KEY,
            answer=pl.col("words").list.first().cast(pl.String),
            probability=pl.when(~single).then(pl.col("weights").list.first().cast(pl.Float64)),
            word=pl.col("words").list.get(pl.col("position") - 1, null_on_oob=True).cast(pl.String),
            weight=pl.col("weights").list.get(pl.col("position") - 1, null_on_oob=True).cast(pl.Float64),
            rank="rank",
            single_right=pl.when(single).then((pl.col("position") == 1).fill_null(value=False).cast(pl.Float64)),
        )
    )
    table = with_probabilities(table, probabilities) if probabilities.height else table
    return table.rename({"weight": "right_probability"}).drop("word")


def _as_printed(answers: pl.DataFrame, words: TopWords) -> pl.DataFrame:
    """Return the answers with the first word and weight that the page of answers has, where it has one (`top_words`)."""
    first = words.filter(rank=1).select("probe_id", page_word="word", page_weight=pl.col("weight").cast(pl.Float64))
    joined = answers.join(first, on="probe_id", how="left", maintain_order="left")
    return joined.with_columns(
        answer=pl.coalesce("page_word", "answer"), probability=pl.coalesce("page_weight", "probability")
    ).drop("page_word", "page_weight")
