"""Judgments without a language model: cosines, frequencies, inclusion, the strong typical control, and people."""

import numpy as np
import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.sources.own.judged_pairs import JudgedPair
from relprobe.studies.pairs.agents import people_metrics
from relprobe.studies.pairs.baselines import (
    CONTROLS,
    baseline,
    clarke_degree,
    inverse_inclusion,
    typical_scores,
    weeds_precision,
)
from relprobe.studies.pairs.method import probes
from relprobe.studies.pairs.people import people, people_choices
from relprobe.studies.pairs.schemas import JUDGMENTS, KNOWN, METRICS, REPLY_CHOICES

from tests.studies.pairs.made import PROMPTS, ROBIN, VECTORS, article, items

ASKED = probes(ROBIN, PROMPTS, article)
NOTHING = pl.DataFrame(schema=KNOWN)


def scores(agent, **more):
    table = baseline(ROBIN, ASKED, NOTHING, VECTORS, agent=agent, language="en", **more)
    assert table.schema == JUDGMENTS
    both = table.filter(prompt="kind"), table.filter(prompt="is")
    assert both[0].drop("prompt").equals(both[1].drop("prompt"))  # the same in each prompt
    return {(first, second): score for first, second, score in both[0].select("first", "second", "score").iter_rows()}


def test_cosines_frequencies_and_yes():
    found = scores("static")
    assert found["robin", "bird"] == pytest.approx(1 / np.sqrt(2))
    assert found["bird", "robin"] == found["robin", "bird"]
    assert found["robin", "wug"] is None  # no vector
    assert (
        scores("frequency")["robin", "bird"]
        == scores("frequency")["robin", "bird"]
        > scores("frequency")["bird", "robin"]
    )
    assert set(scores("yes").values()) == {1.0}
    assert set(baseline(ROBIN, ASKED, NOTHING, None, agent="yes", language="en")["probability"]) == {1.0}


def test_inclusion_by_hand():
    narrow, broad = np.array([4.0, 1, 0]), np.array([2.0, 0, 6])
    assert weeds_precision(narrow, broad) == pytest.approx(4 / 5)
    assert clarke_degree(narrow, broad) == pytest.approx(2 / 5)
    assert inverse_inclusion(narrow, broad) == pytest.approx(np.sqrt(2 / 5 * (1 - 2 / 8)))
    found = baseline(ROBIN, ASKED, NOTHING, VECTORS, agent="inclusion", language="en", measures=["weeds", "invcl"])
    assert set(found["agent"]) == {"inclusion weeds", "inclusion invcl"}
    of_weeds = found.filter(agent="inclusion weeds", prompt="kind", second="bird")["score"].item()
    assert of_weeds == 1.0  # all that the robin has, bird has


def birds_and_fish(number=12):
    """Targets of two kinds near to each other, each with its category, the other one, and a word that is near to all."""
    draws, rows, places, matrix = np.random.default_rng(1), [], {}, []
    for place in range(number):
        for kind, other, centre in (("bird", "fish", 0), ("fish", "bird", 1)):
            name = f"{kind}{place}"
            rows += [(name, name, kind, "right"), (name, name, other, "other target"), (name, name, "thing", "random")]
            places[name] = len(matrix)
            matrix.append(np.eye(3)[centre] + 0.1 * draws.normal(size=3))
    for word in ("bird", "fish", "thing"):
        places[word] = len(matrix)
        matrix.append(np.ones(3))  # no nearer to one kind than to the other
    vectors = type(VECTORS)(places, np.array(matrix, np.float32))
    return items(*rows), vectors


def test_the_typical_control_knows_the_relata_of_near_words_and_never_those_of_the_target():
    table, vectors = birds_and_fish()
    found = typical_scores(table, NOTHING, vectors)
    right = [found["HYP", f"{kind}{place}", kind] for place in range(12) for kind in ("bird", "fish")]
    wrong = [
        found["HYP", f"{kind}{place}", other]
        for place in range(12)
        for kind, other in (("bird", "fish"), ("fish", "bird"))
    ]
    assert all(one > other for one, other in zip(right, wrong, strict=True))
    # A label of its own target changes nothing of what it says about it.
    turned = table.with_columns(
        label=pl.when(pl.col("target") == "bird0").then(pl.col("second") == "thing").otherwise("label")
    )
    other = typical_scores(turned, NOTHING, vectors)
    own = [("HYP", "bird0", word) for word in ("bird", "fish", "thing")]
    assert [found[pair] for pair in own] == [other[pair] for pair in own]


def test_the_typical_control_reads_what_the_resource_knows_and_needs_no_vectors():
    known = pl.DataFrame([("HYP", f"w{number}", "bird") for number in range(9)], schema=KNOWN, orient="row")
    found = typical_scores(ROBIN, known, None)
    assert found["HYP", "robin", "bird"] > found["HYP", "robin", "fish"] == found["HYP", "robin", "wug"]
    own = pl.DataFrame([("HYP", "robin", "fish")], schema=KNOWN, orient="row")
    assert (
        typical_scores(ROBIN, own, None)["HYP", "robin", "fish"]
        == typical_scores(ROBIN, NOTHING, None)["HYP", "robin", "fish"]
    )


def test_all_controls_judge_all_pairs():
    for agent in CONTROLS:
        assert len(scores(agent)) == 4


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
        ("robin", "robin", "owl", "right"), ("robin", "robin", "wug", "random"), condition="own HYP", of_set="own"
    )
    assert people_choices([chosen("owl", "ann")], pl.concat([ROBIN, other]))["condition"].to_list() == ["own HYP"]


def test_answers_about_other_pairs_alone_are_an_error():
    with pytest.raises(DataError, match="no pair of the file is a pair of this study"):
        people_metrics([chosen("fish", "ann", "no target")], ROBIN, ASKED)
