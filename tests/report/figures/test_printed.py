"""Figures for print: their width, their text, their fonts, and an edge that nothing touches."""

import ast
import re
from functools import partial

import matplotlib.image
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.cm import ScalarMappable
from matplotlib.text import Text
from relprobe.core.errors import DataError
from relprobe.report.agent_styles import AgentStyle
from relprobe.report.figures import dots, drawn_size, family_key, nothing_to_draw, panels, to_scale
from relprobe.report.figures.canvas import in_print_at, save_all
from relprobe.report.figures.printed import (
    DENSEST,
    HIGHEST,
    SMALLER,
    WIDE,
    WIDEST,
    _has_room,
    arrange,
    is_too_high,
    lay_out,
    overlaps,
    print_plainly,
    size_in_print,
)

from tests.logs import said
from tests.paths import ROOT
from tests.trees import tree_of


def page_width(pdf):
    """The width of the page of a PDF file, in centimetres."""
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) [\d.]+ ?\]", pdf.read_bytes())
    return float(box[1]) / 72 * 2.54


def touched_edges(png):
    """The edges of a picture that have another colour than white."""
    pixels = matplotlib.image.imread(png)[:, :, :3]
    edges = {"top": pixels[0], "bottom": pixels[-1], "left": pixels[:, 0], "right": pixels[:, -1]}
    return [name for name, edge in edges.items() if not np.all(edge == 1.0)]


def drawn(titles=6, agents=4):
    """A figure as studies draw them, with long labels, titles and keys."""
    names = [f"an-agent-of-some-length-{number}" for number in range(agents)]
    families = [f"a family with a long name, {number}" for number in range(5)]
    agent_styles = [AgentStyle("#0072b2", "o", "-", families[number % 5]) for number in range(agents)]
    figure, axes = panels([f"a panel with a title of some length, {number}" for number in range(titles)], agents)
    for axis in axes:
        dots(axis, names, [number / agents for number in range(agents)], agent_styles, [(0.0, 1.0)] * agents)
    axes[-1].set_xlabel("the share of something")
    figure.supxlabel("a label of the whole figure that is longer than a column of a journal with two columns is wide")
    family_key(figure, agent_styles)
    return figure


WIDTHS = ["8.4cm", "84mm", "3.5in", "16cm", "7.7cm"]
TITLE = "the difference of the target and the mean of the relata"
TITLE = "the difference of the target and the mean of its relata"
REASON = "No agent has values of this metric on the tuples of this study, which is a sentence of some length."


@pytest.mark.parametrize("width", WIDTHS)
def test_a_figure_has_its_width_and_nothing_touches_an_edge(tmp_path, width):
    save_and_check(tmp_path, width, one=lambda: drawn(1), none=lambda: nothing_to_draw(REASON))


@pytest.mark.parametrize(
    "width",
    [
        pytest.param(width, marks=[] if width == "8.4cm" else pytest.mark.slow("it draws a large figure"))
        for width in WIDTHS
    ],
)
def test_a_figure_of_many_panels_has_its_width_and_nothing_touches_an_edge(tmp_path, width):
    save_and_check(tmp_path, width, some=drawn)


def save_and_check(folder, width, **makers):
    files = [folder / width / f"{name}.{form}" for name in makers for form in ("pdf", "png")]
    save_all(makers.items(), files)
    number, unit = float(re.match(r"[\d.]+", width)[0]), {"cm": 1, "mm": 0.1, "in": 2.54}[re.sub(r"[\d.]", "", width)]
    for name in makers:
        assert page_width(folder / width / f"{name}.pdf") == pytest.approx(number * unit, abs=0.01)
        assert b"/Type3" not in (folder / width / f"{name}.pdf").read_bytes()
        assert touched_edges(folder / width / f"{name}.png") == []
        assert matplotlib.image.imread(folder / width / f"{name}.png").shape[1] == pytest.approx(
            number * unit / 2.54 * 300, abs=2
        )


@pytest.mark.parametrize("width", [8.4, pytest.param(16, marks=pytest.mark.slow("it draws a large figure"))])
def test_text_has_6_to_8_points_and_a_page_is_high_enough(width):
    with in_print_at(width):
        figure = drawn(titles=9, agents=8)
        lay_out(figure, width / 2.54)
    sizes = {text.get_fontsize() for text in figure.findobj(Text) if text.get_text()}
    assert 6 <= min(sizes) <= max(sizes) <= 8
    assert figure.get_figheight() <= max(HIGHEST / 2.54, (0.3 + 9 * (0.8 + 8 * 0.21)) * DENSEST) + 1e-9
    plt.close(figure)


def test_a_column_has_one_panel_beside_another_and_a_page_two(tmp_path):
    """The figure is drawn after the width is known."""
    columns = {}

    def make():
        figure = drawn(titles=4, agents=2)
        columns[width] = figure.axes[0].get_subplotspec().get_gridspec().ncols
        return figure

    for width in ("8.4cm", "16cm"):
        save_all({"some": make}.items(), [tmp_path / width / "some.pdf"])
    assert columns == {"8.4cm": 1, "16cm": 2}
    width = "a page of HTML"
    assert make().axes and columns["a page of HTML"] == 3
    plt.close("all")


def test_a_figure_that_a_manuscript_does_not_take_is_not_drawn(tmp_path):
    makers = {"first": pytest.fail, "wanted": partial(nothing_to_draw, REASON), "last": pytest.fail}
    save_all(makers.items(), [tmp_path / "8.4cm" / "wanted.pdf"])
    assert [file.name for file in (tmp_path / "8.4cm").iterdir()] == ["wanted.pdf"]
    assert plt.get_fignums() == []


def test_a_folder_that_is_called_by_no_width_is_refused(tmp_path):
    with pytest.raises(DataError, match="'wide' is no width: write a number with its unit"):
        save_all(iter(()), [tmp_path / "wide" / "some.pdf"])


def test_a_figure_that_is_higher_than_a_page_in_one_column_has_two(tmp_path, caplog):
    """Twelve panels of as many agents: no rows are so near to each other that their texts overlap."""
    file = tmp_path / "8.4cm/high.pdf"
    save_all({"high": partial(drawn, titles=12, agents=8)}.items(), [file])
    assert page_width(file) == pytest.approx(16.8, abs=0.01)
    assert "high is 16.8 cm wide, as it would be higher than a page in one column" in caplog.text


@pytest.mark.parametrize(("width", "titles", "columns"), [(8.4, 12, 2), (8.4, 6, 1), (11.0, 12, 1), (16.0, 12, 2)])
def test_a_figure_is_drawn_with_as_many_columns_as_it_is_printed_with(width, titles, columns):
    """One of 11 cm has no room for two columns of its width; in two, the panels on the left alone name the rows."""
    with in_print_at(width):
        figure = drawn(titles=titles, agents=8)
    assert figure.axes[0].get_subplotspec().get_gridspec().ncols == columns
    named = [axis.yaxis.get_tick_params()["labelleft"] for axis in figure.axes]
    assert named == [number % columns == 0 for number in range(titles)]
    assert (figure.get_gid() == WIDE) == ((width, columns) == (8.4, 2))


def test_one_panel_is_as_wide_as_a_column_however_high_it_is():
    with in_print_at(8.4):
        assert is_too_high(0.3 + 0.8 + 0.21 * 200)
        figure, axes = panels(["a title"], 200)
    assert (len(figure.axes), len(axes), figure.get_gid()) == (1, 1, None)
    assert figure.get_figwidth() == pytest.approx(8.4 / 2.54)
    plt.close(figure)
    plt.close(figure)


def test_texts_that_overlap_are_found_and_have_more_room_across_two_columns(tmp_path, caplog):
    def crowded(number=26):
        figure, (axis,) = panels(["a panel"], 2)
        axis.set_xticks(range(number), [f"word {place}" for place in range(number)])
        axis.set_xlim(-1, number)
        return figure

    file = tmp_path / "8.4cm/crowded.pdf"
    save_all({"crowded": partial(crowded, 9)}.items(), [file])
    assert page_width(file) == pytest.approx(16.8, abs=0.01)
    assert said(caplog) == ["crowded is 16.8 cm wide, as its texts have no room in one column"]
    caplog.clear()
    save_all({"crowded": crowded}.items(), [file])
    assert "texts of crowded overlap at 16.8 cm, such as 'word 0' and 'word 1': take a greater width" in caplog.messages


def test_labels_that_are_not_drawn_overlap_nothing():
    """Such as those of ticks beyond the ends of an axis."""
    with in_print_at(8.4):
        figure, axes = panels(["one", "two"], 3, columns=1)
    for axis in axes:
        axis.plot([0, 1], [0, 1])
        axis.set_ylim(-0.03, 1.03)
    lay_out(figure, 8.4 / 2.54)
    assert overlaps(figure) == []
    axes[0].text(0.5, 0.5, "some text")
    axes[0].text(0.52, 0.5, "another")
    assert overlaps(figure) == [("some text", "another")]
    plt.close(figure)


def test_texts_of_a_panel_that_is_not_seen_overlap_nothing():
    with in_print_at(16):
        figure, axes = panels(["one", "two"], 3, columns=2)
    for axis in axes:
        axis.text(0.5, 0.5, "some text")
        axis.text(0.52, 0.5, "another")
    axes[0].set_visible(False)
    lay_out(figure, 16 / 2.54)
    assert overlaps(figure) == [("some text", "another")]
    axes[1].set_visible(False)
    assert overlaps(figure) == []
    plt.close(figure)


def test_a_figure_whose_texts_overlap_becomes_higher_but_no_higher_than_a_page():
    """At 2 inches the words are 40 points apart in height, of which they need a little more, and at 8 there is no room."""
    for first, words, fits, height in ((2.0, 22, True, 2.5), (8.0, 110, False, 8.0), (2.0, 60, False, 2.0)):
        figure = plt.figure(figsize=(3.3, first))
        for number in range(words):
            figure.text(0.1, (number + 0.5) / words, f"word {number}", fontsize=9)
        assert _has_room(figure, 8.4) is fits
        assert figure.get_figheight() == pytest.approx(height)
        plt.close(figure)


def test_a_long_name_in_a_key_is_broken_into_lines():
    with in_print_at(8.4):
        figure, (axis,) = panels(["a panel"], 2)
        axis.plot([0, 1], [0, 1], label="x")
        name = (
            "a family with a name that is as long as that of a whole sentence on what its models have been trained with"
        )
        figure.legend(axis.get_lines(), [name], loc="outside upper left")
        lay_out(figure, 8.4 / 2.54)
    (text,) = figure.legends[0].get_texts()
    assert text.get_text().replace("\n", " ") == name
    assert "\n" in text.get_text()
    assert text.get_window_extent().width / figure.dpi < (WIDEST + 0.1) * 8.4 / 2.54
    assert figure.get_tightbbox().x1 < 8.4 / 2.54
    plt.close(figure)


def test_a_figure_is_drawn_at_the_size_of_its_page_or_as_wide_as_columns_of_text():
    assert drawn_size(6.4, 2.0) == drawn_size(6.4, 2.0, columns=2) == (6.4, 2.0)
    with in_print_at(8.4):
        assert drawn_size(6.4, 2.0) == pytest.approx((8.4 / 2.54, 1.5))
        assert drawn_size(6.4, 2.0, columns=2) == pytest.approx((16.8 / 2.54, 1.5))
        with in_print_at(16.0):
            assert drawn_size(6.4, 2.0) == pytest.approx((16.0 / 2.54, 1.5))
        assert drawn_size(6.4, 2.0) == pytest.approx((8.4 / 2.54, 1.5))
    assert drawn_size(6.4, 2.0) == (6.4, 2.0)


def test_lines_and_markers_are_smaller_in_print_as_rows_are():
    assert to_scale(4) == 4
    with in_print_at(8.4):
        assert to_scale(4) == 3
        figure = drawn(titles=1, agents=1)
    line, point = figure.axes[0].get_lines()
    assert (line.get_linewidth(), point.get_markersize(), point.get_markeredgewidth()) == pytest.approx(
        (0.9, 3.75, 0.675)
    )
    (across, *_), (below, *_) = figure.axes[0].get_xgridlines(), figure.axes[0].xaxis.get_major_ticks()
    assert (across.get_linewidth(), below.tick1line.get_markersize()) == pytest.approx((0.6, 2.625))
    plt.close(figure)


def test_a_title_ends_before_a_bar_of_colours():
    with in_print_at(8.4):
        figure, (axis,) = panels([TITLE], 4)
        bar = figure.colorbar(ScalarMappable(), ax=axis, fraction=0.3)
        lay_out(figure, 8.4 / 2.54)
        colours = bar.ax.get_window_extent()
        texts = [child for child in axis.get_children() if isinstance(child, Text) and child.get_text()]
    assert [text.get_text().replace("\n", " ") for text in texts] == [TITLE]
    assert texts[0].get_window_extent().x1 < colours.x0
    plt.close(figure)


def test_a_label_that_is_nearly_as_long_as_the_figure_is_high_moves_its_panel_off_the_edge(caplog):
    """In the middle of its panel, which is no middle of the figure, it would be cut off below."""
    with in_print_at(8.4):
        figure, (axis,) = panels(["a title of\ntwo lines"], 3)
    axis.set_ylabel("share of right answers, m")
    lay_out(figure, 8.4 / 2.54)
    ink, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert 0 < ink.x0 < ink.x1 < width
    assert 0 < ink.y0 < ink.y1 < height
    assert said(caplog) == []
    axis.set_ylabel("share of right answers, with each of the prompts")
    lay_out(figure, 8.4 / 2.54)
    assert said(caplog) == ["a name is too long for a figure 8.4 cm wide, and is cut off: shorten it"]
    plt.close(figure)


SIZES = {"fontsize", "labelsize", "linewidth", "linewidths", "markersize", "s", "markeredgewidth"}
"""The arguments of matplotlib's functions that are sizes in points."""
PAGE_MODULES = {"report/picture.py"}
"""The modules that draw for pages of HTML alone."""


def fixed_sizes(code):
    """The arguments and keys of a module that give a size in points as a number, which print would not make smaller."""
    for node in ast.walk(tree_of(code)):
        if isinstance(node, ast.keyword):
            named = [(node.arg, node.value)]
        elif isinstance(node, ast.Dict):
            named = [(getattr(key, "value", None), value) for key, value in zip(node.keys, node.values, strict=True)]
        else:
            continue
        for name, value in named:
            if (
                name in SIZES
                and isinstance(value, ast.Constant)
                and isinstance(value.value, int | float)
                and value.value
            ):
                yield f"{name}={value.value}"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("axis.plot(x, y, linewidth=0.8)", ["linewidth=0.8"]),
        ("axis.set_title('a', fontsize=9)", ["fontsize=9"]),
        ("LOOK = {'markersize': 4}", ["markersize=4"]),
        ("axis.plot(x, y, linewidth=to_scale(0.8))", []),
        ("axis.set_xticks(x, fontsize='small')", []),
        ("axis.axhspan(0, 1, linewidth=0)", []),
    ],
)
def test_a_size_that_print_would_not_make_smaller_is_found(code, found):
    assert list(fixed_sizes(code)) == found


def test_no_figure_is_drawn_with_sizes_that_print_would_not_make_smaller():
    package = ROOT / "workflow/scripts/relprobe"
    modules = [file for folder in ("studies", "report") for file in (package / folder).rglob("*.py")]
    found = {file.relative_to(package).as_posix(): [*fixed_sizes(file.read_text("utf-8"))] for file in modules}
    assert {name: sizes for name, sizes in found.items() if sizes and name not in PAGE_MODULES} == {}


def test_a_figure_without_a_layout_has_its_panels_below_each_other(tmp_path):
    figure, axes = panels(["a", "b", "c"], 3, 2)
    print_plainly(figure, [tmp_path / "figure.png", tmp_path / "figure.pdf"], 7.7)
    assert figure.get_size_inches()[0] == pytest.approx(7.7 / 2.54)
    boxes = [axis.get_position() for axis in axes]
    assert [(box.x0, box.x1) for box in boxes] == [pytest.approx((0.35, 0.95))] * 3
    assert [box.y0 for box in boxes] == pytest.approx([0.92 - (number + 0.8) * 0.28 for number in range(3)])
    assert [box.height for box in boxes] == pytest.approx([0.6 * 0.28] * 3)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figure.pdf", "figure.png"]
    assert b"CreationDate" not in (tmp_path / "figure.pdf").read_bytes()  # equal figures are equal files, whenever


def test_a_figure_in_print_is_smaller_and_no_higher_than_a_page_unless_its_rows_would_touch():
    """A figure of 5 inches, one that fits by denser rows alone, and one that fits in no way."""
    page = HIGHEST / 2.54
    tight = page / DENSEST
    assert size_in_print(8.4, 5.0) == pytest.approx((8.4 / 2.54, 5.0 * SMALLER))
    assert size_in_print(8.4, 0.99 * tight) == pytest.approx((8.4 / 2.54, page))
    assert size_in_print(2.54, 1.5 * tight) == pytest.approx((1.0, 1.5 * page))
    assert (is_too_high(0.99 * tight), is_too_high(1.01 * tight)) == (False, True)


def test_a_figure_without_a_layout_stays_as_it_is_and_one_with_a_layout_is_arranged():
    plain, laid_out = plt.figure(layout="none"), plt.figure(layout="constrained")
    places = [
        figure.add_axes((0.4, 0.4, 0.2, 0.2)) if figure is plain else figure.add_subplot()
        for figure in (plain, laid_out)
    ]
    before = [axes.get_position().bounds for axes in places]
    for figure in (plain, laid_out, plt.figure(layout="constrained")):  # the last one has nothing to place
        arrange(figure)
    assert [axes.get_position().bounds == old for axes, old in zip(places, before, strict=True)] == [True, False]
    plt.close("all")
