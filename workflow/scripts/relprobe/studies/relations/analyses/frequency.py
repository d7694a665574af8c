"""Whether word frequency explains the results (section 8.8).

## Word frequency: the median over the models

```yaml
table: frequency_medians
part: Word frequency
empty: No model's values could be correlated with word frequency.
columns:
  agents: the number of models with a correlation
  median: the median of their correlations; missing without any
  low: the lowest correlation; missing without any
  high: the highest correlation; missing without any
```

The median, the lowest and the highest of the models' correlations with word frequency, per metric, relation and
frequency. *In the paper all medians are below 0.3 (section 8.8 of the paper).*

## $title and word frequency

```yaml
figure: frequency_$metric
each: metrics
values: frequency
needs: [$needs]
part: Word frequency
```

Spearman's correlation of a model's values with word frequency; one below 0.3 is pale *(the paper calls it
negligible: section 8.8; Figure E5 of the paper)*. The number after a relation is its n; empty cells could not be
correlated, and the table says why.

## Does word frequency explain the results?

```yaml
table: frequency
like: overview
part: Tests
empty: No model's values could be correlated with word frequency.
columns:
  units: the number of targets (of tuples for symmetry and asymmetry) with a frequency
  units_without: the number of those without
  unknown_words: the number of words without a frequency
  scale: "raw: the share of the language's words; zipf: its logarithm"
  rho: Spearman's correlation of values with frequencies
```

Spearman's correlation *(Figure E5 of the paper)* of values with frequencies (wordfreq): of the target, of its relata
(mean, maximum), or of the tuple's two words (mean, absolute difference). p takes the tuples of a target as
independent; p_holm is over the agent's own relations.

scale: raw, the share of the language's words, or zipf, its logarithm (relations.choices.frequency).
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.core.relation import Relations
from relprobe.core.sums import ordered_mean
from relprobe.report.figures import (
    cells,
    count_label,
    label_columns,
    label_rows,
    mark,
    nothing_to_draw,
    panels,
)
from relprobe.report.published import figures
from relprobe.report.words.readable import minus
from relprobe.sources.word_frequency import Scale, frequencies
from relprobe.stats import spearman, with_holm
from relprobe.studies.relations.addresses import answers
from relprobe.studies.relations.figures import FigureData
from relprobe.studies.relations.measures import FREQUENCIES, MEASURES, with_figures
from relprobe.studies.relations.published import ALL
from relprobe.studies.relations.results import Results

PLACE = 13

# Spearman's rho of unit values and word frequencies (section 8.8, Figure E5).
# Frequencies are those of `wordfreq`, where the paper takes those of COCA: shares of the words of the language, or their
# Zipf values (sources/word_frequency.py), as the config says. A word that wordfreq does not know has none: it is left out
# of a relatum set's mean and maximum, and a unit without a frequency is left out of the correlation; both are counted.
# The p-values take the targets or tuples as independent, as the paper does.


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
        "p_holm": pl.Float64(),  # over the agent's relations, in one metric and frequency
        "note": pl.String(),  # why rho is missing
    }
)


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
    has_frequency = pl.col("unit_frequency").is_not_null()
    groups = long.group_by("agent", "metric", "relation", "k", "frequency", maintain_order=True).agg(
        pl.col("value", "unit_frequency").filter(has_frequency),
        units=has_frequency.sum(),
        units_without=(~has_frequency).sum(),
        unknown_words=pl.col("unknown").sum(),
    )
    columns = zip(groups["value"], groups["unit_frequency"], strict=True)
    tests = [spearman(value.to_numpy(), unit_frequencies.to_numpy()) for value, unit_frequencies in columns]
    table = groups.with_columns(
        pl.Series("rho", [test.effect for test in tests], pl.Float64),
        pl.Series("p", [test.p for test in tests], pl.Float64),
        pl.Series("note", [test.note for test in tests], pl.String),
        scale=pl.lit(scale),
    )
    table = with_holm(table, ["agent", "metric", "k", "frequency"])
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
    return units.agg(ordered_mean("value")).with_columns(agent=pl.lit(agent))


def _with_frequencies(units: pl.DataFrame, relata: pl.DataFrame, scale: Scale, language: str) -> pl.DataFrame:
    """Return a row per unit and frequency of its metric: unit_frequency, and unknown, the words that have none."""
    word_frequencies = frequencies(
        pl.concat([units["target"], units["relatum"], relata["relatum"]]), scale, language=language
    )
    target_frequencies = word_frequencies.rename({"word": "target", "frequency": "target_frequency"})
    relatum_frequencies = word_frequencies.rename({"word": "relatum", "frequency": "relatum_frequency"})
    sets = relata.join(relatum_frequencies, on="relatum").group_by("target", "relation")
    set_frequencies = sets.agg(
        relata_mean=ordered_mean("relatum_frequency"),
        relata_max=pl.col("relatum_frequency").max(),
        unknown_relata=pl.col("relatum_frequency").null_count(),
    )
    wide = (
        units.join(target_frequencies, on="target", how="left", maintain_order="left")
        .join(relatum_frequencies, on="relatum", how="left", maintain_order="left")
        .join(set_frequencies, on=["target", "relation"], how="left", maintain_order="left")
    )
    unknown_target = pl.col("target_frequency").is_null().cast(pl.UInt32)
    unknown_pair = unknown_target + pl.col("relatum_frequency").is_null()
    unit_columns = {
        "target": (pl.col("target_frequency"), unknown_target),
        "relata_mean": (pl.col("relata_mean"), pl.col("unknown_relata")),
        "relata_max": (pl.col("relata_max"), pl.col("unknown_relata")),
        "pair_mean": ((pl.col("target_frequency") + pl.col("relatum_frequency")) / 2, unknown_pair),
        "pair_difference": ((pl.col("target_frequency") - pl.col("relatum_frequency")).abs(), unknown_pair),
    }
    metrics = {name: [metric for metric, names in _frequencies().items() if name in names] for name in unit_columns}
    parts = [
        wide.filter(pl.col("metric").is_in(metrics[name])).select(
            "agent",
            "metric",
            "relation",
            "k",
            "value",
            frequency=pl.lit(name),
            unit_frequency=unit_frequency,
            unknown=unknown,
        )
        for name, (unit_frequency, unknown) in unit_columns.items()
    ]
    return pl.concat(parts)


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


@cache
def _correlations(results: Results) -> pl.DataFrame:
    settings, metrics = results.settings, results.metrics or {}
    model_metrics = {agent: metrics[agent] for agent in results.models()}
    gold, code = results.gold, results.language.wordfreq
    return correlations(
        model_metrics, gold.relata, settings.k, settings.frequency, relations=gold.relations, language=code
    )


def draw(metric: str, shown: FigureData) -> Figure:
    """Draw the correlations of a metric, or a sentence where there are none."""
    drawn = frequency_correlations(
        shown.values["frequency"], metric, relations=shown.relations, agents=list(shown.agent_styles)
    )
    return drawn or nothing_to_draw(f"No model's {metric} could be correlated with word frequency.")


NEGLIGIBLE = 0.3
"""The paper calls correlations below it negligible (section 8.8, after Hinkle et al.): colours reach at least so far."""


def frequency_correlations(
    table: pl.DataFrame, metric: str, *, relations: Relations, agents: Sequence[str] = ()
) -> Figure | None:
    """Draw Spearman's rho of a metric and word frequency (CORRELATIONS; Figure E5): a panel per frequency.

    Rows are agents in the order of `agents`, columns relations with their largest number of units; what could not be
    correlated stays white. None if the metric is not there.
    """
    rows = table.filter(metric=metric)
    if rows.is_empty():
        return None
    present = list(dict.fromkeys(rows["agent"]))
    names = [agent for agent in agents if agent in present] or present
    codes = [code for code in relations.codes if code in set(rows["relation"])]
    frequencies = [name for name in FREQUENCIES if name in set(rows["frequency"])]
    figure, axes = panels([FREQUENCIES[name] for name in frequencies], len(names) + 1, same_columns=False)
    limit = float(rows.select(pl.max_horizontal(pl.col("rho").abs().max(), pl.lit(NEGLIGIBLE))).item())
    for axis, frequency in zip(axes, frequencies, strict=True):
        _heat_map(axis, rows.filter(frequency=frequency), names, {code: relations.names[code] for code in codes}, limit)
    shades = mpl.cm.ScalarMappable(mpl.colors.Normalize(-limit, limit), "PuOr")
    figure.colorbar(shades, ax=axes, label="Spearman's ρ", fraction=0.08, aspect=30)
    figure.supxlabel(f"{metric} and frequency\n(after a relation: n)")
    return figure


def _heat_map(axis: Axes, table: pl.DataFrame, agents: Sequence[str], codes: Mapping[str, str], limit: float) -> None:
    """Draw rho from -limit to limit from orange over white to purple, each written in its cell."""
    rows_by_cell = {(row["agent"], row["relation"]): row for row in table.iter_rows(named=True)}
    rows = [[rows_by_cell.get((agent, code), {}) for code in codes] for agent in agents]
    values = [[row.get("rho") for row in line] for line in rows]
    drawn = cells(axis, values, "PuOr", (-limit, limit), [[_signed(value) for value in line] for line in values])
    for agent, line in zip(agents, drawn, strict=True):
        for code, cell in zip(codes, line, strict=True):
            mark(cell, agent, answers(agent, code))
    units = {
        code: max((row.get("units") or 0 for line in rows for row in [line[i]]), default=0)
        for i, code in enumerate(codes)
    }
    label_columns(axis, [count_label(name, units[code]) for code, name in codes.items()])
    label_rows(axis, agents)


def _signed(value: float | None) -> str:
    """Write a correlation with its sign and two decimals, as +.12; one that rounds to 0 has no sign."""
    if value is None:
        return ""
    text = minus(f"{value:+.2f}").replace("0.", ".")
    return ".00" if text[1:] == ".00" else text


TABLES = {"frequency": _correlations, "frequency_medians": lambda results: medians(_correlations(results))}
FIGURES = {
    f"frequency_{measure.name}": partial(draw, measure.name) for measure in with_figures() if measure.frequencies
}


LARGEST_MEDIAN = "largest median correlation with word frequency: {}"


def largest_medians(table: pl.DataFrame) -> pl.DataFrame:
    """Return the largest of the medians over the models, over the measures of frequency and k (section 8.8).

    >>> rows = {"metric": "soundness", "relation": "HYP", "median": [0.1, 0.2]}
    >>> largest_medians(pl.DataFrame(rows)).select("quantity", "condition", "ours").rows()
    [('largest median correlation with word frequency: soundness', 'HYP', 0.2)]
    """
    largest = table.group_by("metric", condition="relation", maintain_order=True).agg(ours=pl.col("median").max())
    return figures(largest.with_columns(quantity=pl.format(LARGEST_MEDIAN, "metric"), agent=pl.lit(None, pl.String)))


def published(tables: Mapping[str, pl.DataFrame], models: Collection[str]) -> list[pl.DataFrame]:
    """Return the largest medians (OURS), in a run of all of the paper's models."""
    is_there = "frequency_medians" in tables and set(models) >= ALL
    return [largest_medians(tables["frequency_medians"])] if is_there else []
