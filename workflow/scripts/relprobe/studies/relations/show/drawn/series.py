"""The figures along series: over training, over the sizes of models (section 8.6), and over layers."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from relprobe.core.relation import Relations
from relprobe.core.series import AXES, LOGARITHMIC, shortened
from relprobe.report.figures import apart, cells, mark, marker, panels, part_colours, short
from relprobe.report.looks import CONTROL, DASHES, PEOPLE, Look
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY
from relprobe.studies.relations.measure.relation_pairs import audc_label
from relprobe.studies.relations.show.addresses import answers

Looks = Mapping[str, Look]
"""Agent -> its look."""
LABEL = 0.07
"""The height of a label at the end of a line, as a share of a panel's height."""
RAW: dict[str, Any] = {"linestyle": ":", "linewidth": 1.0}
"""The look of the raw answers of layers, beside those after the map."""
SHUFFLED: dict[str, Any] = {"color": CONTROL, "linestyle": "-.", "linewidth": 1.0}
"""The look of the answers of layers after a map that is fitted on shuffled pairs: a control."""
BAND = 0.1
"""The opacity of the band of people's interval."""


def along(
    table: pl.DataFrame, axes: Sequence[str], metric: str, k: int | None, *, relations: Relations, looks: Looks
) -> Figure | None:
    """Draw a metric along the series of some axes (SERIES): a panel per relation, a line per series.

    In a panel of distances, a line leads through the distances of its relation from each other one. Where layers have
    answers after a map, these are solid lines, the raw answers dotted ones, and those after the map of shuffled pairs grey
    and dash-dotted. The grey dashed line is the best control,
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
    """Draw a line per series, variant and, of distances, relation that is told apart; of distances, mapped answers alone."""
    members = rows.drop_nulls("place")
    mapped = "mapped" in set(members["variant"])
    if mapped and members["versus"].null_count() < members.height:
        members = members.filter(variant="mapped")
    dashes: dict[str, itertools.count[int]] = {}
    for (series, versus, variant), line in members.group_by("series", "versus", "variant", maintain_order=True):
        colour = looks[line["agent"][-1]].colour if versus is None else colours[str(versus)]
        if variant == "shuffled" or (mapped and variant == "raw"):
            style = SHUFFLED if variant == "shuffled" else {"color": colour, **RAW}
            panel.plot(line["place"], line["value"], label=f"_{series}, {variant}", **style)
            continue
        turn = next(dashes.setdefault(colour, itertools.count()))
        dash = DASHES[turn % len(DASHES)]
        panel.plot(line["place"], line["value"], dash, color=colour, label=str(versus or series), linewidth=1.2)
        for row in line.iter_rows(named=True):
            (point,) = panel.plot([row["place"]], [row["value"]], **marker(looks[row["agent"]]), label="_")
            point.set(markersize=3.5)
            if versus is not None:
                point.set(color=colour, markerfacecolor=colour)
            link = None if row["axis"] == "layer" else answers(row["agent"], row["relation"], k=1)
            mark(point, row["agent"], link)


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


def over_training_and_layers(table: pl.DataFrame, metric: str, *, relations: Relations) -> Figure | None:
    """Draw a metric of checkpoints after each layer as a table of colours: a panel per relation, a row per checkpoint.

    The rows go from the first checkpoint, at the bottom, to the last, and the columns from the first layer to the last. The
    answers are those after the map or, where no layer has one, the raw ones. None: no checkpoint has layers.
    """
    steps = table.filter(pl.col("axis").is_in(["step", "tokens"])).drop_nulls("place")
    checkpoints = dict(steps.unique("agent", maintain_order=True).sort("place").select("agent", "label").rows())
    rows = table.filter(
        pl.col("metric") == metric, pl.col("axis") == "layer", pl.col("agent").is_in(list(checkpoints))
    ).drop_nulls("place")
    rows = rows.filter(variant="mapped" if "mapped" in set(rows["variant"]) else "raw")
    codes = [code for code in relations.codes if code in set(rows["relation"])]
    if not codes:
        return None
    agents = [agent for agent in reversed(checkpoints) if agent in set(rows["agent"])]
    layers = sorted(set(rows["place"]))
    high = float(rows.select(pl.col("value").max()).item()) or 1.0
    figure, drawn = panels([relations.names[code] for code in codes], len(agents) + 2)
    for panel, code in zip(drawn, codes, strict=True):
        values = {
            (row["agent"], row["place"]): row["value"] for row in rows.filter(relation=code).iter_rows(named=True)
        }
        grid = [[values.get((agent, layer)) for layer in layers] for agent in agents]
        texts = [["" if value is None or len(layers) > 12 else short(value) for value in line] for line in grid]
        for agent, line in zip(agents, cells(panel, grid, "Blues", (0, high), texts), strict=True):
            for cell in line:
                mark(cell, agent)
        panel.set_xticks(range(len(layers)), [f"{layer:.0f}" for layer in layers], fontsize=7)
        panel.set_yticks(range(len(agents)), [checkpoints[agent] for agent in agents], fontsize=7)
    shades = mpl.cm.ScalarMappable(mpl.colors.Normalize(0, high), "Blues")
    figure.colorbar(shades, ax=drawn, label=metric, fraction=0.08, aspect=30)
    figure.supxlabel(AXES["layer"], fontsize=9)
    figure.supylabel(AXES[steps["axis"][0]], fontsize=9)
    return figure
