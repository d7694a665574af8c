import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.stats import wilcoxon
from relprobe.core.units import UNITS, averages, paired_tests, pairwise


def values(rows):
    return pl.DataFrame(rows, schema=UNITS, orient="row")


RIGHT = [Metric("right", test="McNemar")]
A = values([("right", "noun", "u1", 1.0), ("right", "noun", "u2", 0.0), ("right", "noun", "u3", 1.0)])
B = values([("right", "noun", "u3", 0.0), ("right", "noun", "u1", 1.0), ("right", "noun", "u4", 1.0)])


def test_averages_are_over_the_units_of_each_agent():
    table = averages({"b": B, "a": A}, RIGHT)
    assert table["agent"].to_list() == ["b", "a"]  # the order of the mapping
    assert table["value"].to_list() == pytest.approx([2 / 3, 2 / 3])
    assert table["units"].to_list() == [3, 3]
    assert (table["low"] >= 0).all()
    assert (table["high"] <= 1).all()
    assert (table["low"] < table["value"]).all()


def test_the_order_of_the_rows_does_not_change_an_interval():
    assert averages({"a": A}, RIGHT).equals(averages({"a": A.reverse()}, RIGHT))


def test_one_unit_has_no_interval_and_says_why():
    row = averages({"a": A.head(1)}, RIGHT).row(0, named=True)
    assert (row["value"], row["low"], row["note"]) == (1.0, None, "no interval: fewer than two units")


def test_agents_are_compared_on_the_units_that_both_have():
    row = paired_tests({"a": A, "b": B}, RIGHT).row(0, named=True)
    # In common are u1 (1, 1) and u3 (1, 0): one discordant pair, which a wins; exact p = 1.
    assert (row["test"], row["units"], row["value_a"], row["value_b"]) == ("McNemar", 2, 1.0, 0.5)
    assert (row["effect"], row["p"]) == (0.5, 1.0)


@pytest.mark.parametrize("row", [[0.5, 0.75], [1.0, 1.0]])
def test_a_metric_that_is_not_binary_is_tested_by_its_ranks_even_where_all_values_are_0_or_1(row):
    score = [values([("rank", "noun", f"u{i}", value) for i, value in enumerate(of)]) for of in (row, [0.0, 1.0])]
    assert paired_tests({"a": score[0], "b": score[1]}, [Metric("rank")])["test"].to_list() == ["Wilcoxon"]


def test_holms_adjustment_is_over_the_pairs_of_one_condition():
    wide = pl.DataFrame({"a": [1.0] * 6, "b": [0.0] * 6, "c": [0.0] * 6})
    # a against b and against c: six wins, p = 2/64; b against c: all equal, not testable, so two p-values are adjusted.
    rows = pairwise(wide, wilcoxon, ["a", "b", "c"])
    assert [(row["agent_a"], row["agent_b"], row["p"], row["p_holm"]) for row in rows] == [
        ("a", "b", 1 / 32, 1 / 16),
        ("a", "c", 1 / 32, 1 / 16),
        ("b", "c", None, None),
    ]


def test_an_agent_without_a_value_in_a_group_is_left_out_or_says_so():
    values_a = pl.concat([A, values([("right", "verb", "u1", 1.0)])])
    assert paired_tests({"a": values_a, "b": B}, RIGHT)["condition"].to_list() == ["noun"]
    nouns, verbs = paired_tests({"a": values_a, "b": B}, RIGHT, absent=True).to_dicts()
    assert (nouns["condition"], nouns["units"], nouns["note"]) == ("noun", 2, None)
    assert (verbs["condition"], verbs["units"], verbs["p"]) == ("verb", 0, None)
    assert verbs["note"] == "no unit in common"


def test_values_of_an_item_are_averaged_before_the_items():
    schema = {"metric": pl.String, "relation": pl.String, "target": pl.String, "prompt": pl.String, "value": pl.Float64}
    rows = [("s", "HYP", "robin", "p1", 1.0), ("s", "HYP", "robin", "p2", 0.0), ("s", "HYP", "wall", "p1", 0.0)]
    metric = Metric("s", unit=("target", "prompt"), item=("target",))
    table = averages({"a": pl.DataFrame(rows, schema=schema, orient="row")}, [metric], groups=["relation"])
    # robin has 1/2 over its prompts, wall 0: the mean over the two targets is 1/4, not the 1/3 of the three values.
    assert table.select("relation", "value", "units").row(0) == ("HYP", 0.25, 2)


@pytest.mark.parametrize("of_metrics", [averages, paired_tests])
def test_a_metric_that_is_not_declared_is_an_error(of_metrics):
    with pytest.raises(ValueError, match="does not declare: right"):
        of_metrics({"a": A}, [Metric("other")])
