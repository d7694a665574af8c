"""Units, averages, tables, figures and frequency tests, from decisions written by hand."""

import math

import numpy as np
import polars as pl
import pytest
import wordfreq
from relprobe.core.stats import kolmogorov_smirnov
from relprobe.core.units import UNITS, averages, paired_tests
from relprobe.report.published import OURS, read
from relprobe.sources.bats import PAIRS
from relprobe.studies.analogies.figures import draw
from relprobe.studies.analogies.frequency import frequency_tests, harmonic_mean
from relprobe.studies.analogies.instances import instances, tuples
from relprobe.studies.analogies.metrics import METRICS, metrics
from relprobe.studies.analogies.published import ours
from relprobe.studies.analogies.schemas import DECISIONS
from relprobe.studies.analogies.tables import by_group, by_relation, data, frequency_summary, unjudged

from tests.paths import ROOT


def decision_rows(rows, setting="supervised"):
    full = [
        (setting, relation, probe, query, head, tail, True, value) for relation, probe, query, head, tail, value in rows
    ]
    return pl.DataFrame(full, schema=DECISIONS, orient="row")


# E01 is unmarked; L08 is many-to-many and bidirectional, of another group.
ROWS = [
    ("E01", "random_head", "a : b", "c", "d", 1.0),
    ("E01", "random_head", "a : b", "e", "f", 0.0),
    ("E01", "random_head", "c : d", "a", "b", 1.0),
    ("E01", "random_tail", "a : b", "c", "d", 1.0),
    ("E01", "random_tail", "c : d", "a", "b", 0.5),
    ("E01", "random_tail", "c : d", "e", "f", None),
    ("L08", "random_head", "x : y", "u", "v", 0.0),
    ("L08", "reverse", "x : y", "u", "v", 1.0),
]


def values(table, metric, condition):
    return dict(table.filter(metric=metric, condition=condition).select("unit", "value").iter_rows())


def test_the_units_of_a_relation_are_its_queries():
    table = metrics(decision_rows(ROWS))
    assert dict(table.schema) == dict(UNITS)
    # random_head: query a:b (1 + 0)/2, c:d 1. random: a:b (1 + 0 + 1)/3, c:d (1 + 1/2)/2; the missing value takes no part.
    assert values(table, "supervised random_head", "E01") == {"E01 a : b": 0.5, "E01 c : d": 1.0}
    assert values(table, "supervised random", "E01") == {"E01 a : b": pytest.approx(2 / 3), "E01 c : d": 0.75}


def test_the_units_of_a_group_are_its_relations():
    table = metrics(decision_rows(ROWS))
    # E01: the mean of its queries, (1/2 + 1)/2.
    assert values(table, "supervised random_head", "ES") == {"E01": 0.75}
    assert values(table, "supervised random_head", "LS") == {"L08": 0.0}
    assert values(table, "supervised random_head", "All") == {"E01": 0.75, "L08": 0.0}
    assert values(table, "supervised reverse", "All") == {"L08": 1.0}


def test_marked_relations_take_no_part_in_the_unmarked_means():
    table = metrics(decision_rows(ROWS))
    assert values(table, "supervised random_head", "unmarked") == {"E01": 0.75}
    assert values(table, "supervised random_head", "ES unmarked") == {"E01": 0.75}
    assert values(table, "supervised reverse", "unmarked") == {}
    assert set(table["condition"]) == {"E01", "L08", "ES", "LS", "All", "unmarked", "ES unmarked"}


NAMES = {"E01": "country - capital", "L08": "synonyms - exact"}


@pytest.fixture
def means():
    both = pl.concat([decision_rows(ROWS), decision_rows(ROWS, "unsupervised").with_columns(label=None)])
    return averages({"model": metrics(both), "static": metrics(decision_rows(ROWS))}, METRICS)


def test_table_1_has_a_row_per_group_and_agent_and_a_column_per_setting_and_probe(means):
    table = by_group(means)
    assert table.columns == [
        *("group", "agent", "supervised random", "supervised reverse", "unsupervised random", "unsupervised reverse")
    ]
    rows = {(row["group"], row["agent"]): row for row in table.iter_rows(named=True)}
    assert list(dict.fromkeys(group for group, _ in rows)) == ["ES", "LS", "All", "unmarked", "ES unmarked"]
    # random of E01: (2/3 + 3/4)/2 = 17/24; of both relations (17/24 + 0)/2.
    assert rows["All", "model"]["supervised random"] == pytest.approx(17 / 48)
    assert rows["All", "static"]["unsupervised random"] is None


def test_table_2_marks_many_to_many_and_bidirectional_relations(means):
    table = by_relation(means, NAMES)
    assert table.select("group", "relation", "marks", "agent").rows() == [
        ("ES", "E01 country - capital", "", "model"),
        ("ES", "E01 country - capital", "", "static"),
        ("LS", "L08 synonyms - exact", "∗†", "model"),
        ("LS", "L08 synonyms - exact", "∗†", "static"),
    ]


def test_a_group_without_marks_has_no_mean_of_its_unmarked_relations():
    table = metrics(decision_rows([("D01", "reverse", "a : b", "c", "d", 1.0)]))
    assert set(table["condition"]) == {"D01", "DM", "All", "unmarked"}


def test_agents_are_compared_on_queries_and_on_relations():
    better = decision_rows([(*row[:5], None if row[5] is None else 1.0) for row in ROWS])
    tests = paired_tests({"a": metrics(better), "b": metrics(decision_rows(ROWS))}, METRICS)
    row = tests.filter(metric="supervised random_head", condition="E01").row(0, named=True)
    assert (row["test"], row["units"], row["value_a"], row["value_b"]) == ("Wilcoxon", 2, 1.0, 0.75)
    assert tests.filter(metric="supervised random_head", condition="All").row(0, named=True)["units"] == 2


def test_decisions_that_could_not_be_made_are_counted():
    table = unjudged([("static", decision_rows(ROWS)), ("static", decision_rows(ROWS[:1], "unsupervised"))])
    assert table.rows() == [("static", "supervised", 8, 1), ("static", "unsupervised", 1, 0)]


def test_the_data_table_counts_tuples_and_positives():
    rows = [("E01", "country - capital", f"h{n}", [f"t{n % 7}"]) for n in range(11)]
    pairs = pl.DataFrame(rows, schema=PAIRS, orient="row")
    table = tuples(pairs, None, 0.5, 1)
    # round(11/2) = 6 (to even) for training: 6 * 5 positives; 5 for test: 5 * 4. Seven different tails.
    (row,) = data(table, instances(table, pairs, None, 1)).rows()
    assert row == ("ES", "E01", "country - capital", "", 6, 5, 7, 30, 20)


def test_our_figures_are_in_per_cent_under_the_papers_names(means):
    frequency = pl.DataFrame({"agent": ["model"], "share_without_effect": [0.75]})
    table = ours(means, frequency)
    assert dict(table.schema) == dict(OURS)
    value = {(q, c, a): v for q, c, a, v in table.iter_rows()}
    assert value["supervised random (%)", "ES", "model"] == pytest.approx(100 * 17 / 24)
    assert value["relations where frequency plays no role (%)", None, "model"] == 75
    published = read(ROOT / "resources/published/analogies.csv")
    assert published.height == 5 * 4 * 6 + 40 * 3 + 4
    assert set(published["quantity"]) <= {q.replace("random_head", "random") for q, _, _ in value} | {
        f"{setting} type (%)" for setting in ("supervised", "unsupervised")
    }


def test_the_figures_draw_whatever_agents_and_relations_there_are(means):
    names = [name for name, _ in draw(means, NAMES, {"model": "masked", "static": "baseline"})]
    assert names == ["groups_supervised", "relations_supervised", "groups_unsupervised", "relations_unsupervised"]


def test_the_frequency_of_a_pair_is_the_harmonic_mean_of_its_words():
    one, two = (wordfreq.word_frequency(word, "en") * 1e6 for word in ("paris", "france"))
    assert harmonic_mean("paris", "france") == pytest.approx(2 * one * two / (one + two))
    assert harmonic_mean("paris", "qxzzvk") is None


def test_rightly_and_wrongly_judged_tuples_are_compared_by_frequency():
    frequent = ["the", "of", "and", "to", "in"]
    rare = ["abbess", "vizier", "walrus", "tapir", "quilt"]
    rows = [("E01", "random_head", "a : b", word, word, 1.0) for word in frequent]
    rows += [
        ("E01", "random_tail", "a : b", word, word, 0.5) for word in rare
    ]  # half of the classifiers are right: no majority
    rows += [("E01", "random_tail", "a : b", "qxzzvk", "the", 1.0), ("E01", "reverse", "a : b", "the", "the", 0.0)]
    table = frequency_tests({"model": decision_rows(rows)}, NAMES)
    (row,) = table.iter_rows(named=True)
    assert (row["right"], row["wrong"], row["unknown"], row["name"]) == (5, 5, 1, "country - capital")
    # The two samples of 5 do not overlap: D = 1, and 2 of the C(10, 5) = 252 orders are as far apart.
    assert row["effect"] == 1
    assert row["p"] == pytest.approx(2 / 252)
    assert frequency_summary(table).rows() == [("model", 1, 1, 0, 0.0, "country - capital")]


def test_a_relation_all_of_whose_tuples_are_judged_rightly_is_not_testable():
    table = frequency_tests({"model": decision_rows([("E01", "random_head", "a : b", "the", "of", 1.0)])}, NAMES)
    assert table.select("p", "p_holm", "note").row(0) == (None, None, "not testable: a sample is empty")
    assert frequency_summary(table).select("tested", "without_effect", "share_without_effect").row(0) == (0, 0, None)


def test_a_relation_none_of_whose_tuples_was_judged_keeps_its_row():
    rows = [("E01", "random_head", "a : b", "the", "of", 1.0), ("L08", "random_head", "a : b", "the", "of", None)]
    table = frequency_tests({"static": decision_rows(rows)}, NAMES)
    assert table.select("relation", "right", "wrong", "unknown", "p", "note").rows() == [
        ("E01", 1, 0, 0, None, "not testable: a sample is empty"),
        ("L08", 0, 0, 0, None, "not testable: none of its tuples was judged"),
    ]
    assert frequency_summary(table).select("relations", "tested").row(0) == (2, 0)


def test_kolmogorov_smirnov_is_the_largest_distance_of_the_distributions():
    # At 2 the first distribution function is 2/2, the second 1/4: D = 3/4.
    test = kolmogorov_smirnov(np.array([1.0, 2.0]), np.array([1.5, 3.0, 4.0, 5.0]))
    assert (test.name, test.n, test.effect) == ("Kolmogorov-Smirnov", 6, 0.75)
    assert math.isclose(kolmogorov_smirnov(np.arange(4.0), np.arange(4.0)).p, 1)
