"""The accuracies of the classifiers, over folds and seeds."""

import polars as pl
import pytest
from relprobe.core.unmade import reasons
from relprobe.report.analyses import tables_by_layer
from relprobe.stats.averages import averages
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.systematicity.baselines import majority
from relprobe.studies.systematicity.compare import accuracies, compare, contrasts, with_intervals
from relprobe.studies.systematicity.measures import MEASURES
from relprobe.studies.systematicity.method import detection_values
from relprobe.studies.systematicity.results import LayerResults
from relprobe.studies.systematicity.schemas import LAYER_METRICS, METRICS, PAIRS

from tests.studies.systematicity.measure.test_metrics import DETECTED, ITEMS_TABLE, MASKED, measured, values


def test_detection_is_averaged_over_folds():
    pairs = DETECTED.filter(input="full").select("setting", "fold", "hyponym", "hypernym", "label")
    pairs = (
        pairs.with_columns(part=pl.lit("test"), hyponym_context=0, hypernym_context=0).select(list(PAIRS)).cast(PAIRS)
    )
    table = accuracies({"m": DETECTED}, majority(ITEMS_TABLE, pairs))
    row = table.row(by_predicate=(pl.col("agent") == "m") & (pl.col("input") == "full"), named=True)
    assert row["accuracy"] == pytest.approx((1 + 1 / 4) / 2)
    assert row["sd"] == pytest.approx((2 * (3 / 8) ** 2) ** 0.5)
    assert (row["folds"], row["seeds"], row["sd_seeds"], row["pairs"], row["errors"]) == (2, 1, None, 6, 3)
    assert row["false_positives"] == pytest.approx(2 / 3)
    constant = table.row(by_predicate=pl.col("agent") == "majority", named=True)
    assert (constant["accuracy"], constant["sd"], constant["pairs"]) == (0.5, 0, 6)
    assert constant["errors"] == 3  # both labels are as frequent, so that each is the answer in half of the cases


def test_accuracies_are_means_over_folds_and_seeds_and_both_spreads_are_shown():
    # Seed 2 is right about everything; seed 1 is right about all pairs of fold 1 and a quarter of those of fold 2.
    better = DETECTED.with_columns(seed=pl.lit(2, pl.Int64), p=pl.col("label").cast(pl.Float64))
    both = pl.concat([DETECTED, better]).filter(input="full")
    found = values(detection_values(both))["detection"]
    assert (found["1:robin:fish"], found["2:trout:fish"], found["2:trout:bird"]) == (1, 1, 1 / 2)
    row = accuracies({"m": both}, pl.DataFrame(schema=METRICS)).row(0, named=True)
    assert row["accuracy"] == pytest.approx((1 + 5 / 8) / 2)
    assert row["sd"] == pytest.approx((2 * (3 / 16) ** 2) ** 0.5)  # over the folds: 1 and 5/8
    assert row["sd_seeds"] == pytest.approx((2 * (3 / 16) ** 2) ** 0.5)  # over the seeds: 5/8 and 1
    assert (row["folds"], row["seeds"], row["pairs"], row["errors"]) == (2, 2, 6, 3 / 2)
    assert row["false_positives"] == pytest.approx(2 / 3)


def test_the_spread_over_the_seeds_is_the_same_to_the_last_digit_in_every_run():
    seeds = [DETECTED.with_columns(seed=pl.lit(seed, pl.Int64), p=pl.col("p") + seed / 50) for seed in range(20)]
    none = pl.DataFrame(schema=METRICS)
    spreads = {accuracies({"m": pl.concat(seeds)}, none)["sd_seeds"].to_list()[0] for _ in range(20)}
    assert len(spreads) == 1


def test_a_classifier_without_an_error_has_no_share_of_false_positives():
    right = DETECTED.with_columns(p=pl.col("label").cast(pl.Float64))
    row = accuracies({"m": right}, pl.DataFrame(schema=METRICS)).row(0, named=True)
    assert (row["errors"], row["false_positives"]) == (0, None)


def test_settings_stand_in_their_order_and_the_majority_has_no_interval():
    unseen = DETECTED.with_columns(setting=pl.lit("unseen"))
    constant = [
        ("detection", name, f"1:{word}:x", word, 1.0) for name in ("unseen", "seen") for word in ("bird", "fish")
    ]
    table = accuracies({"m": pl.concat([unseen, DETECTED])}, pl.DataFrame(constant, schema=METRICS, orient="row"))
    assert table.select("setting", "agent", "input").rows() == [
        (setting, *agent)
        for setting in ("seen", "unseen")
        for agent in (("majority", "none"), ("m", "full"), ("m", "partial"))
    ]
    values_of_all = {"m": detection_values(DETECTED), "majority": detection_values(DETECTED)}
    shown = with_intervals(table.with_columns(input=pl.lit("full")), averages(values_of_all, MEASURES))
    assert shown.filter(agent="majority")["low"].to_list() == [None, None]
    assert shown.filter(agent="m", setting="seen")["categories"].to_list() == [3, 3]


def test_a_comparison_has_the_averages_the_tests_and_what_was_compared_within_each_agent():
    detected = detection_values(DETECTED)
    pairs = DETECTED.filter(input="full").select("setting", "fold", "hyponym", "hypernym", "label")
    pairs = (
        pairs.with_columns(part=pl.lit("test"), hyponym_context=0, hypernym_context=0).select(list(PAIRS)).cast(PAIRS)
    )
    values = {"m": pl.concat([measured(MASKED), detected]), "majority": majority(ITEMS_TABLE, pairs)}
    comparing = AgentComparison(["majority"])
    found = compare(values, {"m": DETECTED}, comparing)
    assert found.averages.equals(comparing.averages(values, MEASURES))
    assert found.tests.equals(comparing.tests(values, MEASURES))
    assert found.detection.equals(with_intervals(accuracies({"m": DETECTED}, values["majority"]), found.averages))
    assert found.contrasts.equals(contrasts(values, comparing.kinds(values)))
    assert found.contrasts.height
    assert found.tables is None
    along = detected.filter(metric="detection").with_columns(variant=pl.lit("raw"))
    layers = [along.with_columns(layer=pl.lit(layer, pl.UInt16)) for layer in (0, 1)]
    layered = {"m": pl.concat(layers).select(list(LAYER_METRICS))}
    baselines = {"majority": values["majority"]}
    found = compare(values, {"m": DETECTED}, comparing, baselines, layered)
    layer_results = LayerResults(layered, baselines, found.averages, comparing.targets)
    assert found.tables.keys() == tables_by_layer("systematicity", layer_results).keys() == {*LAYER_TABLES}
    series = found.tables["series"]
    assert set(series["agent"]) >= {"m", "majority"}
    assert set(series["metric"]) == {"detection"}
    assert found.tables["layers"].select("layer", "metric", "condition", "value").rows() == [
        (layer, "detection", "seen", 3 / 6)
        for layer in (0, 1)  # of six pairs three are right
    ]


LAYER_TABLES = ("layers", "trends", "against_last", "halves", "series")


def test_tables_along_layers_that_cannot_be_made_say_why_where_they_are_expected():
    values, damaged = {"majority": measured(MASKED), "m": measured(MASKED)}, {"m": pl.DataFrame({"x": [1]})}
    found = compare(values, {"m": DETECTED}, AgentComparison(["majority"]), {}, damaged, table_names=["layers"])
    assert set(reasons(found.tables)) == {"layers"}
