"""Which pairs of relations AuDC is over."""

from dataclasses import replace

import polars as pl
from relprobe.studies.relations.compare.analyses import averages_of as averages
from relprobe.studies.relations.compare.analyses import between_agents
from relprobe.studies.relations.compare.distinguishability.chance import chance, chance_table
from relprobe.studies.relations.measure.example import example, example_gold
from relprobe.studies.relations.measure.metrics import Choices
from relprobe.studies.relations.measure.relation_pairs import audc_label, relation_pairs
from relprobe.studies.relations.measure.responses.ranked_lists import LISTS
from relprobe.studies.relations.schemas import AVERAGES, CHANCE, CHANCE_TABLE, PAIRS, TUPLES

from tests.studies.relations.compare.test_analyses import NOTHING_SHARED, delta, only, units
from tests.studies.relations.measure.test_metrics import GOLD
from tests.studies.relations.six import SIX


def counted(*pairs):
    rows = [(*pair.split(), 3, 0, True) for pair in pairs] + [("SYN", "ANT", 1, 0, False)]
    return pl.DataFrame(rows, schema=PAIRS, orient="row")


def of_pairs(table):
    return {row[:2]: row[2:] for row in table.filter(pl.col("targets") > 0).rows()}


def test_a_target_of_a_pair_is_asked_for_the_first_relation_and_has_relata_of_both():
    # robin HYP with the meronyms wing and feather; wall HOL with the meronym room, for which a trick probe asks;
    # day has an antonym and a synonym
    table = relation_pairs(GOLD, minimum=1)
    assert table.schema == PAIRS
    assert table.height == SIX.pairs
    assert of_pairs(table) == {
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
    of_all = {("HYP", "MER"): (1, 0, True), ("ANT", "HYP"): (2, 0, True)}
    assert of_pairs(relation_pairs(gold, 1)) == of_all
    lists = pl.DataFrame([("ant:day", 1, ["x"])], schema=LISTS, orient="row")
    # of antonymy people were asked about day; of hypernymy about nothing, so its targets are those of the study
    assert of_pairs(relation_pairs(gold, 1, lists)) == of_all | {("ANT", "HYP"): (1, 0, True)}


DELTAS = units(
    *(delta("HYP", s, v, w) for w in "abc" for s, v in (("HYP", 0.0), ("MER", 0.5))),
    delta("SYN", "SYN", 0.0, "a"),
    delta("SYN", "ANT", 1.0, "a"),
)


def test_audc_is_over_the_counted_pairs_and_says_how_many_and_how_many_targets_they_have():
    found = averages({"m": DELTAS}, relations=SIX, pairs=counted("HYP MER"))
    area = only(found, metric="audc")
    assert (area["value"], area["units"], area["least_targets"]) == (0.5, 1, 3)
    every = only(averages({"m": DELTAS}, relations=SIX), metric="audc")
    assert (every["value"], every["units"], every["least_targets"]) == (1.5, 2, 1)
    assert only(found, metric="audc_printed")["value"] == 1.5  # the paper's is over all pairs
    distances = found.filter(metric="distinguishability")
    assert dict(distances.select("versus", "in_audc").iter_rows()) == {"MER": True, "ANT": False}
    assert found.schema == AVERAGES
    assert audc_label(found, SIX) == "AuDC (of 1 of 30 pairs)"


def test_another_agent_does_not_change_which_pairs_count():
    more = pl.concat([DELTAS, units(*(delta("SYN", s, 0.5, w) for w in "bcd" for s in ("SYN", "ANT")))])
    alone, both = (
        averages(agents, relations=SIX, pairs=counted("HYP MER"))
        for agents in ({"m": DELTAS}, {"m": DELTAS, "n": more})
    )
    assert only(alone, metric="audc") == only(both, metric="audc", agent="m")


def test_the_test_of_audc_is_over_the_counted_pairs():
    other = DELTAS.with_columns(value=pl.when(versus="ANT").then(0.0).otherwise("value"))
    kinds = {"a": "model", "b": "model"}
    every, some = (
        only(between_agents({"a": DELTAS, "b": other}, NOTHING_SHARED, SIX, pairs, kinds=kinds), metric="audc")
        for pairs in (None, counted("HYP MER"))
    )
    assert (every["difference"], some["difference"], some["units"]) == (1.0, 0.0, 3)


def test_chance_has_targets_and_no_p_of_a_pair_that_does_not_count():
    one = example(hyp_robin="bird animal x")
    table = chance(one, Choices(), counted("HYP MER"))
    assert table.select("metric", "pairs", "targets").rows() == [("distinguishability", None, 1), ("audc", 1, 1)]
    assert table["p"].null_count() == 0
    none = chance(one, Choices(), counted())
    assert none.select("metric", "p").rows() == [("distinguishability", None)]


def test_ps_of_chance_are_adjusted_over_the_distances_of_a_kind_and_over_their_audc():
    rows = [("distinguishability", 0.01), ("distinguishability", 0.03), ("distinguishability", None), ("audc", 0.04)]
    table = pl.DataFrame([{"metric": metric, "p": p} for metric, p in rows], schema=CHANCE)
    found = chance_table({"a": table, "b": table, "c": table}, {"a": "model", "b": "model", "c": "control"})
    assert found.schema == CHANCE_TABLE
    # four distances of models: 4 · .01 twice, then 2 · .03; two of AuDC: 2 · .04
    assert found.filter(agent="a")["p_holm"].to_list() == [0.04, 0.06, None, 0.08]
    assert found.filter(agent="c")["p_holm"].to_list() == [0.02, 0.03, None, 0.04]
    assert found["agent"].to_list() == [*"aaaabbbbcccc"]
