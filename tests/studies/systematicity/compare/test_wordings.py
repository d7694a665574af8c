"""Accuracies per prompt, with their spread and agreement."""

import pytest
from relprobe.studies.systematicity.analyses.prompts import TABLES

from tests.studies.systematicity.about import results
from tests.studies.systematicity.ask.test_prompts import NAMES, asked_words, choosing


def tables(scores, probes, items):
    asked = results(scores={"m": scores}, probes=probes, item_table=items)
    return {name: make(asked) for name, make in TABLES.items()}


def test_accuracies_stand_per_prompt_with_their_spread_and_agreement():
    """Right of four: paper 3 and every 2 in the singular, paper 1 and the 3 in the plural."""
    items, table = asked_words()
    chosen = {
        ("singular", "paper"): {"robin", "wren", "ant"},
        ("singular", "every"): {"robin", "saw"},
        ("plural", "paper"): {"robin"},
        ("plural", "the"): {"robin", "wren", "saw"},
    }
    found = tables(choosing(items, table, chosen), table, items)
    each = found["prompts"]
    assert each.select("number", "prompt", "example", "accuracy", "hyponyms").rows() == [
        ("singular", "paper", "A robin is a [V].", 3 / 4, 4),
        ("singular", "every", "Every robin is a [V].", 2 / 4, 4),
        ("plural", "paper", "robins are [V].", 1 / 4, 4),
        ("plural", "the", "The robins are [V].", 3 / 4, 4),
    ]
    assert ((each["low"] <= each["accuracy"]) & (each["accuracy"] <= each["high"])).all()
    spread = {row["number"]: row for row in found["prompt_spread"].iter_rows(named=True)}
    plural = spread["plural"]
    assert [plural[name] for name in ("prompts", "first", "mean", "lowest", "highest")] == [
        2,
        1 / 4,
        1 / 2,
        1 / 4,
        3 / 4,
    ]
    assert plural["sd"] == pytest.approx((2 * (1 / 4) ** 2) ** 0.5)
    assert (plural["lowest_prompt"], plural["highest_prompt"]) == ("paper", "the")
    pairs = {(row["a"], row["b"]): row for row in found["prompt_pairs"].iter_rows(named=True)}
    assert len(pairs) == 6
    # Of robin, wren and ant, robin alone is right in the paper's plural, and robin and wren in the other one.
    paper = pairs["singular paper", "plural paper"]
    assert (paper["right_a"], paper["both"], paper["b_if_a"]) == (3, 1 / 4, pytest.approx(1 / 3))
    the = pairs["singular paper", "plural the"]
    assert (the["both"], the["b_if_a"]) == (2 / 4, pytest.approx(2 / 3))
    # Both right 2, one alone 1 and 1, neither 0: (2 · 0 - 1 · 1) over the root of the margins 3, 1, 3 and 1.
    assert the["phi"] == pytest.approx(-1 / 3)
    # Two prompts of one number: robin of robin, wren and ant.
    assert pairs["singular paper", "singular every"]["b_if_a"] == pytest.approx(1 / 3)


def test_a_prompt_under_which_nothing_is_right_says_nothing_about_the_others():
    items, table = asked_words()
    chosen = {(number, name): set() for number, names in NAMES.items() for name in names}
    found = tables(choosing(items, table, chosen), table, items)["prompt_pairs"]
    assert set(found["right_a"]) == {0}
    assert found["b_if_a"].null_count() == found["phi"].null_count() == found.height
