"""Averages, tests and the choice of a rater, from metrics written by hand."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.stats import holm, mean_intervals
from relprobe.stats.averages import SEED
from relprobe.stats.controls import judge_of, model_of
from relprobe.stats.schemas import AVERAGES, TESTS
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.degrees import compare
from relprobe.studies.degrees.agents import layer_metrics
from relprobe.studies.degrees.analyses.choice import BEST_RATERS, choices
from relprobe.studies.degrees.analyses.classes import by_class
from relprobe.studies.degrees.analyses.layers import tables_of_layers
from relprobe.studies.degrees.analyses.reversals import DIFFERENCES, differences
from relprobe.studies.degrees.conditions import by_agent, class_order
from relprobe.studies.degrees.measures import MEASURES
from relprobe.studies.degrees.results import LayerResults
from relprobe.studies.degrees.schemas import GOLD, LAYER_METRICS, METRICS, TRAINING


def metrics(agent, rho, p=(0.5, 0.5, 0.5), maxdiff=(30.0, 30.0, 30.0), training=()):
    """Return the METRICS of an agent on three test subcategories, two of them of the first class.

    `training`: both rho and MaxDiff of training subcategories.
    """
    conditions = ["SIMILAR", "SIMILAR", "CONTRAST"]
    rows = []
    less = [None if value is None else value / 2 for value in rho]
    both = [
        None if one is None or value is None else float(value < 0.05 and one < 0)
        for one, value in zip(rho, p, strict=True)
    ]
    measured = {
        **{"rho": rho, "rho_without_reversals": less, "p": p, "p_without_reversals": p, "maxdiff": maxdiff},
        **{f"significant_0{n}": [None if v is None else float(v < n / 100) for v in p] for n in (5, 1)},
        **{"negative_05": both, "rated": (1.0, 1.0, 1.0)},
    }
    for metric, values in measured.items():
        places = enumerate(zip(conditions, values, strict=True))
        rows += [(agent, metric, c, f"t{i}", f"t{i}", v) for i, (c, v) in places if v is not None]
    for metric in ("rho", "maxdiff"):
        rows += [(agent, metric, TRAINING, f"s{i}", f"s{i}", value) for i, value in enumerate(training)]
    return pl.DataFrame(rows, schema=METRICS, orient="row")


A = metrics("one schema", (0.1, 0.2, 0.6), p=(0.04, 0.2, 0.005), training=(0.5, 0.1, 0.1, 0.1))
B = metrics("one pmi", (0.0, -0.4, 0.4), p=(0.9, 0.01, 0.2), training=(0.0, 0.2, 0.2, 0.2))
C = metrics("two schema", (0.3, 0.3, 0.3))
RANDOM = metrics("random", (0.0, 0.0, 0.0))


def averages(tables, **more):
    """Return the averages of the tables of agents."""
    return compare.averages(by_agent(tables), AgentComparison([], **more))


def agent_tests(tables, **more):
    """Return the tests of the tables of agents, of which those without a model are controls."""
    values = by_agent(tables)
    comparing = AgentComparison([agent for agent in values if model_of(agent) is None], **more)
    return compare.agent_tests(values, comparing.with_judges(values))


def test_an_agent_is_a_model_and_a_rater_or_a_baseline():
    assert (model_of("gpt-2 schema-mean"), judge_of("gpt-2 schema-mean")) == ("gpt-2", "schema-mean")
    assert (model_of("random"), judge_of("random")) == (None, "random")


def test_averages_are_over_the_test_subcategories_and_over_each_class():
    table = averages([A, RANDOM])
    assert table.schema == AVERAGES
    value = {(a, m, c): v for a, m, c, v in table.select("agent", "metric", "condition", "value").iter_rows()}
    assert value["one schema", "rho", "test"] == pytest.approx(0.3)
    assert value["one schema", "rho", "SIMILAR"] == pytest.approx(0.15)
    assert value["one schema", "rho", TRAINING] == pytest.approx(0.2)
    assert value["random", "maxdiff", "test"] == 30
    assert not any(metric.startswith("p") for _, metric, _ in value)


def test_what_one_agent_lacks_moves_no_other():
    # The third of 20 subcategories is missing from one agent.
    def many(agent, missing=()):
        rows = [(agent, "rho", "SIMILAR", f"t{i}", f"t{i}", float(i == 3)) for i in range(1, 21) if i not in missing]
        return pl.DataFrame(rows, schema=METRICS, orient="row")

    metrics = [many("one schema"), many("two schema", missing=[3])]
    for targets in ("common", "own"):
        one, two = averages(metrics, targets=targets).filter(condition="test", metric="rho").sort("agent").to_dicts()
        assert (one["value"], one["units"], one["coverage"]) == (pytest.approx(1 / 20), 20, 1)
        assert (two["value"], two["units"], two["coverage"], two["own_units"]) == (0, 19, 19 / 20, True)


def test_significant_subcategories_are_counted_on_both_sides_of_zero():
    table = averages([A, B]).filter(condition="test")
    counts = {(a, m): v for a, m, v in table.select("agent", "metric", "value").iter_rows()}
    assert [counts["one schema", name] for name in ("significant_05", "significant_01", "negative_05")] == [2, 1, 0]
    assert [counts["one pmi", name] for name in ("significant_05", "significant_01", "negative_05")] == [1, 0, 1]


def test_counts_of_subcategories_have_the_bounds_of_their_share_times_their_number():
    values = by_agent([A, B])
    shares = AgentComparison([]).averages(values, MEASURES).filter(metric="significant_05", condition="test")
    counts = averages([A, B]).filter(metric="significant_05", condition="test")
    for name in ("value", "low", "high"):
        assert counts[name].to_list() == pytest.approx([3 * one for one in shares[name]])
    assert shares["low"].null_count() == shares["high"].null_count() == 0
    assert counts["value"].to_list() == [2, 1]


def test_the_error_of_reversals_is_the_root_of_the_mean_square():
    errors = pl.DataFrame(
        [
            ("one pmi", "reversal_error", "SIMILAR", f"{t} {i}", t, v)
            for t, values in (("t1", (1.0, 49.0)), ("t2", (0.0, 50.0)))
            for i, v in enumerate(values)
        ],
        schema=METRICS,
        orient="row",
    )
    table = averages([pl.concat([B, errors])]).filter(metric="reversal_rmse", condition="test")
    assert table["value"].item() == 5  # √((1 + 49 + 0 + 50) / 4)
    # Both subcategories have the mean 25, so that resampling them changes nothing.
    assert table.select("units", "clusters", "low", "note").row(0) == (
        *(4, 2, None),
        "no interval: the value is the same in all clusters",
    )


def test_raters_are_compared_within_a_model_and_models_within_a_rater():
    table = agent_tests([A, B, C, RANDOM])
    assert table.schema == TESTS
    pairs = set(table.filter(metric="rho").select("condition", "agent_a", "agent_b").iter_rows())
    assert pairs == {
        ("one", "one schema", "one pmi"),
        ("one", "one schema", "random"),
        ("one", "one pmi", "random"),
        ("two", "two schema", "random"),
        ("schema", "one schema", "two schema"),
    }
    assert set(table.filter(metric="rho")["paper_test"]) == {"Wilcoxon"}
    assert set(table["units"]) == set(table["clusters"]) == {3}
    one = table.filter(metric="rho", agent_a="one schema")
    # Differences 0.1, 0.6, 0.2 from the other rater, all positive: 2 of 8 patterns of signs. With the baseline likewise.
    assert one.select("agent_b", "difference", "p", "family", "p_holm").rows()[:2] == [
        ("one pmi", pytest.approx(0.3), 0.25, "models", 0.25),
        ("random", pytest.approx(0.3), 0.25, "controls", 0.25),  # adjusted over its own tests alone
    ]


def test_a_checkpoint_before_the_last_is_no_match_for_other_models():
    table = agent_tests([A, B, C, RANDOM], members=["two"]).filter(metric="rho")
    pairs = set(table.select("condition", "agent_a", "agent_b").iter_rows())
    assert ("two", "two schema", "random") in pairs  # its raters stand beside the baselines
    assert set(table.filter(condition="two")["family"]) == {"series"}
    assert not any(condition == "schema" for condition, _, _ in pairs)


def test_all_pairs_are_compared_with_those_without_reversals_within_an_agent():
    table = differences(by_agent([A, RANDOM]), AgentComparison(["random"]))
    assert table.schema == DIFFERENCES
    # rho is 0.1, 0.2, 0.6 with and half of it without reversals: 2 of the 8 patterns of signs.
    assert table.select("agent", "a", "b", "difference", "p", "family").rows() == [
        ("one schema", "rho", "rho_without_reversals", pytest.approx(0.15), 0.25, "models"),
        ("random", "rho", "rho_without_reversals", 0.0, 1.0, "controls"),
    ]


def test_without_models_there_is_nothing_to_compare_or_choose():
    assert agent_tests([RANDOM]).is_empty()
    assert choices(by_agent([RANDOM])).is_empty()


def test_the_rater_is_chosen_on_the_training_subcategories_and_the_gain_is_cross_validated():
    table = choices(by_agent([A, B, C]))
    assert table.schema == BEST_RATERS
    row = table.filter(among="one", metric="rho").row(0, named=True)
    # Means on training: schema 0.2, pmi 0.15. Without s0 schema has 0.1 and pmi 0.2: pmi is chosen for s0 and gets 0.0.
    # Without any other schema has 0.7/3 and pmi 0.4/3: schema is chosen for them and gets 0.1 each.
    assert row["chosen"] == "one schema"
    assert row["training"] == pytest.approx(0.2)
    assert row["cross_validated"] == pytest.approx((0.0 + 0.3) / 4)
    assert row["mean_training"] == pytest.approx(0.175)
    assert row["gain"] == pytest.approx(0.075 - 0.175)
    assert row["gain_low"] < row["gain"] < row["gain_high"]
    assert row["test"] == pytest.approx(0.3)
    assert row["mean_test"] == pytest.approx(0.15)
    assert set(table["among"]) == {
        "one"
    }  # the other model has no values on training subcategories, so that "all models" has none


def test_the_best_rater_is_found_at_any_place_and_all_models_are_a_group_of_two_or_more():
    table = choices(by_agent([B, A])).filter(metric="rho")
    assert table.select("among", "chosen").rows() == [("one", "one schema")]
    assert table["training"][0] == pytest.approx(0.2)
    other = metrics("two schema", (0.3, 0.3, 0.3), training=(0.6, 0.6, 0.6, 0.6))
    table = choices(by_agent([B, A, other])).filter(metric="rho")
    assert table.select("among", "chosen").rows() == [
        ("one", "one schema"),
        ("two", "two schema"),
        ("all models", "two schema"),
    ]


def test_a_rater_that_is_best_on_all_others_is_chosen_where_it_is_best_as_well():
    good = metrics("one schema", (0.1, 0.2, 0.6), training=(0.9, 0.8, 0.8))
    poor = metrics("one pmi", (0.0, 0.0, 0.0), training=(0.1, 0.2, 0.2))
    row = choices(by_agent([poor, good])).row(by_predicate=pl.col("metric") == "rho", named=True)
    assert row["cross_validated"] == pytest.approx((0.9 + 0.8 + 0.8) / 3)


def test_the_colours_of_the_classes_have_a_row_for_each_agent_with_a_rho_and_the_most_subcategories():
    lacking = metrics("two schema", (0.25, None, 0.5))
    unrated = metrics("two maxdiff", (None, None, None))
    table = averages([A, lacking, unrated, RANDOM], targets="own")
    figure = by_class(table, ["SIMILAR", "CONTRAST"], ["one", "two", "random"])
    axis = figure.axes[0]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["Similar (2)", "Contrast (1)"]
    said = [text.get_text() for text in axis.texts]
    assert [said[place : place + 2] for place in range(0, len(said), 2)] == [
        [".15", ".60"],
        [".25", ".50"],
        [".00", ".00"],
    ]
    without = by_class(averages([A, unrated]), ["SIMILAR", "OTHER"], ["one", "two"])
    assert [label.get_text() for label in without.axes[0].get_xticklabels()] == ["Similar (2)", "Other (0)"]
    assert [text.get_text() for text in without.axes[0].texts] == [".15", "–"]


def drawn(agent, seed, shift):
    """The METRICS of an agent: rho of 40 test subcategories around `shift`."""
    values = np.random.default_rng(seed).normal(shift, 0.3, 40).tolist()
    rows = [(agent, "rho", "SIMILAR", f"t{place}", f"t{place}", value) for place, value in enumerate(values)]
    return pl.DataFrame(rows, schema=METRICS, orient="row")


def test_the_p_of_a_rater_beside_controls_is_over_its_own_tests_and_no_other_raters():
    names = ["m schema", "m pmi", "n schema", "n pmi", "o schema"]
    tables = [drawn(agent, seed, 0.08) for seed, agent in enumerate(names)]
    controls = [drawn(agent, seed, 0.0) for seed, agent in enumerate(("random", "static"), 10)]
    tests = agent_tests([*tables, *controls]).filter(family="controls", metric="rho")
    assert tests.height == 10
    for (_,), rows in tests.group_by("family_of"):
        assert rows["p_holm"].to_list() == rows["p_holm_all"].to_list() == holm(rows["p"].to_list())
    alone = agent_tests([tables[0], tables[1], *controls]).filter(family="controls", metric="rho")
    assert tests.filter(condition="m").equals(alone)


def test_intervals_of_few_subcategories_end_where_values_end():
    """Of three subcategories t is 4.3, so that an interval of rho would reach beyond 1, and one of an error below 0."""
    errors = [("one schema", "reversal_error", "SIMILAR", f"p{place}", f"t{place}", float(place)) for place in range(3)]
    table = averages([metrics("one schema", (0.9, -0.7, 0.6)), pl.DataFrame(errors, schema=METRICS, orient="row")])
    bounds = dict(table.filter(condition="test").select("metric", pl.concat_list("low", "high")).iter_rows())
    assert bounds["rho"] == [-1, 1]
    assert bounds["reversal_rmse"][0] == 0
    alone = averages([metrics("one schema", (0.9, None, None))]).filter(metric="rho", condition="test")
    assert alone.select("low", "high").rows() == [(None, None)]


def test_layers_without_a_state_are_an_error_that_names_the_file():
    scores = SimpleNamespace(path="layer_scores/m.parquet", layers=list)
    with pytest.raises(DataError, match=r"layer_scores/m\.parquet holds no states: the study has no pair to rate"):
        layer_metrics(scores, *3 * [None])


def test_the_gain_of_a_choice_is_over_the_mean_of_each_subcategory_and_has_its_interval():
    """Of A and B the chosen ones get 0, 0.1, 0.1 and 0.1, and their means are 0.25 and three times 0.15."""
    row = choices(by_agent([A, B])).row(by_predicate=pl.col("metric") == "rho", named=True)
    gains = np.array([[0.0 - 0.25], [0.1 - 0.15], [0.1 - 0.15], [0.1 - 0.15]])
    (interval,) = mean_intervals(gains, np.ones((4, 1)), SEED)
    assert (row["gain_low"], row["gain_high"]) == pytest.approx((interval.low, interval.high))
    maxdiff = choices(by_agent([A, B])).row(by_predicate=pl.col("metric") == "maxdiff", named=True)
    assert (maxdiff["test"], maxdiff["mean_test"]) == (30.0, 30.0)


def test_a_rater_is_chosen_without_test_subcategories_and_from_three_training_ones_on():
    def trained(agent, *values):
        rows = [(agent, "rho", TRAINING, f"s{place}", f"s{place}", value) for place, value in enumerate(values)]
        return pl.DataFrame([*rows, (agent, "rated", TRAINING, "s0", "s0", 1.0)], schema=METRICS, orient="row")

    table = choices(by_agent([trained("one schema", 0.1, 0.2, 0.3), trained("one pmi", 0.2, 0.3, 0.4)]))
    assert table.select("among", "metric", "chosen", "test", "mean_test").rows() == [
        ("one", "rho", "one pmi", None, None)
    ]
    assert choices(by_agent([trained("one schema", 0.1, 0.2), trained("one pmi", 0.2, 0.3)])).is_empty()
    chooser = trained("one maxdiff", 0.9, 0.9, 0.9).filter(pl.col("metric") != "rated")
    with_one = choices(by_agent([trained("one schema", 0.1, 0.2, 0.3), chooser, trained("random", 0.8, 0.8, 0.8)]))
    assert with_one["chosen"].to_list() == ["one schema"]  # neither answers to questions nor a baseline is a rater


def layer_rows(layer, metric, values, condition="SIMILAR"):
    """The LAYER_METRICS of subcategories t0, t1 … after a layer."""
    rows = [(layer, "raw", metric, condition, f"t{i}", f"t{i}", value) for i, value in enumerate(values)]
    names = ["layer", "variant", "metric", "condition", "unit", "cluster", "value"]
    return pl.DataFrame(rows, schema={name: LAYER_METRICS[name] for name in names}, orient="row").select(
        list(LAYER_METRICS)
    )


def test_layers_are_averaged_per_class_and_tested_over_all_test_subcategories():
    """Beside the baselines, which may have further metrics."""
    layers = [
        *[layer_rows(0, "rho", [0.1, 0.3]), layer_rows(6, "rho", [0.5, 0.7])],
        *[layer_rows(0, "rho", [0.9], TRAINING), layer_rows(6, "rho", [0.9], TRAINING)],
    ]
    given = LayerResults({"m": pl.concat(layers)}, [RANDOM], averages([RANDOM]), "common")
    tables = tables_of_layers(given)
    averaged = tables["layers"].sort("layer", "condition").select("layer", "metric", "condition", "value").rows()
    assert averaged == [
        (layer, "rho", condition, pytest.approx(value))
        for layer, test_value in ((0, 0.2), (6, 0.6))
        for condition, value in (("SIMILAR", test_value), ("test", test_value), (TRAINING, 0.9))
    ]
    assert tables["trends"].select("series", "condition", "value_first", "value_last", "units").rows() == [
        ("m", "test", pytest.approx(0.2), pytest.approx(0.6), 2)
    ]
    assert tables["halves"]["reader"].to_list() == ["the rater hidden, by cosines of offsets"]
    controls = tables["series"].filter(variant="control", condition="test", metric="rho")
    assert controls.select("agent", "value").rows() == [("random", 0.0)]
    without = tables_of_layers(given._replace(controls=[], averages=averages([RANDOM]).clear()))
    assert without["layers"].equals(tables["layers"])
    assert without["series"].filter(variant="control").is_empty()


def test_all_comparisons_are_made_at_once():
    """Averages and tests of all agents, people's agreement, and the tables of layers if an agent has some."""
    comparing = AgentComparison(["random"])
    given = {"metrics": [A, B, C, RANDOM], "relations": [], "comparing": comparing, "seed": 1}
    found = compare.compare(**given)
    assert found.averages.equals(averages([A, B, C, RANDOM]))
    assert found.tests.equals(agent_tests([A, B, C, RANDOM]))
    assert found.ceiling.is_empty()
    assert found.tables is None
    layered = {"one": layer_rows(0, "rho", [0.1, 0.3])}
    tables = compare.compare(**given, baselines=[RANDOM], layered=layered, table_names=["layers", "series"]).tables
    assert {"layers", "series"} <= set(tables)
    assert tables["layers"]["agent"].unique().to_list() == ["one"]
    assert tables["series"].filter(variant="control")["agent"].unique().to_list() == ["random"]


def test_tests_stand_by_model_and_rater_in_the_order_of_the_agents():
    table = agent_tests([C, B, A, metrics("two pmi", (0.1, 0.0, 0.2)), RANDOM]).filter(metric="rho")
    assert table["condition"].unique(maintain_order=True).to_list() == ["two", "schema", "one", "pmi"]
    alone = agent_tests([A, B, metrics("two layered", (0.1, 0.0, 0.2))]).filter(metric="rho")
    assert alone.select("condition", "agent_a", "agent_b").rows() == [("one", "one schema", "one pmi")]


def test_the_classes_are_those_of_test_subcategories_in_the_order_of_the_task():
    rows = [("t0", "B", False), ("t0", "B", False), ("t1", "A", False), ("s", "C", True), ("t2", "B", False)]
    gold = pl.DataFrame([(*row, "a:b", None, 1.0, "") for row in rows], schema=GOLD, orient="row")
    assert class_order(gold) == ["B", "A"]


def test_bounds_of_the_error_of_reversals_are_roots_and_no_square_is_left():
    errors = [
        ("one schema", "reversal_error", "SIMILAR", f"p{place}", f"t{place}", value)
        for place, value in enumerate((9.0, 10.0, 16.0, 12.0))
    ]
    table = averages([pl.DataFrame(errors, schema=METRICS, orient="row")]).filter(condition="test")
    squares = AgentComparison([]).averages(
        {"one schema": pl.DataFrame(errors, schema=METRICS, orient="row").drop("agent")}, MEASURES
    )
    assert table["metric"].to_list() == ["reversal_rmse"]
    assert table.select("value", "low", "high").row(0) == pytest.approx(
        tuple(value**0.5 for value in squares.select("value", "low", "high").row(0))
    )
    assert squares["low"][0] > 0
