"""Judgments of people: the mean of their answers, and the words that they choose."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.agents import people_metrics
from relprobe.studies.pairs.method import probes
from relprobe.studies.pairs.people import people, people_choices
from relprobe.studies.pairs.schemas import METRICS, REPLY_CHOICES

from tests.studies.pairs.made import PROMPTS, ROBIN, article, items

ASKED = probes(ROBIN, PROMPTS, article)


def test_people_are_the_mean_of_their_answers():
    answers = [JudgedPair("HYP", "robin", "bird", None, number, "", name) for number, name in ((6.0, "a"), (5.0, "b"))]
    answers.append(JudgedPair("HYP", "owl", "bird", None, 3.0, "", "a"))  # no pair of the study
    found = people(answers, ASKED)
    assert found.select("first", "second", "prompt", "score", "probability").rows() == [
        ("robin", "bird", "kind", 5.5, None),
        ("robin", "bird", "is", 5.5, None),
    ]


def chosen(word, rater, target="robin"):
    return JudgedPair("HYP", target, word, None, None, "", rater, True)


def test_peoples_choices_are_shares_in_each_prompt():
    """Of the words that models are shown: the right one, and a foil of each kind."""
    answers = [chosen("bird", "ann"), chosen("wug", "bob"), chosen("bird", "cy"), chosen("fish", "dee", "no target")]
    answers.append(JudgedPair("HYP", "robin", "fish", None, None, "", "ann", False))
    found = people_metrics(answers, ROBIN, ASKED)
    assert found.judgments.is_empty()
    assert found.reply_choices.schema == REPLY_CHOICES
    assert found.reply_choices.select("second", "choice", "sample").rows() == [
        ("bird", "bird", 1),
        ("bird", "wug", 2),
        ("bird", "bird", 3),
    ]
    assert found.metrics.schema == METRICS
    assert found.metrics.select("agent", "metric", "unit", "prompt").rows() == [
        ("humans", "choice", "robin", "kind"),
        ("humans", "choice", "robin", "is"),
    ]
    assert found.metrics["value"].to_list() == pytest.approx([2 / 3, 2 / 3])


def test_choices_stand_beside_judgments_in_place_of_what_is_judged_surest():
    labels = {"bird": 1, "fish": 0, "wug": 0}
    answers = [JudgedPair("HYP", "robin", word, bool(label), None, "", "ann") for word, label in labels.items()]
    answers.append(JudgedPair("HYP", "bird", "robin", False, None, "", "ann"))
    surest = people_metrics(answers, ROBIN, ASKED).metrics.filter(metric="choice")
    assert surest["value"].to_list() == [1.0, 1.0]
    both = people_metrics([*answers, chosen("wug", "ann")], ROBIN, ASKED)
    assert both.metrics.filter(metric="choice")["value"].to_list() == [0.0, 0.0]
    assert both.metrics.filter(metric="ap", foils="all")["value"].to_list() == [1.0, 1.0]
    assert both.judgments["probability"].to_list() == both.judgments["score"].to_list()


def test_a_choice_among_other_words_is_no_answer_to_the_question_of_models():
    with pytest.raises(
        DataError, match=r"'owl' is chosen for 'robin' \(HYP\), but the study shows the words bird, fish, wug"
    ):
        people_choices([chosen("owl", "ann")], ROBIN)
    other = items(
        ("robin", "robin", "owl", "right"), ("robin", "robin", "wug", "random"), condition="own HYP", set_name="own"
    )
    assert people_choices([chosen("owl", "ann")], pl.concat([ROBIN, other]))["condition"].to_list() == ["own HYP"]


def test_answers_about_other_pairs_alone_are_an_error():
    with pytest.raises(DataError, match="no pair of the file is a pair of this study"):
        people_metrics([chosen("fish", "ann", "no target")], ROBIN, ASKED)


def test_ratings_beside_labels_are_no_probability_and_all_chosen_words_may_be_those_that_are_shown():
    answers = [
        JudgedPair("HYP", "robin", "bird", True, None, "", "a"),
        JudgedPair("HYP", "robin", "fish", None, 2.0, "", "a"),
    ]
    found = people(answers, ASKED)
    assert found["score"].to_list() == [1.0, 2.0] * 2
    assert found["probability"].null_count() == 4
    assert people(answers[:1], ASKED)["probability"].to_list() == [1.0, 1.0]
    all_shown = people_choices([chosen(word, "ann") for word in ("bird", "fish", "wug")], ROBIN)
    assert all_shown["choice"].to_list() == ["bird", "fish", "wug"]
    with pytest.raises(DataError, match="'owl' is chosen for 'robin'"):
        people_choices([chosen("bird", "ann"), chosen("owl", "ann")], ROBIN)
