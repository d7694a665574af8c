"""The finding of a study in one sentence: it follows the data, and claims no more than the tests."""

import polars as pl
import pytest
from relprobe.core.claim import Claim
from relprobe.report.words.finding import finding
from relprobe.stats.schemas import CONTROLS

CLAIM = Claim("sound", ("noun", "verb"), "is right in", "probes", each="parts of speech")
ROW = {
    "metric": "sound",
    "agent": "m",
    "control": "frequency",
    "control_value": 0.1,
    "difference": 0.3,
    "low": 0.2,
    "high": 0.4,
}


def said(controls, values=(0.5, 0.3), agent="m"):
    rows = [("m", "noun", values[0]), ("m", "verb", values[0]), ("n", "noun", values[1]), ("n", "verb", values[1])]
    averages = pl.DataFrame(rows, schema=["agent", "condition", "value"], orient="row")
    about = [{**ROW, "agent": agent, **row} for row in controls]
    table = pl.DataFrame(about, schema={**CONTROLS, "condition": pl.String()})
    return finding(averages.with_columns(metric=pl.lit("sound")), CLAIM, ["m", "n"], table)


def test_what_holds_is_said_with_its_interval_and_the_rest_is_open():
    assert said(
        [{"condition": "noun", "p_holm_all": 0.01}, {"condition": "verb", "p_holm_all": 0.2, "difference": 0.1}]
    ) == (
        "m, the best of 2 models and ways to ask them, is right in 50 of 100 probes, and its best control, frequency, in 10"
        "; it is above the control in 1 of 2 parts of speech (noun +0.30, 95 % interval 0.20 to 0.40), and the data leave "
        "the others open (p < 0.05 after Holm's adjustment over all parts of speech and for the choice of the best of 2 "
        "models; intervals are not adjusted)."
    )


def test_another_best_model_gives_another_finding():
    text = said([{"condition": "noun", "p_holm_all": 0.01}], values=(0.2, 0.4), agent="n")
    assert text.startswith("n, the best of 2 models and ways to ask them, is right in 40 of 100 probes, ")
    assert text.endswith(
        "; the difference is +0.30 (95 % interval 0.20 to 0.40), p < 0.05 after Holm's adjustment over all parts of speech "
        "and for the choice of the best of 2 models; intervals are not adjusted."
    )


def test_a_model_below_its_control_is_behind_it():
    text = said([{"condition": "noun", "p_holm_all": 0.01, "difference": -0.3, "low": -0.4, "high": -0.2}])
    assert "it is behind the control: the difference is −0.30 (95 % interval −0.40 to −0.20)" in text


OPEN = "p ≥ 0.05 after Holm's adjustment over all parts of speech and for the choice of the best of 2 models"


@pytest.mark.parametrize(
    ("rows", "end"),
    [
        (
            [{"p_holm_all": 0.4}],
            "the data leave open which of the two is better (noun +0.30, 95 % interval 0.20 to 0.40; "
            f"{OPEN}; intervals are not adjusted).",
        ),
        (
            [{"p_holm_all": 0.4, "low": None, "high": None, "detectable": 0.12, "detectable_all": 0.24}],
            f"the data leave open which of the two is better (noun +0.30; {OPEN}); a test of this size finds a difference "
            "of 0.24 in 80 of 100 studies.",
        ),
        (
            [{"p_holm_all": 1.0, "least_p": 0.25}],
            "the data leave open which of the two is better, as too little differs for any p below 0.05 (noun +0.30, 95 % "
            f"interval 0.20 to 0.40; {OPEN}; intervals are not adjusted).",
        ),
        (
            [{"p_holm_all": None}],
            "the data are too few to test its difference from the control (noun +0.30, 95 % interval 0.20 to 0.40).",
        ),
        ([], "this run has no control to compare it with."),
        (
            [
                {
                    "p_holm_all": 1.0,
                    "difference": 0.0,
                    "units": 5,
                    "discordant": 0,
                }
            ],
            "the two have the same answers, as far as this metric counts them.",
        ),
    ],
)
def test_nothing_is_claimed_that_no_test_holds(rows, end):
    assert said([{"condition": "noun", **row} for row in rows]).endswith(f"; {end}")


def test_units_that_the_control_lacks_are_named():
    assert "in 10 (where both have an answer, m has 40)" in said(
        [{"condition": "noun", "value": 0.4, "p_holm_all": 0.2}]
    )
