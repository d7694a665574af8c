"""The figures along series: what is drawn, and that it is readable."""

import polars as pl
import pytest
from relprobe.core.series import model_properties, series_by_axis
from relprobe.report.agent_styles import FAMILY_COLOURS, agent_styles
from relprobe.studies.relations.analyses.series import (
    LAYER_AVERAGES,
    over_training_and_layers,
    series_in_words,
    series_table,
)
from relprobe.studies.relations.analyses.series import draw_along as along
from relprobe.studies.relations.schemas import AVERAGES

from tests.studies.relations.six import SIX

MODELS = {
    "b-large": {"type": "masked", "family": "B", "size": 3.4e8},
    "b-base": {"type": "masked", "family": "B", "size": 1.1e8},
    "o": {"type": "causal", "family": "O", "size": 1.3e9},
    "o-tiny": {"type": "causal", "family": "O", "size": 1.2e8},
    "m-0": {"type": "causal", "series": "m", "step": 0},
    "m-1000": {"type": "causal", "series": "m", "step": 1000},
    "nosize": {"type": "causal", "family": "O"},
}
FAMILIES = {agent: entry.get("family", agent) for agent, entry in MODELS.items()}
OTHERS = {"humans": "humans", "frequency": "control", "majority": "control"}


def table_of(*rows, models=MODELS):
    """Return SERIES from (agent, metric, relation, k, value)."""
    names = ["agent", "metric", "relation", "k", "value"]
    table = pl.DataFrame(rows, schema={name: AVERAGES[name] for name in names}, orient="row")
    averages = pl.concat([pl.DataFrame(schema=AVERAGES), table], how="diagonal")
    entries = {agent: model_properties(entry) for agent, entry in models.items()}
    return series_table(averages, series_by_axis(entries), SIX, ["humans"], ["majority", "frequency"])


def test_a_series_has_the_best_control_of_its_last_member():
    """A model's own control is met by that model alone."""
    names = ["m-0", "m-500", "m-1000"]
    models = {name: {"type": "causal", "series": "m", "step": int(name[2:])} for name in names}
    values = {
        "m-0": 0.1,
        "m-500": 0.2,
        "m-1000": 0.3,
        "majority": 0.15,
        "m-500+without-target": 0.6,
        "m-1000+without-target": 0.25,
    }
    columns = {"metric": "soundness", "relation": "HYP"}
    rows = pl.DataFrame([{"agent": agent, "value": value, **columns} for agent, value in values.items()])
    averages = pl.concat([pl.DataFrame(schema=AVERAGES), rows], how="diagonal")
    entries = {agent: model_properties(entry) for agent, entry in models.items()}
    controls = ["majority", "m-500+without-target", "m-1000+without-target"]
    table = series_table(averages, series_by_axis(entries), SIX, [], controls)
    assert table.filter(variant="control").select("agent", "value").rows() == [("m-1000+without-target", 0.25)]


def test_series_stand_by_axis_metric_relation_cutoff_and_name():
    """Whatever the order of the agents; the members of a series stand by their places."""
    rows = [
        *(("m-1000", "symmetry", "ANT", k, 0.3) for k in (5, 1)),
        *((agent, "soundness", "ANT", None, 0.1) for agent in ("o", "b-base", "m-1000", "m-0")),
        *((agent, "soundness", "HYP", None, 0.2) for agent in ("o", "b-large", "b-base", "m-0")),
    ]
    columns = ["axis", "metric", "relation", "k", "series", "agent"]
    assert table_of(*rows).select(columns).rows() == [
        ("size", "soundness", "HYP", None, "B", "b-base"),
        ("size", "soundness", "HYP", None, "B", "b-large"),
        ("size", "soundness", "HYP", None, "O", "o"),
        ("size", "soundness", "ANT", None, "B", "b-base"),
        ("size", "soundness", "ANT", None, "O", "o"),
        ("step", "soundness", "HYP", None, "m", "m-0"),
        ("step", "soundness", "ANT", None, "m", "m-0"),
        ("step", "soundness", "ANT", None, "m", "m-1000"),
        ("step", "symmetry", "ANT", 1, "m", "m-1000"),
        ("step", "symmetry", "ANT", 5, "m", "m-1000"),
    ]


def drawn(table, axes, metric, k=None):
    kinds = {agent: entry["type"] for agent, entry in MODELS.items()} | OTHERS
    return along(table, axes, metric, k, relations=SIX, styles=agent_styles(kinds, FAMILIES))


def lines(axis):
    own = [line for line in axis.get_lines() if not line.get_label().startswith("_")]
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in own}


SIZES = table_of(
    ("b-large", "soundness", "HYP", None, 0.4),
    ("b-base", "soundness", "HYP", None, 0.3),
    ("o", "soundness", "HYP", None, 0.2),
    ("nosize", "soundness", "HYP", None, 0.9),
    ("humans", "soundness", "HYP", None, 0.8),
    ("frequency", "soundness", "HYP", None, 0.1),
    ("majority", "soundness", "HYP", None, 0.15),
    ("o", "soundness", "ANT", None, 0.6),
    ("b-base", "symmetry", "ANT", 1, 0.1),
    ("b-base", "symmetry", "ANT", 5, 0.5),
    ("b-base", "audc", None, None, 9.0),
)


def test_sizes_are_a_line_per_family_from_the_smallest_to_the_largest():
    figure = drawn(SIZES, ["size"], "soundness")
    first, second = figure.axes
    assert (first.get_title("left"), second.get_title("left")) == ("hypernymy", "antonymy")
    assert lines(first) == {"B": ([1.1e8, 3.4e8], [0.3, 0.4]), "O": ([1.3e9], [0.2])}
    assert lines(second) == {"O": ([1.3e9], [0.6])}
    colours = {line.get_label(): line.get_color() for line in first.get_lines() if line.get_label() in ("B", "O")}
    assert colours == {"B": FAMILY_COLOURS[0], "O": FAMILY_COLOURS[1]}
    assert [text.get_text() for text in first.texts] == ["B", "O"]  # each beside the end of its line
    markers = [line.get_marker() for line in first.get_lines() if line.get_linestyle() == "None"]
    assert len(set(markers[:2])) == 2  # the two models of B
    low, high = first.get_ylim()
    assert low == 0
    assert high > 0.8  # people


def test_people_and_the_best_control_are_lines_through_the_panel():
    panel = drawn(SIZES, ["size"], "soundness").axes[0]
    through = {line.get_label(): (line.get_ydata()[0], line.get_linestyle()) for line in panel.get_lines()}
    assert through["_people"] == (0.8, "-")
    assert through["_control"] == (0.15, "--")  # majority exceeds frequency


def test_a_member_and_the_best_control_lead_to_their_answers_and_people_and_layers_do_not():
    """The answers are about the relation of the panel, of whose first ones one is to be right."""
    first, second = drawn(SIZES, ["size"], "soundness").axes
    links = [{line.get_url() for line in axis.get_lines()} - {None} for axis in (first, second)]
    assert links[0] == {f"../answers.html#group=HYP&a={agent}&k=1" for agent in ("b-base", "b-large", "o", "majority")}
    assert links[1] == {"../answers.html#group=ANT&a=o&k=1"}
    layers, *_ = drawn(with_layers(*LAYERS), ["layer"], "soundness").axes
    assert {line.get_url() for line in layers.get_lines()} == {None}


def test_sizes_take_symmetry_at_one_k_and_audc_over_all_relations():
    symmetry, area = drawn(SIZES, ["size"], "symmetry", 5), drawn(SIZES, ["size"], "audc")
    assert lines(symmetry.axes[0]) == {"B": ([1.1e8], [0.5])}
    assert symmetry.get_supylabel() == "symmetry (k = 5)"
    assert lines(area.axes[0]) == {"B": ([1.1e8], [9.0])}
    assert (area.axes[0].get_title("left"), area.get_supylabel()) == ("all relations", "AuDC (of 30 pairs)")


def test_sizes_have_labelled_ticks_whatever_their_range():
    table = table_of(*((agent, "audc", None, None, 9.0) for agent in ("b-base", "b-large")))
    axis = drawn(table, ["size"], "audc").axes[0]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["100M", "300M"]


def test_checkpoints_are_a_line_over_the_steps_of_training():
    table = table_of(
        ("m-1000", "soundness", "HYP", None, 0.3),
        ("m-0", "soundness", "HYP", None, 0.1),
        ("o", "soundness", "HYP", None, 0.9),
    )
    figure = drawn(table, ["step", "tokens"], "soundness")
    assert lines(figure.axes[0]) == {"m": ([0, 1000], [0.1, 0.3])}
    assert figure.get_supxlabel() == "training step"
    assert figure.axes[0].get_xscale() == "symlog"
    tokens = {f"m-{step}": {**MODELS[f"m-{step}"], "tokens": step * 2e6} for step in (0, 1000)}
    table = table_of(("m-1000", "soundness", "HYP", None, 0.3), models=tokens)
    figure = drawn(table, ["step", "tokens"], "soundness")
    assert figure.get_supxlabel() == "tokens of training"
    assert lines(figure.axes[0]) == {"m": ([2e9], [0.3])}
    assert table["label"].to_list() == ["2B"]


def test_a_panel_of_distances_has_a_line_per_other_relation():
    rows = [
        {"agent": agent, "metric": "distinguishability", "relation": "HYP", "versus": versus, "value": value}
        for agent, shift in (("m-0", 0), ("m-1000", 0.1))
        for versus, value in (("ANT", 0.5 + shift), ("SYN", -0.2 + shift))
    ]
    entries = {agent: model_properties(entry) for agent, entry in MODELS.items()}
    table = series_table(pl.DataFrame(rows, schema=AVERAGES), series_by_axis(entries), SIX)
    panel = drawn(table, ["step"], "distinguishability").axes[0]
    found = {name: [round(value, 3) for value in values] for name, (_, values) in lines(panel).items()}
    assert found == {"synonymy": [-0.2, -0.1], "antonymy": [0.5, 0.6]}
    assert panel.get_ylim()[0] < -0.2
    assert {text.get_color() for text in panel.texts} == {"black"}  # yellow text cannot be read
    keys = [line for line in panel.get_lines() if line.get_label() == "_key"]
    assert {line.get_color() for line in keys} == {
        line.get_color() for line in panel.get_lines() if line.get_label() in found
    }
    assert series_in_words("training_distinguishability", table) == (
        "HYP from ANT: m from 0.500 (0) to 0.600 (1K). HYP from SYN: m from −0.200 (0) to −0.100 (1K)."
    )


@pytest.mark.parametrize(
    ("values", "limits"),
    [
        ((0.5, 0.2), (0, 0.54)),
        ((0.5, -0.1), (-0.108, 0.54)),
        ((-0.1, -0.5), (-0.54, 0)),
        ((0.0, 0.0), (0, 1.08)),
    ],
)
def test_a_panel_reaches_from_its_lowest_value_to_its_highest_and_to_0(values, limits):
    """Distances may all be below 0; each of them is in the panel."""
    rows = [
        {"agent": f"m-{step}", "metric": "distinguishability", "relation": "HYP", "versus": "ANT", "value": value}
        for step, value in zip((0, 1000), values, strict=True)
    ]
    entries = {agent: model_properties(entry) for agent, entry in MODELS.items()}
    table = series_table(pl.DataFrame(rows, schema=AVERAGES), series_by_axis(entries), SIX)
    panel = drawn(table, ["step"], "distinguishability").axes[0]
    assert panel.get_ylim() == pytest.approx(limits)


def test_the_first_checkpoint_alone_is_drawn_without_a_warning():
    table = table_of(("m-0", "soundness", "HYP", None, 0.1))
    panel = drawn(table, ["step", "tokens"], "soundness").axes[0]
    assert lines(panel) == {"m": ([0], [0.1])}
    assert panel.get_xlim() == (0, 1)


def test_without_members_that_have_values_there_is_no_figure():
    assert drawn(SIZES, ["step", "tokens"], "soundness") is None
    assert drawn(SIZES, ["size"], "prototypicality") is None
    assert drawn(table_of(("nosize", "soundness", "HYP", None, 0.9)), ["size"], "soundness") is None


def test_a_figure_in_words_says_where_series_begin_and_end_and_what_they_are_compared_with():
    assert series_in_words("size_soundness", SIZES) == (
        "HYP: B from 0.300 (110M) to 0.400 (340M), O from 0.200 (1.3B) to 0.200 (1.3B), people (humans) 0.800, best "
        "control (majority) 0.150. ANT: O from 0.600 (1.3B) to 0.600 (1.3B)."
    )
    assert series_in_words("soundness", SIZES) == ""


def layers_of(*rows):
    """Return LAYER_AVERAGES from (agent, variant, layer, value): soundness in hypernymy."""
    names = ["agent", "variant", "layer", "value"]
    table = pl.DataFrame(rows, schema={name: LAYER_AVERAGES[name] for name in names}, orient="row")
    return pl.concat([pl.DataFrame(schema=LAYER_AVERAGES), table], how="diagonal").with_columns(
        metric=pl.lit("soundness"), relation=pl.lit("HYP")
    )


LAYERS = [
    ("m-1000", variant, layer, value)
    for variant, values in (("raw", (0, 0.1, 0.4)), ("mapped", (0.1, 0.3, 0.4)), ("shuffled", (0.05, 0.05, 0.05)))
    for layer, value in zip((0, 3, 30), values, strict=True)
]


def with_layers(*rows, checkpoints=("m-0", "m-1000")):
    entries = {agent: model_properties(MODELS[agent]) for agent in checkpoints}
    averages = pl.DataFrame(
        [{"agent": "humans", "metric": "soundness", "relation": "HYP", "value": 0.9}], schema=AVERAGES
    )
    return series_table(averages, {}, SIX, ["humans"], [], layers_of(*rows), series_by_axis(entries))


def test_layers_are_dotted_as_they_are_and_solid_after_the_map():
    figure = drawn(with_layers(*LAYERS), ["layer"], "soundness")
    styles = {line.get_label(): (line.get_linestyle(), list(line.get_ydata())) for line in figure.axes[0].get_lines()}
    assert styles["m-1000"] == ("-", [0.1, 0.3, 0.4])
    assert styles["_m-1000, raw"] == (":", [0.0, 0.1, 0.4])
    assert styles["_m-1000, shuffled"] == ("-.", [0.05, 0.05, 0.05])
    assert styles["_people"][0] == "-"
    assert (figure.get_supxlabel(), figure.axes[0].get_xscale()) == ("layer", "linear")
    assert series_in_words("layers_soundness", with_layers(*LAYERS)).startswith(
        "HYP: m-1000 (mapped) from 0.100 (0) to 0.400"
    )
    raw = drawn(with_layers(*(row for row in LAYERS if row[1] == "raw")), ["layer"], "soundness")
    assert lines(raw.axes[0]) == {"m-1000": ([0, 3, 30], [0.0, 0.1, 0.4])}


def test_checkpoints_with_layers_are_rows_of_a_heat_map():
    first = [("m-0", variant, layer, value / 2) for _, variant, layer, value in LAYERS]
    table = with_layers(*LAYERS, *first)
    figure = over_training_and_layers(table, "soundness", relations=SIX)
    panel = figure.axes[0]
    assert [text.get_text() for text in panel.texts] == [".10", ".30", ".40", ".05", ".15", ".20"]
    assert [label.get_text() for label in panel.get_yticklabels()] == ["1K", "0"]  # the first checkpoint at the bottom
    assert [label.get_text() for label in panel.get_xticklabels()] == ["0", "3", "30"]
    raw = [row for row in LAYERS if row[1] == "raw"]
    texts = [
        text.get_text()
        for text in over_training_and_layers(with_layers(*raw), "soundness", relations=SIX).axes[0].texts
    ]
    assert texts == [".00", ".10", ".40"]  # no layer has a map
    assert over_training_and_layers(SIZES, "soundness", relations=SIX) is None
    training = drawn(table, ["step", "tokens"], "soundness")  # the values of the last layers
    assert lines(training.axes[0]) == {"m": ([0, 1000], [0.2, 0.4])}


@pytest.mark.parametrize(("count", "texts"), [(12, 12), (13, 0)])
def test_a_cell_of_a_heat_map_has_its_number_where_it_has_room_for_it(count, texts):
    """All cells have their colours: two checkpoints of a model whose layers have no map."""
    rows = [(agent, "raw", layer, layer / 20) for agent in ("m-0", "m-1000") for layer in range(count)]
    panel = over_training_and_layers(with_layers(*rows), "soundness", relations=SIX).axes[0]
    assert len(panel.patches) == 2 * count
    assert len([text for text in panel.texts if text.get_text()]) == 2 * texts


def test_a_heat_map_has_the_last_checkpoint_on_top_and_names_what_its_axes_and_colours_are():
    """A layer that a checkpoint lacks has no colour, and the darkest one is that of the highest value."""
    rows = [("m-0", "raw", 0, 0.1), ("m-1000", "raw", 0, 0.25), ("m-1000", "raw", 3, 0.5)]
    figure = over_training_and_layers(with_layers(*rows), "soundness", relations=SIX)
    panel, colours = figure.axes
    assert [text.get_text() for text in panel.texts] == [".25", ".50", ".10", ""]
    assert [cell.get_gid() for cell in panel.patches] == [
        "agent=m-1000=0",
        "agent=m-1000=1",
        "agent=m-0=2",
        "agent=m-0=3",
    ]
    assert panel.patches[3].get_facecolor()[3] == 0
    assert colours.get_ylim() == (0, 0.5)
    assert (figure.get_supxlabel(), figure.get_supylabel(), colours.get_ylabel()) == (
        "layer",
        "training step",
        "soundness",
    )


def test_a_heat_map_of_zeros_has_a_scale():
    rows = [(agent, "raw", layer, 0.0) for agent in ("m-0", "m-1000") for layer in (0, 1)]
    panel, colours = over_training_and_layers(with_layers(*rows), "soundness", relations=SIX).axes
    assert [text.get_text() for text in panel.texts] == [".00"] * 4
    assert colours.get_ylim() == (0, 1)
