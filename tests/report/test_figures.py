import matplotlib.pyplot as plt
import pytest
from relprobe.report.figures import COLOURS, HATCHES, bars, line_styles, matrix, parts, save


@pytest.fixture
def axis():
    figure, made = plt.subplots()
    yield made
    plt.close(figure)


def said(axis):
    return [text.get_text() for text in axis.texts]


def test_kinds_differ_without_colour(axis):
    bars(axis, ["a", "b", "c"], [0.5, 0.25, 0.125], ["masked", "causal", "baseline"])
    assert len({bar.get_hatch() for bar in axis.patches}) == 3
    assert set(HATCHES) == set(COLOURS)


def test_bars_say_their_values_and_what_is_missing(axis):
    bars(axis, ["a", "b"], [0.5, None], ["masked", "causal"])
    assert said(axis) == ["0.50", "missing"]


def test_28_lines_differ_without_colour():
    styles = line_styles(["masked", "causal"] * 14)
    assert len({(style["linestyle"], style["marker"]) for style in styles}) == 28
    assert {style["color"] for style in styles} == {COLOURS["masked"], COLOURS["causal"]}


def test_parts_are_side_by_side_and_named_where_there_is_room(axis):
    parts(axis, ["a", "b"], {"HYP": [0.5, 0.96875], "SYN": [0.5, 0.03125]}, ["#000000", "#F0E442"])
    spans = [(bar.get_x(), bar.get_width()) for bar in axis.patches]
    assert spans == [(0, 0.5), (0, 0.96875), (0.5, 0.5), (0.96875, 0.03125)]
    assert said(axis) == ["HYP", "HYP", "SYN"]
    assert [text.get_color() for text in axis.texts] == ["white", "white", "black"]


def test_a_matrix_is_written_in_ink_that_shows(axis):
    matrix(axis, [[None, 0.25], [1.0, 0.0]], ["HYP", "HPO"])
    assert said(axis) == [".25", "1.00", ".00"]
    assert [text.get_color() for text in axis.texts] == ["black", "white", "black"]


def test_the_same_figure_is_the_same_file(tmp_path):
    for name in ("one", "other"):
        figure, axis = plt.subplots()
        bars(axis, ["a"], [0.5], ["causal"])
        save(figure, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "other.png").read_bytes()
