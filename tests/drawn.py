"""What a figure shows, line by line, so that a test can compare all of it with what it should show."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib import colors
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator


def lines_of(figure: Figure) -> list[str]:
    """Return what is drawn: the figure, its key, and of each panel its axes, curves, points, areas and texts, in this order.

    Numbers have three significant places after the point at most. Ticks are those that the figure sets itself.
    """
    labels = [figure._supxlabel, figure._supylabel, *figure.texts]
    said = [text.get_text() for text in dict.fromkeys(labels) if text is not None]
    lines = [f"figure {' x '.join(map(number, figure.get_size_inches()))}"]
    lines += [f"says {line}" for text in said for line in text.splitlines()]
    for key in figure.legends:
        handles = [_look(handle) for handle in key.legend_handles]
        names = [text.get_text() for text in key.get_texts()]
        lines += [f"key {name}: {look}" for name, look in zip(names, handles, strict=True)]
    for panel in figure.axes:
        if panel.get_visible():
            lines += _panel(panel)
    return lines


def number(value: Any) -> str:
    """Write a number with three places after the point at most.

    >>> number(0.5), number(2), number(1 / 3), number(float("nan"))
    ('0.5', '2', '0.333', '-')
    """
    return "-" if np.isnan(value) else f"{round(float(value), 3) + 0.0:g}"


def numbers(values: Any) -> str:
    return " ".join(map(number, np.asarray(values, dtype=float).ravel()))


def _panel(panel: Axes) -> Iterator[str]:
    labels = [text for text in (panel.get_xlabel(), panel.get_ylabel()) if text]
    title = panel.get_title(loc="left") or panel.get_title()
    yield f"panel {title!r}" + "".join(f" | {text}" for text in labels)
    for name, axis, limits in (("x", panel.xaxis, panel.get_xlim()), ("y", panel.yaxis, panel.get_ylim())):
        ticks = [text.get_text().replace("\n", "/") for text in axis.get_ticklabels()]
        fixed = isinstance(axis.get_major_locator(), FixedLocator)
        scale = "" if axis.get_scale() == "linear" else f" {axis.get_scale()}"
        said = f": {numbers(axis.get_ticklocs())}: {', '.join(ticks)}" if fixed else ""
        yield f"  {name}{scale} from {numbers(limits).replace(' ', ' to ')}{said.rstrip(': ')}"
    for line in panel.get_lines():
        label = "" if str(line.get_label()).startswith("_") else f" {line.get_label()!r}"
        at = f"{numbers(line.get_xdata())}; {numbers(line.get_ydata())}"
        yield f"  line{label} {_look(line)} at {at}{_about(line)}"
    for points in panel.collections:
        urls = [url for url in points.get_urls() if url]
        links = f" -> {', '.join(_view(url) for url in urls)}" if urls else ""
        at = "; ".join(map(numbers, points.get_offsets()))
        yield f"  points {_points_look(points)} at {at}{_about(points)}{links}"
    for patch in panel.patches:
        x, y = np.asarray(patch.get_path().vertices)[:4].T
        corners = patch.get_patch_transform().transform(np.column_stack([x, y]))
        low, high = corners.min(axis=0), corners.max(axis=0)
        face = colors.to_hex(patch.get_facecolor(), keep_alpha=patch.get_facecolor()[3] < 1)
        yield f"  area {face} {numbers(low)} to {numbers(high)}{_about(patch)}"
    for text in panel.texts:
        place = numbers(text.xy if hasattr(text, "xy") else text.get_position())
        size, ink = number(round(text.get_fontsize(), 1)), colors.to_hex(text.get_color())
        yield f"  text {text.get_text()!r} at {place}, {size} pt {ink}{_about(text)}"


def _points_look(points: Any) -> str:
    face, edge = (colors.to_hex(of[0]) for of in (points.get_facecolor(), points.get_edgecolor()))
    return f"{face} in {edge}"


def _look(drawn: Any) -> str:
    """Return the colour of a line, and its dash or its marker."""
    if isinstance(drawn, Collection):
        return f"points {_points_look(drawn)}"
    if isinstance(drawn, Patch):
        return f"area {colors.to_hex(drawn.get_facecolor())}"
    colour = colors.to_hex(drawn.get_color())
    width = number(drawn.get_linewidth())
    if drawn.get_marker() in ("None", "", None):
        return f"{colour} {drawn.get_linestyle()} {width} pt"
    face = colors.to_hex(drawn.get_markerfacecolor())
    filled = "" if face == colour else f" filled {face}"
    return f"{colour} {drawn.get_marker()} {number(drawn.get_markersize())} pt{filled}"


def _about(drawn: Any) -> str:
    """Return the agent that is marked, and the address that a click leads to, of answers without their page."""
    gid, url = drawn.get_gid(), drawn.get_url()
    agent = f" of {gid.split('=')[1]}" if gid and gid.startswith("agent=") else ""
    return agent + (f" -> {_view(url)}" if url else "")


def _view(url: str) -> str:
    return url.removeprefix("../answers.html#")
