"""What the page shows of the instances: sample pairs, and what training has shown of the test."""

import polars as pl
import pytest
from relprobe.sources.bats import read
from relprobe.studies.analogies.analyses.samples import SAMPLES, samples
from relprobe.studies.analogies.method import Split, tuples
from relprobe.studies.analogies.relations import bats_analogies
from relprobe.studies.analogies.schemas import PROBE_TYPES
from relprobe.studies.analogies.tables import seen_words

from tests.studies.analogies.data.test_instances import CAPITALS, DATA, build, relation


def test_sample_pairs_are_of_one_query_and_of_every_probe():
    _, instance_rows = build(CAPITALS)
    table = samples(instance_rows)
    assert table.schema == SAMPLES
    assert table["query"].n_unique() == 1
    assert table["probe"].to_list() == [probe for probe in PROBE_TYPES for _ in range(2)]
    paris = relation("E01", [("france", ["paris"]), *((f"country{n}", [f"city{n}"]) for n in range(9))])
    assert set(samples(build(paris)[1])["query"]) == {"france : paris"}


@pytest.mark.skipif(not DATA.is_dir(), reason="BATS is not at hand")
def test_training_shows_most_colours_of_the_test_unless_the_split_is_lexical():
    tables = {
        lexical: tuples(bats_analogies(read(DATA)), None, Split(0.5, seed=1, draws=5, lexical=lexical))
        for lexical in (False, True)
    }
    seen = {lexical: dict(seen_words(table).drop("heads_seen").iter_rows()) for lexical, table in tables.items()}
    assert seen[False]["E09"] > 0.8
    assert set(seen[True].values()) == {0.0}
    assert set(tables[True].group_by("relation", "draw", "partition").len()["len"]) == {25}


def test_the_samples_are_the_first_pairs_of_each_probe():
    _, instance_rows = build(CAPITALS)
    table = samples(instance_rows)
    first = instance_rows.filter(pl.col("instead_of").is_null()).row(0, named=True)
    query = {name: first[name] for name in ("relation", "draw", "partition", "query_head", "query_tail")}
    for probe in PROBE_TYPES:
        rows = instance_rows.filter(pl.col("instead_of").is_null(), probe=probe, **query).head(2)
        expected = [
            (f"{row['head']} : {row['tail']}", f"{row['negative_head']} : {row['negative_tail']}")
            for row in rows.iter_rows(named=True)
        ]
        assert table.filter(probe=probe).select("positive", "negative").rows() == expected
