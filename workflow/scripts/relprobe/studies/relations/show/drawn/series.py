"""The figures along series: over training, over the sizes of models (section 8.6), and over layers."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from relprobe.core.relation import Relations
from relprobe.core.series import AXES, LOGARITHMIC, shortened
from relprobe.report.figures import apart, mark, marker, panels, part_colours
from relprobe.report.looks import CONTROL, DASHES, PEOPLE, Look
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY
from relprobe.studies.relations.measure.relation_pairs import audc_label
from relprobe.studies.relations.show.addresses import answers

Looks = Mapping[str, Look]
"""Agent -> its look."""
LABEL = 0.07
"""The height of a label at the end of a line, as a share of a panel's height."""
RAW = {"linestyle": ":", "linewidth": 1.0}
"""The look of the raw answers of layers, beside those after the map."""
BAND = 0.1
"""The opacity of the band of people's interval."""


def along(
    table: pl.DataFrame, axes: Sequence[str], metric: str, k: int | None, *, relations: Relations, looks: Looks
) -> Figure | None:
    """Draw a metric along the series of some axes (SERIES): a panel per relation, a line per series.

    In a panel of distances, a line leads through the distances of its relation from each other one. Where layers have
    answers after a map, these are solid lines and the raw answers dotted ones. The grey dashed line is the best control,
    the black one people, with their interval as a band. None: no member has a value.
    """
    rows = table.filter(pl.col("axis").is_in(axes), pl.col("metric") == metric, pl.col("k").eq_missing(k))
    codes = [code for code in (*relations.codes, None) if code in set(rows.drop_nulls("place")["relation"])]
    if not codes:
        return None
    figure, drawn = panels([relations.names[code] if code else "all relations" for code in codes], 8)
    colours = dict(zip(relations.codes, part_colours(len(relations.codes)), strict=True))
    for panel, code in zip(drawn, codes, strict=True):
        of_panel = rows.filter(pl.col("relation").eq_missing(code))
        if metric != DISTINGUISHABILITY.name:
            _references(panel, of_panel)
        _lines(panel, of_panel, looks, colours)
    _scale(drawn[0], rows.drop_nulls("place"), rows if metric != DISTINGUISHABILITY.name else rows.drop_nulls("place"))
    _name_lines(drawn)
    axis = rows.drop_nulls("place")["axis"][0]
    cutoff = "" if k is None else f" (k = {k})"
    pairs = audc_label(rows, relations) if metric == AUDC.name else f"{metric}{cutoff}"
    figure.supxlabel(AXES[axis], fontsize=9)
    figure.supylabel(f"{pairs}, D(r, s)" if metric == DISTINGUISHABILITY.name else pairs, fontsize=9)
    return figure


def _references(panel: Axes, rows: pl.DataFrame) -> None:
    """Draw people's value with its interval, and the best control of each series."""
    people = rows.filter(variant="people").unique("agent", keep="first", maintain_order=True)
    for row in people.iter_rows(named=True):
        panel.axhline(row["value"], color=PEOPLE, linewidth=0.8, label="_people")
        if row["low"] is not None:
            panel.axhspan(row["low"], row["high"], color=PEOPLE, alpha=BAND, linewidth=0, label="_band")
    controls = rows.filter(variant="control").unique("agent", keep="first", maintain_order=True)
    for row in controls.iter_rows(named=True):
        line = panel.axhline(row["value"], color=CONTROL, linestyle="--", linewidth=1.0, label="_control")
        mark(line, row["agent"], answers(row["agent"], row["relation"], k=1))


def _lines(panel: Axes, rows: pl.DataFrame, looks: Looks, colours: Mapping[str, str]) -> None:
    """Draw a line per series, variant and, of distances, relation that is told apart."""
    members = rows.drop_nulls("place")
    mapped = "mapped" in set(members["variant"])
    dashes: dict[str, itertools.count[int]] = {}
    for (series, versus, variant), line in members.group_by("series", "versus", "variant", maintain_order=True):
        last = looks[line["agent"][-1]]
        colour = last.colour if versus is None else colours[str(versus)]
        style: dict[str, Any] = {"linestyle": "-", "linewidth": 1.2}
        if mapped and variant == "raw":
            style = RAW
        else:
            turn = next(dashes.setdefault(colour, itertools.count()))
            style["linestyle"] = DASHES[turn % len(DASHES)]
        named = f"_{series}" if mapped and variant == "raw" else str(versus or series)
        panel.plot(line["place"], line["value"], color=colour, label=named, **style)
        for row in line.iter_rows(named=True) if variant != "raw" or not mapped else ():
            look = looks[row["agent"]]
            (point,) = panel.plot([row["place"]], [row["value"]], **marker(look) | {"markersize": 3.5}, label="_")
            if versus is not None:
                point.set(color=colour, markerfacecolor=colour)
            mark(point, row["agent"], answers(row["agent"], row["relation"], k=1))


def _scale(panel: Axes, members: pl.DataFrame, shown: pl.DataFrame) -> None:
    """Scale the axes that all panels share; ticks of sizes at powers of ten and, where these are few, at thrice them."""
    low, high = members.select(pl.col("place").min(), high=pl.col("place").max()).row(0)
    least, most = shown.select(pl.col("value").min(), most=pl.col("value").max()).row(0)
    panel.set_ylim(min(0, 1.08 * least), 1.08 * (most or 1))
    axis = members["axis"][0]
    if axis == "size":
        low, high = low / 2, high * 2
        steps = (1, 3) if high / low < 1000 else (1,)
        ticks = [step * 10.0**power for power in range(16) for step in steps if low <= step * 10.0**power <= high]
        panel.set(xscale="log", xlim=(low, high))
        panel.set_xticks(ticks, [shortened(tick) for tick in ticks], fontsize=8)
        panel.xaxis.set_minor_formatter(NullFormatter())
    elif axis in LOGARITHMIC:
        panel.set_xscale("symlog", linthresh=1)
        panel.set_xlim(0 if low < 10 else low / 2, 1.5 * high)
        panel.xaxis.set_major_formatter(FuncFormatter(lambda place, _: shortened(place)))
        panel.tick_params(axis="x", labelsize=8)


def _name_lines(axes: Sequence[Axes]) -> None:
    """Write the name of each line to the right of its panel, at the height of its end as far as the names leave room."""
    for axis in axes:
        lines = [line for line in axis.get_lines() if not str(line.get_label()).startswith("_")]
        bottom, top = axis.get_ylim()
        ends = [(float(line.get_ydata()[-1]) - bottom) / (top - bottom) for line in lines]  # type: ignore[index, arg-type]
        for line, height in zip(lines, apart(ends, LABEL, (0.0, 1.0)), strict=True):
            axis.annotate(
                str(line.get_label()),
                (1.02, height),
                xycoords="axes fraction",
                color=line.get_color(),
                fontsize=7,
                va="center",
                annotation_clip=False,
            )
