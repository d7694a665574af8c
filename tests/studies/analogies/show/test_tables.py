"""Units, averages, tables, figures and frequency tests, from decisions written by hand."""

import math

import numpy as np
import polars as pl
import pytest
import wordfreq
from relprobe.report.agent_styles import FigureSettings, agent_styles
from relprobe.report.published import OURS, read
from relprobe.sources.bats import PAIRS
from relprobe.stats import kolmogorov_smirnov
from relprobe.stats.averages import averages
from relprobe.stats.comparisons import paired_tests
from relprobe.studies.analogies.agents import agent_metrics
from relprobe.studies.analogies.analyses.contrasts import probe_contrasts
from relprobe.studies.analogies.analyses.frequency import (
    frequency,
    frequency_summary,
    harmonic_mean,
    permutation_test,
    share_without_effect,
)
from relprobe.studies.analogies.analyses.published import ours
from relprobe.studies.analogies.analyses.relations import by_relation
from relprobe.studies.analogies.analyses.unjudged import UNJUDGED, unjudged_decisions
from relprobe.studies.analogies.figures import by_group as by_group_figure
from relprobe.studies.analogies.measures import MEASURES
from relprobe.studies.analogies.method import Split, instances, tuples
from relprobe.studies.analogies.method import values as metrics
from relprobe.studies.analogies.relations import bats_analogies, mark
from relprobe.studies.analogies.results import FigureFiles
from relprobe.studies.analogies.schemas import CONTRASTS_OF_CONDITIONS, DECISIONS, METRICS, TUPLES
from relprobe.studies.analogies.show import figures
from relprobe.studies.analogies.tables import by_group, data, seen_words

from tests.paths import ROOT

NO_QUERIES = pl.DataFrame(schema=CONTRASTS_OF_CONDITIONS)


def decision_rows(rows, setting="supervised"):
    """Return DECISIONS; the tuple that is judged is the positive of its instance."""
    full = [
        (setting, relation, probe, 1, query, f"{head} : {tail}", head, tail, True, value, None)
        for relation, probe, query, head, tail, value in rows
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
NAMES = {"E01": "country - capital", "E07": "animal - sound", "L08": "synonyms - exact", "D01": "noun+less_reg"}


def tuple_rows(rows, draw=1):
    """Return TUPLES of rows (relation, partition, head, tail, family)."""
    full = [
        (
            code,
            NAMES[code],
            {"E": "ES", "L": "LS", "D": "DM"}[code[0]],
            draw,
            partition,
            head,
            tail,
            [tail],
            family,
            mark(code),
        )
        for code, partition, head, tail, family in rows
    ]
    return pl.DataFrame(full, schema=TUPLES, orient="row")


DATA = tuple_rows(
    [
        ("E01", "test", "a", "b", "a : b"),
        ("E01", "test", "c", "d", "c : d"),
        ("E01", "test", "e", "f", "c : d"),
        ("L08", "test", "u", "v", "u : v"),
        ("E07", "test", "g", "h", "g : h"),  # many-to-many; no decisions about it
    ]
)


def values(table, metric, condition):
    return dict(table.filter(metric=metric, condition=condition).select("unit", "value").iter_rows())


def test_the_units_are_the_tuples_that_are_judged():
    table = metrics(decision_rows(ROWS), DATA)
    assert dict(table.schema) == dict(METRICS)
    # random: c:d (1 + 1)/2, e:f 0, a:b (1 + 1/2)/2; the missing value takes no part.
    assert values(table, "supervised random_head", "E01") == {"E01 c : d": 1.0, "E01 e : f": 0.0, "E01 a : b": 1.0}
    assert values(table, "supervised random", "E01") == {"E01 c : d": 1.0, "E01 e : f": 0.0, "E01 a : b": 0.75}
    assert values(table, "supervised random", "All") == {**values(table, "supervised random", "E01"), "L08 u : v": 0.0}
    assert values(table, "supervised reverse", "All") == {"L08 u : v": 1.0}


def test_decisions_in_several_draws_are_averaged():
    again = decision_rows([("E01", "random_head", "a : b", "c", "d", 0.0)] * 2).with_columns(draw=pl.lit(2, pl.Int64))
    table = metrics(pl.concat([decision_rows(ROWS), again]), DATA)
    assert values(table, "supervised random_head", "E01")["E01 c : d"] == pytest.approx(1 / 3)  # 1, 0 and 0


def test_clusters_are_families_within_a_relation_and_relations_within_a_group():
    table = metrics(decision_rows(ROWS), DATA).filter(metric="supervised random")
    clusters = {
        condition: dict(rows.select("unit", "cluster").iter_rows())
        for (condition,), rows in table.group_by("condition")
    }
    assert clusters["E01"] == {"E01 a : b": "a : b", "E01 c : d": "c : d", "E01 e : f": "c : d"}
    assert set(clusters["ES"].values()) == {"E01"}
    assert clusters["All"] == {"E01 a : b": "E01", "E01 c : d": "E01", "E01 e : f": "E01", "L08 u : v": "L08"}


def test_marked_relations_take_no_part_in_the_unmarked_means():
    table = metrics(decision_rows(ROWS), DATA)
    expected = {"E01 c : d": 1.0, "E01 e : f": 0.0, "E01 a : b": 1.0}
    assert values(table, "supervised random_head", "unmarked") == expected
    assert values(table, "supervised random_head", "ES unmarked") == expected
    assert values(table, "supervised reverse", "unmarked") == {}
    assert set(table["condition"]) == {"E01", "L08", "ES", "LS", "All", "unmarked", "ES unmarked"}


@pytest.fixture
def means():
    both = pl.concat([decision_rows(ROWS), decision_rows(ROWS, "unsupervised").with_columns(label=None)])
    return averages({"model": metrics(both, DATA), "static": metrics(decision_rows(ROWS), DATA)}, MEASURES)


def test_table_1_has_a_row_per_group_and_agent_and_a_column_per_setting_and_probe(means):
    table = by_group(means, DATA, NO_QUERIES)
    assert table.columns == [
        *("group", "agent", "supervised random", "supervised reverse", "unsupervised random", "unsupervised reverse"),
        *("tuples", "relations", "own_tuples"),
    ]
    rows = {(row["group"], row["agent"]): row for row in table.iter_rows(named=True)}
    assert list(dict.fromkeys(group for group, _ in rows)) == ["ES", "LS", "All", "unmarked", "ES unmarked"]
    # random of all tuples: (1 + 0 + 3/4 + 0)/4.
    assert rows["All", "model"]["supervised random"] == pytest.approx(7 / 16)
    assert rows["All", "static"]["unsupervised random"] is None
    assert [rows["All", "model"][name] for name in ("tuples", "relations", "own_tuples")] == [4, 2, False]


def test_table_2_marks_many_to_many_and_bidirectional_relations(means):
    table = by_relation(means, DATA, NO_QUERIES)
    assert table.select("group", "relation", "marks", "agent", "tuples", "families").rows() == [
        ("ES", "E01 country - capital", "", "model", 3, 2),
        ("ES", "E01 country - capital", "", "static", 3, 2),
        ("LS", "L08 synonyms - exact", "∗†", "model", 1, 1),
        ("LS", "L08 synonyms - exact", "∗†", "static", 1, 1),
    ]


def test_a_group_without_marks_has_no_mean_of_its_unmarked_relations():
    rows = [("D01", "reverse", "a : b", "c", "d", 1.0)]
    table = metrics(decision_rows(rows), tuple_rows([("D01", "test", "c", "d", "c : d")]))
    assert set(table["condition"]) == {"D01", "DM", "All", "unmarked"}


def test_agents_are_compared_on_tuples_in_clusters_and_baselines_make_a_family_of_their_own():
    better = decision_rows([(*row[:5], None if row[5] is None else 1.0) for row in ROWS])
    agents = {"a": metrics(better, DATA), "b": metrics(decision_rows(ROWS), DATA)}
    tests = paired_tests(agents, MEASURES, kinds={"a": "model", "b": "control"})
    row = tests.filter(metric="supervised random", condition="E01").row(0, named=True)
    assert (row["units"], row["clusters"], row["discordant"], row["family"]) == (3, 2, 2, "controls")
    assert row["difference"] == pytest.approx((0 + 1 + 0.25) / 3)
    # The families' sums are 1/4 (a : b) and 0 + 1 (c : d, e : f): both signs agree in 2 of the 4 patterns.
    assert row["p"] == 0.5
    row = tests.filter(metric="supervised random", condition="All").row(0, named=True)
    assert (row["units"], row["clusters"], row["p"]) == (4, 2, 0.5)


def test_probes_are_compared_within_an_agent_on_the_same_tuples():
    words = [("a", "b"), ("c", "d"), ("e", "f")]
    rows = [("E01", "random_head", "q", *pair, 0.0) for pair in words]
    rows += [("E01", probe, "q", *pair, 1.0) for pair in words[:2] for probe in ("reverse", "type")]
    families = tuple_rows([("E01", "test", *pair, " : ".join(pair)) for pair in words])
    table = probe_contrasts({"m": metrics(decision_rows(rows), families)}, {"m": "model"})
    assert table.schema == CONTRASTS_OF_CONDITIONS
    rows = table.filter(condition="E01").select("metric", "a", "b", "units", "difference", "p").rows()
    assert rows == [
        ("supervised", "supervised random", "supervised reverse", 2, -1.0, 0.5),
        ("supervised", "supervised random", "supervised type", 2, -1.0, 0.5),
        ("supervised", "supervised reverse", "supervised type", 2, 0.0, 1.0),
    ]


def test_decisions_that_could_not_be_made_are_counted():
    choices = decision_rows(ROWS[:1], "unsupervised")
    both, one = (agent_metrics(choices, DATA, trained).by_agent["unjudged"] for trained in (decision_rows(ROWS), None))
    assert both.rows() == [("supervised", 8, 1), ("unsupervised", 1, 0)]
    assert dict(both.schema) == dict(UNJUDGED)
    assert unjudged_decisions({"few": one, "static": both}).rows() == [
        ("static", "supervised", 8, 1),
        ("few", "unsupervised", 1, 0),
        ("static", "unsupervised", 1, 0),
    ]


def test_the_data_table_counts_tuples_positives_and_words_that_training_has_seen():
    rows = [("E01", "country - capital", f"h{n}", [f"t{n % 7}"]) for n in range(11)]
    pairs = pl.DataFrame(rows, schema=PAIRS, orient="row").pipe(bats_analogies)
    table = tuples(pairs, None, Split(0.5, seed=1, draws=2))
    # round(11/2) = 6 (to even) for training: 6 * 5 positives; 5 for test: 5 * 4. Seven different tails make the families.
    (row,) = data(table, instances(table, pairs, None, 1)).rows()
    assert row[:10] == ("ES", "E01", "country - capital", 2, "", 6, 5, 7, 7, 0.0)
    assert row[10:] == (seen_words(table)["tails_seen"].item(), 30, 20)


def test_a_word_is_seen_if_a_training_tuple_of_the_draw_has_it():
    first = [
        ("E01", "train", "ant", "black", "f"),
        ("E01", "test", "bat", "black", "f"),
        ("E01", "test", "black", "dark", "f"),
    ]
    second = [("E01", {"train": "test", "test": "train"}[row[1]], *row[2:]) for row in first]
    table = seen_words(pl.concat([tuple_rows(first), tuple_rows(second, draw=2)]))
    # Draw 1: of the test tuples bat : black and black : dark, one head (black) and one tail (black) are seen.
    # Draw 2: of ant : black the tail is seen.
    assert table.rows() == [("E01", (1 / 2 + 0) / 2, (1 / 2 + 1) / 2)]


def test_our_figures_are_in_per_cent_under_the_papers_names(means):
    shares = pl.DataFrame({"agent": ["model"], "tested": [8], "share_without_effect": [0.75]})
    table = pl.concat([ours(means), share_without_effect(shares)])
    assert dict(table.schema) == dict(OURS)
    share = table.filter(pl.col("quantity").str.starts_with("relations where")).row(0, named=True)
    assert (share["n"], share["units"]) == (8, "relations")
    mine = {"condition": "ES", "agent": "model"}
    own = means.filter(metric="supervised random", **mine).row(0, named=True)
    percent = table.filter(quantity="supervised random (%)", **mine).row(0, named=True)
    assert (percent["n"], percent["units"]) == (own["units"], "tuples")
    assert percent["ours_low"] == (None if own["low"] is None else pytest.approx(100 * own["low"]))
    value = {(q, c, a): v for q, c, a, v, *_ in table.iter_rows()}
    assert value["supervised random (%)", "ES", "model"] == pytest.approx(100 * 7 / 12)
    assert value["relations where frequency plays no role (%)", None, "model"] == 75
    published = read(ROOT / "resources/published/analogies.csv")
    assert published.height == 5 * 4 * 6 + 40 * 3 + 4
    assert set(published["quantity"]) <= {q.replace("random_head", "random") for q, _, _ in value} | {
        f"{setting} type (%)" for setting in ("supervised", "unsupervised")
    }


def test_the_figures_draw_whatever_agents_and_relations_there_are(means):
    names = ["groups_supervised", "relations_supervised", "groups_unsupervised", "relations_unsupervised"]
    files, kinds = FigureFiles(averages=means, tuples=DATA), {"model": "masked", "static": "control"}
    assert [name for name, _ in figures(files, FigureSettings(names, kinds))] == names


def test_a_figure_marks_an_agent_that_is_averaged_over_its_own_tuples(means):
    own = means.with_columns(own_units=(pl.col("agent") == "static") & (pl.col("condition") == "All"))
    styles = agent_styles({"model": "masked", "static": "control"}, {})
    figure = by_group_figure(own, "supervised", ["ES", "LS"], styles)
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == ["model", "static °"]


def test_the_frequency_of_a_pair_is_the_harmonic_mean_of_its_words():
    one, two = (wordfreq.word_frequency(word, "en") * 1e6 for word in ("paris", "france"))
    assert harmonic_mean("paris", "france") == pytest.approx(2 * one * two / (one + two))
    assert harmonic_mean("paris", "qxzzvk") is None


FREQUENT = ["the", "of", "and", "to", "in"]
RARE = ["abbess", "vizier", "walrus", "tapir", "quilt"]
WORDS = tuple_rows([("E01", "test", word, word, word) for word in [*FREQUENT, *RARE]])


def test_rightly_and_wrongly_judged_tuples_are_compared_by_frequency():
    rows = [("E01", "random_head", "a : b", word, word, 1.0) for word in FREQUENT]
    rows += [("E01", "random_tail", "a : b", word, word, 0.5) for word in RARE]  # half of the classifiers: no majority
    rows += [("E01", "random_tail", "a : b", "qxzzvk", "the", 1.0), ("E01", "reverse", "a : b", "the", "the", 0.0)]
    table = frequency(WORDS, {"model": decision_rows(rows)})
    (row,) = table.iter_rows(named=True)
    assert (row["right"], row["wrong"], row["unknown"], row["name"]) == (5, 5, 1, "country - capital")
    # The two samples of 5 do not overlap: D = 1, and 2 of the C(10, 5) = 252 orders are as far apart.
    assert row["paper_effect"] == 1
    assert row["paper_p"] == pytest.approx(2 / 252)
    # By tuples: at the fifth the shares of wrong decisions are (5 · 1/2)/(5 · 1/2), those of right ones (5/2)/(15/2).
    assert (row["tuples"], row["clusters"]) == (10, 10)
    assert row["distance"] == pytest.approx(1 - 1 / 3)
    assert row["p"] == pytest.approx(2 / 252, abs=0.003)
    assert frequency_summary(table, "paper").row(0)[-4:] == (1, 0, 0.0, "country - capital")
    assert frequency_summary(table, "clusters")["test"].item() == "permutation of families of tuples"


def test_the_choice_of_inference_decides_which_test_counts():
    rarest = sorted(FREQUENT, key=lambda word: harmonic_mean(word, word))[:2]
    rows = [
        ("E01", "random_head", f"{n} : b", word, word, float(word not in rarest)) for word in FREQUENT for n in "abcd"
    ]
    table = frequency(WORDS, {"model": decision_rows(rows)})
    # Twelve right and eight wrong decisions do not overlap in frequency, but they are on five tuples: C(5, 2) = 10 orders.
    assert table["paper_p"].item() < 0.001
    assert table["p"].item() == pytest.approx(2 / 10, abs=0.02)
    assert [frequency_summary(table, choice)["without_effect"].item() for choice in ("paper", "clusters")] == [0, 1]


def test_decisions_beside_a_swapped_query_change_no_frequency():
    """They are controls, which ask about the same tuples."""
    rows = [("E01", "random_head", "a : b", word, word, float(word in FREQUENT)) for word in [*FREQUENT, *RARE]]
    own = decision_rows(rows)
    controls = own.with_columns(instead_of="query", query=pl.lit("x : y"), value=1 - pl.col("value"))
    assert frequency(WORDS, {"model": pl.concat([own, controls])}).equals(frequency(WORDS, {"model": own}))


def test_a_tuple_of_several_draws_and_parts_counts_its_decisions_once():
    """The table of tuples has a row of it for each draw; only its words and its family are read there."""
    rows = [("E01", "random_head", "a : b", word, word, float(word in FREQUENT)) for word in [*FREQUENT, *RARE]]
    own = {"model": decision_rows(rows)}
    train = WORDS.with_columns(partition=pl.lit("train"), draw=2)
    once = frequency(WORDS, own)
    assert once.select("right", "wrong").row(0) == (5, 5)
    assert frequency(pl.concat([WORDS, train.cast(WORDS.schema)]), own).equals(once)


def test_a_decision_is_right_where_more_than_half_of_the_classifiers_make_it():
    """Every judged decision is right or wrong, one that half of them make as well."""
    values = [1.0, 0.6, 0.5, 0.4, 0.0, None]
    rows = [
        ("E01", "random_head", "a : b", word, word, value) for word, value in zip(FREQUENT * 2, values, strict=False)
    ]
    (row,) = frequency(WORDS, {"model": decision_rows(rows)}).iter_rows(named=True)
    assert (row["right"], row["wrong"], row["unknown"]) == (2, 3, 0)


def test_the_frequencies_of_rightly_and_wrongly_judged_tuples_have_their_medians_and_three_families_are_tested():
    rows = [
        *(("E01", "random_head", "a : b", word, word, 1.0) for word in ("the", "walrus", "and")),
        *(("E01", "random_head", "a : b", word, word, 0.0) for word in ("tapir", "vizier", "in")),
    ]
    (row,) = frequency(WORDS, {"model": decision_rows(rows)}).iter_rows(named=True)
    assert row["median_right"] == pytest.approx(harmonic_mean("and", "and"))  # the is more frequent, walrus less
    middle = sorted(harmonic_mean(word, word) for word in ("tapir", "vizier", "in"))[1]
    assert row["median_wrong"] == pytest.approx(middle)
    for number, is_tested in ((3, True), (2, False)):
        some = [*rows[: number - 1], rows[-1]]
        (row,) = frequency(WORDS, {"model": decision_rows(some)}).iter_rows(named=True)
        assert (row["clusters"], row["p"] is not None) == (number, is_tested)


def test_a_p_of_five_percent_is_an_effect_and_a_relation_without_a_test_is_none():
    tests = frequency(WORDS, {"model": decision_rows([("E01", "random_head", "a : b", "the", "the", 1.0)])})
    tests = pl.concat([tests] * 4).with_columns(p=pl.Series([0.05, 0.051, 0.9, None]), name=pl.Series([*"abcd"]))
    row = frequency_summary(tests, "linked").row(0, named=True)
    assert (row["relations"], row["tested"], row["without_effect"], row["with_effect"]) == (4, 3, 2, "a")
    assert row["share_without_effect"] == pytest.approx(2 / 3)


def test_tuples_of_one_family_count_once():
    rows = [("E01", "random_head", "a : b", word, word, float(word in FREQUENT)) for word in [*FREQUENT, *RARE]]
    families = WORDS.with_columns(
        family=pl.when(pl.col("head").is_in(FREQUENT[:4])).then(pl.lit("f")).otherwise("head")
    )
    (row,) = frequency(families, {"model": decision_rows(rows)}).iter_rows(named=True)
    # Two families are judged rightly, and they are the most frequent of seven: 2 of C(7, 2) = 21 orders are as far apart.
    assert (row["tuples"], row["clusters"], row["distance"]) == (10, 7, 1)
    assert row["p"] == pytest.approx(2 / 21, abs=0.01)


def test_a_family_is_as_frequent_as_the_mean_of_the_logarithms_of_its_tuples():
    """By their mean, “the” and “tapir” would be more frequent than people and time; by that of logarithms they are rarer."""
    words = ["the", "tapir", "walrus", "people", "time"]
    rows = [("E01", "random_head", "a : b", word, word, float(word not in ("people", "time"))) for word in words]
    word_tuples = tuple_rows([("E01", "test", word, word, "f" if word in ("the", "tapir") else word) for word in words])
    (row,) = frequency(word_tuples, {"model": decision_rows(rows)}).iter_rows(named=True)
    assert (row["tuples"], row["clusters"], row["distance"]) == (5, 4, 1)  # all that is judged wrongly is more frequent


def test_frequency_without_a_role_is_found_as_often_as_chance_allows_by_tuples_but_nearly_always_by_decisions():
    # 25 tuples differ in difficulty, which has nothing to do with frequency; each has 96 decisions, as in the paper.
    chance = np.random.default_rng(1)
    ours, papers = [], []
    for _ in range(60):
        frequencies, difficulty = chance.normal(size=25), chance.beta(3, 2, size=25)
        right = chance.binomial(96, difficulty)
        paper = kolmogorov_smirnov(np.repeat(frequencies, right), np.repeat(frequencies, 96 - right))
        papers.append(paper.p < 0.05)
        ours.append(permutation_test(right / 96, frequencies)[1] < 0.05)
    assert sum(papers) >= 50
    assert sum(ours) <= 6


def test_a_relation_all_of_whose_tuples_are_judged_alike_is_not_testable():
    rows = [("E01", "random_head", "a : b", word, word, 1.0) for word in FREQUENT]
    table = frequency(WORDS, {"model": decision_rows(rows)})
    reasons = ("not testable: all tuples are judged alike", "not testable: a sample is empty")
    assert table.select("p", "p_holm", "note", "paper_p", "paper_note").row(0) == (
        None,
        None,
        reasons[0],
        None,
        reasons[1],
    )
    for choice in ("linked", "paper"):
        summary = frequency_summary(table, choice)
        assert summary.select("tested", "without_effect", "share_without_effect").row(0) == (0, 0, None)


def test_a_relation_none_of_whose_tuples_was_judged_keeps_its_row():
    rows = [("E01", "random_head", "a : b", "the", "the", 1.0), ("L08", "random_head", "a : b", "the", "of", None)]
    words = pl.concat([WORDS, tuple_rows([("L08", "test", "the", "of", "f")])])
    table = frequency(words, {"static": decision_rows(rows)})
    unjudged = "not testable: none of its tuples was judged"
    assert table.select("relation", "tuples", "note", "right", "wrong", "unknown", "paper_note").rows() == [
        ("E01", 1, "not testable: fewer than three families of tuples", 1, 0, 0, "not testable: a sample is empty"),
        ("L08", 0, unjudged, 0, 0, 0, unjudged),
    ]
    assert frequency_summary(table, "paper").select("relations", "tested").row(0) == (2, 0)


def test_kolmogorov_smirnov_is_the_largest_distance_of_the_distributions():
    # At 2 the first distribution function is 2/2, the second 1/4: D = 3/4.
    test = kolmogorov_smirnov(np.array([1.0, 2.0]), np.array([1.5, 3.0, 4.0, 5.0]))
    assert (test.name, test.n, test.effect) == ("Kolmogorov-Smirnov", 6, 0.75)
    assert math.isclose(kolmogorov_smirnov(np.arange(4.0), np.arange(4.0)).p, 1)


def test_the_tests_of_an_agents_relations_are_adjusted_together_and_apart_from_those_of_others():
    """Two relations of m and one of n: the smaller p of m counts twice, by tuples and by decisions."""
    rows = [("E01", "random_head", "a : b", word, word, float(word in FREQUENT)) for word in [*FREQUENT, *RARE]]
    other = [("E07", *row[1:5], float(row[3] in (*FREQUENT[:4], RARE[0]))) for row in rows]
    words = pl.concat([WORDS, tuple_rows([("E07", "test", word, word, word) for word in [*FREQUENT, *RARE]])])
    table = frequency(words, {"m": decision_rows([*rows, *other]), "n": decision_rows(rows)})
    assert table.select("agent", "relation").rows() == [("m", "E01"), ("m", "E07"), ("n", "E01")]
    for p, adjusted in (("p", "p_holm"), ("paper_p", "paper_p_holm")):
        first, second, alone = table[p].to_list()
        assert first < second
        assert table[adjusted].to_list() == pytest.approx([2 * first, max(2 * first, second), alone])
