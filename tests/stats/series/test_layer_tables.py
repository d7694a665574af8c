"""The tables of agents with layers, from values written by hand."""

import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.core.unmade import reasons
from relprobe.stats.averages import averages
from relprobe.stats.schemas import LAYER_COLUMNS
from relprobe.stats.series import layer_tables as module
from relprobe.stats.series.layer_tables import layer_tables
from relprobe.stats.series.references import layer_series

METRICS = [Metric("right"), Metric("other")]
UNITS_ASKED = "abcdefghij"


def values(metric, value, condition="test"):
    """Return UNITS of ten units whose mean is `value`, and half of which are 0.05 above it and half below."""
    rows = [(metric, condition, unit, value + (0.05, -0.05)[place % 2]) for place, unit in enumerate(UNITS_ASKED)]
    return pl.DataFrame(rows, schema=UNITS, orient="row")


def layered(metric, **values_by_layer):
    return pl.concat(
        values(metric, value).with_columns(layer=pl.lit(int(layer[1:]), LAYER_COLUMNS["layer"]), variant=pl.lit("raw"))
        for layer, value in values_by_layer.items()
    )


def tables_of(layers, control=0.5, chance=0.5):
    controls = {"random": values("right", control)}
    beside = averages(controls, METRICS)
    return layer_tables({"gpt": layers}, controls, beside, METRICS, tested=["test"], chance={"right": chance})


RISING = layered("right", l30=0.9, l0=0.5, l15=0.6)


def test_each_layer_has_a_row_in_the_order_of_the_layers():
    table = tables_of(RISING)["layers"]
    rows = (
        table.sort("layer").select("agent", "layer", "variant", "condition", pl.col("value").round(6), "units").rows()
    )
    assert rows == [("gpt", layer, "raw", "test", value, 10) for layer, value in ((0, 0.5), (15, 0.6), (30, 0.9))]


def test_a_half_is_of_what_the_last_layer_has_beyond_chance():
    # 0.9 is 0.4 beyond 0.5; 0.7 lies a third of the way from 0.6, layer 15, to 0.9, layer 30
    row = tables_of(RISING)["halves"].row(0, named=True)
    assert row["half_at"] == pytest.approx(20)
    assert (row["half"], row["low"], row["high"]) == ("between layers 15 and 30", 15, 30)
    assert (row["value_highest"], row["control_value"]) == (pytest.approx(0.9), pytest.approx(0.5))
    assert (row["series"], row["control"], row["value_last"]) == ("gpt", "random", pytest.approx(0.9))
    # 0.45 is half of 0.9 alone, which layer 0 has
    assert tables_of(RISING, chance=0.0)["halves"]["half_at"].to_list() == [0]


@pytest.mark.parametrize("reader", [None, "a probe"])
def test_a_half_names_what_reads_the_states(reader):
    averages_of_controls = averages({"random": values("right", 0.5)}, METRICS)
    controls = {"random": values("right", 0.5)}
    tables = layer_tables(
        {"gpt": RISING}, controls, averages_of_controls, METRICS, tested=["test"], chance={"right": 0.5}, reader=reader
    )
    assert tables["halves"]["reader"].to_list() == [reader]


def test_there_is_no_half_where_the_last_layer_is_not_above_its_control():
    row = tables_of(RISING, control=0.95)["halves"].row(0, named=True)
    assert row["half_at"] is None
    assert row["note"] == "no half: the last member is not shown to be above the control random"


def test_a_metric_without_a_level_of_chance_has_no_half_but_a_trend():
    tables = tables_of(pl.concat([RISING, layered("other", l0=0.1, l15=0.2, l30=0.3)]))
    assert set(tables["halves"]["metric"]) == {"right"}
    slopes = dict(tables["trends"].select("metric", pl.col("slope").round(6)).rows())
    assert slopes == {"other": 0.1, "right": 0.2}
    assert tables["against_last"].filter(metric="other").select("agent", "place", "last").rows() == [
        ("gpt", 0.0, "gpt"),
        ("gpt", 15.0, "gpt"),
    ]


def test_conditions_that_are_not_tested_have_averages_alone():
    elsewhere = RISING.with_columns(condition=pl.lit("class"))
    tables = tables_of(pl.concat([RISING, elsewhere]))
    assert set(tables["layers"]["condition"]) == {"test", "class"}
    assert {name: set(tables[name]["condition"]) for name in ("trends", "halves", "against_last")} == {
        name: {"test"} for name in ("trends", "halves", "against_last")
    }


def test_the_series_has_its_control_beside_it():
    table = tables_of(RISING)["series"]
    assert table.select("agent", "place", "label", "variant", pl.col("value").round(6)).rows() == [
        ("gpt", 0.0, "0", "raw", 0.5),
        ("gpt", 15.0, "15", "raw", 0.6),
        ("gpt", 30.0, "30", "raw", 0.9),
        ("random", None, None, "control", 0.5),
    ]


@pytest.mark.parametrize(
    ("function", "lost"),
    [
        ("trends", {"trends"}),
        ("against_last", {"against_last"}),
        ("last_layer_tests", {"halves"}),
        ("layer_series", {"series"}),
        ("averages_of", {"layers", "series"}),
    ],
)
def test_a_table_that_cannot_be_made_costs_only_those_that_are_made_of_it(monkeypatch, function, lost):
    def fails(*_, **__):
        raise ZeroDivisionError("float division by zero")

    whole = tables_of(RISING)
    monkeypatch.setattr(module, function, fails)
    tables = tables_of(RISING)
    assert set(reasons(tables)) == lost
    assert [name for name in whole if name not in lost and not tables[name].equals(whole[name])] == []


def test_who_has_no_value_is_neither_the_best_control_nor_a_line_of_people():
    rows = [("a", None), ("b", 0.1), ("c", 0.4), ("other", 0.9), ("people", None), ("annotator", 0.8)]
    row = {"metric": "right", "condition": "test", "low": None, "high": None, "units": 9}
    others = pl.DataFrame([{"agent": agent, "value": value, **row} for agent, value in rows])
    layers = pl.DataFrame([{"agent": "gpt", "variant": "raw", "layer": 1, "value": 0.5, **row}])
    found = layer_series(layers, others, ["a", "b", "c"], ["people", "annotator"])
    assert found.select("agent", "variant", "value").rows() == [
        ("gpt", "raw", 0.5),
        ("annotator", "people", 0.8),
        ("c", "control", 0.4),
    ]
