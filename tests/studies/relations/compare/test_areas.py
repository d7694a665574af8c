"""AuDC per agent, with its interval."""

import numpy as np
import polars as pl
import pytest
from relprobe.stats import mean_intervals
from relprobe.stats.averages import SEED
from relprobe.stats.comparisons import DECLARED
from relprobe.studies.relations.areas import area_averages, area_tests

GAPS = np.array([0.9, 0.1, 0.8, 0.0, 0.7, 0.9, 0.2, 1.0])


def test_of_one_pair_of_relations_it_is_the_mean_gap_with_the_interval_of_differences():
    rows = [("HYP", "MER", f"word-{i}", gap) for i, gap in enumerate(GAPS)]
    table = pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")
    area = area_averages({"m": table})[0]
    assert area["value"] == pytest.approx(4.6 / 8)
    interval = mean_intervals(GAPS[:, None], np.ones((8, 1)), SEED, differences=True)[0]
    assert (area["low"], area["high"]) == pytest.approx((interval.low, interval.high))


def gaps(**gaps_by_pair):
    """Return the gaps of pairs of relations, such as HYP_MER=(0.5, None): those of the words a, b, …"""
    rows = [
        (*pair.split("_"), word, gap)
        for pair, word_gaps in gaps_by_pair.items()
        for word, gap in zip("abc", word_gaps, strict=False)
        if gap is not None
    ]
    return pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")


FULL = gaps(HYP_MER=(0.5, 0.1, 0.3), HYP_HOL=(0.2, 0.4))
LESS = gaps(HYP_MER=(1.0,), HYP_HOL=(0.1,))


def test_it_is_the_sum_over_pairs_of_the_means_over_words():
    full, less = area_averages({"full": FULL, "less": LESS, "none": FULL.clear()})
    columns = ("agent", "value", "units", "least_targets", "clusters", "answered", "own_units")
    assert [full[name] for name in columns] == ["full", pytest.approx(0.3 + 0.3), 2, 2, 3, 2, False]
    assert [less[name] for name in columns] == ["less", pytest.approx(1.0 + 0.1), 2, 1, 1, 2, True]


def test_two_agents_are_compared_on_the_gaps_of_both():
    (row,) = area_tests({"full": FULL, "less": LESS}, {"full": "model", "less": "model"})
    columns = (
        "value_a",
        "value_b",
        "difference",
        "units",
        "clusters",
        "discordant",
        "discordant_clusters",
        "p",
        "note",
    )
    # of the word a alone: 0.5 + 0.2 against 1.0 + 0.1
    expected = [0.7, 1.1, -0.4, 2, 1, 2, 1, 1.0]
    assert [row[name] for name in columns[:-1]] == pytest.approx(expected)
    assert row["note"].startswith("no interval")


def test_a_comparison_belongs_to_its_model_or_its_pair_or_to_those_who_declared_it():
    """The p-values of an owner are adjusted together, so a model's verdict never moves with another model."""
    agents, kinds = {"full": FULL, "less": LESS, "people": FULL}, {"full": "model", "less": "model", "people": "pooled"}

    def owners(**options):
        return {row["agent_a"] + " " + row["agent_b"]: row["family_of"] for row in area_tests(agents, kinds, **options)}

    assert owners() == {"full less": "full and less", "full people": "full", "less people": "less"}
    assert owners(declared=[("less", "full")]) == {**owners(), "full less": DECLARED}


def test_controls_are_compared_with_no_other_control_and_a_checkpoint_with_controls_alone():
    kinds = {"m": "model", "m-500": "member", "m+without-target": "control", "frequency": "control"}
    rows = area_tests(dict.fromkeys(kinds, FULL), kinds)
    assert {(row["agent_a"], row["agent_b"]) for row in rows} == {
        *(("m", "m+without-target"), ("m", "frequency"), ("m-500", "frequency"))
    }


def test_the_mean_of_a_pair_in_a_comparison_is_over_its_words_and_gaps_without_a_difference_are_not_discordant():
    other = gaps(HYP_MER=(0.3, 0.1, None), HYP_HOL=(0.4, 0.0))
    (row,) = area_tests({"full": FULL, "other": other}, {"full": "model", "other": "model"})
    # the differences are 0.2 and 0 in HYP_MER, and -0.2 and 0.4 in HYP_HOL; those of the word a cancel each other
    columns = ("value_a", "value_b", "difference", "units", "clusters", "discordant", "discordant_clusters")
    assert [row[name] for name in columns] == pytest.approx([0.6, 0.4, 0.2, 4, 2, 3, 1])


def words(*gaps_by_pair):
    """Return the gaps of the words w0, w1, … under HYP beside MER, and of the first ones beside HOL."""
    rows = [
        ("HYP", versus, f"w{number}", float(gap))
        for versus, gaps_of in zip(("MER", "HOL"), gaps_by_pair, strict=True)
        for number, gap in enumerate(gaps_of)
    ]
    return pl.DataFrame(rows, schema=["relation", "versus", "target", "value"], orient="row")


TEN = words([1, 1, 1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 0])
NOTHING = words([0] * 10, [0] * 4)
MODELS = {"a": "model", "b": "model"}


def relata(*rows):
    """Return relata of words, such as "HYP w0 bird"."""
    return pl.DataFrame([row.split() for row in rows], schema=["relation", "target", "link"], orient="row")


BIRDS = relata("HYP w0 bird", "HYP w1 bird", "MER w2 wing", "HYP w3 wing")
"""The first two words share a relatum of one relation; the next two a word, but of different relations."""
HALF_T = 2.355
"""The 97.5 % quantile of t with 100 / 12 - 1 = 7.33 degrees lies between those of 7 and 8, 2.365 and 2.306."""
CENTRED = (100 / 88) ** 0.5
"""√(n_eff / (n_eff - 1)) with n_eff = 100 / 12: the values are centred on their own mean."""


def test_words_that_share_a_relatum_of_one_relation_are_linked():
    (area,) = area_averages({"m": TEN}, relata=BIRDS)
    assert (area["value"], area["effective_n"]) == (pytest.approx(0.6 + 0.5), pytest.approx(100 / 12))
    # Beside MER a word adds 0.4 or -0.6 over ten words, and beside HOL 0.5 or -0.5 over four.
    off = np.array([0.165, 0.165, -0.085, -0.085, 0.04, 0.04, -0.06, -0.06, -0.06, -0.06])
    half = (area["high"] - area["low"]) / 2
    assert (area["high"] + area["low"]) / 2 == pytest.approx(1.1)
    assert half == pytest.approx(HALF_T * CENTRED * ((off**2).sum() + 2 * 0.165**2) ** 0.5, rel=0.01)


def test_links_decide_p_and_sign_flips_over_words_stand_beside_it():
    agents = {"a": TEN, "b": NOTHING}
    (plain,), (linked,) = area_tests(agents, MODELS), area_tests(agents, MODELS, relata=BIRDS)
    assert plain["p"] == plain["cluster_p"] == linked["cluster_p"] == pytest.approx(2 / 2**6, abs=0.005)  # of six words
    assert (plain["effective_n"], linked["effective_n"]) == (None, pytest.approx(100 / 12))
    assert linked["difference"] == pytest.approx(1.1)
    # The shares are 0.35 twice, 0.1 four times and 0 four times, 0.11 on average: V = 0.164 + 2 · 0.24², as the first two
    # are linked, and t = 1.1 / √(0.2792 · 8.33 / 7.33) = 1.95 with 7.33 degrees.
    assert linked["p"] == pytest.approx(0.0899, abs=0.0002)
    assert (linked["high"] - linked["low"]) / 2 == pytest.approx(HALF_T * CENTRED * 0.2792**0.5, rel=0.01)


def test_without_shared_relata_nothing_changes():
    alone = relata(*(f"HYP w{number} thing-{number}" for number in range(10)))
    assert area_averages({"m": TEN}, relata=alone) == area_averages({"m": TEN})
    agents = {"a": TEN, "b": NOTHING}
    assert area_tests(agents, MODELS, relata=alone) == area_tests(agents, MODELS)


def test_there_is_no_p_where_words_count_as_fewer_than_six():
    same = relata(*(f"HYP w{number} thing" for number in range(10)))
    (row,) = area_tests({"a": TEN, "b": NOTHING}, MODELS, relata=same)
    assert (row["p"], row["effective_n"]) == (None, pytest.approx(1.0))
    assert row["cluster_p"] is not None
    assert "the data cannot tell" in row["note"]
