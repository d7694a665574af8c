"""Which pairs of relations AuDC is over."""

from dataclasses import replace

import polars as pl
from relprobe.studies.relations.distances import relation_pairs
from relprobe.studies.relations.lists import LISTS
from relprobe.studies.relations.schemas import PAIRS, TUPLES
from relprobe.studies.relations.values import example_gold

from tests.studies.relations.measure.test_metrics import GOLD
from tests.studies.relations.six import SIX


def counted(*pairs):
    rows = [(*pair.split(), 3, 0, True) for pair in pairs] + [("SYN", "ANT", 1, 0, False)]
    return pl.DataFrame(rows, schema=PAIRS, orient="row")


def rows_by_pair(table):
    return {row[:2]: row[2:] for row in table.filter(pl.col("targets") > 0).rows()}


def test_a_target_of_a_pair_is_asked_for_the_first_relation_and_has_relata_of_both():
    # robin HYP with the meronyms wing and feather; wall HOL with the meronym room, for which a trick probe asks;
    # day has an antonym and a synonym
    table = relation_pairs(GOLD, minimum=1)
    assert table.schema == PAIRS
    assert table.height == SIX.pairs
    assert rows_by_pair(table) == {
        ("HYP", "MER"): (1, 0, True),
        ("HOL", "MER"): (1, 1, True),
        ("ANT", "SYN"): (1, 1, True),
        ("SYN", "ANT"): (1, 1, True),
    }
    assert relation_pairs(GOLD, minimum=2)["counted"].sum() == 0


def test_where_people_take_part_their_targets_count():
    gold = example_gold("ant:night", "ant:day", "hyp:robin")
    times = pl.DataFrame([(w, "HYP", "time", ["hand"]) for w in ("night", "day")], schema=TUPLES, orient="row")
    gold = replace(gold, relata=pl.concat([gold.relata, times]))
    all_rows = {("HYP", "MER"): (1, 0, True), ("ANT", "HYP"): (2, 0, True)}
    assert rows_by_pair(relation_pairs(gold, 1)) == all_rows
    lists = pl.DataFrame([("ant:day", 1, ["x"])], schema=LISTS, orient="row")
    # of antonymy people were asked about day; of hypernymy about nothing, so its targets are those of the study
    assert rows_by_pair(relation_pairs(gold, 1, lists)) == all_rows | {("ANT", "HYP"): (1, 0, True)}
