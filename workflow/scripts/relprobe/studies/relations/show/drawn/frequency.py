"""The figures of word frequency (Figure E5)."""

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relprobe.core.relation import Relations
from relprobe.report.figures import cells, count_label, label_columns, label_rows, mark, panels
from relprobe.report.words.readable import minus
from relprobe.studies.relations.compare.frequency import FREQUENCIES
from relprobe.studies.relations.show.addresses import answers

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
    figure, axes = panels([FREQUENCIES[name] for name in frequencies], len(names) + 1)
    limit = float(rows.select(pl.max_horizontal(pl.col("rho").abs().max(), pl.lit(NEGLIGIBLE))).item())
    for axis, frequency in zip(axes, frequencies, strict=True):
        _heat_map(axis, rows.filter(frequency=frequency), names, {code: relations.names[code] for code in codes}, limit)
    shades = mpl.cm.ScalarMappable(mpl.colors.Normalize(-limit, limit), "PuOr")
    figure.colorbar(shades, ax=axes, label="Spearman's ρ", fraction=0.08, aspect=30)
    figure.supxlabel(f"{metric} and frequency\n(after a relation: n)", fontsize=9)
    return figure


def _heat_map(axis: Axes, table: pl.DataFrame, agents: Sequence[str], codes: Mapping[str, str], limit: float) -> None:
    """Draw rho from -limit to limit from orange over white to purple, each written in its cell."""
    of_cell = {(row["agent"], row["relation"]): row for row in table.iter_rows(named=True)}
    rows = [[of_cell.get((agent, code), {}) for code in codes] for agent in agents]
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
