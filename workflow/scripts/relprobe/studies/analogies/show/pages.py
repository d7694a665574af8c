"""The page of the analogies study: the paragraph that says what came out, figures in words, and where cells lead to."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.report.addresses import of_difference
from relprobe.report.page import Address
from relprobe.report.words.finding import finding as sentence
from relprobe.report.words.in_words import in_words
from relprobe.report.words.series import layers_in_words
from relprobe.report.words.summary import Claim, paragraph
from relprobe.studies.analogies.measure.metrics import ALL, COLUMNS
from relprobe.studies.analogies.schemas import SETTINGS
from relprobe.studies.analogies.show import addresses, names

NAMES = names.NAMES
"""Code -> what it is called on the page."""

VERBS = {
    "supervised": "tells an analogy from a reversed pair by a classifier in",
    "unsupervised": "tells an analogy from a reversed pair without training in",
}


def summary(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out in both settings: the best model, the next one, and where their difference holds.

    `models`: the agents that are models; the others are controls and encoders.
    """
    sentences = [
        paragraph(values, tables["tests"], claim, models, controls=tables["controls"])
        for claim, values in _claims(tables)
    ]
    return " ".join(dict.fromkeys(sentences))


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out in the last setting, unsupervised, in one sentence. `tables`, `models`: as for `summary`."""
    claims = _claims(tables)
    if not claims:
        return "No model has made a choice in this study."
    claim, values = claims[-1]
    return sentence(values, claim, models, tables["controls"])


def _claims(tables: Mapping[str, pl.DataFrame]) -> list[tuple[Claim, pl.DataFrame]]:
    """Return what the sentences are about, for each setting: a claim and its averages."""
    claims = []
    for setting in SETTINGS:
        metric = f"{setting} reverse"
        if metric in tables["overview"].columns:
            columns = {"condition": "group", "value": metric, "own": "own_tuples"}
            values = tables["overview"].select("agent", metric=pl.lit(metric), **columns)
            claim = Claim(metric, (ALL,), VERBS[setting], "choices", test="sign flips over relations", chance=0.5)
            claims.append((claim, values))
    return claims


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Say the values of a figure, from the table behind it; "" if that is not on the page."""
    if of_layers := layers_in_words(name, tables):
        return of_layers
    what, _, setting = name.partition("_")
    behind, by = ("overview", "group") if what == "groups" else ("relations", "relation")
    if behind not in tables:
        return ""
    said = {probe: in_words(tables[behind], f"{setting} {probe}", by, "tuples", "tuples") for probe in COLUMNS}
    return " ".join(f"{probe}: {words}" for probe, words in said.items() if words)


def _of_agent(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the choices behind an accuracy; those of a group are those of all relations."""
    setting, _, probe = column.partition(" ")
    if setting not in SETTINGS or probe not in COLUMNS or row[column] is None:
        return None
    return addresses.answers(row["agent"], setting, probe, row.get("relation"))


def _of_pair(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the choices that one agent makes rightly and the other wrongly, at a difference."""
    agents = of_difference(row, column)
    setting, _, probe = row["metric"].partition(" ")
    return None if agents is None else addresses.answers(agents[0], setting, probe, against=agents[1])


ADDRESSES: dict[str, Address] = {"overview": _of_agent, "relations": _of_agent, "tests": _of_pair}
"""Table -> what its cells lead to."""
