"""Counting people's answers, worked out by hand on the package in miniature."""

from relprobe.sources.semeval2012 import read
from relprobe.studies.degrees.method import gold, majority, prototypicality, questions
from relprobe.studies.degrees.schemas import GOLD, QUESTIONS

from tests.sources.made.tiny_semeval import FIRST, SECOND


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
