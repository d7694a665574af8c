"""The paragraph at the top of a page: what it says of hand-made numbers."""

from dataclasses import replace

import polars as pl
import pytest
from relprobe.core.claim import Claim
from relprobe.report.words.finding import finding
from relprobe.report.words.summary import (
    adjusted_interval,
    difference_of,
    is_ahead,
    sentences_on,
    subject,
    value_range,
    verdict,
)
from relprobe.stats.schemas import CONTROLS, TESTS

OPEN = "after Holm's adjustment over all comparisons"
CHOSEN = f"{OPEN} and for the choice of the best of 2 models"
CLAIM = Claim("sound", ("HYP", "ANT"), "is right in", "probes", test="sign flips over targets")

MODELS = ["m", "n"]


def paragraph(*about, **more):
    return " ".join(sentences_on(*about, **more))


def averages(*rows):
    return pl.DataFrame(rows, schema=["agent", "condition", "value"], orient="row").with_columns(metric=pl.lit("sound"))


def differences_of(*rows):
    names = ["condition", "agent_a", "agent_b", "difference", "low", "high", "p_holm_all"]
    table = pl.DataFrame(rows, schema={name: TESTS[name] for name in names}, orient="row")
    return table.with_columns(metric=pl.lit("sound"))


VALUES = averages(
    ("m", "HYP", 0.30),
    ("m", "ANT", 0.50),
    ("n", "HYP", 0.20),
    ("n", "ANT", 0.40),
    ("people", "HYP", 0.7),
    ("people", "ANT", 0.9),
)


def test_the_best_model_the_next_and_people_with_their_tests():
    differences = differences_of(
        ("HYP", "n", "m", -0.10, -0.15, -0.05, 0.001),
        ("ANT", "n", "m", -0.10, -0.25, 0.05, 0.4),
        ("HYP", "m", "people", -0.40, -0.5, -0.3, 0.001),
        ("ANT", "m", "people", -0.40, -0.5, -0.3, 0.002),
    )
    assert paragraph(VALUES, differences, CLAIM, MODELS, people="people") == (
        "m is right in 40 of 100 probes on average, from 30 (HYP) to 50 (ANT); people in 80 and n in 30. "
        f"m is behind people in 2 of 2 comparisons (sign flips over targets: p < 0.05 {CHOSEN}): "
        "HYP −0.40 (95 % interval −0.50 to −0.30); ANT −0.40 (95 % interval −0.50 to −0.30). "
        f"m is ahead of n in 1 of 2 comparisons (sign flips over targets: p < 0.05 {OPEN}): "
        "HYP +0.10 (95 % interval 0.05 to 0.15). The data leave the others open."
    )


def test_a_difference_that_does_not_hold_is_said():
    differences = differences_of(("HYP", "m", "n", 0.1, -0.1, 0.3, 0.4), ("ANT", "m", "n", 0.1, -0.1, 0.3, 0.6))
    text = paragraph(VALUES.filter(pl.col("agent") != "people"), differences, CLAIM, MODELS)
    assert text.endswith(f"The data leave open whether m differs from n (sign flips over targets: p ≥ 0.05 {OPEN}).")


def test_one_agent_has_no_comparison():
    assert paragraph(VALUES.filter(agent="m"), differences_of(), CLAIM, MODELS) == (
        "m is right in 40 of 100 probes on average, from 30 (HYP) to 50 (ANT)."
    )


def controls_of(*rows):
    names = ["condition", "control", "control_value", "difference", "low", "high", "p_holm_all"]
    table = pl.DataFrame(rows, schema={name: CONTROLS[name] for name in names}, orient="row")
    return table.with_columns(metric=pl.lit("sound"), agent=pl.lit("m"))


def test_a_model_stands_beside_its_best_control_of_each_condition():
    beyond = controls_of(("ANT", "static", 0.4, 0.1, -0.1, 0.3, 0.4), ("HYP", "majority", 0.1, 0.2, 0.1, 0.3, 0.01))
    assert paragraph(VALUES.filter(agent="m"), differences_of(), CLAIM, MODELS, controls=beyond) == (
        "m is right in 40 of 100 probes on average, from 30 (HYP) to 50 (ANT). "
        f"m is ahead of its best control in 1 of 2 comparisons (sign flips over targets: p < 0.05 {OPEN}): "
        "HYP over majority +0.20 (95 % interval 0.10 to 0.30). The data leave the others open."
    )


def test_one_control_is_named_and_one_that_no_difference_parts_from_the_model():
    beyond = controls_of(("HYP", "static", 0.3, 0.0, -0.1, 0.1, 1.0), ("ANT", "static", 0.6, -0.1, -0.3, 0.1, 0.6))
    assert paragraph(VALUES.filter(agent="m"), differences_of(), CLAIM, MODELS, controls=beyond) == (
        "The data do not show that m is ahead of its best control: it is right in 40 of 100 probes on average, from 30 "
        "(HYP) to 50 (ANT), and its best control, static, in 45. "
        "The data leave open whether m differs from its best control (sign flips over targets: p ≥ 0.05 "
        f"{OPEN})."
    )


def test_an_agent_whose_control_lacks_units_stands_with_its_value_where_both_have_one():
    """The control static has no vectors of some words: 55 of its own beside 67 of all would compare other units."""
    beyond = controls_of(("HYP", "static", 0.55, 0.20, 0.1, 0.3, 0.01)).with_columns(value=0.75)
    text = paragraph(VALUES.filter(agent="m", condition="HYP"), differences_of(), CLAIM, MODELS, controls=beyond)
    assert text.startswith(
        "m is right in 30 of 100 probes, and its best control, static, in 55 (where both have an answer, m has 75). m is"
    )


def test_people_who_answered_other_probes_are_not_beside_the_models_without_a_word():
    rows = averages(("m", "HYP", 0.3), ("people", "HYP", 0.9)).with_columns(own=pl.col("agent") == "people")
    assert paragraph(rows, differences_of(), CLAIM, MODELS, people="people") == (
        "m is right in 30 of 100 probes; people in 90 of the probes that they answered."
    )


def test_a_model_that_is_ahead_in_one_condition_and_behind_in_another():
    differences = differences_of(("HYP", "m", "n", 0.1, 0.05, 0.15, 0.01), ("ANT", "m", "n", -0.2, -0.3, -0.1, 0.01))
    models = VALUES.filter(pl.col("agent") != "people")
    assert paragraph(models, differences, CLAIM, MODELS).endswith(
        "m differs from n in 2 of 2 comparisons, but is behind in ANT (sign flips over targets: p < 0.05 "
        f"{OPEN}): ANT −0.20 (95 % interval −0.30 to −0.10); HYP +0.10 (95 % interval 0.05 to 0.15)."
    )


def test_a_study_without_models_says_so():
    assert (
        paragraph(VALUES.clear(), differences_of(), CLAIM, MODELS)
        == "No model has an answer to the probes of this study."
    )


def test_models_without_a_condition_in_common_have_answers_all_the_same():
    rows = averages(("m", "HYP", 0.3), ("n", "ANT", 0.9))
    said = "None of the comparisons has answers of all models (m: HYP; n: ANT), so that none is said to be the best."
    assert paragraph(rows, differences_of(), CLAIM, MODELS) == finding(rows, CLAIM, MODELS, controls_of()).text == said


def test_a_model_that_lacks_a_condition_is_compared_where_it_has_one():
    rows = averages(("m", "HYP", 0.3), ("n", "HYP", 0.2), ("n", "ANT", 0.9))
    assert paragraph(rows, differences_of(), CLAIM, MODELS).startswith("m is right in 30 of 100 probes; n in 20.")


def test_differences_without_numbers_are_not_named():
    numbers = pl.col("difference", "low", "high", "p_holm_all").cast(pl.Float64)
    missing = differences_of(("HYP", "m", "n", None, None, None, None)).with_columns(numbers)
    assert paragraph(VALUES, missing, CLAIM, MODELS, people="people").endswith("people in 80 and n in 30.")


@pytest.mark.parametrize(
    ("least", "said"),
    [
        ([0.25, None], "in 1 of 2 comparisons too little differs for any p below 0.05"),
        ([0.25, 0.25], "in all of these comparisons too little differs"),
        ([None, None], f"p ≥ 0.05 {OPEN})."),
    ],
)
def test_few_clusters_are_no_sign_that_two_agents_are_alike(least, said):
    rows = [("HYP", "m", "n", 0.1, -0.1, 0.3, 1.0), ("ANT", "m", "n", 0.1, -0.1, 0.3, 1.0)]
    differences = differences_of(*rows).with_columns(least_p=pl.Series(least, dtype=pl.Float64))
    text = paragraph(VALUES.filter(pl.col("agent") != "people"), differences, CLAIM, MODELS)
    assert said in text
    assert "No difference" not in text


def test_people_who_answered_some_conditions_alone_are_compared_there():
    some = VALUES.filter((pl.col("agent") != "people") | (pl.col("condition") == "ANT"))
    differences = differences_of(
        ("ANT", "m", "people", -0.40, -0.5, -0.3, 0.002), ("HYP", "m", "n", 0.1, -0.1, 0.3, 0.4)
    )
    text = paragraph(some, differences, CLAIM, MODELS, people="people")
    assert text.startswith(
        "m is right in 40 of 100 probes on average, from 30 (HYP) to 50 (ANT); people in 90 in ANT alone (m: 50) and n in "
        f"30. m is behind people in this comparison (sign flips over targets: p < 0.05 {CHOSEN}): ANT −0.40"
    )
    controls = pl.DataFrame(schema={**CONTROLS, "condition": pl.String()})
    first, *_ = finding(some, CLAIM, MODELS, controls, "people").sentences
    assert first.endswith("; people in 90 where they were asked, and it in 50.")
    nobody = VALUES.filter(pl.col("agent") != "people")
    assert "people" not in paragraph(nobody, differences, CLAIM, MODELS, people="people")
    assert "people" not in paragraph(nobody, differences, CLAIM, MODELS)


def test_an_interval_is_written_with_a_width():
    row = {"difference": -0.0218, "low": -0.0241, "high": -0.0201}
    assert difference_of(row) == "−0.022 (95 % interval −0.024 to −0.020)"
    assert difference_of({**row, "low": -0.0218, "high": -0.02179}) == "−0.02180 (95 % interval −0.02180 to −0.02179)"


def test_what_the_data_leave_open_has_a_size():
    beyond = controls_of(("HYP", "static", 0.3, 0.0, -0.1, 0.1, 1.0), ("ANT", "static", 0.6, -0.1, -0.3, 0.1, 0.6))
    known = beyond.with_columns(detectable=pl.Series([0.05, 0.06]), detectable_all=pl.Series([0.12, 0.31]))
    assert paragraph(VALUES.filter(agent="m"), differences_of(), CLAIM, MODELS, controls=known).endswith(
        f"p ≥ 0.05 {OPEN}; a test of this size finds a difference of 0.12 to 0.31 in 80 of 100 studies)."
    )


def test_a_primary_claim_is_adjusted_over_nothing_but_the_choice_of_the_best_model():
    """The pooled row of the primary claim decides, and the tests of the conditions stand behind it as further ones."""
    own = replace(CLAIM, primary=True)
    each = controls_of(("HYP", "majority", 0.1, 0.2, 0.1, 0.3, 0.2), ("ANT", "static", 0.4, 0.1, -0.1, 0.3, 0.4))
    row = {"metric": "sound", "agent": "m", "value": 0.4, "control": "static", "control_value": 0.3, "difference": 0.1}
    row |= {"low": 0.02, "high": 0.18, "p": 0.02, "p_holm_all": 0.02, "detectable": 0.09}
    pooled = pl.DataFrame([row], schema={name: CONTROLS[name] for name in row})
    alone = paragraph(VALUES.filter(agent="m"), differences_of(), own, ["m"], controls=each, pooled=pooled)
    assert alone == (
        "m is right in 40 of 100 probes on average, from 30 (HYP) to 50 (ANT), and its best control, static, in 30. "
        "m is ahead of its best control in all comparisons together (sign flips over targets: p < 0.05): "
        "over static +0.10 (95 % interval 0.02 to 0.18). The data leave open whether m differs from its best "
        f"control in any of the comparisons (sign flips over targets: p ≥ 0.05 {OPEN})."
    )
    three = [*MODELS, "o"]
    values = pl.concat([VALUES.filter(pl.col("agent") != "people"), averages(("o", "HYP", 0.0), ("o", "ANT", 0.0))])
    best = paragraph(values, differences_of(), own, three, controls=each, pooled=pooled)  # 3 · 0.02 > 0.05
    assert best.startswith("The data do not show that m is ahead of its best control: it is right in 40 of 100")
    assert "p ≥ 0.05 after adjustment for the choice of the best of 3 models" in best


def with_discordant(table, *numbers):
    return table.with_columns(units=5, discordant=pl.Series(numbers, dtype=pl.UInt32))


def test_agents_with_equal_answers_have_the_same_answers_and_nothing_is_open():
    rows = [("ANT", "m", "n", 0.0, None, None, 1.0), ("HYP", "m", "n", 0.0, None, None, 1.0)]
    of_models = VALUES.filter(pl.col("agent") != "people")
    text = paragraph(of_models, with_discordant(differences_of(*rows), 0, 0), CLAIM, MODELS)
    assert text.endswith("n in 30. m and n have the same answers, as far as this metric counts them.")
    part = [rows[0], ("HYP", "m", "n", 0.1, -0.1, 0.3, 0.4)]
    text = paragraph(of_models, with_discordant(differences_of(*part), 0, 2), CLAIM, MODELS)
    assert "The data leave open whether m differs from n" in text
    assert "same answers" not in text
    holds = [rows[0], ("HYP", "m", "n", 0.1, 0.05, 0.3, 0.01)]
    text = paragraph(of_models, with_discordant(differences_of(*holds), 0, 2), CLAIM, MODELS)
    assert text.endswith("In the others they have the same answers, as far as this metric counts them.")
    beyond = with_discordant(controls_of(("HYP", "static", 0.3, 0.0, None, None, 1.0)), 0)
    text = paragraph(VALUES.filter(agent="m"), differences_of(), CLAIM, MODELS, controls=beyond)
    assert text.endswith(" m and its best control have the same answers, as far as this metric counts them.")
    text = paragraph(of_models, with_discordant(differences_of(*rows), 0, 0), CLAIM, MODELS, controls=beyond)
    assert text.endswith(" m, its best control and n have the same answers, as far as this metric counts them.")


@pytest.mark.parametrize(
    ("p", "begins"), [(0.05, "The data do not show that m is ahead"), (0.049, "m is behind its best")]
)
def test_a_p_of_exactly_0_05_says_nothing_of_the_subject(p, begins):
    assert subject("m", [{"p_holm_all": p, "difference": -0.2}]).startswith(begins)
    assert is_ahead({"p_holm_all": p, "difference": 0.2}) is (p < 0.05)


@pytest.mark.parametrize(
    ("p", "low", "interval"), [(0.05, 0.01, None), (0.05, -0.01, (-0.01, 0.5)), (0.049, 0.01, (0.01, 0.5))]
)
def test_an_interval_without_0_does_not_stand_beside_an_open_test(p, low, interval):
    row = {"difference": 0.25, "low": low, "high": 0.5, "p": p, "p_holm_all": p}
    assert adjusted_interval(row) == interval
    upper = {"difference": -0.25, "low": -0.5, "high": -low, "p": p, "p_holm_all": p}
    assert adjusted_interval(upper) == (None if interval is None else (-0.5, -low))


def test_of_more_differences_than_are_named_the_others_are_counted():
    rows = [{"condition": f"c{number}", "difference": number / 10, "p_holm_all": 0.01} for number in range(1, 7)]
    said = verdict(rows, replace(CLAIM, conditions=tuple(row["condition"] for row in rows)), "m", "n")
    named = said.count("; c") + 1
    assert f" and {6 - named} more." in said
    assert "c6 +0.60; c5 +0.50" in said
    few = verdict(rows[:named], replace(CLAIM, conditions=tuple(row["condition"] for row in rows)), "m", "n")
    assert "more" not in few


def test_the_range_of_an_agent_leaves_out_what_it_lacks():
    values = averages(("m", "HYP", 0.3), ("m", "ANT", None), ("m", "SYN", 0.5), ("n", "HYP", 0.3), ("o", "HYP", 0.3))
    assert value_range(values, "m", CLAIM) == " on average, from 30 (HYP) to 50 (SYN)"
    assert value_range(values, "n", CLAIM) == ""
    assert value_range(averages(("m", "HYP", 0.3), ("m", "ANT", 0.3)), "m", CLAIM) == ""
    assert value_range(values, "nobody", CLAIM) == ""


def test_people_who_answered_all_conditions_stand_with_their_mean():
    said = paragraph(VALUES, differences_of(), CLAIM, MODELS, "people", None)
    assert "people in 80" in said
    assert "where" not in said
