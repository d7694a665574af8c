"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from pathlib import Path
from typing import NamedTuple

from relprobe.core.files import Parquet, ShownTables
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.figures import Figures
from relprobe.report.published import Published
from relprobe.sources.lexical.wordnet import WordNet
from relprobe.sources.word_frequency import Scale
from relprobe.stats.schemas import Averages, Inference, Tests
from relprobe.studies.systematicity import tables
from relprobe.studies.systematicity.data import Choice
from relprobe.studies.systematicity.figures import figures
from relprobe.studies.systematicity.published import published_figures
from relprobe.studies.systematicity.schemas import (
    CategoryLogprobs,
    Detection,
    Errors,
    Items,
    Metrics,
    Occurrences,
    OwnContrasts,
    Pairs,
    Probes,
    ReplyChoices,
    Scores,
)


class ExhibitTables(NamedTuple):
    """The tables and the figures of the page, and two tables of the models' answers: one is drawn for print as well."""

    tables: ShownTables
    figures: Figures
    category_logprobs: CategoryLogprobs
    errors: Errors


def show(
    metrics: dict[str, Metrics],
    averages: Averages,
    detection: Detection,
    tests: Tests,
    contrasts: OwnContrasts,
    probes: Probes,
    item_table: Items,
    pairs: Pairs,
    choice: Choice,
    wordnet: WordNet,
    published: Published,
    template: Path,
    answers: Path,
    scores: dict[str, Scores] | None = None,
    occurrences: Occurrences | None = None,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    series: Parquet | None = None,
    *,
    categories: dict[str, list[str]],
    sets: list[str],
    controls: list[str],
    scale: Scale,
    resources: list[str] | None = None,
    seed: int,
    vectors: list[str] | None = None,
    models: list[str] | None = None,
    run: str = "",
    kinds: dict[str, str],
    inference: Inference,
    families: dict[str, str] | None = None,
    layered: dict[str, str] | None = None,
) -> ExhibitTables:
    """Write the tables of the page, the paper's values beside ours and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. `scores`: those of models, and of the static vectors `vectors`. `sets`: the
    sets of items; WordNet's items are counted beside those of "extended". What the other files and settings are, the
    functions `tables`, `answer_tables`, `published_figures`, `answers` and `figures` say.
    """
    tables.answers(
        probes, item_table, template, answers, scores, reply_choices, models=models, vectors=vectors, run=run
    )
    of_models = {agent: table for agent, table in (scores or {}).items() if agent not in (vectors or ())}
    answered = tables.answer_tables(probes, item_table, wordnet, of_models, seed=seed)
    compared = published_figures(
        published, metrics, averages, detection, answered.errors, item_table, pairs, occurrences
    )
    built = wordnet if "extended" in sets else None
    shown = tables.tables(
        *(metrics, averages, detection, tests, contrasts, item_table, pairs, choice),
        *(built, occurrences, reply_choices, replies),
        categories=categories,
        controls=controls,
        scale=scale,
        resources=resources,
    )
    drawn = figures(
        *(averages, answered.category_logprobs, detection, series),
        sets=sets,
        kinds=kinds,
        inference=inference,
        families=families,
        layered=layered,
    )
    every = {**shown, **answered.tables, "published": compared}
    return ExhibitTables(every, drawn, answered.category_logprobs, answered.errors)
