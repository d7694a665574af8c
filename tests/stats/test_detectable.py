import numpy as np
import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.controls import beyond_controls
from relprobe.stats.families import detectable
from scipy.stats import t

RIGHT = Metric("right", test="McNemar")


def tables(*agents: str, conditions=("noun", "verb"), units=20):
    """Return agents that are right at random."""
    found = {}
    for seed, agent in enumerate(agents):
        generator = np.random.default_rng(seed)
        rows = [
            ("right", condition, f"u{place}", float(generator.random() < 0.5))
            for condition in conditions
            for place in range(units)
        ]
        found[agent] = pl.DataFrame(rows, schema=UNITS, orient="row")
    return found


def test_a_difference_is_detectable_from_the_sum_of_two_quantiles_on():
    freedom = 24
    assert detectable(0.05, 25, 1) == pytest.approx(0.05 * (t.ppf(0.975, freedom) + t.ppf(0.8, freedom)))
    assert detectable(0.05, 25, 10) == pytest.approx(0.05 * (t.ppf(0.9975, freedom) + t.ppf(0.8, freedom)))
    assert [detectable(*row) for row in ((None, 25, 1), (0.05, 1.0, 1), (0.05, None, 1))] == [None] * 3


def test_the_table_takes_the_error_and_the_number_of_tests_of_its_family():
    agents = tables("a", "b", "c")
    (row, *_) = paired_tests(agents, [RIGHT]).to_dicts()
    differences = agents["a"].filter(condition="noun")["value"] - agents["b"].filter(condition="noun")["value"]
    error = float(differences.std()) / 20**0.5
    assert (row["error"], row["family_size"]) == (pytest.approx(error), 3)
    assert row["detectable"] == pytest.approx(detectable(error, 20, 3))
    assert row["detectable_all"] == pytest.approx(detectable(error, 20, 2 * 3))  # nouns and verbs


def test_a_difference_that_is_detectable_over_all_conditions_is_that_of_their_number():
    kinds = {"m": "model", "n": "model", "one": "control", "two": "control"}
    for row in paired_tests(tables("m", "n", "one", "two", conditions="abcdef"), [RIGHT], kinds=kinds).to_dicts():
        number = {"controls": 4, "models": 1}[row["family"]]
        for name, tests in (("detectable", number), ("detectable_all", 6 * number)):
            assert row[name] == pytest.approx(detectable(row["error"], 20, tests))


def test_a_condition_without_p_counts_in_no_number_of_tests():
    agents = tables("a", "b")
    same = {
        name: table.with_columns(value=pl.when(condition="verb").then(1.0).otherwise("value"))
        for name, table in agents.items()
    }
    row = paired_tests(same, [RIGHT]).filter(condition="noun").row(0, named=True)
    assert row["detectable_all"] == pytest.approx(row["detectable"]) == pytest.approx(detectable(row["error"], 20, 1))


def test_nothing_is_detectable_where_no_p_could_be_small_enough():
    for units, agents in ((5, "ab"), (7, "abcd")):  # 2 / 2⁵ > 0.05; 2 / 2⁷ > 0.05 / 6
        assert paired_tests(tables(*agents, units=units), [RIGHT])["detectable"].null_count() == len(agents) * (
            len(agents) - 1
        )
    assert paired_tests(tables("a", "b", units=7), [RIGHT])["detectable"].null_count() == 0


def test_a_headline_is_adjusted_over_all_conditions_and_controls_that_it_counts():
    kinds = {"m": "model", "n": "model", "one": "control", "two": "control"}
    table = paired_tests(tables("m", "n", "one", "two", conditions="abcdef"), [RIGHT], kinds=kinds)
    controls = table.filter(family="controls")
    least = controls.sort("p").row(0, named=True)
    assert (controls.height, least["family_size"]) == (6 * 4, 4)
    assert least["p_holm"] <= 4 * least["p"]
    assert least["p_holm_all"] == pytest.approx(min(24 * least["p"], 1))
    assert (controls["p_holm_all"] >= controls["p_holm"]).all()
    models = table.filter(family="models")
    assert models["p_holm_all"].min() == pytest.approx(min(6 * models["p"].min(), 1))
    best = beyond_controls(table, ["one", "two"]).join(
        controls.rename({"agent_a": "agent", "agent_b": "control"}), on=["agent", "control", "condition"]
    )
    assert best.height == 12
    for name in ("p_holm_all", "detectable", "detectable_all", "family_size"):
        assert best[name].equals(best[f"{name}_right"])
