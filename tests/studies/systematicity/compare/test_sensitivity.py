"""The effect of other choices, in one table."""

import polars as pl
import pytest
from hypothesis import given, settings
from polars.testing import assert_series_equal
from relprobe.sources.systematicity import ITEMS
from relprobe.studies.systematicity.analyses.sensitivity import sensitivity
from relprobe.studies.systematicity.method import Asking, probes
from relprobe.studies.systematicity.prompts import Prompt

from tests.studies.systematicity.ask.test_prompts import NAMES, asked_words, choosing
from tests.studies.systematicity.measure.test_metrics import ITEMS_TABLE, PROBES_TABLE, answers_in_two_orders, responses


def test_the_choices_stand_in_one_table_with_their_effect():
    items, table = asked_words()
    chosen = {
        ("singular", "paper"): {"robin", "wren", "ant"},
        ("singular", "every"): {"robin"},
        ("plural", "paper"): {"robin"},
        ("plural", "the"): {"robin", "wren", "ant"},
    }
    found = sensitivity({"m": choosing(items, table, chosen)}, table, items)
    rows = {(row["choice"], row["diagnostic"]): row for row in found.iter_rows(named=True)}
    assert rows.keys() == {
        *(("prompt", number) for number in NAMES),
        ("article that gives a category away", "singular"),  # the plural has none
    }
    prompt = rows["prompt", "singular"]  # 3 of 4, and the mean of 3 and 1 of 4
    assert (prompt["value"], prompt["other_value"], prompt["effect"]) == (3 / 4, 1 / 2, -1 / 4)
    an = rows["article that gives a category away", "singular"]  # without the ant: robin and wren of three
    assert (an["value"], an["other_value"], an["hyponyms"], an["other_hyponyms"]) == (3 / 4, pytest.approx(2 / 3), 4, 3)


def test_scores_ties_readings_and_tokens_are_choices_too():
    """One robin: right at the slot and wrong by the sentence; a tie in the plural; a sentence in two readings."""
    row = ("own", "robin", "bird", "robins", "birds", None, None, "A robin and an other robin .")
    items = pl.DataFrame([row], schema=ITEMS, orient="row")
    prompts = {"singular": [Prompt("a", "A [W] is a [V].")], "plural": [Prompt("a", "[W] are [V].")]}
    table = probes(items, {"animals": ["fish", "bird"]}, Asking(prompts))
    one, several = ["fish", "bird"], ["fish", "birds"]
    given = responses(
        ("own:singular:robin", "slot", one, [-4.0, -3.0], [4, 1], []),  # the mean over tokens is -1 and -3
        ("own:singular:robin", "sentence", one, [-1.0, -2.0], [1, 1], []),
        ("own:plural:robin", "slot", several, [-2.0, -2.0], [1, 1], []),
        ("own:contextual:robin", "slot", ["fish"], [-2.0], [1], []),
        ("own:contextual:robin", "slot", ["bird"], [-1.0], [1], []),
        ("own:contextual:robin:released", "slot", one, [-1.0, -2.0], [1, 1], []),
    )
    rows = {}
    for found in sensitivity({"m": given}, table, items).iter_rows(named=True):
        rows.setdefault((found["choice"], found["diagnostic"]), set()).add((found["value"], found["other_value"]))
    assert rows["score", "singular"] == {(1, 0)}
    assert rows["categories of equal scores", "plural"] == {(1 / 2, 0)}  # the fish would win
    assert rows["categories of equal scores", "singular"] == {(1, 1)}
    assert rows["sentences", "contextual"] == {(1, 0)}
    assert rows["categories of several tokens", "singular"] == {(1, 0)}
    assert ("prompt", "singular") not in rows  # there is one prompt


@settings(deadline=None, max_examples=25)
@given(answers_in_two_orders())
def test_no_order_of_equal_categories_changes_the_effect_of_a_choice(both):
    usual, other = (sensitivity({"m": one}, PROBES_TABLE, ITEMS_TABLE)["value"] for one in both)
    assert_series_equal(usual, other)
