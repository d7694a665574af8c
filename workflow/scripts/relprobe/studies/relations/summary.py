"""The paragraph at the top of the study's page, from its tables."""

from collections.abc import Collection, Mapping

import polars as pl

from relprobe.report.summary import Claim, paragraph

PEOPLE = ("annotator", "humans")
"""The agents that are people; models are compared with the first of them that is there."""


def summary(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out: who answers best, where the difference holds, and whether relations are told apart.

    `tables`: those of the page by their names, among them overview, tests, chance and data. `models`: the agents that are
    models.
    """
    overview = tables["overview"]
    if "soundness" not in overview.columns:
        return "No agent has an answer to the probes of this study."
    person = next((agent for agent in PEOPLE if agent in set(overview["agent"])), "")
    averages = overview.filter(pl.col("agent").is_in([*models, person])).select(
        "agent", "relation", metric=pl.lit("soundness"), value="soundness", own="own_targets"
    )
    names = dict(tables["data"].select("relation", "name").iter_rows())
    with_names, tests = (table.with_columns(pl.col("relation").replace(names)) for table in (averages, tables["tests"]))
    claim = Claim(
        metric="soundness",
        conditions=tuple(dict.fromkeys(with_names["relation"])),
        verb="gives a right first answer to",
        unit="probes",
        column="relation",
        each="relations",
        test="sign flips over targets",
    )
    text = paragraph(with_names, tests, claim, models, person)
    return " ".join(filter(None, [text, _told_apart(tables["chance"], models)]))


def _told_apart(chance: pl.DataFrame, models: Collection[str]) -> str:
    """Say how many pairs of relations the best model tells apart, and what chance gives."""
    numbers = chance.with_columns(pl.col("value", "chance", "p").cast(pl.Float64))
    areas = numbers.filter(pl.col("relation").is_null(), pl.col("agent").is_in(list(models))).drop_nulls("value")
    if areas.is_empty():
        return ""
    best = areas.sort("value", descending=True, maintain_order=True).row(0, named=True)
    if best["chance"] is None:
        return ""
    said = (
        f"{best['agent']} tells {best['value']:.1f} pairs of relations apart (AuDC); chance gives {best['chance']:.1f}"
    )
    if best["p"] is None:
        return f"{said}."
    verdict = "The difference holds" if best["p"] < 0.05 else "The difference does not hold"
    return f"{said}. {verdict} (random deals of the relata: p = {best['p']:.2g})."
