import polars as pl
import pytest
from relprobe.studies.definitions.conditions import conditions, names
from relprobe.studies.definitions.measures import MEASURES, TASK_PAIRS

from tests.studies.definitions.about import properties


@pytest.mark.parametrize(
    ("uses", "tokens", "band"),
    [
        (9.0, 1, "rare"),
        (10.0, 1, "medium"),
        (99.0, 1, "medium"),
        (100.0, 1, "frequent"),
        (0.0, 1, "rare"),
        (None, 2, "unknown"),  # a phrase that no source counts
        (5000.0, 3, "frequent"),
        (5000.0, 4, "rare"),  # more than three tokens are not counted
        (None, 4, "rare"),
    ],
)
def test_frequency_bands(uses, tokens, band):
    table = conditions(properties({"pos": "verb", "uses": uses, "tokens": tokens}))
    assert table["condition"].to_list() == ["verb", "verb, leak-free", f"verb, {band}"]


def test_the_limits_of_bands_may_be_those_of_another_corpus():
    table = conditions(properties({"pos": "verb", "uses": 99.0}), limits=(50, 90))
    assert "verb, frequent" in table["condition"].to_list()


@pytest.mark.parametrize(
    ("depth", "name"), [(3, "3–5"), (5, "3–5"), (6, "6–8"), (19, "15–19"), (20, None), (None, None)]
)
def test_depths_are_those_of_nouns(depth, name):
    table = conditions(properties(*({"group": pos, "pos": pos, "depth": depth} for pos in ("noun", "verb"))))
    deep = [row for row in table.rows() if "depth" in row[1]]
    assert deep == ([("noun", f"noun, depth {name}")] if name else [])
    assert set(table["condition"]) <= set(names())


@pytest.mark.parametrize("leak", ["names", "inflects", "shares"])
def test_a_definition_that_tells_its_word_is_not_leak_free(leak):
    table = conditions(properties({"group": "a"}, {"group": "b", "leak": leak}))
    assert [group for group, name in table.rows() if name == "noun, leak-free"] == ["a"]
    assert [group for group, name in table.rows() if name == "noun"] == ["a", "b"]


def test_small_groups_have_at_most_ten_candidates_in_both_tasks():
    sizes = {"a": (10, 10), "b": (10, 11), "c": (11, 9), "d": (5, None)}
    table = conditions(properties(*({"group": name, "w2d": w, "d2w": d} for name, (w, d) in sizes.items())))
    assert [group for group, name in table.rows() if name == "groups of up to 10 candidates"] == ["a", "d"]


def test_the_conditions_stand_by_part_of_speech_with_those_across_all_of_them_at_the_end():
    within = [
        name
        for pos in ("noun", "verb", "adjective")
        for name in (
            pos,
            f"{pos}, leak-free",
            *(f"{pos}, {band}" for band in ("rare", "medium", "frequent", "unknown")),
        )
    ]
    depths = [f"noun, depth {one}" for one in ("3–5", "6–8", "9–11", "12–14", "15–19")]
    assert names() == [*within, *depths, "groups of up to 10 candidates"]


def test_each_depth_of_a_noun_lies_in_the_range_of_its_name():
    """Of both ends of each range, and of depths outside all of them; a verb has none."""
    depths = {"3–5": (3, 5), "6–8": (6, 8), "9–11": (9, 11), "12–14": (12, 14), "15–19": (15, 19), None: (2, 20)}
    names_by_group = {f"{depth}": name for name, ends in depths.items() for depth in ends}
    about = properties(
        *({"group": depth, "depth": int(depth)} for depth in names_by_group), {"group": "v", "pos": "verb", "depth": 4}
    )
    found = dict(conditions(about).filter(pl.col("condition").str.contains("depth")).rows())
    assert found == {group: f"noun, depth {name}" for group, name in names_by_group.items() if name}


def test_the_metrics_of_both_tasks_are_tested_as_the_paper_does_over_families():
    found = {one.name: (one.test, one.ends, one.scale, one.figure) for one in MEASURES}
    precision, ranks = ("McNemar", (0, 1), 100, "precision"), ("Wilcoxon", (0, 1), 1, "rank_score")
    assert found == {"W2D P@1": precision, "W2D RS": ranks, "D2W P@1": precision, "D2W RS": ranks}
    assert list(found) == ["W2D P@1", "W2D RS", "D2W P@1", "D2W RS"]
    assert {(one.items, one.cluster, one.clusters) for one in MEASURES} == {("groups", ("cluster",), "families")}
    assert [(one.name, pair) for one, pair in TASK_PAIRS.items()] == [
        ("P@1", ("W2D P@1", "D2W P@1")),
        ("RS", ("W2D RS", "D2W RS")),
    ]
