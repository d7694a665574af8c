import errno
import itertools

import matplotlib.image as mpimg
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.layout_engine import LayoutEngine
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from relprobe.core.errors import DataError
from relprobe.report.agent_styles import SCHEMES, agent_styles
from relprobe.report.figures import (
    ON_COLOUR,
    PALETTE,
    cells,
    dots,
    family_key,
    label_rows,
    line_colour,
    nothing_to_draw,
    panels,
    part_colours,
    parts,
    save,
    save_all,
    spread_places,
)
from relprobe.report.figures.areas import label_columns, luminance
from relprobe.report.figures.canvas import hold_all, is_undrawn, try_to_draw
from relprobe.report.page import FAILED, UNDRAWN
from relprobe.report.widths import LEFT_OUT

from tests.drawn import lines_of
from tests.logs import said


@pytest.fixture
def axis():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def texts(axis):
    return [text.get_text() for text in axis.texts]


def test_rows_show_their_values_and_the_word_missing(axis):
    styles = list(agent_styles({"a": "masked", "b": "causal"}, {}).values())
    dots(axis, ["a", "b"], [0.5, None], styles, [(0.4, 0.6), (None, None)])
    assert texts(axis) == ["0.50", "missing"]
    assert [list(line.get_xdata()) for line in axis.get_lines()] == [[0.4, 0.6], [0.5]]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["a", "b"]


def test_of_the_names_beside_bars_those_of_agents_alone_are_marked(axis):
    names, shares = ["gpt", "all words"], {"right": [0.5, 0.25], "wrong": [0.5, 0.75]}
    parts(axis, names, shares, ["#000000", "#ffffff"], {("gpt", "right"): "gpt.html"})
    assert [label.get_gid() for label in axis.get_yticklabels()] == ["agent=gpt=1", None]  # behind the bar, 0
    label_rows(axis, names)
    assert [label.get_gid() for label in axis.get_yticklabels()] == ["agent=gpt=2", "agent=all%20words=3"]


@pytest.mark.parametrize("end", [1.0, 1.02, 1.15])
@pytest.mark.parametrize("seed", range(4))
def test_values_are_a_column_at_the_right_that_covers_no_marker_and_no_line(seed, end):
    """Rows are as near to each other as in any figure of a page."""
    drawn, agents = np.random.default_rng(seed), [f"a{number}" for number in range(9)]
    values = [0.0, 1.0, None, *drawn.uniform(0, 1, 6)]
    bounds = [(None, None) if value is None else (max(value - 0.5, 0), min(value + 0.55, 1)) for value in values]
    figure, (axis,) = panels(["All"], len(agents), columns=1)
    dots(axis, agents, values, list(agent_styles(dict.fromkeys(agents, "masked"), {}).values()), bounds)
    axis.set_xlim(0, end)
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    points = figure.dpi / 72
    inks = [Text.get_window_extent(text, renderer) for text in axis.texts]
    assert len({round(ink.x0, 3) for ink in inks}) == 1
    for row, ink in enumerate(inks):
        assert abs((ink.y0 + ink.y1) / 2 - axis.transData.transform((0, row))[1]) < 0.5 * points
        for line in axis.get_lines():
            size = line.get_markersize() if line.get_marker() not in ("None", None, "") else 0
            right = axis.transData.transform((max(line.get_xdata()), 0))[0] + size / 2 * points
            assert right < ink.x0
    for above, below in itertools.pairwise(inks):
        assert below.y1 < above.y0
    plt.close(figure)


def test_what_belongs_to_an_agent_has_its_name_and_its_link(axis, tmp_path):
    styles = agent_styles({"a/b": "masked", "c": "causal"}, {})
    dots(axis, list(styles), [0.5, 0.2], list(styles.values()), links=["../answers.html#a=a%2Fb", None])
    save(axis.figure, tmp_path / "one")
    svg = (tmp_path / "one.svg").read_text()
    assert svg.count('id="agent=a%2Fb=') == 3  # its marker, its value and its label
    assert svg.count('xlink:href="../answers.html#a=a%2Fb"') == 2


def test_labels_at_the_ends_of_lines_keep_apart():
    assert spread_places([0.5, 0.1, 0.12], 0.1) == [0.5, 0.06, 0.16]
    assert spread_places([], 0.1) == []
    gaps = sorted(spread_places([0.2] * 17, 0.07))
    assert all(b - a == pytest.approx(0.07) for a, b in itertools.pairwise(gaps))


@pytest.mark.parametrize("count", [0, 2, 6])
def test_the_first_six_parts_have_the_colours_of_the_palette(count):
    assert part_colours(count) == list(PALETTE[:count])


def test_any_number_of_parts_have_distinct_colours(axis):
    assert len({to_hex(colour) for colour in part_colours(100)}) == 100
    assert part_colours(100)[:7] == part_colours(7)
    names = [f"R{number}" for number in range(20)]
    parts(axis, ["a"], {name: [0.05] for name in names}, part_colours(len(names)))
    assert [bar.get_width() for bar in axis.patches] == pytest.approx([0.05] * 20)


def test_parts_are_side_by_side_and_named_where_there_is_room(axis):
    parts(axis, ["a", "b"], {"HYP": [0.5, 0.96875], "SYN": [0.5, 0.03125]}, ["#000000", "#F0E442"])
    spans = [(bar.get_x(), bar.get_width()) for bar in axis.patches]
    assert spans == [(0, 0.5), (0, 0.96875), (0.5, 0.5), (0.96875, 0.03125)]
    assert texts(axis) == ["HYP", "HYP", "SYN"]
    assert [text.get_color() for text in axis.texts] == [ON_COLOUR["white"], ON_COLOUR["white"], ON_COLOUR["black"]]


def test_the_text_of_a_cell_is_black_or_white_by_its_colour(axis):
    drawn = cells(axis, [[None, 0.25], [1.0, 0.0]], "Greys", (0, 1), [["", ".25"], ["1.00", ".00"]])
    assert texts(axis) == ["", ".25", "1.00", ".00"]
    inks = [text.get_color() for text in axis.texts]
    assert inks == ["black", ON_COLOUR["black"], ON_COLOUR["white"], ON_COLOUR["black"]]
    assert drawn[0][0].get_facecolor()[3] == 0  # no colour at all


def test_equal_figures_are_equal_files(tmp_path):
    for name in ("one", "other"):
        figure, axis = plt.subplots()
        dots(axis, ["a"], [0.5], list(agent_styles({"a": "causal"}, {}).values()))
        save(figure, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "other.png").read_bytes()


def test_a_figure_that_is_asked_for_in_both_forms_is_saved_once(tmp_path):
    files = [tmp_path / "one.svg", tmp_path / "one.png"]
    save_all([("one", plt.figure)], files)
    assert all(file.is_file() for file in files)


def test_a_path_without_a_figure_is_named(tmp_path):
    with pytest.raises(DataError, match=r"there is no figure for .*other\.svg: name the same figures"):
        save_all([("one", plt.figure)], [tmp_path / "one.svg", tmp_path / "other.svg"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.png", "one.svg"]


def test_no_colour_of_a_value_is_one_that_the_dark_scheme_swaps(axis, tmp_path):
    """A page swaps black, white and families' colours; in a heat map these would turn the scale round."""
    cells(axis, [[0.0, 1.0]], "Greys", (0, 1), [["0", "1"]])
    parts(axis, ["m"], {"a": [0.5], "b": [0.5]}, part_colours(2))
    faces = {to_hex(patch.get_facecolor()) for patch in axis.patches}
    assert faces & set(SCHEMES) == set()
    assert {"#fffffe", "#000001"} <= faces


def test_the_lowest_panel_of_each_column_has_the_numbers_of_the_axis():
    figure, axes = panels(["a", "b", "c", "d"], rows_each=2)
    figure.canvas.draw()
    assert [axis.xaxis.get_tick_params()["labelbottom"] for axis in axes] == [False, True, True, True]
    plt.close(figure)


def test_a_marker_at_the_end_of_its_axis_is_drawn_whole(axis):
    (look,) = agent_styles({"a": "masked"}, {}).values()
    dots(axis, ["a"], [0.0], [look], [(0.0, 0.5)])
    interval, point = axis.get_lines()
    assert (interval.get_clip_on(), point.get_clip_on()) == (True, False)


def test_no_line_is_as_light_as_the_yellow_of_bars():
    assert max(luminance(line_colour(colour)) for colour in part_colours(12)) < 0.6 < max(map(luminance, PALETTE))


def edges_with_ink(path):
    image = mpimg.imread(path)[..., :3]
    edges = {"top": image[0], "bottom": image[-1], "left": image[:, 0], "right": image[:, -1]}
    return [name for name, pixels in edges.items() if np.any(pixels < 0.99)]


LONG = "share of hyponyms answered rightly (outlines: controls; n: hyponyms; dotted lines: p < 0.05, permutation test)"


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("agents", [1, 12])
def test_no_ink_touches_an_edge_of_a_figure_whatever_its_labels_and_keys(count, columns, agents, tmp_path):
    names = [f"a-model-with-quite-a-long-name-{number}" for number in range(agents)]
    styles = agent_styles(dict.fromkeys(names, "masked"), {})
    figure, axes = panels([f"the title of panel {number}, n = 1,234" for number in range(count)], agents, columns)
    for axis in axes:
        dots(axis, names, [0.99] * agents, list(styles.values()), [(0.5, 1.0)] * agents)
        axis.annotate("a name beside", (1.06, 0.5), xycoords="axes fraction", annotation_clip=False)
    figure.supxlabel(LONG)
    figure.supylabel(LONG)
    family_key(figure, styles.values())
    save(figure, tmp_path / "figure")
    assert edges_with_ink(tmp_path / "figure.png") == []


def test_a_figure_that_is_only_a_long_sentence_holds_it(tmp_path):
    save(nothing_to_draw(LONG), tmp_path / "figure")
    assert edges_with_ink(tmp_path / "figure.png") == []


def test_a_figure_that_holds_its_labels_keeps_its_size(tmp_path):
    figure, _ = panels(["a", "b", "c"], rows_each=3)
    before = tuple(figure.get_size_inches())
    save(figure, tmp_path / "figure")
    assert tuple(figure.get_size_inches()) == before


@pytest.mark.parametrize("suffix", ["pdf", "ps"])
def test_letters_in_files_for_print_are_no_fonts_of_type_3(suffix, axis, tmp_path):
    axis.set_xlabel("accuracy")
    path = tmp_path / f"figure.{suffix}"
    axis.figure.savefig(path)
    content = path.read_bytes()
    assert b"/FontType 3" not in content and b"/Type3" not in content
    assert b"/FontType 42" in content or b"/CIDFontType2" in content


@pytest.mark.parametrize("shades", ["Greys", "Blues", "PuOr", "viridis"])
def test_a_faint_cell_is_hatched_and_looks_like_no_value_in_either_scheme(shades, axis):
    drawn = cells(axis, [[0.0, 0.5, 1.0, 0.9]], shades, (0, 1), [["0", ".5", "1", ".9"]], [[False] * 3 + [True]])
    *valued, faint = drawn[0]
    assert faint.get_hatch() and not any(cell.get_hatch() for cell in valued)
    assert faint.get_facecolor()[3] == 1, "a cell without colour is as dark as the page in the dark scheme"
    assert {to_hex(faint.get_facecolor()), to_hex(faint.get_edgecolor()), axis.texts[3].get_color()} & set(
        SCHEMES
    ) == set()
    assert luminance(faint.get_facecolor()) > 0.9
    assert luminance(axis.texts[3].get_color()) < 0.25


def test_cells_in_full(axis):
    """The colours lie half-way, at the end and at five eighths of the map, whose limits are -1 and 1."""
    texts, faint = [["a", "b"], ["c", "d", "e"]], [[False, False], [False, True, False]]
    drawn = cells(axis, [[0.0, 1.0], [None, 0.5, 0.25]], "viridis", (-1.0, 1.0), texts, faint)
    assert [len(row) for row in drawn] == [2, 3]
    assert not any(line.get_visible() for line in (*axis.get_xgridlines(), *axis.get_ygridlines()))
    assert (
        lines_of(axis.figure)[1:]
        == """\
panel ''
  x from -0.5 to 2.5
  y from 1.5 to -0.5
  area #21918c -0.5 -0.5 to 0.5 0.5
  area #fde725 0.5 -0.5 to 1.5 0.5
  area #00000000 -0.5 0.5 to 0.5 1.5
  area #fdfdfd 0.5 0.5 to 1.5 1.5
  area #28ae80 1.5 0.5 to 2.5 1.5
  text 'a' at 0 0, 7.5 pt #010101
  text 'b' at 1 0, 7.5 pt #010101
  text 'c' at 0 1, 7.5 pt #000000
  text 'd' at 1 1, 7.5 pt #767676
  text 'e' at 2 1, 7.5 pt #010101
""".splitlines()
    )


def test_parts_in_full(axis):
    """A part of 0.06 is wide enough for its name, and one of 0.05 is not."""
    shares = {"x": [0.05, 0.5], "y": [0.95, 0.06], "z": [0, 0.44]}
    parts(axis, ["one", "two"], shares, part_colours(3), {("one", "x"): "../answers.html#v"})
    label_columns(axis, ["long name", "b"])
    assert {(text.get_rotation(), text.get_ha(), text.get_fontsize()) for text in axis.get_xticklabels()} == {
        (40, "right", 7.497)
    }
    assert (
        lines_of(axis.figure)[1:]
        == """\
panel ''
  x from 0 to 1: 0 1: long name, b
  y from 1.6 to -0.6: 0 1: one, two
  area #0072b3 0 -0.4 to 0.05 0.4 of one -> v
  area #0072b3 0 0.6 to 0.5 1.4
  area #56b4ea 0.05 -0.4 to 1 0.4
  area #56b4ea 0.5 0.6 to 0.56 1.4
  area #009e74 1 -0.4 to 1 0.4
  area #009e74 0.56 0.6 to 1 1.4
  text 'x' at 0.25 1, 7.5 pt #fefefe
  text 'y' at 0.525 0, 7.5 pt #010101
  text 'y' at 0.53 1, 7.5 pt #010101
  text 'z' at 0.78 1, 7.5 pt #010101
""".splitlines()
    )


@pytest.mark.parametrize(
    ("count", "columns", "size", "seen"),
    [(1, 3, (5.76, 1.73), 1), (2, 3, (6.4, 1.73), 2), (4, 3, (9.6, 3.16), 4), (5, 2, (6.4, 4.59), 5)],
)
def test_the_size_of_panels_follows_from_their_number_and_spare_ones_are_not_seen(count, columns, size, seen):
    figure, axes = panels([f"t{number}" for number in range(count)], 3, columns)
    assert tuple(figure.get_size_inches()) == pytest.approx(size)
    assert (len(axes), sum(axis.get_visible() for axis in figure.axes)) == (seen, seen)
    assert [axis.get_title(loc="left") for axis in axes] == [f"t{number}" for number in range(count)]


def test_a_key_of_families_stands_above_in_as_many_columns_as_fit():
    styles = agent_styles({f"m{number}": "masked" for number in range(9)}, {})
    figure, _ = panels(["a"], 9, 1)  # 5.76 inches wide
    family_key(figure, styles.values())
    (key,) = figure.legends
    assert (key._ncols, len(key.get_texts()), key.get_texts()[0].get_fontsize()) == (4, 9, 7.497)
    assert key.handletextpad == 0.1


@pytest.mark.parametrize(("families", "shown"), [("ab", ["a", "b"]), ("aa", [])])
def test_a_key_tells_two_families_apart_and_one_needs_none(families, shown):
    styles = agent_styles({"m": "masked", "n": "causal"}, dict(zip("mn", families, strict=True)))
    figure, _ = panels(["a"], 2, 1)
    family_key(figure, styles.values())
    assert [text.get_text() for key in figure.legends for text in key.get_texts()] == shown


def test_a_key_has_the_models_own_controls_as_outlines_and_further_marks_last():
    styles = agent_styles({"m": "masked"}, {"m": "M"})
    figure, _ = panels(["a"], 2, 1)
    family_key(figure, styles.values(), "own controls", {"people": plt.Line2D([], [], color="#000000")})
    assert [line for line in lines_of(figure) if line.startswith("key")] == [
        "key M: #0072b2 o 5 pt",
        "key own controls: #808080 o 5 pt filled #ffffff",
        "key people: #000000 - 1.2 pt",
    ]
    plt.close(figure)


@pytest.mark.parametrize(
    ("positions", "gap", "limits", "moved"),
    [
        ([0.0, 0.0, 0.0], 0.5, None, [-0.5, 0.0, 0.5]),
        ([1.0, 0.9], 0.2, (0.0, 1.0), [1.0, 0.8]),
        ([0.0, 0.1, 1.0], 0.6, (0.0, 1.0), [0.0, 0.6, 1.2]),
        ([0.5], 0.2, (0.0, 0.4), [0.4]),
        ([0.3, 0.5, 0.7], 0.2, (0.0, 1.0), [0.3, 0.5, 0.7]),
        ([0.0, 0.3, 0.33], 0.25, None, [-0.04, 0.21, 0.46]),
    ],
)
def test_where_labels_go_by_hand(positions, gap, limits, moved):
    """Of three labels that need more room than there is, the first is at the low end; in the last row two meet a third."""
    assert spread_places(positions, gap, limits) == pytest.approx(moved)


def test_a_figure_is_undrawn_by_its_kind_and_not_by_its_words():
    sentence = f"{UNDRAWN} (no memory)."
    undrawn, other, quoted = nothing_to_draw(sentence, FAILED), nothing_to_draw(sentence), plt.figure()
    quoted.text(0, 0, sentence)
    assert [is_undrawn(figure) for figure in (undrawn, other, quoted)] == [True, False, False]
    plt.close("all")


@pytest.mark.parametrize(
    ("colour", "light"),
    [("#ff0000", 0.2126), ("#00ff00", 0.7152), ("#0000ff", 0.0722), ("white", 1.0), ("black", 0.0), ("0.5", 0.5**2.2)],
)
def test_the_luminance_of_a_colour_is_that_of_its_parts(colour, light):
    assert luminance(colour) == pytest.approx(light)


def test_the_sentence_of_a_figure_without_values_begins_at_its_left_edge_and_lies_in_its_middle():
    (text,) = nothing_to_draw("No agent has values.").texts
    assert (text.get_text(), text.get_position(), text.get_va()) == ("No agent has values.", (0.01, 0.5), "center")


class Broken(Rectangle):
    """A part of a figure that fails where it is laid out, or where it is drawn as well."""

    def __init__(self, at, error):
        super().__init__((0.1, 0.1), 0.2, 0.2)
        self.at, self.error = at, error

    def get_tightbbox(self, renderer=None):
        raise self.error

    def draw(self, renderer):
        if self.at == "drawing":
            raise self.error
        super().draw(renderer)


def broken_figure(at, error=None):
    figure = plt.figure()
    figure.text(0.5, 0.5, "robin")
    figure.add_artist(Broken(at, error or ZeroDivisionError("no room")))
    return figure


PLAINLY = "the figure one is laid out plainly (ZeroDivisionError: no room)"


@pytest.mark.parametrize(
    ("at", "shown", "logged"),
    [
        ("layout", "robin", [PLAINLY]),
        (
            "drawing",
            f"{UNDRAWN} (ZeroDivisionError: no room).",
            [PLAINLY, PLAINLY, "the figure one cannot be drawn"],
        ),
    ],
)
@pytest.mark.parametrize("file", ["one.svg", "8.4cm/one.pdf"])
def test_a_figure_without_a_layout_is_saved_as_it_was_drawn_and_else_a_sentence(
    at, shown, logged, file, tmp_path, caplog
):
    """In print those whose place has a sentence are listed beside them, for the manuscript to leave out."""
    other = plt.figure()
    save_all([("one", lambda: broken_figure(at))], [tmp_path / file])
    assert said(caplog) == logged
    assert [record.exc_info is not None for record in caplog.records if record.levelname == "ERROR"] == [True] * (
        at == "drawing"
    )
    left_out = (tmp_path / file).with_name(LEFT_OUT)
    if file.endswith(".svg"):
        texts = {
            word
            for word in ("robin", f"{UNDRAWN} (ZeroDivisionError: no room).")
            if word in (tmp_path / file).read_text()
        }
        assert texts == {shown}
        assert not left_out.exists()
    else:
        assert (tmp_path / file).stat().st_size > 0
        assert (left_out.read_text() if left_out.exists() else "") == ("one\n" if at == "drawing" else "")
    assert plt.get_fignums() == [other.number]
    plt.close("all")


class BrokenEngine(LayoutEngine):
    """Arranges no figure."""

    _adjust_compatible = _colorbar_gridspec = True

    def execute(self, fig):
        raise ZeroDivisionError("no room")


def test_a_figure_that_cannot_be_arranged_is_saved_as_it_was_drawn(tmp_path, caplog):
    def figure():
        figure, _ = plt.subplots(layout=BrokenEngine())
        figure.text(0.5, 0.5, "robin")
        return figure

    save_all([("one", figure)], [tmp_path / "one.svg"])
    assert said(caplog) == [PLAINLY]
    assert "robin" in (tmp_path / "one.svg").read_text()


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space"), MemoryError()])
def test_what_the_system_refuses_ends_a_step_and_is_no_sentence(error, tmp_path):
    def refused():
        raise error

    def listed():
        yield "one", refused
        raise error

    for figures in ([("one", refused)], [("one", lambda: broken_figure("drawing", error))], listed()):
        with pytest.raises(type(error)):
            save_all(figures, [tmp_path / "one.svg"])
    assert [*tmp_path.iterdir()] == []
    plt.close("all")


def test_a_figure_whose_drawing_fails_leaves_none_open_and_closes_no_other(caplog):
    before = plt.figure()

    def failing():
        plt.figure()
        raise KeyError("agent")

    figure = try_to_draw("one", failing)
    assert [text.get_text() for text in figure.texts] == [f"{UNDRAWN} (KeyError: 'agent')."]
    assert is_undrawn(figure)
    assert plt.get_fignums() == [before.number, figure.number]
    assert said(caplog) == ["the figure one cannot be drawn"]
    assert caplog.records[0].exc_info
    plt.close("all")


def test_where_the_list_of_figures_breaks_off_those_that_are_left_are_sentences(tmp_path):
    def listed():
        yield "one", lambda: nothing_to_draw("No agent has values.")
        raise ZeroDivisionError("no table")

    save_all(listed(), [tmp_path / f"{name}.svg" for name in ("one", "two", "three")])
    undrawn = f"{UNDRAWN} (ZeroDivisionError: no table)."
    found = {name: undrawn in (tmp_path / f"{name}.svg").read_text() for name in ("one", "two", "three")}
    assert found == {"one": False, "two": True, "three": True}


def test_a_figure_for_print_that_cannot_be_drawn_is_listed_and_the_others_are_not(tmp_path):
    def failing():
        raise ZeroDivisionError("no table")

    makers = {"one": failing, "two": lambda: nothing_to_draw("No agent has values."), "three": failing}
    save_all(makers.items(), [tmp_path / f"8.4cm/{name}.pdf" for name in makers])
    assert (tmp_path / "8.4cm" / LEFT_OUT).read_text() == "one\nthree\n"


def test_a_figure_grows_by_what_is_drawn_beyond_its_edges_and_a_margin():
    """Of 4 by 2 inches: something reaches to 5 inches from the left, and to 3 from below."""
    figure = plt.figure(figsize=(4, 2))
    figure.add_artist(Rectangle((1, 1), 4, 0.5, transform=figure.dpi_scale_trans))
    hold_all(figure)
    assert tuple(figure.get_size_inches()) == pytest.approx((5.04, 2))
    figure.add_artist(Rectangle((1, 1), 1, 2, transform=figure.dpi_scale_trans))
    hold_all(figure)
    assert tuple(figure.get_size_inches()) == pytest.approx((5.04, 3.04))
    plt.close(figure)


def test_the_look_that_all_figures_share(tmp_path):
    """No frame but the two axes, a pale grid behind what is drawn, texts of two sizes, and keys without a box."""
    styles = agent_styles({"m": "masked", "n": "causal"}, {"m": "M", "n": "N"})
    figure, (axis,) = panels(["a title of $5 and $6"], 2)
    (line,) = axis.plot([0, 1], [0, 1])
    axis.set_xlabel("x")
    figure.supxlabel("label")
    family_key(figure, styles.values())
    assert {name for name, spine in axis.spines.items() if spine.get_visible()} == {"left", "bottom"}
    grid = [*axis.get_xgridlines(), *axis.get_ygridlines()]
    assert {(one.get_visible(), to_hex(one.get_color())) for one in grid} == {(True, "#dddddd")}
    assert axis.get_axisbelow() is True  # the grid lies behind what is drawn
    assert line.get_linewidth() == 1.2
    title = axis._left_title
    sizes = [text.get_fontsize() for text in (title, axis.xaxis.label, figure._supxlabel)]
    assert (title.get_text(), sizes) == ("a title of $5 and $6", [9, 9, 9])
    (key,) = figure.legends
    assert ([text.get_fontsize() for text in key.get_texts()], key.get_frame_on()) == ([7.497, 7.497], False)
    save(figure, tmp_path / "figure")
    svg = (tmp_path / "figure.svg").read_text()
    assert ">a title of $5 and $6</text>" in svg  # text, which a reader can search
    assert "<dc:date>" not in svg
    width, height = figure.get_size_inches()
    assert mpimg.imread(tmp_path / "figure.png").shape[:2] == (int(150 * height), int(150 * width))
