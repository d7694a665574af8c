"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from pathlib import Path

from relprobe.core.files import Parquet
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.figures import Exhibits
from relprobe.stats.schemas import Averages, Inference, Tests
from relprobe.studies.analogies import tables
from relprobe.studies.analogies.figures import figures
from relprobe.studies.analogies.schemas import (
    Contrasts,
    Decisions,
    Frequency,
    Instances,
    ReplyChoices,
    Tuples,
    Unjudged,
)


def show(
    averages: Averages,
    tests: Tests,
    contrasts: Contrasts,
    queries: Contrasts,
    frequency: Frequency,
    unjudged: dict[str, Unjudged],
    tuples: Tuples,
    instances: Instances,
    decisions: dict[str, Decisions],
    template: Path,
    answers: Path,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    series: Parquet | None = None,
    *,
    controls: list[str] | None = None,
    inference: Inference,
    kinds: dict[str, str],
    families: dict[str, str] | None = None,
    layered: dict[str, str] | None = None,
    notice: str = "",
    models: list[str] | None = None,
    run: str = "",
) -> Exhibits:
    """Write the tables of the page and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. What the other files and settings are, the functions `tables`, `answers` and
    `figures` say.
    """
    tables.answers(decisions, instances, tuples, template, answers, notice=notice, models=models, run=run)
    shown = tables.tables(
        *(averages, tests, contrasts, queries, frequency, unjudged, tuples, instances, reply_choices, replies),
        controls=controls,
        inference=inference,
    )
    drawn = figures(averages, tuples, series, kinds=kinds, families=families, layered=layered)
    return Exhibits(shown, drawn)
