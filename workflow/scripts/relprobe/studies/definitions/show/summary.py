"""The paragraph at the top of the study's page, from its tables."""

from collections.abc import Collection, Mapping

import polars as pl

from relprobe.report.words.finding import finding as sentence
from relprobe.report.words.summary import Claim, paragraph
from relprobe.report.words.warnings import warnings
from relprobe.studies.definitions.ask.prompts import POS
from relprobe.studies.definitions.measure.metrics import metric_name
from relprobe.studies.definitions.schemas import GUESS, HUMANS

VERBS = {"w2d": "finds a word's definition in", "d2w": "finds a definition's word in"}


def summary(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out of both tasks: the best model, people, the next model, and where their differences hold.

    `tables`: those of the page by their names, among them overview, tests and controls. `models`: the agents that are
    models; the others are people and controls.
    """
    sentences = [
        paragraph(values, tables["tests"], claim, models, HUMANS, tables["controls"])
        for claim, values in _claims(tables)
    ]
    return " ".join(dict.fromkeys(filter(None, [warnings(tables["tests"], models), *sentences])))


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out of the first task in one sentence. `tables`, `models`: as for `summary`."""
    claims = _claims(tables)
    if not claims:
        return "No model has an answer to the probes of this study."
    claim, values = claims[0]
    return sentence(values, claim, models, tables["controls"], HUMANS)


def _claims(tables: Mapping[str, pl.DataFrame]) -> list[tuple[Claim, pl.DataFrame]]:
    """Return what the sentences are about, for each task: a claim and its averages."""
    asked = tables["overview"].filter(pl.col("part_of_speech").is_in(POS))
    claims = []
    for task, verb in VERBS.items():
        metric = metric_name(task, "P@1")
        if metric in asked.columns:
            values = asked.select(
                "agent", condition="part_of_speech", metric=pl.lit(metric), value=metric, own="own_groups"
            )
            guess = values.filter(agent=GUESS)["value"].mean()
            chance = guess if isinstance(guess, float) else None
            about = {"each": "parts of speech", "test": "sign flips over families"}
            claim = Claim(metric, tuple(POS), verb, "tasks", chance=chance, **about)
            claims.append((claim, values.filter(pl.col("agent") != GUESS)))
    return claims
