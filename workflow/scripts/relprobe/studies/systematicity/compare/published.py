"""Our values of the figures that Ravichander et al. print, under the names of resources/published/systematicity.csv."""

import polars as pl

from relprobe.report.published import figures, of_averages
from relprobe.studies.systematicity.measure.metrics import MEASURES
from relprobe.studies.systematicity.schemas import INPUTS, PARTS

NAMES = {metric.name: metric.published for metric in MEASURES if metric.published}
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
    units = {metric.name: metric.items for metric in MEASURES}
    cloze = of_averages(printed, units, pl.col("metric").replace_strict(NAMES), "condition", 100)
    numbers = consistency.unpivot(list(CONSISTENCY), index=["set", "agent", "hyponyms"])
    by_number = _ours(
        numbers, pl.col("variable").replace_strict(CONSISTENCY), "set", "value", n="hyponyms", units="hyponyms"
    )
    of_all = errors.with_columns(all=pl.col("errors").cast(pl.UInt32).sum().over("set", "agent"))
    by_kind = _ours(of_all, pl.col("kind").replace_strict(ERRORS), "set", "share", n="all", units="errors")
    unknown = errors.filter(kind="unknown").unpivot(list(FREQUENT), index=["set", "agent", "errors"])
    named = pl.col("variable").replace_strict(FREQUENT)
    by_answer = _ours(unknown, named, "set", "value", n="errors", units="unknown errors")
    released = "extended" in set(diagnostics["set"])
    of_pairs = [*_detection(detection), _folds(parts)] if released else []
    of_corpus = [] if patterns is None else [_patterns(patterns)]
    return pl.concat([cloze, by_number, by_kind, by_answer, _probes(diagnostics), *of_pairs, *of_corpus])


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
    interval = {name: _percent(column) for name, column in ends}
    number = pl.col(n).cast(pl.Float64).round()  # that of errors is a mean over the seeds
    values = {"ours": _percent(share), **interval, "n": number, "units": pl.lit(units)}
    return figures(table.select(quantity=quantity, condition=condition, agent="agent", **values))


def _percent(column: str) -> pl.Expr:
    return 100 * pl.col(column).cast(pl.Float64)  # a column without values is read as text


def _detection(table: pl.DataFrame) -> list[pl.DataFrame]:
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
