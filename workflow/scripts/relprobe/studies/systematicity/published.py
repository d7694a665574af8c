"""What the paper reports, beside this run."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import polars as pl

from relprobe.core.errors import DataError
from relprobe.core.files import ShownTable, nfc, no_utf8
from relprobe.core.manifest import manifest_format
from relprobe.core.sums import ordered_mean
from relprobe.report.published import Published, average_values, compare_published, figures
from relprobe.stats import wilson_interval
from relprobe.stats.schemas import Averages
from relprobe.studies.systematicity.ask import DETERMINER
from relprobe.studies.systematicity.compare import consistency
from relprobe.studies.systematicity.data import Pattern, diagnostics, parts
from relprobe.studies.systematicity.measure import MEASURES
from relprobe.studies.systematicity.schemas import (
    INPUTS,
    OCCURRENCES,
    PARTS,
    PATTERNS,
    SETS,
    Detection,
    Errors,
    Items,
    Metrics,
    Occurrences,
    Pairs,
)

# Pairs of hyponym and category that a corpus holds in a pattern such as "a robin is a bird" (section 3.4).


LAST_WORDS = re.compile(r"(?:[\w'’-]+\s+)*[\w'’-]+$")
WINDOW = 200
"""Characters before a pattern in which its hyponym is looked for."""


def _expression(text: str) -> str:
    return re.escape(text).replace(re.escape(DETERMINER), "an?").replace(r"\ ", r"\s+")


def lines(folder: Path) -> Iterator[str]:
    """Yield the lines of all files in a folder, one after the other. DataError: a file is not UTF-8, or there is none."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise DataError(f"{folder} holds no file: give the text of a corpus as resources.corpus.")
    for path in files:
        try:
            with path.open(encoding="utf-8-sig") as file:
                yield from map(nfc, file)
        except UnicodeDecodeError as error:
            raise no_utf8(path, error) from error


Corpus = Annotated[Iterator[str], manifest_format(lines)]


def occurrences(corpus: Corpus, item_table: Items, *, patterns: list[str]) -> Occurrences:
    """Count how often a corpus holds each hyponym and its category in each pattern (section 3.4). `corpus`: its lines.

    Letters count in any case, and both words in the singular and in the plural. A pattern does not go beyond its line.

    >>> item = {"hyponym": "robin", "category": "bird", "hyponym_plural": "robins", "category_plural": "birds"}
    >>> lines = ["A robin is a bird .", "The Robin is a fish", "robins are birds"]
    >>> occurrences(iter(lines), pl.DataFrame([item]), patterns=["[W] is [DET] [V]", "[W] are [V]"]).rows()
    [('[W] is [DET] [V]', 'robin', 'bird', 1), ('[W] are [V]', 'robin', 'bird', 1)]
    """
    pairs = _forms(item_table)
    words = max((len(hyponym.split()) for hyponym, _ in pairs), default=1)
    matchers = [(pattern, *_matchers(pattern, pairs)) for pattern in map(Pattern.of, patterns)]
    counts: Counter[tuple[str, str, str]] = Counter()
    for line in corpus:
        for pattern, before, rest in matchers:
            for match in rest.finditer(line):
                head = line[max(0, match.start() - WINDOW) : match.start()]
                pair = _pair(head, match["category"].lower(), before, pairs, words)
                if pair is not None:
                    counts[(pattern.text, *pair)] += 1
    ordered = sorted(counts.items(), key=lambda entry: (patterns.index(entry[0][0]), entry[0]))
    return pl.DataFrame([(*key, count) for key, count in ordered], schema=OCCURRENCES, orient="row")


def _forms(items: Items) -> dict[tuple[str, str], tuple[str, str]]:
    """Return (form of a hyponym, form of its category), in lower case -> both in the singular."""
    columns = items.select("hyponym", "hyponym_plural", "category", "category_plural").unique(maintain_order=True)
    return {
        (hyponym.lower(), category.lower()): (row[0], row[2])
        for row in columns.iter_rows()
        for hyponym in row[:2]
        for category in row[2:]
    }


def _matchers(pattern: Pattern, pairs: Iterable[tuple[str, str]]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what must precede the hyponym, and the rest of the pattern after the hyponym."""
    categories = "|".join(re.escape(word) for word in sorted({category for _, category in pairs}, reverse=True))
    rest = rf"{_expression(pattern.between)}(?P<category>{categories})(?!\w){_expression(pattern.after)}"
    return re.compile(rf"(?:{_expression(pattern.before)})$", re.IGNORECASE), re.compile(rest, re.IGNORECASE)


def _pair(
    head: str, category: str, before: re.Pattern[str], pairs: Mapping[tuple[str, str], tuple[str, str]], most: int
) -> tuple[str, str] | None:
    """Return the pair whose hyponym ends `head`; a longer hyponym goes before a shorter one."""
    last = LAST_WORDS.search(head)
    parts = last[0].split() if last else []
    for length in range(min(most, len(parts)), 0, -1):
        hyponym = " ".join(parts[-length:])
        pair = pairs.get((hyponym.lower(), category))
        start = re.search(r"\s+".join(map(re.escape, parts[-length:])) + "$", head)
        if pair is not None and start is not None and before.search(head[: start.start()]):
            return pair
    return None


def recognition(metrics: Mapping[str, Metrics], found: Occurrences) -> pl.DataFrame:
    """Return how many hyponyms are recognised in the singular, of those that the corpus holds in a pattern and the others.

    `metrics`: agent -> its values. The result is PATTERNS.

    >>> values = {"metric": "singular", "condition": "own", "unit": ["robin", "wren"], "value": [1.0, 0.0]}
    >>> found = pl.DataFrame([("[W] is [DET] [V]", "robin", "bird", 2)], schema=OCCURRENCES, orient="row")
    >>> recognition({"m": pl.DataFrame(values)}, found).select("pairs_in", "recognised_in", "recognised_out").row(0)
    (1, 1.0, 0.0)
    """
    known = found["hyponym"].unique().to_list()
    rows = []
    for agent, values in metrics.items():
        for (condition,), of_set in values.filter(metric="singular").group_by("condition", maintain_order=True):
            is_in = pl.col("unit").is_in(known)
            parts = {"in": of_set.filter(is_in)["value"], "out": of_set.filter(~is_in)["value"]}
            row: dict[str, object] = {"set": condition, "agent": agent}
            for name, part in parts.items():
                row |= _share(name, part)
            rows.append(row)
    return pl.DataFrame(rows, schema=PATTERNS).sort(pl.col("set").cast(pl.Enum(SETS)), maintain_order=True)


def _share(name: str, values: pl.Series) -> dict[str, object]:
    if values.is_empty():
        return {f"pairs_{name}": 0}
    share = float(ordered_mean(values))  # type: ignore[arg-type]
    low, high = wilson_interval(share, len(values))
    key = f"recognised_{name}"
    return {f"pairs_{name}": len(values), key: share, f"{key}_low": low, f"{key}_high": high}


# Our values of the figures that Ravichander et al. print, under the names of resources/published/systematicity.csv.


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
    return compare_published(published, ours(averages, consistency(metrics), errors, detection, *sizes, patterns))


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
    cloze = average_values(printed, UNITS, pl.col("metric").replace_strict(NAMES), "condition", 100)
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
