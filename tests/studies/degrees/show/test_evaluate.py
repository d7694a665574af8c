"""Files of ratings and of MaxDiff answers are scored without a model."""

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.studies.degrees.evaluate import evaluate as print_scores
from relprobe.studies.degrees.evaluate import score_files as evaluate

from tests.sources.made import tiny_semeval
from tests.sources.made.tiny_semeval import FIRST
from tests.studies.degrees.measure.test_metrics import DATA, IN_GOLD_ORDER, real, run_evaluate


def test_evaluating_a_users_file_needs_no_model(package, tmp_path):
    mine = tiny_semeval.rate(tmp_path / "Mine-1b.txt", IN_GOLD_ORDER)
    scores, averages = evaluate(package, mine)
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
    scores, averages = evaluate(package, tiny_semeval.rate(tmp_path / "of any name.ratings", rated))
    row = scores.row(0, named=True)
    assert (row["subcategory"], row["rho"], row["maxdiff"]) == ("1b", pytest.approx(1), 100)
    assert (row["rated_pairs"], row["pairs"], row["answered"], row["questions"]) == (4, 5, 1, 2)
    assert row["unrated"] == "tool:hammer"
    assert averages.select("files", "rated_pairs", "pairs", "answered").row(0) == (1, 4, 5, 1)


def test_constant_and_scant_ratings_are_not_counted_alike(package, tmp_path):
    constant = evaluate(package, tiny_semeval.rate(tmp_path / "a.txt", dict.fromkeys(IN_GOLD_ORDER, 7)))[1]
    assert constant.select("rho", "with_rho").row(0) == (0.0, 1)
    scores, scant = evaluate(package, tiny_semeval.rate(tmp_path / "b.txt", {"fuel:oil": 7}))
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
    scores, averages = evaluate(package, file)
    row = scores.row(0, named=True)
    assert (row["kind"], row["subcategory"], row["rho"], row["maxdiff"]) == ("answers", "1b", None, 50)
    assert (row["maxdiff_without_reversals"], row["rated_pairs"], row["answered"]) == (50, 5, 2)
    assert averages.select("kind", "least", "most", "maxdiff", "with_rho").row(0) == ("answers", 50, 50, 50, 0)
    one = answer(tmp_path / "one", [*FIRST, "fuel:oil", "tool:hammer", "a relation, as in people's files"])
    row = evaluate(package, one)[0].row(0, named=True)
    assert (row["maxdiff"], row["rated_pairs"], row["unrated"], row["answered"]) == (100, 4, "hammer:tool", 1)


def test_a_folder_may_hold_ratings_and_answers(package, tmp_path):
    folder = tmp_path / "both"
    tiny_semeval.rate(folder / "ratings/run 1", IN_GOLD_ORDER)
    answer(folder / "run 2", [*FIRST, "fuel:oil", "seat:chair"])
    (folder / "README.txt").write_text("about\n")
    scores, averages = evaluate(package, folder)
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
        evaluate(package, file)


@real
def test_the_authors_example_answers_get_the_authors_accuracies(tmp_path):
    """The authors print 28.2, 26.2 and 27.2 % in Examples/MaxDiffRandom-1a.txt."""
    _, averages = evaluate(DATA, DATA / "SemEval-2012-Complete-Data-Package/Examples/RandomMaxDiff-1a.txt")
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
    scores, _ = evaluate(DATA, tiny_semeval.rate(tmp_path / "small", rated))
    assert scores["rho"].item() == pytest.approx(0.4212, abs=1e-4)


@real
@pytest.mark.parametrize(
    ("name", "rho", "maxdiff", "at_05", "at_01"), [("Random", 0.018, 31.2, 4, 0), ("PMI", 0.112, 33.9, 15, 7)]
)
def test_the_supplied_ratings_get_the_scores_that_the_paper_prints(name, rho, maxdiff, at_05, at_01):
    """The values are those of Table 3."""
    _, averages = evaluate(DATA, DATA / f"SemEval-2012-Baselines/{name}/Testing")
    row = averages.row(0, named=True)
    assert (row["part"], row["files"], row["with_rho"]) == ("test", 69, 69)
    assert round(row["rho"], 3) == rho
    assert round(row["maxdiff"], 1) == maxdiff
    assert (row["significant_05"], row["significant_01"]) == (at_05, at_01)


@real
def test_the_authors_example_ratings_get_the_authors_correlation():
    """The authors print it in Examples/SpearmanRandomScaled-1a.txt."""
    scores, _ = evaluate(DATA, DATA / "SemEval-2012-Complete-Data-Package/Examples/RandomScaled-1a.txt")
    assert scores["rho"].item() == pytest.approx(-0.00657952092202216)


def test_the_scores_are_printed_whole_and_written_if_a_file_is_named(package, tmp_path, capsys):
    rated = {pair: value for pair, value in IN_GOLD_ORDER.items() if pair != "tool:hammer"}
    mine = tiny_semeval.rate(tmp_path / "a file with a name of some length.txt", rated)
    print_scores(package, mine)
    said = capsys.readouterr().out
    scores, means = evaluate(package, mine)
    for table in (scores, means):
        assert all(f" {name} " in said for name in table.columns)
    assert " a file with a name of some length.txt " in said
    assert "…" not in said
    assert "str" not in said
    assert "shape" not in said
    assert "| 1.000 |" in said
    assert not [*tmp_path.glob("*.csv")]
    print_scores(package, mine, tmp_path / "scores.csv")
    assert pl.read_csv(tmp_path / "scores.csv").select("subcategory", "maxdiff").rows() == [("1b", 100.0)]


def test_files_of_training_and_of_test_subcategories_have_averages_of_their_own(tmp_path):
    spec = tiny_semeval.FUNCTIONAL
    training = tiny_semeval.Spec(**{**vars(spec), "id": "2c", "training": True})
    package = tiny_semeval.write(tmp_path / "data", [spec, training])
    folder = tmp_path / "mine"
    tiny_semeval.rate(folder / "mine-1b.txt", IN_GOLD_ORDER)
    tiny_semeval.rate(folder / "mine-2c.txt", {pair: -value for pair, value in IN_GOLD_ORDER.items() if pair in FIRST})
    scores, means = evaluate(package, folder)
    assert scores.select("subcategory", "condition", "maxdiff", "rated_pairs").rows() == [
        ("1b", "CLASS-INCLUSION", 100.0, 5),
        ("2c", "training", 0.0, 4),
    ]
    columns = [
        "part",
        "files",
        "with_rho",
        "with_maxdiff",
        "maxdiff",
        "negative_05",
        "rated_pairs",
        "pairs",
        "answered",
    ]
    assert sorted(means.select(columns).rows()) == [
        ("test", 1, 1, 1, 100.0, 0, 5, 5, 2),
        ("training", 1, 1, 1, 0.0, 0, 4, 5, 1),
    ]
    chosen = evaluate(package, answer(tmp_path / "Mine-2c.txt", [*FIRST, "fuel:oil", "tool:hammer"]))[0]
    assert chosen.select("condition", "maxdiff", "answered", "unrated").rows() == [
        ("training", 100.0, 1, "hammer:tool")
    ]
