"""What the page of the study says: names, sentences, and where its answers stand."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.core.claim import primary_of
from relprobe.report.addresses import agents_of_difference
from relprobe.report.page import Address
from relprobe.report.page_words import PageWords
from relprobe.report.words.finding import Finding
from relprobe.report.words.finding import finding as found_by
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.summary import sentences_on
from relprobe.report.words.warnings import warnings
from relprobe.studies.systematicity.addresses import VIEWS, answers
from relprobe.studies.systematicity.claims import CLAIMS
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import PAIRED
from relprobe.studies.systematicity.schemas import INPUTS, MAJORITY, NEAREST

# What codes in the tables of the systematicity study are called on its page.


NAMES = {
    **{metric.name: metric.title for metric in MEASURES if metric.title and metric.title != metric.name},
    **{f"{kind}_sentence": f"{kind}, full sentence" for kind in ("singular", "plural", "contextual")},
    "singular_plural_sentence": "singular and plural, full sentence",
    "aggregate_sentence": "all three, full sentence",
    "verified_singular": "singular, verified",
    "verified_plural": "plural, verified",
    "detection": "classifier",
    "detection_partial": "classifier, hypernym alone",
}


# The paragraph at the top of the study's page, from its tables.


NO_ANSWER = "No model has an answer to the probes of this study."


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return what came out: the best model in the singular, and in both numbers at once.

    `tables`: those of the page by their names, among them overview, tests and controls. `models`: the agents that are
    models; the others are controls.
    """
    overview = tables["overview"]
    sets = tuple(dict.fromkeys(overview["set"]))
    claims = []
    for claim in CLAIMS:
        if claim.metric in overview.columns:
            columns = {"condition": "set", "value": claim.metric, "own": "own_hyponyms"}
            values = overview.select("agent", metric=pl.lit(claim.metric), **columns)
            claims.append((claim.under(sets), values))
    paragraphs = [
        sentences_on(values, tables["tests"], claim, models, controls=tables["controls"]) for claim, values in claims
    ]
    differences = [difference for _, *differences in paragraphs for difference in differences]
    return first_of(
        [values for values, *_ in paragraphs]
        or [NO_ANSWER] * overview.filter(pl.col("agent").is_in(list(models))).is_empty(),
        differences,
        verdicts_of(claims, tables["controls"], models) if claims else None,
        warnings(tables["tests"], models, MAJORITY),
    )


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Finding:
    """Return what came out in both numbers at once. `tables`, `models`: as for `headline`."""
    overview, claim = tables["overview"], primary_of(CLAIMS)
    if claim is None or claim.metric not in overview.columns:
        return Finding((NO_ANSWER,))
    values = overview.select("agent", condition="set", metric=pl.lit(claim.metric), value=claim.metric)
    claim = claim.under(dict.fromkeys(overview["set"]))
    return found_by(values, claim, models, tables["controls"], tests=tables["tests"])


# The page of the systematicity study: figures in words, and where the cells of tables lead to.


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return in words the values of a figure, from the table behind it; "" if that is not on the page."""
    kind, _, set_name = name.rpartition("_")
    if kind == "accuracy" and "overview" in tables:
        set_rows = tables["overview"].filter(set=set_name)
        metrics = [metric for metric in MEASURES if metric.title and metric.name in set_rows.columns]
        texts = {metric.title: in_words(set_rows, metric.name, "set", "hyponyms", "hyponyms") for metric in metrics}
        return " ".join(f"{title}: {words}" for title, words in texts.items() if words)
    if name == "detection" and name in tables:
        input_text = pl.col("input").replace_strict(INPUTS, default="")
        named = tables["detection"].with_columns(agent=pl.format("{}{}", "agent", input_text))
        return in_words(named, "accuracy", "setting", "pairs", "pairs")
    return ""


def _agent_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the answers behind an average; baselines and controls have none."""
    if column not in VIEWS or row[column] is None or not _answering(row["agent"]):
        return None
    return answers(row["agent"], column, row["set"])


def _pair_address(row: Mapping[str, Any], column: str) -> str | None:
    """Return the address of the probes that one agent answers rightly and the other wrongly, at a difference."""
    agents = agents_of_difference(row, column)
    if agents is None or not all(map(_answering, agents)):
        return None
    single = row["metric"] if not PAIRED.get(row["metric"]) else ""  # a pair of probes has no view of its own
    return answers(agents[0], single, row["condition"], against=agents[1])


def _answering(agent: str) -> bool:
    """Return whether an agent is on the answers page: a model, or static vectors."""
    return agent not in (MAJORITY, NEAREST) and not agent.endswith("+control")


ADDRESSES: dict[str, Address] = {"overview": _agent_address, "tests": _pair_address}
"""Table -> what its cells lead to."""


WORDS = PageWords(headline, words, finding=finding, names=NAMES, addresses=ADDRESSES)
