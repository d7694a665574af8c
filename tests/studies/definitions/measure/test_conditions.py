import pytest
from relprobe.studies.definitions.conditions import conditions, names

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
