"""All that is measured of one agent."""

import polars as pl

from relprobe.relation import SYMMETRIC, in_lexicon
from relprobe.relations.metrics import Choices, asked, completeness, distinguishability, hits, reciprocity, soundness
from relprobe.relations.prototypicality import prototypical_probes, prototypicality
from relprobe.relations.relatedness import first_related, unrelated
from relprobe.relations.schemas import METRICS


def all_metrics(
    responses: pl.DataFrame,
    probes: pl.DataFrame,
    relata: pl.DataFrame,
    tuples: pl.DataFrame,
    lexicon: pl.DataFrame,
    humans: pl.DataFrame | None,
    choices: Choices,
) -> pl.DataFrame:
    """Return every metric of one agent (METRICS); prototypicality only where there are human responses.

    Agents that were asked no trick probes (the humans) have no asymmetry, as in the paper.
    """
    known = in_lexicon(tuples, lexicon)
    found = hits(responses, probes, relata, known)
    units = asked(responses, probes, relata, known)
    tricked = probes.filter(kind="trick").join(responses, on="probe_id", how="semi").height > 0
    both_ways = known if tricked else known.filter(pl.col("relation").is_in(SYMMETRIC))
    parts = [
        soundness(units, found, choices),
        completeness(units, found, choices),
        distinguishability(units, found, relata, choices),
        reciprocity(responses, probes, found, both_ways, choices),
        first_related(units, found),
        unrelated(units, found),
    ]
    if humans is not None:
        asked_about = probes.join(known, on=["target", "relation"], how="semi")
        parts.append(prototypicality(responses, prototypical_probes(humans, asked_about, lexicon)))
    return pl.concat(parts).sort(METRICS.names())  # the same study is the same file
