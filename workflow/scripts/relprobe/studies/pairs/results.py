"""The files of the study that its page is made of, and what its analyses read: of one agent, and of all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import polars as pl

from relprobe.core.files import Parquet
from relprobe.core.unmade import change_tables
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.report.published import Published
from relprobe.sources.relations import RelationsFile
from relprobe.stats.schemas import Inference, Tests
from relprobe.studies.pairs.schemas import Ceilings, Items, LayerMetrics, Links, Metrics, PairAverages, ReplyChoices


@dataclass(frozen=True, kw_only=True)
class FigureFiles:
    """The files that figures are drawn from. `series`: the values along layers, of a run whose agents have them."""

    averages: PairAverages
    series: Parquet | None = None


@dataclass(frozen=True, kw_only=True)
class Results(FigureFiles):
    """The files of a run, in the order of the method; None: this run has none of them.

    `item_table`: the pairs. `relations`: what their relations are called. `metrics`: the values. `reply_choices`: the
    responses of agents that are asked in words. `controls`: the agents that do not know what is asked. `inference`: which p
    makes a condition significant.
    """

    item_table: Items
    relations: RelationsFile
    metrics: list[Metrics]
    tests: Tests
    ceiling: Ceilings
    reply_choices: dict[str, ReplyChoices] | None = None
    replies: list[ScoreFile] | None = None
    published: Published | None = None
    controls: list[str] | None = None
    inference: Inference = "linked"

    @property
    def agents(self) -> list[str]:
        """The agents in the order of the files."""
        return list(by_agent(self.metrics))


class LayerResults(NamedTuple):
    """What an analysis may read of the agents with layers. `controls`: the values of the controls of all models."""

    values: dict[str, LayerMetrics]
    controls: list[Metrics]
    averages: PairAverages
    links: Links
    targets: Literal["common", "own"]


def by_agent(values: Sequence[Metrics]) -> dict[str, pl.DataFrame]:
    """Return agent -> values of some tables."""
    parts = pl.concat(values).partition_by("agent", as_dict=True, include_key=False, maintain_order=True)
    return {str(agent): part for (agent,), part in parts.items()}


def code_names(tables: Mapping[str, pl.DataFrame]) -> dict[str, str]:
    """Return condition -> its name, of those with the code of a relation.

    >>> code_names({"data": pl.DataFrame({"condition": ["HYP", "own USE"], "name": ["hypernymy", "own USE"]})})
    {'HYP': 'hypernymy'}
    """
    rows = tables["data"].select("condition", "name").iter_rows() if "data" in tables else ()
    return {condition: name for condition, name in rows if condition != name}


def with_names(tables: Mapping[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Return tables whose conditions have their names."""
    names = code_names(tables)
    return change_tables(
        tables,
        lambda _, table: (
            table.with_columns(pl.col("condition").replace(names)) if "condition" in table.columns else table
        ),
    )
