"""How frequent the recognised and the unrecognised hyponyms are."""

import pytest
import wordfreq
from relprobe.studies.systematicity.analyses.frequency import frequency

from tests.studies.systematicity.measure.test_metrics import units


def test_frequencies_of_recognised_and_unrecognised_hyponyms():
    values = units("singular", car=1, house=1, tree=1, grackle=0, tanager=0, xqzbirb=0)
    row = frequency({"m": values}, controls=[]).row(0, named=True)
    assert (row["recognised"], row["unrecognised"], row["zero"]) == (3, 3, 1)
    assert row["frequency_recognised"] > 10 > row["frequency_unrecognised"]
    assert row["effect"] == pytest.approx(27 / 35)  # all of the one group are above the other: see test_stats_groups
    assert row["p"] == pytest.approx(0.0495, abs=1e-4)
    assert row["normal_p_recognised"] is not None


def test_frequencies_are_raw_or_zipf_values_and_zero_counts_in_their_mean():
    values = units("singular", car=1, house=1, xqzbirb=0, grackle=0)
    raw, zipf = (frequency({"m": values}, [], scale).row(0, named=True) for scale in ("raw", "zipf"))
    grackle = wordfreq.word_frequency("grackle", "en") * 1e6
    assert raw["frequency_unrecognised"] == pytest.approx((grackle + 0) / 2)
    expected = (wordfreq.zipf_frequency("car", "en") + wordfreq.zipf_frequency("house", "en")) / 2
    assert zipf["frequency_recognised"] == pytest.approx(expected)
    assert zipf["p"] == raw["p"]  # the test takes ranks alone


def test_the_frequency_tests_of_an_agent_are_adjusted_over_its_own_alone():
    values = units("singular", car=1, house=1, tree=1, grackle=0, tanager=0, xqzbirb=0)
    table = frequency({"m": values, "n": values, "static": values}, controls=["static"])
    p = table["p"][0]
    assert table["family"].to_list() == ["models", "models", "controls"]
    assert table["p_holm"].to_list() == pytest.approx([p, p, p])


def test_without_unrecognised_hyponyms_there_is_no_test_and_a_reason():
    row = frequency({"m": units("singular", car=1, house=1)}, controls=[]).row(0, named=True)
    assert (row["unrecognised"], row["p"]) == (0, None)
    assert row["note"].startswith("not testable")


def test_a_hyponym_that_half_of_the_answers_recognise_is_not_recognised():
    row = frequency({"m": units("singular", car=1, house=0.5, tree=0.75)}, controls=[]).row(0, named=True)
    assert (row["recognised"], row["unrecognised"]) == (2, 1)
