"""Our values of the figures that Ravichander et al. print, under the names of resources/published/systematicity.csv."""

import polars as pl

from relprobe.core.files import ShownTable
from relprobe.report.published import Published, beside, figures, of_averages
from relprobe.stats.schemas import Averages
from relprobe.studies.systematicity.compare.consistency import consistency
from relprobe.studies.systematicity.compare.occurrences import recognition
from relprobe.studies.systematicity.data.sizes import diagnostics, parts
from relprobe.studies.systematicity.measure.metrics import MEASURES
from relprobe.studies.systematicity.schemas import INPUTS, PARTS, Detection, Errors, Items, Metrics, Occurrences, Pairs

NAMES = {metric.name: metric.published for metric in MEASURES if metric.published}
UNITS = {metric.name: metric.items for metric in MEASURES}
CONSISTENCY = {
    "both": "right in both numbers (%)",
    "singular_only": "right in the singular only (%)",
    "plural_only": "right in the plural only (%)",
    "neither": "right in neither number (%)",
}
ERRORS = {
    "hyponym": "errors: the hyponym itself (%)",
    "hypernym": "errors: another hypernym (%)",
    "generic": "errors: a generic hypernym (%)",
    "fragment": "errors: a fragment of the hyponym (%)",
    "unknown": "errors: unknown (%)",
}

FREQUENT = {
    "frequent_share": "most frequent answer of the unknown errors (%)",
    "second_share": "second most frequent answer of the unknown errors (%)",
}
PATTERN = "recognised of the pairs that Wikipedia holds in the pattern (%)"


def published_figures(
    published: Published,
    metrics: dict[str, Metrics],
    averages: Averages,
    detection: Detection,
    errors: Errors,
    item_table: Items,
    pairs: Pairs,
    occurrences: Occurrences | None = None,
) -> ShownTable:
    """Put the figures that the paper prints beside ours. `occurrences` comes with a corpus."""
    patterns = None if occurrences is None else recognition(metrics, occurrences)
    sizes = diagnostics(item_table), parts(pairs)
    return beside(published, ours(averages, consistency(metrics), errors, detection, *sizes, patterns))


def ours(
    averages: Averages,
    consistency: pl.DataFrame,
    errors: Errors,
    detection: Detection,
    diagnostics: pl.DataFrame,
    parts: pl.DataFrame,
    patterns: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return our values of the published figures (OURS), from the tables of those names; shares are in per cent, as there.

    Tables 4 to 6 are about the released pairs, so a run on built items has no values of them.
    """
    printed = averages.filter(pl.col("metric").is_in(list(NAMES)))
    cloze = of_averages(printed, UNITS, pl.col("metric").replace_strict(NAMES), "condition", 100)
    tables = [cloze, _numbers(consistency), *_errors(errors), _probes(diagnostics)]
    if "extended" in set(diagnostics["set"]):
        tables += [*_detection(detection), _folds(parts)]
    return pl.concat(tables if patterns is None else [*tables, _patterns(patterns)])


def _numbers(table: pl.DataFrame) -> pl.DataFrame:
    long = table.unpivot(list(CONSISTENCY), index=["set", "agent", "hyponyms"])
    quantity = pl.col("variable").replace_strict(CONSISTENCY)
    return _ours(long, quantity, "set", "value", n="hyponyms", units="hyponyms")


def _errors(errors: Errors) -> list[pl.DataFrame]:
    of_all = errors.with_columns(all=pl.col("errors").sum().over("set", "agent"))
    by_kind = _ours(of_all, pl.col("kind").replace_strict(ERRORS), "set", "share", n="all", units="errors")
    unknown = errors.filter(kind="unknown").unpivot(list(FREQUENT), index=["set", "agent", "errors"])
    named = pl.col("variable").replace_strict(FREQUENT)
    return [by_kind, _ours(unknown, named, "set", "value", n="errors", units="unknown errors")]


def _ours(
    table: pl.DataFrame,
    quantity: pl.Expr,
    condition: str | pl.Expr,
    share: str,
    *,
    n: str,
    units: str,
    bounds: tuple[str, str] | None = None,
) -> pl.DataFrame:
    """Return a share in per cent. `n`: the column of the number of its `units`; `bounds`: those of its interval."""
    ends = zip(("ours_low", "ours_high"), bounds or (), strict=False)
    interval = {name: 100 * pl.col(column) for name, column in ends}
    number = pl.col(n).cast(pl.Float64).round()  # that of errors is a mean over the seeds
    values = {"ours": 100 * pl.col(share), **interval, "n": number, "units": pl.lit(units)}
    return figures(table.select(quantity=quantity, condition=condition, agent="agent", **values))


def _detection(table: Detection) -> list[pl.DataFrame]:
    of_input = pl.col("input").replace_strict(INPUTS, default="")
    return [
        _ours(
            table,
            pl.format("detection {}{} (%)", pl.lit(name), of_input),
            "setting",
            column,
            n=n,
            units=n,
            bounds=bounds,
        )
        for name, column, n, bounds in (
            ("accuracy", "accuracy", "pairs", ("low", "high")),
            ("standard deviation", "sd", "folds", None),
            ("errors that are false positives", "false_positives", "errors", None),
        )
    ]


def _patterns(table: pl.DataFrame) -> pl.DataFrame:
    bounds = ("recognised_in_low", "recognised_in_high")
    return _ours(table, pl.lit(PATTERN), "set", "recognised_in", n="pairs_in", units="pairs", bounds=bounds)


def _probes(diagnostics: pl.DataFrame) -> pl.DataFrame:
    in_all = diagnostics.filter(pl.col("category").is_null())
    kinds = in_all.unpivot(["singular", "plural", "contextual"], index="set")
    return figures(kinds.select(quantity=pl.format("{} probes", "variable"), condition="set", ours="value"))


def _folds(parts: pl.DataFrame) -> pl.DataFrame:
    sizes = parts.unpivot(PARTS, index=["setting", "fold"])
    quantity, condition = pl.format("{} pairs", "variable"), pl.format("{}, fold {}", "setting", "fold")
    return figures(sizes.select(quantity=quantity, condition=condition, ours="value"))
