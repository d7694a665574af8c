"""From relative ranks to distances and AuDC, and where relata stand in responses, by hand."""

import polars as pl
import pytest
from relprobe.studies.relations.distances import areas, distances, gaps, printed_area
from relprobe.studies.relations.hits import hits

from tests.studies.relations.test_metrics import GOLD, responses

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
    found = {row[0]: row[1] for row in distances(gaps(ranks(), ["agent"])).select("versus", "value").rows()}
    # robin: 1 and 0, so 1/2; wall: -1/4. Over the two targets 1/8; over the three probes it would be 1/4
    assert found == {"MER": pytest.approx(1 / 8), "ANT": pytest.approx(-1 / 2)}


def test_audc_is_the_sum_of_the_distances():
    assert areas(distances(gaps(ranks(), ["agent"]))).rows() == [("m", "audc", pytest.approx(1 / 8 - 1 / 2))]


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
