"""All that the page of the study shows at once, as the step `show` writes it: tables, figures, and the page of answers."""

from dataclasses import dataclass
from pathlib import Path

from relprobe.core.files import Parquet
from relprobe.report.analyses import makers
from relprobe.report.figures import Exhibits
from relprobe.report.published import Published
from relprobe.studies.relations.compare.published import published_figures
from relprobe.studies.relations.results import Results
from relprobe.studies.relations.show import tables
from relprobe.studies.relations.show.answers import answers as write_answers
from relprobe.studies.relations.show.figures import Drawing, figures


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


@dataclass(frozen=True)
class Paper:
    """What the paper prints (`published`), and what this run must have for it.

    `compared`: the tables that other steps have made. `panel`: the models whose common words are the shared lexicon.
    `sources`: the resources that the tuples come from.
    """

    published: Published
    compared: dict[str, Parquet]
    panel: list[str] | None = None
    sources: list[str] | None = None


def show(results: Results, drawing: Drawing, page: Page, paper: Paper, template: Path, answers: Path) -> Exhibits:
    """Write the tables of the page and those of the analyses, and the page of answers, and draw the figures.

    `answers`: the file of the page of answers. Beside what the paper prints stand the values of agents that are no controls.
    DataError: the page has a table that nothing makes.
    """
    gold, words, models = results.gold, results.top_words, list(drawing.models)
    asked = gold.probes, gold.relata, results.language, gold.relations, template, answers
    write_answers(words, *asked, people=page.people, models=models, run=page.run, closed=page.closed)
    making = makers("relations", "TABLES", tables.TABLES, [name for name in page.table_names if name != PUBLISHED])
    shown = {name: make(results) for name, make in making.items()}
    printed = published_figures(
        *(paper.published, results.averages, {**paper.compared, **shown}, results.metrics),
        top_words={agent: words[agent] for agent in results.metrics or {}},
        models=models,
        panel=paper.panel,
        tuples=paper.sources or [],
    )
    return Exhibits({**shown, PUBLISHED: printed}, figures(drawing))


PUBLISHED = "published"
"""The table of the paper's values beside ours, which is made of other tables."""
