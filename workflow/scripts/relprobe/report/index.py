"""The pages above the studies: the index of the report, and all figures that the papers print beside ours."""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.report.page import Section

TITLE = "What language models know about words"
LEAD = "Every study of this run, with its main table. Each title leads to the study's page, with its figures and tests."
PUBLISHED_TITLE = "Published and reproduced"
PUBLISHED_LEAD = (
    "What the papers print, where they print it, beside what this run computed. A figure without ours belongs to a model, "
    "a baseline or data that this run does not have."
)
PUBLISHED_LINKS = {"All studies": "report.html"}
SOURCES_LEAD = "Each file of each model, and each resource as the configuration pins it, with its SHA-256."


def index(overviews: Sequence[Path], sources: pl.DataFrame) -> list[Section]:
    """Return a section per study, made of its `STUDY/tables/overview.csv`, and the sections below them.

    These are one that leads to the page of published figures, and one of where everything comes from (ORIGINS).
    """
    parts = [_part(path, _pages(path).LEAD) for path in overviews]
    published = Section("published", PUBLISHED_TITLE, PUBLISHED_LEAD, None, link="published.html")
    return [*parts, published, Section("sources", "Models and data", SOURCES_LEAD, "sources.csv", table=sources)]


def published_figures(tables: Sequence[Path]) -> list[Section]:
    """Return a section per study, made of its `STUDY/tables/published.csv`."""
    return [_part(path, PUBLISHED_LEAD) for path in tables]


def _study(table: Path) -> str:
    return table.parent.parent.name


def _pages(table: Path) -> Any:
    """Return the module with the title and lead of the study that a table is of."""
    return importlib.import_module(f"relprobe.studies.{_study(table)}.pages")


def _part(path: Path, lead: str) -> Section:
    """Make a section of a table; columns that are empty in this run are in its file only."""
    study, title = _study(path), _pages(path).TITLE
    whole = pl.read_csv(path, infer_schema_length=None)
    table = whole.select(column for column in whole if column.count())
    return Section(study, title, lead, f"{study}/tables/{path.name}", table=table, link=f"{study}/report.html")
