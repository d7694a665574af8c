"""The control of the swapped query: which instances it has."""

import polars as pl
from relprobe.sources.bats import PAIRS
from relprobe.studies.analogies.data import Split, bats_analogies, instances, swapped_queries, tuples
from relprobe.studies.analogies.schemas import INSTANCES, PROBE_TYPES

CAPITALS = [(f"city{n}", f"land{n}") for n in range(8)]
SIZES = [(f"small{n}", f"large{n}") for n in range(8)]


def study(**relations):
    rows = [(code, code, head, [tail]) for code, of_code in relations.items() for head, tail in of_code]
    bats = bats_analogies(pl.DataFrame(rows, schema=PAIRS, orient="row"))
    table = tuples(bats, None, Split(0.5, seed=1, draws=2))
    return table, instances(table, bats, None, 1)


def test_the_query_is_a_test_tuple_of_another_relation_and_all_else_stays():
    table, asked = study(E01=CAPITALS, E02=SIZES)
    controls = swapped_queries(asked, table, 3, seed=1)
    assert dict(controls.schema) == dict(INSTANCES)
    # 2 relations × 2 draws × 4 probes × 3 instances of the 4 · 3 that four test tuples make.
    assert controls.height == 2 * 2 * 4 * 3
    assert set(controls["partition"]) == {"test"}
    for row in controls.iter_rows(named=True):
        other = SIZES if row["relation"] == "E01" else CAPITALS
        assert (row["query_head"], row["query_tail"]) in other
        of_draw = table.filter(draw=row["draw"], partition="test", head=row["query_head"])
        assert of_draw["tail"].to_list() == [row["query_tail"]]
    key = ["relation", "draw", "partition", "probe", "head", "tail", "negative_head", "negative_tail"]
    right = asked.with_columns(instead_of=pl.format("{} : {}", "query_head", "query_tail"))
    assert controls.join(right, on=[*key, "instead_of"], how="semi").height == controls.height
    # The instances and their queries are the same in all probes.
    of_probes = controls.group_by("relation", "draw", "head", "tail", "instead_of").agg(
        pl.col("query_head").n_unique(), pl.col("probe").n_unique()
    )
    assert of_probes.height == 2 * 2 * 3
    assert of_probes.select("query_head", "probe").unique().rows() == [(1, len(PROBE_TYPES))]
    assert swapped_queries(asked, table, 3, seed=1).equals(controls)
    assert not swapped_queries(asked, table, 3, seed=2).equals(controls)


def test_a_query_shares_no_word_with_what_is_judged_and_is_no_tuple_of_the_relation(caplog):
    caplog.set_level("INFO", "relprobe")
    # The tuples of E02 are those of E01, so that none can be a query of the other's.
    table, asked = study(E01=CAPITALS, E02=CAPITALS)
    assert swapped_queries(asked, table, 3, seed=1).is_empty()
    assert "can be the query of 12 test instances" in caplog.text
    # All words of E02's tuples but one are those of E01's, in other pairs.
    mixed = [(f"city{n}", f"land{(n + 1) % 8}") for n in range(8)]
    table, asked = study(E01=CAPITALS, E02=mixed)
    controls = swapped_queries(asked, table, 12, seed=1).filter(relation="E01")
    for row in controls.iter_rows(named=True):
        judged = {row["head"], row["tail"], row["negative_head"], row["negative_tail"]}
        assert judged.isdisjoint({row["query_head"], row["query_tail"]})


def test_a_study_of_one_relation_has_no_control():
    table, asked = study(E01=CAPITALS)
    assert swapped_queries(asked, table, 3, seed=1).is_empty()
    assert swapped_queries(study(E01=CAPITALS, E02=SIZES)[1], table, 0, seed=1).is_empty()
