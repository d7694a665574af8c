"""The page of the relations study: figures in words, and where the cells of tables lead to."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from relprobe.report.addresses import of_difference
from relprobe.report.page import Address
from relprobe.report.words.in_words import in_words
from relprobe.studies.relations.show import addresses
from relprobe.studies.relations.show.names import NAMES
from relprobe.studies.relations.show.series_words import series_in_words
from relprobe.studies.relations.show.summary import code_names, finding, summary

__all__ = ["ADDRESSES", "NAMES", "code_names", "finding", "summary", "words"]


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Say the values of a figure of one metric, and of how many targets; of symmetry and asymmetry, those at each k."""
    names = code_names(tables) if "data" in tables else {}
    if "series" in tables:
        series = tables["series"].with_columns(pl.col("relation", "versus").cast(pl.String).replace(names))
        if of_series := series_in_words(name, series):
            return of_series
    overview = tables.get("overview", pl.DataFrame())
    if "relation" in overview.columns:
        overview = overview.with_columns(pl.col("relation").replace(names))
    columns = [column for column in overview.columns if column.partition("@")[0] == name]
    said = {}
    for column in ["soundness"] if name == "overview" else columns:
        unit = "tuples" if "@" in column else "targets"
        own = f"{column}_targets"
        said[column] = in_words(overview, column, "relation", own if own in overview.columns else unit, unit)
    return " ".join(f"{column}: {words}" for column, words in said.items() if words)


NOT_VALUES = (
    *("relation", "agent", "targets", "coverage", "own_targets", "tuples", "prototypicality_targets"),
    *("metric", "k", "family", "frequency", "low_choice", "high_choice", "low_prompt", "high_prompt"),
)


def _of_agent(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind a number of an agent and a relation."""
    if column in NOT_VALUES or row[column] is None:
        return None
    cutoff = column.partition("@")[2] or row.get("k")
    return addresses.answers(row["agent"], row.get("relation"), k=int(cutoff) if cutoff else None)


def _of_pair(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the probes that one agent answers rightly and the other wrongly, at a difference."""
    agents = of_difference(row, column)
    if agents is None or row.get("relation") is None:
        return None
    return addresses.answers(agents[0], row["relation"], k=row["k"], against=agents[1])


ADDRESSES: dict[str, Address] = {
    "overview": _of_agent,
    "tests": _of_pair,
    "sensitivity_ranges": _of_agent,
    "frequency": _of_agent,
}
"""Table -> what its cells lead to."""
