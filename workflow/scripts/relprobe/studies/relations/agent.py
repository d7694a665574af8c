"""All that is measured of one agent."""

from collections.abc import Collection
from dataclasses import dataclass

import polars as pl

from relprobe.core.relation import SYMMETRIC, in_lexicon
from relprobe.studies.relations.metrics import (
    Choices,
    asked,
    completeness,
    distinguishability,
    hits,
    reciprocity,
    soundness,
)
from relprobe.studies.relations.prototypicality import prototypical_probes, prototypicality
from relprobe.studies.relations.relatedness import first_related, unrelated
from relprobe.studies.relations.schemas import METRICS

CHOSEN = ("soundness", "completeness", "distinguishability", "reciprocity")


@dataclass(frozen=True)
class Answers:
    """An agent's responses beside the gold standard: what the metrics read, whatever the choices.

    `tuples`: those in the shared lexicon that [a]symmetry is of; `found` and `units`: see `hits` and `asked`; `gold`: the
    human responses of prototypicality, if there are any.
    """

    responses: pl.DataFrame
    probes: pl.DataFrame
    relata: pl.DataFrame
    tuples: pl.DataFrame
    found: pl.DataFrame
    units: pl.DataFrame
    gold: pl.DataFrame | None


def answers(
    responses: pl.DataFrame,
    probes: pl.DataFrame,
    relata: pl.DataFrame,
    tuples: pl.DataFrame,
    lexicon: pl.DataFrame,
    humans: pl.DataFrame | None,
) -> Answers:
    """Put an agent's responses beside the gold standard; prototypicality only where there are human responses.

    Agents that were asked no trick probes (the humans) have no asymmetry, as in the paper.
    """
    known = in_lexicon(tuples, lexicon)
    tricked = probes.filter(kind="trick").join(responses, on="probe_id", how="semi").height > 0
    about = probes.join(known, on=["target", "relation"], how="semi")
    return Answers(
        responses,
        probes,
        relata,
        known if tricked else known.filter(pl.col("relation").is_in(SYMMETRIC)),
        hits(responses, probes, relata, known),
        asked(responses, probes, relata, known),
        None if humans is None else prototypical_probes(humans, about, lexicon),
    )


def all_metrics(given: Answers, choices: Choices) -> pl.DataFrame:
    """Return every metric of one agent (METRICS)."""
    parts = [
        chosen_metrics(given, choices),
        first_related(given.units, given.found),
        unrelated(given.units, given.found),
    ]
    if given.gold is not None:
        parts.append(prototypicality(given.responses, given.gold))
    return pl.concat(parts).sort(METRICS.names())  # the same study is the same file


def chosen_metrics(given: Answers, choices: Choices, names: Collection[str] = CHOSEN) -> pl.DataFrame:
    """Return the metrics `names` of those that depend on the choices (METRICS); [a]symmetry goes by "reciprocity"."""
    units, found = given.units, given.found
    measures = {
        "soundness": lambda: soundness(units, found, choices),
        "completeness": lambda: completeness(units, found, choices),
        "distinguishability": lambda: distinguishability(units, found, given.relata, choices),
        "reciprocity": lambda: reciprocity(given.responses, given.probes, found, given.tuples, choices),
    }
    return pl.concat([measures[name]() for name in names]).sort(METRICS.names())
