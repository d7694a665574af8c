"""The finding of a study: three sentences of 60 words at most, which follow the tests and leave out no control."""

import itertools
from dataclasses import replace

import polars as pl
import pytest
from relprobe.core.claim import Claim
from relprobe.report.words.finding import (
    WORDS,
    P,
    _all_above,
    _largest,
    _second_verdict,
    _what_is_open,
    control_verdict,
    finding,
    times_as_many,
)
from relprobe.report.words.headline import Verdict, headline
from relprobe.stats.schemas import CONTROLS, TESTS

CLAIM = Claim("sound", ("noun", "verb"), "is right in", "probes", each="parts of speech", sample="targets")
ONE = CLAIM.under(["noun"])
ROW = {
    **{"metric": "sound", "agent": "m", "condition": "noun", "control": "frequency", "control_value": 0.1},
    **{"difference": 0.4, "low": 0.3, "high": 0.5, "p": 0.001, "p_holm_all": 0.001, "error": 0.05, "freedom": 90.0},
}
OPEN = {"difference": 0.1, "low": -0.1, "high": 0.3, "p": 0.3, "p_holm_all": 0.3, "error": 0.1}


def averages(values, conditions=("noun",)):
    rows = [(agent, name, value) for agent, value in values.items() for name in conditions]
    return pl.DataFrame(rows, schema=["agent", "condition", "value"], orient="row").with_columns(metric=pl.lit("sound"))


def controls(*rows):
    return pl.DataFrame([{**ROW, **row} for row in rows], schema={**CONTROLS, "condition": pl.String()})


def pair(**row):
    about = {**ROW, **OPEN, "agent_a": "m", "agent_b": "n", **row}
    return pl.DataFrame([about], schema={**TESTS, "condition": pl.String()})


def said(values, table, claim=ONE, models=("m", "n"), **more):
    found = finding(averages(values, claim.conditions), claim, [one for one in models if one in values], table, **more)
    assert len(found.sentences) <= 3
    assert len(found.text.split()) <= WORDS
    return found


def test_one_agent_alone():
    found = said({"m": 0.5}, controls({}))
    assert found.text == "m is right in 50 of 100 probes. It has more than its best control, frequency (10)."
    assert found.statistics == (
        "Difference +0.40 (95 % interval 0.30 to 0.50), p = 0.001 after Holm's adjustment over all parts of speech; sign "
        "flips over clusters."
    )


def test_agents_that_are_several_of_a_model_are_no_models():
    claim = replace(ONE, agents="judges")
    found = said({"m": 0.5, "n": 0.3}, controls({}), claim=claim)
    assert found.sentences[0] == "m is the best of 2 judges: it is right in 50 of 100 probes, and n in 30."
    assert "for the choice of the best of 2 judges" in found.statistics


def test_models_and_what_the_second_leaves_open():
    assert said({"m": 0.5, "n": 0.3}, controls({}), tests=pair()).text == (
        "m is the best of 2 models: it is right in 50 of 100 probes, and n in 30. It has more than its best control, "
        "frequency (10). Whether it is better than n is open: about 9 times as many targets would settle it."
    )
    assert said({"m": 0.5, "n": 0.3}, controls({}), tests=pair(p=0.001, p_holm_all=0.001)).sentences[2] == (
        "It is ahead of n, too."
    )


def test_people():
    found = said({"m": 0.5, "people": 0.9}, controls({}), people="people")
    assert found.sentences[0] == "m is right in 50 of 100 probes; people in 90."
    rows = pl.concat([averages({"m": 0.5}, ("noun", "verb")), averages({"annotator": 0.9})])
    some = finding(rows, CLAIM, ["m"], controls({}), "annotator")
    assert some.sentences[0] == "m is right in 50 of 100 probes; one person in 90 where they were asked, and it in 50."


def test_a_control_that_is_better_is_always_named():
    """Also one that no test calls better: the static vectors that were right in 93 where the model was right in 71."""
    behind = {"control": "static", "control_value": 0.93, "difference": -0.22, "low": -0.35, "high": -0.11}
    for p, sentence in (
        (0.001, "Its best control, static, has more (93)."),
        (0.4, "Its best control, static, has 93; which of the two is better is open."),
        (None, "The data are too few to compare it with its best control, static (93)."),
    ):
        assert said({"m": 0.71}, controls({**behind, "p": p, "p_holm_all": p})).sentences[1] == sentence


def test_what_is_open_is_said_with_what_would_settle_it():
    found = said({"m": 0.2}, controls({**OPEN, "detectable": 0.3}))
    assert found.sentences[1:] == (
        "Its best control, frequency, has 10; which of the two is better is open.",
        "About 9 times as many targets would settle it.",
    )
    few = said({"m": 0.2}, controls({**OPEN, "least_p": 0.25}))
    assert few.sentences[2] == "It stays open: too little differs for any test."
    tiny = said({"m": 0.2}, controls({**OPEN, "difference": 0.001, "error": 0.4}))
    assert tiny.sentences[2] == "More than 50 times as many targets would settle it."


def test_conditions_without_a_pooled_test_are_counted():
    clear, open_ = {}, {**OPEN, "condition": "verb"}
    assert said({"m": 0.5}, controls(clear, open_), CLAIM).sentences[1] == (
        "Of 2 parts of speech it is ahead of its best control in 1; the other is open."
    )
    assert said({"m": 0.5}, controls({**OPEN}, open_), CLAIM).sentences[1] == (
        "In none of 2 parts of speech is a difference from its best control certain."
    )


def test_equal_answers_and_no_control():
    same = controls({"p_holm_all": 1.0, "difference": 0.0, "units": 5, "discordant": 0})
    assert said({"m": 0.1}, same).sentences[1] == "Its best control, frequency, has the same answers (10)."
    assert said({"m": 0.1}, controls().clear()).sentences[1] == "This run has no control to compare it with."


def test_own_relations_in_any_language_and_a_series_keep_the_sentences_short():
    """The names of conditions may be long, and are many; a series has many members."""
    names = [f"{place}. Werkzeug, mit dem man üblicherweise etwas Größeres herstellt" for place in range(30)]
    claim = Claim("sound", tuple(names), "gives a right first answer to", "probes", each="relations", sample="targets")
    series = {f"pythia-1.4b-step{step}000": step / 100 for step in range(1, 40)}
    best = "pythia-1.4b-step39000"
    table = controls(*({"agent": best, "condition": name, **OPEN} for name in names))
    found = said({**series, "people": 0.8}, table, claim, tuple(series), people="people")
    assert found.sentences[0].startswith(
        f"{best} is the best of 39 models: it gives a right first answer to 39 of 100 probes"
    )
    part = {best: 0.4, "pythia-1.4b-step38000": 0.3}
    rows = pl.concat([averages({agent: value}, names[place::2]) for place, (agent, value) in enumerate(part.items())])
    nobody = finding(rows, claim, [*part], table)
    assert nobody.text.startswith("None of the relations has answers of all models")
    assert len(nobody.text.split()) <= WORDS


@pytest.mark.parametrize(("p", "number"), itertools.product([0.001, 0.02, 0.3, 1.0], [1, 2, 4]))
def test_an_interval_is_adjusted_as_its_p_is(p, number):
    """It lies on one side of 0 only where the adjusted p is below 0.05."""
    values = {"m": 0.5, **{f"m{place}": 0.3 for place in range(number - 1)}}
    found = said(
        values, controls({"difference": 0.13, "low": 0.03, "high": 0.23, "p": p, "p_holm_all": p}), models=tuple(values)
    )
    above = "(95 % interval 0.0" in found.statistics and "0.00 to" not in found.statistics
    assert not above or p * number < 0.05


def test_comparisons_of_which_none_holds_are_one_line():
    verdicts = pl.DataFrame({"verdict": ["open", "open: such a test finds 0.26"], "kind": [Verdict.OPEN] * 2})
    assert headline(["One."], verdicts=verdicts).none_holds == "None of 2 comparisons holds."
    assert headline(["One."], verdicts=pl.DataFrame({"kind": [Verdict.OPEN, Verdict.AHEAD]})).none_holds == ""
    assert headline(["One."], verdicts=pl.DataFrame({"kind": [Verdict.ALONE] * 2})).none_holds == ""


@pytest.mark.parametrize(
    ("p", "words"), [(0.05, "which of the two is better is open"), (0.049, "It has more than its best")]
)
def test_a_p_of_exactly_0_05_leaves_the_difference_open(p, words):
    assert words in control_verdict(0.5, [{**ROW, "p_holm_all": p}], ONE)


@pytest.mark.parametrize(
    ("p_equal", "words"),
    [(0.05, "is better is open"), (0.049, "It is no more than 5 of 100 away from its best control"), (None, "is open")],
)
def test_two_agents_are_alike_where_their_own_test_says_so(p_equal, words):
    row = {**ROW, **OPEN, "p_equal": p_equal, "margin": 0.05}
    assert words in control_verdict(0.5, [row], ONE)


def test_people_have_and_one_person_has():
    """Without a unit the values stand after "have" and "has"; with one, after the end of the verb."""
    rho = replace(ONE, verb="has a correlation of", unit="")
    for people, words in (("humans", "people have 0.90"), ("annotator", "one person has 0.90")):
        text = said({"m": 0.5, people: 0.9}, controls({}), rho, people=people).sentences[0]
        assert words in text
    assert "people in 90" in said({"m": 0.5, "humans": 0.9}, controls({}), people="humans").sentences[0]


def test_statistics_name_the_condition_where_there_are_several():
    both = said({"m": 0.5}, controls({}, {"condition": "verb", "p_holm_all": 0.3}), CLAIM).statistics
    assert both.startswith("noun: difference +0.40") or both.startswith("Noun: difference")
    assert said({"m": 0.5}, controls({})).statistics.startswith("Difference +0.40")


@pytest.mark.parametrize("lacking", ["error", "freedom", "difference"])
def test_how_many_more_would_do_needs_all_numbers(lacking):
    row = {**ROW, **OPEN}
    assert times_as_many(row) is not None
    assert times_as_many({**row, lacking: None}) is None


@pytest.mark.parametrize(
    ("p", "difference", "holds"), [(0.049, 0.1, True), (0.05, 0.1, False), (0.049, 0.0, False), (None, 0.1, False)]
)
def test_a_model_is_above_its_controls_in_all_conditions_if_each_test_says_so(p, difference, holds):
    rows = [{P: 0.01, "difference": 0.2}, {P: p, "difference": difference}]
    assert _all_above(rows) == holds
    assert not _all_above([])


def condition_row(name, p, difference, control="frequency"):
    return {**ROW, "condition": name, "p_holm_all": p, "difference": difference, "control": control}


AHEAD, BEHIND = condition_row("noun", 0.001, 0.4), condition_row("verb", 0.001, -0.4, "static")
LESS, MORE = condition_row("adjective", 0.05, -0.1, "random"), condition_row("adverb", 0.05, 0.1)
UNTESTED = condition_row("name", None, None)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([AHEAD, AHEAD], "Of 2 parts of speech it is ahead of its best control in 2."),
        ([AHEAD, MORE, UNTESTED], "Of 3 parts of speech it is ahead of its best control in 1; the others are open."),
        (
            [AHEAD, BEHIND, LESS, MORE],
            "Of 4 parts of speech it is ahead of its best control in 1 and behind it (static) in 1; the others are open, "
            "and random has more in 1 of them.",
        ),
        ([BEHIND, MORE], "Of 2 parts of speech it is behind its best control (static) in 1; the other is open."),
        (
            [LESS, {**BEHIND, "p_holm_all": 0.3}, MORE],
            "In none of 3 parts of speech is a difference from its best control certain; random and static have more in 2.",
        ),
        (
            [LESS, LESS],
            "In none of 2 parts of speech is a difference from its best control certain; random has more in 2.",
        ),
        (
            [{**AHEAD, "units": 3, "discordant": 0}, UNTESTED],
            "In none of 2 parts of speech is a difference from its best control certain.",
        ),
    ],
)
def test_conditions_are_counted_by_the_sign_and_the_p_of_their_differences(rows, words):
    assert control_verdict(0.5, rows, CLAIM) == words


@pytest.mark.parametrize(
    ("differences", "above_control", "words"),
    [
        ([0.2], True, "It is ahead of n, too."),
        ([0.2], False, "It is ahead of n."),
        ([-0.2], True, "It is behind n."),
        ([0.2, 0.2], True, "It is ahead of n in both parts of speech."),
        ([0.2, 0.2, 0.2], True, "It is ahead of n in all 3 parts of speech."),
        ([0.2, None, 0.2], True, "It is ahead of n in 2 of 3 parts of speech."),
        ([0.2, -0.2], True, "It is ahead of n in 1 of 2 parts of speech and behind it in 1."),
        ([-0.2, -0.2, None], True, "It is behind n in 2."),
    ],
)
def test_where_the_best_model_is_ahead_of_the_next(differences, above_control, words):
    """A difference of None is one that is open."""
    names = ("noun", "verb", "adverb")[: len(differences)]
    tests = pl.concat(
        pair(condition=name) if difference is None else pair(condition=name, p_holm_all=0.001, difference=difference)
        for name, difference in zip(names, differences, strict=True)
    )
    claim = CLAIM.under(names)
    assert _second_verdict(["m", "n"], claim, tests, "it", above_control=above_control) == words
    assert _second_verdict(["m"], claim, tests, "it", above_control=above_control) == ""


def test_what_would_settle_a_test_is_that_of_the_nearest_one():
    """Errors of 0.1 and 0.2 beside a difference of 0.1 take (2.83 · 1)² and (2.83 · 2)² times as many targets."""
    near, far = {**ROW, **OPEN}, {**ROW, **OPEN, "error": 0.2}
    nine = "about 9 times as many targets would settle it."
    assert _what_is_open([far, near], CLAIM) == nine.capitalize()
    assert _what_is_open([{**far, "least_p": 0.125}, near], CLAIM, "It is open") == f"It is open: {nine}"
    assert _what_is_open([near, {**near, "p_holm_all": 0.049}], CLAIM) == ""
    assert _what_is_open([{**near, "units": 4, "discordant": 0}], CLAIM) == ""
    lacking = {**near, "error": None}
    assert (_what_is_open([lacking], CLAIM), _what_is_open([lacking], CLAIM, "It is open")) == ("", "It is open.")
    few = {**near, "least_p": 0.125}
    assert _what_is_open([few], CLAIM, "It is open") == "It is open: too little differs for any test."


def test_of_many_models_that_are_tied_one_is_named():
    tied = {f"m{number}": 0.5 for number in range(6)}
    text = said({**tied, "n": 0.3}, controls({"agent": "m0"}), models=(*tied, "n")).sentences[0]
    assert text.startswith("m0 and 5 others are the best of 7 models: each is right in 50")
    assert said(tied, controls({"agent": "m0"}), models=tuple(tied)).sentences[0].startswith("All 6 models do equally")


def test_the_statistics_are_those_of_the_largest_differences():
    small, large = {**AHEAD, "difference": 0.1}, {**BEHIND, "difference": -0.5}
    assert _largest([small, AHEAD, UNTESTED, large, {**AHEAD, "units": 2, "discordant": 0}]) == [large, AHEAD]


def test_a_control_without_a_value_is_named_without_one():
    row = {**ROW, "control_value": None}
    assert control_verdict(0.5, [row], ONE) == "It has more than its best control, frequency."
    open_ = control_verdict(0.5, [{**row, **OPEN, "value": 0.2}], ONE)
    assert open_ == "Its best control, frequency, has an answer, too; which of the two is better is open."


def test_as_many_more_would_do_whichever_agent_is_ahead():
    row = {**ROW, **OPEN}
    assert times_as_many({**row, "difference": -0.1}) == times_as_many(row) == 9


def test_a_p_of_exactly_0_05_leaves_the_next_model_open():
    words = _second_verdict(["m", "n"], ONE, pair(p_holm_all=0.05, difference=0.2), "it", above_control=True)
    assert words.startswith("Whether it is better than n is open")


@pytest.mark.parametrize(
    ("error", "number", "words"),
    [
        (0.049, 2, "twice"),
        (0.06, 3, "three times"),
        (0.07, 4, "four times"),
        (0.077, 5, "five times"),
        (0.086, 6, "6 times"),
        (0.24, 47, "47 times"),
    ],
)
def test_how_many_times_as_many_would_settle_a_test_is_said_in_words_up_to_five(error, number, words):
    row = {**ROW, **OPEN, "error": error}
    assert times_as_many(row) == number
    assert _what_is_open([row], CLAIM) == f"About {words} as many targets would settle it."


def test_the_same_answers_as_a_control_stand_with_the_values_where_both_have_one():
    row = {**ROW, "difference": 0.0, "units": 9, "discordant": 0, "value": 0.5, "control_value": 0.5}
    assert control_verdict(0.4, [row], CLAIM).startswith(
        "Its best control, frequency, has the same answers: where both have"
    )
    assert "it has 50 and the control 50" in control_verdict(0.4, [row], CLAIM)
    assert control_verdict(0.5, [row], CLAIM) == "Its best control, frequency, has the same answers (50)."
    assert (
        control_verdict(0.4, [row | {"control_value": None}], CLAIM)
        == "Its best control, frequency, has the same answers."
    )
