"""A control of expectations is no agent of answers. The values are worked out by hand from the binomial distribution."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from relprobe.core.metric import Metric
from relprobe.core.unit_schemas import UNITS
from relprobe.stats.chance_levels import (
    Dependence,
    Design,
    chance_interval,
    chance_p,
    expectations,
    numbers_of_right,
)
from relprobe.stats.comparisons import paired_tests, with_expectations
from relprobe.stats.linked import linked_items
from relprobe.stats.samples import Sample
from relprobe.studies.degrees.schemas import GOLD, QUESTIONS
from scipy.stats import binom, norm

from benchmarks import chance
from benchmarks.chance import chance_power, clustered, detectable_power, guesser, guesser_rates

RIGHT = Metric("right", test="McNemar")
KINDS = {"m": "model", "random": "control"}


def values(numbers, metric="right"):
    rows = [(metric, "noun", f"u{place:03}", float(number)) for place, number in enumerate(numbers)]
    return pl.DataFrame(rows, schema=UNITS, orient="row")


def against(answers, chances, metric=RIGHT):
    tables = {"m": values(answers), "random": values(chances)}
    return paired_tests(tables, [metric], kinds=KINDS).row(0, named=True)


def test_the_number_of_right_answers_has_the_poisson_binomial_distribution():
    assert numbers_of_right(np.array([0.5, 0.25, 0.25])).tolist() == pytest.approx([18 / 64, 30 / 64, 14 / 64, 2 / 64])


@pytest.mark.parametrize(
    ("right", "p"),
    [
        (0, 1 / 64),  # of 64: 1, 6, 15, 20, 15, 6, 1. None is fewer than 0: twice half of 1
        (1, 2 * (1 + 3) / 64),  # 0 is fewer, and half of 6
        (3, 1.0),  # both tails have one half
        (1.5, 2 * (4 + 14.5) / 2 / 64),  # between the 4 of 1 and, of 2, the 7 that are fewer and half of 15
    ],
)
def test_p_is_twice_the_smaller_tail_with_half_the_chance_of_as_many(right, p):
    assert chance_p(right, np.full(6, 0.5)) == pytest.approx(p)


def test_many_units_have_the_p_of_the_normal_distribution():
    assert chance_p(600 + 1.959964 * (2400 * 0.1875) ** 0.5, np.full(2400, 0.25)) == pytest.approx(0.05, abs=1e-6)
    assert chance_p(250 + 15, np.full(1000, 0.25)) == pytest.approx(chance_p(265.0, np.full(1001, 0.25)), abs=0.03)


@pytest.mark.parametrize("right", [0, 1, 5, 17, 18])
def test_the_interval_holds_0_if_the_test_does_not_reject_it_and_always_has_a_width(right):
    chances = np.linspace(0.02, 0.6, 18)
    low, high = chance_interval(float(right), chances)
    assert low < right / 18 - chances.mean() + 1e-9
    assert high > right / 18 - chances.mean() - 1e-9
    assert high - low > 0.05
    assert (low <= 0 <= high) == (chance_p(float(right), chances) >= 0.05)


def test_no_right_answer_of_eighteen_is_no_sign_that_an_agent_is_behind_a_guess():
    row = against([0] * 18, [1 / 12] * 9 + [1 / 11] * 9)
    assert row["difference"] == pytest.approx(-0.0871, abs=1e-4)
    # A guess has no right answer in (11/12)⁹ (10/11)⁹ = 0.1938 of studies: twice half of it. Random signs gave 8e-06.
    assert row["p"] == pytest.approx((11 / 12) ** 9 * (10 / 11) ** 9)
    assert row["p"] == row["cluster_p"]
    assert row["low"] < -0.08 < 0 < row["high"]
    assert row["note"] is None


@pytest.mark.parametrize("chance", [1 / 2, 1 / 10, 1 / 50, 1 / 500])
@pytest.mark.parametrize("answers", [[0.0] * 30, [1.0] * 30, [0.0] * 29 + [1.0]])
@pytest.mark.parametrize("tied", [30, 20, 1])
def test_no_interval_has_zero_width_whatever_is_answered(chance, answers, tied):
    """`tied`: the units whose answers of the control are tied; the others are wrong."""
    row = against(answers, [chance] * tied + [0.0] * (30 - tied))
    if row["low"] is not None:
        assert row["high"] - row["low"] > 1e-3
        assert row["low"] <= row["difference"] <= row["high"]
    if not any(answers) and chance * tied < 1:
        assert row["p"] > 0.2


def test_a_metric_whose_answers_lie_between_is_tested_as_before_where_its_values_vary():
    shares, generator = Metric("right", share=True), np.random.default_rng(1)
    answers, expected = generator.integers(3, size=40) / 2, generator.integers(3, size=40) / 2
    row, plain = (
        against(answers, expected, shares),
        paired_tests({"m": values(answers), "n": values(expected)}, [shares]),
    )
    assert row["p"] == plain["p"][0]
    assert against([0.0] * 30, [0.002] * 30, shares)["p"] > 0.5


def test_the_order_of_the_two_turns_the_interval():
    tables = {"random": values([0.25] * 18), "m": values([1] * 9 + [0] * 9)}
    turned = paired_tests(tables, [RIGHT], kinds=KINDS).row(0, named=True)
    row = against([1] * 9 + [0] * 9, [0.25] * 18)
    assert (turned["p"], turned["low"], turned["high"]) == (row["p"], -row["high"], -row["low"])


def test_the_interval_beside_a_guess_is_about_the_mean_over_items_whatever_their_numbers_of_units():
    """One item of one unit is right, and one of three is wrong: over items 1/2 - 1/4, and over units 1/4 - 1/4."""
    agent, chances, items = np.array([1.0, 0, 0, 0]), np.full(4, 0.25), np.array([0, 1, 1, 1])
    beside = expectations(agent, chances, Dependence(items, np.array([0, 1]), None), binary=True)
    low, high = chance_interval(1.0, chances, Dependence(items, np.array([0, 1]), None).design(agent, chances))
    assert beside.interval == (pytest.approx(low + 0.25), pytest.approx(high + 0.25))
    assert beside.replaces


def test_the_error_of_tied_answers_is_that_of_items_whatever_their_numbers_of_units():
    """Of three items the first has two units, both tied: it varies by 1/2 · 1/2, and the error is √(1/4) / 3."""
    agent, items = np.array([0.5, 0.5, 1, 0]), np.array([0, 0, 1, 2])
    beside = expectations(agent, np.zeros(4), Dependence(items, np.arange(3), None), binary=True)
    assert beside.error == pytest.approx(0.5 / 3)
    assert sum(beside.interval) / 2 == pytest.approx((0.5 + 1 + 0) / 3)


def test_people_and_models_are_no_chance_levels():
    tables = {"m": values([0] * 18), "one": values([1 / 3] * 18)}
    row = paired_tests(tables, [RIGHT], kinds={"m": "model", "one": "person"}).row(0, named=True)
    assert row["p"] == pytest.approx(2 / 10_001, rel=5)


def test_the_design_effect_is_the_variance_of_clusters_over_that_of_units():
    clusters = np.repeat(np.arange(10), 2)
    agent = np.repeat([1.0, 0.0], 10)
    # Both units of a cluster are alike: Σ (±1)² · 10 over Σ (±0.5)² · 20 is 2; the factors are 10 / 9 and 19 / 20.
    cluster_design = Dependence(np.arange(20), clusters, None).design(agent, np.full(20, 0.5))
    assert cluster_design == Design(pytest.approx(2 * 10 / 9 * 19 / 20), 9.0)
    linked = linked_items(np.arange(20), clusters, 20)
    assert Dependence(np.arange(20), np.arange(20), linked).design(agent, np.full(20, 0.5)) == cluster_design
    assert Dependence(np.arange(20), np.arange(20), None).design(agent, np.full(20, 0.5)).effect == 1.0


def test_where_few_clusters_have_any_right_answer_their_units_count_as_alike():
    clusters = np.repeat(np.arange(10), 4)
    assert Dependence(np.arange(40), clusters, None).design(np.zeros(40), np.full(40, 0.1)).effect == 4.0


@pytest.mark.parametrize(("right", "is_few"), [(0, True), (4, True), (5, False), (15, False), (16, True), (20, True)])
def test_few_means_that_fewer_than_five_have_a_right_answer_or_a_wrong_one(right, is_few):
    agent, units = (np.arange(20) < right).astype(float), np.arange(20)
    assert Dependence(units, units, None).few(agent) == is_few
    assert Dependence(units, units, linked_items(units, units, 20)).few(agent) == is_few


def test_the_interval_of_wrong_answers_is_that_of_right_ones_turned():
    """To be wrong is to be right with the other chances, so that the interval changes its sign and its ends."""
    chances = np.array([0.02, 0.1, 0.2, 0.3, 0.5, 0.6, 0.8, 0.95])
    low, high = chance_interval(3.0, chances)
    assert chance_interval(5.0, 1 - chances) == (pytest.approx(-high, abs=1e-3), pytest.approx(-low, abs=1e-3))


def test_the_error_beside_a_guess_is_that_of_its_chances_times_the_design_effect():
    """The chances of 40 units vary by 3/16 each. Three of twenty clusters of two have a right answer: too few to measure."""
    agent, chances, units = np.zeros(40), np.full(40, 0.25), np.arange(40)
    agent[[0, 2, 4]] = 1.0
    in_pairs = expectations(agent, chances, Dependence(units, units // 2, None), binary=True)
    assert in_pairs.error == pytest.approx((40 * 3 / 16 * 2) ** 0.5 / 40)
    half = np.tile([1.0, 0.0], 20)
    alone = expectations(half, np.repeat([0.25, 0.5], 20), Dependence(units, units, None), binary=True)
    assert alone.error == pytest.approx((20 * 3 / 16 + 20 / 4) ** 0.5 / 40)


@pytest.mark.parametrize(
    "candidates",
    [
        [12] * 18,  # as many groups as the default study has of a part of speech, and as often right
        [4] * 20,
        [9] * 40,
        [2] * 25,
        list(range(3, 43)),
    ],
)
def test_a_guesser_is_called_ahead_or_behind_in_at_most_seven_of_a_hundred_studies(candidates):
    """Without drawing: each number of right answers has its chance, and is tested as the results of a study are."""
    chances, n = 1 / np.array(candidates), len(candidates)
    likely = numbers_of_right(chances)
    rows = [(chance, against([1] * right + [0] * (n - right), chances)) for right, chance in enumerate(likely)]
    different = sum(chance for chance, row in rows if row["p"] < 0.05)
    for side in (
        1,
        -1,
    ):  # ranked by likelihood, up to 7 of 100 were ahead and none behind
        called = sum(chance for chance, row in rows if row["p"] < 0.05 and side * row["difference"] > 0)
        assert called <= 0.05
    assert 0.01 < different <= 0.07
    assert sum(chance for chance, row in rows if row["low"] <= 0 <= row["high"]) == pytest.approx(1 - different)


@pytest.mark.slow("it draws 120 studies")
@pytest.mark.parametrize("alike", [(), ("cluster",)])
def test_a_guesser_in_clusters_is_called_different_no_more_often(alike):
    control, metric = clustered(np.full(25, 4), lambda _: np.full(100, 1 / 4))
    rates = guesser_rates(control, guesser(control, alike), metric, ["condition"], 120)
    assert rates.different <= 0.1
    assert rates.holds >= 0.9


@pytest.mark.slow("it draws studies to find which differences a test can find")
def test_a_difference_of_the_size_that_a_test_can_find_is_found_in_four_of_five_studies():
    smallest, power = detectable_power(0, 60, 60)
    assert 0.03 < smallest < 0.2
    assert 0.65 <= power <= 0.92
    smallest, power = chance_power(np.ones(100, int), 0.25, 80)
    assert 0.67 <= power <= 0.92


def results_of_degrees(folder, subcategories, *, asked=True):
    """Write what the benchmark reads of a study of degrees: pairs and a question of some subcategories."""
    names = [f"{place}a" for place in range(1, subcategories + 1)]
    pairs = ["a:b", "c:d", "e:f", "g:h", "i:j"]
    gold = [
        (name, "1 class", name == "1a", pair, None, float(10 * place), "Name")
        for name in names
        for place, pair in enumerate(pairs)
    ]
    questions = [(name, pairs[:4], [pairs[0]], [pairs[3]], 9) for name in names if asked]
    (folder / "degrees" / "metrics").mkdir(parents=True)
    pl.DataFrame(gold, GOLD, orient="row").write_parquet(folder / "degrees" / "gold.parquet")
    pl.DataFrame(questions, QUESTIONS, orient="row").write_parquet(folder / "degrees" / "questions.parquet")


@pytest.mark.parametrize("asked", [True, False])
def test_random_ratings_are_measured_beside_random_ratings_over_the_test_subcategories(
    asked, tmp_path, monkeypatch, capsys
):
    """Own ratings have no questions, and so no MaxDiff."""
    results_of_degrees(tmp_path, 8, asked=asked)
    monkeypatch.setattr("sys.argv", ["chance", str(tmp_path), "--studies", "50", "--only", "results"])
    chance.main()
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("| design | units | clusters | called different |")
    assert [row.split(" | ")[0] for row in rows] == ["| degrees, rho", "| degrees, maxdiff"][: 2 if asked else 1]
    for row in rows:
        items, clusters, different, holds, signs = map(float, row.strip("| ").split(" | ")[1:])
        assert (items, clusters) == (7, 7)  # the training subcategory takes no part
        assert 0 <= different <= 0.4  # of ten studies, and 0.05 is right
        assert 0.6 <= holds <= 1
        assert 0 <= signs <= 0.4


@pytest.fixture
def results_of_systematicity(tmp_path):
    """Write the control that the benchmark reads: a guess at the pairs of nine categories of the study's sizes."""
    sizes = [7, 19, 23, 28, 37, 43, 48, 60, 73]
    rows = [
        ("detection", "unseen", f"1:w{place}{one}:c", f"c{place}", 0.5)
        for place, size in enumerate(sizes)
        for one in range(size)
    ]
    folder = tmp_path / "systematicity" / "metrics"
    folder.mkdir(parents=True)
    columns = ["metric", "condition", "unit", "cluster", "value"]
    pl.DataFrame(rows, columns, orient="row").write_parquet(folder / "majority.parquet")
    return folder.parent


@pytest.mark.slow("it draws 120 studies")
def test_a_classifier_that_guesses_is_called_different_from_the_majority_in_few_studies(results_of_systematicity):
    """Of 120 studies a rate of 0.05 has a standard error of 0.02."""
    rates = dict(chance.systematicity(results_of_systematicity, 120))
    assert list(rates) == [
        f"systematicity, majority's detection, unseen, drawn per {alike}" for alike in ("pair", "category")
    ]
    for one in rates.values():
        assert (one.items, one.clusters) == (338, 9)
        assert one.different <= 0.1
        assert one.holds >= 0.9


ANSWERS = {
    "none": np.zeros,
    "all": np.ones,
    "half": lambda n: np.arange(n) % 2,
    "guess": lambda n: np.full(n, 0.25),
    "ties": lambda n: np.where(np.arange(n) % 2, 0.5, 0.0),
    "some": lambda n: np.where(np.arange(n) % 3, 0.0, 1.0),
}


@pytest.mark.parametrize("control", ANSWERS)
@pytest.mark.parametrize("answers", ["none", "all", "half"])
@pytest.mark.parametrize("clusters", [1, 2, 3, 6])
@pytest.mark.parametrize("test", ["McNemar", "Wilcoxon"])
def test_few_clusters_give_no_interval_that_p_contradicts_and_a_reason_where_no_size_is_known(
    control, answers, clusters, test
):
    """Of one cluster with 60 wrong answers a control with ties had p = 1 and the interval −0.36 to −0.14."""
    about = pl.DataFrame({"unit": [f"u{place:02}" for place in range(60)]}).with_row_index("place")
    about = about.with_columns(cluster=pl.format("k{}", pl.col("place") % clusters)).drop("place")
    tables = {
        name: about.with_columns(
            metric=pl.lit("right"), condition=pl.lit("all"), value=pl.Series(of(60)).cast(pl.Float64)
        )
        for name, of in (("m", ANSWERS[answers]), ("random", ANSWERS[control]))
    }
    metric = Metric("right", test=test, cluster=("cluster",), share=True)
    row = paired_tests(tables, [metric], kinds=KINDS).row(0, named=True)
    if clusters < 6 and row["low"] is not None:
        assert row["low"] <= 0 <= row["high"]  # of so few clusters no p can be below 0.05
    if row["low"] is not None:
        assert -1 <= row["low"] < row["high"] <= 1
    if row["low"] is None or row["detectable"] is None:
        assert row["note"]


@pytest.mark.parametrize(("chance", "n"), [(0.3, 3), (0.1, 4), (0.9, 5), (0.45, 2)])
def test_p_is_twice_the_smaller_tail_with_half_of_the_number_itself(chance, n):
    exact = [Fraction(1)]
    for right in [Fraction(str(chance)), 1 - Fraction(str(chance))] * n:
        exact = [
            wrong_now + right_now
            for wrong_now, right_now in zip(
                [*(one * (1 - right) for one in exact), 0], [0, *(one * right for one in exact)], strict=True
            )
        ]
    for number, same in enumerate(exact):
        p = min(1, 2 * min(sum(exact[:number]) + same / 2, sum(exact[number + 1 :]) + same / 2))
        found = chance_p(float(number), np.array([chance, 1 - chance] * n))
        assert found == pytest.approx(float(p), rel=1e-9)


def tied_row(turned=False, **row):
    """What changes in a row, of ten answers that tie with nine others each beside ten wrong ones: 0.1 ± 1.96 · 0.0949."""
    units, ties, wrong = np.arange(10), np.full(10, 0.1), np.zeros(10)
    columns = np.stack([ties, wrong], axis=1)
    sample = Sample({}, ["m", "c"], columns, units, units, np.zeros(10, np.int64), None, np.ones(10, dtype=bool), 10)
    usual = {"p": 0.5, "cluster_p": 0.01, "error": 0.2, "low": 0.0, "high": 0.5, "effective_n": None, "clusters": 10}
    usual |= {"note": "a note", "interval_note": "a reason", "least_p": 0.25}
    return with_expectations(usual | row, sample, ties, wrong, RIGHT, turned=turned)


def test_what_ties_alone_may_make_bounds_the_numbers_of_the_other_test():
    half, p = 1.959964 * 0.009**0.5, 0.29184
    row = tied_row()
    assert (row["p"], row["cluster_p"], row["error"]) == (0.5, pytest.approx(p, abs=1e-4), 0.2)
    assert (row["low"], row["high"]) == (pytest.approx(0.1 - half, abs=1e-6), 0.5)
    assert (row["note"], row["interval_note"], row["least_p"]) == ("a note", "a reason", 0.25)
    row = tied_row(p=0.125, error=None, low=0.05, high=0.15)
    assert (row["p"], row["error"]) == (pytest.approx(p, abs=1e-4), pytest.approx(0.009**0.5))
    assert (row["low"], row["high"]) == pytest.approx((0.1 - half, 0.1 + half), abs=1e-6)
    turned = tied_row(turned=True, low=-0.15, high=-0.05)
    assert (turned["low"], turned["high"]) == pytest.approx((-0.1 - half, -0.1 + half), abs=1e-6)


@pytest.mark.parametrize(
    ("clusters", "effective", "has_interval"), [(6, None, True), (5, None, False), (10, 5.9, False), (5, 6.0, True)]
)
def test_ties_of_fewer_than_six_independent_values_give_no_interval_where_there_was_none(
    clusters, effective, has_interval
):
    row = tied_row(low=None, high=None, clusters=clusters, effective_n=effective)
    assert (row["low"] is None, row["high"] is None) == (not has_interval,) * 2
    assert row["interval_note"] == (None if has_interval else "a reason")


def test_units_that_either_agent_lacks_change_nothing_and_without_common_ones_there_is_nothing():
    units, present = np.arange(12), np.arange(12) < 10
    ties, wrong = np.where(units == 10, np.nan, 0.1), np.where(units == 11, np.nan, 0.0)
    sample = Sample(
        {}, ["m", "c"], np.stack([ties, wrong], axis=1), units, units, np.zeros(12, np.int64), None, present, 10
    )
    row = {"p": 0.5, "cluster_p": 0.01, "error": 0.2, "low": 0.0, "high": 0.5, "effective_n": None, "clusters": 10}
    row |= {"note": "a note", "interval_note": "a reason", "least_p": 0.25}
    found = with_expectations(row, sample, ties, wrong, RIGHT, turned=False)
    assert found == pytest.approx(tied_row())
    assert with_expectations(row, sample, np.full(12, np.nan), wrong, RIGHT, turned=False) == {}


def test_where_there_is_no_p_ties_make_none_and_its_reason_stays():
    row = tied_row(p=None, cluster_p=None)
    assert "p" not in row
    assert "cluster_p" not in row
    assert (row["note"], row["least_p"]) == ("a note", 0.25)


def test_linked_items_of_one_cluster_are_not_few():
    """With links it is items that count, whatever their cluster: here all 20 have one."""
    agent, units = (np.arange(20) < 10).astype(float), np.arange(20)
    assert not Dependence(units, np.zeros(20, int), linked_items(units, units, 20)).few(agent)
    assert Dependence(units, np.zeros(20, int), None).few(agent)


def test_up_to_a_thousand_units_p_of_a_guess_is_exact_and_above_it_is_that_of_the_normal_distribution():
    """As docs/statistics-details.md says."""
    exact = binom(1000, 0.25)
    assert chance_p(265, np.full(1000, 0.25)) == pytest.approx(2 * exact.sf(265) + exact.pmf(265))
    z = (265 - 1001 * 0.25) / np.sqrt(1001 * 0.25 * 0.75)
    assert chance_p(265, np.full(1001, 0.25)) == pytest.approx(2 * norm.sf(z))
    assert abs(2 * exact.sf(265) + exact.pmf(265) - 2 * norm.sf(15 / np.sqrt(187.5))) > 1e-5
