"""The one form of values, from columns that a study has apart."""

import polars as pl
from relprobe.core.values import TIDY, USUAL, ValueColumns, condition_text, tidy_values, unit_text

RELATIONS = ValueColumns(("relation", "versus", "k"), ("target", "relatum", "prompt"), ("cluster", "target"))


def row(**changes):
    names = ["metric", "relation", "versus", "k", "target", "relatum", "prompt", "cluster", "value"]
    return {**dict.fromkeys(names), "metric": "m", "relation": "ANT", "target": "hot", "value": 1.0, **changes}


def test_values_of_the_one_form_stay_as_they_are():
    table = pl.DataFrame([("m", "noun", "robin", "birds", 0.5)], schema=TIDY, orient="row")
    assert tidy_values(table, USUAL).equals(table)


def test_a_cluster_is_the_first_of_its_columns_that_a_value_has():
    table = pl.DataFrame([row(cluster="cold"), row()], schema_overrides={"cluster": pl.String})
    assert tidy_values(table, RELATIONS)["cluster"].to_list() == ["cold", "hot"]


def test_a_cluster_that_is_a_number_is_a_text():
    table = pl.DataFrame({"metric": "m", "target": ["hot", "cold"], "number": [7, None], "value": 1.0})
    for cluster, texts in ((("number", "target"), ["7", "cold"]), (("number",), ["7", None])):
        columns = ValueColumns(("target",), ("target",), cluster)
        assert tidy_values(table, columns)["cluster"].to_list() == texts


def test_parts_that_a_row_lacks_leave_no_gap():
    rows = pl.DataFrame([row(relatum="cold", prompt="a", k=5), row(prompt="b"), row(versus="HYP")])
    assert rows.select(unit_text(RELATIONS.unit)).to_series().to_list() == ["hot · cold · a", "hot · b", "hot"]
    assert rows.select(condition_text(RELATIONS.condition)).to_series().to_list() == [
        "ANT, k = 5",
        "ANT",
        "ANT, versus = HYP",
    ]


def test_agents_and_the_order_of_rows_are_kept():
    table = pl.DataFrame([row(value=value, agent=agent) for agent, value in (("b", 2.0), ("a", 1.0), ("b", 0.0))])
    tidy = tidy_values(table, RELATIONS)
    assert tidy.columns == ["agent", *TIDY]
    assert tidy.select("agent", "value").rows() == [("b", 2.0), ("a", 1.0), ("b", 0.0)]
    assert tidy.schema["cluster"] == pl.String
