"""Our values of the figures that Ravichander et al. print, under the names of resources/published/systematicity.csv."""

import polars as pl

from relprobe.report.published import OURS
from relprobe.studies.systematicity.metrics import METRICS
from relprobe.studies.systematicity.schemas import INPUTS, PARTS

NAMES = {metric.name: metric.published for metric in METRICS if metric.published}
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


def ours(
    averages: pl.DataFrame,
    consistency: pl.DataFrame,
    errors: pl.DataFrame,
    detection: pl.DataFrame,
    diagnostics: pl.DataFrame,
    parts: pl.DataFrame,
    patterns: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return our values of the published figures (OURS), from the tables of those names; shares are in per cent, as there.

    `patterns` is there if the configuration has a corpus. Tables 4 to 6 are about the released pairs, so a run on built
    items has no values of them.
    """
    printed = averages.filter(pl.col("metric").is_in(list(NAMES)))
    cloze = _ours(printed, pl.col("metric").replace_strict(NAMES), "condition", _percent("value"))
    numbers = consistency.unpivot(list(CONSISTENCY), index=["set", "agent"])
    by_number = _ours(numbers, pl.col("variable").replace_strict(CONSISTENCY), "set", _percent("value"))
    by_kind = _ours(errors, pl.col("kind").replace_strict(ERRORS), "set", _percent("share"))
    unknown = errors.filter(kind="unknown").unpivot(list(FREQUENT), index=["set", "agent"])
    by_answer = _ours(unknown, pl.col("variable").replace_strict(FREQUENT), "set", _percent("value"))
    released = "extended" in set(diagnostics["set"])
    of_pairs = [*_detection(detection), _folds(parts)] if released else []
    of_corpus = [] if patterns is None else [_ours(patterns, pl.lit(PATTERN), "set", _percent("recognised_in"))]
    return pl.concat([cloze, by_number, by_kind, by_answer, _probes(diagnostics), *of_pairs, *of_corpus])


def _ours(table: pl.DataFrame, quantity: pl.Expr, condition: str | pl.Expr, value: pl.Expr) -> pl.DataFrame:
    return table.select(quantity=quantity, condition=condition, agent="agent", ours=value).cast(OURS)


def _percent(column: str) -> pl.Expr:
    return 100 * pl.col(column).cast(pl.Float64)  # a column without values is read as text


def _detection(table: pl.DataFrame) -> list[pl.DataFrame]:
    of_input = pl.col("input").replace_strict(INPUTS, default="")
    return [
        _ours(table, pl.format("detection {}{} (%)", pl.lit(name), of_input), "setting", _percent(column))
        for name, column in (
            ("accuracy", "accuracy"),
            ("standard deviation", "sd"),
            ("errors that are false positives", "false_positives"),
        )
    ]


def _probes(diagnostics: pl.DataFrame) -> pl.DataFrame:
    in_all = diagnostics.filter(pl.col("category").is_null()).with_columns(agent=pl.lit(None, pl.String))
    kinds = in_all.unpivot(["singular", "plural", "contextual"], index=["set", "agent"])
    return _ours(kinds, pl.format("{} probes", "variable"), "set", pl.col("value"))


def _folds(parts: pl.DataFrame) -> pl.DataFrame:
    sizes = parts.with_columns(agent=pl.lit(None, pl.String)).unpivot(PARTS, index=["setting", "fold", "agent"])
    return _ours(sizes, pl.format("{} pairs", "variable"), pl.format("{}, fold {}", "setting", "fold"), pl.col("value"))
