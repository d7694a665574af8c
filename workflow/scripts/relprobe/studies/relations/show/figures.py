"""The figures of the study by name; the modules of `drawn` draw them."""

from typing import Any

import polars as pl
from matplotlib.figure import Figure

from relprobe.core.files import Parquet
from relprobe.report.figures import Figures, nothing_to_draw
from relprobe.sources.relations import RelationsFile
from relprobe.stats.schemas import Inference
from relprobe.studies.relations.compare.frequency import Correlations
from relprobe.studies.relations.compare.relatedness import by_family
from relprobe.studies.relations.compare.series import AXES_OF
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY, MEASURES
from relprobe.studies.relations.schemas import Averages, Tests
from relprobe.studies.relations.show.drawn.answered import entropy_boxes, first_related_bars
from relprobe.studies.relations.show.drawn.distances import (
    by_kind,
    distances_of_agents,
    distances_of_kinds,
    distinguishability_curves,
)
from relprobe.studies.relations.show.drawn.frequency import frequency_correlations
from relprobe.studies.relations.show.drawn.metrics import by_relation
from relprobe.studies.relations.show.drawn.overview import overview
from relprobe.studies.relations.show.drawn.results import Results
from relprobe.studies.relations.show.drawn.series import along, over_training_and_layers
from relprobe.studies.relations.show.drawn.ways import by_way

BOTH_AXES = "training_layers_"
"""The beginning of the name of a figure over training and layers."""
WITH_CUTOFFS = {measure.name for measure in MEASURES if measure.cutoffs}


def figures(
    averages: Averages,
    tests: Tests,
    first_related: Parquet,
    frequency: Correlations,
    relations: RelationsFile,
    response_entropies: Parquet | None = None,
    series: Parquet | None = None,
    *,
    names: list[str],
    agents: list[str],
    models: dict[str, Any],
    k: int,
    inference: Inference = "linked",
    families: dict[str, Any] | None = None,
    controls: list[str] | None = None,
    layered: dict[str, str] | None = None,
    ways: dict[str, Any] | None = None,
) -> Figures:
    """Draw the figures `names`: metrics, distances between relations, and what they depend on.

    `models`: model -> type, family and size; `controls`: agents without an entry that are no people. `inference`: whose
    tests draw the dotted lines. `families`: model -> family for all models of the config, which decides the colours.
    `layered`: the agents that are asked layer by layer, and their types. `ways`: the models that are asked in several ways.
    """
    others = {agent: "control" if agent in (controls or []) else "humans" for agent in agents}
    entries = {agent: models[agent] for agent in agents if agent in models}
    kinds = others | {agent: entry["type"] for agent, entry in entries.items()}
    known = averages.drop_nulls("value")
    tables = known, tests, first_related, frequency, response_entropies, series
    results = Results(*tables, kinds, entries, k, relations, inference, families or {}, layered or {}, ways or {})
    yield from ((name, draw(name, results)) for name in names)


def draw(name: str, results: Results) -> Figure:
    """Draw the figure of this name (`page.md`); one without data is a sentence that says so."""
    averages, relations = results.averages, results.relations
    about, _, metric = name.partition("_")
    if about == "frequency":
        return frequency_correlations(
            results.correlations, metric, relations=relations, agents=list(results.looks)
        ) or nothing_to_draw(f"No model's {metric} could be correlated with word frequency.")
    if results.series is not None and about in AXES_OF:
        return _of_series(name, results.series, results)
    if results.entropies is not None and name == "response_entropy":
        return entropy_boxes(results.entropies, relations=relations)
    if about == "ways":
        return by_way(metric, results)
    if (reason := _absence(name, averages)) is not None:
        return nothing_to_draw(reason)
    own = {
        "overview": lambda: overview(averages, results.looks, results.k, relations=relations),
        "distinguishability_curves": lambda: distinguishability_curves(averages, results.looks, relations=relations),
        "distinguishability_matrices": lambda: distances_of_agents(averages, results.looks, relations=relations),
        "distinguishability_kinds": lambda: distances_of_kinds(*by_kind(averages, results.kinds), relations=relations),
        "first_related_families": lambda: first_related_bars(
            by_family(results.first_related, results.models), relations=relations
        ),
        "first_related": lambda: first_related_bars(
            results.first_related, relations=relations, agents=["gold", *results.looks]
        ),
    }
    return own[name]() if name in own else by_relation(name, results)


def _absence(name: str, averages: pl.DataFrame) -> str | None:
    """Say why a figure of averages cannot be drawn; None if it can."""
    starts = (DISTINGUISHABILITY.name, "first_related")
    values_of = next((start for start in starts if name.startswith(start)), name)
    if name != "overview" and averages.filter(metric=values_of).is_empty():
        return f"No agent has values of {values_of} on the tuples of this study."
    if name == "distinguishability_curves" and averages.filter(metric=AUDC.name).is_empty():
        return "No pair of relations has as many targets as AuDC needs (choices.minimum_targets)."
    return None


def _of_series(name: str, series: pl.DataFrame, results: Results) -> Figure:
    """Draw a figure along series, or over training and layers at once."""
    relations = results.relations
    if name.startswith(BOTH_AXES):
        metric = name.removeprefix(BOTH_AXES)
        return over_training_and_layers(series, metric, relations=relations) or nothing_to_draw(
            f"No checkpoint that is asked layer by layer has values of {metric}."
        )
    about, _, metric = name.partition("_")
    cutoff = results.k if metric in WITH_CUTOFFS else None
    return along(
        series, AXES_OF[about], metric, cutoff, relations=relations, looks=results.looks_of_series
    ) or nothing_to_draw(f"No member of a series has values of {metric}.")
