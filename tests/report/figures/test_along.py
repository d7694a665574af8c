"""Lines along layers, sizes and training steps: all that a figure of a small series shows (tests/drawn.py)."""

import matplotlib.pyplot as plt
import polars as pl
import pytest
from matplotlib.text import Text
from relprobe.core.errors import DataError
from relprobe.report.agent_styles import agent_styles
from relprobe.report.figures import layer_figure
from relprobe.report.figures.along import _scale, lines_along

from tests.drawn import lines_of

NAMES = [
    "series",
    "agent",
    "axis",
    "place",
    "label",
    "variant",
    "condition",
    "metric",
    "value",
    "low",
    "high",
    "versus",
]
NUMBERS = ("place", "value", "low", "high")
STYLES = agent_styles(
    {"m-0": "masked", "m-2": "masked", "n-0": "causal", "n-2": "causal", "p": "humans", "c": "control"},
    {"m-0": "M", "m-2": "M", "n-0": "N", "n-2": "N"},
)


def series(*rows):
    """Return the rows of series; what a row leaves out at its end is missing."""
    whole = [(*row, *[None] * (len(NAMES) - len(row))) for row in rows]
    schema = {name: pl.Float64 if name in NUMBERS else pl.String for name in NAMES}
    return pl.DataFrame(whole, schema=schema, orient="row")


def address(row):
    return f"../answers.html#a={row['agent']}"


LAYERS = series(
    *[("m", "m-0", "layer", 0, "0", "raw", "all", "rho", 0.1), ("m", "m-2", "layer", 2, "2", "raw", "all", "rho", 0.5)],
    ("m", "m-0", "layer", 0, "0", "mapped", "all", "rho", 0.2),
    ("m", "m-2", "layer", 2, "2", "mapped", "all", "rho", 0.6),
    ("m", "m-0", "layer", 0, "0", "shuffled", "all", "rho", 0.0),
    ("m", "m-2", "layer", 2, "2", "shuffled", "all", "rho", 0.05),
    ("m", "m-0", "layer", 0, "0", "untrained", "all", "rho", 0.02),
    ("m", "m-2", "layer", 2, "2", "untrained", "all", "rho", 0.03),
    ("p", "p", "layer", None, None, "people", "all", "rho", 0.8, 0.7, 0.9),
    ("p", "p", "layer", None, None, "people", "all", "rho", 0.1),
    ("m", "c", "layer", None, None, "control", "all", "rho", 0.3),
    ("m", "m-0", "layer", 0, "0", "raw", "rare", "rho", -0.5),
    ("m", "m-0", "layer", 0, "0", "raw", "none", "ap", -0.5),
)


def test_a_figure_along_layers_in_full():
    """Where answers after a map are drawn the raw ones are dotted, and both controls of a map grey; people have a band."""
    conditions = {"rare": "Rare", "all": "All", "none": "None"}
    assert (
        lines_of(layer_figure(LAYERS, "rho", "Spearman's ρ", conditions, STYLES))
        == """\
figure 6.4 x 2.78
says layer
says Spearman's ρ
panel 'Rare'
  x from -0.1 to 2.1
  y from -0.54 to 0.864
  line 'm' #0072b2 - 1.2 pt at 0; -0.5
  line #0072b2 o 3.5 pt at 0; -0.5 of m-0
  line #0072b2 - 1.2 pt at 1.01 1.06; 0.028 0.028
  text 'm' at 1.07 0.028, 7.5 pt #000000
panel 'All'
  x from -0.1 to 2.1
  y from -0.54 to 0.864
  line #000000 - 0.8 pt at 0 1; 0.8 0.8
  line #808080 -- 1 pt at 0 1; 0.3 0.3 of c
  line #0072b2 : 1 pt at 0 2; 0.1 0.5
  line 'm' #0072b2 - 1.2 pt at 0 2; 0.2 0.6
  line #0072b2 o 3.5 pt at 0; 0.2 of m-0
  line #0072b2 s 3.5 pt at 2; 0.6 of m-2
  line #808080 -. 1 pt at 0 2; 0 0.05
  line #808080 -- 1 pt at 0 2; 0.02 0.03
  line #0072b2 - 1.2 pt at 1.01 1.06; 0.812 0.812
  area #0000001a 0 0.7 to 1 0.9
  text 'm' at 1.07 0.812, 7.5 pt #000000
""".splitlines()
    )


def test_without_values_along_layers_there_is_a_sentence_and_without_a_table_an_error():
    (text,) = layer_figure(LAYERS, "auc", "AUC", {"all": "All"}, STYLES).texts
    assert text.get_text() == "No agent with layers has values of auc."
    people_alone = layer_figure(LAYERS.filter(variant="people"), "rho", "ρ", {"all": "All"}, STYLES)
    assert [one.get_text() for one in people_alone.texts] == ["No agent with layers has values of rho."]
    with pytest.raises(DataError, match="give them as --series"):
        layer_figure(None, "rho", "ρ", {"all": "All"}, STYLES)


def test_a_figure_along_sizes_in_full():
    """Both lines end at nearly one height, so that their names keep apart; without controls these do not scale the axis."""
    sizes = series(
        ("m", "m-0", "size", 1e8, "100M", "raw", "all", "ap", 0.5),
        ("m", "m-2", "size", 1e9, "1B", "raw", "all", "ap", 0.52),
        ("n", "n-0", "size", 2e8, "200M", "raw", "all", "ap", 0.5),
        ("n", "n-2", "size", 4e9, "4B", "raw", "all", "ap", 0.51),
        ("m", "c", "size", None, None, "control", "all", "ap", 0.9),
    )
    assert (
        lines_of(lines_along([("All", sizes)], STYLES, references=False, address=address))
        == """\
figure 5.76 x 2.78
says parameters
panel 'All'
  x log from 5e+07 to 8e+09: 1e+08 3e+08 1e+09 3e+09: 100M, 300M, 1B, 3B
  y from 0 to 0.562
  line 'm' #0072b2 - 1.2 pt at 1e+08 1e+09; 0.5 0.52
  line #0072b2 o 3.5 pt at 1e+08; 0.5 of m-0 -> a=m-0
  line #0072b2 s 3.5 pt at 1e+09; 0.52 of m-2 -> a=m-2
  line 'n' #d55e00 - 1.2 pt at 2e+08 4e+09; 0.5 0.51
  line #d55e00 o 3.5 pt at 2e+08; 0.5 of n-0 -> a=n-0
  line #d55e00 s 3.5 pt at 4e+09; 0.51 of n-2 -> a=n-2
  line #0072b2 - 1.2 pt at 1.01 1.06; 0.952 0.952
  line #d55e00 - 1.2 pt at 1.01 1.06; 0.882 0.882
  text 'm' at 1.07 0.952, 7.5 pt #000000
  text 'n' at 1.07 0.882, 7.5 pt #000000
""".splitlines()
    )


def test_the_name_of_a_line_and_a_piece_of_it_stand_beside_the_panel_at_the_height_of_its_end():
    rows = LAYERS.filter(condition="all", variant="raw")
    figure = lines_along([("All", rows)], STYLES, references=False)
    (panel,) = figure.axes
    figure.draw_without_rendering()
    box, (name,) = panel.get_window_extent(), panel.texts
    (piece,) = [line for line in panel.get_lines() if line.get_label() == "_key"]
    (line,) = [line for line in panel.get_lines() if line.get_label() == "m"]
    end = panel.transData.transform(line.get_xydata()[-1])[1]
    (left, low), (right, high) = piece.get_transform().transform(piece.get_xydata())
    ink = Text.get_window_extent(name, figure.canvas.get_renderer())
    assert box.x1 < left < right < ink.x0
    assert (low, high) == pytest.approx((end, end))
    assert (ink.y0 + ink.y1) / 2 == pytest.approx(end, abs=2)
    assert (piece.get_clip_on(), name.get_annotation_clip()) == (False, False)
    plt.close(figure)


def test_a_series_that_compares_no_relations_need_not_say_so():
    rows = LAYERS.filter(condition="all")
    assert lines_of(lines_along([("All", rows.drop("versus"))], STYLES)) == lines_of(
        lines_along([("All", rows)], STYLES)
    )


@pytest.mark.parametrize(
    ("largest", "ticks"), [(5e10, "1e+08 1e+09 1e+10 1e+11"), (2e10, "1e+08 3e+08 1e+09 3e+09 1e+10 3e+10")]
)
def test_sizes_of_many_powers_of_ten_have_these_as_ticks_alone(largest, ticks):
    sizes = series(
        ("m", "m-0", "size", 1e8, "100M", "raw", "all", "ap", 0.5),
        ("m", "m-2", "size", largest, "", "raw", "all", "ap", 0.5),
    )
    (axis,) = [line for line in lines_of(lines_along([("All", sizes)], STYLES)) if line.startswith("  x")]
    assert axis.split(": ")[1] == ticks


def test_a_figure_along_training_steps_in_full():
    """Relations that are compared have a line each, in colours of their own; of these the mapped answers alone are drawn."""
    steps = series(
        ("m", "m-0", "step", 0, "0", "mapped", "HYP", "ap", 0.5, None, None, "MER"),
        ("m", "m-2", "step", 1000, "1k", "mapped", "HYP", "ap", 0.52, None, None, "MER"),
        ("m", "m-0", "step", 0, "0", "mapped", "HYP", "ap", 0.1, None, None, "ANT"),
        ("m", "m-2", "step", 1000, "1k", "mapped", "HYP", "ap", 0.2, None, None, "ANT"),
        ("m", "m-2", "step", 1000, "1k", "raw", "HYP", "ap", 0.9, None, None, "ANT"),
        ("m", "c", "step", None, None, "control", "HYP", "ap", 0.95, None, None, "ANT"),
    )
    colours = {"MER": "#112233", "ANT": "#112233"}
    assert (
        lines_of(lines_along([("HYP", steps)], STYLES, colours=colours, address=address))
        == """\
figure 5.76 x 2.78
says training step
panel 'HYP'
  x symlog from 0 to 1500
  y from 0 to 1.026
  line #808080 -- 1 pt at 0 1; 0.95 0.95 of c -> a=c
  line 'MER' #112233 - 1.2 pt at 0 1000; 0.5 0.52
  line #112233 o 3.5 pt at 0; 0.5 of m-0 -> a=m-0
  line #112233 s 3.5 pt at 1000; 0.52 of m-2 -> a=m-2
  line 'ANT' #112233 -- 1.2 pt at 0 1000; 0.1 0.2
  line #112233 o 3.5 pt at 0; 0.1 of m-0 -> a=m-0
  line #112233 s 3.5 pt at 1000; 0.2 of m-2 -> a=m-2
  line #112233 - 1.2 pt at 1.01 1.06; 0.507 0.507
  line #112233 -- 1.2 pt at 1.01 1.06; 0.195 0.195
  text 'MER' at 1.07 0.507, 7.5 pt #000000
  text 'ANT' at 1.07 0.195, 7.5 pt #000000
""".splitlines()
    )


@pytest.mark.parametrize(("first", "low"), [(9, "0"), (10, "5"), (64, "32")])
def test_steps_begin_at_0_where_the_first_one_is_below_10(first, low):
    steps = series(
        ("m", "m-0", "step", first, "", "raw", "all", "ap", 0.5),
        ("m", "m-2", "step", 1000, "", "raw", "all", "ap", 0.5),
    )
    (axis,) = [line for line in lines_of(lines_along([("All", steps)], STYLES)) if line.startswith("  x")]
    assert axis == f"  x symlog from {low} to 1500"
    (panel, *_) = lines_along([("All", steps)], STYLES).axes
    assert panel.xaxis.get_transform().linthresh == 1  # every step from the first on is as wide as it is in a logarithm


@pytest.mark.parametrize(
    ("name", "places", "ends", "ticks"),
    [
        ("size", (1e6, 1e8), (5e5, 2e8), [1e6, 3e6, 1e7, 3e7, 1e8]),
        ("size", (1e6, 1e9), (5e5, 2e9), [1e6, 1e7, 1e8, 1e9]),
        ("step", (0, 1000), (0, 1500), None),
        ("step", (10, 1000), (5, 1500), None),
        ("step", (9, 1000), (0, 1500), None),
    ],
)
def test_an_axis_has_room_on_both_sides_and_ticks_at_thrice_powers_of_ten_where_these_are_few(
    name, places, ends, ticks
):
    panel = plt.figure().subplots()
    members = pl.DataFrame({"place": [float(place) for place in places], "axis": [name] * 2})
    _scale(panel, members, pl.DataFrame({"value": [0.25, 0.5]}))
    assert panel.get_xlim() == pytest.approx(ends)
    assert panel.get_ylim() == pytest.approx((0, 0.54))
    if ticks is not None:
        assert panel.get_xticks() == pytest.approx(ticks)
        assert panel.get_xscale() == "log"


@pytest.mark.parametrize(("values", "ends"), [((-0.5, 0.0), (-0.54, 1.08)), ((-0.5, 0.5), (-0.54, 0.54))])
def test_an_axis_of_values_holds_0_and_the_largest_value(values, ends):
    panel = plt.figure().subplots()
    members = pl.DataFrame({"place": [1.0, 2.0], "axis": ["layer"] * 2})
    _scale(panel, members, pl.DataFrame({"value": list(values)}))
    assert panel.get_ylim() == pytest.approx(ends)


def test_an_axis_of_a_single_agent_has_room_on_both_sides():
    panel = plt.figure().subplots()
    _scale(panel, pl.DataFrame({"place": [1e6], "axis": ["size"]}), pl.DataFrame({"value": [0.5]}))
    assert panel.get_xlim() == pytest.approx((5e5, 2e6))
    assert panel.get_xticks() == pytest.approx([1e6])
