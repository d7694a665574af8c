"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from dataclasses import dataclass
from pathlib import Path

from relprobe.core.analyses import take
from relprobe.core.files import Parquet
from relprobe.core.unmade import made_tables, table_or_reason
from relprobe.report.analyses import make_tables
from relprobe.report.answers import publish_or_say
from relprobe.report.figures import Exhibits
from relprobe.studies.relations import tables
from relprobe.studies.relations.answers import AnswerPage
from relprobe.studies.relations.answers import answers as write_answers
from relprobe.studies.relations.figures import Drawing, draw_all
from relprobe.studies.relations.results import Results


@dataclass(frozen=True)
class Page:
    """What a run has on the page of the study.

    `table_names`: those that are made. `people`: the agents that are people. `closed`: whether models choose among closed
    lists. `run`: the title of the run.
    """

    table_names: list[str]
    people: list[str] | None = None
    closed: bool = False
    run: str = ""


def show(
    results: Results,
    drawing: Drawing,
    page: Page,
    template: Path,
    answers: Path,
    compared: dict[str, Parquet] | None = None,
) -> Exhibits:
    """Write the tables of the page and those of the analyses, and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. `compared`: tables of the page that other steps have made. Last come the
    tables that analyses make of other tables. DataError: the page has a table or figure that nothing makes.
    """
    answer_page = AnswerPage(page.people or (), list(drawing.models), page.run, page.closed)
    answered = results.top_words, results.gold, results.language
    publish_or_say(answers, write_answers, *answered, answer_page, template, answers)
    last = {
        name: make
        for analysis_tables in take("relations", "DERIVED_TABLES").values()
        for name, make in analysis_tables.items()
    }
    names = [name for name in page.table_names if name not in last]
    shown = make_tables("relations", tables.TABLES, names, results)
    all_tables = {**(compared or {}), **shown}
    shown |= {
        name: table_or_reason(name, make, results, made_tables(all_tables))
        for name, make in last.items()
        if name in page.table_names
    }
    return Exhibits(shown, draw_all(drawing.names, drawing.data(all_tables)))
