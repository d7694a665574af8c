"""Instances whose query is swapped: what agents lose, and what the tables and samples show."""

import numpy as np
import polars as pl
import pytest
from relprobe.stats.averages import averages
from relprobe.studies.analogies.analyses.samples import samples
from relprobe.studies.analogies.analyses.unjudged import agent_table
from relprobe.studies.analogies.compare import query_tests
from relprobe.studies.analogies.measures import MEASURES
from relprobe.studies.analogies.method import by_features, by_perplexity
from relprobe.studies.analogies.method import values as metrics
from relprobe.studies.analogies.pair_vectors import pairs
from relprobe.studies.analogies.probes import probes
from relprobe.studies.analogies.results import AgentResults
from relprobe.studies.analogies.schemas import DECISIONS, TUPLES
from relprobe.studies.analogies.swapped import swapped_queries
from relprobe.studies.analogies.tables import by_group
from relprobe.studies.analogies.tables import swapped_queries as table_of

from tests.studies.analogies.data.test_swapped import CAPITALS, SIZES, study

TEMPLATE = "What {h1} is to {t1}, {h2} is to {t2}."


class Relations:
    """Vectors that say which relation a pair is in; a pair of words of different tuples is in none."""

    def pair_embeddings(self, asked_pairs):
        known = {pair: [1.0, 0.0, 0.0] for pair in CAPITALS} | {pair: [0.0, 1.0, 0.0] for pair in SIZES}
        return np.array([known.get(pair, [0.0, 0.0, 1.0]) for pair in asked_pairs.rows()])


def test_an_agent_that_sees_which_words_are_connected_takes_the_wrong_pair_with_the_swapped_query():
    table, asked = study(E01=CAPITALS, E02=SIZES)
    every = pl.concat([asked, swapped_queries(asked, table, 3, seed=1)])
    decisions = pl.concat(by_features(rows, Relations()) for _, rows in every.group_by("relation", maintain_order=True))
    values = {"static": metrics(decisions, table)}
    queries = query_tests(values, {"static": "control"})
    rows_of_all = table_of(queries, table).filter(condition="All")
    assert rows_of_all.select("setting", "probe", "right_query", "swapped_query", "difference").rows() == [
        ("unsupervised", probe, 1.0, 0.0, 1.0) for probe in ("random", "reverse", "type")
    ]
    # The accuracies of the study itself are over all instances, and no control is among them.
    overview = by_group(averages(values, MEASURES), table, queries)
    row = overview.filter(group="All").row(0, named=True)
    assert (row["unsupervised reverse"], row["unsupervised reverse, swapped query"]) == (1.0, 0.0)
    assert overview.columns[2:4] == ["unsupervised random", "unsupervised random, swapped query"]
    test = asked.filter(partition="test").height + asked.filter(partition="train").height
    assert agent_table(AgentResults(decisions, table))["decisions"].item() == test


def test_a_blind_agent_loses_nothing_when_the_query_is_swapped():
    table, asked = study(E01=CAPITALS, E02=SIZES)
    every = pl.concat([asked, swapped_queries(asked, table, 3, seed=1)])
    texts = probes(every, template=TEMPLATE)
    # The log-probability is one of the judged pair alone: right pairs are likelier.
    right = pl.struct("h2", "t2").is_in([{"h2": head, "t2": tail} for head, tail in [*CAPITALS, *SIZES]])
    scores = texts.select("text", logprob=pl.when(right).then(-1.0).otherwise(-2.0), tokens=5).unique()
    judged = by_perplexity(scores, every, template=TEMPLATE, partitions=["train", "test"], perplexity="sentence")
    values = {"blind": metrics(judged, table)}
    rows_of_all = table_of(query_tests(values, {"blind": "model"}), table).filter(condition="All")
    assert rows_of_all.select("right_query", "swapped_query", "difference").unique().rows() == [(1.0, 1.0, 0.0)]


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
    rows_of_all = table_of(query_tests({"m": values}, {"m": "model"}), table).filter(condition="All")
    # With the right query (1 + 1)/2, with the swapped one (0 + 1)/2.
    assert rows_of_all.select("right_query", "swapped_query", "tuples").rows() == [(1.0, 0.5, 2)]
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
