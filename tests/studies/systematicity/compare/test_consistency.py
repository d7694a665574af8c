"""In which number, and how often, an agent recognises a hyponym."""

import math

import numpy as np
import polars as pl
import pytest
from relprobe.stats import share_interval
from relprobe.studies.systematicity.agreement import interval_among
from relprobe.studies.systematicity.analyses.consistency import CONSISTENCY, consistency, headline

from tests.studies.systematicity.measure.test_metrics import MASKED, measured, units


def test_consistency_says_in_which_number_a_hyponym_is_recognised():
    row = consistency({"m": measured(MASKED)}).row(0, named=True)
    assert row["hyponyms"] == 3
    assert [row[name] for name in ("both", "singular_only", "plural_only", "neither")] == pytest.approx(
        [1 / 3, 1 / 3, 1 / 3, 0]
    )
    # 1 · 0 - 1 · 1 over the root of the margins 2, 1, 2 and 1
    assert row["phi"] == pytest.approx(-1 / 2)
    assert (row["right_singulars"], row["plural_if_singular"]) == (2, 1 / 2)  # robin and saw, of which robin
    # Of two categories with 1 of 1 and 0 of 1, t has one degree of freedom and is 12.706: 1/2 ± 1/2 √(t² / (1 + t²)).
    half = math.sqrt(12.706**2 / (1 + 12.706**2)) / 2
    assert row["plural_if_singular_low"] == pytest.approx(1 / 2 - half, abs=1e-6)
    assert row["plural_if_singular_high"] == pytest.approx(1 / 2 + half, abs=1e-6)


def test_without_an_error_in_the_singular_there_is_no_correlation_and_a_reason():
    both = pl.concat([units("singular", car=1, house=1), units("plural", car=1, house=0)])
    row = consistency({"m": both}).row(0, named=True)
    assert (row["phi"], row["phi_low"], row["plural_if_singular"]) == (None, None, 1 / 2)
    assert row["note"].startswith("no phi")
    never = pl.concat([units("singular", car=0), units("plural", car=1)])
    assert consistency({"m": never}).row(0, named=True)["plural_if_singular"] is None


def test_the_interval_of_phi_holds_it():
    numbers = {f"w{i}": (int(i < 60), int(i < 40 or 60 <= i < 70)) for i in range(100)}
    both = pl.concat(
        units(name, **{word: right[place] for word, right in numbers.items()})
        for place, name in enumerate(("singular", "plural"))
    )
    row = consistency({"m": both}).row(0, named=True)
    assert row["phi"] == pytest.approx((40 * 30 - 20 * 10) / (60 * 40 * 50 * 50) ** 0.5)
    assert row["phi_low"] < row["phi"] < row["phi_high"]
    # Fisher's z with n - 3 gives 0.231 to 0.562.
    assert (row["phi_low"], row["phi_high"]) == pytest.approx((0.23, 0.57), abs=0.05)


def test_an_agent_with_one_number_alone_or_no_hyponym_in_both_has_no_row_and_others_count_in_both():
    singular, plural = units("singular", car=1, house=0, robin=1), units("plural", house=1, robin=1, wren=0)
    assert consistency({"m": singular}).is_empty()
    assert consistency({"m": pl.concat([units("singular", car=1), units("plural", house=1)])}).is_empty()
    row = consistency({"m": pl.concat([singular, plural])}).row(0, named=True)
    assert [row[name] for name in ("hyponyms", "both", "singular_only", "plural_only")] == [2, 1 / 2, 0, 1 / 2]


def test_half_of_the_answers_in_the_singular_are_not_most():
    halves = pl.concat([units("singular", car=0.5, house=0.75), units("plural", car=1, house=1)])
    assert consistency({"m": halves})["right_singulars"].to_list() == [1]


def test_the_interval_among_the_first_is_that_of_the_second_in_them():
    """Of eight with the first, each a category of its own, two have the second: Wilson's interval of 1/4, widened by t."""
    first, second = np.repeat([1.0, 0.0], [8, 4]), np.tile([1.0, 0.0, 0.0, 0.0], 3)
    category = np.array([f"c{place}" for place in range(12)])
    interval = interval_among(first, second, category)
    expected = share_interval(second[:8], np.ones(8))
    assert (interval.low, interval.high, interval.n) == (expected.low, expected.high, 8)
    assert interval.low < 1 / 4 < interval.high


def test_sets_stand_in_their_order_whichever_comes_first():
    both = pl.concat([units("singular", a=1, b=0), units("plural", a=1, b=1)])
    released = both.with_columns(condition=pl.lit("diagnostic"))
    assert consistency({"m": pl.concat([both, released])})["set"].to_list() == ["diagnostic", "extended"]


CELLS = ("both", "singular_only", "plural_only", "neither")


def sentence(**changes):
    """What is said of m, with its right singulars of 100 in set s, beside controls, of which each has more of them."""
    cells = dict(zip(CELLS, (0.3, 0.1, 0.15, 0.45), strict=True))
    right = {"right_singulars": 40, "plural_if_singular": 0.75, "plural_if_singular_low": 0.6}
    phi = {"plural_if_singular_high": 0.86, "phi": 0.5, "phi_low": 0.3, "phi_high": 0.7}
    row = {"set": "s", "agent": "m", "hyponyms": 100, **cells, **right, **phi}
    rows = [row | {"set": "t", "right_singulars": 39, "phi": 0.9}, row | changes]
    phi_by_agent = {"a": 0.25, "z": 0.31, "m+control": 0.31, "x+control": 0.99, "static": None}
    controls = [("s", agent, phi) for agent, phi in phi_by_agent.items()]
    for place, agent, value in [*controls, ("t", "b", 0.95)]:
        rows.append(row | {"right_singulars": 41, "agent": agent, "set": place, "phi": value})
    return headline({"consistency": pl.DataFrame(rows, schema=CONSISTENCY)}, ["m"])[1]


def test_the_headline_is_of_the_most_right_singulars_of_a_model_beside_the_highest_phi_of_its_controls():
    assert sentence() == (
        "Of the 40 hyponyms that m has right in the singular, 75 of 100 are right in the plural (95 % interval 60 to 86); "
        "of the others, 25 of 100 are (phi 0.50, 95 % interval 0.30 to 0.70). That is no sign of knowledge by itself: the "
        "control m+control, which does not know the answer, has phi 0.31."
    )


def test_what_is_missing_is_left_out_of_the_headline():
    said = "Of the 40 hyponyms that m has right in the singular, 75 of 100 are right in the plural (95 % interval 60 to 86)"
    # Without a wrong singular there are no others, and with them goes phi.
    assert sentence(plural_only=0.0, neither=0.0) == f"{said}."
    assert sentence(phi=None, phi_low=None) == f"{said}; of the others, 25 of 100 are."
    assert "are (phi 0.50). That" in sentence(phi_low=None)
    assert "right in the plural; of the others" in sentence(plural_if_singular_low=None)


def test_of_one_right_singular_nothing_is_said():
    two, none = sentence(right_singulars=2), {"consistency": pl.DataFrame(schema=CONSISTENCY)}
    assert two.startswith("Of the 39 hyponyms")  # in the other set
    assert (headline(none, ["m"]), headline({}, ["m"])) == (("", ""), ("", ""))
    few = {name: [value] for name, value in zip(CELLS, (1.0, 0.0, 0.0, 0.0), strict=True)}
    for right, expected in ((1, ""), (2, "Of the 2 hyponyms that m has right in the singular, 100 of 100")):
        row = {"set": ["s"], "agent": ["m"], "right_singulars": [right], "plural_if_singular": [1.0], **few}
        table = pl.DataFrame({name: row.get(name, [None]) for name in CONSISTENCY}, schema=CONSISTENCY)
        said = headline({"consistency": table}, ["m"])[1]
        assert said.startswith(expected)
        assert bool(said) == bool(expected)


def test_the_interval_of_phi_has_its_reason_and_one_hyponym_in_two_categories_is_two():
    """Robin is a bird in one set of the two numbers, and a name in another: its rows are told by the category as well."""
    both = pl.concat([units("singular", a=1, b=0, c=1), units("plural", a=1, b=1, c=0)])
    row = consistency({"m": both}).row(0, named=True)
    assert row["note"].startswith("no interval: ")
    alike = both.with_columns(unit=pl.lit("robin"), cluster="unit")
    assert consistency({"m": alike}).row(0, named=True)["hyponyms"] == 3
