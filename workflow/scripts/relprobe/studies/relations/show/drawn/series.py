"""The figures along series: over training, over the sizes of models (section 8.6), and over layers."""

from collections.abc import Sequence

import matplotlib as mpl
import polars as pl
from matplotlib.figure import Figure

from relprobe.core.relation import Relations
from relprobe.core.series import AXES
from relprobe.report.figures import Looks, cells, line_colour, lines_along, mark, panels, part_colours, short
from relprobe.studies.relations.measure.measures import AUDC, DISTINGUISHABILITY
from relprobe.studies.relations.measure.relation_pairs import audc_label
from relprobe.studies.relations.show.addresses import answers


def along(
    table: pl.DataFrame, axes: Sequence[str], metric: str, k: int | None, *, relations: Relations, looks: Looks
) -> Figure | None:
    """Draw a metric along the series of some axes (SERIES): a panel per relation, a line per series.

    In a panel of distances, a line leads through the distances of its relation from each other one. Where layers have
    answers after a map, these are solid lines, the raw answers dotted ones, and those after the map of shuffled pairs grey
    and dash-dotted, and those after the map from an untrained network grey with long dashes. The grey dashed line is the
    best control, the black one people, with their interval as a band. None: no member has a value.
    """
    rows = table.filter(pl.col("axis").is_in(axes), pl.col("metric") == metric, pl.col("k").eq_missing(k))
    rows = rows.with_columns(pl.col("versus").replace(relations.names))
    codes = [code for code in (*relations.codes, None) if code in set(rows.drop_nulls("place")["relation"])]
    if not codes:
        return None
    titles = {code: relations.names[code] if code else "all relations" for code in codes}
    distances = metric == DISTINGUISHABILITY.name
    figure = lines_along(
        [(title, rows.filter(pl.col("relation").eq_missing(code))) for code, title in titles.items()],
        looks,
        colours=dict(zip(relations.names.values(), map(line_colour, part_colours(len(relations.codes))), strict=True)),
        references=not distances,
        address=lambda row: answers(row["agent"], row["relation"], k=1),
    )
    cutoff = "" if k is None else f" (k = {k})"
    pairs = audc_label(rows, relations) if metric == AUDC.name else f"{metric}{cutoff}"
    figure.supylabel(f"{pairs}, D(r, s)" if distances else pairs, fontsize=9)
    return figure


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
