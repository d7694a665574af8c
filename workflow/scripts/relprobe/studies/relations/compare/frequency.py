"""Do agents know frequent words better? Spearman's rho of unit values and word frequencies (section 8.8, Figure E5).

Frequencies are those of `wordfreq`, where the paper takes those of COCA: shares of the words of the language, or their Zipf
values (sources/word_frequency.py), as the config says. A word that wordfreq does not know has none: it is left out of a
relatum set's mean and maximum, and a unit without a frequency is left out of the correlation; both are counted.
The p-values take the targets or tuples as independent, as the paper does.
"""

from collections.abc import Mapping
from typing import Annotated

import polars as pl

from relprobe.core.files import parquet
from relprobe.core.relation import Relations
from relprobe.sources.word_frequency import Scale, frequencies
from relprobe.stats import spearman, with_holm
from relprobe.studies.relations.measure.measures import MEASURES

FREQUENCIES = {
    "target": "target",
    "relata_mean": "mean of the relata",
    "relata_max": "most frequent relatum",
    "pair_mean": "mean of target and relatum",
    "pair_difference": "difference of target and relatum",
}
"""What a metric can be correlated with -> its name in figures: the frequency of the target; the mean and the maximum over
its relatum set; the mean of a tuple's two words, as two common words may be easier, and their absolute difference, as a word
that is far more common may be. A metric says in measures.py which of these it is correlated with."""

CORRELATIONS = pl.Schema(
    {
        "agent": pl.String(),
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),  # of metrics with cut-offs
        "frequency": pl.String(),  # one of FREQUENCIES
        "scale": pl.String(),  # of the frequencies: raw or zipf
        "units": pl.UInt32(),  # targets, or tuples for symmetry and asymmetry, with a frequency
        "units_without": pl.UInt32(),  # those without
        "unknown_words": pl.UInt32(),  # words without a frequency, counted once per unit
        "rho": pl.Float64(),
        "p": pl.Float64(),
        "p_holm": pl.Float64(),  # over the agents of one metric, relation and frequency
        "note": pl.String(),  # why rho is missing
    }
)
Correlations = Annotated[pl.DataFrame, parquet(CORRELATIONS)]


def correlations(
    values: Mapping[str, pl.DataFrame],
    relata: pl.DataFrame,
    k: int = 5,
    scale: Scale = "raw",
    *,
    relations: Relations,
    language: str,
) -> pl.DataFrame:
    """Return Figure E5 (CORRELATIONS): rho per agent, metric, relation and frequency.

    `values`: agent -> METRICS, averaged over prompts per target (Eq. 11, 13, 22) or tuple (Eq. 15, 17); `relata`: the
    relatum sets; `k`: the cut-off of symmetry and asymmetry; `scale`: that of the frequencies; `language`: its code in
    wordfreq. A positive rho means that frequent words fare better.
    """
    units = [_units(agent, table, k) for agent, table in values.items()]
    if not units:
        return pl.DataFrame(schema=CORRELATIONS)
    long = _with_frequencies(pl.concat(units), relata, scale, language)
    known = pl.col("of_unit").is_not_null()
    groups = long.group_by("agent", "metric", "relation", "k", "frequency", maintain_order=True).agg(
        pl.col("value", "of_unit").filter(known),
        units=known.sum(),
        units_without=(~known).sum(),
        unknown_words=pl.col("unknown").sum(),
    )
    columns = zip(groups["value"], groups["of_unit"], strict=True)
    tests = [spearman(value.to_numpy(), of_unit.to_numpy()) for value, of_unit in columns]
    table = groups.with_columns(
        pl.Series("rho", [test.effect for test in tests], pl.Float64),
        pl.Series("p", [test.p for test in tests], pl.Float64),
        pl.Series("note", [test.note for test in tests], pl.String),
        scale=pl.lit(scale),
    )
    table = with_holm(table, ["metric", "relation", "k", "frequency"])
    metrics = pl.Enum(list(_frequencies()))
    orders = {"metric": metrics, "relation": relations.order, "frequency": pl.Enum(list(FREQUENCIES))}
    by = [pl.col(name).cast(order) for name, order in orders.items()]
    return table.select(list(CORRELATIONS)).cast(CORRELATIONS).sort(*by, maintain_order=True)


def _frequencies() -> dict[str, tuple[str, ...]]:
    """Return the frequencies of each metric that has any, in the order of the first of these in FREQUENCIES."""
    measures = [measure for measure in MEASURES if measure.frequencies]
    measures.sort(key=lambda measure: list(FREQUENCIES).index(measure.frequencies[0]))
    return {measure.name: measure.frequencies for measure in measures}


def _units(agent: str, values: pl.DataFrame, k: int) -> pl.DataFrame:
    """Return an agent's values per target or tuple, averaged over the prompts."""
    rows = pl.col("metric").is_in(list(_frequencies())) & (pl.col("k").is_null() | (pl.col("k") == k))
    units = values.filter(rows).group_by("metric", "relation", "k", "target", "relatum", maintain_order=True)
    return units.agg(pl.col("value").mean()).with_columns(agent=pl.lit(agent))


def _with_frequencies(units: pl.DataFrame, relata: pl.DataFrame, scale: Scale, language: str) -> pl.DataFrame:
    """Return a row per unit and frequency of its metric: of_unit, and unknown, the words that have none."""
    known = frequencies(pl.concat([units["target"], units["relatum"], relata["relatum"]]), scale, language=language)
    of_target = known.rename({"word": "target", "frequency": "of_target"})
    of_relatum = known.rename({"word": "relatum", "frequency": "of_relatum"})
    sets = relata.join(of_relatum, on="relatum").group_by("target", "relation")
    of_set = sets.agg(
        relata_mean=pl.col("of_relatum").mean(),
        relata_max=pl.col("of_relatum").max(),
        unknown_relata=pl.col("of_relatum").null_count(),
    )
    wide = (
        units.join(of_target, on="target", how="left", maintain_order="left")
        .join(of_relatum, on="relatum", how="left", maintain_order="left")
        .join(of_set, on=["target", "relation"], how="left", maintain_order="left")
    )
    unknown_target = pl.col("of_target").is_null().cast(pl.UInt32)
    unknown_pair = unknown_target + pl.col("of_relatum").is_null()
    of_units = {
        "target": (pl.col("of_target"), unknown_target),
        "relata_mean": (pl.col("relata_mean"), pl.col("unknown_relata")),
        "relata_max": (pl.col("relata_max"), pl.col("unknown_relata")),
        "pair_mean": ((pl.col("of_target") + pl.col("of_relatum")) / 2, unknown_pair),
        "pair_difference": ((pl.col("of_target") - pl.col("of_relatum")).abs(), unknown_pair),
    }
    metrics = {name: [metric for metric, names in _frequencies().items() if name in names] for name in of_units}
    parts = [
        wide.filter(pl.col("metric").is_in(metrics[name])).select(
            "agent", "metric", "relation", "k", "value", frequency=pl.lit(name), of_unit=of_unit, unknown=unknown
        )
        for name, (of_unit, unknown) in of_units.items()
    ]
    return pl.concat(parts, how="vertical_relaxed")


MEDIANS = pl.Schema(
    {
        "metric": pl.String(),
        "relation": pl.String(),
        "k": pl.UInt16(),
        "frequency": pl.String(),
        "agents": pl.UInt32(),  # with a correlation
        "median": pl.Float64(),
        "low": pl.Float64(),
        "high": pl.Float64(),
    }
)


def medians(table: pl.DataFrame) -> pl.DataFrame:
    """Return the median of the agents' correlations per metric, relation and frequency, and their range (section 8.8).

    `table`: CORRELATIONS. The paper calls medians below 0.3 negligible.
    """
    groups = table.group_by("metric", "relation", "k", "frequency", maintain_order=True)
    rho = pl.col("rho")
    rows = groups.agg(agents=rho.count(), median=rho.median(), low=rho.min(), high=rho.max())
    return rows.select(list(MEDIANS)).cast(MEDIANS)
