"""All that the page of the study shows at once, as the step `show` writes it: tables, the paper's values, and figures."""

from relprobe.core.files import Parquet
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.figures import Exhibits
from relprobe.report.published import Published
from relprobe.stats.schemas import Averages, Inference, Tests
from relprobe.studies.degrees.compare import published_figures
from relprobe.studies.degrees.figures import figures
from relprobe.studies.degrees.schemas import Ceilings, Gold, Metrics, Questions, ReplyChoices, Sensitivity
from relprobe.studies.degrees.tables import tables


def show(
    metrics: list[Metrics],
    averages: Averages,
    tests: Tests,
    gold: Gold,
    questions: Questions,
    ceiling: Ceilings,
    sensitivity: list[Sensitivity],
    published: Published | None = None,
    reply_choices: dict[str, ReplyChoices] | None = None,
    replies: list[ScoreFile] | None = None,
    series: Parquet | None = None,
    *,
    controls: list[str] | None = None,
    inference: Inference,
    kinds: dict[str, str],
    families: dict[str, str] | None = None,
    layered: dict[str, str] | None = None,
) -> Exhibits:
    """Write the tables of the page, put the paper's values beside ours, and draw the figures.

    The functions `tables`, `published_figures` and `figures` say what each of the files and settings is.
    """
    shown = tables(
        *(metrics, averages, tests, gold, questions, ceiling, sensitivity, published, reply_choices, replies),
        controls=controls,
    )
    compared = published_figures(
        averages, shown["data"], shown["difficulty"], shown["spread"], published, inference=inference
    )
    drawn = figures(averages, gold, ceiling, series, kinds=kinds, families=families, layered=layered)
    return Exhibits({**shown, "published": compared}, drawn)
