"""The paragraph at the top of a page: what it says of hand-made numbers."""

from dataclasses import replace

import polars as pl
import pytest
from relprobe.core.claim import Claim
from relprobe.report.words import summary
from relprobe.report.words.finding import finding
from relprobe.report.words.in_words import in_words
from relprobe.report.words.series import layers_in_words
from relprobe.report.words.summary import (
    SAME,
    _adjusted,
    adjusted_interval,
    amount,
    are_same,
    best_control,
    beyond,
    common_means,
    common_units,
    comparison,
    control_rows,
    difference_of,
    found_size,
    is_ahead,
    means_of,
    nobody,
    pair_tests,
    rows_of_best,
    sentences_on,
    subject,
    value_range,
    verdict,
)
from relprobe.report.words.warnings import warnings
from relprobe.stats.families import detectable
from relprobe.stats.schemas import CONTROLS, DECLARED, TESTS

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
    model_values = VALUES.filter(pl.col("agent") != "people")
    text = paragraph(model_values, with_discordant(differences_of(*rows), 0, 0), CLAIM, MODELS)
    assert text.endswith("n in 30. m and n have the same answers, as far as this metric counts them.")
    part = [rows[0], ("HYP", "m", "n", 0.1, -0.1, 0.3, 0.4)]
    text = paragraph(model_values, with_discordant(differences_of(*part), 0, 2), CLAIM, MODELS)
    assert "The data leave open whether m differs from n" in text
    assert "same answers" not in text
    holds = [rows[0], ("HYP", "m", "n", 0.1, 0.05, 0.3, 0.01)]
    text = paragraph(model_values, with_discordant(differences_of(*holds), 0, 2), CLAIM, MODELS)
    assert text.endswith("In the others they have the same answers, as far as this metric counts them.")
    beyond = with_discordant(controls_of(("HYP", "static", 0.3, 0.0, None, None, 1.0)), 0)
    text = paragraph(VALUES.filter(agent="m"), differences_of(), CLAIM, MODELS, controls=beyond)
    assert text.endswith(" m and its best control have the same answers, as far as this metric counts them.")
    text = paragraph(model_values, with_discordant(differences_of(*rows), 0, 0), CLAIM, MODELS, controls=beyond)
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


NUMBERS = {"p_holm_all": 0.3, "detectable_all": 0.3, "error": 0.1, "freedom": 99, "gain": None, "room": None}


def test_the_choice_of_the_best_changes_p_and_what_a_test_finds():
    """With 100 independent items a test finds (t of 1 - 0.025 / k, and of 0.8) errors of 0.1, where k is all tests."""
    untested = {**NUMBERS, "p_holm_all": None, "detectable_all": None}
    primary, family = [{**NUMBERS, "over": ""}], [NUMBERS, NUMBERS, untested]
    (chosen,) = rows_of_best(primary, CLAIM, 3)
    assert (chosen["p_holm_all"], chosen["detectable_all"]) == (pytest.approx(0.9), detectable(0.1, 100, 3))
    family_rows = rows_of_best(family, CLAIM, 4)
    assert [row["p_holm_all"] for row in family_rows] == [1.0, 1.0, None]
    assert [row["detectable_all"] for row in family_rows] == [detectable(0.1, 100, 8)] * 2 + [None]
    assert {row["over"] for row in family_rows} == {f"{OPEN} and for the choice of the best of 4 models"}
    no_error = rows_of_best([{**NUMBERS, "error": None}], CLAIM, 4)
    assert no_error[0]["detectable_all"] == 0.3
    assert rows_of_best(family, CLAIM, 1) == family
    declared = [{**NUMBERS, "family_of": DECLARED}]
    assert rows_of_best(declared, CLAIM, 4, two_best=True) == declared
    assert rows_of_best(declared, CLAIM, 4)[0]["p_holm_all"] == 1.0


@pytest.mark.parametrize(
    ("row", "number"),
    [
        ({"p": 0.01, "p_holm_all": 0.02, "claim": "ahead of every control", "controls": 6}, 2.0),
        ({"p": 0.01, "p_holm_all": 0.02, "claim": "behind some control"}, 2.0),
        ({"p": 0.02, "p_holm_all": 0.01}, 1.0),
        ({"p": None, "p_holm_all": None}, 1.0),
    ],
)
def test_how_many_tests_are_adjusted_together(row, number):
    assert summary.tests_together(row) == number


@pytest.mark.parametrize("lacking", ["error", "freedom", "low"])
def test_an_interval_of_several_differences_needs_the_error_and_its_freedom(lacking):
    row = {"difference": 0.3, "low": 0.2, "high": 0.4, "error": 0.05, "freedom": 99, "p": 0.01, "p_holm_all": 0.02}
    assert adjusted_interval(row) is not None
    assert adjusted_interval({**row, lacking: None}) is None


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0, "0"), (0.0494, "4.9"), (0.05, "5.0"), (0.0994, "9.9"), (0.0995, "10"), (0.104, "10"), (1.0, "100")],
)
def test_a_small_share_has_a_decimal(value, words):
    assert amount(value, "probes") == f"{words} of 100 probes"


def test_an_agent_is_compared_with_another_in_the_words_of_what_their_tests_show():
    same, open_, clear = (
        {"condition": name, "difference": 0.1, "low": 0.0, "high": 0.2, "p_holm_all": p, **numbers}
        for name, p, numbers in (
            ("HYP", 1.0, {"units": 3, "discordant": 0}),
            ("ANT", 0.05, {}),
            ("SYN", 0.049, {}),
        )
    )
    assert comparison([same, same], CLAIM, "m", "n").startswith("m and n have the same answers")
    assert comparison([same, open_], CLAIM, "m", "n").startswith("The data leave open whether m differs from n ")
    assert comparison([clear, open_], CLAIM, "m", "n").startswith("m is ahead of n in 1 of 2 comparisons")
    assert comparison([], CLAIM, "m", "n") == ""


def test_the_mean_where_both_have_an_answer_is_over_all_conditions():
    rows = [{"value": 0.2}, {"value": 0.6}, {"value": None}]
    assert common_units(rows, "m", 0.5, CLAIM) == " (where both have an answer, m has 40)"
    assert common_units(rows, "m", 0.4, CLAIM) == common_units([], "m", 0.4, CLAIM) == ""


def test_people_who_lack_some_conditions_are_compared_by_the_means_of_the_others():
    rows = [("m", "HYP", 0.2), ("m", "ANT", 0.4), ("m", "SYN", 0.9), ("people", "HYP", 0.5), ("people", "ANT", 0.8)]
    claim = replace(CLAIM, conditions=("SYN", "ANT", "HYP"))
    found = common_means(averages(*rows, ("people", "SYN", None)), claim, "people", "m")
    assert found.conditions == ["ANT", "HYP"]
    assert (found.people, found.value) == (pytest.approx(0.65), pytest.approx(0.3))
    assert common_means(averages(*rows[:3]), claim, "people", "m") is None


def test_rows_of_controls_are_in_the_order_of_the_claim():
    beyond_controls = controls_of(("ANT", "a", 0.4, 0.1, 0, 1, 0.4), ("HYP", "b", 0.1, 0.2, 0, 1, 0.01))
    assert [row["control"] for row in beyond(beyond_controls, CLAIM, "m")] == ["b", "a"]
    assert beyond(beyond_controls, CLAIM, "n") == []


def test_what_guessing_gives_stands_behind_the_values():
    text = paragraph(VALUES.filter(agent="m"), differences_of(), replace(CLAIM, chance=0.25), MODELS)
    assert text.endswith("(ANT) (guessing: 25 of 100 probes).")


def test_tests_are_adjusted_over_the_conditions_of_the_claim_alone():
    """Holm over two: the smaller p times 2, and the larger at least that; the table had three conditions."""
    tested = [{"p": p, "p_holm_all": 1.0, "family_size": 3} for p in (0.01, 0.03)]
    untested = {"p": None, "p_holm_all": None, "family_size": 3}
    found = _adjusted([*tested, untested])
    assert [(row["p_holm_all"], row["family_size"]) for row in found] == [(0.02, 2), (0.03, 2), (None, 3)]
    whole = [{**row, "family_size": 2} for row in tested]
    assert _adjusted(whole) == whole


def test_figures_in_words_name_the_best_agents_and_count_the_others():
    table = pl.DataFrame(
        {"agent": list("abcdefg"), "relation": ["HYP"] * 7, "rho": [0.1, 0.7, 0.3, None, 0.4, 0.5, 0.6]}
    )
    first = "b 0.700, g 0.600, f 0.500, e 0.400, c 0.300"
    assert in_words(table, "rho", "relation") == f"HYP: {first} … and 1 more, down to 0.100."
    assert in_words(table.filter(pl.col("rho") > 0.2), "rho", "relation") == f"HYP: {first}."
    assert in_words(table, "other", "relation") == ""


@pytest.mark.parametrize(
    ("rows", "warned"),
    [
        ([("m", "frequency", 0.0, 0.3)], True),
        ([("m", "frequency", 0.01, 0.3)], False),
        ([("m", "frequency", -0.1, 0.3), ("m", "frequency", 0.01, 0.3)], False),
        ([("m", "frequency", -0.1, 0.3), ("frequency", "m", -0.3, -0.01)], False),
        ([("m", "frequency", None, None)], True),
        ([("m", "static", -0.1, 0.3)], False),
        ([("n", "m", 0.1, 0.3)], False),
        ([("m", "n", -0.3, -0.1), ("frequency", "m", -0.3, -0.1)], False),
    ],
)
def test_a_model_is_warned_of_that_is_above_the_control_nowhere(rows, warned):
    tests = pl.DataFrame(
        rows, schema={name: TESTS[name] for name in ("agent_a", "agent_b", "low", "high")}, orient="row"
    )
    assert warnings(tests, ["m", "n"]).startswith("Warning: m is nowhere") is warned
    assert bool(warnings(tests, ["m", "n"])) is warned


def test_a_figure_along_layers_is_said_by_its_metric():
    values = [("gpt", "1", "raw", 0.1), ("gpt", "2", "raw", 0.2), ("gpt", "1", "mean", 0.3), ("gpt", "2", "mean", 0.4)]
    table = pl.DataFrame(values, schema=["series", "label", "variant", "value"], orient="row").with_columns(
        metric=pl.lit("rho"), condition=pl.lit("noun"), agent=pl.lit("m")
    )
    words = "noun: gpt from 0.100 (1) to 0.200 (2), gpt (mean) from 0.300 (1) to 0.400 (2)."
    assert layers_in_words("layers_rho", {"series": table}) == words
    assert layers_in_words("rho", {"series": table}) == layers_in_words("layers_rho", {}) == ""
    assert layers_in_words("layers_auc", {"series": table}) == ""


def test_the_best_of_several_models_stands_before_the_next_alone_and_one_person():
    rows = [("k", 0.3), ("m", 0.4), ("n", 0.6), ("o", 0.5), ("annotator", 0.9)]
    values = averages(*((agent, name, value) for agent, value in rows for name in ("HYP", "ANT")))
    text = paragraph(values, differences_of(), CLAIM, ["k", "m", "n", "o"], people="annotator")
    assert text == "n is right in 60 of 100 probes; one person in 90 and o in 50."


def test_an_agent_that_lacks_a_value_has_no_mean_over_all_conditions():
    values = averages(("m", "HYP", 0.3), ("m", "ANT", None), ("n", "HYP", 0.1), ("n", "ANT", 0.9))
    assert means_of(values, "condition", ["m", "n"]) == {"m": 0.3, "n": 0.1}
    assert means_of(values, "condition", ["n"]) == {"n": 0.5}
    assert nobody(values.filter(agent="m", condition="ANT"), CLAIM, ["m"]).startswith("No model has an answer")
    lacking = averages(("m", "HYP", 0.3), ("m", "ANT", None), ("n", "HYP", None), ("n", "ANT", 0.9))
    assert "(m: HYP; n: ANT)" in nobody(lacking, CLAIM, ["m", "n"])


def test_the_sizes_of_differences_are_said_from_the_least_on():
    sizes = [{"detectable_all": size} for size in (0.31, None, 0.12, 0.2)]
    assert "a difference of 0.12 to 0.31 in 80" in found_size(sizes)


def test_a_control_has_a_plain_number_where_the_claim_has_no_unit():
    row = {"control": "c", "control_value": 0.25}
    rho = Claim("rho", verb="has a correlation of")
    assert best_control([row], rho) == ", and its best control, c, has 0.25"
    assert best_control([row, {**row, "control_value": None}], CLAIM) == ", and its best control, c, in 25"
    assert best_control([row, {**row, "control": "d"}], CLAIM) == best_control([], CLAIM) == ""


def test_declared_pairs_are_adjusted_over_all_of_them():
    tests = differences_of(("HYP", "n", "m", -0.1, -0.2, -0.05, 0.01)).with_columns(family_of=pl.lit(DECLARED))
    (row,) = pair_tests(tests, CLAIM, "m", "n")
    assert row["over"] == f"after Holm's adjustment over {DECLARED} and all comparisons"
    assert (row["difference"], row["low"], row["high"]) == (0.1, 0.05, 0.2)
    (row,) = pair_tests(tests.with_columns(family_of=pl.lit("m")), CLAIM, "n", "m")
    assert "over" not in row
    assert row["difference"] == -0.1


SAME_ANSWERS = {"units": 3, "discordant": 0, "difference": 0.0, "p_holm_all": 1.0, "note": "the same answers"}


def test_the_conditions_without_a_clear_difference_are_open_unless_all_have_the_same_answers():
    clear = {"condition": "HYP", "difference": 0.2, "low": 0.1, "high": 0.3, "p_holm_all": 0.01, "over": ""}
    same = clear | {"condition": "ANT", **SAME_ANSWERS}
    is_open = clear | {"condition": "MER", "difference": 0.1, "p_holm_all": 0.4, "discordant": 3}
    assert are_same(same)
    assert not are_same(is_open)
    said = {name: verdict([clear, *rest], CLAIM, "m", "n") for name, rest in
            {"same": [same, same], "both": [same, is_open], "open": [is_open], "alone": []}.items()}  # fmt: skip
    assert said["same"].endswith(f"In the others they have {SAME}.")
    assert said["both"].endswith("The data leave the others open.")
    assert said["open"].endswith("The data leave the others open.")
    assert said["alone"].startswith("m is ahead of n in this comparison")
    assert "others" not in said["alone"]
    behind = clear | {"condition": "MER", "difference": -0.3}
    assert "m differs from n in 2 of 2 comparisons, but is behind in MER" in verdict([clear, behind], CLAIM, "m", "n")
    assert "m is behind n in 2 of 2 comparisons (" in verdict([behind, behind], CLAIM, "m", "n")


def test_another_value_stands_with_the_verb_of_the_claim_and_its_own_units():
    rho = Claim("sound", ("HYP",), "has a mean rank of")
    values = averages(("m", "HYP", 0.3), ("n", "HYP", 0.2), ("people", "HYP", 0.9))
    own = values.with_columns(own=pl.col("agent") == "n")
    said = paragraph(own, differences_of(), rho, MODELS, people="people")
    assert said == "m has a mean rank of 0.30; people 0.90 and n 0.20 of the probes that it answered."
    assert paragraph(own.with_columns(own=False), differences_of(), rho, MODELS, people="people") == (
        "m has a mean rank of 0.30; people 0.90 and n 0.20."
    )


def test_without_a_condition_in_common_the_mean_of_one_that_has_all_is_said():
    values = averages(("m", "HYP", 0.3), ("n", "ANT", 0.9), ("o", "HYP", 0.2), ("o", "ANT", 0.4))
    assert means_of(values, "condition", ["m", "n"]) == {"o": pytest.approx(0.3)}
    assert means_of(values, "condition", ["o"]) == {"o": pytest.approx(0.3)}
    assert means_of(values, "condition", ["m", "o"]) == {"m": 0.3, "o": 0.2}


def test_a_primary_test_is_adjusted_over_nothing_and_finds_what_its_own_size_allows():
    primary = replace(CLAIM.under(["HYP"]), primary=True)
    rows = controls_of(("HYP", "static", 0.3, 0.1, -0.1, 0.3, 0.4)).with_columns(
        p=pl.lit(0.1), detectable=pl.lit(0.2), detectable_all=pl.lit(0.5)
    )
    (row,), (secondary,) = control_rows(rows, None, primary, "m")
    assert (row["p_holm_all"], row["detectable_all"], row["over"]) == (0.1, 0.2, "")
    assert (secondary["p_holm_all"], secondary["detectable_all"]) == (0.4, 0.5)
    for claim in (CLAIM.under(["HYP"]), replace(CLAIM, primary=True)):
        assert control_rows(rows, None, claim, "m")[0] == []
    pooled = rows.with_columns(condition=pl.lit("all"), difference=pl.lit(0.7))
    (row,), _ = control_rows(rows, pooled, primary, "m")
    assert (row["difference"], row["condition"], row["pooled"]) == (0.7, f"all {primary.each}", True)
    assert control_rows(rows, pooled, primary, "n") == ([], [])
    assert control_rows(None, None, primary, "m") == ([], [])


def test_what_the_test_of_the_best_finds_is_that_of_as_many_tests():
    row = {
        "p_holm_all": 0.2,
        "detectable_all": 0.3,
        "error": 0.05,
        "freedom": 20.0,
        "gain": 0.4,
        "room": 0.6,
        "over": "",
    }
    several = [row | {"p_holm_all": p} for p in (0.2, None, 0.6)]
    for rows, over, tests in (([row], "", 4), (several, "over all", 4 * 2), (several, "", 4)):
        given = [one | {"over": over} for one in rows]
        first = rows_of_best(given, CLAIM, 4)[0]
        assert first["p_holm_all"] == pytest.approx(0.8)
        assert first["detectable_all"] == detectable(0.05, 21, tests, gain=0.4, room=0.6)
    assert rows_of_best(several, CLAIM, 4)[1]["p_holm_all"] is None
    assert rows_of_best([row], CLAIM, 9)[0]["p_holm_all"] == 1.0
    assert rows_of_best([row], CLAIM, 1) == [row]


def test_a_warning_of_several_models_is_in_the_plural():
    rows = [("m", "frequency", -0.1, 0.3), ("n", "frequency", -0.1, 0.3)]
    tests = pl.DataFrame(
        rows, schema={name: TESTS[name] for name in ("agent_a", "agent_b", "low", "high")}, orient="row"
    )
    assert warnings(tests, ["m", "n"]).startswith("Warning: m and n are nowhere clearly above")
    assert "Look at their answers, tokenizers and weights before you use their numbers" in warnings(tests, ["m", "n"])
    assert "its tokenizer" in warnings(tests, ["n"])


def test_one_condition_has_no_name_in_a_difference_and_an_agent_that_lacks_units_anywhere_has_its_own():
    clear = {"condition": "HYP", "difference": 0.2, "low": 0.1, "high": 0.3, "p_holm_all": 0.01, "over": ""}
    assert ": +0.20 (" in verdict([clear], CLAIM.under(["HYP"]), "m", "n")
    assert ": HYP +0.20 (" in verdict([clear], CLAIM, "m", "n")
    assert ": +0.20 (" in verdict([clear | {"pooled": True}], CLAIM, "m", "n")
    assert ": HYP over static +0.20 (" in verdict([clear | {"control": "static"}], CLAIM, "m", "n")
    values = averages(("m", "HYP", 0.3), ("m", "ANT", 0.5), ("n", "HYP", 0.2), ("n", "ANT", 0.4))
    own = values.with_columns(own=(pl.col("agent") == "n") & (pl.col("condition") == "ANT"))
    assert paragraph(own, differences_of(), CLAIM, MODELS).endswith("; n in 30 of the probes that it answered.")
