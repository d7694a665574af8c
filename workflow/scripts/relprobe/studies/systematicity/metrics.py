"""The metrics of section 3.1 and the accuracy of section 4, a row per unit."""

import polars as pl

from relprobe.core.units import UNITS
from relprobe.studies.systematicity.baselines import pair_unit

CONTROL = "control_"
OPEN_K = (1, 5)
PAIRED = {
    "singular_plural": ("singular", "plural"),
    "singular_plural_slot": ("singular_slot", "plural_slot"),
    "aggregate": ("singular", "plural", "contextual"),
}
"""Paired metric -> the metrics that it takes together."""
INPUTS = {"full": "detection", "partial": "detection_partial"}


def cloze(responses: pl.DataFrame, probes: pl.DataFrame, items: pl.DataFrame, *, control: bool = False) -> pl.DataFrame:
    """Return the metrics of the responses (RESPONSES) to the diagnostics or, with `control`, to their controls (UNITS).

    - open@k: the category is among the k first words of the whole vocabulary; a category that is no word of it has no unit;
    - singular, plural, contextual: the likeliest of the categories is the right one, by the full sentence where the agent
      has an answer by it, else by the slot; singular_slot and plural_slot: by the slot, where both are there;
    - singular_plural (and singular_plural_slot), aggregate: right in all of these.
    """
    asked = answered(responses, probes, items).filter(pl.col("control") == control)
    right = _closed(asked)
    for name, parts in PAIRED.items():
        if set(parts) <= set(right):
            right[name] = _in_all([right[part] for part in parts])
    units = [rows.with_columns(metric=pl.lit(name)) for name, rows in right.items()]
    precisions = [_precision(opened(asked), k) for k in OPEN_K]
    columns = {"condition": pl.col("set"), "unit": pl.col("hyponym"), "value": pl.col("value").cast(pl.Float64)}
    return pl.concat([rows.select("metric", **columns) for rows in [*precisions, *units]])


def answered(responses: pl.DataFrame, probes: pl.DataFrame, items: pl.DataFrame) -> pl.DataFrame:
    """Return the responses with set, hyponym, kind, control, category, and the word that is right, `gold`.

    Of `kind` the prefix of the controls is cut off; `control` says whether it was there.
    """
    asked = probes.select("probe_id", "set", "hyponym", "kind").join(
        items.select("set", "hyponym", "category", "category_plural"), on=["set", "hyponym"]
    )
    kind = pl.col("kind").str.strip_prefix(CONTROL)
    asked = asked.with_columns(
        kind=kind,
        control=pl.col("kind").str.starts_with(CONTROL),
        gold=pl.when(kind == "plural").then("category_plural").otherwise("category"),
    )
    return responses.join(asked, on="probe_id", maintain_order="left")


def opened(asked: pl.DataFrame) -> pl.DataFrame:
    """Return what was answered from the whole vocabulary, of the categories that are words of it."""
    return asked.filter(method="open").filter(~pl.col("unknown").list.contains(pl.col("gold")))


def _precision(rows: pl.DataFrame, k: int) -> pl.DataFrame:
    value = pl.col("words").list.head(k).list.contains(pl.col("gold"))
    return rows.select("set", "hyponym", value=value, metric=pl.lit(f"open@{k}"))


def choice() -> pl.Expr:
    """Return the candidate of the highest score, of a row of RESPONSES; of equal ones the first."""
    return pl.col("words").list.get(pl.col("scores").list.arg_max())


def _closed(asked: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return metric -> set, hyponym and value, 1 where the likeliest candidate is the right one."""
    rows = asked.filter(pl.col("method") != "open")
    both = (pl.col("method") == "slot") & (pl.col("method") == "sentence").any().over("probe_id")
    named = rows.with_columns(
        metric=pl.when(both).then(pl.format("{}_slot", "kind")).otherwise("kind"), value=choice() == pl.col("gold")
    )
    return {
        str(metric): part.select("set", "hyponym", "value")
        for (metric,), part in named.group_by("metric", maintain_order=True)
    }


def _in_all(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return set, hyponym and value: whether all parts have the value true, for the units that they all have."""
    together = pl.concat(parts).group_by("set", "hyponym", maintain_order=True).agg(pl.col("value").all(), pl.len())
    return together.filter(len=len(parts)).drop("len")


def detection(detections: pl.DataFrame) -> pl.DataFrame:
    """Return whether the classifier is right on each test pair (UNITS), by the full input and by the hypernym alone."""
    right = ((pl.col("p") > 0.5) == (pl.col("label") == 1)).cast(pl.Float64)
    metric = pl.col("input").replace_strict(INPUTS)
    return detections.select(metric=metric, condition="setting", unit=pair_unit(), value=right).cast(UNITS)
