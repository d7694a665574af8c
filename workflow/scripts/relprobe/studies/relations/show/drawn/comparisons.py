"""The figures of what explains an agent's results: the size of a model (section 8.6), word frequency (Figure E5)."""

from collections.abc import Mapping, Sequence

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from relprobe.core.relation import Relations
from relprobe.report.figures import apart, cells, label_rows, mark, marker, nothing_to_draw, panels
from relprobe.report.looks import DASHES, Look
from relprobe.report.looks import looks as looks_of
from relprobe.studies.relations.compare.frequency import FREQUENCIES
from relprobe.studies.relations.compare.models.pairs import Models
from relprobe.studies.relations.measure.measures import AUDC, MEASURES
from relprobe.studies.relations.measure.relation_pairs import audc_label
from relprobe.studies.relations.show.addresses import answers

Looks = Mapping[str, Look]
"""Agent -> its look."""
LABEL = 0.07
"""The height of a label at the end of a line, as a share of a panel's height."""
NEGLIGIBLE = 0.3
"""The paper calls correlations below it negligible (section 8.8, after Hinkle et al.): colours reach at least so far."""


def draw(
    name: str,
    averages: pl.DataFrame,
    correlations: pl.DataFrame,
    models: Models,
    k: int,
    *,
    relations: Relations,
    looks: Looks | None = None,
) -> Figure:
    """Draw the figure `name`: size_METRIC, training_METRIC or frequency_METRIC, [a]symmetry at k.

    `looks`: those of all agents of the study, in their order; without them, those of `models` alone. A figure without data
    is a sentence.
    """
    styles = looks_of(*_kinds_and_families(models)) if looks is None else looks
    about, _, metric = name.partition("_")
    if about == "frequency":
        return frequency_correlations(
            correlations, metric, relations=relations, agents=list(styles)
        ) or nothing_to_draw(f"No model's {metric} could be correlated with word frequency.")
    cutoff = k if metric in {measure.name for measure in MEASURES if measure.cutoffs} else None
    if about == "training":
        return over_training(averages, models, metric, cutoff, relations=relations, looks=styles) or nothing_to_draw(
            f"No model that has a series and a step in the config has values of {metric}."
        )
    return by_size(averages, models, metric, cutoff, relations=relations, looks=styles) or nothing_to_draw(
        f"No model that has a family and a size in the config has values of {metric}."
    )


def by_size(
    averages: pl.DataFrame,
    models: Models,
    metric: str,
    k: int | None = None,
    *,
    relations: Relations,
    looks: Looks | None = None,
) -> Figure | None:
    """Draw a metric (or "audc") against the number of parameters: a panel per relation, a line per family.

    Models without family or size are left out; None if there is no other. The name of a family stands beside its line.
    """
    drawn = _lines_of(averages, _sized(models), metric, k, relations, looks or looks_of(*_kinds_and_families(models)))
    if drawn is None:
        return None
    figure, axes, points = drawn
    _size_axis(axes[0], points)
    _name_lines(axes)
    figure.supxlabel("parameters", fontsize=9)
    return figure


def over_training(
    averages: pl.DataFrame,
    models: Models,
    metric: str,
    k: int | None = None,
    *,
    relations: Relations,
    looks: Looks | None = None,
) -> Figure | None:
    """Draw a metric (or "audc") against the steps of training: a panel per relation, a line per series.

    Models without series or step are left out; None if there is no other. The axis is logarithmic from step 1 on.
    """
    entries = {
        agent: {"family": entry["series"], "size": entry["step"], "type": entry["type"]}
        for agent, entry in models.items()
        if {"series", "step"} <= set(entry)
    }
    drawn = _lines_of(averages, _sized(entries), metric, k, relations, looks or looks_of(*_kinds_and_families(models)))
    if drawn is None:
        return None
    figure, axes, points = drawn
    axes[0].set_xscale("symlog", linthresh=1)
    axes[0].set(xlim=(0, None), ylim=(0, 1.08 * (points.select(pl.col("value").max()).item() or 1)))
    _name_lines(axes)
    figure.supxlabel("training step", fontsize=9)
    return figure


def _kinds_and_families(models: Models) -> tuple[dict[str, str], dict[str, str]]:
    kinds = {agent: str(entry["type"]) for agent, entry in models.items()}
    return kinds, {agent: str(entry.get("family", agent)) for agent, entry in models.items()}


def _lines_of(
    averages: pl.DataFrame, sized: pl.DataFrame, metric: str, k: int | None, relations: Relations, looks: Looks
) -> tuple[Figure, list[Axes], pl.DataFrame] | None:
    """Draw a line per family in a panel per relation; return the figure, its panels, and the points.

    None: there is no point.
    """
    values = averages.filter(metric=metric).filter(pl.col("k").eq_missing(k)).select("agent", "relation", "value")
    points = sized.join(values.drop_nulls("value"), on="agent", maintain_order="left")
    codes = [code for code in (*relations.codes, None) if code in set(points["relation"])]
    if not codes:
        return None
    figure, axes = panels([relations.names[code] if code else "all relations" for code in codes], 8)
    for axis, code in zip(axes, codes, strict=True):
        _size_lines(axis, points.filter(pl.col("relation").eq_missing(code)), looks)
    cutoff = "" if k is None else f" (k = {k})"
    figure.supylabel(audc_label(averages, relations) if metric == AUDC.name else f"{metric}{cutoff}", fontsize=9)
    return figure, axes, points


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


def _size_lines(axis: Axes, points: pl.DataFrame, looks: Looks) -> None:
    """Draw a line per family through its models, from the smallest to the largest, each model with its own marker."""
    dashes: dict[
        str, int
    ] = {}  # colour -> the lines that have it, such as those of one family with and without examples
    for (family,), rows in points.group_by("family", maintain_order=True):
        colour = looks[rows["agent"][0]].colour
        dash = DASHES[dashes.get(colour, 0) % len(DASHES)]
        dashes[colour] = dashes.get(colour, 0) + 1
        axis.plot(rows["size"], rows["value"], dash, color=colour, label=family, linewidth=1.2)
        for row in rows.iter_rows(named=True):
            (point,) = axis.plot([row["size"]], [row["value"]], **marker(looks[row["agent"]]), label="_")
            mark(point, row["agent"], answers(row["agent"], row["relation"], k=1))


def _name_lines(axes: Sequence[Axes]) -> None:
    """Write the name of each line to the right of its panel, at the height of its end as far as the names leave room."""
    for axis in axes:
        lines = [line for line in axis.get_lines() if not str(line.get_label()).startswith("_")]
        top = axis.get_ylim()[1]
        heights = apart([float(line.get_ydata()[-1]) / top for line in lines], LABEL, (0.0, 1.0))  # type: ignore[index, arg-type]
        for line, height in zip(lines, heights, strict=True):
            axis.annotate(
                str(line.get_label()),
                (1.02, height),
                xycoords="axes fraction",
                color=line.get_color(),
                fontsize=7,
                va="center",
                annotation_clip=False,
            )


def parameters(size: float) -> str:
    """Write a number of parameters as papers do: 12M, 1.3B."""
    unit, name = next(((unit, name) for unit, name in ((1e9, "B"), (1e6, "M"), (1e3, "K")) if size >= unit), (1, ""))
    return f"{size / unit:.3g}{name}"


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
        _heat_map(axis, rows.filter(frequency=frequency), names, codes, limit)
    shades = mpl.cm.ScalarMappable(mpl.colors.Normalize(-limit, limit), "PuOr")
    figure.colorbar(shades, ax=axes, label="Spearman's ρ", fraction=0.08, aspect=30)
    figure.supxlabel(f"{metric} and frequency\n(below a relation: n)", fontsize=9)
    return figure


def _heat_map(axis: Axes, table: pl.DataFrame, agents: Sequence[str], codes: Sequence[str], limit: float) -> None:
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
    axis.set_xticks(
        range(len(codes)), [f"{code}\n{units[code]}" if units[code] else code for code in codes], fontsize=7
    )
    label_rows(axis, agents)


def _signed(value: float | None) -> str:
    """Write a correlation with its sign and two decimals, as +.12; one that rounds to 0 has no sign."""
    if value is None:
        return ""
    text = f"{value:+.2f}".replace("-", "−").replace("0.", ".")
    return ".00" if text[1:] == ".00" else text
