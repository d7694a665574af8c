"""Counting people's answers and scoring ratings against them, worked out by hand on the package in miniature."""

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from relprobe.sources.semeval2012 import read
from relprobe.sources.static_vectors import StaticVectors
from relprobe.studies.degrees.baselines import random, static_offsets, table
from relprobe.studies.degrees.build import gold, majority, prototypicality, questions
from relprobe.studies.degrees.evaluate import evaluate
from relprobe.studies.degrees.metrics import rankings, units
from relprobe.studies.degrees.schemas import GOLD, QUESTIONS

from tests.paths import ROOT
from tests.sources import tiny_semeval
from tests.sources.tiny_semeval import FIRST, FUNCTIONAL, SECOND

DATA = Path(os.environ.get("RELPROBE_DATA", ROOT.parent / "shared" / "data")) / "semeval2012"
real = pytest.mark.skipif(not DATA.is_dir(), reason="needs SemEval-2012 Task 2")
GOLDEN = {"tool:hammer": 5, "seat:chair": 4, "food:apple": 3, "fuel:oil": 2, "hammer:tool": 1}


@pytest.fixture
def package(tmp_path):
    return tiny_semeval.write(tmp_path / "data", [FUNCTIONAL])


@pytest.fixture
def measured(package):
    """Return metric -> value of ratings of the one subcategory."""
    subcategories = read(package)
    people = gold(subcategories), questions(subcategories)

    def measure(ratings):
        made = units(table("mine", {"1b": ratings}), *people, seed=1)
        return dict(made.select("metric", "value").iter_rows())

    return measure


def test_prototypicality_is_the_share_of_most_minus_that_of_least_illustrative(package):
    (one,) = read(package)
    assert prototypicality(one.answers) == {
        "tool:hammer": 66.7,  # in 3 answers, 2 of them as most illustrative
        "seat:chair": 40.0,  # 2/5
        "food:apple": 20.0,  # 1/5
        "fuel:oil": -40.0,  # -2/5: the answer without a choice counts
        "hammer:tool": -100.0,  # -2/2
    }


def test_the_majority_may_be_several_and_no_choice_is_none():
    assert majority(["a", "b", "b", "", "", ""]) == ["b"]
    assert majority(["b", "a", ""]) == ["a", "b"]
    assert majority([""]) == []


def test_gold_ratings_and_questions_are_tables(package):
    subcategories = read(package)
    rated = gold(subcategories)
    assert rated.schema == GOLD
    assert rated.row(4) == ("1b", "CLASS-INCLUSION", False, "hammer:tool", "tool:hammer", -100.0)
    asked = questions(subcategories)
    assert asked.schema == QUESTIONS
    assert asked.rows() == [
        ("1b", FIRST, ["fuel:oil"], ["tool:hammer"], 3),
        ("1b", SECOND, ["hammer:tool"], ["food:apple", "seat:chair"], 2),
    ]


def test_ratings_in_the_order_of_the_gold_ratings_are_right_throughout(measured):
    assert measured(GOLDEN) == {
        "rated": 1.0,
        "rho": pytest.approx(1),
        "p": pytest.approx(1 / 60),  # 2 of the 120 orders of five
        "rho_without_reversals": pytest.approx(1),
        "least": 100.0,
        "most": 100.0,
        "maxdiff": 100.0,
        "reversal_error": 0.0,
    }


def test_ratings_in_the_opposite_order_are_wrong_throughout(measured):
    found = measured({pair: -value for pair, value in GOLDEN.items()})
    assert found["rho"] == pytest.approx(-1)
    assert found["maxdiff"] == 0
    assert found["reversal_error"] == 64  # the reversal's rank is 4 above the pair's instead of 4 below


def test_right_and_wrong_answers_are_counted_per_side(measured):
    # Question 1: least food:apple (wrong), most tool:hammer (right); question 2: least food:apple (wrong), most seat:chair,
    # one of the two that the majority ties on (right).
    found = measured({**GOLDEN, "food:apple": 0.5})
    assert (found["least"], found["most"], found["maxdiff"]) == (0, 100, 50)
    # Gold ranks 5 4 3 2 1, these 5 4 1 3 2: d² = 0 + 0 + 4 + 1 + 1, rho = 1 - 6 · 6 / (5 · 24) = 0.7; without the reversal
    # gold 4 3 2 1, these 4 3 1 2: d² = 2, rho = 1 - 6 · 2 / (4 · 15) = 0.8.
    assert found["rho"] == pytest.approx(0.7)
    assert found["rho_without_reversals"] == pytest.approx(0.8)
    assert found["reversal_error"] == 1  # ranks 2 - 5 instead of 1 - 5


def test_constant_ratings_have_no_rho_and_answer_at_random(measured):
    found = measured(dict.fromkeys(GOLDEN, 1))
    assert not {"rho", "p", "rho_without_reversals"} & set(found)
    assert 0 < found["maxdiff"] < 100
    assert found == measured(dict.fromkeys(reversed(GOLDEN), 1))


def test_ties_are_broken_by_the_seed_alone():
    tied = {"b:c": 1.0, "a:b": 1.0, "c:d": 0.0}
    first, again, other = (list(rankings(tied, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert all(max(order, key=order.__getitem__) != "c:d" for order in first)
    assert {max(order, key=order.__getitem__) for order in first} == {"a:b", "b:c"}
    assert len(list(rankings({"a:b": 1.0, "b:c": 2.0}, 1))) == 1


def test_an_unrated_pair_counts_nowhere(measured):
    found = measured({**GOLDEN, "tool:hammer": None})
    assert found["rated"] == 0.8
    assert found["rho"] == pytest.approx(1)
    assert found["maxdiff"] == 100  # of the second question alone
    assert "reversal_error" not in found


def test_random_ratings_depend_on_the_seed(package):
    subcategories = read(package)
    first, again, other = (random(subcategories, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_static_offsets_are_compared_with_those_of_the_paradigms(package):
    # Offsets of the paradigms: (1, 0) and (0, 1). tool:hammer (1, 0): cosines 1 and 0; hammer:tool (-1, 0): -1 and 0;
    # seat:chair (1, 1): both 1/√2; apple has no vector; fuel and oil have the same.
    points = {
        **{"weapon": (0, 0), "knife": (1, 0), "vehicle": (0, 0), "car": (0, 2), "tool": (1, 1), "hammer": (2, 1)},
        **{"seat": (0, 0), "chair": (3, 3), "food": (1, 1), "fuel": (5, 5), "oil": (5, 5)},
    }
    matrix = pl.DataFrame(list(points.values()), orient="row").to_numpy().astype("float32")
    vectors = StaticVectors({word: i for i, word in enumerate(points)}, matrix)
    assert static_offsets(read(package), vectors)["1b"] == {
        "tool:hammer": pytest.approx(0.5),
        "seat:chair": pytest.approx(0.5**0.5),
        "food:apple": None,
        "fuel:oil": None,
        "hammer:tool": pytest.approx(-0.5),
    }


def test_evaluating_a_users_file_needs_no_model(package, tmp_path):
    mine = tiny_semeval.rate(tmp_path / "Mine-1b.txt", GOLDEN)
    scores, averages = evaluate(package, mine, seed=1)
    assert scores.rows() == [("1b", "CLASS-INCLUSION", pytest.approx(1), pytest.approx(1 / 60), 100.0)]
    row = averages.row(0, named=True)
    assert (row["part"], row["subcategories"], row["maxdiff"], row["significant_05"]) == ("test", 1, 100.0, 1)
    script = ROOT / "workflow/scripts/degrees_evaluate.py"
    loaded = (
        f"import runpy, sys; runpy.run_path({str(script)!r}, run_name='__main__'); assert 'torch' not in sys.modules"
    )
    flags = ["--package", str(package), "--ratings", str(mine), "--out", str(tmp_path / "scores.csv")]
    environment = {**os.environ, "PYTHONPATH": str(script.parent)}
    done = subprocess.run(
        [sys.executable, "-c", loaded, *flags], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "| 1b          | CLASS-INCLUSION | 1.000 | 0.017 | 100.000 |" in done.stdout
    assert pl.read_csv(tmp_path / "scores.csv")["maxdiff"].to_list() == [100.0]


def test_a_wrong_file_of_a_user_ends_in_one_sentence(package, tmp_path):
    mine = tiny_semeval.rate(tmp_path / "Mine-1b.txt", {**GOLDEN, "oil:fuel": 3})
    script = [sys.executable, str(ROOT / "workflow/scripts/degrees_evaluate.py")]
    done = subprocess.run(
        [*script, "--package", str(package), "--ratings", str(mine)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "Mine-1b.txt, line 9: the pair 'oil:fuel' is in the wrong order" in done.stderr
    assert "Traceback" not in done.stderr


@real
@pytest.mark.parametrize(
    ("name", "rho", "maxdiff", "at_05", "at_01"), [("Random", 0.018, 31.2, 4, 0), ("PMI", 0.112, 33.9, 15, 7)]
)
def test_the_supplied_ratings_get_the_scores_that_the_paper_prints(name, rho, maxdiff, at_05, at_01):
    """Table 3."""
    _, averages = evaluate(DATA, DATA / f"SemEval-2012-Baselines/{name}/Testing", seed=1)
    row = averages.row(0, named=True)
    assert (row["part"], row["subcategories"]) == ("test", 69)
    assert round(row["rho"], 3) == rho
    assert round(row["maxdiff"], 1) == maxdiff
    assert (row["significant_05"], row["significant_01"]) == (at_05, at_01)


@real
def test_the_authors_example_ratings_get_the_authors_correlation():
    """Examples/SpearmanRandomScaled-1a.txt."""
    scores, _ = evaluate(DATA, DATA / "SemEval-2012-Complete-Data-Package/Examples/RandomScaled-1a.txt", seed=1)
    assert scores["rho"].item() == pytest.approx(-0.00657952092202216)
