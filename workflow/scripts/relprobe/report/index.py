"""The pages above those of the studies: the index of the report, and the page of published and reproduced figures."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from relprobe.report.page import Section
from relprobe.report.published import shown
from relprobe.report.shown import declared

TITLE = "What language models know about words"
LEAD = "Every study of this run, with its main table. Each title leads to the study's page, with its figures and tests."
PUBLISHED_TITLE = "Published and reproduced"
PUBLISHED_LEAD = (
    "What the papers print, where they print it, beside what this run computed. range: what a paper gives in place of a "
    "value; interval: the 95 % interval of ours; n: the number of units that ours is over. A figure without ours belongs to "
    "a model, a baseline or data that this run does not have."
)
PUBLISHED_LINKS = {"All studies": "report.html"}
COMPARED_TITLE = "Compared with another run"
COMPARED_LEAD = (
    "The agents of this run beside those of another results folder, with paired tests and the probes that changed."
)
SOURCES_LEAD = "Each file of each model, and each resource as the configuration pins it, with its SHA-256."


def index(overviews: Sequence[Path], sources: pl.DataFrame, *, compared: bool = False) -> list[Section]:
    """Return the sections of the index.

    The first ones show the main table of each study. The next lead to the page of published figures and, if this run is
    `compared` with another, to that page; the last shows the origins of models and data.

    `overviews`: the files STUDY/tables/overview.csv. `sources`: the table of origins (`origins.ORIGINS`).
    """
    parts = [_part(path, declared(_study(path)).lead) for path in overviews]
    published = Section("published", PUBLISHED_TITLE, PUBLISHED_LEAD, None, link="published.html")
    other = Section("compared", COMPARED_TITLE, COMPARED_LEAD, "differences.csv", link="compare.html")
    above = [published, other] if compared else [published]
    return [*parts, *above, Section("sources", "Models and data", SOURCES_LEAD, "sources.csv", table=sources)]


def published_figures(tables: Sequence[Path]) -> list[Section]:
    """Return the sections of the page of published figures: one per study that has some, which one of own data has not.

    `tables`: the files STUDY/tables/published.csv.
    """
    sections = [_part(path, PUBLISHED_LEAD) for path in tables]
    return [
        replace(section, table=shown(section.table))
        for section in sections
        if section.table is not None and section.table.height
    ]


def _study(table: Path) -> str:
    return table.parent.parent.name


def _part(path: Path, lead: str) -> Section:
    """Return a section that shows a table without the columns that are empty in this run; the file has all columns."""
    study, title = _study(path), declared(_study(path)).title
    table = pl.read_csv(path, infer_schema_length=None)
    table = table.select(column for column in table if column.count())
    return Section(study, title, lead, f"{study}/tables/{path.name}", table=table, link=f"{study}/report.html")
