"""The report of the relations study: its sections, in the order of the files."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from relprobe.report.page import Section, figure
from relprobe.studies.relations.captions import BEHIND, FIGURES, TABLES

TITLE = "What do language models know about semantic relations?"
LEAD = (
    "Each agent answers cloze probes such as “a robin is a kind of a …”; its ranked answers are compared with relatum sets "
    "from WordNet and the configured sources. Method and equations: Cao et al., A Comprehensive Evaluation of Semantic "
    "Relation Knowledge of Pretrained Language Models and Humans. All values lie between 0 and 1 (AuDC: 0 and the number "
    "of ordered pairs of relations); higher is better."
)


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page: the overview, the figures, then the other tables, in the order given.

    A table without rows is not shown; the section "Left out" says why there is none.
    """
    overview, *others = (_table(path) for path in tables)
    return [overview, *(_drawn(path) for path in figures), *(part for part in others if not _empty(part))]


def _empty(section: Section) -> bool:
    return section.table is not None and section.table.is_empty()


def _drawn(path: Path) -> Section:
    metric, _, k = path.stem.rpartition("_") if path.stem[-1].isdigit() else (path.stem, "", "")
    title, caption = FIGURES[metric]
    data = f"tables/{BEHIND.get(metric, 'averages')}.csv"
    return Section(path.stem, f"{title}, k = {k}" if k else title, caption, data, svg=figure(path))


def _table(path: Path) -> Section:
    title, caption = TABLES[path.stem]
    table = pl.read_csv(path, infer_schema_length=None)
    return Section(f"table-{path.stem}", title, caption, f"tables/{path.name}", table=table)
