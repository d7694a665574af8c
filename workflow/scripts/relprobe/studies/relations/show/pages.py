"""The report of the relations study: what came out, and its sections in the order of the paper."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from relprobe.report.page import Address, Section, figure
from relprobe.report.words import in_words
from relprobe.studies.relations.show import addresses
from relprobe.studies.relations.show.captions import BEHIND, FIGURES, PARTS, TABLES, place
from relprobe.studies.relations.show.summary import summary as of_tables

TITLE = "What do language models know about semantic relations?"
LEAD = (
    "Each agent answers cloze probes such as “a robin is a kind of a …”; its ranked answers are compared with relatum sets "
    "from WordNet and the configured sources. Method and equations: Cao et al., A Comprehensive Evaluation of Semantic "
    "Relation Knowledge of Pretrained Language Models and Humans. All values lie between 0 and 1 (AuDC: 0 and the number "
    "of ordered pairs of relations); higher is better. A click on a marker, a bar or a number leads to the "
    "answers behind it."
)
NO_NEIGHBOURS = (
    " The control neighbours is missing: it needs resources.static_vectors, and its name in relations.controls."
)


def summary(tables: Sequence[Path], models: Collection[str]) -> str:
    """Return the paragraph that says what came out. `models`: the agents that are models."""
    names = ("overview", "tests", "controls", "relation_use", "relation_pairs", "data", "writing")
    read = {path.stem: _read(path) for path in tables if path.stem in names}
    return of_tables(read, models)


def sections(tables: Sequence[Path], figures: Sequence[Path]) -> list[Section]:
    """Return the sections of the page: first those that are to be seen at once, then the parts that are folded away.

    `captions.place` has their order. A table without rows is not shown; the part "Left out, and why" says why there is none.
    """
    overview = next((_read(path) for path in tables if path.stem == "overview"), pl.DataFrame())
    drawn = [_drawn(path, overview) for path in figures]
    shown = [section for path in tables if (section := _table(path)).table is not None and not section.table.is_empty()]
    return sorted([*drawn, *shown], key=lambda section: place(section.id))


def _read(path: Path) -> pl.DataFrame:
    return pl.read_csv(path, infer_schema_length=None)


def _drawn(path: Path, overview: pl.DataFrame) -> Section:
    title, caption = FIGURES[path.stem]
    data = f"tables/{BEHIND.get(path.stem, 'averages')}.csv"
    return Section(path.stem, title, caption, data, svg=figure(path), words=_words(path.stem, overview))


def _words(name: str, overview: pl.DataFrame) -> str:
    """Say the values of a figure of one metric, and of how many targets; of symmetry and asymmetry, those at each k."""
    columns = [column for column in overview.columns if column.partition("@")[0] == name]
    said = {}
    for column in ["soundness"] if name == "overview" else columns:
        unit = "tuples" if "@" in column else "targets"
        own = f"{column}_targets"
        said[column] = in_words(overview, column, "relation", own if own in overview.columns else unit, unit)
    return " ".join(f"{column}: {words}" for column, words in said.items() if words)


def _table(path: Path) -> Section:
    title, caption = TABLES[path.stem]
    table = _read(path)
    if path.stem == "overview" and "frequency" in table["agent"] and "neighbours" not in table["agent"]:
        caption += NO_NEIGHBOURS
    address = ADDRESSES.get(path.stem)
    part = PARTS.get(path.stem, "")
    return Section(f"table-{path.stem}", title, caption, f"tables/{path.name}", table=table, part=part, address=address)


NOT_VALUES = (
    *("relation", "agent", "targets", "coverage", "own_targets", "tuples", "prototypicality_targets"),
    *("metric", "k", "family", "frequency", "low_choice", "high_choice", "low_prompt", "high_prompt"),
)


def _of_agent(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind a number of an agent and a relation."""
    if column in NOT_VALUES or row[column] is None:
        return None
    cutoff = column.partition("@")[2] or row.get("k")
    return _beside(addresses.answers(row["agent"], row.get("relation"), k=int(cutoff) if cutoff else None))


def _of_pair(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the probes that one agent answers rightly and the other wrongly, at a difference."""
    if column != "difference" or row[column] is None or row.get("relation") is None:
        return None
    right, wrong = ("agent_a", "agent_b") if row["difference"] >= 0 else ("agent_b", "agent_a")
    return _beside(addresses.answers(row[right], row["relation"], k=row["k"], against=row[wrong]))


def _beside(address: str) -> str:
    return address.removeprefix("../")


ADDRESSES: dict[str, Address] = {
    "overview": _of_agent,
    "tests": _of_pair,
    "sensitivity_ranges": _of_agent,
    "frequency": _of_agent,
}
"""Table -> what its cells lead to."""
