"""The agents side by side: averages, the primary test beside all controls, and how well people agree."""

from dataclasses import fields

import numpy as np
import polars as pl
import pytest
from relprobe.report.published import PUBLISHED
from relprobe.stats.schemas import DECLARED
from relprobe.stats.side_by_side import AgentComparison
from relprobe.studies.pairs.analyses.layers import tables_of_layers
from relprobe.studies.pairs.analyses.published import TABLES as TABLES_OF_PUBLISHED
from relprobe.studies.pairs.analyses.published import our_values
from relprobe.studies.pairs.ceiling import ceiling, rater_correlation, single_rating_correlation
from relprobe.studies.pairs.compare import agent_tests, averages
from relprobe.studies.pairs.measures import MEASURES
from relprobe.studies.pairs.method import judgment_table, links, probes, values
from relprobe.studies.pairs.results import LayerResults, Results, by_agent
from relprobe.studies.pairs.schemas import CEILING, LAYER_METRICS, METRICS, PAIR_AVERAGES, RATERS

from tests.studies.pairs.made import PROMPTS, article, compare, items

TARGETS = 30


def study():
    """Targets with a right word and two foils, an agent that is right, and one that is not, with their controls."""
    draws = np.random.default_rng(1)
    rows = [
        (f"t{number}", f"t{number}", f"{kind}{number}", kind)
        for number in range(TARGETS)
        for kind in ("right", "random", "other target")
    ]
    table = pl.concat([items(*rows[:45]), items(*rows[45:], condition="MER", relation="HYP")])
    asked = probes(table, PROMPTS, article)
    pairs = list(table.select("relation", "first", "second").iter_rows())
    noise = {pair: float(draws.normal()) for pair in pairs}
    knows = {pair: noise[pair] + 4.0 * pair[2].startswith("right") for pair in pairs}
    agents = {
        "good pmi": knows,
        "poor pmi": {pair: float(draws.normal()) for pair in pairs},
        "good pmi+candidate": noise,
        "frequency": {pair: float(draws.normal()) for pair in pairs},
    }
    return table, [values(judgment_table(name, scores, asked), table) for name, scores in agents.items()]


@pytest.fixture(scope="module")
def compared():
    table, metrics = study()
    comparing = AgentComparison(["frequency", "good pmi+candidate"])
    return compare(metrics, table, pl.DataFrame(schema=RATERS), comparing, seed=1)


def test_averages_are_per_condition_and_kind_of_foil_and_over_the_whole_set(compared):
    rows = compared.averages.filter(agent="good pmi", metric="ap")
    assert set(rows["condition"]) == {"HYP", "MER", "wordnet"}
    assert set(rows["foils"]) == {"all", "random", "other target"}
    whole = rows.filter(condition="wordnet", foils="all")
    assert whole["units"].item() == TARGETS
    assert whole["value"].item() > 0.9
    others = compared.averages.filter(agent="poor pmi", metric="ap")
    assert 0 <= others["low"].min() < others["high"].max() <= 1


def test_the_primary_test_is_beside_every_control_and_pooled(compared):
    primary = compared.tables["primary"]
    assert "condition" not in primary.columns
    found = {row["agent"]: row for row in primary.iter_rows(named=True)}
    assert set(found) == {"good pmi", "poor pmi"}
    assert found["good pmi"]["p"] < 0.001
    assert found["good pmi"]["difference"] > 0.3
    assert found["poor pmi"]["p"] > 0.05


def test_a_control_of_one_model_stands_beside_that_model_alone(compared):
    own = compared.tests.filter(
        (pl.col("agent_a") == "good pmi+candidate") | (pl.col("agent_b") == "good pmi+candidate")
    )
    agents = set(own["agent_a"]) | set(own["agent_b"])
    assert agents == {"good pmi", "good pmi+candidate"}
    pair = compared.tests.filter(agent_a="good pmi", agent_b="poor pmi", metric="ap", condition="HYP")
    assert pair.height == 1


def test_a_model_that_is_a_member_or_declared_is_so_with_all_of_its_judges():
    table, (good, poor, blank, frequency) = study()
    tables = [good, poor, blank, frequency]
    tables += [one.with_columns(agent=pl.col("agent").str.replace(" pmi", " sentence")) for one in (good, poor)]
    controls = ["frequency", "good pmi+candidate"]
    tests = {
        name: compare(metrics=tables, item_table=table, raters=pl.DataFrame(schema=RATERS), comparing=one, seed=1).tests
        for name, one in {
            "member": AgentComparison(controls, members=["poor"]),
            "declared": AgentComparison(controls, declared=[["poor", "good"]]),
        }.items()
    }
    is_member_test = pl.any_horizontal(pl.col("agent_a", "agent_b").str.starts_with("poor"))
    beside = tests["member"].filter(is_member_test)
    assert set(beside["family"]) == {"series"}
    assert set(beside["agent_a"]) | set(beside["agent_b"]) == {"poor pmi", "poor sentence", "frequency"}
    declared = tests["declared"].filter(family_of=DECLARED)
    assert set(declared.select("agent_a", "agent_b").iter_rows()) == {
        ("good pmi", "poor pmi"),
        ("good sentence", "poor sentence"),
    }


def raters(rows):
    return pl.DataFrame([("own HYP", "a", *row) for row in rows], schema=RATERS, orient="row")


def test_raters_with_names_are_compared_with_each_other():
    numbers = {"x": (1, 2, 3, 4), "y": (1, 2, 3, 4), "z": (4, 3, 2, 1)}
    table = raters([(f"b{place}", name, float(one)) for name, of in numbers.items() for place, one in enumerate(of)])
    found = ceiling(table, seed=1)
    assert found.schema == CEILING
    assert found["pairwise"].item() == pytest.approx((1 - 1 - 1) / 3)
    assert found.select("pairs", "people").row(0) == (4, 3.0)
    alone = rater_correlation(table.filter(rater="x").with_columns(pair="second"))
    assert alone is None


def test_ratings_without_names_are_drawn_and_split():
    draws = np.random.default_rng(1)
    true = draws.normal(size=80)
    rows = [(f"b{place:02}", None, value + 0.5 * draws.normal()) for place, value in enumerate(true) for _ in range(10)]
    found = ceiling(raters(rows), seed=1).row(0, named=True)
    # Pearson's r of two single ratings is v / (v + 1/4), v the variance of the pairs; of one with the mean of nine it is
    # v / √((v + 1/4) (v + 1/36)), and of two means of five v / (v + 1/20). Spearman's is a little lower.
    v = float(true.var())
    assert found["pairwise"] == pytest.approx(v / (v + 1 / 4), abs=0.06)
    assert found["one_with_rest"] == pytest.approx(v / ((v + 1 / 4) * (v + 1 / 36)) ** 0.5, abs=0.05)
    assert found["split_half"] == pytest.approx(v / (v + 1 / 20), abs=0.04)
    assert found["split_half"] < found["reliability"] < found["ceiling"] < 1


def test_single_ratings_have_no_ceiling_and_a_reason():
    found = ceiling(raters([(f"b{place}", None, float(place)) for place in range(5)]), seed=1).row(0, named=True)
    assert found["ceiling"] is None
    assert "no group has two answers" in found["note"]


def test_raters_agree_in_their_order_whatever_their_numbers():
    """Of four pairs two places are turned round: 1 - 6 · 2 / (4 · 15). A third rater has two pairs, which are too few.

    Whichever rater is drawn for each of three pairs with higher and higher numbers, the orders are the same.
    """
    alike = [
        ("b0", "x", 1.0),
        ("b0", "y", 2.0),
        ("b1", "x", 30.0),
        ("b1", "y", 40.0),
        ("b2", "x", 50.0),
        ("b2", "y", 999),
    ]
    same = ceiling(raters(alike), seed=1).row(0, named=True)
    names = "pairwise", "one_with_rest", "split_half", "reliability", "ceiling"
    assert [same[name] for name in names] == pytest.approx([1.0] * 5)
    numbers = {"x": (1, 2, 3, 100), "y": (1, 3, 2, 4)}
    table = raters([(f"b{place}", name, float(one)) for name, of in numbers.items() for place, one in enumerate(of)])
    assert ceiling(table, seed=1)["pairwise"].item() == pytest.approx(0.8)
    third = raters([("b0", "z", 9.0), ("b1", "z", 1.0)])
    three = ceiling(pl.concat([table, third]).sample(fraction=1, shuffle=True, seed=2), seed=1).row(0, named=True)
    assert three["pairwise"] == pytest.approx(0.8)
    assert (three["pairs"], three["people"]) == (4, 2.5)
    conditions = pl.concat([table, table.with_columns(condition=pl.lit("hyperlex"))])
    assert ceiling(conditions, seed=1)["condition"].to_list() == ["own HYP", "hyperlex"]


@pytest.mark.parametrize(
    ("numbers", "groups", "expected"),
    [
        ([1, 2, 3, 4, 50, 100, 7], [0, 0, 1, 1, 2, 2, 3], 1.0),  # any two of a pair have the same order as any others
        ([1, 2, 3], [0, 1, 2], None),
        ([5, 5, 5, 5, 5, 5], [0, 0, 1, 1, 2, 2], None),
        ([], [], None),
    ],
    ids=["two of each pair", "one of each pair", "all alike", "none"],
)
def test_two_single_ratings_of_a_pair_are_those_of_two_people(numbers, groups, expected):
    found = single_rating_correlation(np.array(numbers, float), np.array(groups, np.int64), 1)
    assert found == (None if expected is None else pytest.approx(expected))


def test_a_single_rating_is_compared_with_another_one_of_its_pair():
    """One of the two ratings of each pair follows the order of the pairs, and the other one its reverse."""
    numbers = np.array([[place, -place] for place in range(1, 6)], float).ravel()
    groups = np.repeat(np.arange(5), 2)
    assert single_rating_correlation(numbers, groups, 1) == pytest.approx(
        -1.0
    )  # never a rating with itself, which would agree


def value_rows(agent, metric, condition, unit, value, foils="all"):
    return {"agent": agent, "metric": metric, "condition": condition, "foils": foils, "unit": unit, "value": value}


def table_of(*rows):
    return pl.DataFrame([{**value_rows(*row), "prompt": "is"} for row in rows]).drop("agent")


def test_a_set_of_several_conditions_has_an_average_over_all_of_its_targets_alike():
    """HYP has three targets and MER one, so that the mean is over four; own pairs are one condition, which is no set."""
    pair_items = pl.concat(
        [
            *[items(("a", "a", "x", "right")), items(("a", "a", "y", "right"), condition="MER", relation="MER")],
            items(("a", "a", "z", "right"), condition="own HYP", set_name="own"),
        ]
    )
    rows = [("m pmi", "ap", "HYP", unit, value) for unit, value in (("a", 0.1), ("b", 0.2), ("c", 0.3))]
    rows += [
        ("m pmi", "ap", "MER", "a", 1.0),
        ("m pmi", "ap", "own HYP", "a", 0.5),
        ("m pmi", "auc", "HYP", "a:x", 0.7),
    ]
    rows += [("m pmi", "ap", "MER", "a", 0.25, "random"), ("m pmi", "rr", "MER", "a", 0.75)]
    linked = pl.DataFrame(
        {"condition": ["HYP", "HYP", "HYP", "MER", "own HYP"], "unit": [*"abcaa"], "link": [*"abcaa"]}
    )
    found = averages({"m pmi": table_of(*rows)}, pair_items, {"links": linked}, AgentComparison([]))
    assert found["metric"].to_list() == sorted(found["metric"])
    means = {tuple(key): mean for *key, mean in found.select("metric", "condition", "foils", "value").iter_rows()}
    assert means == pytest.approx(
        {
            ("ap", "HYP", "all"): 0.2,
            ("ap", "MER", "all"): 1.0,
            ("ap", "MER", "random"): 0.25,
            ("ap", "own HYP", "all"): 0.5,
            ("ap", "wordnet", "all"): 1.6 / 4,
            ("ap", "wordnet", "random"): 0.25,
            ("auc", "HYP", "all"): 0.7,
            ("rr", "MER", "all"): 0.75,
            ("rr", "wordnet", "all"): 0.75,
        }
    )
    whole = found.filter(metric="ap", condition="wordnet", foils="all").row(0, named=True)
    assert (whole["units"], whole["clusters"]) == (4, 4)  # a of MER is another target than a of HYP
    alone = averages({"m pmi": table_of(rows[5])}, pair_items, {"links": linked}, AgentComparison([]))
    assert alone.select("metric", "condition").rows() == [("auc", "HYP")]


def test_each_two_agents_are_tested_once_against_all_foils():
    """Two models with one judge each have the same two controls, which are compared with each other once."""
    table, (good, poor, _, frequency) = study()
    agents = {
        "good pmi": good,
        "poor pmi": poor,
        "good embedding": good,
        "poor embedding": poor,
        "frequency": frequency,
        "static": frequency,
        "humans": good,
    }
    agent_values = {agent: agent_table.filter(metric="ap").drop("agent") for agent, agent_table in agents.items()}
    comparing = AgentComparison(["frequency", "static"])
    tests = agent_tests(agent_values, {"links": links(table)}, comparing.with_judges(agent_values))
    pairs = tests.filter(metric="ap", condition="HYP").select("agent_a", "agent_b").rows()
    assert len(pairs) == len({frozenset(pair) for pair in pairs})
    assert {frozenset(pair) for pair in pairs} >= {
        frozenset(pair)
        for pair in (
            *[("good pmi", "poor pmi"), ("good embedding", "poor embedding"), ("good pmi", "good embedding")],
            *[("poor pmi", "poor embedding"), ("good pmi", "frequency"), ("poor embedding", "static")],
        )
    }
    assert frozenset(("good pmi", "poor embedding")) not in {frozenset(pair) for pair in pairs}
    only_random = {
        agent: agent_table.with_columns(foils=pl.lit("random")) for agent, agent_table in agent_values.items()
    }
    assert agent_tests(only_random, {"links": links(table)}, comparing).is_empty()


def layer_rows(layer, metric, condition, values, foils="all"):
    """The values of units a, b and c after a layer."""
    rows = [value_rows("m", metric, condition, unit, value, foils) for unit, value in zip("abc", values, strict=True)]
    about = {"prompt": pl.lit("is"), "layer": pl.lit(layer, pl.UInt16), "variant": pl.lit("raw")}
    return pl.DataFrame(rows).with_columns(**about).select(list(LAYER_METRICS))


def test_layers_are_averaged_and_tested_against_all_foils_beside_the_controls_of_all_models():
    """Of ap and rho alone, in every condition that has them; a model with other foils or metrics has no more rows."""
    layers = [
        *[layer_rows(0, "ap", "HYP", [0.1, 0.2, 0.3]), layer_rows(4, "ap", "HYP", [0.6, 0.8, 1.0])],
        *[layer_rows(4, "ap", "HYP", [0.0] * 3, foils="random"), layer_rows(4, "rr", "HYP", [0.0] * 3)],
        *[layer_rows(0, "rho", "hyperlex", [0.1, 0.2, 0.3]), layer_rows(4, "rho", "hyperlex", [0.4, 0.5, 0.6])],
    ]
    control_rows = [value_rows("frequency", *row) for row in (("ap", "HYP", "a", 0.4), ("rr", "HYP", "a", 0.9))]
    controls = pl.DataFrame(control_rows).with_columns(prompt=pl.lit("is")).select(list(METRICS))
    linked = pl.DataFrame({"condition": "HYP", "unit": [*"abc"], "link": [*"abc"]})
    means = AgentComparison(["frequency"]).averages(
        {"frequency": controls.drop("agent")}, MEASURES, ("condition", "foils"), links={"links": linked}
    )
    other_foils = means.with_columns(foils=pl.lit("random"), value=pl.lit(0.9))
    given = LayerResults({"m": pl.concat(layers)}, [controls], pl.concat([means, other_foils]), linked, "common")
    tables = tables_of_layers(given)
    assert tables["layers"].select("agent", "layer", "metric", "condition", "value", "units").rows() == [
        *[("m", 0, "ap", "HYP", pytest.approx(0.2), 3), ("m", 4, "ap", "HYP", pytest.approx(0.8), 3)],
        *[("m", 0, "rho", "hyperlex", pytest.approx(0.2), 3), ("m", 4, "rho", "hyperlex", pytest.approx(0.5), 3)],
    ]
    trends = tables["trends"].select("metric", "condition", "value_first", "value_last", "slope").rows()
    assert trends == [pytest.approx(("ap", "HYP", 0.2, 0.8, 0.6)), pytest.approx(("rho", "hyperlex", 0.2, 0.5, 0.3))]
    assert tables["halves"].select("metric", "reader").rows() == [
        ("rho", "the judge embedding, by the cosine of two states")
    ]
    assert tables["series"].filter(variant="control").select("agent", "metric", "condition", "value").rows() == [
        ("frequency", "ap", "HYP", 0.4)
    ]
    without = tables_of_layers(given._replace(controls=[], averages=means.clear()))
    assert without["series"].filter(variant="control").is_empty()
    assert without["layers"].equals(tables["layers"])


def rows_of(schema, *rows):
    """Rows of a schema by the names of some columns; the others are missing."""
    return pl.DataFrame([{name: row.get(name) for name in schema} for row in rows], schema=schema)


def test_what_the_paper_of_hyperlex_prints_stands_beside_our_correlations_and_agreements():
    rho = {"agent": "m pmi", "metric": "rho", "foils": "all", "value": 0.3, "low": 0.1, "high": 0.5, "units": 9}
    means = rows_of(
        PAIR_AVERAGES,
        {**rho, "condition": "hyperlex"},
        {**rho, "condition": "hyperlex verbs", "value": 0.2, "units": 4},
        {**rho, "condition": "own HYP"},
        {**rho, "condition": "hyperlex", "metric": "ap"},
        {**rho, "condition": "hyperlex", "foils": "random"},
    )
    agreeing = {"pairs": 12, "pairwise": 0.8, "one_with_rest": 0.9, "split_half": 0.7}
    ceilings = rows_of(
        CEILING,
        {**agreeing, "condition": "hyperlex"},
        {**agreeing, "condition": "hyperlex nouns", "pairwise": 0.6, "one_with_rest": None},
        {**agreeing, "condition": "own HYP"},
    )
    two, rest = "agreement: two raters", "agreement: a rater and the mean of the others"
    assert pl.concat(our_values(means, ceilings)).rows() == [
        ("Spearman's rho with the ratings", None, "m pmi", 0.3, 0.1, 0.5, 9, "pairs"),
        ("Spearman's rho with the ratings", "hyperlex verbs", "m pmi", 0.2, 0.1, 0.5, 4, "pairs"),
        (two, "hyperlex", "humans", 0.8, None, None, 12, "pairs"),
        (two, "hyperlex nouns", "humans", 0.6, None, None, 12, "pairs"),
        (rest, "hyperlex", "humans", 0.9, None, None, 12, "pairs"),
    ]


def test_all_comparisons_are_made_at_once_and_those_of_layers_where_an_agent_has_some():
    table, (good, poor, _, frequency) = study()
    good, poor, frequency = (one.filter(metric="ap", foils="all", prompt="is") for one in (good, poor, frequency))
    comparing = AgentComparison(["frequency"])
    given = {"metrics": [good, poor, frequency], "item_table": table, "comparing": comparing, "seed": 1}
    rater_table = raters(
        [("b0", "x", 1.0), ("b1", "x", 2.0), ("b2", "x", 3.0), *((f"b{n}", "y", n + 1.0) for n in range(3))]
    )
    found = compare(**given, raters=rater_table)
    values_of, linked = by_agent(given["metrics"]), {"links": links(table)}
    judged = comparing.with_judges(values_of)
    assert found.averages.equals(averages(values_of, table, linked, judged))
    assert found.tests.equals(agent_tests(values_of, linked, judged))
    assert found.ceiling.equals(ceiling(rater_table, seed=1))
    assert set(found.tables) == {"primary"}
    assert set(found.tables["primary"]["agent"]) == {"good pmi", "poor pmi"}
    layered = {"m": layer_rows(0, "ap", "HYP", [0.1, 0.2, 0.3])}
    tables = compare(
        **given, raters=rater_table, layered=layered, shared=[frequency], table_names=["layers", "series"]
    ).tables
    assert {"layers", "series", "primary"} <= set(tables)
    assert tables["layers"]["agent"].to_list() == ["m"]
    assert set(tables["series"].filter(variant="control")["agent"]) == {"frequency"}


def test_a_printed_correlation_stands_beside_that_of_the_run():
    """And how well raters agree; there are no figures of the paper on own data alone."""
    rho = {"agent": "m pmi", "metric": "rho", "foils": "all", "value": 0.3, "units": 9, "condition": "hyperlex"}
    agreeing = {"condition": "hyperlex nouns", "pairs": 12, "pairwise": 0.8, "one_with_rest": 0.9}
    printed = [
        {"where": "Table 1", "quantity": "Spearman's rho with the ratings", "agent": "m pmi", "value": 0.25},
        {
            "where": "Table 1",
            "quantity": "agreement: two raters",
            "condition": "hyperlex nouns",
            "agent": "humans",
            "value": 0.85,
        },
    ]
    files = {one.name: None for one in fields(Results)}
    given = {"averages": rows_of(PAIR_AVERAGES, rho), "ceiling": rows_of(CEILING, agreeing)}
    table = TABLES_OF_PUBLISHED["published"](Results(**{**files, **given, "published": rows_of(PUBLISHED, *printed)}))
    assert table.filter(where="Table 1").select("ours", "n", pl.col("difference").round(6)).rows() == [
        (0.3, 9, 0.05),
        (0.8, 12, -0.05),
    ]
    assert TABLES_OF_PUBLISHED["published"](Results(**{**files, **given})).is_empty()
