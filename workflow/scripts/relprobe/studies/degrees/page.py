"""What the page of the study says: names, sentences, and where its answers stand."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.core.words import amount
from relprobe.report.page_words import PageWords
from relprobe.report.words.finding import Finding
from relprobe.report.words.finding import finding as found_by
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.readable import in_digits, interval_in_words
from relprobe.report.words.summary import CONTROL, comparison, control_rows, is_ahead, rows_of_best
from relprobe.stats.controls import model_of
from relprobe.studies.degrees.claims import CLAIMS
from relprobe.studies.degrees.method import WITHOUT
from relprobe.studies.degrees.tables import CEILING_ROWS, HERE

# What codes in the tables of the degrees study are called on its page.


MEANS = {"rho": "Spearman's ρ", "maxdiff": "MaxDiff accuracy"}
COUNTS = {
    "significant_05": "subcategories with p < 0.05",
    "significant_01": "subcategories with p < 0.01",
    "negative_05": "subcategories with p < 0.05 and a negative ρ",
}


def _both(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names of metrics over all pairs, and of the same without the reversed pairs."""
    return {**names, **{code + WITHOUT: f"{name} without reversals" for code, name in names.items()}}


NAMES = {
    **_both(MEANS),
    **{f"{code}_{end}": f"{name}, {end}" for code, name in _both(MEANS).items() for end in ("low", "high")},
    **_both(COUNTS),
    "reversal_rmse": "RMSE of reversals",
    "mean_rho": "mean of Spearman's ρ",
}


# The page of the degrees study: the paragraph that says what came out, and the figures in words.


NOT_RATED = "No model has rated the pairs of this study."
(CLAIM,) = CLAIMS
RHO = CLAIM.metric
"""The agreement that the page goes by: that without the reversed pairs."""


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return what came out: the agent that agrees best with people, its best control and their test, and how people agree.

    An agent is a model of `models` with a rater, or a control.
    """
    best = _best(tables["overview"], models)
    if best is None:
        return Headline((NOT_RATED,))
    # The condition under which the raters of a model are compared with the controls is the model.
    claim = CLAIM.under([str(model_of(best["agent"]))])
    number = len({row["agent"] for row in _rated(tables["overview"], models).to_dicts()})
    primary, _ = control_rows(tables["controls"], None, claim, best["agent"])
    over = rows_of_best(primary, claim, number)
    result = f"The ratings of {best['agent']} agree best with people's"
    if over and not any(map(is_ahead, over)):
        result = f"The data do not show that the ratings of {best['agent']} agree better with people's than {CONTROL}"
    sentences = [
        f"{result}: Spearman's ρ without the reversed pairs, which show direction only, is {in_digits(best[RHO], 2)}"
        f"{_interval(best)} on average over {amount(best['subcategories'], 'subcategory', 'subcategories')}."
    ]
    for row in over:
        sentences.append(f"Its best control, {row['control']}, reaches {in_digits(row['control_value'], 2)}.")
    more = [comparison(over, claim, best["agent"], CONTROL)]
    ceiling = tables["overview"].filter(agent=CEILING_ROWS["ceiling"])["rho"].drop_nulls()
    more.append(f"With the reversed pairs it is {in_digits(best['rho'], 2)}.")
    if len(ceiling):
        more.append(f"Ratings of all pairs without noise would reach {ceiling[0]:.2f}, as people do not agree fully.")
    return first_of(sentences, more, _verdicts(tables, models))


def _verdicts(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> pl.DataFrame:
    """Return the small table of the headline: the ratings of each model that agree best with people's."""
    raters = [best for model in models if (best := _best(tables["overview"], [model])) is not None]
    claims = []
    for best in sorted(raters, key=lambda row: -row[RHO]):
        values = {"agent": best["agent"], "metric": RHO, "value": best[RHO]}
        model = str(model_of(best["agent"]))
        claims.append((CLAIM.under([model]), pl.DataFrame([{**values, "condition": model}])))
    return verdicts_of(claims, tables["controls"], [best["agent"] for best in raters])


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Finding:
    """Return what came out. `tables`, `models`: as for `headline`."""
    best = _best(tables["overview"], models)
    if best is None:
        return Finding((NOT_RATED,))
    model = str(model_of(best["agent"]))
    rated = _rated(tables["overview"], models).select("agent", metric=pl.lit(RHO), condition=pl.lit(model), value=RHO)
    return found_by(rated, CLAIM.under([model]), rated["agent"].to_list(), tables["controls"])


def _best(overview: pl.DataFrame, models: Collection[str]) -> dict[str, Any] | None:
    """Return the row of the agent of a model that agrees best with people, None without any."""
    rated = _rated(overview, models)
    return None if rated.is_empty() else rated.row(0, named=True)


def _rated(overview: pl.DataFrame, models: Collection[str]) -> pl.DataFrame:
    """Return the rows of the agents of some models, that which agrees best with people first."""
    rows = overview.filter(pl.col("from") == HERE).drop_nulls(RHO).sort(RHO, descending=True, maintain_order=True)
    return rows.filter(pl.col("agent").map_elements(lambda agent: model_of(agent) in models, return_dtype=pl.Boolean))


def _interval(row: dict[str, Any]) -> str:
    low, high = row[f"{RHO}_low"], row[f"{RHO}_high"]
    return "" if low is None else f" ({interval_in_words(low, high)})"


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Return the values of a figure in words, from the table behind it; "" if that is not on the page."""
    if "overview" not in tables:
        return ""
    table = tables["overview"].filter(pl.col("from") == HERE)
    titles = {name: name, name + WITHOUT: f"{name} without reversals"}
    texts = (
        in_words(table.with_columns(condition=pl.lit(title)), column, "condition", "subcategories", "subcategories")
        for column, title in titles.items()
    )
    return " ".join(filter(None, texts))


WORDS = PageWords(headline, words, finding=finding, names=NAMES)
