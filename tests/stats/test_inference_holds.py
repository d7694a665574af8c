"""A small seeded version of benchmarks/inference.py, linked.py and series.py.

Over simulated studies, tests and intervals are right as often as said. With 300 studies a rate of 0.05 has the standard
error 0.013, so that the bounds are two and a half of them wide.
"""

import numpy as np
import polars as pl
import pytest
from relprobe.stats import linked_p

from benchmarks.inference import DESIGNS, audc_rates, rates, repeated_tuples, share_rates
from benchmarks.linked import LIKINGS, Sharing, families_of, linked_rates, sharing, taste
from benchmarks.series import findings, half_rates, linked_half_rates, trend_rates

pytestmark = pytest.mark.slow("it simulates hundreds of studies")
STUDIES = 300


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_equal_agents_differ_in_one_of_twenty_studies_and_intervals_hold_the_truth(design):
    null = rates(design, 40, 0.0, STUDIES, seed=1)
    assert 0.02 <= null.ours <= 0.085
    assert 0.915 <= null.difference <= 0.98
    assert 0.915 <= null.mean <= 0.98


def test_the_interval_of_a_true_difference_holds_it_and_the_test_finds_it():
    other = rates(DESIGNS[0], 150, 0.1, STUDIES, seed=2)
    assert 0.915 <= other.difference <= 0.98
    assert other.ours > 0.8


def test_mcnemar_over_the_probes_of_targets_calls_equal_agents_different():
    null = rates(DESIGNS[1], 100, 0.0, STUDIES, seed=3)
    assert null.paper > 0.2
    assert null.ours < 0.085


def test_the_interval_of_a_share_near_one_holds_it_where_the_bootstrap_does_not():
    bootstrap, wilson = share_rates(18, 0.97, STUDIES, seed=4)
    assert bootstrap < 0.9 < wilson


def test_audc_without_signal_is_not_above_chance():
    clipped, plain, chance, exchange = audc_rates(30, 60, seed=5)
    assert clipped == 1.0  # the percentile interval of clipped distances
    assert max(plain, chance, exchange) < 0.17


def test_repeated_decisions_make_any_frequency_significant():
    assert repeated_tuples(100, 24, 20, seed=6) > 0.9


def test_the_trend_of_equal_members_is_significant_in_one_of_twenty_studies():
    for means in (np.full(8, 0.35), 0.35 + 0.1 * np.sin(np.pi * np.arange(8) / 7)):  # equal; better in the middle
        found, held = trend_rates(means, 30, STUDIES, seed=1)
        assert 0.02 <= found <= 0.085
        assert 0.915 <= held <= 0.98
    assert trend_rates(np.linspace(0.3, 0.4, 8), 150, STUDIES, seed=2)[0] > 0.9


def test_the_interval_of_the_place_where_half_is_reached_holds_it():
    for members, widest in ((31, 0.2), (11, 0.3)):  # of all layers of the true curve, and of every third
        found, held, _, width = half_rates(members, (0.4, 12.0), 100, STUDIES // 2, seed=4)
        assert found == 1.0
        assert held >= 0.905
        assert width < widest
    found, held = linked_half_rates(11, (0.4, 12.0), 100, STUDIES // 2, seed=5)
    assert found > 0.9
    assert held >= 0.905


def test_max_t_finds_worse_members_and_rarely_any_equal_one():
    by_max_t, by_holm = findings(np.array([0.2] * 5 + [0.35] * 5), 40, 100, seed=3)
    assert by_max_t[:, 5:].any(axis=1).mean() <= 0.1
    assert by_max_t[:, :5].mean() >= by_holm[:, :5].mean() > 0.5


def hypernyms_of(words: int) -> Sharing:
    """Return 200 targets that have one to three of these words each, so that links overlap."""
    generator = np.random.default_rng(9)
    rows = [
        (f"t{target}", word)
        for target in range(200)
        for word in generator.integers(words, size=generator.integers(1, 4)).tolist()
    ]
    table = pl.DataFrame(rows, schema=["target", "word"], orient="row")
    return sharing("hypernyms", table["target"], table["word"])


def test_a_word_is_that_of_all_items_that_share_it():
    items = sharing("", pl.Series(["a", "a", "b", "c", "c"]), pl.Series(["x", "y", "y", "z", "z"]))
    assert (items.words.tolist(), items.starts.tolist()) == ([0, 1, 1, 2], [0, 2, 3])
    assert items.links.matrix.toarray().tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_sign_flips_over_targets_that_share_relata_call_equal_agents_different_and_the_linked_test_does_not():
    few = sharing("", *(pl.Series([i if one else i // 8 for i in range(240)]) for one in (True, False)))  # 30 families
    for items in (few, hypernyms_of(40)):
        null = linked_rates(items, LIKINGS[0], 0.0, STUDIES, seed=10)
        assert null.flips > 0.15
        assert 0.01 <= null.linked <= 0.085
        assert 0.915 <= null.difference <= 0.995
        assert null.mean >= 0.9


def test_the_linked_test_finds_a_difference_and_its_interval_holds_it():
    other = linked_rates(hypernyms_of(40), LIKINGS[0], 1.2, STUDIES, seed=11)
    assert other.linked > 0.5
    assert other.difference >= 0.9


def test_links_that_make_clusters_give_the_linked_test_its_rate():
    items, generator = families_of(np.full(40, 5)), np.random.default_rng(12)
    a, b = (taste(items, LIKINGS[0], 0.0, STUDIES, generator) for _ in "ab")
    found = [linked_p(a[:, column] - b[:, column], items.links) for column in range(STUDIES)]
    assert 0.015 <= np.mean([p is not None and p < 0.05 for p in found]) <= 0.085
