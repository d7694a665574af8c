"""The control of the swapped query: which instances it has."""

import polars as pl
from relprobe.sources.bats import PAIRS
from relprobe.studies.analogies.method import Split, instances, tuples
from relprobe.studies.analogies.relations import bats_analogies
from relprobe.studies.analogies.schemas import INSTANCES, PROBE_TYPES
from relprobe.studies.analogies.swapped import _mixed, swapped_queries

CAPITALS = [(f"city{n}", f"land{n}") for n in range(12)]
SIZES = [(f"small{n}", f"large{n}") for n in range(12)]


def study(**relations):
    rows = [(code, code, head, [tail]) for code, code_pairs in relations.items() for head, tail in code_pairs]
    bats = bats_analogies(pl.DataFrame(rows, schema=PAIRS, orient="row"))
    table = tuples(bats, None, Split(0.5, seed=1, draws=2))
    return table, instances(table, bats, None, 1)


def test_the_query_is_of_two_test_tuples_of_the_relation_and_all_else_stays():
    table, asked = study(E01=CAPITALS, E02=SIZES)
    controls = swapped_queries(asked, table, 3, seed=1)
    assert dict(controls.schema) == dict(INSTANCES)
    # 2 relations × 2 draws × 4 probes × 3 instances of the 6 · 5 that six test tuples make.
    assert controls.height == 2 * 2 * 4 * 3
    assert set(controls["partition"]) == {"test"}
    for row in controls.iter_rows(named=True):
        own = table.filter(draw=row["draw"], partition="test", relation=row["relation"])
        assert row["query_head"] in own["head"].to_list()
        assert row["query_tail"] in own["tail"].to_list()
        assert (row["query_head"], row["query_tail"]) not in own.select("head", "tail").rows()
    key = ["relation", "draw", "partition", "probe", "head", "tail", "negative_head", "negative_tail"]
    right = asked.with_columns(instead_of=pl.format("{} : {}", "query_head", "query_tail"))
    assert controls.join(right, on=[*key, "instead_of"], how="semi").height == controls.height
    # The instances and their queries are the same in all probes.
    probe_counts = controls.group_by("relation", "draw", "head", "tail", "instead_of").agg(
        pl.col("query_head").n_unique(), pl.col("probe").n_unique()
    )
    assert probe_counts.height == 2 * 2 * 3
    assert probe_counts.select("query_head", "probe").unique().rows() == [(1, len(PROBE_TYPES))]
    assert swapped_queries(asked, table, 3, seed=1).equals(controls)
    assert not swapped_queries(asked, table, 3, seed=2).equals(controls)


def test_a_query_shares_no_word_with_what_is_judged_and_is_no_tuple_of_the_relation_either_way_round(caplog):
    caplog.set_level("INFO", "relprobe")
    around = [(f"w{n}", f"w{(n + 1) % 12}") for n in range(12)]
    table, asked = study(E01=around)
    controls = swapped_queries(asked, table, 12, seed=1)
    pairs = {frozenset(pair) for pair in around}
    for row in controls.iter_rows(named=True):
        query = {row["query_head"], row["query_tail"]}
        assert frozenset(query) not in pairs
        assert query.isdisjoint({row["head"], row["tail"], row["negative_head"], row["negative_tail"]})


def test_no_query_repeats_a_word_or_has_a_known_pair_turned():
    pairs = [("a", "b"), ("b", "c"), ("d", "a")]
    # a : c and d : b and d : c are new; b : b and a : a repeat a word, and b : a and a : d are pairs turned.
    assert _mixed(pairs, set(pairs)) == [("a", "c"), ("d", "b"), ("d", "c")]


def test_instances_without_a_query_are_counted(caplog):
    """Of three test tuples two are judged, and the words of the third are in the wrong pairs."""
    caplog.set_level("INFO", "relprobe")
    table, asked = study(E01=CAPITALS[:6], E02=SIZES)
    controls = swapped_queries(asked, table, 6, seed=1)
    lost = 2 * 6 - controls.filter(relation="E01", probe="reverse").height
    assert lost
    assert f"no two tuples of the relation can make the query of {lost} test instances" in caplog.text


def test_a_study_of_one_relation_has_the_control_unless_it_asks_for_none():
    table, asked = study(E01=CAPITALS)
    assert swapped_queries(asked, table, 3, seed=1).height == 2 * 4 * 3
    assert swapped_queries(asked, table, 0, seed=1).is_empty()


def right(query, pairs, alike):
    """Return the share of a query's pairs (right, wrong) that an agent finds that goes by what words look like alone."""
    likeness = [[alike(query, pair) for pair in pair_of] for pair_of in pairs]
    return sum((one > other) + (one == other) / 2 for one, other in likeness) / len(likeness)


def test_an_agent_that_compares_letters_gains_nothing_from_the_right_query():
    table, asked = study(I01=[(f"{letter}o", f"{letter}os") for letter in "bcdfghklmnpr"])
    controls = swapped_queries(asked, table, 60, seed=1).filter(probe="reverse")

    def alike(query, pair):
        return sum(one[-1] == other[-1] for one, other in zip(query, pair, strict=True))

    judged = [
        ((row["head"], row["tail"]), (row["negative_head"], row["negative_tail"])) for row in controls.rows(named=True)
    ]
    mixed = [(row["query_head"], row["query_tail"]) for row in controls.rows(named=True)]
    own = [tuple(row["instead_of"].split(" : ")) for row in controls.rows(named=True)]
    shares = [
        [right(query, [pairs], alike) for query, pairs in zip(queries, judged, strict=True)] for queries in (mixed, own)
    ]
    assert shares[0] == shares[1]
    assert set(shares[0]) == {1.0}
