"""What the figures of the study show, and the titles of their panels."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from relprobe.core.relation import Relations
from relprobe.report.looks import Look, looks
from relprobe.stats.controls import owner
from relprobe.stats.schemas import Inference
from relprobe.studies.relations.compare.models import Models


@dataclass(frozen=True)
class FigureData:
    """What the figures show.

    `averages` and `tests`: AVERAGES and TESTS; `values`: name of a table of the page -> the table, for figures that show
    other values, such as first_related. `kinds`: agent -> masked, causal or humans; `models`: the entries of the config;
    `k`: the cut-off of symmetry and asymmetry where a figure shows only one; `relations`: those of the study; `inference`:
    whose tests draw the dotted lines; `families`: model -> family for all models of the config, which decides the colours;
    `layered`: the agents that are asked layer by layer, as `kinds`; `ways`: the models that are asked in several ways
    (`core.ways.asked_in_several_ways`).
    """

    averages: pl.DataFrame
    tests: pl.DataFrame
    values: Mapping[str, pl.DataFrame]
    kinds: Mapping[str, str]
    models: Models
    k: int
    relations: Relations
    inference: Inference = "linked"
    families: Mapping[str, str] = field(default_factory=dict)
    layered: Mapping[str, str] = field(default_factory=dict)
    ways: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)

    @property
    def looks(self) -> dict[str, Look]:
        """Agent -> its look, in the order of the figures; a model's own control has no place of its own in them."""
        return {agent: look for agent, look in looks(self.kinds, self.families).items() if owner(agent) is None}

    @property
    def looks_of_series(self) -> dict[str, Look]:
        """The same with the agents that are asked layer by layer."""
        return looks({**self.kinds, **self.layered}, self.families)


def panel_title(relation: str, rows: pl.DataFrame) -> str:
    """Return the title of a relation's panel, with the number of units that the agents are averaged over."""
    units = rows.filter(~pl.col("own_units").fill_null(value=False)).select(pl.col("units").max()).item()
    return relation if units is None else f"{relation}, n = {units:,}"
