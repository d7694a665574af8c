"""What the page of the study says: names, sentences, and where its answers stand."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.core.claim import primary_of
from relprobe.report.addresses import agents_of_difference, view
from relprobe.report.page import Address
from relprobe.report.page_words import PageWords
from relprobe.report.words.finding import Finding
from relprobe.report.words.finding import finding as found_by
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.readable import interval_in_words, minus
from relprobe.report.words.series import layers_in_words
from relprobe.report.words.summary import sentences_on
from relprobe.report.words.warnings import warnings
from relprobe.stats.controls import owner
from relprobe.studies.systematicity.claims import CLAIMS
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import OPEN, PAIRED
from relprobe.studies.systematicity.schemas import INPUTS, MAJORITY, NEAREST

# The addresses of views of the answers page: what a click on a number of the study's page leads to.


VIEWS = {metric.name: PAIRED.get(metric.name, (metric.name,))[0] for metric in MEASURES if metric.title}
"""Metric that is decided at the slot -> the kind of probe whose answers are behind it, the first one of several."""


def answers(agent: str, metric: str, name: str, against: str | None = None) -> str | None:
    """Return the address of an agent's answers to the probes of a metric, or None if the page does not have them.

    `name`: the set of hyponyms, of whose prompts the first of each kind counts. `against`: only the probes that the agent
    answers rightly and this one wrongly.

    >>> answers("gpt2", "open@5", "extended")
    '../answers.html#group=open&prompt=extended+%28open%29&a=gpt2&k=5'
    >>> answers("gpt2", "singular_sentence", "extended")
    """
    if metric not in VIEWS:
        return None
    kind, k = ("open", OPEN[metric]) if metric in OPEN else (VIEWS[metric], 1)
    return view(group=kind, prompt=f"{name} ({kind})", a=agent, b=against, k=k)


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
    """Return what came out: the best model in the singular, in both numbers at once, and whether one follows the other.

    `tables`: those of the page by their names, among them overview, tests, controls and consistency. `models`: the agents
    that are models; the others are controls.
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
    consistent = _consistent(tables["consistency"], models) if "consistency" in tables else ""
    differences = [difference for _, *differences in paragraphs for difference in differences]
    return first_of(
        [values for values, *_ in paragraphs] or [consistent or NO_ANSWER],
        [*differences, consistent],
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


def _consistent(consistency: pl.DataFrame, models: Collection[str]) -> str:
    """Return how often a hyponym that is right in the singular is right in the plural, for the model with most of them.

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
    sentence = (
        f"Of the {row['right_singulars']:,} hyponyms that {row['agent']} has right in the singular, "
        f"{100 * row['plural_if_singular']:.0f} of 100 are right in the plural{bounds}"
    )
    wrong = row["plural_only"] + row["neither"]
    remainder = f"; of the others, {100 * row['plural_only'] / wrong:.0f} of 100 are" if wrong > 0 else ""
    interval = "" if row["phi_low"] is None else f", {interval_in_words(row['phi_low'], row['phi_high'])}"
    phi = minus(f" (phi {row['phi']:.2f}{interval})") if remainder and row["phi"] is not None else ""
    return f"{sentence}{remainder}{phi}.{_blindly_consistent(consistency, models, row) if phi else ''}"


def _blindly_consistent(consistency: pl.DataFrame, models: Collection[str], row: Mapping[str, Any]) -> str:
    """Return the highest phi of an agent's control, in its set: " The control majority has phi 1.00"; "" without any."""
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


# The page of the systematicity study: figures in words, and where the cells of tables lead to.


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return in words the values of a figure, from the table behind it; "" if that is not on the page."""
    kind, _, set_name = name.rpartition("_")
    if kind == "accuracy" and "overview" in tables:
        of_set = tables["overview"].filter(set=set_name)
        metrics = [metric for metric in MEASURES if metric.title and metric.name in of_set.columns]
        texts = {metric.title: in_words(of_set, metric.name, "set", "hyponyms", "hyponyms") for metric in metrics}
        return " ".join(f"{title}: {words}" for title, words in texts.items() if words)
    if kind == "category_logprobs" and kind in tables:
        of_set = tables[kind].filter(set=set_name).with_columns(condition=pl.format("{}, {}", "category", "kind"))
        return in_words(of_set, "logprob", "condition", "hyponyms", "hyponyms")
    if name == "detection" and name in tables:
        of_input = pl.col("input").replace_strict(INPUTS, default="")
        named = tables["detection"].with_columns(agent=pl.format("{}{}", "agent", of_input))
        return in_words(named, "accuracy", "setting", "pairs", "pairs")
    return layers_in_words(name, tables)


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
