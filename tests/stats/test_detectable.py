import numpy as np
import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats import families
from relprobe.stats.comparisons import paired_tests
from relprobe.stats.families import detectable, equivalence_p, power_of, with_detectable, with_equivalence
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


def test_a_difference_that_just_has_room_is_detectable():
    size = detectable(0.05, 25, 1)
    assert detectable(0.05, 25, 1, room=size) == size
    assert detectable(0.05, 25, 1, room=np.nextafter(size, 0)) is None


def found(row, tests):
    """Return what is detectable in a row of TESTS by that number of tests."""
    return detectable(row["error"], 20, tests, gain=row["gain"], room=row["room"])


def test_the_table_takes_the_error_and_the_number_of_tests_of_its_family():
    agents = tables("a", "b", "c")
    every = [("a", "b"), ("a", "c"), ("b", "c")]
    (row, *_) = paired_tests(agents, [RIGHT], declared=every).to_dicts()
    differences = agents["a"].filter(condition="noun")["value"] - agents["b"].filter(condition="noun")["value"]
    error = float(differences.std()) / 20**0.5
    assert (row["error"], row["family_size"]) == (pytest.approx(error), 3)
    assert row["detectable"] == pytest.approx(found(row, 3))
    assert row["detectable_all"] == pytest.approx(found(row, 2 * 3))  # nouns and verbs
    assert row["room"] == 1 - min(row["value_a"], row["value_b"])


@pytest.mark.parametrize(
    ("values", "gain"),
    [
        ([0.0, 1.0] * 8, 1 / 16),  # each item is right or wrong, so the variance of a mean x is x (1 - x) over 16
        ([0.0, 0.5, 0.5, 1.0] * 4, 1 / 32),  # mean 1/2, variance 1/8, which is half of 1/4
        ([0.25, 0.5, 0.5, 0.75] * 4, 1 / 128),  # mean 1/2, variance 1/32
    ],
)
def test_the_gain_is_the_variance_of_a_mean_over_that_of_right_and_wrong_by_hand(values, gain):
    """The other agent has what is left to 1, and so the same mean and variance."""
    agents = {}
    for name, agent_values in (("a", values), ("b", [1 - value for value in values])):
        rows = [("right", "noun", f"u{place}", value) for place, value in enumerate(agent_values)]
        agents[name] = pl.DataFrame(rows, schema=UNITS, orient="row")
    (row,) = paired_tests(agents, [Metric("right", test="Wilcoxon", share=True)]).to_dicts()
    assert (row["gain"], row["room"]) == (pytest.approx(gain), 0.5)


def test_a_difference_that_is_detectable_over_all_conditions_is_that_of_their_number():
    kinds = {"m": "model", "n": "model", "one": "control", "two": "control"}
    for row in paired_tests(tables("m", "n", "one", "two", conditions="abcdef"), [RIGHT], kinds=kinds).to_dicts():
        number = {"controls": 2, "models": 1}[row["family"]]
        for name, tests in (("detectable", number), ("detectable_all", 6 * number)):
            assert row[name] == found(row, tests)
            assert row[name] is None or row[name] <= row["room"]


def test_a_condition_without_p_counts_in_no_number_of_tests():
    agents = tables("a", "b")
    same = {
        name: table.with_columns(value=pl.when(condition="verb").then(1.0).otherwise("value"))
        for name, table in agents.items()
    }
    row = paired_tests(same, [RIGHT]).filter(condition="noun").row(0, named=True)
    assert row["detectable_all"] == pytest.approx(row["detectable"]) == pytest.approx(found(row, 1))


def test_nothing_is_detectable_where_no_p_could_be_small_enough():
    for units, agents in ((5, "ab"), (7, "abcd")):  # 2 / 2⁵ > 0.05; 2 / 2⁷ > 0.05 / 6
        assert paired_tests(tables(*agents, units=units), [RIGHT])["detectable"].null_count() == len(agents) * (
            len(agents) - 1
        )
    for row in paired_tests(tables("a", "b", units=7), [RIGHT]).to_dicts():
        size = detectable(row["error"], 7, 1, gain=row["gain"], room=row["room"])
        assert row["detectable"] == size
        assert (size is None) == (row["note"] is not None)  # no difference that can be is found so often


def test_nothing_is_detectable_where_the_signs_of_the_clusters_cannot_reach_the_level_of_several_tests():
    """2 / 2⁷ is below 0.05, but not below 0.05 / 6; 2 / 2⁸ is."""
    rows = [(0.01, 0.05, 20.0, clusters, tests) for clusters, tests in ((7, 1), (7, 6), (8, 6))]
    table = pl.DataFrame(rows, schema=["p", "error", "effective_n", "clusters", "tests"], orient="row")
    found = with_detectable(table, "tests", "found")["found"].to_list()
    assert found == [detectable(0.05, 20, 1), None, detectable(0.05, 20, 6)]


def test_two_agents_that_are_alike_have_a_detectable_difference_that_grows_with_its_own_error():
    """By the error of agents that hardly differ, 0.028 would be found in 80 of 100 studies; it was in 3 to 86."""
    assert detectable(0.01, 100, 1, gain=0.01, room=0.8) > 2 * detectable(0.01, 100, 1)
    generator = np.random.default_rng(1)
    size = detectable(0.0001, 200, 1, gain=1 / 200, room=0.8)
    rights = [(generator.random(200) < 0.2, generator.random(200) < size / 0.8) for _ in range(400)]
    found_in = [
        t.sf((more & ~right).mean() / ((more & ~right).std(ddof=1) / 200**0.5), 199) < 0.025 for right, more in rights
    ]
    assert 0.75 <= np.mean(found_in) <= 0.99


@pytest.mark.parametrize(
    ("error", "gain", "room", "found"),
    [
        # As many items must differ as the difference says: D ≥ 2.8 √(0.01 D (1 - D)), so D = 0.0784 / 1.0784.
        (0.001, 0.01, 0.5, 0.0784 / 1.0784),
        # From a share of 0.1, the variance grows with that of the better agent: D² ≥ 2.8² (0.0064 + 0.01 (0.8 D - D²)).
        (0.08, 0.01, 0.9, (0.06272 + (0.06272**2 + 4 * 1.0784 * 0.050176) ** 0.5) / (2 * 1.0784)),
        # From 0.9 on it can only fall, so that of the difference remains: 2.8 · 0.03.
        (0.03, 0.001, 0.1, 0.084),
    ],
)
def test_what_is_detectable_in_shares_by_hand(error, gain, room, found):
    errors = t.ppf(0.975, 1e6) + t.ppf(0.8, 1e6)
    assert errors == pytest.approx(2.8016, abs=1e-4)
    assert detectable(error, 1e6, 1, gain=gain, room=room) == pytest.approx(found, rel=0.01)


def test_a_headline_is_adjusted_over_all_conditions_and_controls_that_it_counts():
    kinds = {"m": "model", "n": "model", "one": "control", "two": "control"}
    table = paired_tests(tables("m", "n", "one", "two", conditions="abcdef"), [RIGHT], kinds=kinds)
    controls = table.filter(family="controls")
    least = controls.sort("p").row(0, named=True)
    assert (controls.height, least["family_size"]) == (6 * 4, 2)
    assert least["p_holm"] <= 2 * least["p"]
    assert least["p_holm_all"] == pytest.approx(min(12 * least["p"], 1))  # those of its own agent alone
    assert (controls["p_holm_all"] >= controls["p_holm"]).all()
    models = table.filter(family="models")
    assert models["p_holm_all"].min() == pytest.approx(min(6 * models["p"].min(), 1))


@pytest.mark.parametrize(("difference", "found"), [(5.0, 0.7211), (4.30265, 0.5), (0.0, 0.0250)])
def test_the_power_of_a_test_of_three_effective_clusters_by_hand(difference, found):
    """t of two degrees of freedom has the distribution 1/2 + x / (2 √(2 + x²)), and its quantile for 0.975 is 4.30265."""
    beyond = difference - 4.30265
    assert 0.5 + beyond / (2 * (2 + beyond**2) ** 0.5) == pytest.approx(found, abs=1e-4)
    assert power_of(difference, 1.0, 3.0) == pytest.approx(found, abs=1e-4)
    assert power_of(2 * difference, 2.0, 3.0) == pytest.approx(found, abs=1e-4)


@pytest.mark.parametrize("difference", [0.04, -0.04])
def test_a_difference_is_as_near_to_the_margin_on_either_side_by_hand(difference):
    """0.01 from the margin is 0.4 errors; t of two degrees is beyond 0.4 in 1/2 - 0.4 / (2 √2.16) of cases."""
    expected = 0.5 - 0.4 / (2 * 2.16**0.5)
    assert equivalence_p(difference, 0.025, 2.0, 0.05) == pytest.approx(expected)
    table = pl.DataFrame([{"difference": difference, "error": 0.025, "freedom": 2.0}])
    assert with_equivalence(table, 0.05).select("margin", "p_equal").row(0) == (0.05, pytest.approx(expected))


def test_one_degree_of_freedom_is_enough_to_be_near():
    """t of one degree, Cauchy's distribution, is beyond 1 in a quarter of cases."""
    assert equivalence_p(0.0, 0.1, 1.0, 0.1) == pytest.approx(0.25)
    assert equivalence_p(0.0, 0.1, 0.5, 0.1) > 0.25


@pytest.mark.parametrize(
    "known", [(None, 0.1, 9.0), (0.1, None, 9.0), (0.1, 0.0, 9.0), (0.1, 0.1, None), (0.1, 0.1, 0.0)]
)
def test_nothing_is_said_to_be_near_without_an_error_or_freedom(known):
    assert equivalence_p(*known, 0.05) is None


@pytest.mark.parametrize(
    ("clusters", "tests", "is_known"), [(6, 1, True), (5, 1, False), (9, 12, True), (8, 12, False), (None, 1, False)]
)
def test_a_difference_that_no_signs_of_so_few_clusters_could_find_is_not_detectable(clusters, tests, is_known):
    """2 / 2^6 is below 0.05 and 2 / 2^5 is not; of twelve tests 2 / 2^9 is below 0.05 / 12."""
    schema = {
        "p": pl.Float64,
        "error": pl.Float64,
        "effective_n": pl.Float64,
        "tests": pl.UInt32,
        "clusters": pl.UInt32,
    }
    row = pl.DataFrame([(0.5, 0.1, 40.0, tests, clusters)], schema=schema, orient="row")
    assert (with_detectable(row, "tests", "found")["found"].item() is not None) is is_known
    assert with_detectable(row.with_columns(p=pl.lit(None, pl.Float64)), "tests", "found")["found"].item() is None


@pytest.mark.parametrize(
    ("p", "tests", "clusters", "reached"),
    [
        (0.5, 1, 6, True),  # all of six signs alike: p of 2 / 64 is below 0.05
        (0.5, 1, 5, False),  # 2 / 32 is not
        (0.5, None, 6, True),
        (0.5, 0, 6, True),
        (0.5, 2, 6, False),  # of two tests the smaller p must be below 0.025
        (0.5, 2, 7, True),
        (0.5, 1, None, False),
        (None, 1, 99, False),
    ],
)
def test_a_difference_is_detectable_only_where_a_test_can_reach_significance(p, tests, clusters, reached):
    value = families._row_detectable(p, 0.05, None, None, tests, clusters, None, None)
    assert value == (detectable(0.05, clusters, tests or 1) if reached else None)
    if reached:
        found = families._row_detectable(p, 0.05, 9, 4.5, tests, clusters, None, None)
        assert found == detectable(0.05, 10, tests or 1)
        assert families._row_detectable(p, 0.05, None, 4.5, tests, clusters, None, None) == detectable(
            0.05, 4.5, tests or 1
        )
