import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_hex
from relprobe.core.errors import DataError
from relprobe.report.figures import (
    COLOURS,
    HATCHES,
    PALETTE,
    bars,
    line_styles,
    matrix,
    part_colours,
    parts,
    save,
    save_all,
)


@pytest.fixture
def axis():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def texts(axis):
    return [text.get_text() for text in axis.texts]


def test_kinds_differ_without_colour(axis):
    bars(axis, ["a", "b", "c"], [0.5, 0.25, 0.125], ["masked", "causal", "baseline"])
    assert len({bar.get_hatch() for bar in axis.patches}) == 3
    assert set(HATCHES) == set(COLOURS)


def test_bars_show_their_values_and_the_word_missing(axis):
    bars(axis, ["a", "b"], [0.5, None], ["masked", "causal"])
    assert texts(axis) == ["0.50", "missing"]


def test_28_lines_differ_without_colour():
    styles = line_styles(["masked", "causal"] * 14)
    assert len({(style["linestyle"], style["marker"]) for style in styles}) == 28
    assert {style["color"] for style in styles} == {COLOURS["masked"], COLOURS["causal"]}


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
    assert [text.get_color() for text in axis.texts] == ["white", "white", "black"]


def test_the_text_of_a_matrix_is_black_or_white_by_its_cell(axis):
    matrix(axis, [[None, 0.25], [1.0, 0.0]], ["HYP", "HPO"])
    assert texts(axis) == [".25", "1.00", ".00"]
    assert [text.get_color() for text in axis.texts] == ["black", "white", "black"]


def test_equal_figures_are_equal_files(tmp_path):
    for name in ("one", "other"):
        figure, axis = plt.subplots()
        bars(axis, ["a"], [0.5], ["causal"])
        save(figure, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "other.png").read_bytes()


def test_a_path_without_a_figure_is_named(tmp_path):
    with pytest.raises(DataError, match=r"there is no figure for .*other\.svg: name the same figures"):
        save_all([("one", plt.figure())], [tmp_path / "one.svg", tmp_path / "other.svg"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.png", "one.svg"]
