"""The picture of what a paper prints, by hand: what is shown, where each mark stands, how it looks, and what is said."""

import polars as pl
import pytest
from relprobe.report.agent_styles import FAMILY_COLOURS, PEOPLE
from relprobe.report.picture import (
    GREY,
    MODEL_MARK,
    OWN_CONTROL,
    PALE,
    PEOPLE_MARK,
    RANGE_MARK,
    in_words,
    picture,
    shown_conditions,
)

COLUMNS = ["where", "quantity", "condition", "agent", "value", "low", "high", "ours", "ours_low", "ours_high"]
NOT = None, None, None
TABLE = pl.DataFrame(
    [
        ("T1", "P", "noun", "bert", 0.5, None, None, 0.6, 0.4, 0.9),
        ("T1", "P", "noun", "humans", 0.75, None, None, *NOT),
        ("T1", "P", "noun", "annotator", None, 0.25, 0.75, *NOT),
        ("T1", "P", "verb", "bert", 0.25, None, None, *NOT),  # of verbs this run has none
        ("T2", "P", "adverb", "bert", 0.125, None, None, 0.2, None, None),  # in another place of the paper
        (None, "P", "noun", "chance", *NOT, 0.1, None, None),
        (None, "P", "noun", "chance+word", *NOT, 0.3, None, None),
        (None, "P", "noun", None, *NOT, 0.4, None, None),
        ("T1", "Q", None, "bert", 2.0, None, None, 4.0, None, None),
        ("T1", "only theirs", "noun", "bert", 2.0, None, None, *NOT),
        (None, "only ours", "noun", "bert", *NOT, 2.0, None, None),
    ],
    schema=dict.fromkeys(COLUMNS[:4], pl.String) | dict.fromkeys(COLUMNS[4:], pl.Float64),
    orient="row",
)
QUANTITIES = {"Q": "Second", "only theirs": "T", "only ours": "O", "P": "First", "absent": "A"}
FAMILIES = {"bert": "BERT"}


def test_a_picture_shows_what_the_paper_and_the_run_have_in_the_first_place_that_the_paper_has_it_in():
    assert shown_conditions(TABLE, QUANTITIES) == {"Q": [""], "P": ["noun"]}
    assert list(shown_conditions(TABLE, QUANTITIES)) == ["Q", "P"]  # in the order of the quantities
    assert shown_conditions(TABLE.filter(where="T2"), QUANTITIES) == {"P": ["adverb"]}
    ranges = TABLE.filter(pl.col("agent").is_in(["annotator", "chance"]))
    assert shown_conditions(ranges, QUANTITIES) == {"P": ["noun"]}  # a range is printed, too


def test_without_anything_in_common_there_is_no_picture():
    assert picture(TABLE.filter(quantity="only ours"), QUANTITIES, FAMILIES, {}) is None
    assert in_words(TABLE.filter(quantity="only theirs"), QUANTITIES, {}) == ""


@pytest.fixture(scope="module")
def drawn():
    return picture(TABLE, QUANTITIES, FAMILIES, {"noun": "Nouns"})


def test_each_quantity_has_a_panel_and_each_condition_a_row(drawn):
    second, first = drawn.axes
    assert [axis.get_title(loc="left") for axis in drawn.axes] == ["Second", "First"]
    for axis, names in ((second, [""]), (first, ["Nouns"])):
        assert [text.get_text() for text in axis.get_yticklabels()] == names
        assert axis.get_ylim() == (0.5, -0.5)
        assert axis.get_xlim()[0] <= 0


def marks(axis):
    """Return the marks of a panel: colour, x and y of each line that is drawn."""
    return [(line.get_color(), list(line.get_xdata()), list(line.get_ydata())) for line in axis.get_lines()]


def test_the_papers_marks_stand_behind_in_the_middle_of_the_row(drawn):
    _, first = drawn.axes
    theirs = [line for line in first.get_lines() if line.get_zorder() == 1]
    found = {line.get_marker(): (list(line.get_xdata()), list(line.get_ydata())) for line in theirs}
    assert found == {"o": ([0.5], [0]), "D": ([0.75], [0]), "None": ([0.25, 0.75], [0, 0])}
    assert {line.get_color() for line in theirs} == {PALE}
    assert {line.get_markeredgecolor() for line in theirs if line.get_marker() != "None"} == {GREY}


def test_the_agents_of_the_run_share_the_height_of_the_row_and_one_alone_stands_in_its_middle(drawn):
    """0.6 of a row, from the first agent to the last; a control of an agent, as chance+word, is not drawn."""
    second, first = drawn.axes
    ours = [(x, y) for _, x, y in marks(first) if x in ([0.6], [0.1])]
    assert sorted(ours) == [([0.1], [pytest.approx(0.3)]), ([0.6], [pytest.approx(-0.3)])]
    assert ([4.0], [0.0]) in [(x, y) for _, x, y in marks(second)]
    assert not [x for _, x, _ in marks(first) if x in ([0.3], [0.4])]


def test_the_legend_names_each_kind_of_mark_once_and_says_what_is_a_control(drawn):
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        MODEL_MARK,
        PEOPLE_MARK,
        RANGE_MARK,
        "bert",
        "chance (control)",
    ]
    handles = dict(zip([text.get_text() for text in legend.get_texts()], legend.legend_handles, strict=True))
    assert handles["chance (control)"].get_markeredgecolor() == OWN_CONTROL
    assert handles["chance (control)"].get_markerfacecolor() != OWN_CONTROL
    model_legend = picture(TABLE.filter(quantity="Q"), QUANTITIES, FAMILIES, {}).legends[0]
    assert [text.get_text() for text in model_legend.get_texts()] == [MODEL_MARK, "bert"]


def test_a_picture_in_words_has_the_papers_decimals():
    """The adverb of another table has three, which the agents that this run alone has take, too."""
    assert in_words(TABLE, QUANTITIES, {"noun": "nouns"}) == (
        "Second: paper bert 2; this run bert 4. First, nouns: paper bert 0.50, humans 0.75, annotator 0.25 to 0.75; "
        "this run bert 0.60, chance 0.100, chance+word 0.300."
    )


def test_the_lines_of_the_run_are_its_intervals_and_three_agents_stand_at_equal_distances():
    ours = [("m", 0.2, 0.1, 0.4), ("n", 0.5, None, None), ("o", 0.7, 0.6, 0.9)]
    rows = [
        ("T1", "P", "noun", "bert", 0.5, None, None, *NOT),
        *((None, "P", "noun", agent, *NOT, *of) for agent, *of in ours),
    ]
    table = pl.DataFrame(rows, schema=TABLE.schema, orient="row")
    (axis,) = picture(table, QUANTITIES, {"m": "M", "n": "N", "o": "O"}, {}).axes
    heights = [y for _, x, y in marks(axis) if x in ([0.2], [0.7])]
    assert heights == [[pytest.approx(-0.3)], [pytest.approx(0.3)]]
    assert [0.0] in [y for _, x, y in marks(axis) if x == [0.5]]
    spans = {tuple(x) for _, x, _ in marks(axis) if len(x) == 2}
    spans |= {
        tuple(float(value) for value in path[:, 0]) for lines in axis.collections for path in lines.get_segments()
    }
    assert {(0.1, 0.4), (0.6, 0.9)} <= spans


def test_people_of_the_run_look_as_people_and_a_model_as_its_family():
    rows = [("T1", "P", "noun", "bert", 0.5, None, None, *NOT)]
    rows += [(None, "P", "noun", agent, *NOT, value, None, None) for agent, value in (("humans", 0.9), ("m", 0.4))]
    table = pl.DataFrame(rows, schema=TABLE.schema, orient="row")
    (legend,) = picture(table, QUANTITIES, {"m": "M"}, {}).legends
    colours = {
        text.get_text(): handle.get_color()
        for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True)
    }
    assert colours["humans"] == PEOPLE
    assert colours["m"] == FAMILY_COLOURS[0]
