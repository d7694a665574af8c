"""The paragraph at the top of the study's page, from its tables."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.report.words.finding import finding as sentence
from relprobe.report.words.readable import interval_in_words, minus
from relprobe.report.words.summary import Claim, paragraph
from relprobe.report.words.warnings import warnings
from relprobe.stats.controls import owner
from relprobe.studies.systematicity.schemas import MAJORITY

VERBS = {
    "singular": "chooses the right category in the singular for",
    "singular_plural": "chooses the right category in the singular and in the plural for",
}


def summary(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out: the best model in the singular, in both numbers at once, and whether one follows the other.

    `tables`: those of the page by their names, among them overview, tests, controls and consistency. `models`: the agents
    that are models; the others are controls.
    """
    overview = tables["overview"]
    sets = tuple(dict.fromkeys(overview["set"]))
    sentences = []
    for metric, verb in VERBS.items():
        if metric in overview.columns:
            values = overview.select("agent", condition="set", metric=pl.lit(metric), value=metric, own="own_hyponyms")
            claim = Claim(metric, sets, verb, "hyponyms", each="sets", test="sign flips over categories")
            sentences.append(paragraph(values, tables["tests"], claim, models, controls=tables["controls"]))
    if "consistency" in tables:
        sentences.append(_consistent(tables["consistency"], models))
    return " ".join(filter(None, dict.fromkeys([warnings(tables["tests"], models, MAJORITY), *sentences])))


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out in both numbers at once, in one sentence. `tables`, `models`: as for `summary`."""
    overview, metric = tables["overview"], "singular_plural"
    if metric not in overview.columns:
        return "No model has an answer to the probes of this study."
    values = overview.select("agent", condition="set", metric=pl.lit(metric), value=metric)
    claim = Claim(metric, tuple(dict.fromkeys(overview["set"])), VERBS[metric], "hyponyms", each="sets")
    return sentence(values, claim, models, tables["controls"])


def _consistent(consistency: pl.DataFrame, models: Collection[str]) -> str:
    """Say how often a hyponym that is right in the singular is right in the plural, for the model with most of them.

    An agent that names one category for all hyponyms is consistent, too: beside phi stands the highest one of a control.

    >>> shares = {"both": 0.3, "singular_only": 0.1, "plural_only": 0.15, "neither": 0.45, "hyponyms": 100}
    >>> right = {"right_singulars": 40, "plural_if_singular": 0.75, "plural_if_singular_low": 0.6}
    >>> phi = {"plural_if_singular_high": 0.86, "phi": 0.5, "phi_low": 0.3, "phi_high": 0.7}
    >>> print(_consistent(pl.DataFrame([{"set": "s", "agent": "m", **shares, **right, **phi}]), ["m"]))
    Of the 40 hyponyms that m has right in the singular, 75 of 100 are right in the plural (95 % interval 60 to 86); of the \
others, 25 of 100 are (phi 0.50, 95 % interval 0.30 to 0.70).
    """
    rows = consistency.filter(pl.col("agent").is_in(list(models)), pl.col("right_singulars") > 1)
    if rows.is_empty():
        return ""
    row = rows.sort("right_singulars", descending=True, maintain_order=True).row(0, named=True)
    low, high = (row[f"plural_if_singular_{end}"] for end in ("low", "high"))
    bounds = "" if low is None else f" ({interval_in_words(100 * low, 100 * high, 0)})"
    said = (
        f"Of the {row['right_singulars']:,} hyponyms that {row['agent']} has right in the singular, "
        f"{100 * row['plural_if_singular']:.0f} of 100 are right in the plural{bounds}"
    )
    wrong = row["plural_only"] + row["neither"]
    others = f"; of the others, {100 * row['plural_only'] / wrong:.0f} of 100 are" if wrong > 0 else ""
    interval = "" if row["phi_low"] is None else f", {interval_in_words(row['phi_low'], row['phi_high'])}"
    phi = minus(f" (phi {row['phi']:.2f}{interval})") if others and row["phi"] is not None else ""
    return f"{said}{others}{phi}.{_blindly_consistent(consistency, models, row) if phi else ''}"


def _blindly_consistent(consistency: pl.DataFrame, models: Collection[str], row: Mapping[str, Any]) -> str:
    """Say the highest phi of a control of an agent, in its set: " The control majority has phi 1.00"; "" without any."""
    controls = [
        name for name in consistency["agent"].unique() if name not in models and owner(name) in (None, row["agent"])
    ]
    rows = consistency.filter(pl.col("agent").is_in(controls), pl.col("set") == row["set"]).drop_nulls("phi")
    if rows.is_empty():
        return ""
    best = rows.sort("phi", "agent", descending=[True, False]).row(0, named=True)
    phi = minus(f"{best['phi']:.2f}")
    which = f"the control {best['agent']}, which does not know the answer, has phi {phi}"
    return f" That is no sign of knowledge by itself: {which}."
