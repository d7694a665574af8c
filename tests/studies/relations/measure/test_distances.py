"""From relative ranks to distances and AuDC, and where relata stand in responses, by hand."""

import numpy as np
import polars as pl
import pytest
from relprobe.studies.relations.distances import printed_area
from relprobe.studies.relations.method import audc, distances, main_probes, rank_gaps
from relprobe.studies.relations.ranks import PROMPTED, hits, mean_ranks, rank_bounds, within

from tests.studies.relations.measure.test_metrics import GOLD, responses

RANKS = [
    # relation, versus, target, prompt, rank
    ("HYP", "HYP", "robin", "p", 0.0),
    ("HYP", "MER", "robin", "p", 1.0),
    ("HYP", "HYP", "robin", "q", 0.5),
    ("HYP", "MER", "robin", "q", 0.5),
    ("HYP", "HYP", "wall", "p", 1.0),
    ("HYP", "MER", "wall", "p", 0.75),
    ("HYP", "ANT", "wall", "p", 0.5),
]


def ranks():
    table = pl.DataFrame(RANKS, schema=["relation", "versus", "target", "prompt_id", "value"], orient="row")
    return table.with_columns(metric=pl.lit("distinguishability"), agent=pl.lit("m"))


def test_a_distance_is_averaged_over_prompts_and_then_over_targets():
    found = {row[0]: row[1] for row in distances(rank_gaps(ranks(), ["agent"])).select("versus", "value").rows()}
    # robin: 1 and 0, so 1/2; wall: -1/4. Over the two targets 1/8; over the three probes it would be 1/4
    assert found == {"MER": pytest.approx(1 / 8), "ANT": pytest.approx(-1 / 2)}


def test_audc_is_the_sum_of_the_distances():
    assert audc(distances(rank_gaps(ranks(), ["agent"]))).rows() == [("m", "audc", pytest.approx(1 / 8 - 1 / 2))]


def test_audc_as_printed_takes_the_means_of_each_relation_and_no_distance_below_0():
    # own: robin 1/4 and wall 1, so 5/8; meronyms: 3/4 and 3/4, so 3/4; antonyms: 1/2, which is nearer than the own ones
    assert printed_area(ranks()).rows() == [("audc_printed", pytest.approx(3 / 4 - 5 / 8), 2)]


def test_an_empty_response_leaves_the_ranks_of_the_next_one_as_they_are():
    given = responses(hyp1_robin="x bird", hyp2_robin="", hol1_wall="x=building=y house")
    table = hits(given, GOLD.probes, GOLD.relata, GOLD.tuples).sort("response", "position")
    assert table.select("response", "word", "position", "first", "last").rows() == [
        (0, "bird", 2, 2, 2),
        (2, "building", 2, 1, 3),
        (2, "house", 4, 4, 4),
    ]


def test_a_word_that_a_response_has_twice_leaves_the_ranks_of_the_next_one_as_they_are():
    table = hits(responses(hyp1_robin="bird bird x", hol1_wall="x building"), GOLD.probes, GOLD.relata, GOLD.tuples)
    assert table.select("response", "word", "position").rows() == [(0, "bird", 1), (1, "building", 2)]


@pytest.mark.parametrize(
    ("ties", "ranks"),
    [
        ("favourable", {"feather": 3, "bird": 1, "wing": 4, "animal": 2}),
        ("unfavourable", {"feather": 1, "bird": 3, "wing": 2, "animal": 4}),
        ("listed", {"feather": 1, "bird": 2, "wing": 3, "animal": 4}),
    ],
)
def test_tied_words_of_the_relation_come_first_or_last_and_the_others_keep_their_order(ties, ranks):
    table = hits(responses(hyp1_robin="feather=bird=wing=animal"), GOLD.probes, GOLD.relata, GOLD.tuples)
    ranked = table.select("word", *rank_bounds(ties, [], PROMPTED))
    assert dict(ranked.select("word", "low").rows()) == dict(ranked.select("word", "high").rows()) == ranks


def test_the_chance_to_be_among_the_first_k_is_between_0_and_1():
    table = pl.DataFrame({"low": [4.0, 1.0, 2.0, 2.0], "high": [6.0, 1.0, 3.0, 5.0]})
    # behind them, before them, one of the ranks 2 and 3, and one of 2 to 5
    assert table.select(within(pl.lit(2))).to_series().to_list() == [0, 1, 1 / 2, 1 / 4]


def test_the_size_of_a_response_is_that_of_its_list():
    units = main_probes(responses(hyp1_robin="bird bird x"), GOLD)
    assert units.select("target", "relata", "size").rows() == [("robin", 3, 3)]


def test_the_area_as_printed_is_the_same_to_the_last_digit_every_time():
    generator = np.random.default_rng(1)
    codes = ["HYP", "HPO", "HOL", "MER", "ANT", "SYN"]
    rows = [
        (one, other, f"w{word}", "p", "distinguishability", float(generator.random()))
        for one in codes
        for other in codes
        for word in range(300)
    ]
    table = pl.DataFrame(rows, schema=["relation", "versus", "target", "prompt_id", "metric", "value"], orient="row")
    assert len({printed_area(table)["value"].item() for _ in range(30)}) == 1


def test_the_area_as_printed_needs_a_second_relation():
    assert printed_area(ranks().filter(pl.col("relation") == pl.col("versus"))).rows() == []


def test_a_relatum_has_the_mean_of_the_relative_ranks_that_it_can_take():
    """At a depth of 3: rank 2 alone has 1/3; of 2 to 5, two are beyond the depth: (1/3 + 2/3 + 1 + 1)/4; 4 is beyond."""
    near = pl.DataFrame({"key": ["a", "b", "c", "c"], "low": [2, 2, 4, 1], "high": [2, 5, 4, 1], "k": [3] * 4})
    assert mean_ranks(near, ["key"]).sort("key").rows() == [
        ("a", pytest.approx(1 / 3), 1),
        ("b", pytest.approx(3 / 4), 1),
        ("c", pytest.approx(1), 2),
    ]
