"""The control of the swapped query: which instances it has, and the accuracies beside those with the right query."""

import numpy as np
import polars as pl
import pytest
from relprobe.sources.bats import PAIRS
from relprobe.stats.averages import averages
from relprobe.studies.analogies.ask.pair_embeddings import pairs
from relprobe.studies.analogies.ask.probes import probes
from relprobe.studies.analogies.compare.analyses import contrasts
from relprobe.studies.analogies.data.instances import Split, instances, tuples
from relprobe.studies.analogies.data.relations import of_bats
from relprobe.studies.analogies.data.swapped import swapped_queries
from relprobe.studies.analogies.measure.metrics import MEASURES, metrics, unjudged
from relprobe.studies.analogies.measure.unsupervised import by_features, by_perplexity
from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES, PROBE_TYPES, TUPLES
from relprobe.studies.analogies.show.samples import samples
from relprobe.studies.analogies.show.tables import by_group
from relprobe.studies.analogies.show.tables import swapped as table_of

TEMPLATE = "What {h1} is to {t1}, {h2} is to {t2}."
CAPITALS = [(f"city{n}", f"land{n}") for n in range(8)]
SIZES = [(f"small{n}", f"large{n}") for n in range(8)]


def study(**relations):
    rows = [(code, code, head, [tail]) for code, of_code in relations.items() for head, tail in of_code]
    bats = of_bats(pl.DataFrame(rows, schema=PAIRS, orient="row"))
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


class Relations:
    """Vectors that say which relation a pair is in; a pair of words of different tuples is in none."""

    def of_pairs(self, of_pairs):
        known = {pair: [1.0, 0.0, 0.0] for pair in CAPITALS} | {pair: [0.0, 1.0, 0.0] for pair in SIZES}
        return np.array([known.get(pair, [0.0, 0.0, 1.0]) for pair in of_pairs.rows()])


def test_an_agent_that_compares_with_the_query_guesses_with_the_swapped_one():
    table, asked = study(E01=CAPITALS, E02=SIZES)
    every = pl.concat([asked, swapped_queries(asked, table, 3, seed=1)])
    decisions = pl.concat(by_features(rows, Relations()) for _, rows in every.group_by("relation", maintain_order=True))
    values = {"static": metrics(decisions, table)}
    queries = contrasts(values, kinds={"static": "control"}).queries
    of_all = table_of(queries, table).filter(condition="All")
    assert of_all.select("setting", "probe", "right_query", "swapped_query", "difference").rows() == [
        ("unsupervised", probe, 1.0, 0.5, 0.5) for probe in ("random", "reverse", "type")
    ]
    # The accuracies of the study itself are over all instances, and no control is among them.
    overview = by_group(averages(values, MEASURES), table, queries)
    row = overview.filter(group="All").row(0, named=True)
    assert (row["unsupervised reverse"], row["unsupervised reverse, swapped query"]) == (1.0, 0.5)
    assert overview.columns[2:4] == ["unsupervised random", "unsupervised random, swapped query"]
    test = asked.filter(partition="test").height + asked.filter(partition="train").height
    assert unjudged(decisions)["decisions"].item() == test


def test_a_blind_agent_loses_nothing_when_the_query_is_swapped():
    table, asked = study(E01=CAPITALS, E02=SIZES)
    every = pl.concat([asked, swapped_queries(asked, table, 3, seed=1)])
    texts = probes(every, template=TEMPLATE)
    # The log-probability is one of the judged pair alone: right pairs are likelier.
    right = pl.struct("h2", "t2").is_in([{"h2": head, "t2": tail} for head, tail in [*CAPITALS, *SIZES]])
    scores = texts.select("text", logprob=pl.when(right).then(-1.0).otherwise(-2.0), tokens=5).unique()
    judged = by_perplexity(scores, every, template=TEMPLATE, partitions=["train", "test"], perplexity="sentence")
    values = {"blind": metrics(judged, table)}
    of_all = table_of(contrasts(values, kinds={"blind": "masked"}).queries, table).filter(condition="All")
    assert of_all.select("right_query", "swapped_query", "difference").unique().rows() == [(1.0, 1.0, 0.0)]


def test_only_instances_that_were_judged_with_both_queries_are_compared():
    about = [
        ("E01", "E01", "ES", 1, "test", h, t, [t], f"{h} : {t}", "") for h, t in (("a", "b"), ("c", "d"), ("e", "f"))
    ]
    table = pl.DataFrame(about, schema=TUPLES, orient="row")
    rows = [
        # tuple, right query, decision with it, decision with the swapped query
        ("c : d", "a : b", 1.0, 0.0),
        ("c : d", "e : f", 0.0, None),  # without a vector for the swapped query: in neither mean
        ("e : f", "a : b", 1.0, 1.0),
        ("e : f", "c : d", None, 1.0),  # without one for the right query
    ]
    full = []
    for positive, query, value, control in rows:
        where = ("unsupervised", "E01", "reverse", 1)
        full.append((*where, query, positive, *positive.split(" : "), None, value, None))
        full.append((*where, "x : y", positive, *positive.split(" : "), None, control, query))
    values = metrics(pl.DataFrame(full, schema=DECISIONS, orient="row"), table)
    of_all = table_of(contrasts({"m": values}, kinds={"m": "masked"}).queries, table).filter(condition="All")
    # With the right query (1 + 1)/2, with the swapped one (0 + 1)/2.
    assert of_all.select("right_query", "swapped_query", "tuples").rows() == [(1.0, 0.5, 2)]
    # The accuracy of the study is over all its decisions: c : d has (1 + 0)/2, e : f has 1.
    own = values.filter(metric="unsupervised reverse", condition="All")
    assert sorted(own["value"]) == [0.5, 1.0]


def test_controls_are_no_sample_pairs_and_their_queries_are_embedded():
    table, asked = study(E01=CAPITALS, E02=SIZES)
    controls = swapped_queries(asked, table, 3, seed=1)
    assert samples(pl.concat([controls, asked])).equals(samples(asked))
    swapped_pairs = set(controls.select("relation", "query_head", "query_tail").rows())
    assert swapped_pairs <= {(pair.relation, pair.head, pair.tail) for pair in pairs(pl.concat([asked, controls]))}
    with pytest.raises(AssertionError):
        assert swapped_pairs <= {(pair.relation, pair.head, pair.tail) for pair in pairs(asked)}
