"""What the page of the study says: names, sentences, and where its answers stand."""

from collections.abc import Collection, Iterable, Mapping

import polars as pl

from relprobe.core.claim import Claim
from relprobe.report.page_words import PageWords
from relprobe.report.words.finding import Finding
from relprobe.report.words.finding import finding as found_by
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.summary import sentences_on
from relprobe.report.words.warnings import warnings
from relprobe.stats.controls import model_of, owner
from relprobe.studies.pairs.claims import CLAIMS
from relprobe.studies.pairs.figures import shown_panels
from relprobe.studies.pairs.people import HUMANS
from relprobe.studies.pairs.results import code_names, with_names
from relprobe.studies.pairs.schemas import ALL

NAMES = {
    "ap": "average precision",
    "rr": "reciprocal rank",
    "choice": "right choice",
    "rho": "Spearman's ρ",
    "auc": "area under the ROC curve",
    "direction": "right direction",
    "accuracy": "accuracy of yes and no",
    "ece": "calibration error",
    "judged": "pairs judged",
}
WHOLE = ("wordnet", "hyperlex", "own")
"""The conditions that have all relations of a set: what holds in them is no further claim."""


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return what came out: who ranks right words first, and who agrees with people's ratings.

    `tables`: those of the page by their names. `models`: the language models; each of their judges is an agent.
    """
    tables = with_names(tables)
    claims = claims_of(tables["overview"])
    sentences = [
        sentences_on(
            values, tables["tests"], claim, agents_of(values, models), HUMANS, tables["controls"], tables.get("primary")
        )
        for claim, values in claims
    ]
    agents = [agent for _, values in claims for agent in agents_of(values, models)]
    return first_of(
        [first for first, *_ in sentences] or [nobody(tables)],
        [difference for _, *differences in sentences for difference in differences],
        verdicts_of(claims, tables["controls"], list(dict.fromkeys(agents)), HUMANS, tables.get("primary")),
        warnings(tables["tests"], list(dict.fromkeys(agents))),
    )


def nobody(tables: Mapping[str, pl.DataFrame]) -> str:
    """Return why no model has a value: the data allow none, or no model has judged the pairs.

    >>> nobody({"data": pl.DataFrame({"name": ["own HYP"], "note": ["no ρ: all ratings are equal"]})})
    'Nothing can be computed of what the models judge (own HYP: no ρ: all ratings are equal).'
    """
    data = tables["data"].drop_nulls("note") if "data" in tables and "note" in tables["data"].columns else None
    if data is None or data.is_empty():
        return "No model has judged the pairs of this study."
    reasons = "; ".join(f"{name}: {note}" for name, note in data.select("name", "note").iter_rows())
    return f"Nothing can be computed of what the models judge ({reasons})."


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Finding:
    """Return what came out of the first claim. `tables`, `models`: as for `headline`."""
    tables = with_names(tables)
    claims = claims_of(tables["overview"])
    if not claims:
        return Finding((nobody(tables),))
    claim, values = claims[0]
    agents, primary = agents_of(values, models), tables.get("primary")
    return found_by(values, claim, agents, tables["controls"], HUMANS, primary, tables["tests"])


def claims_of(overview: pl.DataFrame) -> list[tuple[Claim, pl.DataFrame]]:
    """Return what the sentences are about, a claim and its averages: each under the conditions that have its metric.

    A whole set is no condition of average precision, as its relations are; of ratings it is the only one of HyperLex.
    """
    claims = []
    for claim in CLAIMS:
        if claim.metric not in overview.columns:
            continue
        values = overview.select("agent", "condition", "own", metric=pl.lit(claim.metric), value=claim.metric)
        values = values.drop_nulls("value")
        conditions = values["condition"].unique(maintain_order=True).to_list()
        if claim.primary:
            retained = [name for name in conditions if name not in WHOLE]
        else:
            retained = [name for name in conditions if not (name.startswith("hyperlex ") and "hyperlex" in conditions)]
        if retained:
            claims.append((claim.under(retained), values.filter(pl.col("condition").is_in(retained))))
    return claims


def agents_of(values: pl.DataFrame, models: Collection[str]) -> list[str]:
    """Return the agents of some models, without the controls of one model.

    >>> agents_of(pl.DataFrame({"agent": ["gpt2 pmi", "gpt2 pmi+target", "static", "gpt2 pmi"]}), ["gpt2"])
    ['gpt2 pmi']
    """
    names: Iterable[str] = values["agent"].unique(maintain_order=True)
    return [name for name in names if owner(name) is None and model_of(name) in models]


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the values of a figure in words, from the table behind it; "" if that is not on the page."""
    tables = with_names(tables)
    if name not in tables:
        return ""
    table = tables[name]
    columns = {"condition": pl.String, "foils": pl.String}
    panels = pl.DataFrame(shown_panels(table), schema=columns, orient="row")  # none of ratings alone
    drawn = table.join(panels, on=list(columns), how="semi", maintain_order="left")
    foils = pl.when(pl.col("foils") == ALL).then(pl.lit("all foils")).otherwise("foils")
    panel = pl.format("{}: {}", "condition", foils)
    return in_words(drawn.with_columns(condition=panel), "ap", "condition", "targets", "targets")


WORDS = PageWords(headline, words, finding=finding, names=NAMES, code_names=code_names)
