from dataclasses import replace

import polars as pl
import pytest
from relprobe.stats.series.layered import plain_names, series_of_layers, split_layers
from relprobe.studies.relations.analyses.series import (
    LAYER_AVERAGES,
    SeriesFiles,
    SeriesSettings,
    averages_of_layers,
    last_layers_with_controls,
    trend_tables,
    trends,
)
from relprobe.studies.relations.averages import UNLINKED, averages_of
from relprobe.studies.relations.method import GoldStandard

from tests.studies.relations.compare.test_analyses import NOTHING_SHARED, sound, units
from tests.studies.relations.six import SIX

WORDS = "abcdefgh"


def right(share):
    """Return soundness of eight targets, of which this many are right."""
    return units(*(sound(word, "p", float(place < share)) for place, word in enumerate(WORDS)))


def layered(**shares):
    """Return LAYER_METRICS with as many right targets after each layer, variant by variant."""
    return pl.concat(
        right(share).with_columns(variant=pl.lit(variant), layer=pl.lit(layer, pl.UInt16))
        for variant, layer_shares in shares.items()
        for layer, share in layer_shares.items()
    )


GPT = layered(raw={30: 8, 0: 0, 9: 1}, mapped={0: 1, 9: 4, 30: 8}, shuffled={0: 1, 9: 1})


def test_layers_are_averaged_as_agents_are():
    table = averages_of_layers({"gpt": GPT}, "common", relations=SIX, design=UNLINKED)
    assert table.schema == LAYER_AVERAGES
    sounds = (
        table.filter(metric="soundness").sort("variant", "layer").select("agent", "variant", "layer", "value").rows()
    )
    assert sounds == [
        ("gpt", "mapped", 0, 1 / 8),
        ("gpt", "mapped", 9, 0.5),
        ("gpt", "mapped", 30, 1.0),
        ("gpt", "raw", 0, 0.0),
        ("gpt", "raw", 9, 1 / 8),
        ("gpt", "raw", 30, 1.0),
        ("gpt", "shuffled", 0, 1 / 8),
        ("gpt", "shuffled", 9, 1 / 8),
    ]
    own = averages_of({"gpt": right(4)}, relations=SIX).filter(metric="soundness")
    ninth = table.filter(metric="soundness", variant="mapped", layer=9)
    assert ninth.select("value", "low", "high", "units").equals(own.select("value", "low", "high", "units"))


def test_raw_and_mapped_layers_are_series_in_the_order_of_the_layers():
    assert series_of_layers({"gpt": GPT, "bert": layered(raw={2: 1, 0: 0})}) == {
        "gpt, mapped": {"gpt@mapped@0": 0.0, "gpt@mapped@9": 9.0, "gpt@mapped@30": 30.0},
        "gpt, raw": {"gpt@raw@0": 0.0, "gpt@raw@9": 9.0, "gpt@raw@30": 30.0},
        "bert": {"bert@raw@0": 0.0, "bert@raw@2": 2.0},
    }


def test_a_series_has_the_layers_of_its_variant_alone():
    """One layer is no series; a name says the variant where two are tested, though one of them is no series."""
    half_mapped = layered(raw={0: 1, 1: 1, 5: 1}, mapped={5: 1, 1: 1}, shuffled={7: 1})
    assert series_of_layers(
        {"gpt": half_mapped, "bert": layered(raw={0: 1, 1: 1}, mapped={1: 1}, shuffled={0: 1})}
    ) == {
        "gpt, mapped": {"gpt@mapped@1": 1.0, "gpt@mapped@5": 5.0},
        "gpt, raw": {"gpt@raw@0": 0.0, "gpt@raw@1": 1.0, "gpt@raw@5": 5.0},
        "bert, raw": {"bert@raw@0": 0.0, "bert@raw@1": 1.0},
    }


def test_half_is_reached_between_two_layers_where_the_last_one_exceeds_the_controls():
    values, series = split_layers({"gpt": GPT}), series_of_layers({"gpt": GPT})
    for control, found in ((right(0), True), (right(8), False)):
        tests = last_layers_with_controls(values, series, {"frequency": control}, NOTHING_SHARED)
        assert tests.select("agent_a", "agent_b", "difference").rows() == [
            (f"gpt@{variant}@30", "frequency", float(found)) for variant in ("mapped", "raw")
        ]
        tables = trend_tables(values, {"layer": series}, [], NOTHING_SHARED, SIX, tests, ["frequency"])
        halves = {one["series"]: one for one in tables["halves"].iter_rows(named=True)}
        assert {one["control"] for one in halves.values()} == {"frequency"}
        # mapped: 1/8, 4/8, 8/8 reach 4/8 at layer 9; raw: 0, 1/8, 8/8 reach it 3/7 of the way from layer 9 to 30
        at = (pytest.approx(9), pytest.approx(9 + 21 * 3 / 7)) if found else (None, None)
        assert (halves["gpt, mapped"]["half_at"], halves["gpt, raw"]["half_at"]) == at
    against = plain_names(tables["against_last"]).filter(series="gpt, mapped")
    assert against.select("agent", "place", "last", "difference").rows() == [
        ("gpt", 0.0, "gpt", -7 / 8),
        ("gpt", 9.0, "gpt", -0.5),
    ]
    assert plain_names(tables["trends"])["last"].to_list() == [30.0, 30.0]
    assert last_layers_with_controls(values, series, {}, NOTHING_SHARED).is_empty()


def test_the_step_takes_layers_as_series_beside_those_of_agents():
    """An agent without layers is in the series of its axis, with the tests of the study."""
    agents = {"small": right(2), "large": right(6)}
    tests = last_layers_with_controls(
        agents, {"sizes": {"small": 1.0, "large": 2.0}}, {"frequency": right(0)}, NOTHING_SHARED
    )
    along = {"size": {"sizes": {"small": 1.0, "large": 2.0}}}
    nothing = {"pairs": pl.DataFrame(), "averages": pl.DataFrame()}
    gold = GoldStandard(pl.DataFrame(), NOTHING_SHARED, pl.DataFrame(), pl.DataFrame(), SIX)
    alone = SeriesFiles(gold=gold, tests=tests, metrics_of_members=agents, **nothing)
    layered = replace(alone, metrics_by_layer={"gpt": GPT}, blind={"frequency": right(0)})
    settings = SeriesSettings(along=along, networks={}, controls=["frequency"], map_text="wordnet")
    tables = trends(layered, settings)
    found = {(one["axis"], one["series"]): one for one in tables["halves"].iter_rows(named=True)}
    assert set(found) == {("size", "sizes"), ("layer", "gpt, mapped"), ("layer", "gpt, raw")}
    assert found["layer", "gpt, mapped"]["half_at"] == pytest.approx(9)
    assert {one["control"] for one in found.values()} == {"frequency"}
    without = trends(alone, settings)["halves"]
    assert without["series"].to_list() == ["sizes"]
    layer_trends = trends(replace(layered, metrics_of_members=None), replace(settings, along={}))
    assert layer_trends["halves"].height == 2
