"""The pairs of relations that count in averages and tests."""

import polars as pl
from relprobe.studies.relations.averages import averages_of as averages
from relprobe.studies.relations.compare import between_agents
from relprobe.studies.relations.distances import audc_label
from relprobe.studies.relations.schemas import AVERAGES

from tests.studies.relations.compare.test_analyses import NOTHING_SHARED, delta, only, units
from tests.studies.relations.measure.test_relation_pairs import counted
from tests.studies.relations.six import SIX

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
    every, some = (
        only(between_agents({"a": DELTAS, "b": other}, NOTHING_SHARED, SIX, pairs), metric="audc")
        for pairs in (None, counted("HYP MER"))
    )
    assert (every["difference"], some["difference"], some["units"]) == (1.0, 0.0, 3)
