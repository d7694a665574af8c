"""The figures of what explains an agent's results: the size of a model (section 8.6), word frequency (Figure E5)."""

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import matplotlib.pyplot as plt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.ticker import NullFormatter

from relprobe.core.relation import Relations
from relprobe.report.figures import COLOURS, DASHES, nothing_to_draw, panels
from relprobe.studies.relations.comparisons import Models
from relprobe.studies.relations.frequency import FREQUENCIES
from relprobe.studies.relations.measures import AUDC, MEASURES

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
NEGLIGIBLE = 0.3
"""The paper calls correlations below it negligible (section 8.8, after Hinkle et al.): colours reach at least so far."""


def draw(
    name: str, averages: pl.DataFrame, correlations: pl.DataFrame, models: Models, k: int, *, relations: Relations
) -> Figure:
    """Draw the figure `name`: size_METRIC, training_METRIC or frequency_METRIC, [a]symmetry at k.

    Without data it is a sentence.
    """
    about, _, metric = name.partition("_")
    if about == "frequency":
        return frequency_correlations(correlations, metric, relations=relations) or nothing_to_draw(
            f"No model's {metric} could be correlated with word frequency."
        )
    cutoff = k if metric in {measure.name for measure in MEASURES if measure.cutoffs} else None
    if about == "training":
        return over_training(averages, models, metric, cutoff, relations=relations) or nothing_to_draw(
            f"No model that has a series and a step in the config has values of {metric}."
        )
    return by_size(averages, models, metric, cutoff, relations=relations) or nothing_to_draw(
        f"No model that has a family and a size in the config has values of {metric}."
    )


def by_size(
    averages: pl.DataFrame, models: Models, metric: str, k: int | None = None, *, relations: Relations
) -> Figure | None:
    """Draw a metric (or "audc") against the number of parameters: a panel per relation, a line per family.

    Models without family or size are left out; None if there is no other. Colour is the type, marker and dash the family.
    """
    drawn = _lines_of(averages, _sized(models), metric, k, relations=relations)
    if drawn is None:
        return None
    figure, axis, points = drawn
    _size_axis(axis, points)
    figure.supxlabel("parameters", fontsize=9)
    return figure


def over_training(
    averages: pl.DataFrame, models: Models, metric: str, k: int | None = None, *, relations: Relations
) -> Figure | None:
    """Draw a metric (or "audc") against the steps of training: a panel per relation, a line per series.

    Models without series or step are left out; None if there is no other. The axis is logarithmic from step 1 on.
    """
    entries = {
        agent: {"family": entry["series"], "size": entry["step"], "type": entry["type"]}
        for agent, entry in models.items()
        if {"series", "step"} <= set(entry)
    }
    drawn = _lines_of(averages, _sized(entries), metric, k, relations=relations)
    if drawn is None:
        return None
    figure, axis, points = drawn
    axis.set_xscale("symlog", linthresh=1)
    axis.set(xlim=(0, None), ylim=(0, 1.08 * (points.select(pl.col("value").max()).item() or 1)))
    figure.supxlabel("training step", fontsize=9)
    return figure


def _lines_of(
    averages: pl.DataFrame, sized: pl.DataFrame, metric: str, k: int | None, *, relations: Relations
) -> tuple[Figure, Axes, pl.DataFrame] | None:
    """Draw a line per family in a panel per relation; return the figure, its first panel, and the points.

    None: there is no point.
    """
    values = averages.filter(metric=metric).filter(pl.col("k").eq_missing(k)).select("agent", "relation", "value")
    points = sized.join(values.drop_nulls("value"), on="agent", maintain_order="left")
    codes = [code for code in (*relations.codes, None) if code in set(points["relation"])]
    if not codes:
        return None
    figure, axes = panels([relations.names[code] if code else "all relations" for code in codes], 8)
    families = list(dict.fromkeys(points["family"]))
    for axis, code in zip(axes, codes, strict=True):
        _size_lines(axis, points.filter(pl.col("relation").eq_missing(code)), families)
    cutoff = "" if k is None else f" (k = {k})"
    figure.supylabel(f"AuDC (of {relations.pairs} pairs)" if metric == AUDC.name else f"{metric}{cutoff}", fontsize=9)
    handles = {str(line.get_label()): line for axis in axes for line in axis.get_lines()}
    lines = [handles[family] for family in families]
    figure.legend(lines, families, loc="outside upper right", ncols=2 * min(3, len(codes)), frameon=False, fontsize=8)
    return figure, axes[0], points


def _sized(models: Models) -> pl.DataFrame:
    """Return the models that have a family and a size, from the smallest to the largest, families in the config's order."""
    names = {"agent": pl.String, "family": pl.String, "size": pl.Float64, "type": pl.String}
    rows = [
        (agent, entry["family"], float(entry["size"]), entry["type"])
        for agent, entry in models.items()
        if {"family", "size"} <= set(entry)
    ]
    sized = pl.DataFrame(rows, schema=names, orient="row")
    order = pl.Enum(list(dict.fromkeys(sized["family"])))
    return sized.sort(pl.col("family").cast(order), "size", maintain_order=True)


def _size_axis(axis: Axes, points: pl.DataFrame) -> None:
    """Scale the axes that all panels share; ticks of sizes at powers of ten and, where these are few, at thrice them."""
    low, high = points.select(pl.col("size").min() / 2, high=pl.col("size").max() * 2).row(0)
    top = points.select(pl.col("value").max()).item() or 1
    axis.set(xscale="log", xlim=(low, high), ylim=(0, 1.08 * top))
    steps = (1, 3) if high / low < 1000 else (1,)
    ticks = [step * 10.0**power for power in range(16) for step in steps if low <= step * 10.0**power <= high]
    axis.set_xticks(ticks, [parameters(tick) for tick in ticks], fontsize=8)
    axis.xaxis.set_minor_formatter(NullFormatter())


def _size_lines(axis: Axes, points: pl.DataFrame, families: Sequence[str]) -> None:
    """Draw a line per family through its models, from the smallest to the largest."""
    for (family,), rows in points.group_by("family", maintain_order=True):
        number = families.index(str(family))
        dash, marker = DASHES[number % len(DASHES)], MARKERS[number % len(MARKERS)]
        colour = COLOURS[rows["type"][0]]
        axis.plot(rows["size"], rows["value"], dash, marker=marker, markersize=5, color=colour, label=family)


def parameters(size: float) -> str:
    """Write a number of parameters as papers do: 12M, 1.3B."""
    unit, name = next(((unit, name) for unit, name in ((1e9, "B"), (1e6, "M"), (1e3, "K")) if size >= unit), (1, ""))
    return f"{size / unit:.3g}{name}"


def frequency_correlations(table: pl.DataFrame, metric: str, *, relations: Relations) -> Figure | None:
    """Draw Spearman's rho of a metric and word frequency (CORRELATIONS; Figure E5): a panel per frequency.

    Rows are agents, columns relations; what could not be correlated stays white. None if the metric is not there.
    """
    rows = table.filter(metric=metric)
    if rows.is_empty():
        return None
    agents = list(dict.fromkeys(rows["agent"]))
    codes = [code for code in relations.codes if code in set(rows["relation"])]
    frequencies = [name for name in FREQUENCIES if name in set(rows["frequency"])]
    figure, axes = panels([FREQUENCIES[name] for name in frequencies], len(agents))
    limit = float(rows.select(pl.max_horizontal(pl.col("rho").abs().max(), pl.lit(NEGLIGIBLE))).item())
    for axis, frequency in zip(axes, frequencies, strict=True):
        rho = {(a, r): v for a, r, v in rows.filter(frequency=frequency).select("agent", "relation", "rho").iter_rows()}
        image = _heat_map(axis, rho, agents, codes, limit)
    figure.colorbar(image, ax=axes, label="Spearman's ρ", fraction=0.08, aspect=30)
    figure.supxlabel(f"{metric} and frequency", fontsize=9)
    return figure


def _heat_map(
    axis: Axes,
    values: Mapping[tuple[str, str], float | None],
    rows: Sequence[str],
    columns: Sequence[str],
    limit: float,
) -> AxesImage:
    """Draw values from -limit to limit from orange over white to purple, each written in its cell."""
    cells = [[values.get((row, column)) for column in columns] for row in rows]
    colours = mpl.colormaps["PuOr"]
    image = axis.imshow(
        [[0.0 if v is None else v for v in row] for row in cells], cmap=colours, vmin=-limit, vmax=limit, aspect="auto"
    )
    for i, row in enumerate(cells):
        for j, value in enumerate(row):
            shade = "white" if abs(value or 0) > 0.55 * limit else "black"
            axis.text(j, i, _signed(value), ha="center", va="center", fontsize=7, color=shade)
    axis.set_xticks(range(len(columns)), columns, fontsize=7)
    axis.set_yticks(range(len(rows)), rows, fontsize=8)
    axis.tick_params(length=0)
    axis.grid(visible=False)
    plt.setp(axis.spines.values(), visible=False)
    return image


def _signed(value: float | None) -> str:
    """Write a correlation with its sign and two decimals, as +.12; one that rounds to 0 has no sign."""
    if value is None:
        return ""
    text = f"{value:+.2f}".replace("-", "−").replace("0.", ".")
    return ".00" if text[1:] == ".00" else text
