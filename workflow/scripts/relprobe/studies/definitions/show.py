"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from pathlib import Path

from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.figures import Exhibits
from relprobe.stats.schemas import Averages, Tests
from relprobe.studies.definitions import tables
from relprobe.studies.definitions.figures import figures
from relprobe.studies.definitions.schemas import (
    Groups,
    Properties,
    ReplyChoices,
    Responses,
    Sensitivity,
    Sizes,
    TaskContrasts,
)


def show(
    averages: Averages,
    tests: Tests,
    tasks: TaskContrasts,
    sizes: Sizes,
    groups: Groups,
    properties: Properties,
    responses: dict[str, Responses],
    sensitivity: list[Sensitivity],
    template: Path,
    answers: Path,
    people: Averages | None = None,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    *,
    controls: list[str] | None = None,
    targets: list[str] | None = None,
    depth: bool = True,
    large: bool = False,
    kinds: dict[str, str],
    families: dict[str, str] | None = None,
    source: str = "WordNet",
    models: list[str] | None = None,
    run: str = "",
) -> Exhibits:
    """Write the tables of the page and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. What the other files and settings are, the functions `tables`, `answers` and
    `figures` say.
    """
    tables.answers(responses, groups, properties, template, answers, source=source, models=models, run=run)
    shown = tables.tables(
        *(averages, tests, tasks, sizes, groups, properties, responses, sensitivity, people, reply_choices, replies),
        controls=controls,
        targets=targets,
        depth=depth,
        large=large,
    )
    return Exhibits(shown, figures(averages, kinds=kinds, families=families, depth=depth))
