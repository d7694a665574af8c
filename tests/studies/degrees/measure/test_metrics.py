"""Scoring ratings against people's answers, worked out by hand on the package in miniature."""

import itertools
import os
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from relprobe.sources.semeval2012 import read
from relprobe.sources.static_vectors import StaticVectors
from relprobe.stats.averages import averages
from relprobe.studies.degrees import baselines, method
from relprobe.studies.degrees.baselines import (
    baseline,
    random_ratings,
    static_offsets,
    typical_words,
)
from relprobe.studies.degrees.measures import COUNTED, MEASURES
from relprobe.studies.degrees.method import (
    WITHOUT,
    chosen_share,
    correlation,
    correlation_values,
    gold,
    questions,
    rating_table,
    values,
)
from relprobe.studies.degrees.raters import RATERS
from relprobe.studies.degrees.requests import mean_cosine
from relprobe.studies.degrees.schemas import GOLD, METRICS, QUESTIONS
from relprobe.studies.degrees.study import KINDS

from tests import paths
from tests.sources.made import tiny_semeval
from tests.sources.made.tiny_semeval import FIRST, SECOND

DATA = paths.DATA / "semeval2012"
real = pytest.mark.skipif(not DATA.is_dir(), reason="needs SemEval-2012 Task 2")
IN_GOLD_ORDER = {"tool:hammer": 5, "seat:chair": 4, "food:apple": 3, "fuel:oil": 2, "hammer:tool": 1}


@pytest.fixture
def measure(package):
    """Return a function that gives metric -> value of ratings of the one subcategory."""
    subcategories = read(package)
    people = gold(subcategories), questions(subcategories)

    def measured(ratings):
        rows = values(rating_table("mine", {("1b", pair): rating for pair, rating in ratings.items()}), *people)
        return dict(rows.select("metric", "value").iter_rows())

    return measured


def test_ratings_in_the_order_of_the_gold_ratings_are_right_throughout(measure):
    assert measure(IN_GOLD_ORDER) == {
        "rated": 1.0,
        "constant": 0.0,
        "rho": pytest.approx(1),
        "p": pytest.approx(1 / 60),  # 2 of the 120 orders of five
        "significant_05": 1.0,
        "significant_01": 0.0,
        "negative_05": 0.0,
        "rho_without_reversals": pytest.approx(1),
        "p_without_reversals": pytest.approx(1 / 12),  # 2 of the 24 orders of four
        "significant_05_without_reversals": 0.0,
        "significant_01_without_reversals": 0.0,
        "negative_05_without_reversals": 0.0,
        "least": 100.0,
        "most": 100.0,
        "maxdiff": 100.0,
        "maxdiff_without_reversals": 100.0,
        "reversal_error": 0.0,
    }


def test_ratings_in_the_opposite_order_are_wrong_throughout(measure):
    values = measure({pair: -value for pair, value in IN_GOLD_ORDER.items()})
    assert values["rho"] == pytest.approx(-1)
    assert values["maxdiff"] == 0
    assert values["reversal_error"] == 64  # the reversal's rank is 4 above the pair's instead of 4 below


def test_right_and_wrong_answers_are_counted_per_side(measure):
    # Question 1: least food:apple (wrong), most tool:hammer (right); question 2: least food:apple (wrong), most seat:chair,
    # one of the two that the majority ties on (right).
    values = measure({**IN_GOLD_ORDER, "food:apple": 0.5})
    assert (values["least"], values["most"], values["maxdiff"]) == (0, 100, 50)
    assert values["maxdiff_without_reversals"] == 50  # the first question; the second one shows the reversed pair
    # Gold ranks 5 4 3 2 1, these ratings 5 4 1 3 2: d² = 0 + 0 + 4 + 1 + 1, rho = 1 - 6 · 6 / (5 · 24) = 0.7.
    # Without the reversal gold 4 3 2 1, these ratings 4 3 1 2: d² = 2, rho = 1 - 6 · 2 / (4 · 15) = 0.8.
    assert values["rho"] == pytest.approx(0.7)
    assert values["rho_without_reversals"] == pytest.approx(0.8)
    assert values["reversal_error"] == 1  # ranks 2 - 5 instead of 1 - 5


def test_constant_ratings_have_a_rho_of_zero_and_answer_at_random(measure):
    values = measure(dict.fromkeys(IN_GOLD_ORDER, 1))
    assert (values["rho"], values["p"], values["significant_05"], values["constant"]) == (0, 1, 0, 1)
    assert (values["rho_without_reversals"], values["p_without_reversals"]) == (0, 1)
    # A guess: one of four pairs is right, but two of four are most illustrative in the second question.
    assert (values["least"], values["most"], values["maxdiff"]) == (25, 37.5, 31.25)
    assert values == measure(dict.fromkeys(reversed(IN_GOLD_ORDER), 1))


def test_without_any_difference_between_peoples_ratings_there_is_no_rho():
    """Constant ratings of an agent have a rho of 0 beside ratings that differ, and none beside constant ones."""
    equal = pl.DataFrame({"rating": [2.0] * 4, "rating_agent": [5.0] * 4})
    assert correlation(equal).effect is None
    assert list(correlation_values(equal)) == []
    assert list(correlation_values(equal.with_columns(rating_agent=pl.Series([1.0, 2.0, 3.0, 4.0])))) == []
    differing = equal.with_columns(rating=pl.Series([1.0, 2.0, 3.0, 4.0]))
    assert dict(correlation_values(differing)) == {
        **{"rho": 0.0, "p": 1.0, "significant_05": 0.0, "significant_01": 0.0, "negative_05": 0.0}
    }


def test_two_rated_pairs_have_no_rho(measure):
    values = measure({pair: value if pair in FIRST[:2] else None for pair, value in IN_GOLD_ORDER.items()})
    assert "rho" not in values
    assert values["rated"] == 0.4


@pytest.mark.parametrize("scale", [1.0, 1e-13, 1e13])
def test_ratings_of_any_size_are_ranked_as_they_are(measure, scale):
    # d² = 2 between 5 4 3 2 1 and 5 4 3 1 2, so that rho = 1 - 6 · 2 / (5 · 24) = 0.9.
    order = {**IN_GOLD_ORDER, "fuel:oil": 1, "hammer:tool": 2}
    values = measure({pair: float(np.exp(value)) * scale for pair, value in order.items()})
    assert values["rho"] == pytest.approx(0.9)
    assert values["constant"] == 0


@given(st.lists(st.sampled_from([1.0, 2.0]), min_size=4, max_size=4), st.permutations(range(4)))
def test_no_order_of_equal_ratings_changes_an_answer(ratings, order):
    """The choice is the mean over all orders of the pairs, whatever they are called and wherever they stand."""
    pairs = ["a:b", "c:d", "e:f", "g:h"]
    question = {"pairs": pairs, "least": ["a:b"], "most": ["c:d", "g:h"]}
    for side, extreme in (("least", min), ("most", max)):
        rating_of = dict(zip(pairs, ratings, strict=True))
        value = chosen_share(rating_of, question, side)
        moved = {**question, "pairs": [pairs[place] for place in order]}
        assert value == chosen_share({pair: rating_of[pair] for pair in moved["pairs"]}, moved, side)
        first = [extreme(places, key=rating_of.__getitem__) for places in itertools.permutations(pairs)]
        assert value == pytest.approx(np.mean([pair in question[side] for pair in first]))


def test_an_unrated_pair_takes_no_part(measure):
    values = measure({**IN_GOLD_ORDER, "tool:hammer": None})
    assert values["rated"] == 0.8
    assert values["rho"] == pytest.approx(1)
    assert values["maxdiff"] == 100  # of the second question alone
    assert "reversal_error" not in values


def test_random_ratings_depend_on_the_seed(package):
    subcategories = read(package)
    first, again, other = (random_ratings(subcategories, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_random_ratings_lie_between_0_and_100(package):
    (one,) = read(package)
    many = replace(one, pairs={f"a{number}:b": number for number in range(2000)})
    ratings = list(random_ratings([many], seed=1).values())
    # that none of 2000 lies within 0.5 of a bound has the chance 0.995²⁰⁰⁰ = 0.00004
    assert 0 <= min(ratings) < 0.5
    assert 99.5 < max(ratings) <= 100


def pairs_of(ratings):
    """Pair -> rating in the one subcategory."""
    assert {name for name, _ in ratings} == {"1b"}
    return {pair: rating for (_, pair), rating in ratings.items()}


def test_static_offsets_are_compared_with_those_of_the_paradigms(package):
    # Offsets of the paradigms: (1, 0) and (0, 1). tool:hammer (1, 0): cosines 1 and 0; hammer:tool (-1, 0): -1 and 0;
    # seat:chair (1, 1): both 1/√2; apple has no vector; fuel and oil have the same.
    points = {
        **{"weapon": (0, 0), "knife": (1, 0), "vehicle": (0, 0), "car": (0, 2), "tool": (1, 1), "hammer": (2, 1)},
        **{"seat": (0, 0), "chair": (3, 3), "food": (1, 1), "fuel": (5, 5), "oil": (5, 5)},
    }
    matrix = pl.DataFrame(list(points.values()), orient="row").to_numpy().astype("float32")
    vectors = StaticVectors({word: i for i, word in enumerate(points)}, matrix)
    assert pairs_of(static_offsets(read(package), vectors)) == {
        "tool:hammer": pytest.approx(0.5),
        "seat:chair": pytest.approx(0.5**0.5),
        "food:apple": None,
        "fuel:oil": None,
        "hammer:tool": pytest.approx(-0.5),
    }


def test_a_paradigm_without_an_offset_takes_no_part_in_the_rating_of_a_pair(package):
    """The car has no vector, so that the only paradigm is weapon:knife; without the knife there is none."""
    points = {"weapon": (0, 0), "knife": (1, 0), "vehicle": (0, 0), "tool": (1, 1), "hammer": (2, 2)}
    for left_out, rating in ((None, 0.5**0.5), ("knife", None)):
        words = [word for word in points if word != left_out]
        matrix = np.array([points[word] for word in words], np.float32)
        vectors = StaticVectors({word: place for place, word in enumerate(words)}, matrix)
        found = pairs_of(static_offsets(read(package), vectors))
        assert found["tool:hammer"] == (None if rating is None else pytest.approx(rating))


def test_typical_words_are_near_those_of_the_paradigms_whatever_connects_them(package):
    """The first words of the paradigms point right, and their second words up: oil has no vector, and food is no length."""
    points = {
        **{"weapon": (2, 0), "vehicle": (1, 0), "knife": (0, 1), "car": (0, 3)},
        **{
            "tool": (3, 4),
            "hammer": (4, 3),
            "seat": (1, 0),
            "chair": (0, 1),
            "food": (0, 0),
            "apple": (1, 1),
            "fuel": (1, 1),
        },
    }
    vectors = StaticVectors({word: i for i, word in enumerate(points)}, np.array([*points.values()], np.float32))
    assert pairs_of(typical_words(read(package), vectors)) == {
        "tool:hammer": pytest.approx(3 / 5 + 3 / 5),
        "hammer:tool": pytest.approx(4 / 5 + 4 / 5),  # the reversed pair looks more like a paradigm
        "seat:chair": pytest.approx(2),
        "food:apple": None,
        "fuel:oil": None,
    }


def test_a_paradigm_without_a_vector_is_left_out_and_each_baseline_has_its_own_ratings(package):
    """car has no vector, so that weapon:knife is the only paradigm: (0, 1) and (1, 1), with the offset (1, 0)."""
    points = {"weapon": (0, 1), "knife": (1, 1), "tool": (0, 2), "hammer": (0, 3), "seat": (1, 0), "chair": (3, 0)}
    vectors = StaticVectors({word: i for i, word in enumerate(points)}, np.array([*points.values()], np.float32))
    relations = read(package)
    offsets = baseline(relations, vectors=vectors, agent="static", seed=1)
    words = baseline(relations, vectors=vectors, agent="typical", seed=1)
    rated = pl.col("pair").is_in(["tool:hammer", "seat:chair"])
    assert offsets.filter(rated).rows() == [
        ("static", "1b", "tool:hammer", 0.0),
        ("static", "1b", "seat:chair", pytest.approx(1)),
    ]
    assert words.filter(rated).rows() == [
        ("typical", "1b", "tool:hammer", pytest.approx(1 + 0.5**0.5)),
        ("typical", "1b", "seat:chair", pytest.approx(0 + 0.5**0.5)),
    ]
    drawn = baseline(relations, agent="random", seed=1)
    assert drawn.equals(rating_table("random", random_ratings(relations, 1)))


def test_a_rated_paradigm_is_not_compared_with_itself(tmp_path):
    answers = [(SECOND, "hammer:tool", "seat:chair")]
    pairs = ["tool:hammer", *SECOND]
    spec = tiny_semeval.Spec("1b", "CLASS", "Y functions as an X", ["weapon:knife", "tool:hammer"], pairs, answers)
    # Offsets: weapon:knife (1, 0); tool:hammer (0, 1); hammer:tool (0, -1).
    points = {"weapon": (0, 0), "knife": (1, 0), "tool": (1, 0), "hammer": (1, 1)}
    vectors = StaticVectors({word: i for i, word in enumerate(points)}, np.array([*points.values()], np.float32))
    ratings_by_pair = pairs_of(static_offsets(read(tiny_semeval.write(tmp_path, [spec])), vectors))
    assert ratings_by_pair["tool:hammer"] == pytest.approx(
        0
    )  # with weapon:knife alone; with itself as well it would be 1/2
    assert ratings_by_pair["hammer:tool"] == pytest.approx(-1 / 2)  # with both: 0 and -1


@real
def test_no_pair_of_the_package_is_a_paradigm():
    subcategories = read(DATA)
    assert sum(len(one.paradigms) for one in subcategories) == 246
    assert not [pair for one in subcategories for pair in one.pairs if pair in one.paradigms]


WITHOUT_TORCH = """
import runpy, sys
try:
    runpy.run_module("relprobe", run_name="__main__")
finally:
    assert "torch" not in sys.modules
"""


def run_evaluate(*flags):
    """Run `python -m relprobe degrees evaluate`, which fails if it imports torch."""
    command = [sys.executable, "-c", WITHOUT_TORCH, "degrees", "evaluate", *map(str, flags)]
    environment = {**os.environ, "PYTHONPATH": str(paths.SCRIPTS)}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_a_wrong_file_of_a_user_ends_in_one_sentence(package, tmp_path):
    mine = tiny_semeval.rate(tmp_path / "Mine-1b.txt", {**IN_GOLD_ORDER, "oil:fuel": 3})
    process = run_evaluate("--package", package, "--ratings", mine)
    assert process.returncode == 1
    assert "Mine-1b.txt, line 9: the pair 'oil:fuel' is in the wrong order" in process.stderr
    assert "Traceback" not in process.stderr


def test_counts_of_subcategories_are_shares_and_have_an_interval_where_all_are_equal():
    rows = [("m", metric.name, "PART-WHOLE", unit, unit, 0.0) for metric in MEASURES for unit in "abc"]
    table = averages({"m": pl.DataFrame(rows, schema=METRICS, orient="row")}, MEASURES)
    shares = table.drop_nulls("high")
    assert set(shares["metric"]) == {
        *(f"{name}{pairs}" for name in COUNTED for pairs in ("", "_without_reversals")),
        "rated",
        "constant",
    }
    assert shares["high"].to_list() == pytest.approx([1.96**2 / (3 + 1.96**2)] * 8, abs=1e-4)  # Wilson's, of 0 of 3


def test_the_bounds_of_each_metric_are_those_of_its_scale():
    """Correlations lie from -1 to 1, shares from 0 to 1, percentages from 0 to 100, and an error has no greatest value."""
    bounds = {measure.name: measure.bounds for measure in MEASURES if not measure.share}
    none = "_without_reversals"
    assert bounds == {
        **dict.fromkeys(["rho", f"rho{none}"], (-1, 1)),
        **dict.fromkeys(["maxdiff", f"maxdiff{none}", "least", "most"], (0, 100)),
        **dict.fromkeys(["p", f"p{none}"], (0, 1)),
        "reversal_error": (0, float("inf")),
    }
    assert {measure.name for measure in MEASURES if measure.test} == {"rho", "maxdiff", f"rho{none}", f"maxdiff{none}"}
    assert {measure.name for measure in MEASURES if measure.less_is_better} == {
        "p",
        f"p{none}",
        "constant",
        "reversal_error",
    }
    assert {measure.items for measure in MEASURES} == {"subcategories", "reversed pairs"}
    error = next(measure for measure in MEASURES if measure.name == "reversal_error")
    assert (error.items, error.cluster, error.clusters) == ("reversed pairs", ("cluster",), "subcategories")
    assert KINDS == {
        **{"schema": "schema", "schema-mean": "schema", "analogy": "analogy", "analogy-mean": "analogy"},
        **{"pmi": "pmi", "hidden": "hidden"},
    }
    assert KINDS.keys() == RATERS.keys()


@pytest.mark.parametrize(
    ("p", "effect", "counts"),
    [
        (0.05, 0.3, (0, 0, 0)),
        (0.049, 0.3, (1, 0, 0)),
        (0.049, -0.3, (1, 0, 1)),
        (0.0101, -0.3, (1, 0, 1)),
        (0.01, 0.9, (1, 0, 0)),
        (0.0099, 0.9, (1, 1, 0)),
        (0.049, 0.0, (1, 0, 0)),
        (0.2, -0.3, (0, 0, 0)),
    ],
)
def test_a_correlation_counts_as_significant_below_the_level(p, effect, counts, monkeypatch):
    monkeypatch.setattr(method, "correlation", lambda pairs: SimpleNamespace(p=p, effect=effect))
    found = dict(correlation_values(pl.DataFrame()))
    assert (found["rho"], found["p"]) == (effect, p)
    assert tuple(found[name] for name in COUNTED) == counts


def test_a_vector_that_is_missing_takes_no_part_in_a_mean_cosine():
    one, half, none = np.array([1.0, 0.0]), np.array([1.0, np.sqrt(3)]) / 2, np.array([np.nan, np.nan])
    assert mean_cosine(one, [one, none, half]) == pytest.approx(0.75)
    assert mean_cosine(one, [none]) is mean_cosine(none, [one]) is mean_cosine(one, []) is None
    assert mean_cosine(one, [np.zeros(2), half]) == pytest.approx(0.5)


def test_a_question_about_a_reversed_pair_takes_no_part_without_reversals():
    """The agent is right in the question about the reversed pair, and wrong in the other one."""
    rated = pl.DataFrame(
        [("a:b", 3.0, 1.0, None), ("c:d", 2.0, 2.0, None), ("e:f", 1.0, 3.0, None), ("b:a", 0.0, 0.0, "a:b")],
        schema=["pair", "rating", "rating_agent", "reverses"],
        orient="row",
    )
    asked = [
        {"pairs": ["a:b", "c:d", "e:f"], "least": ["e:f"], "most": ["a:b"]},
        {"pairs": ["b:a", "c:d", "e:f"], "least": ["b:a"], "most": ["e:f"]},
    ]
    found = {metric: value for metric, _, value in method.subcategory_values(rated, asked)}
    assert (found["maxdiff"], found["maxdiff_without_reversals"]) == (50, 0)


def test_the_values_of_every_subcategory_stand_under_its_class_or_training_with_its_own_questions():
    """The second has no questions, and its third pair reverses one that the agent does not rate."""
    rows = [
        *[("t0", "CLASS", False, pair, None, rating, "") for pair, rating in (("a:b", 9.0), ("c:d", 5.0))],
        *[("t0", "CLASS", False, "b:a", "a:b", 1.0, ""), ("t0", "CLASS", False, "e:f", None, 0.0, "")],
        *[("s0", "OTHER", True, pair, None, rating, "") for pair, rating in (("a:b", 1.0), ("c:d", 2.0))],
        ("s0", "OTHER", True, "b:a", "a:b", 3.0, ""),
    ]
    people = pl.DataFrame(rows, schema=GOLD, orient="row")
    four_pairs, two_pairs = ["a:b", "c:d", "b:a", "e:f"], ["c:d", "b:a"]
    asked_people = [(two_pairs, ["c:d"], ["b:a"]), (four_pairs, ["e:f"], ["c:d"]), (two_pairs[::-1], ["b:a"], ["c:d"])]
    asked = pl.DataFrame([("t0", *one, 5) for one in asked_people], schema=QUESTIONS, orient="row")
    given = {("t0", "a:b"): 9.0, ("t0", "c:d"): 1.0, ("t0", "b:a"): 5.0, ("t0", "e:f"): 0.0, ("s0", "c:d"): 2.0}
    table = values(rating_table("m", {**given, ("s0", "a:b"): None, ("s0", "b:a"): 2.0}), people, asked)
    plain = {"rated", "constant", "rho", "least", "most", "maxdiff", "reversal_error", f"rho{WITHOUT}"}
    found = table.filter(pl.col("metric").is_in(plain)).drop("agent").rows()
    # t0: ranks 4 3 2 1 beside 4 2 3 1, d² = 2: rho = 1 - 12 / 60; without b:a they are the same. The agent's least is
    # people's in the first two questions, its most in the first. It has b:a one rank below a:b, people two.
    assert found == [
        ("rated", "CLASS", "t0", "t0", 1.0),
        ("constant", "CLASS", "t0", "t0", 0.0),
        ("rho", "CLASS", "t0", "t0", pytest.approx(0.8)),
        *[
            ("least", "CLASS", "t0", "t0", pytest.approx(200 / 3)),
            ("most", "CLASS", "t0", "t0", pytest.approx(100 / 3)),
            ("maxdiff", "CLASS", "t0", "t0", pytest.approx(50)),
        ],
        ("rho_without_reversals", "CLASS", "t0", "t0", pytest.approx(1.0)),
        ("reversal_error", "CLASS", "t0 b:a", "t0", 1.0),
        ("rated", "training", "s0", "s0", pytest.approx(2 / 3)),
        ("constant", "training", "s0", "s0", 1.0),
    ]
    unrated = values(rating_table("m", dict.fromkeys(given)), people, asked)
    assert unrated.select("metric", "unit", "value").rows() == [("rated", "t0", 0.0), ("rated", "s0", 0.0)]


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ([1.0, 2.0, 3.0, 4.0, 5.0], {"rho": 1.0, "significant_05": 1.0, "significant_01": 0.0, "negative_05": 0.0}),
        ([5.0, 4.0, 3.0, 2.0, 1.0], {"rho": -1.0, "significant_05": 1.0, "significant_01": 0.0, "negative_05": 1.0}),
        ([1.0, 2.0, 3.0, 5.0, 4.0], {"rho": 0.9, "significant_05": 0.0, "significant_01": 0.0, "negative_05": 0.0}),
        ([5.0, 4.0, 3.0, 1.0, 2.0], {"rho": -0.9, "significant_05": 0.0, "significant_01": 0.0, "negative_05": 0.0}),
    ],
)
def test_a_correlation_is_significant_below_a_level_and_negative_if_it_is_so_below_zero(ratings, expected):
    """Of 120 orders of five pairs 2 are as far from 0 as 1 (p = 0.017), and 10 as 0.9 (p = 0.083)."""
    pairs = pl.DataFrame({"rating": [1.0, 2.0, 3.0, 4.0, 5.0], "rating_agent": ratings})
    found = dict(correlation_values(pairs))
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    assert found["p"] == pytest.approx(2 / 120 if abs(expected["rho"]) > 0.95 else 10 / 120)


def test_the_supplied_ratings_stand_in_place_of_drawn_ones(package, monkeypatch):
    relations = read(package)
    monkeypatch.setattr(baselines, "supplied_ratings", lambda folder, name, by_id: {one: {"a:b": 2.0} for one in by_id})
    monkeypatch.setattr(baselines, "fetched_folder", lambda manifest: manifest)
    assert baseline(relations, package, agent="pmi", seed=1).rows() == [("pmi", "1b", "a:b", 2.0)]


def test_the_likeness_of_a_pair_is_the_mean_over_the_paradigms(package):
    """Of three paradigms, two have the offset (1, 0), and one (0, 1); the first words of all are alike."""
    points = {"weapon": (1, 0), "knife": (2, 0), "vehicle": (1, 0), "car": (2, 0), "plant": (1, 0), "oak": (1, 1)}
    points |= {"tool": (1, 0), "hammer": (4, 0)}
    vectors = StaticVectors({word: i for i, word in enumerate(points)}, np.array([*points.values()], np.float32))
    relations = [replace(one, paradigms=("weapon:knife", "vehicle:car", "plant:oak")) for one in read(package)]
    assert pairs_of(static_offsets(relations, vectors))["tool:hammer"] == pytest.approx(2 / 3)
    words = pairs_of(typical_words(relations, vectors))
    assert words["tool:hammer"] == pytest.approx(1 + (1 + 1 + 0.5**0.5) / 3)
