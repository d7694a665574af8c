"""Lines along series, such as checkpoints, sizes and layers: a panel per condition, with people and controls beside them."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from relprobe.core.errors import DataError
from relprobe.core.series import AXES, LOGARITHMIC, short_number
from relprobe.report.agent_styles import CONTROL, DASHES, PEOPLE, AgentStyle
from relprobe.report.figures.canvas import nothing_to_draw, panels, to_scale
from relprobe.report.figures.rows import mark, marker, spread_places

AgentStyles = Mapping[str, AgentStyle]
"""Agent -> its look."""
Address = Callable[[dict[str, Any]], str | None]
"""Row of a series -> where a click on it leads to, if anywhere."""
LABEL = 0.07
"""The height of a label at the end of a line, as a share of a panel's height."""
KEY = (1.01, 1.06)
"""From where to where the piece of a line before its name goes, in widths of its panel."""
ROWS = 8
"""The height of a panel in rows of agents."""
RAW: dict[str, Any] = {"linestyle": ":"}
"""The look of the raw answers of layers, beside those after the map."""
CONTROL_STYLES: dict[str, dict[str, Any]] = {
    "shuffled": {"color": CONTROL, "linestyle": "-."},
    "untrained": {"color": CONTROL, "linestyle": (0, (5, 1))},
}
"""The looks of the answers of layers after a map that is a control: of shuffled pairs, or from an untrained network."""
BAND = 0.1
"""The opacity of the band of people's interval."""


def lines_along(
    rows_of: Sequence[tuple[str, pl.DataFrame]],
    styles: AgentStyles,
    *,
    colours: Mapping[str, str] | None = None,
    references: bool = True,
    address: Address | None = None,
) -> Figure:
    """Draw a line per series in each panel; `rows_of` are their titles and rows (`stats.series.references.SERIES`).

    Where layers have answers after a map, these are solid lines, the raw answers dotted ones, and those after the map of
    shuffled pairs grey and dash-dotted, and those after the map from an untrained network grey with long dashes.
    `references`: the grey dashed line is the best control, the black one people, with their interval as a band. `colours`:
    of the values of the column versus, if a series has a line for each of them; of these, only the mapped answers are drawn.
    At least one row has a place.
    """
    figure, drawn = panels([title for title, _ in rows_of], ROWS)
    for panel, (_, rows) in zip(drawn, rows_of, strict=True):
        if references:
            _references(panel, rows, address)
        _lines(panel, rows, styles, colours or {}, address)
    all_rows = pl.concat([rows for _, rows in rows_of])
    members = all_rows.drop_nulls("place")
    _scale(drawn[0], members, all_rows if references else members)
    _name_lines(drawn)
    figure.supxlabel(AXES[members["axis"][0]])
    return figure


def layer_figure(
    series: pl.DataFrame | None, metric: str, label: str, conditions: Mapping[str, str], styles: AgentStyles
) -> Figure:
    """Draw a metric along the layers of all agents, with a panel per condition.

    `series`: SERIES. `label`: that of the metric's values; `conditions`: condition -> the title of its panel. DataError: the
    step that draws was given no series.
    """
    if series is None:
        raise DataError("there are no values along layers: give them as --series.")
    rows = series.filter(metric=metric)
    drawn_conditions = [name for name in conditions if name in set(rows.drop_nulls("place")["condition"])]
    if not drawn_conditions:
        return nothing_to_draw(f"No agent with layers has values of {metric}.")
    figure = lines_along([(conditions[name], rows.filter(condition=name)) for name in drawn_conditions], styles)
    figure.supylabel(label)
    return figure


def _references(panel: Axes, rows: pl.DataFrame, address: Address | None) -> None:
    """Draw people's value with its interval, and the best control of each series."""
    people = rows.filter(variant="people").unique("agent", keep="first", maintain_order=True)
    for row in people.iter_rows(named=True):
        panel.axhline(row["value"], color=PEOPLE, linewidth=to_scale(0.8), label="_people")
        if row["low"] is not None:
            panel.axhspan(row["low"], row["high"], color=PEOPLE, alpha=BAND, linewidth=0, label="_band")
    controls = rows.filter(variant="control").unique("agent", keep="first", maintain_order=True)
    for row in controls.iter_rows(named=True):
        line = panel.axhline(row["value"], color=CONTROL, linestyle="--", linewidth=to_scale(1.0), label="_control")
        mark(line, row["agent"], address(row) if address else None)


def _lines(
    panel: Axes, rows: pl.DataFrame, styles: AgentStyles, colours: Mapping[str, str], address: Address | None
) -> None:
    """Draw a line per series, variant and, with `colours`, value of the column versus."""
    members = rows.drop_nulls("place")
    mapped = "mapped" in set(members["variant"])
    if "versus" not in members.columns:
        members = members.with_columns(versus=pl.lit(None, pl.String))
    if mapped and members["versus"].null_count() < members.height:
        members = members.filter(variant="mapped")
    dashes: dict[str, itertools.count[int]] = {}
    for (series, versus, variant), line in members.group_by("series", "versus", "variant", maintain_order=True):
        colour = styles[line["agent"][-1]].colour if versus is None else colours[str(versus)]
        if variant in CONTROL_STYLES or (mapped and variant == "raw"):
            style = CONTROL_STYLES.get(str(variant), {"color": colour, **RAW})
            panel.plot(line["place"], line["value"], linewidth=to_scale(1.0), label=f"_{series}, {variant}", **style)
            continue
        turn = next(dashes.setdefault(colour, itertools.count()))
        dash = DASHES[turn % len(DASHES)]
        panel.plot(line["place"], line["value"], dash, color=colour, label=str(versus or series))
        for row in line.iter_rows(named=True):
            _point(panel, row, styles, None if versus is None else colour, address)


def _point(panel: Axes, row: dict[str, Any], styles: AgentStyles, colour: str | None, address: Address | None) -> None:
    """Draw the marker of a member; `colour`: in place of its own."""
    (point,) = panel.plot([row["place"]], [row["value"]], **marker(styles[row["agent"]]), label="_")
    point.set(markersize=to_scale(3.5))
    if colour is not None:
        point.set(color=colour, markerfacecolor=colour)
    mark(point, row["agent"], address(row) if address and row["axis"] != "layer" else None)


def _scale(panel: Axes, members: pl.DataFrame, shown: pl.DataFrame) -> None:
    """Scale the axes that all panels share; ticks of sizes at powers of ten and, where these are few, at thrice them."""
    low, high = members.select(pl.col("place").min(), high=pl.col("place").max()).row(0)
    least, most = shown.select(pl.col("value").min(), most=pl.col("value").max()).row(0)
    panel.set_ylim(min(0, 1.08 * least), 1.08 * max(0, most or 1))
    axis = members["axis"][0]
    if axis == "size":
        low, high = low / 2, high * 2
        steps = (1, 3) if high / low < 1000 else (1,)
        ticks = [step * 10.0**power for power in range(16) for step in steps if low <= step * 10.0**power <= high]
        panel.set(xscale="log", xlim=(low, high))
        panel.set_xticks(ticks, [short_number(tick) for tick in ticks], fontsize="small")
        panel.xaxis.set_minor_formatter(NullFormatter())
    elif axis in LOGARITHMIC:
        panel.set_xscale("symlog", linthresh=1)
        panel.set_xlim(0 if low < 10 else low / 2, 1.5 * high or 1)
        panel.xaxis.set_major_formatter(FuncFormatter(lambda number, _: short_number(number)))
        panel.tick_params(axis="x", labelsize="small")


def _name_lines(axes: Sequence[Axes]) -> None:
    """Write the name of each line to the right of its panel, at the height of its end as far as the names leave room.

    A piece of the line stands before its name, as some colours are too light for text.
    """
    for axis in axes:
        lines = [line for line in axis.get_lines() if not str(line.get_label()).startswith("_")]
        bottom, top = axis.get_ylim()
        ends = [(float(line.get_ydata()[-1]) - bottom) / (top - bottom) for line in lines]  # type: ignore[index, arg-type]
        for line, height in zip(lines, spread_places(ends, LABEL, (0.0, 1.0)), strict=True):
            line_style = {
                "linestyle": line.get_linestyle(),
                "color": line.get_color(),
                "linewidth": line.get_linewidth(),
            }
            axis.plot(KEY, [height, height], **line_style, transform=axis.transAxes, clip_on=False, label="_key")
            axis.annotate(
                str(line.get_label()),
                (KEY[1] + 0.01, height),
                xycoords="axes fraction",
                fontsize="small",
                va="center",
                annotation_clip=False,
            )
