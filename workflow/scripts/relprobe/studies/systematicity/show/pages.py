"""The page of the systematicity study: figures in words, and where the cells of tables lead to."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from relprobe.report.addresses import of_difference
from relprobe.report.page import Address
from relprobe.report.words.in_words import in_words
from relprobe.report.words.series import layers_in_words
from relprobe.studies.systematicity.measure.metrics import MEASURES, PAIRED
from relprobe.studies.systematicity.schemas import INPUTS, MAJORITY
from relprobe.studies.systematicity.show import addresses
from relprobe.studies.systematicity.show.names import NAMES
from relprobe.studies.systematicity.show.summary import finding, summary

__all__ = ["ADDRESSES", "NAMES", "finding", "summary", "words"]


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Say the values of a figure, from the table behind it; "" if that is not on the page."""
    kind, _, of = name.rpartition("_")
    if kind == "accuracy" and "overview" in tables:
        of_set = tables["overview"].filter(set=of)
        metrics = [metric for metric in MEASURES if metric.title and metric.name in of_set.columns]
        said = {one.title: in_words(of_set, one.name, "set", "hyponyms", "hyponyms") for one in metrics}
        return " ".join(f"{title}: {words}" for title, words in said.items() if words)
    if kind == "category_logprobs" and kind in tables:
        of_set = tables[kind].filter(set=of).with_columns(condition=pl.format("{}, {}", "category", "kind"))
        return in_words(of_set, "logprob", "condition", "hyponyms", "hyponyms")
    if name == "detection" and name in tables:
        of_input = pl.col("input").replace_strict(INPUTS, default="")
        named = tables["detection"].with_columns(agent=pl.format("{}{}", "agent", of_input))
        return in_words(named, "accuracy", "setting", "pairs", "pairs")
    return layers_in_words(name, tables)


def _of_agent(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind an average; baselines and controls have none."""
    if column not in addresses.VIEWS or row[column] is None or not _answering(row["agent"]):
        return None
    return addresses.answers(row["agent"], column, row["set"])


def _of_pair(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the probes that one agent answers rightly and the other wrongly, at a difference."""
    agents = of_difference(row, column)
    if agents is None or not all(map(_answering, agents)):
        return None
    single = row["metric"] if not PAIRED.get(row["metric"]) else ""  # a pair of probes has no view of its own
    return addresses.answers(agents[0], single, row["condition"], against=agents[1])


def _answering(agent: str) -> bool:
    """Say whether an agent is on the answers page: a model, or static vectors."""
    return agent != MAJORITY and not agent.endswith("+control")


ADDRESSES: dict[str, Address] = {"overview": _of_agent, "tests": _of_pair}
"""Table -> what its cells lead to."""
