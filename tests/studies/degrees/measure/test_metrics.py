"""Counting people's answers and scoring ratings against them, worked out by hand on the package in miniature."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.semeval2012 import read
from relprobe.sources.static_vectors import StaticVectors
from relprobe.stats.averages import averages
from relprobe.studies.degrees.compare.ceiling import ceiling, one_against_the_others
from relprobe.studies.degrees.compare.difficulty import difficulty
from relprobe.studies.degrees.data.build import gold, majority, prototypicality, questions
from relprobe.studies.degrees.measure.baselines import random, static_offsets, table
from relprobe.studies.degrees.measure.metrics import COUNTED, MEASURES, rankings, units
from relprobe.studies.degrees.schemas import CEILING, GOLD, METRICS, QUESTIONS
from relprobe.studies.degrees.show.evaluate import evaluated as evaluate

from tests import paths
from tests.sources import tiny_semeval
from tests.sources.tiny_semeval import FIRST, FUNCTIONAL, SECOND

DATA = paths.DATA / "semeval2012"
real = pytest.mark.skipif(not DATA.is_dir(), reason="needs SemEval-2012 Task 2")
IN_GOLD_ORDER = {"tool:hammer": 5, "seat:chair": 4, "food:apple": 3, "fuel:oil": 2, "hammer:tool": 1}


@pytest.fixture
def package(tmp_path):
    return tiny_semeval.write(tmp_path / "data", [FUNCTIONAL])


@pytest.fixture
def measure(package):
    """Return a function that gives metric -> value of ratings of the one subcategory."""
    subcategories = read(package)
    people = gold(subcategories), questions(subcategories)

    def values(ratings):
        rows = units(table("mine", {"1b": ratings}), *people, seed=1)
        return dict(rows.select("metric", "value").iter_rows())

    return values


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
    ratings = gold(subcategories)
    assert ratings.schema == GOLD
    assert ratings.row(4) == ("1b", "CLASS-INCLUSION", False, "hammer:tool", "tool:hammer", -100.0, "Name 1b")
    maxdiff = questions(subcategories)
    assert maxdiff.schema == QUESTIONS
    assert maxdiff.rows() == [
        ("1b", FIRST, ["fuel:oil"], ["tool:hammer"], 3),
        ("1b", SECOND, ["hammer:tool"], ["food:apple", "seat:chair"], 2),
    ]


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
    assert 0 < values["maxdiff"] < 100
    assert values == measure(dict.fromkeys(reversed(IN_GOLD_ORDER), 1))


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


def test_ties_are_broken_by_the_seed_alone():
    tied = {"b:c": 1.0, "a:b": 1.0, "c:d": 0.0}
    first, again, other = (list(rankings(tied, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert all(max(order, key=order.__getitem__) != "c:d" for order in first)
    assert {max(order, key=order.__getitem__) for order in first} == {"a:b", "b:c"}
    assert len(list(rankings({"a:b": 1.0, "b:c": 2.0}, 1))) == 1


def test_an_unrated_pair_takes_no_part(measure):
    values = measure({**IN_GOLD_ORDER, "tool:hammer": None})
    assert values["rated"] == 0.8
    assert values["rho"] == pytest.approx(1)
    assert values["maxdiff"] == 100  # of the second question alone
    assert "reversal_error" not in values


def test_random_ratings_depend_on_the_seed(package):
    subcategories = read(package)
    first, again, other = (random(subcategories, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_random_ratings_lie_between_0_and_100(package):
    (one,) = read(package)
    many = replace(one, pairs={f"a{number}:b": number for number in range(2000)})
    ratings = list(random([many], seed=1)["1b"].values())
    # that none of 2000 lies within 0.5 of a bound has the chance 0.995²⁰⁰⁰ = 0.00004
    assert 0 <= min(ratings) < 0.5
    assert 99.5 < max(ratings) <= 100


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


def test_a_rated_paradigm_is_not_compared_with_itself(tmp_path):
    answers = [(SECOND, "hammer:tool", "seat:chair")]
    pairs = ["tool:hammer", *SECOND]
    spec = tiny_semeval.Spec("1b", "CLASS", "Y functions as an X", ["weapon:knife", "tool:hammer"], pairs, answers)
    # Offsets: weapon:knife (1, 0); tool:hammer (0, 1); hammer:tool (0, -1).
    points = {"weapon": (0, 0), "knife": (1, 0), "tool": (1, 0), "hammer": (1, 1)}
    vectors = StaticVectors({word: i for i, word in enumerate(points)}, np.array([*points.values()], np.float32))
    of_pairs = static_offsets(read(tiny_semeval.write(tmp_path, [spec])), vectors)["1b"]
    assert of_pairs["tool:hammer"] == pytest.approx(0)  # with weapon:knife alone; with itself as well it would be 1/2
    assert of_pairs["hammer:tool"] == pytest.approx(-1 / 2)  # with both: 0 and -1


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


def test_evaluating_a_users_file_needs_no_model(package, tmp_path):
    mine = tiny_semeval.rate(tmp_path / "Mine-1b.txt", IN_GOLD_ORDER)
    scores, averages = evaluate(package, mine, seed=1)
    correlations = [pytest.approx(value) for value in (1, 1 / 60, 1, 1 / 12)]
    assert scores.rows() == [
        ("ratings", "1b", "CLASS-INCLUSION", *correlations, 100.0, 100.0, "Mine-1b.txt", 5, 5, 2, 2, "")
    ]
    row = averages.row(0, named=True)
    assert (row["part"], row["files"], row["with_rho"], row["maxdiff"], row["significant_05"]) == (
        "test",
        1,
        1,
        100.0,
        1,
    )
    assert (row["rated_pairs"], row["pairs"], row["answered"], row["questions"]) == (5, 5, 2, 2)
    process = run_evaluate("--package", package, "--ratings", mine, "--out", tmp_path / "scores.csv")
    assert process.returncode == 0, process.stderr
    assert "| 1b          | CLASS-INCLUSION | 1.000 | 0.017 | " in process.stdout
    assert pl.read_csv(tmp_path / "scores.csv")["maxdiff"].to_list() == [100.0]


def test_a_subset_of_the_pairs_is_scored_and_the_result_says_so(package, tmp_path):
    # Without tool:hammer only the second question can be answered, rightly; gold 4 3 2 1, these ratings 4 3 2 1: rho 1.
    rated = {pair: value for pair, value in IN_GOLD_ORDER.items() if pair != "tool:hammer"}
    scores, averages = evaluate(package, tiny_semeval.rate(tmp_path / "of any name.ratings", rated), seed=1)
    row = scores.row(0, named=True)
    assert (row["subcategory"], row["rho"], row["maxdiff"]) == ("1b", pytest.approx(1), 100)
    assert (row["rated_pairs"], row["pairs"], row["answered"], row["questions"]) == (4, 5, 1, 2)
    assert row["unrated"] == "tool:hammer"
    assert averages.select("files", "rated_pairs", "pairs", "answered").row(0) == (1, 4, 5, 1)


def test_constant_and_scant_ratings_are_not_counted_alike(package, tmp_path):
    constant = evaluate(package, tiny_semeval.rate(tmp_path / "a.txt", dict.fromkeys(IN_GOLD_ORDER, 7)), seed=1)[1]
    assert constant.select("rho", "with_rho").row(0) == (0.0, 1)
    scores, scant = evaluate(package, tiny_semeval.rate(tmp_path / "b.txt", {"fuel:oil": 7}), seed=1)
    assert scant.select("files", "with_rho", "with_maxdiff").row(0) == (1, 0, 0)
    assert scores.select("rho", "maxdiff", "rated_pairs").row(0) == (None, None, 1)


def answer(path, *rows):
    """Write an answer file in the task's form: four pairs, the least and the most illustrative."""
    path.write_text("# comment\n" + "".join(" ".join(f'"{field}"' for field in row) + "\n" for row in rows))
    return path


def test_answers_to_maxdiff_questions_are_scored_without_ratings(package, tmp_path):
    # FIRST: least fuel:oil is right, most seat:chair is wrong. SECOND, its pairs in another order: no least (wrong), most
    # food:apple is one of the two that the majority ties on (right). So least 50, most 50, and FIRST alone 50.
    other_order = ["fuel:oil", "food:apple", "seat:chair", "hammer:tool"]
    file = answer(tmp_path / "mine", [*FIRST, "fuel:oil", "seat:chair"], [*other_order, "", "food:apple"])
    scores, averages = evaluate(package, file, seed=1)
    row = scores.row(0, named=True)
    assert (row["kind"], row["subcategory"], row["rho"], row["maxdiff"]) == ("answers", "1b", None, 50)
    assert (row["maxdiff_without_reversals"], row["rated_pairs"], row["answered"]) == (50, 5, 2)
    assert averages.select("kind", "least", "most", "maxdiff", "with_rho").row(0) == ("answers", 50, 50, 50, 0)
    one = answer(tmp_path / "one", [*FIRST, "fuel:oil", "tool:hammer", "a relation, as in people's files"])
    row = evaluate(package, one, seed=1)[0].row(0, named=True)
    assert (row["maxdiff"], row["rated_pairs"], row["unrated"], row["answered"]) == (100, 4, "hammer:tool", 1)


def test_a_folder_may_hold_ratings_and_answers(package, tmp_path):
    folder = tmp_path / "both"
    tiny_semeval.rate(folder / "ratings/run 1", IN_GOLD_ORDER)
    answer(folder / "run 2", [*FIRST, "fuel:oil", "seat:chair"])
    (folder / "README.txt").write_text("about\n")
    scores, averages = evaluate(package, folder, seed=1)
    assert sorted(scores.select("kind", "maxdiff").rows()) == [("answers", 50.0), ("ratings", 100.0)]
    assert sorted(averages["kind"]) == ["answers", "ratings"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([*FIRST, "fuel:oil", "hammer:tool"], "line 3: expected four pairs, and the least"),
        ([*FIRST[:3], "hammer:tool", "", ""], "line 3: 1b has no question about tool:hammer, seat:chair"),
        ([*FIRST, "", ""], "line 3: line 2 answers the same question"),
    ],
)
def test_a_wrong_answer_is_named_by_its_line(package, tmp_path, row, said):
    file = answer(tmp_path / "mine-1b.txt", [*FIRST, "fuel:oil", "seat:chair"], row)
    with pytest.raises(DataError, match=said):
        evaluate(package, file, seed=1)


@real
def test_the_authors_example_answers_get_the_authors_accuracies(tmp_path):
    """The authors print 28.2, 26.2 and 27.2 % in Examples/MaxDiffRandom-1a.txt."""
    _, averages = evaluate(DATA, DATA / "SemEval-2012-Complete-Data-Package/Examples/RandomMaxDiff-1a.txt", seed=1)
    row = averages.row(0, named=True)
    assert [round(row[name], 1) for name in ("least", "most", "maxdiff")] == [28.2, 26.2, 27.2]
    assert (row["answered"], row["questions"]) == (103, 103)


@real
def test_ratings_of_any_size_keep_the_rho_of_the_supplied_ones(tmp_path):
    """The PMI ratings of 1b through exp(x) · 1e-13 have the same order, and rho is 0.421."""
    lines = (DATA / "SemEval-2012-Baselines/PMI/Testing/PMI-Ratings-1b.txt").read_text().splitlines()
    rated = {
        line.split('"')[1]: np.exp(float(line.split()[0])) * 1e-13
        for line in lines
        if not line.startswith("#") and line
    }
    scores, _ = evaluate(DATA, tiny_semeval.rate(tmp_path / "small", rated), seed=1)
    assert scores["rho"].item() == pytest.approx(0.4212, abs=1e-4)


def test_a_wrong_file_of_a_user_ends_in_one_sentence(package, tmp_path):
    mine = tiny_semeval.rate(tmp_path / "Mine-1b.txt", {**IN_GOLD_ORDER, "oil:fuel": 3})
    process = run_evaluate("--package", package, "--ratings", mine)
    assert process.returncode == 1
    assert "Mine-1b.txt, line 9: the pair 'oil:fuel' is in the wrong order" in process.stderr
    assert "Traceback" not in process.stderr


@real
@pytest.mark.parametrize(
    ("name", "rho", "maxdiff", "at_05", "at_01"), [("Random", 0.018, 31.2, 4, 0), ("PMI", 0.112, 33.9, 15, 7)]
)
def test_the_supplied_ratings_get_the_scores_that_the_paper_prints(name, rho, maxdiff, at_05, at_01):
    """The values are those of Table 3."""
    _, averages = evaluate(DATA, DATA / f"SemEval-2012-Baselines/{name}/Testing", seed=1)
    row = averages.row(0, named=True)
    assert (row["part"], row["files"], row["with_rho"]) == ("test", 69, 69)
    assert round(row["rho"], 3) == rho
    assert round(row["maxdiff"], 1) == maxdiff
    assert (row["significant_05"], row["significant_01"]) == (at_05, at_01)


def test_one_person_is_compared_with_the_majority_of_the_others():
    # The choices a a b: each a sees the other a tie with b, and is right; b is wrong. a a a b b: each a sees two a and two
    # b, and is right; each b sees three a and one b. One answer alone has no others.
    assert one_against_the_others(np.array([[2, 1], [3, 2], [1, 0]])) == pytest.approx((2 + 3) / 8)
    assert np.isnan(one_against_the_others(np.array([[1, 0]])))


def test_one_answer_in_each_half_is_enough_for_a_ceiling(tmp_path):
    # Each half is one person, who gives 1, 0, 0 and -1: the halves agree.
    spec = replace(FUNCTIONAL, pairs=FIRST, answers=[(FIRST, "fuel:oil", "tool:hammer")] * 2, reversals={})
    table = ceiling(read(tiny_semeval.write(tmp_path, [spec])), seed=1)
    assert table.select("people", "split_half", "ceiling").rows() == [(2.0, 1.0, 1.0)] * 2


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


def test_a_ceiling_counts_the_pairs_and_the_questions_with_and_without_reversals(package):
    table = ceiling(read(package), seed=1)
    assert table.schema == CEILING
    assert table.select("subcategory", "condition", "reversals", "pairs", "people").rows() == [
        ("1b", "CLASS-INCLUSION", True, 5, 2.5),  # three and two answers
        ("1b", "CLASS-INCLUSION", False, 4, 2.5),
    ]
    # FIRST: both agree on the least, and two of three on the most illustrative pair. SECOND: both agree on the least, and
    # none of two on the most illustrative pair; it shows the reversed pair.
    assert table["annotator_maxdiff"].to_list() == pytest.approx([100 * 6 / 9, 100 * 4 / 5])
    assert table["split_half"].null_count() == 0


@real
def test_people_agree_as_much_as_the_package_says():
    """The figures were computed by hand from the package: halves 0.82, one against the others 52.4 %."""
    first = [one for one in read(DATA) if not one.training][:6]
    table = ceiling(first, seed=1).filter("reversals")
    assert table["split_half"].is_between(0.7, 0.95).all()
    assert table.select(exact=(pl.col("ceiling") ** 2 - pl.col("reliability")).abs() < 1e-9)["exact"].all()
    assert table["annotator_maxdiff"].is_between(40, 65).all()


@real
def test_the_authors_example_ratings_get_the_authors_correlation():
    """The authors print it in Examples/SpearmanRandomScaled-1a.txt."""
    scores, _ = evaluate(DATA, DATA / "SemEval-2012-Complete-Data-Package/Examples/RandomScaled-1a.txt", seed=1)
    assert scores["rho"].item() == pytest.approx(-0.00657952092202216)


@real
def test_the_largest_and_smallest_drops_are_those_that_the_paper_names():
    """Section 6: Sequence is most sensitive to reversal, Attribute Similarity and Contrary least; Functional is not met."""
    names = difficulty(gold(read(DATA)), {})["name"].to_list()
    assert names[0] == "Sequence"
    assert {"Attribute Similarity", "Contrary"} <= set(names[-4:])
    assert names.index("Functional") == 33
