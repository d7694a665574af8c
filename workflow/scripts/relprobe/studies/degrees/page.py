"""What the page of the study says: names, sentences, and where its answers stand."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from relprobe.report.study import PageWords
from relprobe.report.words.finding import finding as sentence
from relprobe.report.words.headline import Headline, verdicts_of
from relprobe.report.words.headline import headline as first_of
from relprobe.report.words.in_words import in_words
from relprobe.report.words.readable import in_digits, interval_in_words
from relprobe.report.words.series import layers_in_words
from relprobe.report.words.summary import CONTROL, Claim, beyond, comparison, is_ahead
from relprobe.studies.degrees.compare import model_of
from relprobe.studies.degrees.measure import WITHOUT
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


def headline(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> Headline:
    """Return what came out: the agent that agrees best with people, its best control and their test, and how people agree.

    An agent is a model of `models` with a rater, or a control.
    """
    best = _best(tables["overview"], models)
    if best is None:
        return Headline((NOT_RATED,))
    # The condition under which the raters of a model are compared with the controls is the model.
    claim = Claim("rho", (str(model_of(best["agent"])),), "", each="models", test="sign flips over subcategories")
    over = beyond(tables["controls"], claim, best["agent"])
    known = f"The ratings of {best['agent']} agree best with people's"
    if over and not any(is_ahead(row, claim.p) for row in over):
        known = f"The data do not show that the ratings of {best['agent']} agree better with people's than {CONTROL}"
    sentences = [
        f"{known}: Spearman's ρ is {in_digits(best['rho'], 2)}{_interval(best)} on average over "
        f"{best['subcategories']} subcategories."
    ]
    for row in over:
        sentences.append(f"Its best control, {row['control']}, reaches {in_digits(row['control_value'], 2)}.")
    more = [comparison(over, claim, best["agent"], CONTROL)]
    ceiling = tables["overview"].filter(agent=CEILING_ROWS["ceiling"])["rho"].drop_nulls()
    if len(ceiling):
        more.append(f"Ratings without noise would reach {ceiling[0]:.2f}, as people do not agree fully.")
    return first_of(sentences, more, _verdicts(tables, models))


def _verdicts(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> pl.DataFrame:
    """Return the small table of the headline: the ratings of each model that agree best with people's."""
    raters = [best for model in models if (best := _best(tables["overview"], [model])) is not None]
    claims = []
    for best in sorted(raters, key=lambda row: -row["rho"]):
        values = {"agent": best["agent"], "metric": "rho", "value": best["rho"]}
        model = str(model_of(best["agent"]))
        claims.append((Claim("rho", (model,), ""), pl.DataFrame([{**values, "condition": model}])))
    return verdicts_of(claims, tables["controls"], [best["agent"] for best in raters])


def finding(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> str:
    """Return what came out in one sentence. `tables`, `models`: as for `headline`."""
    best = _best(tables["overview"], models)
    if best is None:
        return NOT_RATED
    model = str(model_of(best["agent"]))
    claim = Claim("rho", (model,), "agrees with people's ratings by a Spearman's ρ of", each="models")
    values = pl.DataFrame([{"agent": best["agent"], "metric": "rho", "condition": model, "value": best["rho"]}])
    return sentence(values, claim, [best["agent"]], tables["controls"])


def _best(overview: pl.DataFrame, models: Collection[str]) -> dict[str, Any] | None:
    """Return the row of the agent of a model that agrees best with people, None without any."""
    here = overview.filter(pl.col("from") == HERE).drop_nulls("rho").sort("rho", descending=True, maintain_order=True)
    rated = pl.col("agent").map_elements(lambda agent: model_of(agent) in models, return_dtype=pl.Boolean)
    with_model = here.filter(rated)
    return None if with_model.is_empty() else with_model.row(0, named=True)


def _interval(row: dict[str, Any]) -> str:
    if row["rho_low"] is None:
        return ""
    return f" ({interval_in_words(row['rho_low'], row['rho_high'])})"


def words(name: str, tables: Mapping[str, pl.DataFrame]) -> str:
    """Say the values of a figure, from the table behind it; "" if that is not on the page."""
    if of_layers := layers_in_words(name, tables):
        return of_layers
    behind = "classes" if name == "classes" else "overview"
    if behind not in tables:
        return ""
    table = tables[behind].filter(pl.col("from") == HERE)
    if name != "classes":
        return in_words(table.with_columns(condition=pl.lit(name)), name, "condition", "subcategories", "subcategories")
    classes = [column for column in table.columns if column not in ("agent", "from", "pairs")]
    all_pairs = table.filter(pairs="all").unpivot(classes, index="agent", variable_name="class", value_name="rho")
    return in_words(all_pairs, "rho", "class")


WORDS = PageWords(headline, words, finding=finding, names=NAMES)
