"""In which number, and how often, an agent recognises a hyponym."""

import math

import polars as pl
import pytest
from relprobe.studies.systematicity.analyses.consistency import consistency

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
